"""Schemes that rotate queries and keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.damped import turning
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.work import checkpoint

STRIP_CELLS = 1 << 18  # pairs turned at a time


@dataclass(frozen=True, kw_only=True)
class Rotary(Scheme, ABC):
    """A scheme that rotates pairs of the query and of the key.

    The angle of a pair is a coordinate of the token times the pair's inverse frequency. With one axis the
    coordinate is the position; multi-axis schemes (images, video) say which axis each pair reads.
    """

    acts: ClassVar[Acts] = Acts.ROTARY
    axes: ClassVar[tuple[str, ...]] = ("position",)
    # Whether the scheme is for keys up to the query only; keys after it have no place in a curve.
    causal_only: ClassVar[bool] = False

    @abstractmethod
    def inv_freq(self) -> Float:
        """Inverse frequencies, shape (rotary width / 2,), rad/position, float64; 0 where a pair does not turn."""

    def plain_inv_freq(self) -> Float:
        """Inverse frequencies as before any length extension, shape (rotary width / 2,), rad/position."""
        return self.inv_freq()

    def regime(self) -> NDArray[np.int8] | None:
        """What an extension did to each pair (KEPT, BLENDED, DIVIDED of :mod:`extension`); None without one."""
        return None

    @property
    def amplitude(self) -> float:
        """The attention factor: what multiplies cosine and sine (1 unless an extension sets it)."""
        return 1.0

    @property
    def softmax_correction_factor(self) -> float:
        """What an extension multiplies the softmax scale by; it is within :attr:`softmax_scale`."""
        return 1.0

    @property
    def positions_trained(self) -> int | None:
        """Number of positions seen in training (original_max_position_embeddings), None if not known."""
        return None

    @property
    @abstractmethod
    def rotary_width(self) -> int:
        """Number of leading dimensions that rotate."""

    @property
    def score_width(self) -> int:
        """Dimensions of the whole query and key that a score is a product of; those beyond the pairs do not turn."""
        return self.dimension

    def pair_axis(self) -> NDArray[np.intp]:
        """Which axis each pair reads, shape (rotary width / 2,)."""
        return np.zeros(self.rotary_width // 2, dtype=np.intp)

    def coordinates(self, positions: Iterable[int] | Float) -> Float:
        """Coordinates of tokens (n,) on every axis, shape (n, axes), float64; with one axis the positions."""
        return np.asarray(positions, dtype=np.float64)[:, None]

    @property
    def linear(self) -> bool:
        """Whether every angle is position x inv_freq and nothing else, so that a score depends on the gap alone."""
        return len(self.axes) == 1

    @property
    def pictured_by_waves(self) -> bool:
        """Whether angles are position x inv_freq, so that pictures of them may take the faster way."""
        return self.linear

    def angles(self, positions: Iterable[int] | Float) -> Float:
        """Angles in rad, shape (n, rotary width / 2), float64, of `positions` (n,)."""
        return self.angles_at(self.coordinates(positions))

    def angles_at(self, coordinates: Float) -> Float:
        """Angles in rad, shape (n, rotary width / 2), float64, of `coordinates` (n, axes)."""
        if len(self.axes) == 1:
            return np.outer(coordinates[:, 0], self.inv_freq())
        return np.asarray(coordinates[:, self.pair_axis()] * self.inv_freq())

    @abstractmethod
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Dimensions (a, b) of each rotated pair: a' = a cos - b sin, b' = b cos + a sin."""

    def pairs_out(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Dimensions the rotated pair is written to; the ones it was read from, except where a layout says else."""
        return self.pairs()

    def rotate(self, vectors: Float, positions: Iterable[int] | Float, *, key: bool = False) -> Float:
        """Rotate `vectors` (n, dimension) to `positions` (n,); unrotated dimensions pass through.

        `key` tells keys from queries where a scheme treats them differently.
        """
        return self.turn(vectors, self.angles(positions))

    def turn(self, vectors: Float, angles: Float) -> Float:
        """Rotate `vectors` (n, dimension) by `angles` (n, rotary width / 2), attention factor included."""
        out = np.array(vectors, dtype=np.float64)
        height = max(1, STRIP_CELLS // max(1, angles.shape[1]))
        for start in range(0, len(out), height):
            checkpoint()
            self._turn_rows(out[start : start + height], angles[start : start + height])
        return out

    def _turn_rows(self, rows: Float, angles: Float) -> None:
        cos, sin = np.cos(angles) * self.amplitude, np.sin(angles) * self.amplitude
        first, second = self.pairs()
        to_first, to_second = self.pairs_out()
        a, b = rows[:, first], rows[:, second]
        rows[:, to_first], rows[:, to_second] = a * cos - b * sin, b * cos + a * sin

    def scores(self, queries: Float, keys: Float, query_positions: Float, key_positions: Float) -> Float:
        """Products q·k, not scaled, of `queries` (m, dimension) and `keys` (n, dimension) at positions (m,), (n,).

        Shape (m, n), float64.
        """
        return np.asarray(self.rotate(queries, query_positions) @ self.rotate(keys, key_positions, key=True).T)

    def damping(self, gaps: Float) -> Float:
        """Factor on each pair's share of a score at gaps query - key (n,), shape (n, pairs) or (1, 1): 1 as a rule."""
        return np.ones((1, 1))

    def rates(self) -> NDArray[np.complex128] | None:
        """Damping + i frequency of each pair, shape (pairs,), per position of the gap query - key.

        A score of fixed queries and keys is then a sum over the pairs of the real part of a number times
        exp(rate x gap). None where a score does not depend on the gap alone.
        """
        return turning(self.inv_freq()) if self.linear else None

    @property
    def scale_centre(self) -> float | None:
        """Position whose query and key keep their length, in schemes that also scale them; None in the others."""
        return None

    def key_growth(self) -> float | None:
        """Decimal logarithm of the largest factor on a key in this sequence; None where keys keep their length."""
        return None

    def profile(self, spot: int, positions: Float) -> Float:
        """Score of the query (1, …, 1) at `spot` with the same key at `positions` (n,), over its value at gap 0.

        Shape (n,), float64; see :attr:`still`.
        """
        angles = self.angles(positions) - self.angles([spot])
        return np.asarray((2.0 * np.cos(angles).sum(axis=1) + self.still) / self.at_gap_zero)

    @property
    def still(self) -> float:
        """What the dimensions that do not rotate add to such a score, where each of those that do adds up to 1.

        They add 1 each, less where an attention factor makes the others longer (it multiplies query and key).
        """
        return (self.dimension - self.rotary_width) / self.amplitude**2

    @property
    def at_gap_zero(self) -> float:
        """The same score at gap 0, by which it is divided; the head width as a rule."""
        return self.rotary_width + self.still

    @abstractmethod
    def cell_formula(self, position: int, column: int) -> str:
        """The formula of one cell of the cos/sin picture with its numbers filled in."""
