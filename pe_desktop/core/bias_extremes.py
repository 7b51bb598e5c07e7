"""Extremes of a bias over rectangles of queries x keys: closed forms, ranges of offsets, bends of a network."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cell_extremes import Groups
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.range_table import RangeTable, tabulated
from pe_desktop.core.schemes.fire import Fire, Network, fire_ratio, network
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int64]
Index = NDArray[np.intp]

STRIP_CELLS = 1 << 16  # rectangles worked on together
DIAGONAL = 64  # cells of the diagonal worked out together
# How far below the top of a bend of a network the largest value found may lie, as a share of the range of the bias.
NEAR_ENOUGH = 2e-6
SAMPLES = (32, 512)  # queries of a rectangle tried before all are
SEEN_CELLS = 1 << 17


def bias_extremes(scheme: ScoreBias, rows: Groups, columns: Groups, head: int) -> tuple[Float32, Float32]:
    """Smallest and largest bias of one head over rectangles of queries x keys.

    Parameters
    ----------
    scheme : ScoreBias
    rows, columns : Groups
        Queries and keys of each rectangle, none empty.
    head : int

    Returns
    -------
    low, high : ndarray, shape (rows, columns), float32
        Exact, for FIRE to 2e-6 of the range.
    """
    if isinstance(scheme, Fire):
        return _of_fire(scheme, rows, columns, head)
    if scheme.monotone:
        return _of_corners(scheme, rows, columns, head)
    assert isinstance(scheme, OffsetBias)
    return _of_offsets(scheme, rows, columns, head)


def offsets_of(rows: Groups, columns: Groups) -> tuple[Int, Int]:
    """Smallest and largest query minus key of each rectangle, each (rows, columns); all between them occur."""
    low = rows.firsts[:, None] - (columns.lasts - 1)[None, :]
    return low.astype(np.int64), ((rows.lasts - 1)[:, None] - columns.firsts[None, :]).astype(np.int64)


def strips_of(rows: Groups, columns: int) -> Iterator[tuple[slice, Groups]]:
    """The rectangles, some rows of them at a time."""
    height = max(1, STRIP_CELLS // columns)
    for first in range(0, len(rows.firsts), height):
        checkpoint(first / len(rows.firsts))
        part = slice(first, first + height)
        yield part, Groups(rows.firsts[part], rows.lasts[part])


def _empty(rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    shape = len(rows.firsts), len(columns.firsts)
    return np.empty(shape, dtype=np.float32), np.empty(shape, dtype=np.float32)


def _of_corners(scheme: ScoreBias, rows: Groups, columns: Groups, head: int) -> tuple[Float32, Float32]:
    """A bias that only rises or falls on either side of the diagonal has its extremes at corners or on it."""
    low, high = _empty(rows, columns)
    keys = np.stack([columns.firsts, columns.lasts - 1]).ravel()
    for part, some in strips_of(rows, len(keys)):
        queries = np.stack([some.firsts, some.lasts - 1]).ravel()
        corners = scheme.bias(queries, keys, [head])[0].reshape(2, len(some.firsts), 2, len(columns.firsts))
        below, above = corners.min(axis=(0, 2)), corners.max(axis=(0, 2))
        first = np.maximum(some.firsts[:, None], columns.firsts)
        crossed = np.nonzero(first < np.minimum(some.lasts[:, None], columns.lasts))
        middle = _on_the_diagonal(scheme, first[crossed], head)
        below[crossed], above[crossed] = np.minimum(below[crossed], middle), np.maximum(above[crossed], middle)
        low[part], high[part] = below, above
    return low, high


def _on_the_diagonal(scheme: ScoreBias, positions: Index, head: int) -> Float:
    """Bias of each of `positions` (n,) against itself, shape (n,)."""
    places = positions.astype(np.float64)
    parts = [places[first : first + DIAGONAL] for first in range(0, len(places), DIAGONAL)]
    return np.concatenate([np.zeros(0), *(scheme.pair_bias(part, part, [head])[0] for part in parts)])


def _of_offsets(scheme: OffsetBias, rows: Groups, columns: Groups, head: int) -> tuple[Float32, Float32]:
    """A bias of the offset alone: the extremes of a range of its table, which ends where the bias stays as it is."""
    low, high = _empty(rows, columns)
    first = int(rows.firsts[0] - (columns.lasts[-1] - 1))
    last = int(rows.lasts[-1] - 1 - columns.firsts[0])
    reach = max(abs(first), abs(last)) if scheme.reach is None else scheme.reach
    first, last = (min(max(each, -reach), reach) for each in (first, last))
    longest = int((rows.lasts - rows.firsts).max() + (columns.lasts - columns.firsts).max())
    table = RangeTable(tabulated(lambda a, b: scheme.over(a, b, [head])[0], first, last), longest)
    for part, some in strips_of(rows, len(columns.firsts)):
        least, most = (np.clip(each, first, last) - first for each in offsets_of(some, columns))
        low[part], high[part] = table.extremes(least, most)
    return low, high


# FIRE -----------------------------------------------------------------------------------------------------------


def _of_fire(scheme: Fire, rows: Groups, columns: Groups, head: int) -> tuple[Float32, Float32]:
    """The ratio grows with the query and falls with the key, so that two corners hold its ends.

    Between them the network has its extremes at its bends, or rather at the cells whose ratio is nearest to one.
    """
    low, high = _empty(rows, columns)
    net = network(scheme.seed, head, scheme.hidden)
    end = float(scheme.ratio([scheme.length - 1], [0])[0, 0])
    occur = net.at(np.r_[net.bends[net.bends < end], end])
    enough = NEAR_ENOUGH * float(np.ptp(occur))
    for part, some in strips_of(rows, len(columns.firsts)):
        ends = [
            scheme.ratio(queries.astype(np.float64), keys.astype(np.float64))
            for queries, keys in ((some.firsts, columns.lasts - 1), (some.lasts - 1, columns.firsts))
        ]
        values = [net.at(each) for each in ends]
        for out, sign, found in ((low, -1.0, np.minimum(*values)), (high, 1.0, np.maximum(*values))):
            found *= sign
            _climb(scheme, net, sign, found, ends, (some, columns), enough)
            out[part] = sign * found
    return low, high


def _climb(
    scheme: Fire,
    net: Network,
    sign: float,
    found: Float,
    ends: list[Float],
    cells: tuple[Groups, Groups],
    enough: float,
) -> None:
    """Raise `found`, the largest of sign x bias so far, to what cells near the tops of the network reach."""
    values = sign * net.values
    tops = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:])) + 1
    for top in tops[np.argsort(-values[tops])]:
        bend, value = float(net.bends[top]), float(values[top])
        i, j = np.nonzero((ends[0] < bend) & (bend < ends[1]) & (found < value - enough))
        heights = (cells[0].lasts - cells[0].firsts)[i]
        for samples in (*SAMPLES, int(heights.max(initial=0))):
            if not len(i):
                break
            best = _near(scheme, net, sign, bend, (i, j), cells, samples)
            found[i, j] = np.maximum(found[i, j], best)
            short = (best < value - enough) & (heights > samples)
            i, j, heights = i[short], j[short], heights[short]


def _near(
    scheme: Fire,
    net: Network,
    sign: float,
    bend: float,
    rectangles: tuple[Index, Index],
    cells: tuple[Groups, Groups],
    samples: int,
) -> Float:
    """Largest sign x bias of the keys next to a bend, for up to `samples` queries of each rectangle, shape (n,)."""
    out = np.empty(len(rectangles[0]))
    height = max(1, SEEN_CELLS // samples)
    for start in range(0, len(out), height):
        checkpoint(start / len(out))
        part = slice(start, start + height)
        i, j = rectangles[0][part], rectangles[1][part]
        first, count = cells[0].firsts[i][:, None], (cells[0].lasts - cells[0].firsts)[i][:, None]
        queries = first + np.minimum(np.floor((np.arange(samples) + 0.5) * np.maximum(count / samples, 1.0)), count - 1)
        start_at = np.maximum(queries + 1.0, scheme.threshold)
        distance = np.floor(np.expm1(bend * np.log1p(scheme.c * start_at)) / scheme.c)
        best = np.full(len(i), -np.inf)
        for further in (0.0, 1.0):
            keys = np.clip(queries - distance - further, cells[1].firsts[j][:, None], cells[1].lasts[j][:, None] - 1)
            seen = net.at(fire_ratio(queries, keys, scheme.c, scheme.threshold))
            np.maximum(best, sign * seen.max(axis=1) if sign > 0 else -seen.min(axis=1), out=best)
        out[part] = best
    return out
