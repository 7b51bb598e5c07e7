"""Pictures of a score that depends on the gap query - key alone, over whole blocks of queries and keys.

Blocks of one size have equally spaced gaps, and one line of sums holds every cell of the picture.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.damped import Complex, Float, damped_progression, geometric_sums, triangle_sums
from pe_desktop.core.waves import dirichlet

DIRECT = 4  # rectangles on the diagonal that are worked out one by one


class Run(NamedTuple):
    """Blocks of one size: the first cell of the first, cells from one to the next, their number, cells in each."""

    first: float
    step: int
    number: int
    size: int


class GapScore(NamedTuple):
    """A score: the rates (k,) of its waves, and whether keys after their query have none."""

    rates: Complex
    causal: bool


def _runs(span: Blocks) -> list[Run]:
    """The full blocks, and the shorter last one."""
    full, rest = divmod(span.stop - span.first, span.cells)
    full = min(full, span.number)
    runs = [Run(span.start, span.cells, full, span.cells)] if full else []
    if full < span.number:
        runs.append(Run(span.start + full * span.cells, span.cells, 1, rest))
    return runs


def whole_means(score: GapScore, rows: Blocks, columns: Blocks) -> Float:
    """Means of a score over whole blocks of queries x keys, shape (rows, columns); see :func:`gap_window.gap_means`."""
    above, beside = _runs(rows), _runs(columns)
    means = {size: _block_means(score, size) for size in {run.size for run in (*above, *beside)}}
    out, row = np.empty((rows.number, columns.number)), 0
    for m in above:
        column = 0
        for n in beside:
            part = _equal_means(score, m, n, means[m.size] * means[n.size])
            out[row : row + m.number, column : column + n.number] = part
            column += n.number
        row += m.number
    return out


def _block_means(score: GapScore, size: int) -> Complex | Float:
    """Means of the waves over a block, shape (k,): about its middle, or from its first cell on where they fade."""
    if score.causal:
        return np.asarray(geometric_sums(score.rates, np.array([float(size)]))[0] / size)
    return dirichlet(score.rates.imag, size)


def _equal_means(score: GapScore, rows: Run, columns: Run, weights: Complex | Float) -> Float:
    """Means for blocks of one size each way: only the gap of their first cells matters.

    `weights` is what is left of a wave over such a rectangle.
    """
    steps = [run.step for run in (rows, columns) if run.number > 1]
    unit = math.gcd(*steps) if steps else 1
    down, across = rows.step // unit, columns.step // unit
    before, after = (columns.number - 1) * across, (rows.number - 1) * down
    gap = rows.first - columns.first - before * unit
    line = _line(score, (gap, unit, before + after + 1), (rows.size, columns.size), weights)
    # Cell (i, j) is line[before + i down - j across]: a picture without a copy.
    strides = down * line.itemsize, -across * line.itemsize
    return as_strided(line[before:], (rows.number, columns.number), strides, writeable=False)


def _line(score: GapScore, gaps: tuple[float, int, int], size: tuple[int, int], weights: Complex | Float) -> Float:
    """Means over rectangles of `size` queries x keys whose first cells have the gaps (first, step, count)."""
    (gap, step, count), (high, wide) = gaps, size
    if not score.causal:
        return damped_progression(score.rates, gap + (high - wide) / 2.0, step, count, weights)
    least = gap - (wide - 1.0)  # gap of the first query and the last key
    out = np.full(count, np.nan)
    seen = min(count, max(0, math.ceil(-least / step)))
    some = min(seen, max(0, math.ceil((1.0 - high - gap) / step)))
    if some < seen:
        sums, pairs = _crossing(score.rates, gap + some * step, step, seen - some, size)
        out[some:seen] = sums / pairs
    if seen < count:
        out[seen:] = damped_progression(score.rates, least + seen * step, step, count - seen, weights)
    return out


def _rectangle(rates: Complex, size: tuple[int, int]) -> Complex:
    """Sums over rectangles of queries x keys whose least gap is 0, shape (k,)."""
    sums = geometric_sums(rates, np.array([float(side) for side in size]))
    return np.asarray(sums[0] * sums[1])


def _crossing(rates: Complex, gap: float, step: int, count: int, size: tuple[int, int]) -> tuple[Float, Float]:
    """Sums over rectangles that the diagonal crosses, and pairs in each, by the equally spaced gaps of first cells.

    Many of them are put together from squares as large as the spacing, of which it crosses two at most.
    """
    high, wide = size
    if count <= DIRECT:
        return _across(rates, gap + step * np.arange(float(count)), size)
    if high == step or wide == step:
        return _along(rates, gap + step * np.arange(float(count)), step, size)
    down, across = high // step, wide // step
    first, number = gap - (wide - step), count + down + across - 2
    square = step, step
    sums, pairs = np.zeros(number), np.zeros(number)
    seen = min(number, max(0, math.ceil((step - 1.0 - first) / step)))
    some = min(seen, max(0, math.ceil((1.0 - step - first) / step)))
    if some < seen:
        sums[some:seen], pairs[some:seen] = _across(rates, first + step * np.arange(float(some), seen), square)
    if seen < number:
        least = first + seen * step - (step - 1.0)
        sums[seen:] = damped_progression(rates, least, step, number - seen, _rectangle(rates, square))
        pairs[seen:] = float(step) * step
    shares = np.convolve(np.ones(down), np.ones(across))  # squares at each gap in a rectangle
    return np.correlate(sums, shares, "valid"), np.correlate(pairs, shares, "valid")


def _along(rates: Complex, gaps: Float, step: int, size: tuple[int, int]) -> tuple[Float, Float]:
    """The same where one side is as long as the spacing, so that the other one grows by it: squares and what is beyond.

    What is beyond is seen by all, and grows from one rectangle to the next by as many cells.
    """
    beyond, longest = (gaps + size[0] - step, size[0]) if size[1] == step else (gaps, size[1])
    whole = np.flatnonzero((beyond >= 0.0) & (beyond <= longest - step))
    sums, pairs = np.zeros(len(gaps)), np.zeros(len(gaps))
    rest = np.setdiff1d(np.arange(len(gaps)), whole)
    sums[rest], pairs[rest] = _across(rates, gaps[rest], size)
    if len(whole):
        least = beyond[whole[0]]
        each, before = geometric_sums(rates, np.array([float(step), least]))
        side = np.exp(rates) * each
        first = side * before + triangle_sums(rates, np.array([float(step)]))[0]
        grown = damped_progression(rates, least, step, len(whole), side * each)[:-1]
        sums[whole] = np.cumsum(np.concatenate([[first.real.sum()], grown]))
        pairs[whole] = step * (step + 1.0) / 2.0 + step * beyond[whole]
    return sums, pairs


def _across(rates: Complex, gaps: Float, size: tuple[int, int]) -> tuple[Float, Float]:
    """The same one by one: columns that all queries see, a triangle, and the rows below it."""
    high, wide = (float(side) for side in size)
    seen = np.clip(gaps + 1.0, 0.0, wide)
    # What is left starts at gap 0; a row that sees no more than the columns before is left out.
    rows, columns = high + np.minimum(gaps, -1.0), wide - seen
    side = np.minimum(rows, columns)
    under = rows - side
    whole, *parts = np.split(geometric_sums(rates, np.concatenate([[high], seen, under, columns])), [1, 1 + len(gaps)])
    below, beside = np.split(parts[1], 2)
    sums = parts[0] * np.exp(np.multiply.outer(np.maximum(gaps - seen + 1.0, 0.0), rates))
    sums *= whole
    sums += triangle_sums(rates, side)
    below *= np.exp(rates)
    sums += below * beside
    return sums.real.sum(axis=1), high * seen + side * (side + 1.0) / 2.0 + under * columns
