"""Two-dimensional sines and cosines (MAE 2021): half of a row tells the patch's row, half its column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.grid_means import Digit, Run, Runs, block_waves
from pe_desktop.core.grid_picture import Waves
from pe_desktop.core.gridded import (
    QUARTER,
    Gridded,
    Image,
    Index,
    columns_parameter,
    demand_quarters,
    rest_of_grid,
    shown_waves,
)
from pe_desktop.core.numerals import whole
from pe_desktop.core.parameter import base_parameter
from pe_desktop.core.scans import closest_gap
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.waves import geometric_frequencies

ROW, COLUMN = 0, 1


@register
@dataclass(frozen=True, kw_only=True)
class SinCos2d(Gridded, Additive):
    """Sines and cosines of the row of a patch beside those of its column."""

    base: float = base_parameter("Base", "He et al. 2021, arXiv 2111.06377, original code")
    grid_columns: int = columns_parameter()
    layout: str = parameter(
        "Layout",
        str,
        "mae",
        choices=(("mae", "Sines, then cosines (MAE)"), ("pe2d", "Sine, cosine in turn (positional-encodings)")),
        help="How the sines and cosines of one axis stand in its half of the dimensions.",
        source="transformers vit_mae (mae); positional-encodings PositionalEncoding2D (pe2d)",
    )
    axis_order: str = parameter(
        "Axis order",
        str,
        "row_first",
        choices=(("row_first", "Row first (transformers)"), ("column_first", "Column first (original MAE code)")),
        help="Which axis the first half of the dimensions tells.",
        source="transformers vit_mae; He et al. 2021, whose meshgrid has the width first",
    )
    class_token: bool = parameter(
        "Class token",
        bool,
        False,
        help="Token 0 is no patch: its row is all zeros, and the patches start at token 1.",
        source="He et al. 2021, original code (cls_token)",
    )

    id: ClassVar[str] = "sincos2d"
    title: ClassVar[str] = "2-D sin-cos"
    summary: ClassVar[str] = "Sines and cosines of a patch's row in half of the dimensions, of its column in the rest."
    source: ClassVar[str] = "He et al. 2021 (MAE), arXiv 2111.06377"
    axes: ClassVar[tuple[str, ...]] = ("row", "column")

    def validate(self) -> None:
        """Refuse a dimension that two axes cannot share."""
        demand_quarters(self)

    @property
    def _quarter(self) -> int:
        return self.dimension // QUARTER

    def turns(self) -> Float:
        """See :meth:`Gridded.turns`: base^(-j/(d/4)), once for each axis."""
        return np.tile(geometric_frequencies(self.base, self.dimension / 2, self._quarter), 2)

    def pair_axis(self) -> Index:
        """See :meth:`Gridded.pair_axis`."""
        order = (ROW, COLUMN) if self.axis_order == "row_first" else (COLUMN, ROW)
        return np.repeat(order, self._quarter)

    def pairs(self) -> tuple[Index, Index]:
        """See :meth:`Additive.pairs`: the sine's and the cosine's column."""
        pair, half = np.arange(self._quarter), self.dimension // 2
        sine, cosine = (pair, pair + self._quarter) if self.layout == "mae" else (2 * pair, 2 * pair + 1)
        return np.concatenate([sine, sine + half]), np.concatenate([cosine, cosine + half])

    @cached_property
    def runs(self) -> Runs:
        """See :attr:`Gridded.runs`: a class token or none, then patches."""
        digits = (Digit(0, self.grid_columns), Digit(0, 1, self.grid_columns))
        patches = Run(int(self.class_token), digits)
        return Runs((Run(0, digits, silent=True), patches) if self.class_token else (patches,))

    @property
    def image(self) -> Image:
        """See :attr:`Gridded.image`."""
        return Image(int(self.class_token), 1, None, self.grid_columns)

    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """See :meth:`Additive.block_mean`; a block of any length costs a few sums in closed form."""
        sine, cosine = self.pairs()
        shown = np.zeros(self.dimension, dtype=np.bool_)
        shown[columns] = True
        wanted = np.flatnonzero(shown[sine] | shown[cosine])
        starts = np.asarray(starts, dtype=np.float64)
        waves = block_waves(self.turns()[wanted], self.pair_axis()[wanted], self.runs, starts, count)
        out = np.zeros((len(starts), self.dimension))
        out[:, sine[wanted]], out[:, cosine[wanted]] = waves.imag, waves.real
        return out[:, columns]

    @property
    def picture_waves(self) -> Waves:
        """See :attr:`Gridded.picture_waves`."""
        sine, cosine = self.pairs()
        return shown_waves(cosine, sine, self.turns(), self.pair_axis())

    @property
    def value_bound(self) -> float | None:
        """See :attr:`Additive.value_bound`: sines and cosines."""
        return 1.0

    def norm_range(self) -> tuple[float, float] | None:
        """See :meth:`Additive.norm_range`: every sine has its cosine; a class token has no length."""
        longest = math.sqrt(self.dimension / 2)
        return 0.0 if self.class_token else longest, longest

    @property
    def _steps(self) -> int:
        """Steps from the first to the last patch along the longer side of the grid."""
        patches = self.image.tokens(self.length)
        return max((patches - 1) // self.grid_columns, min(patches, self.grid_columns) - 1)

    @property
    def closest_cost(self) -> int:
        """See :attr:`Additive.closest_cost`."""
        return self._steps * self._quarter

    def closest_rows(self) -> tuple[int, int] | None:
        """See :meth:`Additive.closest_rows`.

        The squared distance is a sum of one term per axis, none below 0, so steps along one axis have the smallest.
        """
        first, steps = self.image.start, self._steps
        if not steps:  # one patch, and the class token
            return 0, 1
        step = _closest_step(self.base, self._quarter, steps)
        across = step < min(self.image.tokens(self.length), self.grid_columns)
        return first, first + step * (1 if across else self.grid_columns)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        return rest_of_grid(self.image.tokens(self.length), self.grid_columns)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        if self.class_token and position == 0:
            return f"Token 0 is the class token, a row of zeros. {self.shares()}"
        return f"Token {whole(position)}: {self.place(position)}. {self.shares()}"

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        start = f"PE({whole(position)}, {whole(column)})"
        if self.class_token and position == 0:
            return f"{start} = 0   (class token)"
        sine, cosine = self.pairs()
        name, where = ("sin", sine) if column in sine else ("cos", cosine)
        pair = int(np.flatnonzero(where == column)[0])
        axis = int(self.pair_axis()[pair])
        at = round(float(self.coordinates([position])[0, axis]))
        angle = at * float(self.turns()[pair])
        value = math.sin(angle) if name == "sin" else math.cos(angle)
        power = f"{pair % self._quarter}/{self._quarter}"
        return (
            f"{start} = {name}({self.axes[axis]} {whole(at)} / {self.base:.10g}^({power})) "
            f"= {name}({angle:.4f}) = {value:.4f}"
        )


@lru_cache(maxsize=64)
def _closest_step(base: float, quarter: int, steps: int) -> int:
    """The step along one axis, 1 .. `steps`, between whose ends the rows are closest."""
    return closest_gap(geometric_frequencies(base, 2.0 * quarter, quarter), steps + 1)[0]
