"""Sums of the waves that read one coordinate, at many of its whole values: products of few phases.

The addition theorem splits a value into an anchor and an offset; values that rise evenly, or nearly so as along the
rows of a grid, share their offsets. So two small matrices of phases give the sums at all values as their product.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.grid_means import waves_at
from pe_desktop.core.phases import turns_in_steps, turns_of
from pe_desktop.core.wave_sums import FEWEST, wave_sums

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]
TRANSFORM = 1 << 23  # values x waves from which on a Fourier transform is faster than products
CROWDED = 8  # offsets for each one of an even progression, beyond which each sum is worked out by itself
STRIP_CELLS = 1 << 18


def sums_in_range(coefficients: Complex, frequencies: Float, first: int, count: int) -> Float:
    """Sum of Re(z e^(iwx)) over the waves at the values x = first .. first + count - 1.

    Parameters
    ----------
    coefficients : ndarray, shape (k,), complex128
        z of each wave.
    frequencies : ndarray, shape (k,), rad per step
    first, count : int

    Returns
    -------
    ndarray, shape (count,), float64
        Off by less than 1e-10 of the sum of |z|.
    """
    if len(frequencies) >= FEWEST and count * len(frequencies) >= TRANSFORM:
        return wave_sums(coefficients, frequencies, first, count)
    height = max(1, math.isqrt(count))
    anchors = turns_in_steps(frequencies, float(first), float(height), -(-count // height))
    anchors *= coefficients
    return _products(anchors, turns_in_steps(frequencies, 0.0, 1.0, height)).reshape(-1)[:count]


def sums_at(coefficients: Complex, frequencies: Float, values: Float) -> Float:
    """The same at any `values` (n,) that rise, shape (n,), float64; quick where they rise nearly evenly."""
    height = max(1, math.isqrt(len(values)))
    anchors = values[::height]
    group = np.arange(len(values)) // height
    offsets, which = np.unique(values - anchors[group], return_inverse=True)
    if len(offsets) > CROWDED * height:
        return _one_by_one(coefficients, frequencies, values)
    above = waves_at(frequencies, anchors)
    above *= coefficients
    return np.asarray(_products(above, waves_at(frequencies, offsets))[group, which.reshape(-1)])


def _products(above: Complex, beside: Complex) -> Float:
    """Real part of the product of rows of phases (m, k) and (n, k), summed over the waves, shape (m, n)."""
    # A complex row seen as real and imaginary parts in turn: the product of a row with a conjugate one is Re(z w).
    return np.asarray(above.view(np.float64) @ np.conjugate(beside).view(np.float64).T)


def _one_by_one(coefficients: Complex, frequencies: Float, values: Float) -> Float:
    out = np.empty(len(values))
    height = max(1, STRIP_CELLS // len(frequencies))
    for first in range(0, len(values), height):
        strip = slice(first, first + height)
        out[strip] = (turns_of(np.multiply.outer(values[strip], frequencies)) @ coefficients).real
    return out
