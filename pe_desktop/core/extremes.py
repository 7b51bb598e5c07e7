"""Exact smallest and largest value of the cells that each block of a window of the matrix touches, for every scheme.

Beside :mod:`sampling`, whose blocks are means: sines take the crest nearest to a position from the continued fraction
of their frequency, straight lines their ends, tables are read, biases by the offset take the extremes of a range.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.bias_extremes import bias_extremes
from pe_desktop.core.blocks import Blocks
from pe_desktop.core.cell_extremes import CellExtremes, Groups, grouped, touched
from pe_desktop.core.grid_extremes import grid_extremes
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.sampling import defined_rows, shape_of, wave_columns
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.wave_extremes import wave_extremes
from pe_desktop.core.work import checkpoint

Float32 = NDArray[np.float32]
STRIP_CELLS = 1 << 19


def window_extremes(scheme: Scheme, rows: Blocks, columns: Blocks, head: int = 0) -> tuple[Float32, Float32]:
    """Smallest and largest value of the matrix among all cells that each block touches, if only in part.

    Parameters
    ----------
    scheme : Scheme
    rows, columns : Blocks
        Block i touches the cells from the one its first edge lies in to the one its last edge lies in.
    head : int
        For a score bias: which head.

    Returns
    -------
    low, high : ndarray, shape (rows, columns), float32
        Off by less than 1e-5 of the range of the values. NaN where a block has no cell with a value: rows past the end
        of a table.

    Raises
    ------
    FieldError
        Where a bias has too many cells to be looked at, and no shorter way.
    """
    down = touched(rows, defined_rows(scheme))
    across = touched(columns, shape_of(scheme)[1])
    if isinstance(scheme, ScoreBias):
        return bias_extremes(scheme, down, across, head)
    some = down.lasts > down.firsts
    found = _of_cells(scheme, Groups(down.firsts[some], down.lasts[some]), across)
    if bool(some.all()):
        return found
    low, high = (np.full((rows.number, columns.number), np.nan, dtype=np.float32) for _ in range(2))
    low[some], high[some] = found
    return low, high


def _of_cells(scheme: Scheme, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    if not len(rows.firsts):
        nothing = np.zeros((0, len(columns.firsts)), dtype=np.float32)
        return nothing, nothing
    waves = wave_columns(scheme)
    if waves is not None:
        part = slice(int(columns.firsts[0]), int(columns.lasts[-1]))
        starts, counts = rows.firsts.astype(np.float64), (rows.lasts - rows.firsts).astype(np.float64)
        return wave_extremes(waves[0][part], waves[1][part], starts, counts, columns.moved(part.start))
    if isinstance(scheme, Gridded):
        return grid_extremes(scheme, rows, columns)
    assert isinstance(scheme, Additive)
    return _straight(scheme, rows, columns) if scheme.straight else _table(scheme, rows, columns)


def _straight(scheme: Additive, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    """Each column rises or falls all the way: its ends tell."""
    low = np.empty((len(rows.firsts), len(columns.firsts)), dtype=np.float32)
    high = np.empty_like(low)
    part = slice(int(columns.firsts[0]), int(columns.lasts[-1]))
    height = max(1, STRIP_CELLS // (part.stop - part.start))
    for first in range(0, len(low), height):
        checkpoint(first / len(low))
        strip = slice(first, first + height)
        ends = [np.asarray(each[strip], dtype=np.float64) for each in (rows.firsts, rows.lasts - 1)]
        values = [scheme.block_mean(each, 1, part) for each in ends]
        low[strip] = grouped(np.minimum, np.minimum(*values), columns.moved(part.start))
        high[strip] = grouped(np.maximum, np.maximum(*values), columns.moved(part.start))
    return low, high


def _table(scheme: Additive, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    """Every cell is looked at once, a few rows at a time."""
    part = slice(int(columns.firsts[0]), int(columns.lasts[-1]))
    first, stop = int(rows.firsts[0]), int(rows.lasts[-1])
    cells = CellExtremes(rows, columns)
    height = max(1, STRIP_CELLS // scheme.dimension)
    for row in range(first, stop, height):
        checkpoint((row - first) / (stop - first))
        positions = np.arange(row, min(row + height, stop), dtype=np.float64)
        cells.add(scheme.block_mean(positions, 1, part), row, part.start)
    return cells.found()
