"""Nothing at all, and the two ideas everybody has first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import LENGTH_RANGE, Acts, Float, register
from pe_desktop.core.temperature import Temperature


@dataclass(frozen=True, kw_only=True)
class Proportional(Additive):
    """Row p is the number p x rate, written into every dimension."""

    @property
    def rate(self) -> float:
        """Value per position."""
        return 0.0

    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """See :meth:`Additive.block_mean`; the mean of a straight line is its middle."""
        middle = (np.asarray(starts, dtype=np.float64) + (count - 1) / 2.0) * self.rate
        width = len(range(*columns.indices(self.dimension)))
        return np.repeat(middle[:, None], width, axis=1)

    @property
    def straight(self) -> bool:
        """See :meth:`Additive.straight`."""
        return True

    def closest_rows(self) -> tuple[int, int] | None:
        """Neighbours all have the same distance, rate x sqrt(d)."""
        return 0, 1


@register
@dataclass(frozen=True, kw_only=True)
class NoEncoding(Temperature, Proportional):
    """No position information in the input; a query temperature may still make later queries longer."""

    id: ClassVar[str] = "none"
    title: ClassVar[str] = "None"
    acts: ClassVar[Acts] = Acts.NOTHING
    summary: ClassVar[str] = "Nothing is added: attention cannot tell one order from another."
    source: ClassVar[str] = "Haviv et al. 2022 and Kazemnejad et al. 2023 (with a causal mask)"

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        return "Nothing is added: every word enters attention without a word about its place."

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`: what the query temperature makes of the last position."""
        if self.temperature == "none":
            return ()
        last = self.length - 1
        factor = float(self.query_scale([last])[0])
        return (f"The query temperature multiplies the query at position {last:,} by {factor:.4f}.",)

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        return f"PE({position:,}, {column:,}) = 0   (nothing is added)"


@register
@dataclass(frozen=True, kw_only=True)
class RawInteger(Proportional):
    """The position itself, added to every dimension."""

    id: ClassVar[str] = "integer"
    title: ClassVar[str] = "Raw integer spot"
    summary: ClassVar[str] = "The position number itself: it grows without bound and swamps the embedding."
    source: ClassVar[str] = "the first idea everybody has; not used by any library"

    @property
    def rate(self) -> float:
        """One per position."""
        return 1.0

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        return (
            f"Row {position:,} is the number {position:,} in all {self.dimension:,} columns; the last row is "
            f"{self.length - 1:,}, and longer sequences have no bound."
        )

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        return f"PE({position:,}, {column:,}) = position = {position:,}"


@register
@dataclass(frozen=True, kw_only=True)
class Normalized(Proportional):
    """The position as a share of the sequence, p / L."""

    id: ClassVar[str] = "normalized"
    title: ClassVar[str] = "Spot / length"
    summary: ClassVar[str] = "The position as a share of the length: bounded, but one value means different places."
    source: ClassVar[str] = "the second idea everybody has; not used by any library"

    @property
    def rate(self) -> float:
        """One over the sequence length."""
        return 1.0 / self.length

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        now = f"Row {position:,} is {position:,} / {self.length:,} = {_share(position, self.length)} in every column"
        if position == 0:
            return f"{now}, at any length; every other row moves when the sequence grows."
        if 2 * self.length > LENGTH_RANGE[1]:
            return f"{now}; in a longer sequence it would be smaller."
        return f"{now}; at length {2 * self.length:,} it would be {_share(position, 2 * self.length)}."

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        value = _share(position, self.length)
        return f"PE({position:,}, {column:,}) = position / length = {position:,} / {self.length:,} = {value}"


def _share(position: int, length: int) -> str:
    """position / length with enough digits to tell it from 1, tiny ones as powers of ten."""
    value = position / length
    return short(value) if 0 < value < 1e-4 else f"{value:.7g}"
