"""KERPLE: kernelised relative biases (Chi et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.numerals import short
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, ScoreBias, heads_parameter

CORNER_COST = 2  # cells that one costs whose mean is a difference of sums at corners
MOST_LOST = 1e6  # part of its digits that such a difference may lose: 6 of 16
VARIANTS = (("log", "Logarithm"), ("power", "Power"))
LARGEST_POWER = 2.0
FIRST = 256  # distances that are added up one by one


class CornerSums:
    """A function T of the offset whose second difference is the kernel's curve g: T(x+1) - 2 T(x) + T(x-1) = g(|x|).

    Beyond the first distances T is the second integral of g with the corrections of Euler and Maclaurin,
    -g/12 + g''/240, and a straight line that makes it go on from the sums.
    """

    def __init__(self, variant: str, r2: float) -> None:
        self._log, self._r2 = variant == "log", r2
        slopes = np.cumsum(np.r_[0.0, curve_of(variant, r2, np.arange(1.0, FIRST + 1))])
        self._first = np.r_[0.0, np.cumsum(slopes)]  # T(0) .. T(FIRST + 1)
        ends = np.array([FIRST, FIRST + 1.0])
        missing = self._first[FIRST : FIRST + 2] - self._smooth(ends)
        self._slope = float(missing[1] - missing[0])
        self._height = float(missing[0] - self._slope * FIRST)

    def __call__(self, offsets: Float) -> Float:
        """T at whole offsets of any shape."""
        distances = np.abs(offsets)
        near = distances <= FIRST
        sums = self._smooth(np.where(near, float(FIRST), distances))
        sums += self._slope * distances + self._height
        sums[near] = self._first[distances[near].astype(np.intp)]
        return sums

    def _smooth(self, x: Float) -> Float:
        r = self._r2
        if self._log:
            u = 1.0 + r * x
            logs = np.log(u)
            return np.asarray((u * u * (logs / 2.0 - 0.75) + u) / (r * r) - logs / 12.0 - (r / u) ** 2 / 240.0)
        powers = x**r
        curved = r * (r - 1.0) * powers / (x * x) / 240.0
        return np.asarray(powers * x * x / ((r + 1.0) * (r + 2.0)) - powers / 12.0 + curved)


def curve_of(variant: str, r2: float, distances: Float) -> Float:
    """The kernel's curve g at distances of any shape: ln(1 + r2 d) or d^r2."""
    return np.asarray(np.log1p(r2 * distances) if variant == "log" else distances**r2)


@lru_cache(maxsize=8)
def _corner_sums(variant: str, r2: float) -> CornerSums:
    return CornerSums(variant, r2)


def _reach_of(edges: tuple[Float, Float]) -> float:
    """The largest distance between two edges of rows and of columns."""
    return float(max(edges[0][-1] - edges[1][0], edges[1][-1] - edges[0][0]))


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
        curve = curve_of(self.variant, self.r2, np.abs(offsets))
        return np.asarray(0.0 - self.factors()[heads][:, None] * curve)

    def over(self, first: int, last: int, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.over`: each distance is worked out once for both sides of the query."""
        far = max(abs(first), abs(last))
        if first >= 0 or last <= 0 or far - min(-first, last) > min(-first, last):  # hardly any on both sides
            return super().over(first, last, heads)
        values = super().over(0, far, heads)
        return np.concatenate([values[:, -first:0:-1], values[:, : last + 1]], axis=1)

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`; the sum over a rectangle is a difference of four sums at its corners."""
        down, across = (np.asarray(each, dtype=np.float64) for each in (rows, columns))
        edges = np.append(down, down[-1] + row_count[-1]), np.append(across, across[-1] + column_count[-1])
        areas = np.multiply.outer(row_count, column_count)
        together = all(np.array_equal(np.diff(e), c) for e, c in zip(edges, (row_count, column_count), strict=True))
        if not together or not self._keeps_digits(_reach_of(edges), float(areas.min())):
            return super().block_bias(head, rows, row_count, columns, column_count)
        corners = self._corners()(edges[0][:, None] - edges[1][None, :])
        sums = corners[1:, :-1] - corners[:-1, :-1] - corners[1:, 1:] + corners[:-1, 1:]
        return np.asarray(0.0 - float(self.factors()[head]) * sums / areas)

    def mean_cost(self, rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int]) -> int:
        """See :meth:`ScoreBias.mean_cost`."""
        reach = max(rows[1] - columns[0], columns[1] - rows[0])
        if self._keeps_digits(float(reach), float(steps[0] * steps[1])):
            return CORNER_COST * ScoreBias.mean_cost(self, rows, columns, steps)
        return super().mean_cost(rows, columns, steps)

    @staticmethod
    def _keeps_digits(reach: float, area: float) -> bool:
        """Whether sums at corners, which grow with the square of the offset, leave enough of a mean over an area."""
        return reach * reach <= MOST_LOST * area

    def _corners(self) -> CornerSums:
        return _corner_sums(self.variant, self.r2)

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
