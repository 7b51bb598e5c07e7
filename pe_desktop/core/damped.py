"""Sums of damped waves: z^g with |z| at most 1 over gaps g of 0 and more, where nothing can overflow."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]
SERIES = 1e-3  # below it a power series of the triangle sum is the more exact form


def damped_progression(rates: Complex, start: float, step: float, count: int, weights: Complex | None = None) -> Float:
    """Real part of the sum over k of weights x exp(rates x gap), for the equally spaced gaps start, start + step, …

    As :func:`waves.cosine_progression`, two small matrix products over about 2 sqrt(count) powers per rate.

    Parameters
    ----------
    rates : ndarray, shape (k,), complex
        Real part 0 or less (damping), imaginary part the frequency, per position.
    start, step : float
        First gap and spacing, 0 or more.
    count : int
    weights : ndarray, shape (k,), complex, optional

    Returns
    -------
    ndarray, shape (count,), float64
    """
    fine_count = max(1, math.isqrt(count))
    coarse_count = -(-count // fine_count)
    coarse = np.exp(np.multiply.outer(start + np.arange(coarse_count) * (step * fine_count), rates))
    fine = np.exp(np.multiply.outer(np.arange(fine_count) * step, rates))
    if weights is not None:
        fine *= weights
    sums = coarse.real @ fine.real.T
    sums -= coarse.imag @ fine.imag.T
    return np.asarray(sums.reshape(-1)[:count])


def geometric_sums(rates: Complex, counts: Float) -> Complex:
    """Sums of exp(rate x g) over g = 0 .. count - 1 for `counts` (n,), shape (n, k)."""
    below = np.expm1(rates)
    still = below == 0.0
    sums = np.expm1(np.multiply.outer(counts, rates)) / np.where(still, 1.0, below)
    return np.where(still, counts[:, None], sums)


def triangle_sums(rates: Complex, counts: Float) -> Complex:
    """Sums of (count - g) exp(rate x g) over g = 0 .. count - 1 for `counts` (n,), shape (n, k).

    What the queries and keys of a square on the diagonal add up to, keys after their query left out.
    """
    n, below = counts[:, None], -np.expm1(rates)
    reach = np.multiply.outer(counts, rates)
    # Where nothing changes over the whole square the closed form is a difference of nearly equal numbers.
    series = n * (n + 1.0) / 2.0 + rates * n * (n * n - 1.0) / 6.0 + rates**2 * n * n * (n * n - 1.0) / 24.0
    safe = np.where(below == 0.0, 1.0, below)
    closed = n / safe + np.exp(rates) * np.expm1(reach) / safe**2
    return np.where(np.abs(reach) < SERIES, series, closed)
