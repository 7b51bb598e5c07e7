"""Rotary position embedding (Su et al. 2021, RoFormer)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError
from pe_desktop.core.extension import check_scale
from pe_desktop.core.numerals import wavelength
from pe_desktop.core.parameter import parameter
from pe_desktop.core.scheme import DIMENSION_RANGE, even_fixes, nearest_even, register
from pe_desktop.core.stretched import CHOICES, Stretched
from pe_desktop.core.temperature import Temperature

LAYOUTS = (
    ("half", "Half (rotate_half, NeoX style)"),
    ("interleaved", "Interleaved (GPT-J style)"),
    ("interleaved_half", "Interleaved in, half out"),
)


@register
@dataclass(frozen=True, kw_only=True)
class Rope(Stretched, Temperature):
    """Pairs of query and key turn by position x frequency; scores then depend on the gap alone."""

    layout: str = parameter(
        "Layout",
        str,
        "half",
        choices=LAYOUTS,
        help="Which two dimensions form a pair: (i, i + r/2) or (2i, 2i + 1). Weights for one are wrong in the other.",
        source="half: GPT-NeoX, transformers' llama; interleaved: RoFormer, GPT-J, Meta's code; both: DeepSeek-V3",
    )
    rotary_dimension: int | None = parameter(
        "Rotary width",
        int,
        None,
        minimum=DIMENSION_RANGE[0],
        maximum=DIMENSION_RANGE[1],
        unit="dimensions",
        derived="the model dimension",
        help="Leading dimensions that rotate; the rest pass through. Must be even.",
        source="GPT-NeoX (rotary_pct), GPT-J (rotary_dim)",
        when=("extension", tuple(name for name, _ in CHOICES if name != "proportional")),
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
        return self.softmax_correction_factor / math.sqrt(self.score_dimension or self.dimension)

    def validate(self) -> None:
        """Refuse an odd rotary width, or one beyond the dimension."""
        low, width = DIMENSION_RANGE[0], self.rotary_width
        if width % 2:
            is_parameter = width != self.dimension
            field = "rotary_dimension" if is_parameter else "dimension"
            high = self.dimension if is_parameter else DIMENSION_RANGE[1]
            nearest = nearest_even(width, low, high)
            raise FieldError(
                field,
                f"RoPE rotates pairs, so its width must be even: {_origin(field)} {width} is odd; "
                f"the nearest valid widths are {' and '.join(map(str, nearest))}.",
                even_fixes(field, nearest, is_parameter=is_parameter),
            )
        if width > self.dimension:
            largest = self.dimension - self.dimension % 2
            raise FieldError(
                "rotary_dimension",
                f"Rotary width is {width}, more than the {self.dimension} dimensions there are; "
                f"it can be at most {largest}.",
                even_fixes("rotary_dimension", (largest,), is_parameter=True),
            )
        if self.extension not in ("none", "proportional"):
            check_scale(self.settings)
        self.extended  # noqa: B018  (refuses lists that do not fit the width)

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        used = super().effective() | {"score_dimension": self.score_dimension or self.dimension}
        return used | ({"rotary_dimension": self.rotary_width} if "rotary_dimension" in used else {})

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """See :meth:`Rotary.pairs`."""
        return _pairs(self.rotary_width // 2, "half" if self.layout == "half" else "interleaved")

    def pairs_out(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """See :meth:`Rotary.pairs_out`."""
        return _pairs(self.rotary_width // 2, "interleaved" if self.layout == "interleaved" else "half")

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = [*self.stretching_notes(), *self.temperature_notes()]
        rest = self.dimension - self.rotary_width
        if rest:
            carry = "1 carries" if rest == 1 else f"{rest} carry"
            notes.insert(
                0, f"Only the first {self.rotary_width} of {self.dimension} dimensions rotate; {carry} no position."
            )
        return tuple(notes)

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
        first, second = self.pairs()
        name, where = ("cos", first) if column in first else ("sin", second)
        pair = int(np.flatnonzero(where == column)[0])
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


def _origin(field: str) -> str:
    return "the rotary width (rotary_dimension)" if field == "rotary_dimension" else "model dimension"


def _pairs(half: int, layout: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if layout == "half":
        return np.arange(half), np.arange(half) + half
    return np.arange(half) * 2, np.arange(half) * 2 + 1
