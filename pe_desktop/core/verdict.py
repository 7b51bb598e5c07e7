"""What a comparison of two schemes ends in, and the walk along the positions that it takes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import Float
from pe_desktop.core.work import checkpoint

TOLERANCE = 1e-9  # relative: float64 sines of a million radians are off by 1e-10
SCAN_CELLS = 1 << 22  # numbers of each scheme that one walk looks at
STRIP_CELLS = 1 << 18
NEAR = 256  # positions among which most differences show first
FIRST_IN_A_ROW = 0.5  # share of a shortened walk that goes to the first positions, one by one

SAME, REORDERED, EQUAL_AFTER_SOFTMAX, DIFFERENT = "same", "reordered", "equal_after_softmax", "different"

# Differences (n, k) of two schemes at positions (n,), and the size (n,) each row's are measured against.
Differ = Callable[[Float], tuple[Float, Float]]


@dataclass(frozen=True)
class Verdict:
    """Whether two schemes do the same.

    Parameters
    ----------
    verdict : str
        ``same`` (up to rounding), ``reordered`` (the same numbers at other dimensions), ``equal_after_softmax``
        (the attention weights are equal, the numbers before them are not) or ``different``.
    sentence : str
        The same for a person, with its numbers.
    first_position : int or None
        First position at which they differ as they stand, with the same weights; None if they do not differ, or
        cannot be compared position by position.
    largest_difference : float or None
        Largest absolute difference found; after reordering, where that makes them equal.
    where : str or None
        Column, pair or head of that difference, or the setting that differs.
    permutation : tuple of int or None
        For ``reordered``: dimension j of B holds what dimension permutation[j] of A does.
    differences : tuple of float or None
        Largest absolute difference, as they stand, at each position asked for; None where there is none to tell.
    """

    verdict: str
    sentence: str
    first_position: int | None = None
    largest_difference: float | None = None
    where: str | None = None
    permutation: tuple[int, ...] | None = None
    differences: tuple[float | None, ...] = ()

    def to_json(self) -> dict[str, object]:
        """A JSON-ready mapping; ``differences`` is left out where no position was asked for."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "differences"}
        return plain | {"permutation": None if self.permutation is None else list(self.permutation)}


@dataclass(frozen=True)
class Walk:
    """What was found along the positions.

    ``largest`` is the largest difference, at ``position`` in ``column``; ``first`` the first position with one beyond
    the tolerance, None if there is none. ``looked`` of ``total`` positions were visited.
    """

    largest: float
    position: int
    column: int
    first: int | None
    looked: int
    total: int

    @property
    def extent(self) -> str:
        """Which positions were looked at, for a sentence."""
        if self.looked == self.total:
            return f"at all {self.total:,} positions"
        return f"at the {self.looked:,} of {self.total:,} positions looked at"


def places(total: int, width: int) -> Float:
    """Positions to look at: all of them, or the first ones and a spread of the others with the last, float64."""
    room = max(64, SCAN_CELLS // max(1, width))
    if total <= room:
        return np.arange(total, dtype=np.float64)
    near = round(room * FIRST_IN_A_ROW)
    spread = np.linspace(near, total - 1, room - near).round()
    return np.unique(np.concatenate([np.arange(near), spread]))


def walk(differ: Differ, total: int, width: int, tolerance: float = TOLERANCE) -> Walk:
    """Look along the positions 0 .. total - 1 in strips.

    Parameters
    ----------
    differ : callable
        See :data:`Differ`; `width` is its k.
    tolerance : float
        A difference counts if it is larger than this share of the size of its row.
    """
    every = places(total, width)
    largest, at, column, first = -1.0, 0, 0, None
    height = max(1, STRIP_CELLS // max(1, width))
    for start in range(0, len(every), height):
        checkpoint(start / len(every))
        strip = every[start : start + height]
        differences, sizes = differ(strip)
        flat = int(differences.argmax())
        if differences.flat[flat] > largest:
            row, column = divmod(flat, differences.shape[1])
            largest, at = float(differences.flat[flat]), int(strip[row])
        if first is None:
            beyond = np.flatnonzero(_beyond(differences, sizes, tolerance))
            if len(beyond):
                index = start + int(beyond[0])
                first = _first_between(differ, every, index, height, tolerance)
    return Walk(largest, at, column, first, len(every), total)


def walk_to_first(differ: Differ, total: int, width: int, tolerance: float = TOLERANCE) -> Walk:
    """As :func:`walk`, but content with the first positions where a difference is found there."""
    near = walk(differ, min(total, NEAR), width, tolerance)
    return near if near.first is not None or total <= NEAR else walk(differ, total, width, tolerance)


def _beyond(differences: Float, sizes: Float, tolerance: float) -> NDArray[np.bool_]:
    return np.asarray(differences.max(axis=1) > tolerance * sizes)


def _first_between(differ: Differ, every: Float, index: int, height: int, tolerance: float) -> int:
    """The first differing position in the gap between a visited one that does and the visited one before it."""
    last = int(every[index])
    before = int(every[index - 1]) if index else -1
    for start in range(before + 1, last, height):
        strip = np.arange(start, min(last, start + height), dtype=np.float64)
        beyond = np.flatnonzero(_beyond(*differ(strip), tolerance))
        if len(beyond):
            return int(strip[beyond[0]])
    return last


def number(value: float) -> str:
    """A number in a sentence, with enough digits to tell 0.0749 from 0.0562."""
    size = abs(value)
    if size != 0 and not 1e-3 <= size < 1e9:
        return short(value, 0)
    return f"{value:,.{'0f' if size >= 1000 else '4g'}}".replace("-", "\u2212")


def starts(first: int | None) -> str:
    """The opening of a sentence about a difference that is there from a position on."""
    return "Different" if first is None else f"Different from position {first:,} on"
