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
    cells = start + _STEP * np.arange(1, 2 * ((count + 1) // 2) + 1, dtype=np.uint64)
    cells = (cells ^ (cells >> _SHIFTS[0])) * _MIX[0]
    cells = (cells ^ (cells >> _SHIFTS[1])) * _MIX[1]
    cells ^= cells >> _SHIFTS[2]
    unit = ((cells >> np.uint64(11)).astype(np.float64) + 0.5) * _TO_UNIT
    radius, turn = np.sqrt(-2.0 * np.log(unit[0::2])), 2.0 * math.pi * unit[1::2]
    out = np.empty(len(cells))
    out[0::2], out[1::2] = radius * np.cos(turn), radius * np.sin(turn)
    return out[:count]
