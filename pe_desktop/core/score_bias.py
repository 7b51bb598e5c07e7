"""Schemes that add a number to each attention score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.scheme import Acts, Float, Scheme


@dataclass(frozen=True, kw_only=True)
class ScoreBias(Scheme, ABC):
    """A scheme that adds a number to each attention score, query against key."""

    acts: ClassVar[Acts] = Acts.BIAS

    @abstractmethod
    def bias(self, query_positions: Iterable[int] | Float, key_positions: Iterable[int] | Float) -> Float:
        """Bias, shape (heads, m, n), float64, of queries (m,) and keys (n,)."""

    @abstractmethod
    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """Exact mean of one head's bias over rectangles of queries x keys.

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

    def slopes(self) -> Float | None:
        """Slope per head, shape (heads,), if the bias is linear in the distance."""
        return None

    def buckets(self, offsets: Float) -> NDArray[np.int64] | None:
        """Bucket of each offset (n,), shape (n,), for schemes that look a bias up; the class says the offset's sign."""
        return None

    def attention_bias(self, queries: Float, keys: Float, positions: Float, head: int) -> Float:
        """What one head adds to its scaled scores, shape (n, n), for tokens at `positions` (n,).

        Parameters
        ----------
        queries, keys : ndarray, shape (n, dimension)
            Needed by schemes whose bias depends on the content; the others ignore them.
        """
        return np.asarray(self.bias(positions, positions)[head])

    @abstractmethod
    def cell_formula(self, query: int, key: int, head: int) -> str:
        """The formula of one bias with its numbers filled in."""
