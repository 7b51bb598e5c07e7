"""Exact means of sines over blocks of positions, and sums of cosines over gaps.

Nothing here builds a table of positions x dimensions: a block of any length costs as much as one
position, because the mean of a sine over equally spaced points has a closed form (the Dirichlet
kernel).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.phases import reduced, turns_in_steps

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
TURN = 2.0 * math.pi


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
    below[tiny] = 1.0
    kernel = np.sin(reduced(count * half))
    kernel /= count * below
    if tiny.any():  # there it is +-1: (-1)^(round(w/2pi) (n-1)), which is cos((n-1) w/2)
        kernel[..., tiny] = np.cos((count - 1) * half[tiny])
    return np.asarray(kernel)


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


def cosine_progression(
    frequencies: Float, start: float, step: float, count: int, weights: Float | None = None, *, single: bool = False
) -> NDArray[np.floating]:
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
    single : bool
        Multiply in single precision: twice as fast, off by up to 1e-6 of the number of frequencies.

    Returns
    -------
    ndarray, shape (count,), float64, or float32 where `single`
    """
    fine_count = max(1, math.isqrt(count))
    coarse_count = -(-count // fine_count)
    steps = (step * fine_count, coarse_count), (step, fine_count)
    sums = cosine_lattice(frequencies, start, *steps, weights, single=single)
    return sums.reshape(-1)[:count]


def cosine_lattice(
    frequencies: Float,
    start: float,
    rows: tuple[float, int],
    columns: tuple[float, int],
    weights: Float | None = None,
    *,
    single: bool = False,
) -> NDArray[np.floating]:
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
    single : bool
        See :func:`cosine_progression`.

    Returns
    -------
    ndarray, shape (rows, columns), float64, or float32 where `single`
    """
    coarse, fine = turns_in_steps(frequencies, start, *rows), turns_in_steps(frequencies, 0.0, *columns)
    np.conjugate(fine, out=fine)
    if weights is not None:
        fine *= weights
    # Numbers in pairs, real and imaginary: of those of a and of conj(b) the product is the real part of a b.
    if single:
        return np.asarray(coarse.astype(np.complex64).view(np.float32) @ fine.astype(np.complex64).view(np.float32).T)
    return np.asarray(coarse.view(np.float64) @ fine.view(np.float64).T)
