"""Exact evaluation of any window of the scores: what position alone makes of each score, query against key.

Added schemes: PE(m)·PE(n), so that the mean over a rectangle is the product of two block means. Rotary schemes: the
score of one fixed query and key over its value at gap 0. Where a score depends on the gap alone, equal blocks have
equally spaced gaps, and one line of sums holds every cell of the picture. A bias is a picture of itself, see
:mod:`sampling`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.parts import Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import Blocks, blocks, blocks_of, defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.waves import cosine_lattice, cosine_progression, dirichlet, mean_waves
from pe_desktop.core.work import checkpoint

MOST_PARTS = 16  # of a block, in which both block sizes are whole numbers
WASTE = 1.05  # share of its blocks a picture may lose to sizes that have a common measure
STRIP_CELLS = 1 << 20
PIECE_CELLS = 1 << 23  # numbers evaluated at most to follow a query temperature inside the blocks
PRODUCTS = 64  # products that cost as much as one sine
AXES = 4  # sines that one of a scheme with several axes costs, whose blocks wrap round a grid
DAMPED = 8  # gaps evaluated at most for each cell where scores fade with the gap


class Run(NamedTuple):
    """Blocks of one size: the middle of the first, cells from one to the next, their number, cells in each."""

    middle: float
    step: int
    number: int
    size: int


def gap_frequencies(scheme: Scheme) -> Float | None:
    """Frequencies of the pairs whose part of the score is cos((m - n) w), shape (pairs,); None if there are none."""
    if isinstance(scheme, Rotary):
        return scheme.inv_freq() if scheme.linear else None
    return scheme.frequencies() if isinstance(scheme, Additive) else None


def score_blocks(scheme: Scheme, window: Window) -> tuple[Blocks, Blocks]:
    """Blocks of queries and of keys for a window; sizes with a common measure where that makes the picture cheap."""
    total = scheme.length
    rows, columns = blocks(window.rows, window.height, total), blocks(window.columns, window.width, total)
    if not _goes_by_gaps(scheme):
        return rows, columns
    steps = commensurate(rows.step, columns.step)
    return blocks_of(window.rows, steps[0], total), blocks_of(window.columns, steps[1], total)


def _goes_by_gaps(scheme: Scheme) -> bool:
    """Whether a picture costs as much as it has different gaps: few where block sizes have a common measure."""
    damped = isinstance(scheme, Rotary) and not scheme.linear and scheme.pictured_by_waves
    return damped or gap_frequencies(scheme) is not None


def commensurate(first: int, second: int) -> tuple[int, int]:
    """The two numbers, raised as little as needed to be small multiples of one unit."""
    small, large = sorted((first, second))
    best = (math.inf, first, second)
    for parts in range(1, MOST_PARTS + 1):
        unit = -(-small // parts)
        raised = unit * parts, -(-large // unit) * unit
        loss = raised[0] * raised[1] / (small * large)
        best = min(best, (loss, *raised))
        if loss <= WASTE:
            break
    return best[1:] if first <= second else (best[2], best[1])


def score_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> int:
    """Rough cost of :func:`score_means`, in sines or table cells."""
    counts = len(rows.starts), len(columns.starts)
    cells = counts[0] * counts[1]
    changes = len(_inner_changes(scheme, rows)) if shows_scale(scheme, rows) else 0
    if _goes_by_gaps(scheme) and not changes:
        spans = rows.stop - rows.start + columns.stop - columns.start
        line = spans // math.gcd(rows.step, columns.step)
        phases = 2 * math.isqrt(line) if line < cells else sum(counts)
        most = cells if gap_frequencies(scheme) is not None else DAMPED * cells
        return scheme.dimension // 2 * (phases + min(line, most) // PRODUCTS)
    straight = isinstance(scheme, Additive) and scheme.straight
    read = sum(counts) * (1 if straight or _goes_by_gaps(scheme) else AXES)
    if scheme.last_position is not None:
        defined = defined_rows(scheme)
        read = sum(max(0, min(each.stop, defined) - each.start) for each in (rows, columns))
    return scheme.dimension * (read + changes + cells // (4 * PRODUCTS))


def score_means(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    """Exact mean of the scores over blocks of queries x keys, for added and rotary schemes.

    Parameters
    ----------
    scheme : Additive or Rotary
    rows, columns : Blocks
        Queries and keys.

    Returns
    -------
    ndarray, shape (rows, columns), float64
        A block that reaches past the end of a table is the mean of what it has; NaN where there is nothing.
    """
    out = np.full((len(rows.starts), len(columns.starts)), np.nan)
    defined = defined_rows(scheme)
    if max(rows.start, columns.start) < defined:
        means = _scaled_means(scheme, _cut(rows, defined), _cut(columns, defined))
        out[: means.shape[0], : means.shape[1]] = means
    return out


def _cut(span: Blocks, stop: int) -> Blocks:
    return Blocks(span.start, span.step, min(span.stop, stop))


# The query temperature ------------------------------------------------------------------------------------------


def has_scale(scheme: Scheme) -> bool:
    """Whether the scheme multiplies any query of the sequence; such a factor never falls with the position."""
    return not isinstance(scheme, ScoreBias) and bool(np.any(scheme.query_scale([0, scheme.length - 1]) != 1.0))


def shows_scale(scheme: Scheme, rows: Blocks) -> bool:
    """Whether :func:`score_means` has the query temperature in it; not where it changes too often within blocks."""
    changes = len(_inner_changes(scheme, rows))
    by_products = not isinstance(scheme, Rotary) or scheme.linear or not scheme.pictured_by_waves
    return changes == 0 or (by_products and (len(rows.starts) + changes) * scheme.dimension <= PIECE_CELLS)


def _inner_changes(scheme: Scheme, rows: Blocks) -> Float:
    """Queries inside a block, not at its start, from which on another factor holds."""
    changes = _changes(scheme)
    changes = changes[np.searchsorted(changes, rows.start) : np.searchsorted(changes, rows.stop)]
    return np.asarray(changes[changes % rows.step != 0])


@lru_cache(maxsize=2)  # each up to 8 MB
def _changes(scheme: Scheme) -> Float:
    """Every query of the sequence from which on another factor holds, in order."""
    if not has_scale(scheme):
        return np.zeros(0)
    factors = scheme.query_scale(np.arange(scheme.length, dtype=np.float64))
    return np.asarray(np.flatnonzero(np.diff(factors)) + 1.0)


def _scaled_means(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    changes = _inner_changes(scheme, rows)
    if not has_scale(scheme) or not shows_scale(scheme, rows):
        return _means(scheme, rows, columns)
    if not len(changes):
        return np.asarray(_means(scheme, rows, columns) * scheme.query_scale(rows.starts)[:, None])
    starts = np.union1d(rows.starts, changes)
    counts = np.diff(np.append(starts, rows.stop))
    pieces = _any_means(scheme, starts, counts, columns)
    pieces *= (counts * scheme.query_scale(starts))[:, None]
    totals = np.add.reduceat(pieces, np.searchsorted(starts, rows.starts), axis=0)
    return np.asarray(totals / rows.counts[:, None])


# Without it -----------------------------------------------------------------------------------------------------


def _means(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    frequencies = gap_frequencies(scheme)
    if frequencies is None:
        return _any_means(scheme, rows.starts, rows.counts, columns)
    sums = _gap_sums(frequencies, rows, columns)
    if isinstance(scheme, Rotary):
        sums *= 2.0
        sums += scheme.dimension - scheme.rotary_width
        sums /= scheme.dimension
        return sums
    assert isinstance(scheme, Additive)
    alone = np.setdiff1d(np.arange(scheme.dimension), np.concatenate(scheme.pairs()))
    return sums + _column_means(scheme, alone, rows) @ _column_means(scheme, alone, columns).T if len(alone) else sums


def _any_means(scheme: Scheme, starts: Float, counts: Float, columns: Blocks) -> Float:
    """Block means for blocks of any sizes of queries, without the query temperature."""
    if isinstance(scheme, Rotary):
        return scheme.block_scores(starts, counts, columns.starts, columns.counts)
    return _row_means(scheme, starts, counts) @ _row_means(scheme, columns.starts, columns.counts).T


def _row_means(scheme: Scheme, starts: Float, counts: Float) -> Float:
    """Means of encoding rows over blocks, shape (n, dimension)."""
    assert isinstance(scheme, Additive)
    out = np.empty((len(starts), scheme.dimension))
    for size in np.unique(counts):
        chosen = np.flatnonzero(counts == size)
        cells = scheme.dimension * (1 if scheme.last_position is None else int(size))
        height = max(1, STRIP_CELLS // cells)
        for first in range(0, len(chosen), height):
            checkpoint(first / len(chosen))
            strip = chosen[first : first + height]
            out[strip] = scheme.block_mean(starts[strip], int(size))
    return out


def _column_means(scheme: Additive, columns: NDArray[np.intp], span: Blocks) -> Float:
    """Block means of a few columns outside the pairs, shape (blocks, columns)."""
    waves = scheme.wave_columns()
    if waves is None:
        return _row_means(scheme, span.starts, span.counts)[:, columns]
    frequencies, phases = np.asarray(waves[0][columns]), np.asarray(waves[1][columns])
    out = []
    for run in _runs(span):
        starts = run.middle - (run.size - 1) / 2.0 + run.step * np.arange(run.number)
        sin, cos = mean_waves(frequencies, np.asarray(starts), run.size)
        out.append(sin * np.cos(phases) + cos * np.sin(phases))
    return np.concatenate(out)


def _runs(span: Blocks) -> list[Run]:
    """The full blocks, and the shorter last one."""
    full, rest = divmod(span.stop - span.start, span.step)
    runs = [Run(span.start + (span.step - 1) / 2.0, span.step, full, span.step)] if full else []
    if rest:
        runs.append(Run(span.start + full * span.step + (rest - 1) / 2.0, span.step, 1, rest))
    return runs


def _gap_sums(frequencies: Float, rows: Blocks, columns: Blocks) -> Float:
    """Mean over each rectangle of the sum of cos((m - n) w), shape (rows, columns)."""
    bands = [[_equal_sums(frequencies, above, beside) for beside in _runs(columns)] for above in _runs(rows)]
    return np.block(bands)


def _equal_sums(frequencies: Float, rows: Run, columns: Run) -> Float:
    """The same for blocks of one size each way: only the distance of their middles matters."""
    weights = dirichlet(frequencies, rows.size) * dirichlet(frequencies, columns.size)
    gap = rows.middle - columns.middle
    unit = math.gcd(rows.step, columns.step)
    down, across = rows.step // unit, columns.step // unit
    before, after = (columns.number - 1) * across, (rows.number - 1) * down
    if before + after + 1 >= rows.number * columns.number:
        steps = (rows.step, rows.number), (-columns.step, columns.number)
        return cosine_lattice(frequencies, gap, *steps, weights)
    line = cosine_progression(frequencies, gap - before * unit, unit, before + after + 1, weights)
    # Cell (i, j) is line[before + i down - j across]: a picture without a copy.
    strides = down * line.itemsize, -across * line.itemsize
    return as_strided(line[before:], (rows.number, columns.number), strides, writeable=False)


# One cell -------------------------------------------------------------------------------------------------------


def score_at(scheme: Scheme, query: int, key: int, head: int = 0) -> float | None:
    """The score of one query and key, query temperature included; None where it has none."""
    if scheme.acts is Acts.NOTHING:
        return 0.0
    if isinstance(scheme, ScoreBias):
        return float(scheme.bias([query], [key], [head])[0, 0, 0])
    if max(query, key) >= defined_rows(scheme):
        return None
    if isinstance(scheme, Rotary):
        value = float(scheme.profile(query, np.array([float(key)]))[0])
    else:
        assert isinstance(scheme, Additive)
        rows = scheme.encode([query, key])
        value = float(rows[0] @ rows[1])
    value *= float(scheme.query_scale([query])[0])
    return value if math.isfinite(value) else None
