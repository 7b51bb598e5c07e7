"""Relative position representations (Shaw, Uszkoreit and Vaswani 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.offset_bias import OffsetBias, whole
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, heads_parameter, picked, stand_in_seed
from pe_desktop.core.stand_in import centred_table, products, toy_vector

FARTHEST = 1024


def shaw_rows(offsets: NDArray[np.int64], left: int, right: int) -> NDArray[np.int64]:
    """Row of the table for each offset, key minus query: clip(offset, -left, right) + left."""
    return np.asarray(np.clip(offsets, -left, right) + left)


def shaw_bias(queries: Float, table: Float, keys: int, left: int, right: int, scale: float) -> Float:
    """Position term of the scores with a given table: scale · q_m · A[clip(n - m, -left, right) + left].

    Parameters
    ----------
    queries : ndarray, shape (m, d)
        Query m stands at position m.
    table : ndarray, shape (left + right + 1, d)
    keys : int
        Keys stand at positions 0 … keys - 1.
    left, right : int
        Offsets beyond which all keys look alike.
    scale : float
        What multiplies the scores, usually 1/sqrt(d).

    Returns
    -------
    ndarray, shape (m, keys), float64
        Shaw et al. 2018, equation 4; transformers wav2vec2_bert (``relative_key``).
    """
    offsets = np.arange(keys)[None, :] - np.arange(len(queries))[:, None]
    return shaw_terms(np.asarray(queries) @ np.asarray(table).T, offsets, left, right, scale)


def shaw_terms(each: Float, offsets: NDArray[np.int64], left: int, right: int, scale: float) -> Float:
    """The scaled product of each query with the vector of its offset to each key, shape (m, n).

    `each` (m, rows) are the products of the queries with the table, `offsets` (m, n) key minus query.
    """
    return np.asarray(np.take_along_axis(each, shaw_rows(offsets, left, right), axis=1) * scale)


@lru_cache(maxsize=256)
def _toy_terms(seed: int, head: int, dimension: int, left: int, right: int) -> Float:
    vector = toy_vector(f"shaw query {seed}", head, dimension)
    return np.asarray(products(vector[None], centred_table(f"shaw {seed}", left, right))[0] / np.sqrt(dimension))


@register
@dataclass(frozen=True, kw_only=True)
class Shaw(OffsetBias):
    """A learned vector per clipped offset is added to each key before the query meets it."""

    left: int = parameter(
        "Clip to the left",
        int,
        64,
        minimum=0,
        maximum=FARTHEST,
        unit="positions",
        help="Keys further back than this share one vector.",
        source="transformers wav2vec2_bert (left_max_position_embeddings); k in Shaw et al. 2018",
    )
    right: int = parameter(
        "Clip to the right",
        int,
        8,
        minimum=0,
        maximum=FARTHEST,
        unit="positions",
        help="Keys further on than this share one vector.",
        source="transformers wav2vec2_bert (right_max_position_embeddings); k in Shaw et al. 2018",
    )
    heads: int = heads_parameter(
        "Number of heads; they share the table, each with a toy query of its own.", "Shaw et al. 2018, section 3.3"
    )
    seed: int = stand_in_seed()

    id: ClassVar[str] = "shaw"
    title: ClassVar[str] = "Shaw relative"
    summary: ClassVar[str] = "The query also meets a learned vector for the clipped offset of each key."
    source: ClassVar[str] = "Shaw et al. 2018, arXiv 1803.02155"
    stand_in: ClassVar[str] = "toy query"
    content: ClassVar[bool] = True

    @property
    def reach(self) -> int:
        """See :attr:`ScoreBias.reach`."""
        return max(self.left, self.right, 1)

    def terms(self, heads: Heads = ALL_HEADS) -> Float:
        """Toy query of each head times each vector of the stand-in table, scaled, shape (heads, left + right + 1)."""
        return np.stack(
            [_toy_terms(self.seed, head, self.dimension, self.left, self.right) for head in picked(heads, self.heads)]
        )

    def bucket_of(self, offsets: Float) -> NDArray[np.int64]:
        """See :meth:`ScoreBias.bucket_of`: the row of the table; an offset is key minus query."""
        return shaw_rows(whole(np.asarray(offsets), "offsets"), self.left, self.right)

    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.at_offsets`, for the toy query of each head."""
        return np.asarray(self.terms(heads)[:, shaw_rows(-whole(offsets), self.left, self.right)])

    def attention_bias(self, queries: Float, keys: Float, positions: Float, head: int) -> Float:
        """See :meth:`ScoreBias.attention_bias`: each query with the stand-in vector of each offset."""
        each = products(queries, centred_table(f"shaw {self.seed}", self.left, self.right))
        offsets = whole(positions[None, :] - positions[:, None])
        return shaw_terms(each, offsets, self.left, self.right, self.softmax_scale)

    @property
    def bound_cost(self) -> int:
        """See :attr:`ScoreBias.bound_cost`: a query of each head."""
        return self.heads * self.dimension

    def bound(self) -> float:
        """See :meth:`ScoreBias.bound`."""
        return float(np.abs(self.terms()).max())

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        return (
            "Shown for one toy query per head: the term depends on the query. The table is a random stand-in.",
            f"All keys {self.left:,} or more before the query look alike, and all {self.right:,} or more after it.",
        )

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        count = self.left + self.right + 1
        vectors = "a random stand-in vector" if count == 1 else f"{count:,} random stand-in vectors"
        return (
            f"Toy query of head {head} with {vectors}, by offset from {'−' if self.left else ''}{self.left:,} to "
            f"{self.right:,} (key minus query); beyond, all keys look alike."
        )

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        row = int(self.bucket_of(np.array([float(key - query)]))[0])
        value = float(self.terms([head])[0, row])
        return (
            f"toy q of head {head} · A[clip({key - query:,}, {-self.left:,}, {self.right:,}) + {self.left:,}] "
            f"/ √{self.dimension:,} = q · A[{row}] / √{self.dimension:,} = {value:.6g}"
        )
