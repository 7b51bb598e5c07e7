"""Exact evaluation of any window of the scores: what position alone makes of each score, query against key.

Added schemes: PE(m)·PE(n), so that the mean over a rectangle is the product of two block means. Rotary schemes: the
score of one fixed query and key over its value at gap 0. Where a score depends on the gap alone there are faster ways,
see :mod:`gap_window`. A bias is a picture of itself, see :mod:`sampling`.
"""

from __future__ import annotations

import math

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, aligned_blocks, pieces, plane_blocks, put_together
from pe_desktop.core.damped import Complex, Waves, kind_for, product_sums, turning
from pe_desktop.core.gap_line import GapScore
from pe_desktop.core.gap_window import NEAR, edge_waves, gap_means, line_length, spanned_gaps
from pe_desktop.core.grid_means import block_waves
from pe_desktop.core.grid_scores import Spans, grid_scores, grid_scores_cost
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.parts import Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows, row_means
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_temperature import changes_inside, follows_changes, has_scale, scaled_means

MOST_PARTS = 16  # of a block, in which both block sizes are whole numbers
WASTE = 1.05  # share of its blocks a picture may lose to sizes that have a common measure


def gap_frequencies(scheme: Scheme) -> Float | None:
    """Frequencies of the pairs whose part of the score is cos((m - n) w), shape (pairs,); None if there are none."""
    if isinstance(scheme, Rotary):
        return scheme.inv_freq() if scheme.linear else None
    return scheme.frequencies() if isinstance(scheme, Additive) else None


def gap_rates(scheme: Scheme) -> Complex | None:
    """Damping + i frequency of the pairs whose part of the score is Re exp((m - n) rate); None if there are none."""
    if isinstance(scheme, Rotary):
        return scheme.rates()
    frequencies = gap_frequencies(scheme)
    return None if frequencies is None else turning(frequencies)


def score_blocks(scheme: Scheme, window: Window) -> tuple[Blocks, Blocks]:
    """Blocks of queries and of keys for a window, about one for each pixel.

    Their edges may cut cells while they are small; large ones are whole, their sizes with a common measure.
    """
    total = scheme.length
    rows = plane_blocks(window.rows, window.height, total)
    columns = plane_blocks(window.columns, window.width, total)
    if not (rows.is_whole and columns.is_whole):
        return rows, columns
    steps = commensurate(rows.cells, columns.cells)
    return aligned_blocks(window.rows, steps[0], total), aligned_blocks(window.columns, steps[1], total)


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


