"""Pictures of a table: exact means of which only the rows asked for are read, and a stand-in that draws few rows.

Means over the columns of a picture are kept for each row read, so that another choice of rows, as when the length of
the sequence is dragged, adds up what is there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, aligned_blocks, cell_means
from pe_desktop.core.lengths import whole_table
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
STRIP_CELLS = 1 << 20
MOST_KEPT = 1 << 21  # means kept for a picture: 8 MB
DRAWN, READ = 0.5, 0.3  # what a random number costs in cells of a picture, and a number that is only read
WIDE = 512  # columns from which on rows are added one by one
SAMPLED_CELLS = 1 << 18  # of the rows that a stand-in draws


class _Rows:
    """Means over blocks of columns, of every row from the first one on as far as a picture needed them.

    Several threads may extend them: all write the same numbers.
    """

    def __init__(self, scheme: Additive, columns: Blocks, rows: int) -> None:
        self._scheme = scheme
        self._columns = columns
        self.values: Float32 = np.empty((rows, columns.number), dtype=np.float32)
        self.filled = 0

    def fill(self, stop: int) -> None:
        """Extend them to row `stop` - 1."""
        begun = self.filled
        height = max(1, STRIP_CELLS // self._scheme.dimension)
        for first in range(begun, stop, height):
            checkpoint((first - begun) / (stop - begun))
            count = min(height, stop - first)
            self.values[first : first + count] = _column_means(self._scheme, first, count, self._columns)
            self.filled = max(self.filled, first + count)


class _LastRows:
    """Those of the last pictures: of two schemes compared, each in two resolutions."""

    MOST = 4

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, _Rows], ...] = ()

    def find(self, scheme: Additive, columns: Blocks) -> _Rows | None:
        """The rows of the table in blocks of columns; None where they are too many to be kept."""
        table = whole_table(scheme)
        rows = (table.last_position or 0) + 1
        if rows * columns.number > MOST_KEPT:
            return None
        key = (table, columns)
        found = next((kept for known, kept in self._kept if known == key), None)
        if found is None:
            found = _Rows(table, columns, rows)
            self._kept = ((key, found), *self._kept[: self.MOST - 1])
        return found


_LAST_ROWS = _LastRows()


def table_means(scheme: Additive, rows: Blocks, columns: Blocks) -> Float:
    """Exact means of blocks of rows x columns of a table, all of whose rows exist, shape (rows, columns)."""
    kept = _LAST_ROWS.find(scheme, columns)
    edges = rows.edges
    if kept is not None and rows.first <= kept.filled:
        kept.fill(rows.last)
        cells = kept.values[rows.first : rows.last].astype(np.float64)
        return np.asarray(_row_sums(cells, edges - rows.first) / np.diff(edges)[:, None])
    out = np.zeros((rows.number, columns.number))
    height = max(1, STRIP_CELLS // scheme.dimension)
    for first in range(rows.first, rows.last, height):
        checkpoint((first - rows.first) / (rows.last - rows.first))
        stop = min(first + height, rows.last)
        cells = _column_means(scheme, first, stop - first, columns)
        low, high = np.searchsorted(edges, (first, stop), side="right")
        here = slice(max(0, int(low) - 1), int(min(high, rows.number)))
        inside = np.clip(edges[here.start : here.stop + 1], first, stop) - first
        out[here] += _row_sums(cells, inside)
    return np.asarray(out / np.diff(edges)[:, None])


def _row_sums(cells: Float, edges: Float) -> Float:
    """Sums of rows between neighbouring edges, a row that an edge cuts counted by its shares: (n, k) to (blocks, k)."""
    sums = np.zeros((len(cells) + 1, cells.shape[1]))
    if cells.shape[1] < WIDE:
        np.cumsum(cells, axis=0, out=sums[1:])
    else:  # numpy would go down column by column, through other memory at each step
        for number, row in enumerate(cells):
            np.add(sums[number], row, out=sums[number + 1])
    whole = np.floor(edges)
    index = whole.astype(np.intp)
    ends = sums[index]
    ends += (edges - whole)[:, None] * cells[np.minimum(index, len(cells) - 1)]
    return np.diff(ends, axis=0)


def _column_means(scheme: Additive, first: int, count: int, columns: Blocks) -> Float:
    cells = scheme.rows(first, count)[:, columns.first : columns.last]
    return np.asarray(cell_means(cells.astype(np.float64), columns, 1), dtype=np.float64)


def table_cost(scheme: Additive, rows: Blocks, columns: Blocks) -> int:
    """Rough work of :func:`table_means`, in cells."""
    kept = _LAST_ROWS.find(scheme, columns)
    touched = rows.last - rows.first
    if kept is not None and rows.last <= kept.filled:
        return int(READ * touched * columns.number) + rows.number * columns.number
    read = READ * touched * (columns.last - columns.first)
    return int(DRAWN * scheme.draw_cost(rows.first, touched) + read) + rows.number * columns.number


def table_samples(
    scheme: Additive, span: tuple[float, float], pixels: int, columns: Blocks, defined: int
) -> tuple[Float32, Blocks]:
    """One row for each block of rows, the first, which is the fastest to draw; the columns are exact means.

    Parameters
    ----------
    scheme : Additive
    span : (low, high)
        Range of edges of rows in view.
    pixels : int
        Most blocks there may be.
    columns : Blocks
    defined : int
        Rows that exist; the others are 0.

    Returns
    -------
    values : ndarray, shape (rows.number, columns.number), float32
    rows : Blocks
    """
    step = scheme.draw_step
    most = max(1, min(pixels, SAMPLED_CELLS // scheme.dimension))
    there = max(1.0, min(span[1], defined) - span[0])
    stride = step * max(1, int(np.ceil(max((span[1] - span[0]) / pixels, there / most) / step)))
    rows = aligned_blocks(span, stride, scheme.length)
    values = np.zeros((rows.number, columns.number), dtype=np.float32)
    for number, first in enumerate(rows.starts[rows.starts < defined].astype(np.intp).tolist()):
        values[number] = _column_means(scheme, first, 1, columns)[0]
    return values, rows
