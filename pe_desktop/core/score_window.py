"""Exact evaluation of any window of the scores: what position alone makes of each score, query against key.

Added schemes: PE(m)·PE(n), so that the mean over a rectangle is the product of two block means. Rotary schemes: the
score of one fixed query and key over its value at gap 0. Where a score depends on the gap alone there are faster ways,
see :mod:`gap_window`. A bias is a picture of itself, see :mod:`sampling`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, aligned_blocks, pieces, plane_blocks, put_together, whole_blocks
from pe_desktop.core.damped import Complex, Waves, kind_for, product_sums, turning
from pe_desktop.core.gap_line import GapScore
from pe_desktop.core.gap_window import edge_waves, gap_means
from pe_desktop.core.grid_means import block_waves
from pe_desktop.core.grid_scores import Spans, grid_scores
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.parts import Float32, Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows, row_means
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_temperature import LEFT_OUT, changes_way, has_scale, scaled_means
from pe_desktop.core.table_means import table_samples

MOST_PARTS = 16  # of a block, in which both block sizes are whole numbers
STRIP_CELLS = 1 << 19
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
    return followed and changes_way(scheme, rows, columns) != LEFT_OUT


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
    assert isinstance(scheme, Rotary)
    means *= 2.0 / scheme.at_gap_zero
    rest = scheme.still
    if rest:
        means += (rest / scheme.at_gap_zero) * factor[:, None]
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
        above, beside = (np.stack([1.0 - share, share], axis=1) for share in shares)
        return np.asarray(above @ (ends @ ends.T) @ beside.T)
    kind = kind_for(scheme.dimension, rows.number * columns.number)
    if isinstance(scheme, Gridded):
        return _grid_products(scheme, rows, columns, kind)
    down = _table_rows(scheme, rows, kind)
    across = down if _same(rows, columns) else _table_rows(scheme, columns, kind)
    return np.asarray(down @ across.T, dtype=np.float64)


def _table_rows(scheme: Scheme, span: Blocks, kind: type[np.complexfloating]) -> NDArray[np.floating]:
    """Block means of rows, shape (blocks, dimension), in the precision of `kind`; worked out strip by strip."""
    out = np.empty((span.number, scheme.dimension), dtype=kind(0).real.dtype)
    turns = max(1, STRIP_CELLS // (scheme.dimension * span.per))
    for first in range(0, span.number, turns * span.per):
        number, start = min(turns * span.per, span.number - first), span.start + first // span.per * span.cells
        out[first : first + number] = row_means(scheme, Blocks(start, span.cells, span.per, number, span.stop))
    return out


def _grid_products(scheme: Gridded, rows: Blocks, columns: Blocks, kind: type[np.complexfloating]) -> Float:
    """The same where every pair turns with one coordinate of its token: large pictures by the gaps of coordinates."""
    products: Float
    if kind is np.complex64:
        products = grid_scores(scheme.turns(), scheme.pair_axis(), scheme.runs, spans_of(rows), spans_of(columns))
    else:
        down = _grid_waves(scheme, rows)
        across = down if _same(rows, columns) else _grid_waves(scheme, columns)
        products = product_sums(down, np.conj(across)).astype(np.float64, copy=False)
    if isinstance(scheme, Rotary):
        products *= 2.0
        products += scheme.still
        products /= scheme.at_gap_zero
    return products


def _same(rows: Blocks, columns: Blocks) -> bool:
    return rows.number == columns.number and bool((rows.edges == columns.edges).all())


def _grid_waves(scheme: Gridded, span: Blocks) -> Waves:
    """Block means of the waves of the pairs, shape (blocks, pairs)."""
    return block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, *spans_of(span))


def spans_of(span: Blocks) -> Spans:
    """Blocks as schemes on a grid take them."""
    edges = span.edges
    return Spans(edges[:-1], np.diff(edges))


def _middles(span: Blocks) -> Float:
    """Mean position of each block."""
    runs = pieces(span)
    return np.asarray(put_together(runs.starts + (runs.counts - 1.0) / 2.0, runs, 0))


def table_scores(scheme: Additive, window: Window) -> tuple[Float32, Blocks, Blocks]:
    """Scores of the first query and key of each of a few blocks of a table, which take no time; 0 past its end.

    Returns
    -------
    values : ndarray, shape (rows.number, columns.number), float32
    rows, columns : Blocks
    """
    every, defined = whole_blocks(0, 1, scheme.dimension), defined_rows(scheme)
    down, rows = table_samples(scheme, window.rows, window.height, every, defined)
    across, columns = table_samples(scheme, window.columns, window.width, every, defined)
    return down @ across.T, rows, columns


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
