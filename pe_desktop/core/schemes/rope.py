"""Rotary position embedding (Su et al. 2021, RoFormer)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError
from pe_desktop.core.numerals import wavelength
from pe_desktop.core.parameter import base_parameter
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import DIMENSION_RANGE, Float, even_fixes, nearest_even, parameter, register
from pe_desktop.core.waves import geometric_frequencies

LAYOUTS = (("half", "Half (rotate_half, NeoX style)"), ("interleaved", "Interleaved (GPT-J style)"))


@register
@dataclass(frozen=True, kw_only=True)
class Rope(Rotary):
    """Pairs of query and key turn by position x frequency; scores then depend on the gap alone."""

    base: float = base_parameter("Base (rope theta)", "Su et al. 2021, section 3.2.2")
    layout: str = parameter(
        "Layout",
        str,
        "half",
        choices=LAYOUTS,
        help="Which two dimensions form a pair: (i, i + r/2) or (2i, 2i + 1). Weights for one are wrong in the other.",
        source="half: GPT-NeoX, transformers' llama; interleaved: RoFormer, GPT-J, Meta's Llama code",
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
    )

    id: ClassVar[str] = "rope"
    title: ClassVar[str] = "RoPE"
    summary: ClassVar[str] = "Queries and keys are rotated; shift both together and the score stays."
    source: ClassVar[str] = "Su et al. 2021, arXiv 2104.09864"

    @property
    def rotary_width(self) -> int:
        """See :meth:`Rotary.rotary_width`."""
        return self.dimension if self.rotary_dimension is None else self.rotary_dimension

    def validate(self) -> None:
        """Refuse an odd rotary width, or one beyond the dimension."""
        low, width = DIMENSION_RANGE[0], self.rotary_width
        if width % 2:
            is_parameter = self.rotary_dimension is not None
            field = "rotary_dimension" if is_parameter else "dimension"
            high = self.dimension if is_parameter else DIMENSION_RANGE[1]
            nearest = nearest_even(width, low, high)
            raise FieldError(
                field,
                f"RoPE rotates pairs, so its rotary width must be even: {_origin(field)} {width} is odd; "
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

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        return super().effective() | {"rotary_dimension": self.rotary_width}

    def inv_freq(self) -> Float:
        """See :meth:`Rotary.inv_freq`: base^(-2i/r)."""
        return geometric_frequencies(self.base, self.rotary_width, self.rotary_width // 2)

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """See :meth:`Rotary.pairs`."""
        half = self.rotary_width // 2
        if self.layout == "half":
            return np.arange(half), np.arange(half) + half
        return np.arange(half) * 2, np.arange(half) * 2 + 1

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        rest = self.dimension - self.rotary_width
        if not rest:
            return ()
        carry = "1 carries" if rest == 1 else f"{rest} carry"
        return (f"Only the first {self.rotary_width} of {self.dimension} dimensions rotate; {carry} no position.",)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        each = self.inv_freq()
        slow = f", pair {len(each) - 1} every {wavelength(each[-1])}" if len(each) > 1 else ""
        return f"Cosine and sine of position × frequency: pair 0 turns every {wavelength(each[0])} positions{slow}."

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Rotary.cell_formula`; column counts cosines and sines in the layout's order."""
        first, second = self.pairs()
        name, where = ("cos", first) if column in first else ("sin", second)
        pair = int(np.flatnonzero(where == column)[0])
        angle = position * float(self.inv_freq()[pair])
        value = math.cos(angle) if name == "cos" else math.sin(angle)
        return (
            f"pair {pair}: {name}({position:,} / {self.base:.10g}^({2 * pair}/{self.rotary_width})) "
            f"= {name}({angle:.4f}) = {value:.4f}"
        )


def _origin(field: str) -> str:
    return "rotary_dimension" if field == "rotary_dimension" else "model dimension"
