"""Biases that are a function of the offset between query and key alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError
from pe_desktop.core.offset_means import SPARSE, Over, rectangle_means, span_of
from pe_desktop.core.scheme import Float
from pe_desktop.core.score_bias import ALL_HEADS, Heads, ScoreBias
from pe_desktop.core.work import checkpoint

CHUNK = 1 << 16
OFFSET_COST = 4  # cells of a picture that one offset of the exact means costs


def whole(offsets: Float, field: str = "positions") -> NDArray[np.int64]:
    """Offsets (n,) as whole numbers, for schemes that look a bias up in a table.

    Raises
    ------
    FieldError
        If one lies between two whole numbers.
    """
    rounded = np.rint(offsets)
    if not np.array_equal(rounded, offsets):
        raise FieldError(
            field, f"The {field} lie between whole numbers; a table has one entry for each whole offset, so give those."
        )
    return rounded.astype(np.int64)


def _equal_runs(counts: NDArray[Any]) -> list[tuple[int, slice]]:
    """Neighbouring blocks of one size: the size and where they are."""
    edges = [0, *(np.flatnonzero(np.diff(counts)) + 1).tolist(), len(counts)]
    return [(int(counts[first]), slice(first, stop)) for first, stop in pairwise(edges)]


class _Once:
    """Biases of a window of offsets, looked at when the first are asked for, and never again."""

    def __init__(self, over: Over, window: tuple[int, int]) -> None:
        self._over, self._window = over, window
        self._values: Float | None = None

    def __call__(self, first: int, last: int) -> Float:
        low, high = self._window
        if self._values is None:
            self._values = self._over(low, high)
        return self._values[first - low : last - low + 1]


@dataclass(frozen=True, kw_only=True)
class OffsetBias(ScoreBias, ABC):
    """A bias that depends on query position minus key position and on nothing else."""

    @abstractmethod
    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """Bias at offsets (n,), query minus key, shape (heads, n), float64; `heads` picks some of the heads."""

    def over(self, first: int, last: int, heads: Heads = ALL_HEADS) -> Float:
        """Bias at every offset first .. last, shape (heads, last - first + 1), float64, in strips."""
        low, high = first, last
        if self.reach is not None:  # beyond it the outermost values repeat
            low, high = min(max(first, -self.reach), self.reach), max(min(last, self.reach), -self.reach)
        parts = []
        for start in range(low, high + 1, CHUNK):
            checkpoint()
            parts.append(self.at_offsets(np.arange(start, min(start + CHUNK, high + 1), dtype=np.float64), heads))
        values = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        if (low, high) == (first, last):
            return values
        return values[:, np.clip(np.arange(first, last + 1), low, high) - low]

    def bias(
        self,
        query_positions: Iterable[int] | Float,
        key_positions: Iterable[int] | Float,
        heads: Heads = ALL_HEADS,
    ) -> Float:
        """See :meth:`ScoreBias.bias`."""
        queries = np.asarray(query_positions, dtype=np.float64)
        keys = np.asarray(key_positions, dtype=np.float64)
        offsets = queries[:, None] - keys[None, :]
        low, high = float(offsets.min()), float(offsets.max())
        if high - low < offsets.size and np.array_equal(offsets, np.rint(offsets)):  # most offsets come more than once
            values = self.over(int(low), int(high), heads)
            return np.asarray(values[:, (offsets - low).astype(np.intp)])
        flat = self.at_offsets(offsets.ravel(), heads)
        return np.asarray(flat.reshape(len(flat), *offsets.shape))

    def row(self, head: int, query: int, first: int, stop: int) -> Float:
        """See :meth:`ScoreBias.row`."""
        return np.asarray(self.over(query - stop + 1, query - first, [head])[0, ::-1])

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`: exact, by :func:`offset_means.rectangle_means`."""
        rows, columns = np.asarray(rows, dtype=np.float64), np.asarray(columns, dtype=np.float64)
        out = np.empty((len(rows), len(columns)))
        once = _Once(partial(self._one_head, head), self._window(rows, row_count, columns, column_count))
        for p, down in _equal_runs(np.asarray(row_count)):
            for q, across in _equal_runs(np.asarray(column_count)):
                out[down, across] = self._means(head, once, rows[down, None] - columns[None, across], p, q)
        return out

    def _window(self, rows: Float, row_count: Float, columns: Float, column_count: Float) -> tuple[int, int]:
        """First and last offset that any of the rectangles needs; beyond the reach there is one value on each side."""
        high, wide = int(np.max(row_count)), int(np.max(column_count))
        first = int(rows.min() - columns.max()) - (wide - 1)
        last = int(rows.max() - columns.min()) + high - 1
        if self.reach is None:
            return first, last
        room = self.reach + high + wide - 2
        return min(max(first, -room), self.reach), max(min(last, room), -self.reach)

    def _means(self, head: int, once: _Once, firsts: Float, rows: int, columns: int) -> Float:
        if rows == columns == 1 and firsts.max() - firsts.min() > SPARSE * firsts.size:
            return np.asarray(self.at_offsets(firsts.ravel(), [head])[0].reshape(firsts.shape))
        return rectangle_means(once, firsts, rows, columns, self.reach)

    def _one_head(self, head: int, first: int, last: int) -> Float:
        return np.asarray(self.over(first, last, [head])[0])

    def mean_cost(self, rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int]) -> int:
        """See :meth:`ScoreBias.mean_cost`: every offset of the window is looked at."""
        first, last = span_of(rows, columns, steps, self.reach)
        return max(super().mean_cost(rows, columns, steps), OFFSET_COST * (last - first + 1) * self.cell_cost)

    def largest(self, heads: Heads = ALL_HEADS) -> float:
        """See :meth:`ScoreBias.largest`: of all offsets at which the bias may change."""
        last = self.length - 1
        if self.monotone:
            return float(np.abs(self.at_offsets(np.array([-last, 0.0, last]), heads)).max())
        last = last if self.reach is None else min(last, self.reach)
        return float(np.abs(self.over(-last, last, heads)).max())
