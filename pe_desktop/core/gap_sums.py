"""Sums of cosines at every gap of a sequence, the last of which are kept, and the search for the least of a kind."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.wave_sums import wave_sums
from pe_desktop.core.waves import cosine_progression
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
STRIP = 1 << 18  # gaps of one product
# In time for one product of a gap and a frequency: what a transform takes for each gap, and for each frequency.
PER_GAP = 90
PER_FREQUENCY = 12_500
ACCURACY = 6.1e-8  # largest error of a sum over the number of frequencies: the half of a last digit of float32


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

    Few frequencies or gaps are two matrix products, many a fast Fourier transform, see :mod:`wave_sums`: a million
    gaps of 4,096 frequencies take some tens of milliseconds. The last answers are kept.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad/position
    count : int

    Returns
    -------
    ndarray, shape (count,), float32, read-only
        Off by at most ACCURACY x k, for frequencies of up to a turn per position; none is beyond -k .. k.
    """
    found = _LAST_SUMS.find(frequencies, count)
    if found is None:
        by_products = count * len(frequencies) <= PER_GAP * count + PER_FREQUENCY * len(frequencies)
        found = (_by_products if by_products else _by_transform)(frequencies, count)
        np.clip(found, -len(frequencies), len(frequencies), out=found)
        _LAST_SUMS.keep(frequencies, found)
    return found


def _by_products(frequencies: Float, count: int) -> Float32:
    out = np.empty(count, dtype=np.float32)
    for first in range(0, count, STRIP):
        checkpoint(first / count)
        out[first : first + STRIP] = cosine_progression(frequencies, first, 1, min(STRIP, count - first))
    return out


def _by_transform(frequencies: Float, count: int) -> Float32:
    out = wave_sums(np.ones(len(frequencies), dtype=np.complex128), frequencies, 0, count).astype(np.float32)
    out[0] = len(frequencies)  # as it is, so that no curve's peak is a rounding beside 1
    return out


def scan_minimum(
    bound: NDArray[np.float32], exact: Callable[[int], float], slack: float, limit: int = 4096
) -> tuple[int, float]:
    """Find the index of the smallest exact value, none below 0, by visiting lower bounds in rising order.

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
    best_index = int(bound.argmin())
    best = exact(best_index)
    # One number of float64 makes numpy compare in float64.
    candidates = np.flatnonzero(bound <= np.float64(best + slack))
    candidates = candidates[np.argsort(bound[candidates], kind="stable")][:limit]
    for index in candidates.tolist():
        if best == 0.0 or float(bound[index]) - slack > best:
            break
        value = best if index == best_index else exact(index)
        if value < best:
            best_index, best = index, value
    return best_index, best
