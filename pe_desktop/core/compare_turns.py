"""What rotary schemes multiply the pairs of queries and keys by, and how far two schemes are apart in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float

Index = NDArray[np.intp]
Complex = NDArray[np.complex128]
TINY = np.finfo(np.float64).tiny


def is_plain(scheme: Rotary) -> bool:
    """Whether a scheme is told by its frequencies and its attention factor alone: z = w = factor · e^(i p θ)."""
    own = type(scheme)
    as_base = all(getattr(own, name) is getattr(Rotary, name) for name in ("rotate", "turn", "angles", "angles_at"))
    return as_base and scheme.linear


def multipliers(scheme: Rotary, positions: Float, *, key: bool = False) -> Complex:
    """What each pair of a query (or key) at `positions` (n,) is multiplied by, shape (n, pairs)."""
    if is_plain(scheme):
        return np.asarray(scheme.amplitude * np.exp(1j * scheme.angles(positions)))
    unit = np.zeros((len(positions), scheme.dimension))
    unit[:, scheme.pairs()[0]] = 1.0
    turned = scheme.rotate(unit, positions, key=key)
    real, imaginary = scheme.pairs_out()
    return np.asarray(turned[:, real] + 1j * turned[:, imaginary])


@dataclass(frozen=True)
class Turns:
    """What two rotary schemes do to queries and keys, pair by pair; a pair that one has not got does not turn."""

    a: Rotary
    b: Rotary

    @property
    def pairs(self) -> int:
        """Pairs of the one that has more."""
        return max(len(self.a.inv_freq()), len(self.b.inv_freq()))

    @property
    def plain(self) -> bool:
        """Whether queries and keys are treated alike in both, so that the keys need not be looked at."""
        return is_plain(self.a) and is_plain(self.b)

    @property
    def width(self) -> int:
        """Numbers per position, see :meth:`differ`."""
        return self.pairs * (2 if self.plain else 4)

    def column_name(self, column: int) -> str:
        """The pair that a column of :meth:`differ` belongs to."""
        return f"pair {column % self.pairs}"

    def _both(self, positions: Float, key: bool) -> tuple[Complex, Complex]:
        a, b = (self._padded(multipliers(scheme, positions, key=key)) for scheme in (self.a, self.b))
        return a, b

    def _padded(self, hands: Complex) -> Complex:
        missing = self.pairs - hands.shape[1]
        return np.pad(hands, ((0, 0), (0, missing)), constant_values=1.0) if missing else hands

    def differ(self, positions: Float) -> tuple[Float, Float]:
        """Differences of cosines and sines, factors included, of queries and (unless plain) of keys."""
        sides = [self._both(positions, key) for key in ((False,) if self.plain else (False, True))]
        return _parts([a - b for a, b in sides]), _sizes(sides)

    def differ_in_angle(self, positions: Float) -> tuple[Float, Float]:
        """The same as :meth:`differ` without the factors: of hands of length 1, where they have a length at all."""
        sides = [self._both(positions, key) for key in (False, True)]
        units = [[np.divide(each, np.maximum(np.abs(each), TINY)) for each in side] for side in sides]
        return _parts([a - b for a, b in units]), np.ones(len(positions))

    def differ_in_score(self, positions: Float, last: float) -> tuple[Float, Float]:
        """Differences of what pairs make of scaled scores: queries against key 0, and the query `last` against keys.

        If both agree everywhere, so do all scores: they are products of the two over that of `last` with key 0.
        """
        sides = []
        for queries, keys in ((positions, np.zeros(1)), (np.array([last]), positions)):
            a, b = (_score_hands(scheme, queries, keys) for scheme in (self.a, self.b))
            sides.append((a, b))
        return _parts([a - b for a, b in sides]), _sizes(sides)


def _score_hands(scheme: Rotary, queries: Float, keys: Float) -> Complex:
    """What each pair of q k̄ is multiplied by in a scaled score, shape (n, pairs); one of the two is one position."""
    scale = scheme.softmax_scale * scheme.query_scale(queries) * scheme.amplitude**2
    turns = np.exp(1j * (scheme.angles(queries) - scheme.angles(keys)))
    return np.asarray(scale[:, None] * scheme.damping(queries - keys) * turns)


def _parts(differences: list[Complex]) -> Float:
    parts = [part for each in differences for part in (each.real, each.imag)]
    return np.asarray(np.abs(np.concatenate(parts, axis=1)))


def _sizes(sides: list[tuple[Complex, Complex]]) -> Float:
    return np.asarray(np.max([np.abs(each).max(axis=1) for side in sides for each in side], axis=0))


@dataclass(frozen=True)
class Standing:
    """What two rotary schemes do to the same vector, dimension by dimension: their matrices, entry by entry."""

    a: Rotary
    b: Rotary

    def differ(self, positions: Float) -> tuple[Float, Float]:
        """Differences of the entries on and off the diagonal, for queries."""
        (diagonal_a, beside_a, partner_a), (diagonal_b, beside_b, partner_b) = (
            _matrix(scheme, positions) for scheme in (self.a, self.b)
        )
        apart = np.maximum(np.abs(beside_a), np.abs(beside_b))
        beside = np.where(partner_a == partner_b, np.abs(beside_a - beside_b), apart)
        differences = np.concatenate([np.abs(diagonal_a - diagonal_b), beside], axis=1)
        sizes = np.maximum(np.abs(diagonal_a).max(axis=1), np.abs(diagonal_b).max(axis=1))
        return differences, np.maximum(sizes, apart.max(axis=1))


def _matrix(scheme: Rotary, positions: Float) -> tuple[Float, Float, Index]:
    """Per dimension: the diagonal entry, the one off it (both (n, D)) and the dimension that one multiplies."""
    hands = multipliers(scheme, positions)
    first, second = scheme.pairs()
    diagonal, beside = np.ones((len(positions), scheme.dimension)), np.zeros((len(positions), scheme.dimension))
    partner = np.arange(scheme.dimension)
    diagonal[:, first], diagonal[:, second] = hands.real, hands.real
    beside[:, first], beside[:, second] = -hands.imag, hands.imag
    partner[first], partner[second] = second, first
    return diagonal, beside, partner
