"""Exact evaluation of any window of a matrix: each picture cell is the mean of the cells it covers.

Blocks are whole cells, aligned to multiples of their size, so that panning moves a picture without
resampling it, and no sampling pattern (moiré) can arise at any length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.parts import Float32, Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.waves import wave_picture


@dataclass(frozen=True)
class Blocks:
    """Equal blocks of whole cells along one axis; the last may be shorter.

    ``start`` is the first cell of the first block, ``step`` the cells per block, ``stop`` the cell past the last.
    """

    start: int
    step: int
    stop: int

    @property
    def starts(self) -> Float:
        """First cell of each block, shape (n,), float64."""
        return np.arange(self.start, self.stop, self.step, dtype=np.float64)

    @property
    def counts(self) -> Float:
        """Cells in each block, shape (n,), float64."""
        starts = self.starts
        return np.minimum(starts + self.step, self.stop) - starts


def blocks(cells: tuple[int, int], pixels: int, total: int) -> Blocks:
    """Blocks that cover a range of cells with at least one pixel each.

    Parameters
    ----------
    cells : (first, past the last)
        Wanted range; it is cut to [0, total) and widened to whole blocks.
    pixels : int
        Pixels available.
    total : int
        Number of cells that exist.
    """
    first, last = _existing(cells, total)
    return blocks_of(cells, max(1, -(-(last - first) // max(1, pixels))), total)


def blocks_of(cells: tuple[int, int], step: int, total: int) -> Blocks:
    """Blocks of `step` cells that cover a range of cells; see :func:`blocks`."""
    first, last = _existing(cells, total)
    return Blocks(first // step * step, step, min(-(-last // step) * step, total))


def _existing(cells: tuple[int, int], total: int) -> tuple[int, int]:
    first = min(max(int(cells[0]), 0), total - 1)
    return first, min(max(int(cells[1]), first + 1), total)


@dataclass(frozen=True, eq=False)
class Picture:
    """Means (rows, columns) float32 of a window, and the blocks they are means of.

    ``seen`` is None for exact means; else the number of cells of each block that were looked at, at least.
    """

    values: Float32
    rows: Blocks
    columns: Blocks
    seen: int | None = None


def shape_of(scheme: Scheme) -> tuple[int, int]:
    """Rows and columns of the whole matrix that a scheme shows; columns 0 if it has none."""
    if isinstance(scheme, ScoreBias):
        return scheme.length, scheme.length
    if isinstance(scheme, Rotary):
        return scheme.length, scheme.rotary_width
    return scheme.length, scheme.dimension


def defined_rows(scheme: Scheme) -> int:
    """Rows of the matrix that have a value; the others lie past the end of a table."""
    last = scheme.last_position
    return scheme.length if last is None else min(scheme.length, last + 1)


def bias_cost(scheme: ScoreBias, window: Window) -> int:
    """Rough work of the picture of a bias, in cells."""
    rows = blocks(window.rows, window.height, scheme.length)
    columns = blocks(window.columns, window.width, scheme.length)
    return scheme.mean_cost((rows.start, rows.stop), (columns.start, columns.stop), (rows.step, columns.step))


def bias_picture(scheme: ScoreBias, window: Window, head: int, centres: bool) -> Picture:
    """The bias of one head in a window: exact means, or the samples a scheme without closed form takes.

    With `centres` every block is the cell in its middle, which takes no time.
    """
    rows = blocks(window.rows, window.height, scheme.length)
    columns = blocks(window.columns, window.width, scheme.length)
    if centres:
        down, across = (each.starts + np.floor((each.counts - 1) / 2.0) for each in (rows, columns))
        cells = scheme.bias(down, across, [head])[0]
        return Picture(cells.astype(np.float32), rows, columns, None if rows.step * columns.step == 1 else 1)
    means = scheme.block_bias(head, rows.starts, rows.counts, columns.starts, columns.counts)
    seen = scheme.cells_seen(rows.step, columns.step)
    exact = seen == rows.step * columns.step
    return Picture(means.astype(np.float32), rows, columns, None if exact else seen)


def picture(scheme: Scheme, window: Window, head: int = 0) -> Picture:
    """Exact block means of the part of the matrix that a window shows.

    Parameters
    ----------
    scheme : Scheme
    window : Window
        Cells wanted and pixels available for them.
    head : int
        For a score bias: which head.

    Returns
    -------
    Picture
        Rows past the end of a table are 0.
    """
    if isinstance(scheme, ScoreBias):
        return bias_picture(scheme, window, head, False)
    n_rows, n_columns = shape_of(scheme)
    rows = blocks(window.rows, window.height, n_rows)
    columns = blocks(window.columns, window.width, n_columns)
    defined = defined_rows(scheme)
    out = np.zeros((len(rows.starts), len(columns.starts)), dtype=np.float32)
    row = 0
    for starts, count in _runs(rows, defined):
        values = _cells(scheme, starts, rows.step, count, slice(columns.start, columns.stop))
        out[row : row + len(starts)] = column_means(values, columns.step)
        row += len(starts)
    return Picture(out, rows, columns)


def _runs(rows: Blocks, defined: int) -> list[tuple[Float, int]]:
    """Starts of the full blocks with their count, then the shorter last block, up to `defined`."""
    stop = min(rows.stop, defined)
    if stop <= rows.start:
        return []
    full = (stop - rows.start) // rows.step
    runs = [(rows.starts[:full], rows.step)] if full else []
    rest = stop - rows.start - full * rows.step
    if rest:
        runs.append((np.array([float(rows.start + full * rows.step)]), rest))
    return runs


def _cells(scheme: Scheme, starts: Float, step: int, count: int, columns: slice) -> NDArray[np.floating]:
    waves = wave_columns(scheme)
    if waves is not None:
        frequencies, phases = waves
        return wave_picture(frequencies[columns], phases[columns], starts[0], step, len(starts), count)
    if isinstance(scheme, Rotary):
        means = np.empty((len(starts), scheme.rotary_width))
        first, second = scheme.pairs()
        means[:, first], means[:, second] = scheme.block_waves(starts, count)
        return means[:, columns]
    assert isinstance(scheme, Additive)
    return scheme.block_mean(starts, count, columns)


def wave_columns(scheme: Scheme) -> tuple[Float, Float] | None:
    """Frequency and phase of every column of the matrix picture, if all columns are sines.

    For a rotary scheme the picture holds cosine and sine of the angle at the dimensions
    (a, b) of each pair.
    """
    if isinstance(scheme, Rotary):
        if not scheme.pictured_by_waves:
            return None
        frequencies, phases = np.zeros(scheme.rotary_width), np.zeros(scheme.rotary_width)
        first, second = scheme.pairs()
        frequencies[first] = frequencies[second] = scheme.inv_freq()
        phases[first] = np.pi / 2
        return frequencies, phases
    return scheme.wave_columns() if isinstance(scheme, Additive) else None


def column_means(values: NDArray[np.floating], step: int) -> NDArray[np.floating]:
    """Means of `step` neighbouring columns, the last group possibly shorter: (n, k) -> (n, ceil(k / step))."""
    if step == 1:
        return values
    full = values.shape[1] // step
    if step <= 8:  # a few strided adds beat a reduction over a tiny axis
        total = values[:, 0 : full * step : step].copy()
        for offset in range(1, step):
            total += values[:, offset : full * step : step]
        total /= step
    else:
        total = values[:, : full * step].reshape(len(values), full, step).mean(axis=2)
    if full * step == values.shape[1]:
        return total
    rest = values[:, full * step :].mean(axis=1, keepdims=True)
    return np.concatenate([total, rest], axis=1)
