"""Rounding to the number formats models compute in.

Every function takes anything numpy reads as float64 and gives float64 back: the nearest value the format holds,
ties to the even last bit (IEEE 754). Past the largest value of a format lies infinity, as in hardware.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]

DROPPED_BITS = 16  # a bfloat16 is the upper half of a float32


def to_float32(values: Any) -> Float:
    """Nearest float32 (24 significant bits) of each value, any shape, float64."""
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float32).astype(np.float64)


def to_float16(values: Any) -> Float:
    """Nearest float16 (11 significant bits, largest 65,504) of each value, any shape, float64."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(values, dtype=np.float64).astype(np.float16).astype(np.float64)


def to_bfloat16(values: Any) -> Float:
    """Nearest bfloat16 (8 significant bits, range of float32) of each value, any shape, float64.

    The value passes through float32 first, as it does in every library: rounding to nearest, ties to even, is done on
    the bits of the float32, whose upper half is the bfloat16. Not-a-number stays not-a-number.
    """
    single = np.atleast_1d(to_float32(values).astype(np.float32))
    bits = single.view(np.uint32)
    lowest_kept = (bits >> np.uint32(DROPPED_BITS)) & np.uint32(1)
    half = np.uint32((1 << (DROPPED_BITS - 1)) - 1)
    # Half a step less one, plus the last kept bit: an exact tie is carried up only when that bit is odd.
    kept = (bits + half + lowest_kept) & np.uint32(0xFFFF << DROPPED_BITS)
    out = np.where(np.isnan(single), single, kept.view(np.float32)).astype(np.float64)
    return out.reshape(np.shape(values))


def _to_float64(values: Any) -> Float:
    return np.array(values, dtype=np.float64)


FORMATS: dict[str, Callable[[Any], Float]] = {
    "float64": _to_float64,
    "float32": to_float32,
    "float16": to_float16,
    "bfloat16": to_bfloat16,
}


def rounded(values: Any, format_name: str) -> Float:
    """Values as a format holds them, float64.

    Parameters
    ----------
    values : array_like
        Numbers, any shape.
    format_name : {"float64", "float32", "float16", "bfloat16"}

    Raises
    ------
    KeyError
        For another name.
    """
    return FORMATS[format_name](values)