def score_means(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    """Exact mean of the scores over blocks of queries x keys, for added and rotary schemes.

    Parameters
    ----------
    scheme : Additive or Rotary
    rows, columns : Blocks
        Queries and keys; edges may cut cells, of which a share counts.

    Returns
    -------
    ndarray, shape (rows, columns), float64
        A block that reaches past the end of a table is the mean of what it has; NaN where there is nothing. Accurate
        to 2e-6 of the largest score, of small pictures to 1e-9.
    """
    defined = defined_rows(scheme)
    if max(rows.end, columns.end) <= defined:
        return _means(scheme, rows, columns)
    out = np.full((rows.number, columns.number), np.nan)
    if max(rows.start, columns.start) < defined:
        means = _means(scheme, rows.cut(defined), columns.cut(defined))
        out[: means.shape[0], : means.shape[1]] = means
    return out


def shows_scale(scheme: Scheme, rows: Blocks, columns: Blocks) -> bool:
    """Whether :func:`score_means` has the query temperature in it; not where it changes too often within blocks."""
    if not has_scale(scheme):
        return True
    followed = isinstance(scheme, Rotary) and scheme.linear
    return followed and follows_changes(scheme, rows, columns)


def _means(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    rates = gap_rates(scheme)
    if rates is None:
        return _products(scheme, rows, columns)
    score = GapScore(rates, isinstance(scheme, Rotary) and scheme.causal_only)
    if isinstance(scheme, Additive):
        means = gap_means(score, rows, columns)
        return means + _alone(scheme, rows) @ _alone(scheme, columns).T if 2 * len(rates) < scheme.dimension else means
    if has_scale(scheme) and shows_scale(scheme, rows, columns):
        means, factor = scaled_means(scheme, score, rows, columns)
    else:
        means, factor = gap_means(score, rows, columns), np.ones(rows.number)
    means *= 2.0 / scheme.dimension
    rest = scheme.dimension - 2 * len(rates)
    if rest:
        means += (rest / scheme.dimension) * factor[:, None]
    return means


def _alone(scheme: Additive, span: Blocks) -> Float:
    """Block means of the columns outside the pairs, shape (blocks, columns)."""
    waves = scheme.wave_columns()
    assert waves is not None, "columns beside the pairs of waves are waves"
    alone = np.setdiff1d(np.arange(scheme.dimension), np.concatenate(scheme.pairs()))
    frequencies, phases = waves[0][alone], waves[1][alone]
    sums = edge_waves(turning(frequencies), span.edges, np.complex128)
    return np.asarray((sums * np.exp(1j * phases)).imag / np.diff(span.edges)[:, None])


def _products(scheme: Scheme, rows: Blocks, columns: Blocks) -> Float:
    """Means that are products of the means of rows."""
    if isinstance(scheme, Additive) and scheme.straight:
        last = max(1.0, scheme.length - 1.0)
        ends = scheme.encode(np.array([0.0, last]))
        shares = [_middles(span) / last for span in (rows, columns)]
        down, across = (np.stack([1.0 - share, share], axis=1) for share in shares)
        return np.asarray(down @ (ends @ ends.T) @ across.T)
    kind = kind_for(scheme.dimension, rows.number * columns.number)
    if isinstance(scheme, Gridded):
        return _grid_products(scheme, rows, columns, kind)
    real = kind(0).real.dtype
    down = row_means(scheme, rows).astype(real, copy=False)
    across = down if _same(rows, columns) else row_means(scheme, columns).astype(real, copy=False)
    return (down @ across.T).astype(np.float64, copy=False)


def _grid_products(scheme: Gridded, rows: Blocks, columns: Blocks, kind: type[np.complexfloating]) -> Float:
    """The same where every pair turns with one coordinate of its token: large pictures by the gaps of coordinates."""
    products: Float
    if kind is np.complex64:
        products = grid_scores(scheme.turns(), scheme.pair_axis(), scheme.runs, _spans(rows), _spans(columns))
    else:
        down = _grid_waves(scheme, rows)
        across = down if _same(rows, columns) else _grid_waves(scheme, columns)
        products = product_sums(down, np.conj(across)).astype(np.float64, copy=False)
    if isinstance(scheme, Rotary):
        products *= 2.0
        products += scheme.dimension - scheme.rotary_width
        products /= scheme.dimension
    return products


def _same(rows: Blocks, columns: Blocks) -> bool:
    return rows.number == columns.number and bool((rows.edges == columns.edges).all())


def _grid_waves(scheme: Gridded, span: Blocks) -> Waves:
    """Block means of the waves of the pairs, shape (blocks, pairs)."""
    return block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, *_spans(span))


def _spans(span: Blocks) -> Spans:
    edges = span.edges
    return Spans(edges[:-1], np.diff(edges))


def _middles(span: Blocks) -> Float:
    """Mean position of each block."""
    runs = pieces(span)
    return np.asarray(put_together(runs.starts + (runs.counts - 1.0) / 2.0, runs, 0))


# What it costs --------------------------------------------------------------------------------------------------

# Rough times in units of 30 ns, on one thread of a machine of 2024.
PIXEL = 0.4  # one cell of the picture, whatever it is made of
BEGIN = 40_000  # the first steps, which no size makes less
LINE = 3.0, 0.1, 0.002  # a line of sums, for each wave: to begin with, for each wave of its two factors, for each sum
SHRINK = 2.0  # what is left of one wave in blocks of one size
DIAGONAL = 60.0  # one wave in blocks that the diagonal crosses
CORNER = 0.6  # one cell that is made of differences
WAVE = 0.22  # one wave of one block
TURN = 0.002  # one wave at one change of the query temperature inside a block
SUMMED = 0.9  # one wave of one block in which the query temperature changes
GRID_BEGIN, GRID_BLOCK, GRID_WAVE = 18_000, 35.0, 0.7  # of each axis in each run: all, a block; a wave of a block
GRID_STEP = 0.016  # one step of :mod:`grid_scores`
PRODUCT = 0.001  # one product of one cell
DRAWN, READ = 0.4, 0.2  # one number of a table, made or only added up


def score_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> int:
    """Rough cost of :func:`score_means` in units of 30 ns."""
    cells = PIXEL * rows.number * columns.number
    defined = defined_rows(scheme)
    if (isinstance(scheme, Additive) and scheme.straight) or max(rows.start, columns.start) >= defined:
        return int(cells)
    rows, columns = rows.cut(defined), columns.cut(defined)
    pairs = _turning_pairs(scheme)
    products = PRODUCT * rows.number * columns.number
    if pairs is not None:
        return int(cells + BEGIN + pairs * _wave_cost(scheme, rows, columns) + _corner_cost(scheme, rows, columns))
    if isinstance(scheme, Gridded):
        return int(cells + _grid_cost(scheme, rows, columns))
    drawn = max(rows.last, columns.last) - min(rows.first, columns.first)
    read = rows.last - rows.first + columns.last - columns.first
    return int(cells + scheme.dimension * (DRAWN * drawn + READ * read + products))


def _grid_cost(scheme: Gridded, rows: Blocks, columns: Blocks) -> float:
    cells, waves = rows.number * columns.number, len(scheme.turns())
    parts = len(scheme.runs.each) * len(scheme.axes)
    cost: float = GRID_BEGIN * parts
    if kind_for(scheme.dimension, cells) is np.complex64:
        return cost + GRID_STEP * grid_scores_cost(scheme.pair_axis(), scheme.runs, _spans(rows), _spans(columns))
    return (
        cost + (rows.number + columns.number) * (GRID_BLOCK * parts + GRID_WAVE * waves) + 4.0 * PRODUCT * waves * cells
    )


def _turning_pairs(scheme: Scheme) -> int | None:
    """How many waves make the score a function of the gap, None if it is none."""
    if isinstance(scheme, Rotary):
        return scheme.rotary_width // 2 if scheme.linear or scheme.causal_only else None
    return scheme.dimension // 2 if gap_frequencies(scheme) is not None else None


def _wave_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> float:
    """Cost of each wave."""
    gaps, line = spanned_gaps(rows, columns), line_length(rows, columns)
    changes = changes_inside(scheme, rows) if shows_scale(scheme, rows, columns) else 0
    if changes and gaps <= NEAR:
        return _line_cost(gaps)
    products = 2.0 * PRODUCT * rows.number * columns.number
    if line is None:
        return _line_cost(gaps) if gaps <= NEAR else WAVE * (rows.number + columns.number) + products
    cost = sum(map(_line_cost, (line, rows.number, columns.number))) + 4.0 * SHRINK
    if isinstance(scheme, Rotary) and scheme.causal_only and max(rows.step, columns.step) > 1.0:
        cost += DIAGONAL
    if changes:
        share = min(1.0, changes / rows.number)
        cost += share * (SUMMED * rows.number + products) + WAVE * columns.number
        cost += changes * (WAVE / 3.0 / rows.number + TURN)
    return cost


def _line_cost(sums: int) -> float:
    begin, factor, each = LINE
    return begin + factor * math.sqrt(sums) + each * sums


def _corner_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> float:
    """Cost of differences between edges, which the number of waves does not change."""
    changes = changes_inside(scheme, rows)
    whole = line_length(rows, columns) is not None and not changes
    if whole or spanned_gaps(rows, columns) > NEAR:
        return 0.0
    return CORNER * (rows.number + changes) * columns.number


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
