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
from pe_desktop.core.damped import Complex, kind_for, turning
from pe_desktop.core.gap_window import NEAR, GapScore, edge_waves, gap_means, line_length, spanned_gaps
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
    out = np.full((rows.number, columns.number), np.nan)
    defined = defined_rows(scheme)
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
    rest = scheme.dimension - 2 * len(rates)
    return (2.0 * means + rest * factor[:, None]) / scheme.dimension


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
    kind = kind_for(scheme.dimension, rows.number * columns.number)(0).real.dtype
    down = row_means(scheme, rows).astype(kind, copy=False)
    across = down if rows == columns else row_means(scheme, columns).astype(kind, copy=False)
    products = (down @ across.T).astype(np.float64, copy=False)
    if isinstance(scheme, Rotary):
        products *= 2.0
        products += scheme.dimension - scheme.rotary_width
        products /= scheme.dimension
    return products


def _middles(span: Blocks) -> Float:
    """Mean position of each block."""
    runs = pieces(span)
    return np.asarray(put_together(runs.starts + (runs.counts - 1.0) / 2.0, runs, 0))


# What it costs --------------------------------------------------------------------------------------------------

# Rough times in units of 30 ns, of a machine of 2024 with one thread.
WAVE = 0.3  # of one step of a wave
MULTIPLY = 1 / 400  # of one product in single precision
BAND = 40.0  # of one pair in each picture, before its first wave
CORNER = 0.6  # of one cell made of differences
GRID_WAVE = 1.0  # of one wave's mean over a block that wraps round a grid
ENTRY = 0.5  # of one number of a table that is drawn and added up
PIXEL = 0.1  # of one cell, whatever it is made of


def score_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> int:
    """Rough cost of :func:`score_means` in units of 30 ns."""
    cells = rows.number * columns.number
    pairs = _turning_pairs(scheme)
    if pairs is not None:
        return int(PIXEL * cells + _gap_cost(scheme, pairs, rows, columns))
    if isinstance(scheme, Additive) and scheme.straight:
        return int(PIXEL * cells)
    each = GRID_WAVE * (1 if isinstance(scheme, Gridded) else 2)
    read = each * (rows.number + columns.number)
    if scheme.last_position is not None:
        defined = defined_rows(scheme)
        read = ENTRY * sum(max(0, min(span.last, defined) - span.first) for span in {rows, columns})
    return int(PIXEL * cells + scheme.dimension * (read + MULTIPLY * cells))


def _turning_pairs(scheme: Scheme) -> int | None:
    """How many waves make the score a function of the gap, None if it is none."""
    if isinstance(scheme, Rotary):
        return scheme.rotary_width // 2 if scheme.linear or scheme.causal_only else None
    return scheme.dimension // 2 if gap_frequencies(scheme) is not None else None


def _gap_cost(scheme: Scheme, pairs: int, rows: Blocks, columns: Blocks) -> float:
    cells, gaps, line = rows.number * columns.number, spanned_gaps(rows, columns), line_length(rows, columns)
    changes = changes_inside(scheme, rows) if shows_scale(scheme, rows, columns) else 0
    products = pairs * (WAVE * 2 * (rows.number + columns.number) + 2 * MULTIPLY * cells)
    if line is None and gaps > NEAR:
        return products
    known = line if line is not None and not (changes and gaps <= NEAR) else gaps
    cost = pairs * (BAND + WAVE * 2 * math.sqrt(known) + 2 * MULTIPLY * known)
    if known == line:
        return cost + (products if changes else 0.0)
    return cost + CORNER * (cells + changes * columns.number)


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
