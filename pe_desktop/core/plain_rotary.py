"""What rotary schemes with plain frequencies share: base, layout, and a rotary width that may be part of the head."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.layouts import HALF, LAYOUTS, Index, pair_columns
from pe_desktop.core.parameter import base_parameter, parameter
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import DIMENSION_RANGE, Float, even_fixes, nearest_even
from pe_desktop.core.waves import geometric_frequencies


def layout_parameter(default: str, source: str) -> Any:
    """The layout of the pairs, as rotary schemes declare it."""
    return parameter(
        "Layout",
        str,
        default,
        choices=LAYOUTS,
        help="Which two dimensions form a pair: (i, i + r/2) or (2i, 2i + 1). Weights for one are wrong in the other.",
        source=source,
    )


def width_parameter(**more: Any) -> Any:
    """The rotary width, as rotary schemes declare it."""
    return parameter(
        "Rotary width",
        int,
        None,
        minimum=DIMENSION_RANGE[0],
        maximum=DIMENSION_RANGE[1],
        unit="dimensions",
        derived="the model dimension",
        help="Leading dimensions that rotate; the rest pass through. Must be even.",
        source="GPT-NeoX (rotary_pct), GPT-J (rotary_dim)",
        **more,
    )


@dataclass(frozen=True, kw_only=True)
class LaidOut(Rotary, ABC):
    """Frequencies from a base, pairs in one of two layouts."""

    base: float = base_parameter("Base (rope theta)", "Su et al. 2021, section 3.2.2")
    layout: str = layout_parameter(HALF, "half: GPT-NeoX, transformers; interleaved: RoFormer, GPT-J")

    def pairs(self) -> tuple[Index, Index]:
        """See :meth:`Rotary.pairs`."""
        return pair_columns(self.rotary_width, self.layout)

    def pair_of_column(self, column: int) -> tuple[int, str]:
        """The pair that a column of the picture belongs to, and whether it shows its "cos" or its "sin"."""
        for name, where in zip(("cos", "sin"), self.pairs(), strict=True):
            found = (where == column).nonzero()[0]
            if len(found):
                return int(found[0]), name
        raise IndexError(column)


@dataclass(frozen=True, kw_only=True)
class PlainRotary(LaidOut, ABC):
    """Inverse frequencies base^(-2i/r) over a rotary width r, which may be less than the head's."""

    rotary_dimension: int | None = width_parameter()

    @property
    def rotary_width(self) -> int:
        """See :meth:`Rotary.rotary_width`."""
        return self.dimension if self.rotary_dimension is None else self.rotary_dimension

    def inv_freq(self) -> Float:
        """See :meth:`Rotary.inv_freq`: base^(-2i/r)."""
        return geometric_frequencies(self.base, self.rotary_width, self.rotary_width // 2)

    def validate(self) -> None:
        """Refuse an odd rotary width, or one beyond the dimension."""
        low, width = DIMENSION_RANGE[0], self.rotary_width
        given = self.rotary_dimension == width  # else it is the model dimension
        field, what = ("rotary_dimension", "rotary width") if given else ("dimension", "model dimension")
        if width % 2:
            nearest = nearest_even(width, low, self.dimension if given else DIMENSION_RANGE[1])
            raise FieldError(
                field,
                f"{self.title} rotates pairs, so its {what} must be even: {width:,} is odd; "
                f"the nearest valid widths are {' and '.join(f'{each:,}' for each in nearest)}.",
                even_fixes(field, nearest, is_parameter=given),
            )
        if width > self.dimension:
            largest = self.dimension - self.dimension % 2
            raise FieldError(
                field,
                f"Rotary width is {width:,}, more than the {self.dimension:,} dimensions there are; "
                f"it can be at most {largest:,}.",
                even_fixes(field, (largest,), is_parameter=True),
            )

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        used = super().effective()
        return used | ({"rotary_dimension": self.rotary_width} if "rotary_dimension" in used else {})

    def width_notes(self) -> tuple[str, ...]:
        """A sentence about dimensions that do not rotate, if there are any."""
        rest = self.dimension - self.rotary_width
        if not rest:
            return ()
        carry = "1 carries" if rest == 1 else f"{rest:,} carry"
        return (f"Only the first {self.rotary_width:,} of {self.dimension:,} dimensions rotate; {carry} no position.",)
