"""Exact means of scores over blocks of tokens on grids: a sum over the axes of a function of the gap along each.

The waves of an axis are summed up at every gap, and these sums twice along the gap. The sum over two runs of places is
then a difference of four such numbers; what an edge cuts off the tokens of a place, and whole cycles of a digit, are a
few more (see :mod:`grid_means`). So a picture costs as much as it has gaps and cells, whatever the dimension. Where a
run of tokens lies in few blocks, as all before a long text may, their waves are summed up instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.axis_sums import range_cost, sums_in_range
from pe_desktop.core.grid_means import (
    Complex,
    Digit,
    Float,
    Index,
    Part,
    Places,
    Runs,
    block_waves,
    sum_between,
)
from pe_desktop.core.grid_picture import DigitSums, Shares

FEW = 4  # blocks with tokens of a run for which waves are summed up, not gaps …
NEAR = 1 << 12  # … where gaps reach farther than that
SLACK = 1 << 12  # gaps that two tables may have between them and still be made as one
# In time for one product of a gap and a frequency: for each gap, corner of a cell, wave of a block, wave of a cell.
PER_TABLED = 15
PER_CORNER = 25
PER_WAVE = 50
PER_CELL = 0.4


class Spans(NamedTuple):
    """Any blocks of tokens: the first token and the number of tokens of each, (n,) float64."""

    starts: Float
    counts: Float


class Cut(NamedTuple):
    """What blocks have of one run: their different edges, rising, and which of them each block begins and ends at."""

    part: Part
    edges: Float
    low: slice | Index
    high: slice | Index


class Side(NamedTuple):
    """Queries or keys: the runs that many blocks have tokens of; and the sums of what a few blocks have of others.

    ``few`` (b,) says which blocks those are, ``hands`` (b, k) are the sums of all waves over them.
    """

    many: tuple[Cut, ...]
    few: Index
    hands: Complex


class Pair(NamedTuple):
    """What queries and keys have of a run each, and axes that have like digits in both.

    Sums are needed at the gaps query - key from ``first`` to the one before ``last``.
    """

    above: Cut
    beside: Cut
    digits: tuple[Digit, Digit]
    axes: tuple[int, ...]
    first: int
    last: int


class Sums(NamedTuple):
    """A function of the gap from ``low`` on, its sum over the gaps before each, and the sum of that once more.

    Where no edge lies among the tokens of a place only the last is needed and there.
    """

    low: int
    single: Float
    once: Float
    twice: Float


class Plan(NamedTuple):
    """What queries and keys have of the runs, what is to be worked out by gaps, and what that costs.

    Runs that at most ``few`` blocks have tokens of are left out of the pairs.
    """

    cuts: tuple[tuple[Cut, ...], ...]
    few: int
    pairs: tuple[Pair, ...]
    reaches: list[Reach]
    by_gaps: float
    by_products: float


NOTHING: Float = np.zeros(0)
Reach = tuple[tuple[int, ...], int, int]  # axes, and the first gap and the one past the last


def grid_scores(frequencies: Float, axis: Index, runs: Runs, rows: Spans, columns: Spans) -> Float:
    """Mean of the sum of cos((x - y) w) over rectangles of tokens x and y; each wave w reads one coordinate.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad per step of a coordinate
    axis : ndarray, shape (k,)
        Which coordinate each frequency reads.
    runs : Runs
        What the tokens are; those of silent runs add 0.
    rows, columns : Spans
        Edges may cut tokens.

    Returns
    -------
    ndarray, shape (rows, columns), float64
        Off by less than 1e-6 x k.
    """
    plan = _plan(axis, runs, rows, columns)
    if plan.by_gaps > plan.by_products:
        queries, keys = (block_hands(frequencies, axis, runs, each) for each in (rows, columns))
        return (queries @ keys.T).astype(np.float64)
    out = np.zeros((len(rows.starts), len(columns.starts)))
    _add_few(out, frequencies, axis, plan)
    for axes, first, last in plan.reaches:
        mine = [pair for pair in plan.pairs if pair.axes == axes and first <= pair.first and pair.last <= last]
        sums = _summed(frequencies[np.isin(axis, axes)], first, last, any(map(_is_cut, mine)))
        for pair in mine:
            out[np.ix_(pair.above.part.places, pair.beside.part.places)] += _rectangles(pair, sums)
    out /= rows.counts[:, None]
    out /= columns.counts
    return out


def grid_scores_cost(axis: Index, runs: Runs, rows: Spans, columns: Spans) -> float:
    """Rough time of :func:`grid_scores`, in that of one product of a gap and a frequency."""
    plan = _plan(axis, runs, rows, columns)
    return min(plan.by_gaps, plan.by_products)


def block_hands(frequencies: Float, axis: Index, runs: Runs, blocks: Spans) -> NDArray[np.float32]:
    """Mean cosine and sine of each wave over blocks, in turn, shape (n, 2 k), float32."""
    return block_waves(frequencies, axis, runs, *blocks, kind=np.complex64).view(np.float32)


# What is to be done ---------------------------------------------------------------------------------------------


def _plan(axis: Index, runs: Runs, rows: Spans, columns: Spans) -> Plan:
    parts = (runs.parts(each.starts, each.starts + each.counts) for each in (rows, columns))
    cuts = tuple(tuple(Cut(part, *part.ends()) for part in side) for side in parts)
    few = FEW if _farthest(cuts) > NEAR else 0
    pairs = tuple(_pairs(axis, *([cut for cut in side if len(cut.part.low) > few] for side in cuts)))
    reaches = _reaches(pairs)
    waves, counts = np.bincount(axis), (len(rows.starts), len(columns.starts))
    cost = float(sum(len(pair.above.edges) * len(pair.beside.edges) * PER_CORNER for pair in pairs))
    for axes, first, last in reaches:
        gaps = max(-first, last) if first < 0 < last else last - first
        cost += range_cost(int(waves[list(axes)].sum()), gaps) + PER_TABLED * (last - first)
    products = len(axis) * (PER_CELL * counts[0] * counts[1] + PER_WAVE * sum(counts))
    return Plan(cuts, few, pairs, reaches, cost, products)


def _pairs(axis: Index, above: list[Cut], beside: list[Cut]) -> Iterator[Pair]:
    present = np.unique(axis).tolist()
    for cut in above:
        for other in beside:
            alike: dict[tuple[Digit, Digit], list[int]] = {}  # along text all coordinates are one
            for number in present:
                alike.setdefault((cut.part.run.digits[number], other.part.run.digits[number]), []).append(number)
            for digits, axes in alike.items():
                here, there = _reach(digits[0], cut), _reach(digits[1], other)
                yield Pair(cut, other, digits, tuple(axes), here[0] - there[1], here[1] - there[0] + 2)


def _reach(digit: Digit, cut: Cut) -> tuple[int, int]:
    """Lowest and highest coordinate of the edges of blocks."""
    first, last = (math.floor(edge / digit.stride) for edge in (cut.edges[0], cut.edges[-1]))
    if digit.size is None:
        return digit.origin + first, digit.origin + last
    if first // digit.size != last // digit.size:
        return digit.origin, digit.origin + digit.size
    return digit.origin + first % digit.size, digit.origin + last % digit.size


def _farthest(cuts: tuple[tuple[Cut, ...], ...]) -> int:
    """The largest gap there may be along any axis."""
    ends = [[_reach(digit, cut) for cut in side for digit in cut.part.run.digits] for side in cuts]
    lows, highs = ([pick(end[i] for end in side) if side else 0 for side in ends] for i, pick in ((0, min), (1, max)))
    return max(highs[0] - lows[1], highs[1] - lows[0])


def _reaches(pairs: tuple[Pair, ...]) -> list[Reach]:
    """The gaps needed of each set of axes, those that lie near each other together."""
    out: list[Reach] = []
    for axes, first, last in sorted({(pair.axes, pair.first, pair.last) for pair in pairs}):
        if out and out[-1][0] == axes and first <= out[-1][2] + SLACK:
            out[-1] = (axes, out[-1][1], max(last, out[-1][2]))
        else:
            out.append((axes, first, last))
    return out


# Few blocks -----------------------------------------------------------------------------------------------------


def _add_few(out: Float, frequencies: Float, axis: Index, plan: Plan) -> None:
    """Add the sums over rectangles of which a side has tokens of a run that few blocks reach."""
    above, beside = (_side(frequencies, axis, side, plan.few) for side in plan.cuts)
    out[np.ix_(above.few, beside.few)] = (above.hands @ beside.hands.conj().T).real
    for cut in beside.many if len(above.few) else ():
        out[np.ix_(above.few, cut.part.places)] += _sums_along(frequencies, axis, cut, above.hands)
    for cut in above.many if len(beside.few) else ():
        out[np.ix_(cut.part.places, beside.few)] += _sums_along(frequencies, axis, cut, beside.hands).T


def _side(frequencies: Float, axis: Index, cuts: tuple[Cut, ...], most: int) -> Side:
    few = [cut.part for cut in cuts if len(cut.part.low) <= most]
    blocks = np.unique(np.concatenate([np.zeros(0, dtype=np.intp), *(part.places for part in few)]))
    hands = np.zeros((len(blocks), len(frequencies)), dtype=np.complex128)
    for part in few:
        rows = np.searchsorted(blocks, part.places).tolist()
        for row, *ends in zip(rows, part.low.tolist(), part.high.tolist(), strict=True):
            for number, digit in enumerate(part.run.digits):
                mine = axis == number
                hands[row, mine] += sum_between(frequencies[mine], digit, *ends)
    return Side(tuple(cut for cut in cuts if len(cut.part.low) > most), blocks, hands)


def _sums_along(frequencies: Float, axis: Index, cut: Cut, hands: Complex) -> Float:
    """Sums over rectangles of the few blocks that have these hands (b, k) and the blocks of a run, shape (b, n)."""
    sums = np.zeros((len(hands), len(cut.edges)))
    for digit, axes in cut.part.run.alike().items():
        mine = np.isin(axis, axes)
        if mine.any():
            factors = hands[:, mine].conj()
            shares = Shares(slice(0, len(hands)), np.broadcast_to(np.arange(factors.shape[1]), factors.shape), factors)
            sums[:, 1:] += DigitSums(frequencies[mine], digit, cut.edges, 1, exact=True).of(shares)
    np.cumsum(sums, axis=1, out=sums)
    return np.asarray(sums[:, cut.high] - sums[:, cut.low])


# Gaps -----------------------------------------------------------------------------------------------------------


def _rectangles(pair: Pair, sums: Sums) -> Float:
    """Sums over the rectangles of blocks above and beside, shape (blocks above, blocks beside)."""
    above, beside = pair.above, pair.beside
    corners = _corners(sums, pair.digits, above.edges, beside.edges)
    across = corners[:, beside.high] - corners[:, beside.low]
    return np.asarray(across[above.high] - across[above.low])


def _is_cut(pair: Pair) -> bool:
    """Whether any edge lies among the tokens of a place."""
    ends = zip(pair.digits, (pair.above.edges, pair.beside.edges), strict=True)
    return any(digit.places(edges).rest.any() for digit, edges in ends)


def _summed(frequencies: Float, first: int, last: int, cut: bool) -> Sums:
    """The sum of cos(gap x w) at the gaps first .. last - 1, summed up once and twice; only twice if not `cut`."""
    ones, count = np.ones(len(frequencies), dtype=np.complex128), last - first
    twice = np.zeros(count + 2)
    single = twice[2:]
    if first < 0 < last:  # the same on either side of 0
        half = sums_in_range(ones, frequencies, 0, max(1 - first, last))
        single[:-first], single[-first:] = half[-first:0:-1], half[:last]
        del half
    else:
        single[:] = sums_in_range(ones, frequencies, first, count)
    single = single.copy() if cut else NOTHING
    np.cumsum(twice, out=twice)  # in place: a million gaps on either side take 16 MB
    once = twice[1:].copy() if cut else NOTHING
    np.cumsum(twice, out=twice)
    return Sums(first, single, once, twice)


def _corners(sums: Sums, digits: tuple[Digit, Digit], above: Float, beside: Float) -> Float:
    """Numbers at edges above (m,) and beside (n,) whose differences along both are sums over rectangles, (m, n)."""
    here, there = (digit.places(edges) for digit, edges in zip(digits, (above, beside), strict=True))
    out = _product(sums, digits, here, there)
    # Whole cycles before an edge: the difference of the place past the last one and the first. They count from the
    # first edge, which changes no difference and keeps the numbers small.
    down, across = here.cycles - here.cycles[0], there.cycles - there.cycles[0]
    if down.any():
        part = np.diff(_product(sums, digits, _cycle(digits[0]), there), axis=0)
        out += np.multiply.outer(down, part[0])
    if across.any():
        part = np.diff(_product(sums, digits, here, _cycle(digits[1])), axis=1)
        out += part * across
    if down.any() and across.any():
        both = np.diff(np.diff(_product(sums, digits, *map(_cycle, digits)), axis=0), axis=1)
        out += float(both[0, 0]) * np.multiply.outer(down, across)
    return out


def _cycle(digit: Digit) -> Places:
    """Both ends of a cycle."""
    return Places(np.zeros(2), np.array([0.0, float(digit.size or 0)]), np.zeros(2))


def _product(sums: Sums, digits: tuple[Digit, Digit], above: Places, beside: Places) -> Float:
    """The numbers of :func:`_corners` without whole cycles.

    Of a sum up to an edge and one up to another only what both determine counts: sums over one side alone cancel.
    """
    strides = digits[0].stride, digits[1].stride
    gaps = np.subtract.outer(above.place + digits[0].origin, beside.place + digits[1].origin)
    index = (gaps - sums.low).astype(np.intp)
    out = np.take(sums.twice[1:], index)
    out *= -float(strides[0] * strides[1])
    if beside.rest.any():
        out += np.take(sums.once, index) * (strides[0] * beside.rest)
    if above.rest.any():
        out -= np.take(sums.once[1:], index) * (strides[1] * above.rest)[:, None]
        if beside.rest.any():
            out += np.take(sums.single, index) * np.multiply.outer(above.rest, beside.rest)
    return out
