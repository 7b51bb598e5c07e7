"""What is said of a prediction once the answer is there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLocale

from pe_desktop.controls.texts import number_text
from pe_desktop.core.numbers import parse_number

DIGITS = 4
FEWEST = 2  # digits of a difference, which is never rounded to more than units


@dataclass(frozen=True)
class Outcome:
    """How a prediction came out: ``right`` is None where there is no right or wrong."""

    says: str
    right: bool | None = None


def number_outcome(said: str, value: float, within: float, unit: str = "") -> Outcome:
    """Compare a typed number with the right one.

    Parameters
    ----------
    said : str
        As typed; "" (or no number) while nothing was predicted.
    value : float
        What is right.
    within : float
        How near counts as right.
    unit : str
    """
    ending = f" {unit}" if unit else ""
    number = parse_number(said)
    if number is None:
        return Outcome(f"It is {_short(value)}{ending}.")
    off = abs(number - value)
    right = off <= within * (1.0 + 1e-12)
    start = f"You said {said.strip()}; it is {_short(value)}{ending}"
    if right:
        return Outcome(f"{start}: near enough." if off else f"{start}.", True)
    return Outcome(f"{start}: {_difference(off)} off.", False)


def draw_outcome(miss: float | None) -> Outcome:
    """Say how far a drawn curve is from the true one on average; None while nothing was drawn."""
    if miss is None or not math.isfinite(miss):
        return Outcome("")
    return Outcome(f"Your curve is {_difference(miss)} off on average.")


def _difference(off: float) -> str:
    return _short(off, max(FEWEST, len(str(int(off)))))


def _short(value: float, digits: int = DIGITS) -> str:
    rounded = float(f"{value:.{digits}g}")
    plain = int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded
    return number_text(plain, QLocale())
