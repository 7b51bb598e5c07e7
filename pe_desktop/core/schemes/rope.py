"""Rotary position embedding (Su et al. 2021, RoFormer)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pe_desktop.core.extension import check_scale
from pe_desktop.core.layouts import HALF, INTERLEAVED, Index, pair_columns
from pe_desktop.core.numerals import wavelength
from pe_desktop.core.parameter import parameter
from pe_desktop.core.plain_rotary import PlainRotary, width_parameter
from pe_desktop.core.scheme import register
from pe_desktop.core.stretched import CHOICES, Stretched
from pe_desktop.core.temperature import Temperature

LAYOUTS = (
    ("half", "Half (rotate_half, NeoX style)"),
    ("interleaved", "Interleaved (GPT-J style)"),
    ("interleaved_half", "Interleaved in, half out"),
)


@register
@dataclass(frozen=True, kw_only=True)
class Rope(Stretched, PlainRotary, Temperature):
    """Pairs of query and key turn by position x frequency; scores then depend on the gap alone."""

    layout: str = parameter(
        "Layout",
        str,
        "half",
        choices=LAYOUTS,
        help="Which two dimensions form a pair: (i, i + r/2) or (2i, 2i + 1). Weights for one are wrong in the other.",
        source="half: GPT-NeoX, transformers' llama; interleaved: RoFormer, GPT-J, Meta's code; both: DeepSeek-V3",
    )
    rotary_dimension: int | None = width_parameter(
        when=("extension", tuple(name for name, _ in CHOICES if name != "proportional"))
    )
    score_dimension: int | None = parameter(
        "Width of q and k",
        int,
        None,
        minimum=1,
        maximum=65536,
        slider=(1, 1024),
        logarithmic=True,
        derived="the model dimension",
        place=2,
        help="Width of the whole query and key (D_qk), whose inverse root is the softmax scale; 192 in DeepSeek-V3.",
        source="DeepSeek-V2 2024, arXiv 2405.04434 (64 rotating dimensions beside 128 others)",
    )

    id: ClassVar[str] = "rope"
    title: ClassVar[str] = "RoPE"
    summary: ClassVar[str] = "Queries and keys are rotated; shift both together and the score stays."
    source: ClassVar[str] = "Su et al. 2021, arXiv 2104.09864"

    @property
    def rotary_width(self) -> int:
        """See :meth:`Rotary.rotary_width`."""
        if self.rotary_dimension is None or self.extension == "proportional":
            return self.dimension
        return self.rotary_dimension

    @property
    def score_width(self) -> int:
        """See :attr:`Rotary.score_width`."""
        return self.score_dimension or self.dimension

    @property
    def softmax_scale(self) -> float:
        """See :meth:`Scheme.softmax_scale`; with DeepSeek's correction where it applies."""
        return self.softmax_correction_factor / math.sqrt(self.score_width)

    def validate(self) -> None:
        """Refuse a rotary width that cannot be, a factor below 1, and lists that do not fit the width."""
        super().validate()
        if self.extension not in ("none", "proportional"):
            check_scale(self.settings)
        self.extended  # noqa: B018  (refuses lists of another length)

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        return super().effective() | {"score_dimension": self.score_width}

    def pairs(self) -> tuple[Index, Index]:
        """See :meth:`Rotary.pairs`."""
        return pair_columns(self.rotary_width, HALF if self.layout == HALF else INTERLEAVED)

    def pairs_out(self) -> tuple[Index, Index]:
        """See :meth:`Rotary.pairs_out`."""
        return pair_columns(self.rotary_width, INTERLEAVED if self.layout == INTERLEAVED else HALF)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        return (*self.width_notes(), *self.stretching_notes(), *self.temperature_notes())

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        each = self.inv_freq()
        last = int(np.count_nonzero(each)) - 1  # pairs that do not turn stand last
        if last < 0:
            return "No pair turns: cosine 1 and sine 0 at every position."
        slow = f", pair {last} every {wavelength(each[last])}" if last else ""
        return f"Cosine and sine of position × frequency: pair 0 turns every {wavelength(each[0])} positions{slow}."

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Rotary.cell_formula`; column counts cosines and sines in the layout's order."""
        pair, name = self.pair_of_column(column)
        angle = position * float(self.inv_freq()[pair])
        value = math.cos(angle) if name == "cos" else math.sin(angle)
        plain = float(self.plain_inv_freq()[pair])
        if float(self.inv_freq()[pair]) == plain:
            what = f"{position:,} / {self.base:.10g}^({2 * pair}/{self.rotary_width})"
        else:
            what = f"{position:,} × {self.inv_freq()[pair]:.5g}"
        factor = "" if self.amplitude == 1.0 else f"   (then × {self.amplitude:.4f})"
        stretched = "" if float(self.inv_freq()[pair]) == plain else f"   (θ before: {plain:.5g})"
        return f"pair {pair}: {name}({what}) = {name}({angle:.4f}) = {value:.4f}{stretched}{factor}"
