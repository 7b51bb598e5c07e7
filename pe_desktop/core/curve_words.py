"""Sentences below the similarity curve of schemes with several coordinates, or for keys up to the query only."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.gridded import Gridded
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import short, whole
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float
from pe_desktop.core.similarity import Curve

MASKED = "masked"
LOOK_AHEAD = 256  # gaps searched for the first ripple


def masked_keys(scheme: Rotary) -> str:
    """Why a curve stops at the query."""
    return f"{scheme.title} is for causal attention: keys after the query are masked."


@remember
def near_gaps(scheme: Rotary) -> Float:
    """The curve of a causal scheme at the first gaps, which no spot changes."""
    return scheme.profile(LOOK_AHEAD, LOOK_AHEAD - np.arange(LOOK_AHEAD, dtype=np.float64))


def grid_sentence(scheme: Gridded, spot: int, made: Curve) -> str:
    """Where the spot is, how far the curve falls, and what one patch aside and one patch down are."""
    if scheme.is_silent([spot])[0]:
        return f"Spot {whole(spot)} is the class token, a row of zeros: its similarity to any row is 0."
    peak = f"Peak of 1 at spot {whole(spot)} ({scheme.place(spot)})"
    away = made.elsewhere(spot)
    if not away.any():
        return f"{peak}; no other position is shown."
    low, high = float(made.low[away].min()), float(made.high[away].max())
    other = "the other positions shown" if made.step <= 1.0 else "the other pixels"
    ends = short(low, 2), short(high, 2)
    return f"{peak}; {other}: {' to '.join(dict.fromkeys(ends))}{_neighbours(scheme, spot)}."


def _neighbours(scheme: Gridded, spot: int) -> str:
    patch = scheme.patch_of(spot)
    if patch is None:
        return ""
    found = []
    frame, row, _ = patch
    for words, position, there in (
        ("one patch right", spot + 1, (frame, row)),
        ("one down", spot + scheme.image.columns, (frame, row + 1)),
    ):
        beside = scheme.patch_of(position) if position < scheme.length else None
        if beside is not None and beside[:2] == there:
            value = float(scheme.likeness(spot, np.array([float(position)]))[0])
            found.append(f", {words} ({whole(position)}) {short(value, 2)}")
    return "".join(found)
