"""ALiBi, attention with linear biases (Press et al. 2021)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ScoreBias


def alibi_slopes(heads: int, max_bias: float = 8.0) -> Float:
    """Slope of every head.

    With c the smallest power of two >= heads, the c slopes are 2^(-max_bias i / c), i = 1 .. c; a count that is
    no power of two takes every second one first and then fills up with those between.

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

    heads: int = parameter(
        "Heads",
        int,
        8,
        minimum=1,
        maximum=256,
        logarithmic=True,
        help="Number of heads; any count is allowed, not only powers of two.",
        source="Press et al. 2021; counts that are no power of two as in BLOOM",
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

    id: ClassVar[str] = "alibi"
    title: ClassVar[str] = "ALiBi"
    summary: ClassVar[str] = "A penalty linear in the distance, one slope per head: a bias towards the near."
    source: ClassVar[str] = "Press et al. 2021, arXiv 2108.12409"

    def slopes(self) -> Float:
        """See :meth:`ScoreBias.slopes`."""
        return alibi_slopes(self.heads, self.max_bias)

    def bias(self, query_positions: Iterable[int] | Float, key_positions: Iterable[int] | Float) -> Float:
        """See :meth:`ScoreBias.bias`: minus slope times distance."""
        queries = np.asarray(query_positions, dtype=np.float64)
        keys = np.asarray(key_positions, dtype=np.float64)
        return np.asarray(0.0 - self.slopes()[:, None, None] * np.abs(queries[:, None] - keys[None, :]))

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`."""
        return np.asarray(0.0 - self.slopes()[head] * mean_distance(rows, row_count, columns, column_count))

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        slope = float(self.slopes()[head])
        return (
            f"Head {head} of {self.heads} loses {slope:.4g} per position of distance; "
            f"across all {self.length:,} positions that is {short(-slope * (self.length - 1), 2)}."
        )

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        slope = float(self.slopes()[head])
        value = 0.0 - slope * abs(query - key)
        return (
            f"bias(head {head}, query {query:,}, key {key:,}) = -slope × distance "
            f"= -{slope:.6g} × {abs(query - key):,} = {value:.6g}"
        )


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
