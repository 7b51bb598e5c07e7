"""Smallest and largest of the cells that each block of a window touches, put together from tiles of cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks

Float32 = NDArray[np.float32]
Index = NDArray[np.intp]


class Groups(NamedTuple):
    """Runs of neighbouring cells in rising order, which may overlap: firsts, and the ones past the last, each (g,)."""

    firsts: Index
    lasts: Index

    def moved(self, by: int) -> Groups:
        """The same, counted from another cell."""
        return Groups(self.firsts - by, self.lasts - by)


def touched(span: Blocks, stop: int) -> Groups:
    """The cells before `stop` that each block touches; last <= first where there are none."""
    edges = span.edges
    firsts = np.minimum(np.floor(edges[:-1]), span.stop - 1.0).astype(np.intp)
    lasts = np.maximum(np.ceil(edges[1:]).astype(np.intp), firsts + 1)
    return Groups(firsts, np.minimum(lasts, stop))


def grouped(reduce: np.ufunc, values: NDArray[np.floating], groups: Groups) -> NDArray[np.floating]:
    """One number per group of columns: (m, k) -> (m, g); no group is empty."""
    count = values.shape[1]
    if len(groups.firsts) == count and bool((groups.lasts - groups.firsts == 1).all()):
        return np.asarray(values[:, groups.firsts])
    if bool((groups.lasts[:-1] == count).any()):  # reduceat knows no end past the last column but its own
        values = np.concatenate([values, values[:, -1:]], axis=1)
    ends = np.stack(groups, axis=1).ravel()
    if ends[-1] == values.shape[1]:
        ends = ends[:-1]
    # Every second answer is of what lies between two groups, or, where they overlap, of one column.
    return np.asarray(reduce.reduceat(values, ends, axis=1)[:, ::2])


class CellExtremes:
    """Gathers the extremes of blocks while tiles of cells are worked out one after the other.

    Parameters
    ----------
    rows, columns : Groups
        Cells of the blocks, see :func:`touched`.
    """

    def __init__(self, rows: Groups, columns: Groups) -> None:
        self._rows, self._columns = rows, columns
        shape = len(rows.firsts), len(columns.firsts)
        self._low, self._high = np.full(shape, np.inf, dtype=np.float32), np.full(shape, -np.inf, dtype=np.float32)

    def add(self, values: NDArray[np.floating], row: int, column: int) -> None:
        """Take a tile of cells (h, w) into account, whose first row and column are given."""
        down, above = _inside(self._rows, row, values.shape[0])
        across, beside = _inside(self._columns, column, values.shape[1])
        if not len(above.firsts) or not len(beside.firsts):
            return
        for out, reduce in ((self._low, np.minimum), (self._high, np.maximum)):
            within = np.ascontiguousarray(grouped(reduce, values, beside).T)
            part = out[down, across]
            reduce(part, grouped(reduce, within, above).T, out=part)

    def found(self) -> tuple[Float32, Float32]:
        """Smallest and largest of each block, shape (rows, columns), float32; NaN where no tile had a cell of it."""
        nothing = self._low > self._high
        self._low[nothing] = self._high[nothing] = np.nan
        return self._low, self._high


def _inside(groups: Groups, first: int, count: int) -> tuple[slice, Groups]:
    """Which groups have cells among `count` from `first` on, and those cells counted from there."""
    inside = np.flatnonzero((groups.firsts < first + count) & (groups.lasts > np.maximum(groups.firsts, first)))
    if not len(inside):
        return slice(0), Groups(inside, inside)
    part = slice(int(inside[0]), int(inside[-1]) + 1)
    kept = groups.firsts[part] - first, groups.lasts[part] - first
    return part, Groups(np.maximum(kept[0], 0), np.minimum(kept[1], count))
