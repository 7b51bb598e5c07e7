"""Exact evaluation of any window of a matrix: each picture cell is the mean of what its pixel covers.

A pixel may begin and end within a cell (see :mod:`blocks`), of which it then takes a share. Since nothing is left out
and nothing is taken twice, no sampling pattern (moiré) can arise at any length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import (
    Blocks,
    Pieces,
    blocks,
    cell_means,
    pieces,
    plane_blocks,
    put_together,
    whole_blocks,
)
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.parts import Float32, Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.table_means import table_means
from pe_desktop.core.wave_picture import wave_means


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


def bias_blocks(scheme: ScoreBias, window: Window) -> tuple[Blocks, Blocks]:
    """Blocks of queries and of keys of the picture of a bias."""
    rows = plane_blocks(window.rows, window.height, scheme.length)
    return rows, plane_blocks(window.columns, window.width, scheme.length)


def bias_cost(scheme: ScoreBias, window: Window) -> int:
    """Rough work of the picture of a bias, in cells."""
    rows, columns = bias_blocks(scheme, window)
    steps = max(1, int(rows.step)), max(1, int(columns.step))
    cost = scheme.mean_cost((rows.first, rows.last), (columns.first, columns.last), steps)
    return cost * (1 if rows.is_whole else 3) * (1 if columns.is_whole else 3)


def bias_picture(scheme: ScoreBias, window: Window, head: int, centres: bool) -> Picture:
    """The bias of one head in a window: exact means, or the samples a scheme without closed form takes.

    With `centres` every block is the cell in its middle, which takes no time.
    """
    rows, columns = bias_blocks(scheme, window)
    if centres:
        cells = scheme.bias(rows.middles, columns.middles, [head])[0]
        return Picture(cells.astype(np.float32), rows, columns, None if rows.step * columns.step == 1 else 1)
    down, across = pieces(rows), pieces(columns)
    means = put_together(put_together(_run_means(scheme, head, down, across), down, 0), across, 1)
    seen = scheme.cells_seen(int(down.counts.max()), int(across.counts.max()))
    exact = seen == int(down.counts.max()) * int(across.counts.max())
    return Picture(np.asarray(means, dtype=np.float32), rows, columns, None if exact else seen)


def _run_means(scheme: ScoreBias, head: int, down: Pieces, across: Pieces) -> Float:
    """Means over rectangles of runs; runs of one length are asked for together, which is what schemes are quick at."""
    if len(down.starts) == len(down.firsts) and len(across.starts) == len(across.firsts):
        return scheme.block_bias(head, down.starts, down.counts, across.starts, across.counts)
    i, j = (np.argsort(each.counts, kind="stable") for each in (down, across))
    out = np.empty((len(i), len(j)))
    out[np.ix_(i, j)] = scheme.block_bias(head, down.starts[i], down.counts[i], across.starts[j], across.counts[j])
    return out


def picture(scheme: Scheme, window: Window, head: int = 0) -> Picture:
    """Exact means of the part of the matrix that a window shows, one for each pixel.

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
    out = np.zeros((rows.number, columns.number), dtype=np.float32)
    defined = defined_rows(scheme)
    if rows.start < defined:
        there = rows.cut(defined)
        out[: there.number] = _means(scheme, there, columns)
    return Picture(out, rows, columns)


def row_means(scheme: Scheme, rows: Blocks) -> NDArray[np.floating]:
    """Exact means of whole rows of the matrix of an added or rotary scheme, shape (rows.number, columns)."""
    return _means(scheme, rows, whole_blocks(0, 1, shape_of(scheme)[1]))


def _means(scheme: Scheme, rows: Blocks, columns: Blocks) -> NDArray[np.floating]:
    waves = wave_columns(scheme)
    if waves is not None:
        return wave_means(*waves, rows, columns)
    if isinstance(scheme, Gridded):
        return scheme.picture_means(rows, columns)
    assert isinstance(scheme, Additive)
    return _straight_means(scheme, rows, columns) if scheme.straight else table_means(scheme, rows, columns)


def _straight_means(scheme: Additive, rows: Blocks, columns: Blocks) -> Float:
    """Rows on a straight line, of which two tell all; the mean of a block is the row at the mean of its positions."""
    last = max(1.0, scheme.length - 1.0)
    ends = cell_means(scheme.encode(np.array([0.0, last]))[:, columns.first : columns.last], columns, 1)
    runs = pieces(rows)
    middles = put_together(runs.starts + (runs.counts - 1.0) / 2.0, runs, 0)
    return np.asarray(ends[0] + np.multiply.outer(middles / last, ends[1] - ends[0]))


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
