"""Exact means of sines over blocks of positions, and sums of cosines over all gaps.

Nothing here builds a table of positions x dimensions: a block of any length costs as much as one
position, because the mean of a sine over equally spaced points has a closed form (the Dirichlet
kernel).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
TURN = 2.0 * math.pi
# Fine and coarse positions of the product below; 1024 x 1024 covers the longest sequence.
FINE = 1024


@lru_cache(maxsize=64)
def geometric_frequencies(base: float, width: float, count: int) -> Float:
    """Inverse frequencies base^(-2i/width), i < count, rad/position (Vaswani 2017, Su 2021).

    Returns
    -------
    ndarray, shape (count,), float64, read-only
    """
    frequencies = np.asarray(base ** (-2.0 * np.arange(count) / width), dtype=np.float64)
    frequencies.flags.writeable = False
    return frequencies


def dirichlet(frequencies: Float, count: int | Float) -> Float:
    """Factor by which averaging over `count` consecutive positions shrinks a sine.

    sin(n w/2) / (n sin(w/2)), and its limit where sin(w/2) vanishes.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    count : int, at least 1, or ndarray, shape (n, 1)

    Returns
    -------
    ndarray, shape (k,) or (n, k), float64
    """
    if isinstance(count, int) and count == 1:
        return np.ones_like(frequencies)
    half = np.remainder(frequencies, 2.0 * TURN) / 2.0  # two turns: an even count changes sign after one
    below = np.sin(half)
    # Near whole turns, but for 0, n x half is rounded more coarsely than sin(half) is small.
    tiny = np.where(half < 1.0, below == 0.0, np.abs(below) < 1e-9)
    safe = count * np.where(tiny, 1.0, below)
    # There the kernel is +-1: (-1)^(round(w/2pi) (n-1)), which is cos((n-1) w/2).
    return np.where(tiny, np.cos((count - 1) * half), np.sin(count * half) / safe)


def mean_waves(frequencies: Float, starts: Float, count: int) -> tuple[Float, Float]:
    """Mean of sin and cos of position x frequency over blocks of positions.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    starts : ndarray, shape (n,)
        First position of each block.
    count : int
        Positions in a block.

    Returns
    -------
    sin, cos : ndarray, shape (n, k), float64
    """
    centres = np.asarray(starts, dtype=np.float64) + (count - 1) / 2.0
    angles = np.outer(centres, frequencies)
    sin, cos = np.sin(angles), np.cos(angles)
    if count > 1:
        shrink = dirichlet(frequencies, count)
        sin *= shrink
        cos *= shrink
    return sin, cos


def _reduced(positions: NDArray[np.floating], frequencies: Float, phases: Float) -> NDArray[np.float32]:
    """Angles in rad, reduced to one turn in float64 before they are rounded, shape (n, k)."""
    turns = np.multiply.outer(positions, frequencies / TURN)
    turns += phases / TURN
    turns -= np.rint(turns)
    turns *= TURN
    return np.asarray(turns, dtype=np.float32)


def wave_picture(frequencies: Float, phases: Float, start: float, step: int, rows: int, count: int) -> Float32:
    """Block means of sin(position x frequency + phase) for a picture.

    Rows are equally spaced, so sin(a + b) = sin a cos b + cos a sin b needs the sine of a coarse and of a
    fine part of the row only: about 2 sqrt(rows) sines per column instead of one per cell.

    Parameters
    ----------
    frequencies, phases : ndarray, shape (k,), rad/position and rad
    start : float
        First position of the first block.
    step, rows : int
        Positions from one block to the next, and number of blocks.
    count : int
        Positions averaged in each block.

    Returns
    -------
    ndarray, shape (rows, k), float32
        Off by less than 1e-6 at a million positions.
    """
    fine_rows = max(1, math.isqrt(rows))
    coarse_rows = -(-rows // fine_rows)
    coarse = _reduced(start + (count - 1) / 2.0 + np.arange(coarse_rows) * float(step * fine_rows), frequencies, phases)
    fine = _reduced(np.arange(fine_rows) * float(step), frequencies, np.zeros_like(frequencies))
    shrink = dirichlet(frequencies, count).astype(np.float32)
    out = np.sin(coarse)[:, None, :] * (np.cos(fine) * shrink)
    out += np.cos(coarse)[:, None, :] * (np.sin(fine) * shrink)
    return out.reshape(coarse_rows * fine_rows, -1)[:rows]


def cosine_sums(frequencies: Float, gaps: Float) -> Float:
    """Sum over the frequencies of cos(gap x frequency), shape (n,), float64, for gaps (n,)."""
    angles = np.multiply.outer(np.asarray(gaps, dtype=np.float64), frequencies)
    return np.asarray(np.cos(angles, out=angles).sum(axis=1))


def cosine_progression(
    frequencies: Float, start: float, step: float, count: int, weights: Float | None = None
) -> Float:
    """Sum of cos(gap x frequency) for the equally spaced gaps start, start + step, …

    The addition theorem splits each gap into a coarse and a fine part, so that the sums are two small
    matrix products over 2 sqrt(count) phases per frequency.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    start, step : float
        First gap (may be negative) and spacing, in positions.
    count : int
    weights : ndarray, shape (k,), optional
        Factor of each cosine, 1 if not given.

    Returns
    -------
    ndarray, shape (count,), float64
    """
    fine_count = max(1, math.isqrt(count))
    coarse_count = -(-count // fine_count)
    sums = cosine_lattice(frequencies, start, (step * fine_count, coarse_count), (step, fine_count), weights)
    return sums.reshape(-1)[:count]


def cosine_lattice(
    frequencies: Float,
    start: float,
    rows: tuple[float, int],
    columns: tuple[float, int],
    weights: Float | None = None,
) -> Float:
    """Sum of cos(gap x frequency) for the gaps start + i x row step + j x column step.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    start : float
        Gap of the first row and column, in positions.
    rows, columns : (step, count)
        Steps in positions, of either sign, and their numbers.
    weights : ndarray, shape (k,), optional
        Factor of each cosine, 1 if not given.

    Returns
    -------
    ndarray, shape (rows, columns), float64
    """
    coarse = _phases(frequencies, start, *rows)
    fine = _phases(frequencies, 0.0, *columns)
    if weights is not None:
        fine *= weights
    # Every second number of a row: copied, or numpy multiplies without BLAS, ten times as slowly.
    above, beside = (np.ascontiguousarray(each.real) for each in (coarse, fine))
    sums = above @ beside.T
    above[:], beside[:] = coarse.imag, fine.imag
    sums -= above @ beside.T
    return np.asarray(sums)


def _phases(frequencies: Float, start: float, step: float, count: int) -> NDArray[np.complex128]:
    """exp(i w gap) for equally spaced gaps, shape (count, k): each is the one before times a fixed turn."""
    out = np.empty((count, len(frequencies)), dtype=np.complex128)
    out[0] = np.exp(1j * start * frequencies)
    turn = np.exp(1j * step * frequencies)
    for row in range(1, count):  # five times as fast as multiply.accumulate over rows
        np.multiply(out[row - 1], turn, out=out[row])
    return out


class _LastSums:
    """The last sums over all gaps, those of a scheme and of one compared with it (4 MB each for a million gaps)."""

    MOST = 2

    def __init__(self) -> None:
        self._kept: tuple[tuple[bytes, Float32], ...] = ()

    def find(self, frequencies: Float, count: int) -> Float32 | None:
        wanted = frequencies.tobytes()
        for key, sums in self._kept:
            if len(sums) >= count and key == wanted:
                others = tuple(entry for entry in self._kept if entry[1] is not sums)
                self._kept = ((key, sums), *others)
                return sums[:count]
        return None

    def keep(self, frequencies: Float, sums: Float32) -> None:
        sums.flags.writeable = False
        self._kept = ((frequencies.tobytes(), sums), *self._kept[: self.MOST - 1])


_LAST_SUMS = _LastSums()


def knows_all_sums(frequencies: Float, count: int) -> bool:
    """Whether :func:`all_cosine_sums` would answer at once."""
    return _LAST_SUMS.find(frequencies, count) is not None


def all_cosine_sums(frequencies: Float, count: int) -> Float32:
    """Sum of cos(gap x frequency) for every gap 0 .. count-1.

    cos(w(a+b)) = cos wa cos wb - sin wa sin wb turns the scan into two matrix products; a million gaps
    of 512 frequencies take some tens of milliseconds. The last answer is kept.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    count : int

    Returns
    -------
    ndarray, shape (count,), float32, read-only
        Accurate to about 1e-6 of the number of frequencies.
    """
    found = _LAST_SUMS.find(frequencies, count)
    if found is None:
        found = _scan_sums(frequencies, count)
        _LAST_SUMS.keep(frequencies, found)
    return found


def _scan_sums(frequencies: Float, count: int) -> Float32:
    blocks = -(-count // FINE)
    fine = np.outer(frequencies, np.arange(FINE, dtype=np.float64))
    fine_cos, fine_sin = np.cos(fine).astype(np.float32), np.sin(fine).astype(np.float32)
    out = np.empty((blocks, FINE), dtype=np.float32)
    for first in range(0, blocks, 256):  # in strips, so that the products stay small
        checkpoint(first / blocks)
        coarse = np.outer(np.arange(first, min(first + 256, blocks), dtype=np.float64) * FINE, frequencies)
        strip = out[first : first + 256]
        np.matmul(np.cos(coarse).astype(np.float32), fine_cos, out=strip)
        strip -= np.sin(coarse).astype(np.float32) @ fine_sin
    return out.reshape(-1)[:count]


def scan_minimum(
    bound: NDArray[np.float32], exact: Callable[[int], float], slack: float, limit: int = 4096
) -> tuple[int, float]:
    """Find the index of the smallest exact value by visiting lower bounds in rising order.

    Parameters
    ----------
    bound : ndarray, shape (n,)
        A lower bound of the exact value of each index, true up to `slack`.
    exact : callable
        Exact value of an index.
    slack : float
        How far a bound may lie above its exact value.
    limit : int
        Most candidates to visit.

    Returns
    -------
    index, value : int, float
    """
    if len(bound) > limit:
        candidates = np.argpartition(bound, limit)[:limit]
        candidates = candidates[np.argsort(bound[candidates])]
    else:
        candidates = np.argsort(bound)
    best_index, best = int(candidates[0]), math.inf
    for index in candidates:
        if bound[index] - slack > best:
            break
        value = exact(int(index))
        if value < best:
            best_index, best = int(index), value
    return best_index, best
