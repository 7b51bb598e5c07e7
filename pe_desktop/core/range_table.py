"""Smallest and largest of any ranges of a long table, without a second table as long."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.work import checkpoint

Float32 = NDArray[np.float32]
Int = NDArray[np.int64]
BLOCK = 32
CHUNK = 1 << 17  # entries worked out together
STRIP = 1 << 12  # ranges answered together


def tabulated(over: Callable[[int, int], NDArray[np.floating]], first: int, last: int) -> Float32:
    """A function of whole numbers at first .. last, float32; ``over(a, b)`` gives a .. b."""
    out = np.empty(last - first + 1, dtype=np.float32)
    for start in range(first, last + 1, CHUNK):
        checkpoint((start - first) / len(out))
        stop = min(start + CHUNK, last + 1)
        out[start - first : stop - first] = over(start, stop - 1)
    return out


class RangeTable:
    """Answers for ranges of a table.

    The ends of a range are looked at entry by entry, what lies between in blocks of 32, whose extremes are kept for
    every power of two of neighbouring blocks.

    Parameters
    ----------
    values : ndarray, shape (n,), float32
    longest : int
        Entries of the longest range that will be asked for.
    """

    def __init__(self, values: Float32, longest: int) -> None:
        self._values = values
        full = len(values) // BLOCK
        blocks = values[: full * BLOCK].reshape(full, BLOCK)
        self._lows = _powers(np.minimum, blocks.min(axis=1), longest // BLOCK)
        self._highs = _powers(np.maximum, blocks.max(axis=1), longest // BLOCK)

    def extremes(self, firsts: Int, lasts: Int) -> tuple[Float32, Float32]:
        """Smallest and largest of values[first .. last], both ends included.

        Parameters
        ----------
        firsts, lasts : ndarray of any shape, int64

        Returns
        -------
        low, high : ndarray of the same shape, float32
        """
        low, high = np.empty(firsts.size, dtype=np.float32), np.empty(firsts.size, dtype=np.float32)
        first, last = firsts.ravel(), lasts.ravel()
        steps = np.arange(BLOCK)[:, None]
        for start in range(0, len(first), STRIP):
            part = slice(start, start + STRIP)
            a, b = first[part], last[part]
            ends = [self._values[np.minimum(a + steps, b)], self._values[np.maximum(b - steps, a)]]
            low[part] = np.minimum(*(each.min(axis=0) for each in ends))
            high[part] = np.maximum(*(each.max(axis=0) for each in ends))
            self._between(-(-a // BLOCK), (b + 1) // BLOCK, low[part], high[part])
        return low.reshape(firsts.shape), high.reshape(firsts.shape)

    def _between(self, firsts: Int, stops: Int, low: Float32, high: Float32) -> None:
        """Take the whole blocks first .. stop - 1 into account, as two powers of two that overlap."""
        counts = stops - firsts
        if not len(self._lows) or int(counts.max()) < 1:
            return
        powers = np.frexp(np.maximum(counts, 1).astype(np.float64))[1] - 1
        for power in np.unique(powers[counts >= 1]):
            some = np.flatnonzero((powers == power) & (counts >= 1))
            a, b = firsts[some], stops[some] - (1 << int(power))
            for out, table, reduce in ((low, self._lows, np.minimum), (high, self._highs, np.maximum)):
                out[some] = reduce(out[some], reduce(table[power][a], table[power][b]))


def _powers(reduce: np.ufunc, blocks: Float32, longest: int) -> list[Float32]:
    """Extremes of 1, 2, 4, … neighbouring blocks, up to `longest` of them."""
    out = [blocks] if len(blocks) else []
    width = 1
    while out and 2 * width <= min(longest, len(blocks)):
        out.append(reduce(out[-1][:-width], out[-1][width:]))
        width *= 2
    return out
