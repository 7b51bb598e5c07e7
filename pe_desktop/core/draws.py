"""Random-looking numbers that depend on their key alone, the same on every machine and with every numpy.

numpy's generators may change their streams between versions, and loading them costs a start some 20 ms; the
toy embeddings and weights need neither.
"""

from __future__ import annotations

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

# SplitMix64 (Steele, Lea and Flood 2014)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_TO_UNIT = 2.0**-53
CHUNK = 1 << 13  # numbers shaped together, few enough to stay in the cache


def normals(key: str, count: int) -> NDArray[np.float64]:
    """Standard normal numbers of a key.

    SplitMix64 numbers the cells, Box and Muller (1958) shape them.

    Parameters
    ----------
    key : str
    count : int

    Returns
    -------
    ndarray, shape (count,), float64
        The first k are the same for every count >= k.
    """
    start = np.uint64(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little"))
    out = np.empty(2 * ((count + 1) // 2))
    for first in range(0, len(out), CHUNK):
        _shape(start, first, out[first : first + CHUNK])
    return out[:count]


def _shape(start: np.uint64, first: int, out: NDArray[np.float64]) -> None:
    """Fill `out` with the numbers of the cells from `first` on; both are even."""
    cells = start + _STEP * np.arange(first + 1, first + len(out) + 1, dtype=np.uint64)
    for shift, factor in zip(_SHIFTS[:2], _MIX, strict=True):
        cells ^= cells >> shift
        cells *= factor
    cells ^= cells >> _SHIFTS[2]
    cells >>= np.uint64(11)
    unit = cells.astype(np.float64)
    unit += 0.5
    unit *= _TO_UNIT
    radius, turn = np.sqrt(-2.0 * np.log(unit[0::2])), 2.0 * math.pi * unit[1::2]
    np.multiply(radius, np.cos(turn), out=out[0::2])
    np.multiply(radius, np.sin(turn), out=out[1::2])
