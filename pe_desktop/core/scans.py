"""Questions about a whole sequence: the closest two rows, the range of norms, the spread of similarities.

Where a closed form exists it is used; otherwise rows are visited in strips, so memory does not grow with
length. Answers are small and kept per scheme, since schemes are immutable.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.bias_rows import row_cost
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.memory import remember
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.waves import all_cosine_sums, cosine_progression, scan_minimum
from pe_desktop.core.work import checkpoint

STRIP_CELLS = 1 << 20
QUICK_SCAN = 1 << 17
MOST_NEAR = 4096  # pairs of one strip that are measured anew because rounding cannot tell them apart
SPREAD_GAPS = (1, 5, 20)
SPREAD_SPOTS = 16
SPREAD_CELLS = 1 << 12


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
    """Rough number of elementary steps of the scans below; beyond QUICK_SCAN they belong in a worker."""
    if isinstance(scheme, Additive) and scheme.closest_cost:
        return scheme.closest_cost
    if not has_scan(scheme):
        return 0
    frequencies = _frequencies(scheme)
    if frequencies is not None:
        return scheme.length * len(frequencies)
    table = 0 if scheme.last_position is None else (scheme.last_position + 1) * scheme.dimension // 4
    return table + defined_rows(scheme) ** 2 * scheme.dimension // 64


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
    """Whether the scans of a scheme take no noticeable time, or were made already; of a bias, a look along a row."""
    if isinstance(scheme, ScoreBias):
        return row_cost(scheme, scheme.length // 2, 0, scheme.length) <= QUICK_SCAN
    return scan_cost(scheme) <= QUICK_SCAN or (closest_rows.knows(scheme) and norm_range.knows(scheme))


@remember
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
    return _closest_by_search(scheme)


def _measured(scheme: Scheme, first: int, second: int) -> Closest:
    rows = rows_of(scheme, np.array([first, second], dtype=np.float64))
    assert rows is not None
    return Closest(first, second, float(np.linalg.norm(rows[0] - rows[1])))


def _closest_by_gap(scheme: Scheme, frequencies: Float) -> Closest:
    """An unpaired column can only add to the distance."""
    count, alone = scheme.length, _unpaired_frequency(scheme)
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
    if count * len(frequencies) <= STRIP_CELLS // 4:
        sums, slack = cosine_progression(frequencies, 0, 1, count).astype(np.float32), 1e-6
    else:
        sums, slack = all_cosine_sums(frequencies, count), 2e-6
    bound = (2.0 * (len(frequencies) - sums[1:])).astype(np.float32)
    best = math.inf

    def exact(index: int) -> float:
        nonlocal best
        gap = index + 1
        square = 4.0 * float(np.sum(np.sin(gap * frequencies / 2.0) ** 2))
        if unpaired and square < best:  # else it cannot win, and looking along the whole sequence is spared
            square += _unpaired_gap(unpaired, gap, count)[1]
        best = min(best, square)
        return square

    index, square = scan_minimum(bound, exact, slack * 4 * len(frequencies))
    return index + 1, square


def _unpaired_frequency(scheme: Scheme) -> float:
    """Frequency of a sine column without partner, 0 if there is none (a column of zeros counts as none)."""
    if not isinstance(scheme, Additive) or scheme.dimension % 2 == 0:
        return 0.0
    waves = scheme.wave_columns()
    if waves is None:
        return 0.0
    paired = np.concatenate(scheme.pairs())
    alone = np.setdiff1d(np.arange(scheme.dimension), paired)
    return float(waves[0][alone].sum())


def _unpaired_gap(frequency: float, gap: int, count: int) -> tuple[int, float]:
    """First position p < count - gap with the smallest (sin pw - sin (p+gap)w)^2, and that square."""
    positions = np.arange(count - gap, dtype=np.float64)
    square = (np.sin(positions * frequency) - np.sin((positions + gap) * frequency)) ** 2
    best = int(np.argmin(square))
    return best, float(square[best])


def _closest_by_search(scheme: Scheme) -> Closest:
    count = defined_rows(scheme)
    assert isinstance(scheme, Additive)
    rows = np.empty((count, scheme.dimension), dtype=np.float32)
    height = max(1, STRIP_CELLS // scheme.dimension)
    for first in range(0, count, height):
        rows[first : first + height] = scheme.encode(np.arange(first, min(count, first + height)))
    norms = np.einsum("ij,ij->i", rows, rows)
    strip = max(1, STRIP_CELLS // count)
    slack = 1e-5 * float(norms.max())  # the squares below are differences of float32 products
    best = (math.inf, 0, 1)
    for first in range(0, count, strip):
        checkpoint(first / count)
        part = rows[first : first + strip]
        squares = norms[first : first + strip, None] + norms[None] - 2.0 * (part @ rows.T)
        own = np.arange(len(part))
        squares[own, first + own] = np.inf
        near = np.flatnonzero(squares <= squares.min() + slack)[:MOST_NEAR]
        pairs = first + near // count, near % count
        exact = np.linalg.norm(rows[pairs[0]].astype(np.float64) - rows[pairs[1]], axis=1)
        where = int(exact.argmin())
        best = min(best, (float(exact[where]), int(pairs[0][where]), int(pairs[1][where])))
    first, second = sorted(best[1:])
    return _measured(scheme, first, second)


@remember
def norm_range(scheme: Scheme) -> tuple[float, float] | None:
    """Smallest and largest L2 norm of the encoding's rows; None where no row is added."""
    if not isinstance(scheme, Additive) or scheme.acts is not Acts.ADDED:
        return None
    known = scheme.norm_range()
    if known is not None:
        return known
    count = defined_rows(scheme)
    frequencies = scheme.frequencies()
    if frequencies is None:
        lows, highs = zip(*(_norms(scheme, first, count) for first in _strips(scheme, count)), strict=True)
        return min(lows), max(highs)
    alone = _unpaired_frequency(scheme)
    extra = np.sin(np.arange(count) * alone) ** 2 if alone else np.zeros(1)
    # sin^2 + cos^2 of each pair is 1, whatever the position.
    return math.sqrt(len(frequencies) + extra.min()), math.sqrt(len(frequencies) + extra.max())


