"""What the colours of a plane of cells mean: the table, the step of each cell, and the numbers beside the bar."""

from __future__ import annotations

from typing import Any

import numpy as np

from pe_desktop.theme import Theme
from pe_desktop.views.plotting import VOID, Bytes, diverging_steps, diverging_table, minus, sequential_table, short_text

LEAST_POWER = -8  # of ten: smaller errors have the first colour
POWER_TEXTS = ["1", "10⁻²", "10⁻⁴", "10⁻⁶", "10⁻⁸"]


class Diverging:
    """Colours either side of 0, as far as the part's ``scale``."""

    def table(self, theme: Theme) -> Bytes:
        """The colour table (256, 3)."""
        return diverging_table(theme)

    def steps(self, part: Any) -> Bytes:
        """The step of the table that each cell of ``part.values`` has."""
        return diverging_steps(part.values, part.scale)

    def texts(self, part: Any) -> list[str]:
        """The numbers beside the colour bar, from the top."""
        top = short_text(part.scale)
        if len(top) > len("0.123"):  # the bar has room for so many
            top = f"{part.scale:.2g}"
        return [top, "0", minus(f"-{top}")]


class PowersOfTen(Diverging):
    """One row of colours for 10⁻⁸ to 1; what is no number has the neutral step."""

    def table(self, theme: Theme) -> Bytes:
        return sequential_table(theme)

    def steps(self, part: Any) -> Bytes:
        return power_steps(part.values)

    def texts(self, part: Any) -> list[str]:
        return POWER_TEXTS


def power_steps(values: np.ndarray) -> Bytes:
    """Steps of the sequential table for `values` of any shape: 10⁻⁸ .. 1 to 1 .. 255 by powers of ten, inf to 0."""
    with np.errstate(divide="ignore"):
        powers = np.log10(values)
    steps = np.clip((powers - LEAST_POWER) * (254.0 / -LEAST_POWER) + 1.5, 1.0, 255.0)
    return np.where(np.isinf(values), VOID, steps).astype(np.uint8)
