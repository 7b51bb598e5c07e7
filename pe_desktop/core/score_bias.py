"""Schemes that add a number to each attention score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.scheme import Acts, Float, Scheme, parameter

Heads = slice | list[int]
ALL_HEADS = slice(None)


def picked(heads: Heads, count: int) -> list[int]:
    """The numbers of the chosen heads among `count`."""
    return list(range(count))[heads] if isinstance(heads, slice) else heads


def heads_parameter(about: str, source: str) -> Any:
    """The number of heads that a bias tells apart, as every scheme here declares it."""
    return parameter("Heads", int, 8, minimum=1, maximum=256, logarithmic=True, help=about, source=source)


def stand_in_seed() -> Any:
    """The seed of numbers that a model would have learned."""
    return parameter(
        "Stand-in seed",
        int,
        0,
        minimum=0,
        maximum=999_999,
        help="Seed of the random stand-in for what a model learns.",
        source="stand-in of this app; real values are trained",
    )


@dataclass(frozen=True, kw_only=True)
class ScoreBias(Scheme, ABC):
    """A scheme that adds a number to each attention score, query against key.

    Attributes
    ----------
    stand_in : str
        What random numbers stand in for, in the words of a sentence; "" where nothing is learned.
    content : bool
        The term depends on the words: :meth:`bias` gives it for one toy query and key per head, already scaled.
    monotone : bool
        Along a row the bias only rises or only falls on either side of the query, so ends and query tell its range.
    ripples : bool
        The bias swings within a few keys, so that one key cannot stand for its neighbours.
    sampled : bool
        No closed form of the mean over a block: :meth:`block_bias` looks at :meth:`cells_seen` cells of each.
    """

    acts: ClassVar[Acts] = Acts.BIAS
    stand_in: ClassVar[str] = ""
    content: ClassVar[bool] = False
    monotone: ClassVar[bool] = False
    ripples: ClassVar[bool] = False
    sampled: ClassVar[bool] = False

    @abstractmethod
    def bias(
        self,
        query_positions: Iterable[int] | Float,
        key_positions: Iterable[int] | Float,
        heads: Heads = ALL_HEADS,
    ) -> Float:
        """Bias, shape (heads, m, n), float64, of queries (m,) and keys (n,); `heads` picks some of the heads."""

    def pair_bias(self, queries: Float, keys: Float, heads: Heads = ALL_HEADS) -> Float:
        """Bias of each of `queries` (n,) for the key of the same number in `keys` (n,), shape (heads, n), float64."""
        return np.asarray(np.diagonal(self.bias(queries, keys, heads), axis1=1, axis2=2))

    @abstractmethod
    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """Exact mean (or a sample, see ``sampled``) of one head's bias over rectangles of queries x keys.

        Parameters
        ----------
        head : int
        rows, columns : ndarray, shapes (m,), (n,)
            First query and first key of each rectangle.
        row_count, column_count : ndarray, shapes (m,), (n,)
            Queries and keys in each rectangle.

        Returns
        -------
        ndarray, shape (m, n), float64
        """

    def cells_seen(self, rows: int, columns: int) -> int:
        """How many cells of a rectangle :meth:`block_bias` looks at, at least; all of them makes an exact mean."""
        return rows * columns

    def mean_cost(self, rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int]) -> int:
        """Rough work of :meth:`block_bias`, in cells, over ranges (first, past the last) in blocks of `steps`."""
        return -(-(rows[1] - rows[0]) // steps[0]) * -(-(columns[1] - columns[0]) // steps[1])

    @property
    def cell_cost(self) -> int:
        """Rough number of elementary steps one bias takes."""
        return 1

    @property
    def reach(self) -> int | None:
        """Distance from which on the bias no longer changes on either side of the query, None if it always may."""
        return None

    @property
    def bound_cost(self) -> int:
        """Rough number of elementary steps :meth:`bound` takes: random numbers drawn for all heads."""
        return 0

    def bound(self) -> float | None:
        """What no bias of any head exceeds at any length (absolute value), where that is known; else None."""
        return None

    def largest(self, heads: Heads = ALL_HEADS) -> float:
        """Largest absolute bias that two positions of the sequence get, in some heads; here that of the corners."""
        ends = np.array([0.0, self.length - 1.0])
        return float(np.abs(self.bias(ends, ends, heads)).max())

    def row(self, head: int, query: int, first: int, stop: int) -> Float:
        """Bias of one query against the keys first .. stop-1, shape (stop - first,), float64."""
        return np.asarray(self.bias([query], np.arange(first, stop, dtype=np.float64), [head])[0, 0])

    def slopes(self) -> Float | None:
        """Slope per head, shape (heads,), if the bias is linear in the distance."""
        return None

    def bucket_of(self, offsets: Float) -> NDArray[np.int64] | None:
        """Bucket of each offset (n,), shape (n,), for schemes that look a bias up; the class says the offset's sign."""
        return None

    def looked_up(self, offsets: Float) -> NDArray[np.int64] | None:
        """Bucket whose bias each offset (n,) really gets, where a table has fewer than :meth:`bucket_of` numbers."""
        return self.bucket_of(offsets)

    @property
    def bucket_unit(self) -> str:
        """What the numbers of :meth:`bucket_of` are."""
        return "bucket"

    def attention_bias(self, queries: Float, keys: Float, positions: Float, head: int) -> Float:
        """What one head adds to its scaled scores, shape (n, n), for tokens at `positions` (n,).

        Parameters
        ----------
        queries, keys : ndarray, shape (n, dimension)
            Needed by schemes whose bias depends on the content; the others ignore them.
        """
        return np.asarray(self.bias(positions, positions, [head])[0])

    @abstractmethod
    def cell_formula(self, query: int, key: int, head: int) -> str:
        """The formula of one bias with its numbers filled in."""
