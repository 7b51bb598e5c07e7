"""Sinusoidal encoding (Vaswani et al. 2017, Attention Is All You Need)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.numerals import short, wavelength
from pe_desktop.core.parameter import base_parameter
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.waves import geometric_frequencies, mean_waves

LAYOUTS = (
    ("interleaved", "Interleaved (the paper)"),
    ("concatenated", "Concatenated halves"),
    ("tensor2tensor", "Tensor2tensor / fairseq"),
)


@register
@dataclass(frozen=True, kw_only=True)
class Sinusoidal(Additive):
    """Pairs (sin, cos) of position x frequency, frequencies in a geometric series.

    With an odd dimension the extra column is a sine whose cosine partner is missing (interleaved and
    concatenated, as DistilBERT and Marian do); the tensor2tensor layout appends a column of zeros
    (as fairseq does).
    """

    base: float = base_parameter("Base", "Vaswani et al. 2017, section 3.5")
    layout: str = parameter(
        "Layout",
        str,
        "interleaved",
        choices=LAYOUTS,
        help="Where the sines and cosines stand; tensor2tensor also spaces the frequencies differently.",
        source="Vaswani et al. 2017 (interleaved); Marian, Pegasus (concatenated); tensor2tensor, fairseq",
    )

    id: ClassVar[str] = "sinusoidal"
    title: ClassVar[str] = "Sinusoidal"
    summary: ClassVar[str] = "Sines and cosines from fast to slow: a smooth clock with many hands."
    source: ClassVar[str] = "Vaswani et al. 2017, arXiv 1706.03762"

    def validate(self) -> None:
        """Refuse the width for which the tensor2tensor exponent divides by zero."""
        if self.layout == "tensor2tensor" and self.dimension < 4:
            raise FieldError(
                "layout",
                f"The tensor2tensor layout divides by (dimension / 2 - 1), which is zero for dimension "
                f"{self.dimension}; use dimension 4 or more, or another layout.",
                (Fix("Use dimension 4", {"dimension": 4}),),
            )

    @property
    def _half(self) -> int:
        return self.dimension // 2

    def pair_frequencies(self) -> Float:
        """Frequency of each sine column, an unpaired one included, shape (ceil(d/2) or d//2,)."""
        if self.layout == "tensor2tensor":
            return geometric_frequencies(self.base, 2.0 * (self._half - 1), self._half)
        return geometric_frequencies(self.base, self.dimension, (self.dimension + 1) // 2)

    def frequencies(self) -> Float | None:
        """See :meth:`Additive.frequencies`: the complete pairs."""
        return self.pair_frequencies()[: self._half]

    def _columns(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Column of each sine and of each cosine (the latter may be one fewer)."""
        return _columns_of(self.dimension, self.layout)

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """See :meth:`Additive.pairs`."""
        sin, cos = self._columns()
        return sin[: self._half], cos

    def wave_columns(self) -> tuple[Float, Float]:
        """See :meth:`Additive.wave_columns`."""
        frequencies, phases = np.zeros(self.dimension), np.zeros(self.dimension)
        sin, cos = self._columns()
        each = self.pair_frequencies()
        frequencies[sin], frequencies[cos] = each, each[: len(cos)]
        phases[cos] = math.pi / 2
        return frequencies, phases

    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """See :meth:`Additive.block_mean`; a block of any length costs one evaluation."""
        sin_columns, cos_columns = self._columns()
        sin, cos = mean_waves(self.pair_frequencies(), starts, count)
        out = np.zeros((len(sin), self.dimension))
        out[:, sin_columns] = sin
        out[:, cos_columns] = cos[:, : len(cos_columns)]
        return out[:, columns]

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        if self.dimension % 2 == 0:
            return ()
        if self.layout == "tensor2tensor":
            return (f"Dimension {self.dimension} is odd: the last column has no partner and stays 0 (as in fairseq).",)
        column = int(self._columns()[0][-1])
        return (
            f"Dimension {self.dimension} is odd: column {column} is a sine without its cosine, so row norms "
            "and similarities depend a little on the position.",
        )

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        each = self.pair_frequencies()
        turns = self.length * float(each[-1]) / (2 * math.pi)
        if len(each) == 1:
            return f"One pair, repeating every {wavelength(each[0])} positions; all values lie between −1 and 1."
        return (
            f"Columns repeat every {wavelength(each[0])} positions (fastest) to {wavelength(each[-1])} "
            f"(slowest: {short(turns)} turns here); all values lie between −1 and 1."
        )

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        sin, cos = self._columns()
        name = "sin" if column in sin else "cos"
        where = np.flatnonzero((sin if name == "sin" else cos) == column)
        if not len(where):
            return f"PE({position:,}, {column:,}) = 0   (unpaired column)"
        pair = int(where[0])
        above, below = (pair, self._half - 1) if self.layout == "tensor2tensor" else (2 * pair, self.dimension)
        angle = position * float(self.pair_frequencies()[pair])
        value = math.sin(angle) if name == "sin" else math.cos(angle)
        return (
            f"PE({position:,}, {column:,}) = {name}({position:,} / {self.base:.10g}^({above}/{below})) "
            f"= {name}({angle:.4f}) = {value:.4f}"
        )


@lru_cache(maxsize=8)
def _columns_of(dimension: int, layout: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    half = dimension // 2
    sines = (dimension + 1) // 2 if layout != "tensor2tensor" else half
    if layout == "interleaved":
        return np.arange(sines) * 2, np.arange(half) * 2 + 1
    return np.arange(sines), np.arange(half) + sines
