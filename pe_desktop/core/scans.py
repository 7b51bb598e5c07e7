"""Questions about a whole sequence: the closest two rows, the range of norms, the largest value of a table.

Where a closed form exists it is used; otherwise rows are visited in strips, so memory does not grow with
length. Answers are small and kept per scheme, since schemes are immutable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.bias_rows import row_cost
from pe_desktop.core.closest_search import closest_pair
from pe_desktop.core.gap_sums import ACCURACY, all_cosine_sums, scan_minimum
from pe_desktop.core.lengths import settled
from pe_desktop.core.memory import remember_for
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.work import checkpoint

STRIP_CELLS = 1 << 20
STRIP = 1 << 17  # positions at a time of one column
QUICK_SCAN = 1 << 17


@dataclass(frozen=True)
class Closest:
    """The two closest rows and their L2 distance."""

    first: int
    second: int
    distance: float


def rows_of(scheme: Scheme, positions: Float) -> Float | None:
    """One row of numbers per position that tells positions apart; None for a bias.

    Added schemes: the encoding. Rotary: cosine and sine of every angle. Shape (n, k), float64.
    """
    if isinstance(scheme, Additive):
        return scheme.encode(positions)
    if isinstance(scheme, Rotary):
        angles = scheme.angles(positions)
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    return None


def scan_cost(scheme: Scheme) -> int:
    """Rough number of elementary steps of :func:`closest_rows`; beyond QUICK_SCAN it belongs in a worker."""
    if isinstance(scheme, Additive) and scheme.closest_cost:
        return scheme.closest_cost
    if not has_scan(scheme):
        return 0
    frequencies = _frequencies(scheme)
    if frequencies is not None:
        return scheme.length * len(frequencies)
    return table_cost(scheme) + defined_rows(scheme) ** 2 * scheme.dimension // 64


def table_cost(scheme: Scheme) -> int:
    """Rough number of elementary steps that reading a table takes; 0 where rows are computed."""
    return 0 if scheme.last_position is None else (scheme.last_position + 1) * scheme.dimension // 2


def norm_cost(scheme: Scheme) -> int:
    """Rough number of elementary steps of :func:`norm_range`."""
    if not isinstance(scheme, Additive) or scheme.straight or scheme.norm_range() is not None:
        return 0
    if scheme.frequencies() is not None:
        return scheme.length if scheme.unpaired_frequency else 0
    return max(table_cost(scheme), defined_rows(scheme) * scheme.dimension)


def has_scan(scheme: Scheme) -> bool:
    """Whether the closest rows have to be looked for: no closed form knows them, and there are rows to compare."""
    if isinstance(scheme, Rotary):
        return scheme.linear
    return isinstance(scheme, Additive) and scheme.closest_rows() is None


def _frequencies(scheme: Scheme) -> Float | None:
    if isinstance(scheme, Rotary):
        return scheme.inv_freq() if scheme.linear else None
    return scheme.frequencies() if isinstance(scheme, Additive) else None


def is_quick(scheme: Scheme) -> bool:
    """Whether everything that is read out of a scheme takes no noticeable time, or was found already.

    Of a bias that is a look along a row. What is read out of a table beside the scans takes long where those do.
    """
    if isinstance(scheme, ScoreBias):
        return max(row_cost(scheme, scheme.length // 2, 0, scheme.length), scheme.bound_cost) <= QUICK_SCAN
    if scan_cost(scheme) <= QUICK_SCAN:
        return norm_cost(scheme) <= QUICK_SCAN or norm_range.knows(scheme)
    return scheme.last_position is None and closest_rows.knows(scheme) and norm_range.knows(scheme)


@remember_for(settled)
def closest_rows(scheme: Scheme) -> Closest | None:
    """The two closest rows among all positions of the sequence that have one.

    Returns
    -------
    Closest or None
        None where there are fewer than two rows, or the scheme has none.
    """
    if defined_rows(scheme) < 2 or not isinstance(scheme, Additive | Rotary):
        return None
    if isinstance(scheme, Rotary) and not scheme.linear:
        return None
    known = scheme.closest_rows() if isinstance(scheme, Additive) else None
    if known is not None:
        return _measured(scheme, *known)
    frequencies = _frequencies(scheme)
    if frequencies is not None:
        return _closest_by_gap(scheme, frequencies)
    assert isinstance(scheme, Additive)
    return _measured(scheme, *closest_pair(scheme, defined_rows(scheme)))


def _measured(scheme: Scheme, first: int, second: int) -> Closest:
    rows = rows_of(scheme, np.array([first, second], dtype=np.float64))
    assert rows is not None
    return Closest(first, second, float(np.linalg.norm(rows[0] - rows[1])))


def _closest_by_gap(scheme: Scheme, frequencies: Float) -> Closest:
    """An unpaired column can only add to the distance."""
    count = scheme.length
    alone = scheme.unpaired_frequency if isinstance(scheme, Additive) else 0.0
    gap, square = closest_gap(frequencies, count, alone)
    first = _unpaired_gap(alone, gap, count)[0] if alone else 0
    return Closest(first, first + gap, math.sqrt(square))


def closest_gap(frequencies: Float, count: int, unpaired: float = 0.0) -> tuple[int, float]:
    """The gap 1 .. count-1 with the smallest distance^2 = 2 Σ (1 - cos(gap w)), and that square.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad per step
    count : int
        Number of rows, at least 2.
    unpaired : float
        Frequency of a sine without its cosine, which adds to the distance; 0 if there is none.
    """
    pairs = len(frequencies)
    # The sums are off by ACCURACY, and the difference, of up to two, is rounded to float32; both count twice.
    bound, slack = 2.0 * (pairs - all_cosine_sums(frequencies, count)[1:]), 6.0 * ACCURACY * pairs
    best = math.inf

    def exact(index: int) -> float:
        nonlocal best
        gap = index + 1
        square = 4.0 * float(np.sum(np.sin(gap * frequencies / 2.0) ** 2))
        if unpaired and square < best:  # else it cannot win, and looking along the whole sequence is spared
            square += _unpaired_gap(unpaired, gap, count)[1]
        best = min(best, square)
        return square

    index, square = scan_minimum(bound, exact, slack)
    return index + 1, square


def _unpaired_gap(frequency: float, gap: int, count: int) -> tuple[int, float]:
    """First position p < count - gap with the smallest (sin pw - sin (p+gap)w)^2, and that square.

    Which is 4 sin^2(gap w/2) cos^2((p + gap/2) w).
    """
    best, number = (math.inf, 0), count - gap
    for first in range(0, number, STRIP):
        checkpoint(first / number)
        middles = np.arange(first, min(first + STRIP, number)) + gap / 2.0
        sizes = np.abs(np.cos(middles * frequency))
        here = int(sizes.argmin())
        best = min(best, (float(sizes[here]), first + here))
    return best[1], (2.0 * math.sin(gap * frequency / 2.0) * best[0]) ** 2


@remember_for(settled)
def norm_range(scheme: Scheme) -> tuple[float, float] | None:
    """Smallest and largest L2 norm of the encoding's rows; None where no row is added."""
    if not isinstance(scheme, Additive) or scheme.acts is not Acts.ADDED:
        return None
    known = scheme.norm_range()
    if known is not None:
        return known
    if scheme.straight:  # the ends tell all
        ends = np.linalg.norm(scheme.encode([0, defined_rows(scheme) - 1]), axis=1)
        return float(ends.min()), float(ends.max())
    frequencies = scheme.frequencies()
    if frequencies is None:
        return _table_facts(scheme)[:2]
    # sin^2 + cos^2 of each pair is 1, whatever the position.
    low, high = _unpaired_range(scheme.unpaired_frequency, scheme.length)
    return math.sqrt(len(frequencies) + low), math.sqrt(len(frequencies) + high)


