"""Quantities of pairs that turn: frequencies, wavelengths, angles, turns."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from pe_desktop.core.gridded import Gridded
from pe_desktop.core.part_spectrum import turning_of
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.spectrum_chart import Turning
from pe_desktop.core.state import LabState
from pe_desktop.core.values_grid import angles_of
from pe_desktop.core.waves import TURN
from pe_desktop.lessons import quantity_checks as checks

TINY = 1e-12  # share by which an angle must be larger to be so by more than rounding


def _turning(state: LabState, name: str) -> Turning:
    found = turning_of(state.built)
    if found is None:
        raise checks.lacks(state.built, f"pairs that turn and so no {name}", "sinusoidal or a rotary scheme")
    return found


def _pair(turning: Turning, pair: float) -> int:
    return checks.index(pair, len(turning.after), "Pair", "pairs")


def _frequency(state: LabState, pair: float) -> float:
    turning = _turning(state, "frequency")
    return float(turning.after[_pair(turning, pair)])


def _wavelength(state: LabState, pair: float) -> float:
    turning = _turning(state, "wavelength")
    number = _pair(turning, pair)
    frequency = float(turning.after[number])
    return TURN / frequency if frequency else math.inf


def _angle(state: LabState, position: float, pair: float) -> float:
    scheme, turning = state.built, _turning(state, "angle")
    number, places = _pair(turning, pair), np.array([float(checks.row(position, scheme))])
    coordinates = scheme.coordinates(places) if isinstance(scheme, Gridded | Rotary) else places[:, None]
    return float(angles_of(scheme, turning.after, coordinates)[0, number])


def _turns(state: LabState, pair: float) -> float:
    turning = _turning(state, "turns")
    return float(turning.turns[_pair(turning, pair)])


def _pairs(state: LabState) -> float:
    return float(len(_turning(state, "number of pairs").after))


def _untrained_pairs(state: LabState) -> float:
    turning = _turning(state, "untrained pairs")
    if not turning.trained:
        raise checks.lacks(
            state.built, "trained length and so no untrained pairs", "one with a trained length, as rope"
        )
    # Turns count the positions themselves, as the spectrum does: halving the angles then makes up for twice the length.
    beyond = turning.after * state.length > turning.before * turning.positions * (1.0 + TINY)
    return float(np.count_nonzero(turning.slow & beyond))


VALUES: dict[str, Callable[[LabState], float]] = {"pairs": _pairs, "untrained_pairs": _untrained_pairs}
CALLS: dict[str, Callable[..., float]] = {
    "frequency": _frequency,
    "wavelength": _wavelength,
    "angle": _angle,
    "turns": _turns,
}
