"""Pictures of sines: the exact mean of every pixel, whatever it covers, without a table of positions x dimensions.

The sum of a wave over whole positions n .. n+c-1 is c D_c(w) exp(iw(n + (c-1)/2)), D the Dirichlet kernel; an edge
within a position takes its share of that position's value. Edges repeat after `per` blocks, see :mod:`blocks`, so
that block i = coarse part x fine part, about 2 sqrt(blocks) phases for each column. Where several columns share a
pixel their mean is taken inside the product of the two parts: one small matrix product for each pixel column.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks, cell_means
from pe_desktop.core.phases import reduced
from pe_desktop.core.waves import TURN, Float, Float32, dirichlet


class Parts(NamedTuple):
    """Sine and cosine of the coarse part (coarse, k), and real and imaginary factor of the fine part (fine, k)."""

    sin: Float32
    cos: Float32
    real: Float32
    imag: Float32


def wave_means(frequencies: Float, phases: Float, rows: Blocks, columns: Blocks) -> Float32:
    """Means of sin(position x frequency + phase) over blocks of positions x columns.

    Parameters
    ----------
    frequencies, phases : ndarray, shape (k,), rad/position and rad
        Of all columns there are.
    rows, columns : Blocks
        Of positions and of columns.

    Returns
    -------
    ndarray, shape (rows.number, columns.number), float32
        Off by less than 2e-6 at a million positions.
    """
    touched = slice(columns.first, columns.last)
    frequencies, phases = frequencies[touched], phases[touched]
    if columns.cells == columns.per:
        out = _single(_parts(frequencies, phases, rows))[: rows.number]
    else:
        out = _averaged(frequencies, phases, rows, columns)[: rows.number]
    low, high = rows.edges[-2:]
    if high < low + rows.step * (1.0 - 1e-12):  # the last block ends where the positions do
        last = block_integral(frequencies, phases, float(low), float(high)) / (high - low)
        out[-1] = cell_means(last[None], columns, 1)[0]
    return np.ascontiguousarray(out)


def _parts(frequencies: Float, phases: Float | None, rows: Blocks) -> Parts:
    # A multiple of `per` fine rows: one `per` is enough for edges to repeat, and may be a single row.
    turns = max(1, math.isqrt(rows.number) // rows.per)
    fine, stride = rows.per * turns, rows.cells * turns
    base = math.floor(rows.start)
    coarse = np.arange(-(-rows.number // fine), dtype=np.float64) * stride + base
    sin, cos = _sin_cos(coarse, frequencies, phases)
    real, imag = _fine(frequencies, rows, fine, rows.start - base)
    return Parts(sin, cos, real, imag)


def _fine(frequencies: Float, rows: Blocks, fine: int, offset: float) -> tuple[Float32, Float32]:
    """Mean of exp(i position x frequency) over each of the first blocks, position 0 a fraction before their start."""
    edges = offset + np.arange(fine + 1) * rows.cells / rows.per
    whole = np.floor(edges)
    shares = ((edges - whole) / rows.step).astype(np.float32)[:, None]
    sin, cos = _sin_cos(whole, frequencies, None)
    sizes, which = np.unique(np.diff(whole), return_inverse=True)  # two at most
    turn_sin, turn_cos = _sin_cos((sizes - 1.0) / 2.0, frequencies, None)
    lengths = (sizes[:, None] * dirichlet(frequencies, sizes[:, None]) / rows.step).astype(np.float32)
    turn_sin, turn_cos = (turn_sin * lengths)[which], (turn_cos * lengths)[which]
    real, imag = cos[:-1] * turn_cos, sin[:-1] * turn_cos
    real -= sin[:-1] * turn_sin
    imag += cos[:-1] * turn_sin
    if shares.any():
        for out, wave in ((real, cos), (imag, sin)):
            wave *= shares
            out += wave[1:]
            out -= wave[:-1]
    return real, imag


def _sin_cos(positions: Float, frequencies: Float, phases: Float | None) -> tuple[Float32, Float32]:
    """Sine and cosine of position x frequency + phase, each (n, k), float32.

    Angles are reduced to one turn in float64 before they are rounded, so that a million positions lose nothing.
    """
    turns = np.multiply.outer(positions, frequencies / TURN)
    if phases is not None:
        turns += phases / TURN
    turns -= np.rint(turns)
    angles = turns.astype(np.float32)
    angles *= np.float32(TURN)
    return np.sin(angles), np.cos(angles)


def _single(parts: Parts) -> Float32:
    """Products of coarse and fine part, shape (coarse x fine, k)."""
    means = parts.sin[:, None, :] * parts.real
    means += parts.cos[:, None, :] * parts.imag
    return means.reshape(-1, means.shape[2])


def _averaged(frequencies: Float, phases: Float, rows: Blocks, columns: Blocks) -> Float32:
    """The same averaged over blocks of columns, shape (coarse x fine, columns.number)."""
    # Sine and cosine of a pair have one frequency.
    different, which = np.unique(frequencies, return_inverse=True)
    parts = _parts(different, None, rows)
    index, weights = column_weights(columns)
    cos_phase, sin_phase = (each.astype(np.float32)[index] * weights for each in (np.cos(phases), np.sin(phases)))
    wave, touched = which[index], index.shape[1]
    sin, cos, real, imag = (np.take(part, wave, axis=1) for part in parts)
    above = np.empty((len(sin), columns.number, 2 * touched), dtype=np.float32)
    np.multiply(sin, cos_phase, out=above[..., :touched])
    above[..., :touched] += cos * sin_phase
    np.multiply(cos, cos_phase, out=above[..., touched:])
    above[..., touched:] -= sin * sin_phase
    beside = np.concatenate([real, imag], axis=2)
    means = np.matmul(above.transpose(1, 0, 2), beside.transpose(1, 2, 0))
    return means.transpose(1, 2, 0).reshape(-1, columns.number)


def column_weights(columns: Blocks) -> tuple[NDArray[np.intp], Float32]:
    """Which columns each block touches, counted from ``columns.first`` on, and its share of each.

    Returns
    -------
    index, weights : ndarray, shape (columns.number, most touched)
        Blocks that touch fewer repeat a column with weight 0.
    """
    edges = columns.edges - columns.first
    low, high = edges[:-1, None], edges[1:, None]
    first = np.floor(low)
    most = int((np.ceil(high) - first).max())
    index = first + np.arange(most)
    share = np.minimum(index + 1.0, high) - np.maximum(index, low)
    weights = (np.maximum(share, 0.0) / (high - low)).astype(np.float32)
    return np.minimum(index, columns.last - columns.first - 1).astype(np.intp), weights


def block_integral(frequencies: Float, phases: Float, low: float, high: float) -> Float:
    """Sum of sin(position x frequency + phase) between two edges, cut positions by their shares, (k,), float64."""
    first, last = math.floor(low), math.floor(high)
    total = np.zeros(len(frequencies))
    for share, position in ((high - last, last), (first - low, first)):
        if share:
            total += share * np.sin(reduced(position * frequencies + phases))
    if last > first:
        middle = np.sin(reduced((first + (last - first - 1) / 2.0) * frequencies + phases))
        middle *= dirichlet(frequencies, last - first)
        middle *= last - first
        total += middle
    return total
