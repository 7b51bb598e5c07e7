"""What a window of the scores costs to evaluate, told without evaluating it; see :mod:`score_window`.

Rough times in units of 30 ns, on one thread of a machine of 2024.
"""

from __future__ import annotations

import math

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks
from pe_desktop.core.damped import kind_for
from pe_desktop.core.gap_window import GAPS, LINE, way_of
from pe_desktop.core.grid_scores import grid_scores_cost
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_temperature import CORRECTED, LEFT_OUT, SPLIT, changes_inside, changes_way
from pe_desktop.core.score_window import gap_frequencies, shows_scale, spans_of

PIXEL = 0.4  # one cell of the picture, whatever it is made of
BEGIN = 40_000  # the first steps, which no size makes less
LINE_BEGIN, FACTOR, SUM = 3.0, 0.1, 0.002  # a line of sums, for each wave: to begin with, a wave of a factor, a sum
SHRINK = 2.0  # what is left of one wave in blocks of one size
DIAGONAL = 60.0  # one wave in blocks that the diagonal crosses
CORNER = 0.6  # one cell that is made of differences
WAVE = 0.3  # one wave of one block
TURN = 0.003  # one wave at one change of the query temperature inside a block
SUMMED = 0.9  # one wave of one block in which it changes
GRID_BEGIN, GRID_BLOCK, GRID_WAVE = 18_000, 35.0, 0.7  # of each axis in each run: all, a block; a wave of a block
GRID_STEP = 0.016  # one step of :mod:`grid_scores`
PRODUCT = 0.001  # one product of one cell
DRAWN, READ = 0.4, 0.2  # one number of a table, made or only added up


def score_cost(scheme: Scheme, rows: Blocks, columns: Blocks) -> int:
    """Rough cost of :func:`score_window.score_means`."""
    cells = PIXEL * rows.number * columns.number
    defined = defined_rows(scheme)
    if (isinstance(scheme, Additive) and scheme.straight) or max(rows.start, columns.start) >= defined:
        return int(cells)
    rows, columns = rows.cut(defined), columns.cut(defined)
    pairs = _turning_pairs(scheme)
    if pairs is not None:
        return int(cells + BEGIN + _wave_cost(scheme, pairs, rows, columns))
    if isinstance(scheme, Gridded):
        return int(cells + _grid_cost(scheme, rows, columns))
    assert isinstance(scheme, Additive)
    first, last = min(rows.first, columns.first), max(rows.last, columns.last)
    each = READ * (rows.last - rows.first + columns.last - columns.first) + PRODUCT * rows.number * columns.number
    return int(cells + DRAWN * scheme.draw_cost(first, last - first) + scheme.dimension * each)


def _turning_pairs(scheme: Scheme) -> int | None:
    """How many waves make the score a function of the gap, None if it is none."""
    if isinstance(scheme, Rotary):
        return scheme.rotary_width // 2 if scheme.linear or scheme.causal_only else None
    return scheme.dimension // 2 if gap_frequencies(scheme) is not None else None


def _wave_cost(scheme: Scheme, pairs: int, rows: Blocks, columns: Blocks) -> float:
    followed = changes_way(scheme, rows, columns) if shows_scale(scheme, rows, columns) else LEFT_OUT
    changes = changes_inside(scheme, rows) if followed in (SPLIT, CORRECTED) else 0
    causal = isinstance(scheme, Rotary) and scheme.causal_only
    way, sums = way_of(causal, rows, columns, changes if followed == SPLIT else 0)
    products = WAVE * (rows.number + columns.number) + 2.0 * PRODUCT * rows.number * columns.number
    cost = products + (WAVE * changes if followed == SPLIT else 0.0)
    cells = 0
    if way == GAPS:
        cost, cells = _line_cost(sums), rows.number * columns.number
    elif way == LINE:
        cost = sum(map(_line_cost, (sums, rows.number, columns.number))) + 4.0 * SHRINK
        cost += DIAGONAL if causal and max(rows.step, columns.step) > 1.0 else 0.0
    if followed == SPLIT:
        cells += changes * columns.number
    elif followed == CORRECTED:
        cost += min(1.0, changes / rows.number) * (SUMMED * rows.number + products)
        cost += changes * (WAVE / 2.0 / rows.number + TURN)
    return pairs * cost + CORNER * cells


def _line_cost(sums: int) -> float:
    return LINE_BEGIN + FACTOR * math.sqrt(sums) + SUM * sums


def _grid_cost(scheme: Gridded, rows: Blocks, columns: Blocks) -> float:
    cells, waves = rows.number * columns.number, len(scheme.turns())
    parts = len(scheme.runs.each) * len(scheme.axes)
    cost: float = GRID_BEGIN * parts
    if kind_for(scheme.dimension, cells) is np.complex64:
        return cost + GRID_STEP * grid_scores_cost(scheme.pair_axis(), scheme.runs, spans_of(rows), spans_of(columns))
    each = GRID_BLOCK * parts + GRID_WAVE * waves
    return cost + each * (rows.number + columns.number) + 4.0 * PRODUCT * waves * cells
