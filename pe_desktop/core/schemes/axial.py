"""Two-dimensional RoPE of vision towers: half of the pairs read the row of a patch, half its column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from pe_desktop.core.grid_means import Digit, Run, Runs
from pe_desktop.core.gridded import QUARTER, Image, Index, columns_parameter, demand_quarters, rest_of_grid
from pe_desktop.core.multi_axis import MultiAxis
from pe_desktop.core.numerals import whole
from pe_desktop.core.scheme import Float, register
from pe_desktop.core.waves import geometric_frequencies


@register
@dataclass(frozen=True, kw_only=True)
class Axial(MultiAxis):
    """Row angles and column angles side by side, each with the frequencies of half the head."""

    grid_columns: int = columns_parameter()

    id: ClassVar[str] = "axial"
    title: ClassVar[str] = "2-D RoPE (axial)"
    summary: ClassVar[str] = "Half of the pairs turn with the row of a patch, half with its column."
    source: ClassVar[str] = "Qwen2-VL 2024, arXiv 2409.12191 (vision tower); transformers rope_type axial"
    axes: ClassVar[tuple[str, ...]] = ("row", "column")

    @property
    def rotary_width(self) -> int:
        """See :meth:`Rotary.rotary_width`: the whole head."""
        return self.dimension

    def validate(self) -> None:
        """Refuse a dimension that two axes cannot share."""
        demand_quarters(self)

    def inv_freq(self) -> Float:
        """See :meth:`Rotary.inv_freq`: base^(-2j/(d/2)), once for the row and once for the column."""
        return np.tile(geometric_frequencies(self.base, self.dimension / 2, self.dimension // QUARTER), 2)

    def pair_axis(self) -> Index:
        """See :meth:`Gridded.pair_axis`."""
        return np.repeat(np.arange(2), self.dimension // QUARTER)

    @cached_property
    def runs(self) -> Runs:
        """See :attr:`Gridded.runs`: nothing but patches."""
        return Runs((Run(0, (Digit(0, self.grid_columns), Digit(0, 1, self.grid_columns))),))

    @property
    def image(self) -> Image:
        """See :attr:`Gridded.image`."""
        return Image(0, 1, None, self.grid_columns)

    def exponent(self, pair: int) -> str:
        """See :meth:`MultiAxis.exponent`."""
        return f"{2 * (pair % (self.dimension // QUARTER))}/{self.dimension // 2}"

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        return rest_of_grid(self.length, self.grid_columns)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        return f"Token {whole(position)}: {self.place(position)}. {self.shares()}"
