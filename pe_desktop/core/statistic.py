"""What a pixel shows of the cells it covers: their mean, or on request the lowest or the highest of them."""

from __future__ import annotations

import math

import numpy as np

from pe_desktop.core.blocks import blocks
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import Picture, bias_blocks, defined_rows, shape_of, wave_columns
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import gap_frequencies, gap_rates, score_blocks

MEAN, LOWEST, HIGHEST = "mean", "lowest", "highest"
STATISTICS = (MEAN, LOWEST, HIGHEST)

# Rough times in units of 30 ns, of a machine of 2024 with one thread.
CELL = 4.0  # of a sine's crest among the positions of a block; less where they fill the circle
CONVERGENTS = 25.0  # of one column, before its first block
INTERVALS = 2  # of coordinates in a block of a grid, about,
GRID = 150.0  # and what their different lengths take in all
RECTANGLE = 20.0  # of the extremes of a range of gaps
CORNERS = 3.0  # of a rectangle with a closed form
BENDS = 30.0  # of a rectangle of a network
TABLED = 1.5  # of a gap's sum, or of an offset's bias, of the cheap kind
PRODUCT = 1 / 300
TRANSFORM = 100  # pairs from which on a sum at every gap takes no longer
COSTLY = 4  # times a bias that is a sum of waves takes as long as a cheap one
ENTRY = 0.5  # of one number of a table that is multiplied
SEEN = 1.5  # of one number of a table that is looked at


def shown_statistic(window: Window, wanted: str) -> str:
    """The statistic that makes a difference: where each pixel is a cell or less there is none but the cell."""
    spans = (window.rows, window.height), (window.columns, window.width)
    single = all(high - low <= max(1, pixels) for (low, high), pixels in spans)
    return MEAN if single else wanted


def extreme_picture(scheme: Scheme, window: Window, head: int, statistic: str) -> Picture:
    """The lowest or highest cell of each pixel of the matrix, in the blocks of :func:`sampling.picture`; none: 0."""
    from pe_desktop.core.extremes import window_extremes  # not before somebody asks

    if isinstance(scheme, ScoreBias):
        rows, columns = bias_blocks(scheme, window)
    else:
        n_rows, n_columns = shape_of(scheme)
        rows, columns = blocks(window.rows, window.height, n_rows), blocks(window.columns, window.width, n_columns)
    values = window_extremes(scheme, rows, columns, head)[STATISTICS.index(statistic) - 1]
    return Picture(np.nan_to_num(values, copy=False), rows, columns)


def score_extreme_picture(scheme: Scheme, window: Window, head: int, statistic: str) -> Picture:
    """The same of the scores, in the blocks of their means.

    Raises
    ------
    FieldError
        Where :func:`score_refusal` says so.
    """
    if isinstance(scheme, ScoreBias):
        return extreme_picture(scheme, window, head, statistic)
    from pe_desktop.core.score_extremes import score_extremes

    rows, columns = score_blocks(scheme, window)
    values = score_extremes(scheme, rows, columns, head)[STATISTICS.index(statistic) - 1]
    return Picture(np.nan_to_num(values, copy=False), rows, columns)


def score_refusal(scheme: Scheme, window: Window) -> str:
    """Why there are no extremes of the scores in a window; "" where there are."""
    if isinstance(scheme, ScoreBias):
        return ""
    from pe_desktop.core import score_extremes

    return score_extremes.score_refusal(scheme, *score_blocks(scheme, window))


def extreme_cost(scheme: Scheme, window: Window) -> int:
    """Rough cost of :func:`extreme_picture` in units of 30 ns."""
    if isinstance(scheme, ScoreBias):
        return _bias_cost(scheme, window)
    columns = math.ceil(window.columns[1] - window.columns[0])
    positions = min(math.ceil(window.rows[1]), defined_rows(scheme)) - math.floor(window.rows[0])
    rows = max(0, min(window.height, positions))
    if wave_columns(scheme) is not None:
        return int(columns * (CONVERGENTS + CELL * rows))
    if isinstance(scheme, Gridded):
        return int(GRID + columns * (CONVERGENTS + CELL * INTERVALS * rows))
    return int(columns * (SEEN * max(0, positions) if scheme.last_position is not None else rows))


def score_extreme_cost(scheme: Scheme, window: Window) -> int:
    """Rough cost of :func:`score_extreme_picture` in units of 30 ns."""
    if isinstance(scheme, ScoreBias):
        return _bias_cost(scheme, window)
    from pe_desktop.core.score_extremes import score_way

    cells = window.height * window.width
    spans = [max(0.0, min(high, defined_rows(scheme)) - low) for low, high in (window.rows, window.columns)]
    way = score_way(scheme)
    if way == "straight":
        return int(CORNERS * cells)
    if way == "products":
        return int(spans[0] * spans[1] * scheme.dimension * PRODUCT + sum(spans) * scheme.dimension * ENTRY)
    rates = gap_rates(scheme)
    pairs = 0 if rates is None else len(rates)
    transformed = pairs if gap_frequencies(scheme) is None else min(pairs, TRANSFORM)
    return int(RECTANGLE * cells + max(window.rows[1], window.columns[1]) * (TABLED + PRODUCT * transformed))


def _bias_cost(scheme: ScoreBias, window: Window) -> int:
    cells = window.height * window.width
    if scheme.monotone or not isinstance(scheme, OffsetBias):
        return int((CORNERS if scheme.monotone else BENDS) * cells)
    offsets = window.rows[1] - window.rows[0] + window.columns[1] - window.columns[0]
    if scheme.reach is not None:
        offsets = min(offsets, 2.0 * scheme.reach)
    return int(RECTANGLE * cells + offsets * TABLED * min(scheme.cell_cost, COSTLY))
