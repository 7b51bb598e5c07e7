"""Comparing two schemes that add a vector (or nothing) to the embedding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.scheme import Float
from pe_desktop.core.verdict import DIFFERENT, REORDERED, SAME, Verdict, Walk, number, starts, walk, walk_to_first

Index = NDArray[np.intp]
PROBES = 96  # positions that tell the columns of two schemes apart


@dataclass(frozen=True)
class Rows:
    """The rows that both schemes have: positions 0 .. ``count`` - 1 of ``total``."""

    a: Additive
    b: Additive
    total: int

    @property
    def ends(self) -> tuple[int, int]:
        """How many rows each of the two has."""
        return _rows_of(self.a, self.total), _rows_of(self.b, self.total)

    @property
    def count(self) -> int:
        """Rows that both have."""
        return min(self.ends)

    def differ(self, positions: Float, order: Index | None = None) -> tuple[Float, Float]:
        """See :data:`Differ`; B's columns are taken in `order`."""
        rows = self.a.encode(positions), self.b.encode(positions)
        sizes = np.maximum(np.abs(rows[0]).max(axis=1), np.abs(rows[1]).max(axis=1))
        other = rows[1] if order is None else rows[1][:, order]
        return np.abs(rows[0] - other), sizes

    def reordered(self, order: Index) -> Reordered:
        """The same rows with B's columns in another order."""
        return Reordered(self, order)


def _rows_of(scheme: Additive, total: int) -> int:
    return total if scheme.last_position is None else min(total, scheme.last_position + 1)


@dataclass(frozen=True)
class Reordered:
    """Rows of A against rows of B whose columns stand in another order."""

    rows: Rows
    order: Index

    def differ(self, positions: Float) -> tuple[Float, Float]:
        """See :data:`Differ`."""
        return self.rows.differ(positions, self.order)


def compare_added(a: Additive, b: Additive, total: int, tolerance: float) -> Verdict:
    """Compare the rows that A and B add at positions 0 .. total - 1."""
    rows = Rows(a, b, total)
    verdict = _by_waves(a, b, total, tolerance)
    if verdict is not None:
        return verdict
    stand = walk(rows.differ, rows.count, a.dimension, tolerance)
    if stand.first is None:
        return _ends_alike(rows, stand) or Verdict(
            SAME,
            f"The same up to rounding {stand.extent}.",
            None,
            stand.largest,
        )
    order = _matching(rows)
    if order is not None and not np.array_equal(order, np.arange(len(order))) and rows.ends[0] == rows.ends[1]:
        sorted_walk = walk(rows.reordered(order).differ, rows.count, a.dimension, tolerance)
        if sorted_walk.first is None:
            return _reordered(order, stand.first, sorted_walk.largest, f"up to rounding {sorted_walk.extent}")
    return _different(rows, stand)


def _by_waves(a: Additive, b: Additive, total: int, tolerance: float) -> Verdict | None:
    """Equal or reordered by the frequencies and phases of the columns alone; None if those do not say so."""
    mine, other = a.wave_columns(), b.wave_columns()
    if mine is None or other is None or a.last_position is not None or b.last_position is not None:
        return None
    off = _wave_gap(mine, other, total)
    if off <= tolerance:
        exact = "at every position" if off == 0.0 else f"up to rounding at all {total:,} positions"
        return Verdict(SAME, f"The same: each column is the same wave in both, {exact}.", None, off)
    orders = [np.lexsort((phases, frequencies)) for frequencies, phases in (mine, other)]
    order = np.empty(a.dimension, dtype=np.intp)
    order[orders[0]] = orders[1]
    off = _wave_gap(mine, (other[0][order], other[1][order]), total)
    if off > tolerance:
        return None
    first = walk_to_first(Rows(a, b, total).differ, total, a.dimension, tolerance).first
    return _reordered(order, first, off, "at every position" if off == 0.0 else "up to rounding")


def _wave_gap(a: tuple[Float, Float], b: tuple[Float, Float], total: int) -> float:
    """How far apart two sets of waves can get within `total` positions, at most."""
    return float((np.abs(a[0] - b[0]) * (total - 1) + np.abs(a[1] - b[1])).max())


def _matching(rows: Rows) -> Index | None:
    """Which column of B looks like each column of A at a few positions, None if some column has no like."""
    places = np.unique(np.linspace(0, rows.count - 1, min(rows.count, PROBES)).round())
    seen = rows.a.encode(places), rows.b.encode(places)
    # Columns are told apart by one number each: their product with a direction that no encoding knows.
    direction = np.cos(1.7 * np.arange(len(places)) ** 1.5)
    orders = [np.argsort(direction @ columns, kind="stable") for columns in seen]
    gap = np.abs(seen[0][:, orders[0]] - seen[1][:, orders[1]]).max()
    if gap > 1e-6 * max(np.abs(seen[0]).max(), np.abs(seen[1]).max(), 1e-300):
        return None
    order = np.empty(rows.a.dimension, dtype=np.intp)
    order[orders[0]] = orders[1]
    return order


def _reordered(order: Index, first: int | None, largest: float, extent: str) -> Verdict:
    """`order` says for each column of A which column of B equals it; the verdict's permutation is the inverse."""
    permutation = np.empty_like(order)
    permutation[order] = np.arange(len(order))
    moved = int(np.flatnonzero(permutation != np.arange(len(order)))[0])
    apart = "" if first is None else f"; with the same weights rows differ from position {first:,} on"
    return Verdict(
        REORDERED,
        f"The same columns in another order, {extent}: column {moved:,} of B is column {int(permutation[moved]):,} of "
        f"A. Products and norms of rows are equal{apart}.",
        first,
        largest,
        None,
        tuple(int(each) for each in permutation),
    )


def _ends_alike(rows: Rows, stand: Walk) -> Verdict | None:
    """None if both have the same number of rows; else the verdict that one ends before the other."""
    if rows.ends[0] == rows.ends[1]:
        return None
    shorter = "A" if rows.ends[0] < rows.ends[1] else "B"
    return Verdict(
        DIFFERENT,
        f"Different from position {rows.count:,} on: there {shorter} has no vector any more; before it they are equal.",
        rows.count,
        stand.largest,
        f"end of {shorter}'s table",
    )


def _different(rows: Rows, stand: Walk) -> Verdict:
    text = (
        f"{starts(stand.first)}, by up to {number(stand.largest)} (position {stand.position:,}, column "
        f"{stand.column:,})"
    )
    if stand.looked < stand.total:
        text += f"; found {stand.extent}"
    if rows.ends[0] != rows.ends[1]:
        shorter = "A" if rows.ends[0] < rows.ends[1] else "B"
        text += f"; {shorter} has no vector from position {rows.count:,} on"
    return Verdict(DIFFERENT, f"{text}.", stand.first, stand.largest, f"column {stand.column}")
