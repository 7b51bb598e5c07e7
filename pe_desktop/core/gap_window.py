"""Pictures of a score that depends on the gap query - key alone: the sum over pairs of Re exp(rate x gap).

Whole blocks of queries and keys have equally spaced gaps, see :mod:`gap_line`. Blocks whose edges cut cells are few
cells each: there the score at every gap is summed up twice along the gap, and a
rectangle is a difference of four such sums, between which an edge within a cell lies in proportion. Where only one
side of the rectangles is short, the waves of queries and of keys are multiplied, since exp(r(m-n)) = exp(rm) exp(-rn).
Waves that fade have scores for keys up to their query only, and means are over the pairs that have one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.damped import (
    STRIP,
    Complex,
    Float,
    Waves,
    damped_progression,
    geometric_sums,
    kind_for,
    product_sums,
    waves,
)
from pe_desktop.core.gap_line import GapScore, whole_means
from pe_desktop.core.wave_sums import FEWEST, wave_sums
from pe_desktop.core.work import checkpoint

Index = NDArray[np.intp]
NEAR = 1 << 16  # gaps that are worked out one by one
PER_BLOCK = 110  # such gaps that cost as much as the waves of one block
LINE, GAPS, PRODUCTS = "line", "gaps", "products"
STRIP_CELLS = 1 << 18
FEW_BLOCKS = 32
TRANSFORM = 1 << 26  # gaps x waves from which on a Fourier transform is faster than products


def line_length(rows: Blocks, columns: Blocks) -> int | None:
    """Different gaps of whole blocks; None where edges cut cells or the sizes have no common measure."""
    if not (rows.is_whole and columns.is_whole):
        return None
    several = [span for span in (rows, columns) if span.number > 1]
    unit = math.gcd(*(span.cells for span in several))
    units = 1 + sum((span.number - 1) * span.cells // unit for span in several)
    return units if units <= NEAR else None


def spanned_gaps(rows: Blocks, columns: Blocks) -> int:
    """Gaps of single cells that a picture spans."""
    return rows.last - rows.first + columns.last - columns.first


def way_of(causal: bool, rows: Blocks, columns: Blocks, cuts: int = 0) -> tuple[str, int]:
    """How means are worked out, by a line of sums, by the gaps of single cells or by products; and of how many sums.

    `cuts` are edges of queries inside the blocks.
    """
    line, gaps = line_length(rows, columns), spanned_gaps(rows, columns)
    number = rows.number + cuts, columns.number
    most = _as_gaps(causal, number, (rows.first, rows.last), (columns.first, columns.last))
    if line is not None and not cuts and line <= most:
        return LINE, line
    return (GAPS, gaps) if gaps <= min(NEAR, most) else (PRODUCTS, number[0] * number[1])


def _as_gaps(causal: bool, number: tuple[int, int], rows: tuple[int, int], columns: tuple[int, int]) -> int:
    """Gaps that cost as much as products of so many blocks that cover these cells.

    Where waves fade, products are of what is on one side of the diagonal only.
    """
    across = 2 * max(0, min(rows[1], columns[1]) - max(rows[0], columns[0])) if causal else 0
    return (PER_BLOCK * sum(number) + number[0] * number[1]) * (2 if across else 1) + across


def gap_means(score: GapScore, rows: Blocks, columns: Blocks) -> Float:
    """Exact means of a score over blocks of queries x keys.

    Parameters
    ----------
    score : GapScore
    rows, columns : Blocks
        Queries and keys.

    Returns
    -------
    ndarray, shape (rows, columns), float64
        NaN where no pair has a score. Accurate to about 1e-6 of the number of rates, see :mod:`damped`, of small
        pictures to 1e-9.
    """
    if way_of(score.causal, rows, columns)[0] == LINE:
        return whole_means(score, rows, columns)
    edges = rows.edges, columns.edges
    sums = gap_sums(score, *edges)
    sums /= np.multiply.outer(np.diff(edges[0]), np.diff(edges[1]))
    if score.causal:
        _leave_out_later(sums, score.rates, *edges)
    return sums


# Any blocks -----------------------------------------------------------------------------------------------------


def gap_sums(score: GapScore, rows: Float, columns: Float) -> Float:
    """Sums of a score over rectangles between neighbouring edges (n + 1,), (m + 1,) of queries and keys, shape (n, m).

    Edges rise and may cut cells, of which a share counts; pairs without a score add nothing.
    """
    (top, bottom), (left, right) = ((math.floor(edges[0]), math.ceil(edges[-1])) for edges in (rows, columns))
    most = _as_gaps(score.causal, (len(rows) - 1, len(columns) - 1), (top, bottom), (left, right))
    if bottom - top + right - left <= min(NEAR, most):
        return _near_sums(score, rows, columns)
    if not score.causal:
        return _product_sums(score.rates, rows, columns, left)
    low, high = max(top, left), min(bottom, right)
    out = np.zeros((len(rows) - 1, len(columns) - 1))
    if high <= low:  # no rectangle is on the diagonal
        return _product_sums(score.rates, rows, columns, right) if top >= right else out
    if bottom > high:
        out += _product_sums(score.rates, np.maximum(rows, high), columns, high)
    inside = np.clip(rows, low, high)
    if left < low:
        out += _product_sums(score.rates, inside, np.minimum(columns, low), low)
    out += _near_sums(score, inside, np.clip(columns, low, high))
    return out


def _near_sums(score: GapScore, rows: Float, columns: Float) -> Float:
    """The same from the score at every gap there is, summed up twice."""
    first, last = (np.asarray(np.floor(edges), dtype=np.intp) for edges in (rows, columns))
    low = int(first[0] - last[-1] - 2)
    once, twice = _running_sums(score, low, int(first[-1] - last[0] - low + 2))
    above, beside = rows - first, columns - last
    out = np.empty((len(rows) - 1, len(columns) - 1))
    height = max(1, STRIP_CELLS // len(columns))
    for start in range(0, len(out), height):  # a strip begins at the edge that the one before ends at
        checkpoint(start / len(out))
        strip = slice(start, start + height + 1)
        gaps = first[strip, None] - (last + low)
        corners = twice[gaps]
        if above[strip].any() or beside.any():
            share = above[strip, None]
            corners += share * (1.0 - beside) * once[gaps]
            corners -= (1.0 - share) * beside * once[gaps - 1]
        across = np.diff(corners, axis=1)
        np.subtract(across[:-1], across[1:], out=out[start : start + height])
    return out


def _running_sums(score: GapScore, low: int, count: int) -> tuple[Float, Float]:
    """Sums S(g) of the score over gaps up to g, and sums of S before g, for `count` gaps from `low` on."""
    values = np.zeros(count)
    start = max(low, 0) if score.causal else low
    many = (low + count - start) * len(score.rates) >= TRANSFORM and len(score.rates) >= FEWEST
    if many and not score.causal:
        values[:] = wave_sums(np.ones(len(score.rates), dtype=np.complex128), score.rates.imag, start, count)
    elif start < low + count:
        values[start - low :] = damped_progression(score.rates, float(start), 1.0, low + count - start)
    once = np.cumsum(values)
    once -= once.mean()  # which is a sum over rows and one over columns, and nothing in a rectangle
    twice = np.concatenate([[0.0], np.cumsum(once[:-1])])
    return once, twice


def _product_sums(rates: Complex, rows: Float, columns: Float, middle: int) -> Float:
    """Sums where all pairs have a score, by products; with waves that fade no row may begin before `middle`, no column
    end after it."""
    out = np.zeros((len(rows) - 1, len(columns) - 1))
    there = [_wide(edges) for edges in (rows, columns)]
    kind = kind_for(len(rates), out.size)
    down, across = rows[there[0]] - middle, (middle + 1.0 - columns[there[1]])[::-1]
    sums = np.zeros((len(down) - 1, len(across) - 1))
    for first in range(0, len(rates), STRIP):
        checkpoint(first / len(rates))
        mine = rates[first : first + STRIP]
        sums += product_sums(edge_waves(mine, down, kind), edge_waves(mine, across, kind))
    out[there[0].start : there[0].stop - 1, there[1].start : there[1].stop - 1] = sums[:, ::-1]
    return out


def _wide(edges: Float) -> slice:
    """Edges but for those at either end between which there is nothing."""
    changes = np.flatnonzero(np.diff(edges))
    return slice(int(changes[0]), int(changes[-1]) + 2)


def edge_waves(rates: Complex, edges: Float, kind: type[np.complexfloating]) -> Waves:
    """Sums of exp(rate x cell) over the cells between neighbouring edges, shares of those that an edge cuts.

    Parameters
    ----------
    rates : ndarray, shape (k,), complex
    edges : ndarray, shape (n + 1,)
        Rising; none below 0 where a rate is damped.
    kind : complex64 or complex128

    Returns
    -------
    ndarray, shape (n, k), of that type
    """
    cells = np.floor(edges)
    sizes, which = np.unique(np.diff(cells), return_inverse=True)
    wave, whole = waves(rates, cells, kind), geometric_sums(rates, sizes).astype(kind, copy=False)
    shares = (edges - cells)[:, None].astype(whole.real.dtype)
    if len(sizes) == 1 and not shares.any():
        return np.asarray(wave[:-1] * whole)
    out = np.empty((len(which), len(rates)), dtype=kind)
    for first in range(0, len(which), FEW_BLOCKS):  # whose waves stay in the processor's cache
        here, after = slice(first, first + FEW_BLOCKS), slice(first + 1, first + FEW_BLOCKS + 1)
        sums = whole[which[here]]
        sums -= shares[:-1][here]
        sums *= wave[:-1][here]
        sums += wave[after] * shares[after]
        out[here] = sums
    return out


# Keys after their query -----------------------------------------------------------------------------------------


def _leave_out_later(means: Float, rates: Complex, rows: Float, columns: Float) -> None:
    """Make means over all pairs of rectangles means over the pairs that have a score, NaN where none has."""
    (top, bottom), (left, right) = ((np.floor(edges[:-1]), np.ceil(edges[1:]) - 1.0) for edges in (rows, columns))
    most = np.subtract.outer(bottom, left)
    means[most < 0.0] = np.nan
    row, column = np.nonzero((most >= 0.0) & (np.subtract.outer(top, right) < 0.0))
    sums = means[row, column] * np.diff(rows)[row] * np.diff(columns)[column]
    pairs = _pairs_seen(rows, columns, row, column)
    # A corner of the rectangle may be all there is, and too small a share for differences: there pair by pair.
    tiny = most[row, column] < 2.0
    sums[tiny], pairs[tiny] = _corners(rates, rows, columns, row[tiny], column[tiny])
    means[row, column] = sums / pairs


def _pairs_seen(rows: Float, columns: Float, row: Index, column: Index) -> Float:
    """How many pairs of some rectangles have a key up to their query, shares counted: sums as in :func:`_near_sums`."""
    total = np.zeros(len(row))
    for down, across, sign in ((0, 0, -1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, -1.0)):
        query, key = rows[row + down], columns[column + across]
        above, beside = query - np.floor(query), key - np.floor(key)
        gap = np.floor(query) - np.floor(key)
        once, before = np.maximum(gap + 1.0, 0.0), np.maximum(gap, 0.0)
        total += sign * (before * once / 2.0 + above * (1.0 - beside) * once - (1.0 - above) * beside * before)
    return total


def _corners(rates: Complex, rows: Float, columns: Float, row: Index, column: Index) -> tuple[Float, Float]:
    """Sums over rectangles of which the last query sees one key or two, and the pairs in each, weighted alike."""
    last, first = np.ceil(rows[row + 1]) - 1.0, np.floor(columns[column])
    gap = last - first
    queries = [_share(rows, row, last - back) for back in (0.0, 1.0)]
    keys = [_share(columns, column, first + on) for on in (0.0, 1.0)]
    still = np.where(gap > 0.0, queries[0] * keys[1] + queries[1] * keys[0], queries[0] * keys[0])
    moved = np.where(gap > 0.0, queries[0] * keys[0], 0.0)
    return still * len(rates) + moved * float(np.exp(rates).real.sum()), still + moved


def _share(edges: Float, block: Index, cells: Float) -> Float:
    """What part of each of some cells lies in its block."""
    inside = np.minimum(edges[block + 1], cells + 1.0) - np.maximum(edges[block], cells)
    return np.asarray(np.maximum(inside, 0.0))
