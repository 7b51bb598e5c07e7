"""One scheme in sequences of several lengths: where its rows are the same, an answer holds for all of them."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import LENGTH_RANGE, Float, Scheme

S = TypeVar("S", bound=Scheme)


def at_length(scheme: S, length: int) -> S:
    """The same scheme in a sequence of another length."""
    return dataclasses.replace(scheme, length=length)


def whole_table(scheme: S) -> S:
    """A table in the shortest sequence that has all its rows."""
    assert scheme.last_position is not None
    return at_length(scheme, max(scheme.last_position + 1, LENGTH_RANGE[0]))


def settled(scheme: S) -> S:
    """The scheme in the shortest sequence that has all its rows: past the end of a table the length changes nothing."""
    if scheme.last_position is None:
        return scheme
    table = whole_table(scheme)
    return table if scheme.length > table.length else scheme


def alike(shorter: Scheme, longer: Scheme, positions: Float) -> bool:
    """Whether rows at `positions` (n,) are the same at two lengths because what they are made of is.

    False means that they must be looked at. Then they may still be the same.
    """
    if isinstance(shorter, OffsetBias):
        return True
    if isinstance(shorter, Rotary) and isinstance(longer, Rotary) and shorter.amplitude != longer.amplitude:
        return False
    if isinstance(shorter, Gridded) and isinstance(longer, Gridded):
        ends = [(each.coordinates(positions), each.is_silent(positions), each.turns()) for each in (shorter, longer)]
        return all(np.array_equal(a, b) for a, b in zip(*ends, strict=True))
    if isinstance(shorter, Rotary) and isinstance(longer, Rotary):
        return np.array_equal(shorter.inv_freq(), longer.inv_freq())
    if not isinstance(shorter, Additive) or not isinstance(longer, Additive):
        return False
    waves, others = shorter.wave_columns(), longer.wave_columns()
    if waves is None or others is None:
        return not shorter.needs_length
    return all(np.array_equal(a, b) for a, b in zip(waves, others, strict=True))
