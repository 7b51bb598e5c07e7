"""ALiBi: attention with linear biases (Press, Smith and Lewis 2021)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.numerals import short
from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, ScoreBias, heads_parameter

CONVENTIONS = (
    ("distance", "Distance |m − n|"),
    ("signed", "Signed m − n"),
    ("last_row", "Last row (MPT)"),
    ("key_index", "Key index (BLOOM)"),
)
PRECISIONS = (("float64", "float64"), ("bfloat16", "bfloat16 (Falcon)"))


def alibi_slopes(heads: int, max_bias: float = 8.0) -> Float:
    """Slope of each head, in head order.

    For n heads, a power of two, 2^(-max_bias i / n), i = 1 … n. Other counts take every second slope of
    the next larger power of two first, then fill up with those between.

    Parameters
    ----------
    heads : int
    max_bias : float
        Exponent of the smallest slope.

    Returns
    -------
    ndarray, shape (heads,), float64
        Not sorted where heads is no power of two. Press et al. 2021; the same list as BLOOM and MPT.
    """
    count = 1 << (heads - 1).bit_length()
    steps = np.arange(1, count + 1)
    if count != heads:
        steps = np.concatenate([steps[1::2], steps[0::2]])[:heads]
    return np.asarray(2.0 ** (-max_bias * steps / count), dtype=np.float64)


@register
@dataclass(frozen=True, kw_only=True)
class Alibi(ScoreBias):
    """A penalty on each score that grows linearly with the distance, one slope per head."""

    heads: int = heads_parameter(
        "Number of heads; any count is allowed, not only powers of two.",
        "Press et al. 2021; counts that are no power of two as in BLOOM",
    )
    max_bias: float = parameter(
        "Largest exponent",
        float,
        8.0,
        minimum=0.5,
        maximum=64.0,
        help="The flattest slope is 2 to the minus this.",
        source="MPT (alibi_bias_max), 8 in Press et al. 2021",
    )
    convention: str = parameter(
        "Convention",
        str,
        "distance",
        choices=CONVENTIONS,
        help="−slope·|m − n|, −slope·(m − n), slope·(n − (L − 1)) or slope·n; causal rows get the same weights.",
        source="x-transformers (distance); Press et al. 2021 (signed); MPT (last row); BLOOM, Falcon (key index)",
    )
    slope_precision: str = parameter(
        "Slope precision",
        str,
        "float64",
        choices=PRECISIONS,
        help="Falcon stores the slopes with the 8 significant bits of bfloat16.",
        source="transformers falcon (build_alibi_tensor)",
    )
    before_scaling: bool = parameter(
        "Add before scaling",
        bool,
        False,
        help="Falcon adds the bias to q·k and then multiplies by 1/√D, so a step is slope/√D.",
        source="transformers falcon",
    )

    id: ClassVar[str] = "alibi"
    title: ClassVar[str] = "ALiBi"
    summary: ClassVar[str] = "A penalty linear in the distance, one slope per head: a bias towards the near."
    source: ClassVar[str] = "Press et al. 2021, arXiv 2108.12409"
    monotone: ClassVar[bool] = True

    def slopes(self) -> Float:
        """See :meth:`ScoreBias.slopes`: as stored, before any scaling."""
        return rounded(alibi_slopes(self.heads, self.max_bias), self.slope_precision)

    def steps(self) -> Float:
        """What one position changes in the scaled score, shape (heads,): the slope, or slope/√D (Falcon)."""
        return self.slopes() / (math.sqrt(self.dimension) if self.before_scaling else 1.0)

    def bias(
        self,
        query_positions: Iterable[int] | Float,
        key_positions: Iterable[int] | Float,
        heads: Heads = ALL_HEADS,
    ) -> Float:
        """See :meth:`ScoreBias.bias`."""
        queries = np.asarray(query_positions, dtype=np.float64)[:, None]
        keys = np.asarray(key_positions, dtype=np.float64)[None, :]
        loss = np.abs(queries - keys) if self.convention == "distance" else self._loss(queries, keys)
        return np.asarray(0.0 - self.steps()[heads][:, None, None] * loss)

    def _loss(self, queries: Float | float, keys: Float | float) -> Float:
        """What the slope takes away, where that is a straight line in query and key; shape of their sum."""
        if self.convention == "signed":
            return np.asarray(queries - keys)
        last = self.length - 1.0 if self.convention == "last_row" else 0.0
        return np.asarray(last - keys + 0.0 * queries)

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`; the mean of a straight line is its middle."""
        if self.convention == "distance":
            loss = mean_distance(rows, row_count, columns, column_count)
        else:
            a, p, b, q = (np.asarray(v, dtype=np.float64) for v in (rows, row_count, columns, column_count))
            loss = self._loss((a + (p - 1) / 2)[:, None], (b + (q - 1) / 2)[None, :])
        return np.asarray(0.0 - self.steps()[head] * loss)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = []
        if self.convention != "distance":
            notes.append(
                "Under the causal mask the weights are those of −slope × distance; without it they are not, "
                "as later keys get a bonus."
            )
        if self.slope_precision == "bfloat16":
            exact = alibi_slopes(self.heads, self.max_bias)
            off = np.abs(self.slopes() / exact - 1.0)
            worst = int(off.argmax())
            notes.append(
                f"Slopes are rounded to bfloat16: head {worst} moves most, from {exact[worst]:.6g} to "
                f"{self.slopes()[worst]:.6g} ({100 * off[worst]:.2g} %). Falcon rounds slope × key as well, which is "
                "left out here."
            )
        if self.before_scaling:
            notes.append(
                f"The bias is added before 1/√{self.dimension:,}, so a step of head 0 is "
                f"{self.slopes()[0]:.4g}/√{self.dimension:,} = {self.steps()[0]:.4g}."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        step = float(self.steps()[head])
        who = f"Head {head} of {self.heads}"
        far = short(step * (self.length - 1), 2)
        if self.convention == "distance":
            return (
                f"{who} loses {step:.4g} per position of distance; "
                f"across all {self.length:,} positions that is {short(-step * (self.length - 1), 2)}."
            )
        if self.convention == "signed":
            return f"{who}: a key before the query loses {step:.4g} per position, a key after it gains as much."
        if self.convention == "last_row":
            return f"{who}: whatever the query, key 0 gets −{far} and each later key {step:.4g} more, up to 0."
        return f"{who}: whatever the query, key 0 gets 0 and each later key {step:.4g} more, up to {far}."

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        number = f"{float(self.steps()[head]):.6g}"
        value = float(self.bias([query], [key], [head])[0, 0, 0])
        name = f"slope/√{self.dimension:,}" if self.before_scaling else "slope"
        filled = {
            "distance": f"-{name} × distance = -{number} × {abs(query - key):,}",
            "signed": f"-{name} × (m - n) = -{number} × ({query - key:,})",
            "last_row": f"{name} × (n - (L - 1)) = {number} × ({key - self.length + 1:,})",
            "key_index": f"{name} × n = {number} × {key:,}",
        }[self.convention]
        return f"bias(head {head}, query {query:,}, key {key:,}) = {filled} = {value:.6g}"


def mean_distance(rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
    """Exact mean of |m - n| over rectangles of positions.

    Away from the diagonal it is the distance of the centres. A rectangle that the diagonal crosses uses the
    second difference of u(x) = |x|(x^2 - 1)/6, which is |x|.

    Parameters
    ----------
    rows, row_count : ndarray, shape (m,)
        First m and number of m of each rectangle.
    columns, column_count : ndarray, shape (n,)
        The same for n.

    Returns
    -------
    ndarray, shape (m, n), float64
    """
    a, p = (np.asarray(v, dtype=np.float64)[:, None] for v in (rows, row_count))
    b, q = (np.asarray(v, dtype=np.float64)[None, :] for v in (columns, column_count))
    distance = np.abs((a + (p - 1) / 2) - (b + (q - 1) / 2))
    crossed = np.nonzero((a < b + q) & (b < a + p))
    x = (a - b)[crossed]
    p1, q1 = p[crossed[0], 0], q[0, crossed[1]]
    total = _u(x + p1) - _u(x) - _u(x + p1 - q1) + _u(x - q1)
    distance[crossed] = total / (p1 * q1)
    return np.asarray(distance)


def _u(x: Float) -> Float:
    return np.abs(x) * (x * x - 1.0) / 6.0
