"""Sums of the waves that read one coordinate, at many of its whole values.

The addition theorem splits a value into an anchor and an offset; values that rise evenly, or nearly so as along the
rows of a grid, share their offsets. So two small matrices of phases give the sums at all values as their product.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.gap_sums import PER_FREQUENCY, PER_GAP
from pe_desktop.core.grid_means import Digit, Run, waves_at
from pe_desktop.core.phases import turns_in_steps, turns_of
from pe_desktop.core.wave_sums import wave_sums
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Index = NDArray[np.intp]
Complex = NDArray[np.complex128]
CROWDED = 8  # offsets for each one of an even progression, beyond which each sum is worked out by itself
STRIP = 1 << 18  # values of one product, or phases of one strip
CHUNK = 1 << 16  # tokens looked up together


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
    if range_cost(len(frequencies), count) < count * len(frequencies):
        return wave_sums(coefficients, frequencies, first, count)
    out = np.empty(count)
    for start in range(0, count, STRIP):
        checkpoint(start / count)
        strip = out[start : start + STRIP]
        height = max(1, math.isqrt(len(strip)))
        anchors = turns_in_steps(frequencies, float(first + start), float(height), -(-len(strip) // height))
        anchors *= coefficients
        sums = _products(anchors, turns_in_steps(frequencies, 0.0, 1.0, height))
        strip[:] = sums.reshape(-1)[: len(strip)]
    return out


def range_cost(waves: int, count: int) -> int:
    """Rough time of :func:`sums_in_range`, in products of a wave and a value: by products or by a transform."""
    return min(count * waves, PER_GAP * count + PER_FREQUENCY * waves)


def sums_at(coefficients: Complex, frequencies: Float, values: Float) -> Float:
    """The same at any `values` (n,) that rise, shape (n,), float64; quick where they rise nearly evenly."""
    height = max(1, math.isqrt(len(values)))
    group = np.arange(len(values)) // height
    anchors = values[::height]
    offsets, which = np.unique(values - anchors[group], return_inverse=True)
    if len(offsets) > CROWDED * height:
        return _one_by_one(coefficients, frequencies, values)
    above = waves_at(frequencies, anchors)
    above *= coefficients
    return np.asarray(_products(above, waves_at(frequencies, offsets))[group, which])


def run_sums(run: Run, tokens: range, origin: Float, frequencies: Float, axis: Index) -> Float:
    """Sum of cos((coordinate - origin) w) over all waves at consecutive tokens of a run.

    Parameters
    ----------
    run : Run
    tokens : range
        Counted from the start of the run.
    origin : ndarray, shape (axes,)
    frequencies, axis : ndarray, shape (k,)
        Of the waves, in rad per step, and which coordinate each reads.

    Returns
    -------
    ndarray, shape (tokens,), float64
    """
    straight = np.array([digit.stride == 1 and digit.size is None for digit in run.digits])
    starts = np.array([digit.origin for digit in run.digits]) - origin
    coefficients = turns_of(starts[axis] * frequencies)
    mine = straight[axis]
    out = np.zeros(len(tokens))
    if mine.any():  # text, along which all coordinates rise together
        out = sums_in_range(coefficients[mine], frequencies[mine], tokens.start, len(tokens))
    for number in np.flatnonzero(~straight).tolist():
        mine = axis == number
        if mine.any():
            _add_digit(out, tokens, run.digits[number], coefficients[mine], frequencies[mine])
    return out


def _add_digit(out: Float, tokens: range, digit: Digit, coefficients: Complex, frequencies: Float) -> None:
    """Add what the waves of one digit are at each token, from a table of its places."""
    first, last = tokens.start // digit.stride, (tokens.stop - 1) // digit.stride
    cycle = 0 if digit.size is None else first // digit.size * digit.size
    if digit.size is not None and last - cycle >= digit.size:
        low, high = 0, digit.size
    else:
        low, high = first - cycle, last - cycle + 1
    table = sums_in_range(coefficients, frequencies, low, high - low)
    for start in range(0, len(tokens), CHUNK):
        checkpoint(start / len(tokens))
        strip = out[start : start + CHUNK]
        places = np.arange(tokens.start + start, tokens.start + start + len(strip)) // digit.stride
        if digit.size is not None:
            places -= places // digit.size * digit.size
        places -= low
        strip += table[places]


def _products(above: Complex, beside: Complex) -> Float:
    """Real part of the product of rows of phases (m, k) and (n, k), summed over the waves, shape (m, n)."""
    # Seen as real and imaginary parts in turn, the product of a row with a conjugate one is the real part of theirs.
    return np.asarray(above.view(np.float64) @ np.conjugate(beside).view(np.float64).T)


def _one_by_one(coefficients: Complex, frequencies: Float, values: Float) -> Float:
    out = np.empty(len(values))
    height = max(1, STRIP // len(frequencies))
    for first in range(0, len(values), height):
        checkpoint(first / len(values))
        strip = slice(first, first + height)
        out[strip] = (turns_of(np.multiply.outer(values[strip], frequencies)) @ coefficients).real
    return out
