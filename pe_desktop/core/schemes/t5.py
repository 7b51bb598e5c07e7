"""T5's relative bias: one learned number per bucket of distances and head (Raffel et al. 2019)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.draws import normals
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.offset_bias import OffsetBias, whole
from pe_desktop.core.rounding import to_float32
from pe_desktop.core.scheme import LENGTH_RANGE, Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, heads_parameter, stand_in_seed

NEIGHBOURS = 3  # distances around a bucket's edge at which float32 may disagree with exact arithmetic
MOST_BUCKETS = 256


def t5_buckets(offsets: Float, buckets: int, max_distance: int, bidirectional: bool) -> NDArray[np.int64]:
    """Bucket of each offset, key minus query, as transformers computes it: every step rounded to float32.

    Parameters
    ----------
    offsets : ndarray, shape (n,)
        Key position minus query position, whole numbers.
    buckets, max_distance : int
        ``relative_attention_num_buckets`` and ``relative_attention_max_distance``.
    bidirectional : bool
        Encoder: half of the buckets for later keys. Decoder (False): all later keys share bucket 0.

    Returns
    -------
    ndarray, shape (n,), int64
        Raffel et al. 2019, arXiv 1910.10683; transformers t5.
    """
    offsets = np.asarray(offsets, dtype=np.float64)
    side = buckets // 2 if bidirectional else buckets
    distances = np.abs(offsets) if bidirectional else np.maximum(-offsets, 0.0)
    found = distance_buckets(distances, side, max_distance)
    return found + np.where(offsets > 0, side, 0) if bidirectional else found


def distance_buckets(distances: Float, side: int, max_distance: int) -> NDArray[np.int64]:
    """Bucket of each distance (n,) among the `side` buckets of one direction, shape (n,), int64."""
    near = side // 2
    share = to_float32(np.log(to_float32(to_float32(np.maximum(distances, near)) / near)))
    share = to_float32(share / float(np.float32(math.log(max_distance / near))))
    far = near + np.floor(to_float32(share * (side - near)))
    return np.where(distances < near, distances, np.minimum(far, side - 1)).astype(np.int64)


@lru_cache(maxsize=32)
def first_distances(side: int, max_distance: int) -> tuple[int, ...]:
    """Smallest distance of each bucket of one direction in exact arithmetic; a bucket without any repeats the next.

    With e = side // 2 and n = side - e, bucket e + k begins where (x/e)^n >= (M/e)^k, compared in whole numbers.
    """
    near = side // 2
    count = side - near
    edges = list(range(near))
    for k in range(count):
        guess = max(near, math.floor(near * (max_distance / near) ** (k / count)) - 1)
        target = max_distance**k * near ** (count - k)
        while guess**count < target:
            guess += 1
        edges.append(guess)
    return tuple(edges)


@lru_cache(maxsize=32)
def float32_differences(side: int, max_distance: int) -> tuple[tuple[int, int, int], ...]:
    """Distances whose bucket float32 arithmetic gets wrong: (distance, bucket in float32, exact bucket)."""
    edges = np.array(first_distances(side, max_distance))
    around = np.unique(np.add.outer(edges[side // 2 :], np.arange(-NEIGHBOURS, NEIGHBOURS + 1)))
    around = around[around >= 0]
    exact = np.searchsorted(edges, around, side="right") - 1
    found = distance_buckets(around.astype(np.float64), side, max_distance)
    return tuple((int(x), int(f), int(e)) for x, f, e in zip(around, found, exact, strict=True) if f != e)


@lru_cache(maxsize=32)
def _stand_in(seed: int, heads: int, buckets: int) -> Float:
    table = np.stack([normals(f"t5 {seed}:{head}", buckets) for head in range(heads)])
    table.flags.writeable = False
    return table


@register
@dataclass(frozen=True, kw_only=True)
class T5(OffsetBias):
    """A learned number for each bucket of offsets: near ones have a bucket each, far ones share on a log scale."""

    buckets: int = parameter(
        "Buckets",
        int,
        32,
        minimum=2,
        maximum=MOST_BUCKETS,
        logarithmic=True,
        help="Entries of the table per head; half of them are one distance wide, the rest grow geometrically.",
        source="Raffel et al. 2019; transformers t5 (relative_attention_num_buckets)",
    )
    max_distance: int = parameter(
        "Largest distance",
        int,
        128,
        minimum=2,
        maximum=LENGTH_RANGE[1],
        unit="positions",
        logarithmic=True,
        help="From here on, and a little before, all distances share the last bucket.",
        source="Raffel et al. 2019; transformers t5 (relative_attention_max_distance)",
    )
    bidirectional: bool = parameter(
        "Bidirectional",
        bool,
        True,
        help="Encoder: half of the buckets are for later keys. Decoder (off): all later keys share bucket 0.",
        source="transformers t5 (encoder: true, decoder: false)",
    )
    heads: int = heads_parameter("Number of heads, each with its own numbers.", "Raffel et al. 2019")
    seed: int = stand_in_seed()

    id: ClassVar[str] = "t5"
    title: ClassVar[str] = "T5 buckets"
    summary: ClassVar[str] = "One learned number per bucket of distances: exact near by, coarse far away."
    source: ClassVar[str] = "Raffel et al. 2019, arXiv 1910.10683"
    stand_in: ClassVar[str] = "random stand-in"

    @property
    def side(self) -> int:
        """Buckets of one direction."""
        return self.buckets // 2 if self.bidirectional else self.buckets

    def validate(self) -> None:
        """Refuse numbers of buckets that cannot be split, and a largest distance that leaves nothing to share."""
        if self.bidirectional and (self.buckets % 2 or self.buckets < 4):
            near = [n for n in (self.buckets - 1, self.buckets + 1) if 4 <= n <= MOST_BUCKETS and n % 2 == 0] or [4]
            raise FieldError(
                "buckets",
                f"Buckets is {self.buckets}; two directions share them, so it must be even and at least 4: "
                f"use {' or '.join(map(str, near))}, or turn bidirectional off.",
                tuple(Fix(f"Use {n}", {"params": {"buckets": n}}) for n in near),
            )
        near_buckets = self.side // 2
        if self.max_distance <= near_buckets:
            raise FieldError(
                "max_distance",
                f"Largest distance is {self.max_distance}, but distances up to {near_buckets - 1} have a bucket each; "
                f"it must be at least {near_buckets + 1}.",
                (Fix(f"Use {near_buckets + 1}", {"params": {"max_distance": near_buckets + 1}}),),
            )

    @property
    def softmax_scale(self) -> float:
        """See :attr:`Scheme.softmax_scale`: T5 does not divide by √D."""
        return 1.0

    @property
    def reach(self) -> int:
        """See :attr:`ScoreBias.reach`."""
        return self.max_distance

    def table(self) -> Float:
        """The random stand-in for the learned numbers, shape (heads, buckets), standard normal, read-only."""
        return _stand_in(self.seed, self.heads, self.buckets)

    def bucket_of(self, offsets: Float) -> NDArray[np.int64]:
        """See :meth:`ScoreBias.bucket_of`; an offset is key minus query. See :func:`t5_buckets`."""
        return self._buckets(whole(np.asarray(offsets), "offsets"))

    def _buckets(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        return t5_buckets(offsets.astype(np.float64), self.buckets, self.max_distance, self.bidirectional)

    def differences(self) -> tuple[tuple[int, int, int], ...]:
        """Distances whose bucket the library's float32 gets wrong: (distance, its bucket, exact bucket)."""
        return float32_differences(self.side, self.max_distance)

    @property
    def shared_from(self) -> int:
        """Distance from which on all share the last bucket."""
        edge = first_distances(self.side, self.max_distance)[-1]
        around = np.arange(max(edge - NEIGHBOURS, 0), edge + NEIGHBOURS + 1)
        last = distance_buckets(around.astype(np.float64), self.side, self.max_distance) == self.side - 1
        return int(around[last.argmax()])

    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.at_offsets`."""
        return np.asarray(np.take(self.table()[heads], self._buckets(-whole(offsets)), axis=1))

    def largest(self, heads: Heads = ALL_HEADS) -> float:
        """See :meth:`ScoreBias.largest`: of the buckets that begin within the sequence."""
        edges = np.array(first_distances(self.side, self.max_distance), dtype=np.float64)
        # One further on as well: float32 may put the first distance of a bucket into the one before.
        inside = np.minimum(np.r_[edges[edges < self.length], edges + 1.0], self.length - 1.0)
        return float(np.abs(self.at_offsets(np.r_[inside, -inside], heads)).max())

    def bound(self) -> float:
        """See :meth:`ScoreBias.bound`: the largest entry of the table."""
        return float(np.abs(self.table()).max())

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = [
            "The numbers are a random stand-in for the learned table.",
            "T5 does not divide q·k by √D: it learns smaller queries instead, which the toy weights have not.",
        ]
        if not self.bidirectional:
            notes.append("All keys after the query share bucket 0, that of distance 0.")
        wrong = self.differences()
        if wrong:
            distance, found, exact = wrong[0]
            more = f" (and {len(wrong) - 1:,} more)" if len(wrong) > 1 else ""
            notes.append(
                f"Rounded to float32 as in the library, distance {distance:,} is in bucket {found}, in exact "
                f"arithmetic in {exact}{more}."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        own = self.side // 2
        single = "Distance 0 has a bucket of its own" if own == 1 else f"Distances 0 to {own - 1} have a bucket each"
        sides = " on either side" if self.bidirectional else ", all later keys share bucket 0"
        return f"{single}, from {self.shared_from:,} on all share the last{sides}; the numbers are a random stand-in."

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        bucket = int(self.bucket_of(np.array([float(key - query)]))[0])
        value = float(self.table()[head, bucket])
        return (
            f"bias(head {head}, query {query:,}, key {key:,}) = table[bucket({key - query:,})] = table[{bucket}] "
            f"= {value:.6g}   (random stand-in)"
        )
