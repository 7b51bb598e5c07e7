"""Equal blocks of cells along one axis of a picture, one per pixel, their edges at fractions of a cell where needed.

An edge is never reached by adding steps up: block i begins at start + i x cells / per, and both are whole numbers, so
that the millionth edge is as true as the first. Where a pixel is a cell or less, each block is one cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Index = NDArray[np.intp]
# Blocks of this many cells and more may be rounded up to whole cells: a picture then has at most 1/9 fewer of them.
WHOLE_FROM = 8.0
ROUNDING = 1e-6


@dataclass(frozen=True)
class Blocks:
    """Blocks i = 0 .. number-1, each from start + i x cells/per to the next, all cut off at `stop`.

    Attributes
    ----------
    start : float
        Where the first block begins, in cells; cell c covers c .. c+1.
    cells, per : int
        `per` blocks cover `cells` cells; so a block is ``step`` = cells/per cells.
    number : int
        How many blocks there are, at least 1.
    stop : int
        End of what exists: the last block may be shorter.
    """

    start: float
    cells: int
    per: int
    number: int
    stop: int

    @property
    def step(self) -> float:
        """Cells per block."""
        return self.cells / self.per

    @property
    def is_whole(self) -> bool:
        """Whether every edge lies between two cells."""
        return self.per == 1 and self.start == math.floor(self.start)

    @property
    def end(self) -> float:
        """Where the last block ends."""
        return min(self._edge(self.number), float(self.stop))

    def _edge(self, index: int) -> float:
        turns, rest = divmod(index, self.per)
        return self.start + rest * self.cells / self.per + float(turns * self.cells)

    @property
    def edges(self) -> Float:
        """Edges of the blocks in cells, shape (number + 1,), float64."""
        index = np.arange(self.number + 1)
        within = self.start + (index % self.per) * self.cells / self.per
        return np.asarray(np.minimum(within + (index // self.per) * float(self.cells), self.stop))

    @property
    def middles(self) -> Float:
        """The cell in the middle of each block, shape (number,), float64."""
        edges = self.edges
        return np.asarray(np.floor((edges[:-1] + edges[1:]) / 2.0))

    @property
    def whole_edges(self) -> Index:
        """Cells that divide the axis among the blocks, every cell in one block only, shape (number + 1,)."""
        edges = self.edges
        out = np.asarray(np.rint(edges), dtype=np.intp)
        out[0], out[-1] = math.floor(edges[0]), math.ceil(edges[-1])
        return out

    @property
    def starts(self) -> Float:
        """First cell of each of whole blocks, shape (number,), float64."""
        return self.edges[:-1]

    @property
    def counts(self) -> Float:
        """Cells in each of whole blocks, shape (number,), float64."""
        return np.diff(self.edges)

    @property
    def first(self) -> int:
        """The first cell that is touched."""
        return math.floor(self.start)

    @property
    def last(self) -> int:
        """The cell past the last one that is touched."""
        return math.ceil(self.end)

    def cut(self, stop: int) -> Blocks:
        """The blocks of what lies before a cell, which must be beyond ``start``."""
        if stop >= self.stop:
            return self
        number = min(self.number, max(1, math.ceil((stop - self.start) * self.per / self.cells)))
        return Blocks(self.start, self.cells, self.per, number, stop)


def whole_blocks(start: int, step: int, stop: int) -> Blocks:
    """Blocks of whole cells from `start` on; the last one ends at `stop`."""
    return Blocks(float(start), step, 1, max(1, -(-(stop - start) // step)), stop)


def blocks(span: tuple[float, float], pixels: int, total: int, *, whole: bool = False) -> Blocks:
    """Blocks that cover a range of cells, one for each pixel.

    Parameters
    ----------
    span : (low, high)
        Wanted range of edges, in cells, whole or not; it is cut to 0 .. total.
    pixels : int
        Pixels there are for the range.
    total : int
        Number of cells that exist.
    whole : bool
        Whether edges must lie between cells. Then blocks are aligned to multiples of their size, so that panning
        moves a picture without making it anew, and there may be fewer of them than pixels.

    Returns
    -------
    Blocks
        Covering the range; single cells where there is at least a pixel for each.
    """
    low, high = existing(span, total)
    pixels = max(1, pixels)
    step = (high - low) / pixels
    if step <= 1.0 + ROUNDING:  # else a pixel that is a cell but for rounding would be two parts of cells
        return whole_blocks(math.floor(low), 1, math.ceil(high))
    if whole:
        return aligned_blocks(span, -(-(math.ceil(high) - math.floor(low)) // pixels), total)
    cells, per = _nearest_share(step, pixels)
    number = max(1, math.ceil((high - low) * per / cells - 1e-9))
    return Blocks(low, cells, per, number, total)


def aligned_blocks(span: tuple[float, float], step: int, total: int) -> Blocks:
    """Blocks of `step` whole cells, aligned to multiples of it, that cover a range; see :func:`blocks`."""
    low, high = existing(span, total)
    first, last = math.floor(low), math.ceil(high)
    return whole_blocks(first // step * step, step, min(-(-last // step) * step, total))


def plane_blocks(span: tuple[float, float], pixels: int, total: int) -> Blocks:
    """Blocks for a plane of scores, whose cost grows where edges cut cells: whole from :data:`WHOLE_FROM` cells on."""
    low, high = existing(span, total)
    return blocks(span, pixels, total, whole=(high - low) >= WHOLE_FROM * max(1, pixels))


def curve_blocks(span: tuple[float, float], pixels: int, total: int, *, whole: bool = False) -> Blocks:
    """Blocks for a line through all of them: single cells go one further on either side, so that it leaves the view."""
    made = blocks(span, pixels, total, whole=whole)
    return made if made.step > 1.0 else whole_blocks(max(made.first - 1, 0), 1, min(made.last + 1, total))


def existing(span: tuple[float, float], total: int) -> tuple[float, float]:
    """A range of edges cut to 0 .. total, at least a cell wide."""
    low = min(max(float(span[0]), 0.0), total - 1.0)
    high = min(max(float(span[1]), low), float(total))
    return (low, high) if high - low >= 1.0 else (float(math.floor(low)), float(math.floor(low)) + 1.0)


def _nearest_share(step: float, pixels: int) -> tuple[int, int]:
    """Whole numbers (cells, per) whose quotient is just above `step`.

    Few edges within `per` blocks differ in their fraction, which is what makes waves cheap, see
    :mod:`wave_picture`; about the root of the number of blocks is best. Over all blocks the difference amounts to a
    small part of one.
    """
    root = max(4, math.isqrt(pixels))
    candidates = np.arange(3 * root // 4, 3 * root // 2 + 1)
    cells = np.ceil(candidates * step - 1e-9)
    best = int(np.argmin(cells / candidates))
    return int(cells[best]), int(candidates[best])


class Pieces(NamedTuple):
    """Runs of whole cells that blocks with fractions are put together from.

    The mean of a block is the sum of weight x mean over its runs, which follow each other; ``firsts`` (blocks,) is the
    index of each block's first run.
    """

    starts: Float
    counts: Float
    weights: Float
    firsts: Index


def pieces(span: Blocks) -> Pieces:
    """The runs of whole cells in each block: a part of its first cell, whole cells, a part of its last cell."""
    if span.is_whole:
        return Pieces(span.starts, span.counts, np.ones(span.number), np.arange(span.number))
    edges = span.edges
    low, high = edges[:-1], edges[1:]
    width = high - low
    inner_first, inner_last = np.ceil(low), np.floor(high)
    within = inner_first > inner_last  # the whole block lies in one cell
    head = np.where(within, width, inner_first - low)
    tail = np.where(within, 0.0, high - inner_last)
    inner = np.where(within, 0.0, inner_last - inner_first)
    starts = np.stack([np.floor(low), inner_first, inner_last], axis=1)
    counts = np.stack([np.ones(len(low)), np.maximum(inner, 1.0), np.ones(len(low))], axis=1)
    weights = np.stack([head, inner, tail], axis=1) / width[:, None]
    kept = weights > 0.0
    firsts = np.concatenate([[0], np.cumsum(kept.sum(axis=1))[:-1]]).astype(np.intp)
    return Pieces(starts[kept], counts[kept], weights[kept], firsts)


def put_together(values: NDArray[np.floating], runs: Pieces, axis: int) -> NDArray[np.floating]:
    """Means of the blocks from those of their runs, along an axis."""
    if len(runs.firsts) == len(runs.starts):
        return values
    shape = [1] * values.ndim
    shape[axis] = len(runs.weights)
    return np.asarray(np.add.reduceat(values * runs.weights.reshape(shape), runs.firsts, axis=axis))


def cell_sums(values: NDArray[np.floating], edges: Float, axis: int) -> NDArray[np.floating]:
    """Sums of cells between neighbouring edges, a cell that an edge cuts counted by its shares.

    Parameters
    ----------
    values : ndarray
        Cells 0, 1, … along `axis`.
    edges : ndarray, shape (n + 1,), rising, within 0 .. number of cells

    Returns
    -------
    ndarray, n long along `axis`, of the type of `values`
    """
    count, number = values.shape[axis], len(edges) - 1
    index = np.asarray(np.floor(edges), dtype=np.intp)
    share = (edges - index).astype(values.dtype)
    shape = [1] * values.ndim
    shape[axis] = number
    before, after = ([slice(None)] * values.ndim for _ in range(2))
    before[axis], after[axis] = slice(0, -1), slice(1, None)
    # The last sum runs up to the last edge only if that begins a sum of its own; none begins past the last cell.
    begins = np.minimum(index, count - 1)
    inside = int(np.searchsorted(index, count))
    if inside > number:
        sums = np.add.reduceat(values, begins, axis=axis)[tuple(before)]
    else:
        kept = np.add.reduceat(values, begins[:inside], axis=axis)
        sums = np.zeros([number if place == axis else size for place, size in enumerate(values.shape)], kept.dtype)
        before[axis] = slice(0, inside)
        sums[tuple(before)] = kept
        before[axis] = slice(0, -1)
    filled = index[1:] > index[:-1]
    if not filled.all():  # between two edges in one cell numpy gives the cell
        sums *= filled.reshape(shape)
    if share.any():
        cut = np.take(values, begins, axis=axis)
        sums += cut[tuple(after)] * share[1:].reshape(shape)
        sums -= cut[tuple(before)] * share[:-1].reshape(shape)
    return np.asarray(sums)


def cell_means(values: NDArray[np.floating], span: Blocks, axis: int) -> NDArray[np.floating]:
    """Means of the blocks from all cells that they touch, ``span.first`` .. ``span.last`` along an axis."""
    if span.cells == span.per:
        return values
    edges = span.edges
    shape = [1] * values.ndim
    shape[axis] = span.number
    sums = cell_sums(values, edges - span.first, axis)
    sums /= np.diff(edges).reshape(shape).astype(values.dtype)
    return sums