def _strips(scheme: Additive, count: int) -> list[int]:
    if scheme.straight:  # the ends tell all
        return sorted({0, count - 1})
    return list(range(0, count, max(1, STRIP_CELLS // scheme.dimension)))


def _norms(scheme: Additive, first: int, count: int) -> tuple[float, float]:
    stop = first + 1 if scheme.straight else min(count, first + max(1, STRIP_CELLS // scheme.dimension))
    norms = np.linalg.norm(scheme.encode(np.arange(first, stop)), axis=1)
    return float(norms.min()), float(norms.max())


@remember
def largest_of_table(scheme: Scheme) -> float:
    """Largest absolute value among all rows of a scheme, visited in strips."""
    assert isinstance(scheme, Additive)
    count, height = defined_rows(scheme), max(1, STRIP_CELLS // scheme.dimension)
    largest = 0.0
    for first in range(0, count, height):
        checkpoint(first / count)
        rows = scheme.encode(np.arange(first, min(count, first + height), dtype=np.float64))
        largest = max(largest, float(np.abs(rows).max()))
    return largest


@remember
def gap_spread(scheme: Scheme) -> float | None:
    """How much similarity or score at one gap varies with the position: 0 means "relative".

    Added: standard deviation over positions of row(p)·row(p + k), over the largest such product. Rotary: the
    same of the score of one fixed query and key. Bias: the same of the bias. The largest over gaps 1, 5, 20.

    Returns
    -------
    float or None
        None where there is nothing to compare: rows that are all zero, or a sequence too short for any gap.
    """
    count = defined_rows(scheme)
    gaps = [gap for gap in SPREAD_GAPS if gap < count - 1]
    if not gaps:
        return None
    most = max(4, min(SPREAD_SPOTS, SPREAD_CELLS // scheme.dimension))
    spots = [np.linspace(0, count - 1 - gap, min(most, count - gap)).round() for gap in gaps]
    if isinstance(scheme, Gridded):  # an even spread may miss the ends of rows
        spots = [np.union1d(each, scheme.seams(count - 1 - gap)) for each, gap in zip(spots, gaps, strict=True)]
    values = _at_gaps(scheme, spots, gaps)
    largest = max(float(np.abs(each).max()) for each in values)
    if largest == 0.0:
        return None
    return max(float(each.std(axis=-1).max()) for each in values) / largest


def _at_gaps(scheme: Scheme, spots: list[Float], gaps: list[int]) -> list[Float]:
    """Similarity, score or bias of each spot and its partner, one array per gap (last axis: the spots).

    A bias may treat earlier and later keys differently, so there each gap is looked at in both directions.
    """
    if isinstance(scheme, ScoreBias):
        later = [(each, each + gap) for each, gap in zip(spots, gaps, strict=True)]
        both = [*later, *((partner, each) for each, partner in later)]
        return [np.diagonal(scheme.bias(queries, keys), axis1=1, axis2=2) for queries, keys in both]
    every = np.concatenate(spots)
    partners = every + np.repeat(gaps, [len(each) for each in spots])
    if isinstance(scheme, Rotary):
        pair = np.arange(len(scheme.inv_freq()))
        start, turn = np.exp(0.3j * pair), np.exp(1j * scheme.angles(partners)) * np.exp(-1j * scheme.angles(every))
        values = (start * turn * scheme.damping(partners - every)).real.sum(axis=1) * scheme.query_scale(partners)
    else:
        assert isinstance(scheme, Additive)
        rows = scheme.encode(np.concatenate([every, partners]))
        values = np.einsum("ij,ij->i", rows[: len(every)], rows[len(every) :])
    return np.split(values, np.cumsum([len(each) for each in spots])[:-1])