def _unpaired_range(frequency: float, count: int) -> tuple[float, float]:
    """Smallest and largest square of sin(p x frequency), p = 0 .. count-1."""
    low, high = 0.0, 0.0
    for first in range(0, count if frequency else 0, STRIP_CELLS):
        checkpoint(first / count)
        strip = np.sin(np.arange(first, min(first + STRIP_CELLS, count)) * frequency) ** 2
        high = max(high, float(strip.max()))
    return low, high


@remember_for(settled)
def largest_of_table(scheme: Scheme) -> float:
    """Largest absolute value among all rows of a scheme, visited in strips."""
    assert isinstance(scheme, Additive)
    return _table_facts(scheme)[2]


@remember_for(settled)
def _table_facts(scheme: Additive) -> tuple[float, float, float]:
    """Smallest and largest norm of the rows, and the largest absolute value, all found on one way."""
    count, height = defined_rows(scheme), max(1, STRIP_CELLS // scheme.dimension)
    low, high, largest = math.inf, 0.0, 0.0
    for first in range(0, count, height):
        checkpoint(first / count)
        rows = scheme.rows(first, min(height, count - first))
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
        low, high = min(low, float(norms.min())), max(high, float(norms.max()))
        largest = max(largest, float(rows.max()), -float(rows.min()))
    return low, high, largest
