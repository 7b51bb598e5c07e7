"""Scores under a query temperature: a factor on each query that is the same over stretches of queries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.damped import (
    STRIP,
    Complex,
    Float,
    even_waves,
    exponentials_less_one,
    kind_for,
    product_sums,
    waves,
)
from pe_desktop.core.gap_line import GapScore
from pe_desktop.core.gap_window import NEAR, edge_waves, gap_means, gap_sums, spanned_gaps
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.temperature import Temperature
from pe_desktop.core.work import checkpoint

Index = NDArray[np.intp]
# What is spent at most to follow the factor inside blocks. Where they are split: cells of their parts, and waves of
# these where not all gaps are known; where whole ones are corrected: waves of one, changes in all, products of both.
MOST_CELLS, MOST_WAVES = 1 << 21, 1 << 22
MOST_TURNS, MOST_JUMPS, MOST_PRODUCTS = 1 << 23, 1 << 18, 1 << 29
NONE, SPLIT, CORRECTED, LEFT_OUT = "none", "split", "corrected", "left out"
SLOW = 1e-3  # rad that a wave turns over the whole picture, below which it is a straight line


class Changes(NamedTuple):
    """Queries first, first + step, … from each of which on another factor holds."""

    first: int
    step: int

    def inside(self, span: Blocks) -> tuple[Float, Index]:
        """For each block: the first change after its start, and how many it has before its end, each (blocks,)."""
        edges = span.edges
        before = np.maximum(np.floor((edges[:-1] - self.first) / self.step) + 1.0, 0.0)
        stop = np.maximum(np.ceil((edges[1:] - self.first) / self.step), before)
        return before * self.step + self.first, np.asarray(stop - before, dtype=np.intp)


def has_scale(scheme: Scheme) -> bool:
    """Whether the scheme multiplies any query of the sequence; such a factor never falls with the position."""
    return not isinstance(scheme, ScoreBias) and bool(np.any(scheme.query_scale([0, scheme.length - 1]) != 1.0))


def changes_of(scheme: Scheme) -> Changes | None:
    """Where the factor changes; None where it never does."""
    if not has_scale(scheme) or not isinstance(scheme, Temperature):
        return None
    step = scheme.temperature_length
    return Changes(step - 1 if scheme.temperature == "llama4" else step, step)


def changes_way(scheme: Scheme, rows: Blocks, columns: Blocks) -> str:
    """How changes of the factor inside blocks are followed; LEFT_OUT where there are too many."""
    changes = changes_of(scheme)
    counts = np.zeros(1, dtype=np.intp) if changes is None else changes.inside(rows)[1]
    most, parts = int(counts.max()), rows.number + int(counts.sum())
    if most == 0:
        return NONE
    near = spanned_gaps(rows, columns) <= NEAR
    if near and parts * columns.number <= MOST_CELLS:
        return SPLIT
    if rows.is_whole:
        jumps, turns = most * rows.number, most * scheme.dimension
        few = turns <= MOST_TURNS and jumps <= MOST_JUMPS and jumps * scheme.dimension <= MOST_PRODUCTS
        return CORRECTED if few else LEFT_OUT
    return SPLIT if not near and parts * scheme.dimension <= MOST_WAVES else LEFT_OUT


def changes_inside(scheme: Scheme, rows: Blocks) -> int:
    """How often the factor changes inside blocks of queries."""
    changes = changes_of(scheme)
    return 0 if changes is None else int(changes.inside(rows)[1].sum())


def scaled_means(scheme: Scheme, score: GapScore, rows: Blocks, columns: Blocks) -> tuple[Float, Float]:
    """Means of factor x score, and of the factor alone.

    Parameters
    ----------
    scheme : Scheme
        With a factor whose changes are followed, see :func:`changes_way`.
    score : GapScore
        Of all pairs; without the factor.
    rows, columns : Blocks
        Queries and keys.

    Returns
    -------
    ndarray, shape (rows, columns), float64
    ndarray, shape (rows,), float64
    """
    changes, way = changes_of(scheme), changes_way(scheme, rows, columns)
    if changes is None or way == NONE:
        factor = scheme.query_scale(np.floor(rows.edges[:-1]))
        return gap_means(score, rows, columns) * factor[:, None], factor
    if way == CORRECTED:
        return _corrected(scheme, score, changes, rows, columns)
    first, counts = changes.inside(rows)
    inner = np.concatenate([at + changes.step * np.arange(many) for at, many in zip(first, counts, strict=True)])
    edges = np.union1d(rows.edges, inner)
    begins = np.searchsorted(edges, rows.edges[:-1])
    factors, heights = scheme.query_scale(np.floor(edges[:-1])), np.diff(rows.edges)
    sums = np.add.reduceat(gap_sums(score, edges, columns.edges) * factors[:, None], begins, axis=0)
    means = sums / np.multiply.outer(heights, np.diff(columns.edges))
    return means, np.add.reduceat(np.diff(edges) * factors, begins) / heights


def _corrected(scheme: Scheme, score: GapScore, changes: Changes, rows: Blocks, columns: Blocks) -> tuple[Float, Float]:
    """Means with the factor that each of whole blocks ends with, less what its earlier queries have too much."""
    factor = scheme.query_scale(rows.edges[1:] - 1.0)
    means = gap_means(score, rows, columns) * factor[:, None]
    some = np.flatnonzero(changes.inside(rows)[1])
    earlier = _Earlier(scheme, changes, rows, some)
    sizes, keys = np.diff(rows.edges)[some], (rows.first + 1.0 - columns.edges)[::-1]
    kind = kind_for(len(score.rates), len(some) * columns.number)
    sums = np.zeros((len(some), columns.number))
    for begin in range(0, len(score.rates), STRIP):
        checkpoint(begin / len(score.rates))
        mine = score.rates[begin : begin + STRIP]
        sums += product_sums(earlier.waves(mine).astype(kind, copy=False), edge_waves(mine, keys, kind))
    means[some] -= sums[:, ::-1] / np.multiply.outer(sizes, np.diff(columns.edges))
    factor[some] -= earlier.queries / sizes
    return means, factor


class _Earlier:
    """Queries of blocks before each change of the factor, weighted by how much it grows there.

    Parameters
    ----------
    changes : Changes
    rows : Blocks
    some : ndarray, shape (blocks,)
        Which of them, each with a change inside.
    """

    def __init__(self, scheme: Scheme, changes: Changes, rows: Blocks, some: Index) -> None:
        first, counts = changes.inside(rows)
        first, counts = first[some], counts[some]
        self._step = float(changes.step)
        order = np.arange(counts.max(), dtype=np.float64)
        at = first[:, None] + self._step * order
        grows = scheme.query_scale(at.reshape(-1)) - scheme.query_scale(at.reshape(-1) - 1.0)
        self._jumps = np.where(order < counts[:, None], grows.reshape(at.shape), 0.0)
        self._starts, self._firsts = rows.edges[some] - rows.first, first - rows.first
        self._before = at - rows.edges[some, None]
        self._span = rows.last - rows.first

    @property
    def queries(self) -> Float:
        """Their number, weighted, shape (blocks,)."""
        return np.asarray((self._before * self._jumps).sum(axis=1))

    def waves(self, rates: Complex) -> Complex:
        """Sums of exp(rate x query) over them, weighted, shape (blocks, k), for rates (k,) without damping."""
        begin = waves(rates, self._starts, np.complex128)
        turns = even_waves(rates, 0.0, self._step, self._jumps.shape[1], np.complex128)
        sums = (self._jumps @ turns.view(np.float64)).view(np.complex128)
        sums *= waves(rates, self._firsts, np.complex128)
        sums -= self._jumps.sum(axis=1)[:, None] * begin
        slow = np.abs(rates) * self._span < SLOW
        sums *= 1.0 / np.where(slow, 1.0, exponentials_less_one(rates))
        if slow.any():  # there the difference is nearly 0 / 0
            middles = (self._before * (self._before - 1.0) / 2.0 * self._jumps).sum(axis=1)
            line = self.queries[:, None] + np.multiply.outer(middles, rates[slow])
            sums[:, slow] = begin[:, slow] * line
        return sums
