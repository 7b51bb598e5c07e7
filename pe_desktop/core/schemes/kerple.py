"""KERPLE: kernelised relative biases (Chi et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.numerals import short
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, heads_parameter

VARIANTS = (("log", "Logarithm"), ("power", "Power"))
LARGEST_POWER = 2.0


@register
@dataclass(frozen=True, kw_only=True)
class Kerple(OffsetBias):
    """A penalty that grows with the distance along a kernel's curve: a logarithm or a power."""

    variant: str = parameter(
        "Variant",
        str,
        "log",
        choices=VARIANTS,
        help="−r1·ln(1 + r2·|m − n|) or −r1·|m − n|^r2; the power 1 is ALiBi's straight line.",
        source="Chi et al. 2022, arXiv 2205.09921",
    )
    r1: float = parameter(
        "r1",
        float,
        1.0,
        minimum=1e-3,
        maximum=100.0,
        logarithmic=True,
        help="Factor of the penalty in head 0; head h has r1/2^h here, as a stand-in for its learned value.",
        source="Chi et al. 2022 (learned per head)",
    )
    r2: float = parameter(
        "r2",
        float,
        1.0,
        minimum=1e-3,
        maximum=100.0,
        logarithmic=True,
        help="Inside the logarithm, or the exponent of the power, which may be at most 2.",
        source="Chi et al. 2022 (learned per head)",
    )
    heads: int = heads_parameter("Number of heads.", "Chi et al. 2022")

    id: ClassVar[str] = "kerple"
    title: ClassVar[str] = "KERPLE"
    summary: ClassVar[str] = "A penalty along a logarithm or a power of the distance."
    source: ClassVar[str] = "Chi et al. 2022, arXiv 2205.09921"
    monotone: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse powers beyond 2, for which the kernel is not conditionally positive definite."""
        if self.variant == "power" and self.r2 > LARGEST_POWER:
            raise FieldError(
                "r2",
                f"r2 is {self.r2:g}; as the exponent of the power variant it must be at most {LARGEST_POWER:g}, beyond "
                "that the penalty is no kernel.",
                (Fix("Use 2", {"params": {"r2": LARGEST_POWER}}),),
            )

    def factors(self) -> Float:
        """r1 of each head, shape (heads,): the given one in head 0, half of it in the next, …"""
        return np.asarray(self.r1 * 2.0 ** -np.arange(self.heads))

    def slopes(self) -> Float | None:
        """See :meth:`ScoreBias.slopes`: with the power 1 the penalty is ALiBi's."""
        return self.factors() if self.variant == "power" and self.r2 == 1.0 else None

    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.at_offsets`."""
        distances = np.abs(offsets)
        curve = np.log1p(self.r2 * distances) if self.variant == "log" else distances**self.r2
        return np.asarray(0.0 - self.factors()[heads][:, None] * curve)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = ["r1 and r2 are learned per head; here head h has r1/2^h and all heads the same r2, as a stand-in."]
        if self.slopes() is not None:
            notes.append("The power 1 makes this ALiBi with slopes r1/2^h.")
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        values = self.at_offsets(np.array([1.0, self.length - 1.0]), [head])[0]
        return (
            f"Head {head} of {self.heads} loses {short(-float(values[0]))} at distance 1 and "
            f"{short(-float(values[1]), 2)} across all {self.length:,} positions."
        )

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        factor, distance = f"{float(self.factors()[head]):.6g}", abs(query - key)
        value = float(self.at_offsets(np.array([float(query - key)]), [head])[0, 0])
        curve = f"ln(1 + {self.r2:.6g} × {distance:,})" if self.variant == "log" else f"{distance:,}^{self.r2:.6g}"
        return f"bias(head {head}, query {query:,}, key {key:,}) = -{factor} × {curve} = {value:.6g}"
