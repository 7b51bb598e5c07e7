"""Disentangled attention (He et al. 2020, DeBERTa): content meets position in both directions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.offset_bias import OffsetBias, whole
from pe_desktop.core.rounding import to_float32
from pe_desktop.core.scheme import Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, heads_parameter, picked, stand_in_seed
from pe_desktop.core.stand_in import centred_table, products, toy_vector

VARIANTS = (("v2", "v2: log buckets"), ("v1", "v1: clipped"))
TERMS = (("both", "Both"), ("c2p", "Query's (c2p)"), ("p2c", "Key's (p2c)"))
TABLES = ("key", "query")


def log_buckets(offsets: Float, size: int, farthest: int) -> NDArray[np.int64]:
    """Bucket of each offset, query minus key, as transformers' deberta_v2 computes it in float32.

    Offsets up to size // 2 are their own bucket, farther ones share buckets on a logarithmic scale; beyond `farthest`
    the number goes on growing and the table's last row is read.

    Parameters
    ----------
    offsets : ndarray, shape (n,)
        Query position minus key position, whole numbers.
    size, farthest : int
        ``position_buckets`` and ``max_relative_positions``.

    Returns
    -------
    ndarray, shape (n,), int64
    """
    offsets = np.asarray(offsets, dtype=np.float64)
    middle = size // 2
    distances = np.maximum(np.abs(offsets), middle)
    steps = to_float32(np.log(to_float32(distances / middle)))
    steps = to_float32(steps / to_float32(math.log(float(to_float32((farthest - 1) / middle)))))
    far = np.ceil(to_float32(steps * (middle - 1))) + middle
    return np.where(np.abs(offsets) <= middle, offsets, np.sign(offsets) * far).astype(np.int64)


@lru_cache(maxsize=256)
def _toy_terms(seed: int, head: int, dimension: int, size: int, terms: str) -> Float:
    """What each row of the tables adds to the score of the toy query and key of a head, not scaled, shape (2 size,)."""
    total = np.zeros(2 * size)
    for table, vector, term in zip(TABLES, TABLES[::-1], ("c2p", "p2c"), strict=True):
        if terms in (term, "both"):
            own = toy_vector(f"deberta {vector} {seed}", head, dimension)
            total += products(own[None], _table(seed, table, size))[0]
    return total


def _table(seed: int, name: str, size: int) -> Float:
    """Rows -size … size - 1 of a stand-in for the projected position embeddings."""
    return centred_table(f"deberta table {name} {seed}", size, size)[:-1]


@register
@dataclass(frozen=True, kw_only=True)
class Deberta(OffsetBias):
    """The query meets a vector for the offset, and so does the key; both are added to the score."""

    variant: str = parameter(
        "Variant",
        str,
        "v2",
        choices=VARIANTS,
        help="How offsets share rows of the table: on a logarithmic scale, or clipped at the largest distance.",
        source="transformers deberta_v2 (v2 and v3), deberta (v1)",
    )
    size: int = parameter(
        "Buckets",
        int,
        256,
        minimum=4,
        maximum=1024,
        logarithmic=True,
        help="Offsets up to half of it have a row each; the table has twice as many rows.",
        source="transformers deberta_v2 (position_buckets)",
        when=("variant", ("v2",)),
    )
    range: int = parameter(
        "Largest distance",
        int,
        512,
        minimum=4,
        maximum=1024,
        unit="positions",
        logarithmic=True,
        help="Offsets beyond it share the outermost row.",
        source="transformers deberta, deberta_v2 (max_relative_positions)",
    )
    terms: str = parameter(
        "Terms",
        str,
        "both",
        choices=TERMS,
        help="Content to position, position to content; with both the scores are divided by √(3D), with one by √(2D).",
        source="He et al. 2020, section 3.1; transformers (pos_att_type)",
    )
    heads: int = heads_parameter(
        "Number of heads; they share the tables, each with a toy query and key of its own.", "He et al. 2020"
    )
    seed: int = stand_in_seed()

    id: ClassVar[str] = "deberta"
    title: ClassVar[str] = "DeBERTa"
    summary: ClassVar[str] = "Query and key each meet a learned vector for their offset."
    source: ClassVar[str] = "He et al. 2020, arXiv 2006.03654"
    stand_in: ClassVar[str] = "toy query and key"
    content: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse a largest distance that leaves nothing for the logarithmic buckets."""
        least = self.size // 2 + 2
        if self.variant == "v2" and self.range < least:
            raise FieldError(
                "range",
                f"Largest distance is {self.range}, but offsets up to {self.size // 2} have a row each; "
                f"it must be at least {least}.",
                (Fix(f"Use {least}", {"params": {"range": least}}),),
            )

    @property
    def rows_each_way(self) -> int:
        """Half of the rows of the table: they stand for buckets -n … n - 1."""
        return self.size if self.variant == "v2" else self.range

    @property
    def factor(self) -> int:
        """What multiplies D under the root: one for the content, one for each term."""
        return 3 if self.terms == "both" else 2

    @property
    def softmax_scale(self) -> float:
        """See :attr:`Scheme.softmax_scale`: 1/√(3D) with both terms, 1/√(2D) with one."""
        return 1.0 / math.sqrt(self.factor * self.dimension)

    @property
    def reach(self) -> int:
        """See :attr:`ScoreBias.reach`."""
        if self.variant == "v1":
            return self.range
        middle = self.size // 2
        # The last row on the negative side is met a little after the largest distance.
        power = (self.size - middle - 1) / (middle - 1)
        farthest: int = math.ceil(middle * ((self.range - 1) / middle) ** power)
        return farthest + 2

    def bucket_of(self, offsets: Float) -> NDArray[np.int64]:
        """See :meth:`ScoreBias.bucket_of`; an offset is query minus key."""
        return self._buckets(whole(np.asarray(offsets), "offsets"))

    def _buckets(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.variant == "v1":
            return np.clip(offsets, -self.range, self.range)
        return log_buckets(offsets.astype(np.float64), self.size, self.range)

    def table_rows(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Row of the table that each offset, query minus key, reads: 0 … 2 rows_each_way - 1."""
        last = self.rows_each_way
        return np.asarray(np.clip(self._buckets(offsets) + last, 0, 2 * last - 1))

    def looked_up(self, offsets: Float) -> NDArray[np.int64]:
        """See :meth:`ScoreBias.looked_up`: the buckets, limited to the rows that the table has."""
        return self.table_rows(whole(np.asarray(offsets), "offsets")) - self.rows_each_way

    @property
    def bucket_unit(self) -> str:
        """See :attr:`ScoreBias.bucket_unit`."""
        last = self.rows_each_way
        return f"bucket, before the clamp to the table's {-last} to {last - 1}"

    def toy_terms(self, heads: Heads = ALL_HEADS) -> Float:
        """Position part of the score of the toy query and key for each row, scaled, shape (heads, rows)."""
        about = self.dimension, self.rows_each_way, self.terms
        return (
            np.stack([_toy_terms(self.seed, head, *about) for head in picked(heads, self.heads)]) * self.softmax_scale
        )

    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.at_offsets`, for the toy query and key of each head."""
        return np.asarray(self.toy_terms(heads)[:, self.table_rows(whole(offsets))])

    def attention_bias(self, queries: Float, keys: Float, positions: Float, head: int) -> Float:
        """See :meth:`ScoreBias.attention_bias`: q · K_r and k · Q_r of each offset's row."""
        rows = self.table_rows(whole(positions[:, None] - positions[None, :]))
        total = np.zeros(rows.shape)
        if self.terms != "p2c":
            each = products(queries, _table(self.seed, "key", self.rows_each_way))
            total += np.take_along_axis(each, rows, axis=1)
        if self.terms != "c2p":
            each = products(keys, _table(self.seed, "query", self.rows_each_way))
            total += np.take_along_axis(each, rows.T, axis=1).T
        return total * self.softmax_scale

    @property
    def bound_cost(self) -> int:
        """See :attr:`ScoreBias.bound_cost`: a query and a key of each head."""
        return 2 * self.heads * self.dimension

    def bound(self) -> float:
        """See :meth:`ScoreBias.bound`."""
        return float(np.abs(self.toy_terms()).max())

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = [
            "Shown for one toy query and key per head: the terms depend on both. The tables are random stand-ins.",
            f"All scores are divided by √({self.factor}D), here √({self.factor} × {self.dimension:,}).",
        ]
        if self.terms != "c2p":
            notes.append(
                "The paper looks the key's term up at the mirrored offset, the code at the same one, as is done here."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        who = f"Toy query and key of head {head} with random stand-in vectors by offset"
        if self.variant == "v1":
            return f"{who}; beyond {self.range:,} all keys look alike."
        return f"{who}: offsets up to {self.size // 2:,} have a row each, up to {self.range:,} they share rows."

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        row = int(self.table_rows(np.array([query - key]))[0])
        value = float(self.toy_terms([head])[0, row])
        parts = {"both": "q·K[r] + k·Q[r]", "c2p": "q·K[r]", "p2c": "k·Q[r]"}[self.terms]
        return (
            f"toy q, k of head {head}: ({parts}) / √({self.factor} × {self.dimension:,}), "
            f"row r of offset {query - key:,}: {row}; = {value:.6g}"
        )
