"""Exact smallest and largest score, of position alone, among the cells that each block of a window touches.

Beside :mod:`score_window`, whose blocks are means. Where a score depends on the gap alone, a rectangle holds a range
of gaps, and one line of sums serves all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.bias_extremes import bias_extremes, offsets_of, strips_of
from pe_desktop.core.blocks import Blocks
from pe_desktop.core.cell_extremes import CellExtremes, Groups, touched
from pe_desktop.core.damped import damped_progression
from pe_desktop.core.errors import FieldError
from pe_desktop.core.gap_sums import all_cosine_sums, knows_all_sums
from pe_desktop.core.numerals import whole
from pe_desktop.core.phases import reduced
from pe_desktop.core.range_table import RangeTable, tabulated
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_temperature import changes_of
from pe_desktop.core.score_window import gap_frequencies, gap_rates
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Int = NDArray[np.int64]
Index = NDArray[np.intp]

MOST_PRODUCTS = 1 << 34  # of numbers, where every score is worked out: a second or two
MOST_PIECES = 1 << 23  # ranges looked at where a query temperature changes inside the blocks
FEW_GAPS = 1 << 12  # of a window far from the diagonal: cheaper than all gaps up to it
TILE_NUMBERS = 1 << 20


class _Pieces(NamedTuple):
    """Runs of queries of one factor: the cells of each, that factor, and the block it belongs to, each (n,)."""

    cells: Groups
    factors: Float32
    blocks: Index


def score_extremes(scheme: Scheme, rows: Blocks, columns: Blocks, head: int = 0) -> tuple[Float32, Float32]:
    """Smallest and largest of the scores :func:`score_window.score_at` of the queries x keys that each block touches.

    Parameters
    ----------
    scheme : Scheme
    rows, columns : Blocks
        Queries and keys.
    head : int
        For a score bias: which head.

    Returns
    -------
    low, high : ndarray, shape (rows, columns), float32
        Off by less than 1e-5 of the range. NaN where no cell of a block has a score: past the end of a table, keys
        after the query in schemes for keys up to it only.

    Raises
    ------
    FieldError
        Where every score would have to be worked out, and there are too many.
    """
    if scheme.acts is Acts.NOTHING:
        zeros = np.zeros((rows.number, columns.number), dtype=np.float32)
        return zeros, zeros.copy()
    reason = score_refusal(scheme, rows, columns)
    if reason:
        raise FieldError("statistic", reason)
    down, across = _with_scores(scheme, rows), _with_scores(scheme, columns)
    if isinstance(scheme, ScoreBias):
        return bias_extremes(scheme, down, across, head)
    low, high = (np.full((rows.number, columns.number), np.nan, dtype=np.float32) for _ in range(2))
    m, n = len(down.firsts), len(across.firsts)
    if m and n:
        low[:m, :n], high[:m, :n] = _WAYS[score_way(scheme)](scheme, down, across)
    return low, high


def score_way(scheme: Scheme) -> str:
    """How the extremes of scores are found: "bias", "straight", "gap" or "products"."""
    if isinstance(scheme, ScoreBias):
        return "bias"
    if isinstance(scheme, Additive) and scheme.straight:
        return "straight"
    return "gap" if gap_rates(scheme) is not None and not _has_lone_wave(scheme) else "products"


def score_refusal(scheme: Scheme, rows: Blocks, columns: Blocks) -> str:
    """Why :func:`score_extremes` would not answer, in a sentence; "" where it would."""
    way, down, across = score_way(scheme), _with_scores(scheme, rows), _with_scores(scheme, columns)
    if way == "gap":
        changes = int(_counted_changes(scheme, down)[1].sum()) - len(down.firsts)
        if changes and (changes + len(down.firsts)) * len(across.firsts) > MOST_PIECES:
            return (
                f"The query temperature changes {whole(changes)} times inside these blocks, too often to be followed: "
                "zoom in, or raise temperature_length."
            )
    if way == "products" and len(down.firsts) and len(across.firsts):
        cells = [int(each.lasts[-1] - each.firsts[0]) for each in (down, across)]
        if cells[0] * cells[1] * _width(scheme) > MOST_PRODUCTS:
            side = whole(math.isqrt(MOST_PRODUCTS // _width(scheme)))
            return (
                f"A score of {scheme.title} depends on more than the gap here, so all {whole(cells[0])} × "
                f"{whole(cells[1])} would have to be worked out: zoom in to about {side} × {side}."
            )
    return ""


def _with_scores(scheme: Scheme, span: Blocks) -> Groups:
    """Cells of the blocks up to the end of a table."""
    cells = touched(span, defined_rows(scheme))
    count = int((cells.lasts > cells.firsts).sum())
    return Groups(cells.firsts[:count], cells.lasts[:count])


def _width(scheme: Scheme) -> int:
    """Numbers whose products make one score."""
    return scheme.rotary_width if isinstance(scheme, Rotary) else scheme.dimension


def _straight(scheme: Scheme, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    """Rows on a straight line a + p b: the score is a plane in m, in n and in m n, with its extremes at corners."""
    assert isinstance(scheme, Additive)
    start, second = scheme.encode([0, 1])
    step = second - start
    ends = [[np.asarray(each, dtype=np.float64) for each in (span.firsts, span.lasts - 1)] for span in (rows, columns)]
    fixed, once, twice = (float(product) for product in (start @ start, start @ step, step @ step))
    corners = [fixed + once * (m[:, None] + n) + twice * m[:, None] * n for m in ends[0] for n in ends[1]]
    low, high = (reduce.reduce(corners).astype(np.float32) for reduce in (np.minimum, np.maximum))
    return low, high


# By gap ---------------------------------------------------------------------------------------------------------


def _has_lone_wave(scheme: Scheme) -> bool:
    """Whether a column that is no part of a pair turns, so that scores depend on more than the gap."""
    if not isinstance(scheme, Additive) or 2 * len(scheme.pairs()[0]) == scheme.dimension:
        return False
    waves = scheme.wave_columns()
    if waves is None:
        return False
    alone = np.setdiff1d(np.arange(scheme.dimension), np.concatenate(scheme.pairs()))
    return bool(np.any((waves[0][alone] != 0.0) | (np.sin(waves[1][alone]) != 0.0)))


def _by_gap(scheme: Scheme, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    pieces = _pieces(scheme, rows)
    low = np.full((len(rows.firsts), len(columns.firsts)), np.nan, dtype=np.float32)
    high = low.copy()
    causal = isinstance(scheme, Rotary) and scheme.causal_only
    whole_window = offsets_of(*(Groups(each.firsts[:1], each.lasts[-1:]) for each in (rows, columns)))
    near, far = (int(each[0, 0]) for each in _gaps(*whole_window, causal))
    first, values = _gap_scores(scheme, near, far)
    table = RangeTable(values, int((rows.lasts - rows.firsts).max() + (columns.lasts - columns.firsts).max()))
    for part, some in strips_of(pieces.cells, len(columns.firsts)):
        offsets = offsets_of(some, columns)
        near_gaps, far_gaps = _gaps(*offsets, causal)
        found = table.extremes(near_gaps - first, far_gaps - first)
        starts = np.flatnonzero(np.diff(pieces.blocks[part], prepend=-1))
        which = pieces.blocks[part][starts]
        for out, reduce, each in ((low, np.fmin, found[0]), (high, np.fmax, found[1])):
            each *= pieces.factors[part, None]
            if causal:  # no key up to the query
                each[offsets[1] < 0] = np.nan
            out[which] = reduce(out[which], reduce.reduceat(each, starts, axis=0))
    return low, high


def _gaps(low: Int, high: Int, causal: bool) -> tuple[Int, Int]:
    """Smallest and largest gap of a range of offsets; where keys after the query count they have a gap as well."""
    if causal:
        return np.maximum(low, 0), np.maximum(high, 0)
    return np.maximum(np.maximum(low, -high), 0), np.maximum(high, -low)


def _gap_scores(scheme: Scheme, near: int, far: int) -> tuple[int, Float32]:
    """The gap of the first entry, and scores at it and the following ones up to `far`."""
    rates, frequencies = gap_rates(scheme), gap_frequencies(scheme)
    assert rates is not None
    few = far - near < FEW_GAPS and (frequencies is None or not knows_all_sums(frequencies, far + 1))
    if frequencies is None or few:
        first = near
        sums = tabulated(lambda a, b: damped_progression(rates, float(a), 1.0, b - a + 1), near, far)
    else:
        first, sums = 0, all_cosine_sums(frequencies, far + 1)
    if isinstance(scheme, Rotary):
        sums = sums * np.float32(2.0 / scheme.at_gap_zero)
        sums += np.float32(scheme.still / scheme.at_gap_zero)
    return first, sums


def _counted_changes(scheme: Scheme, rows: Groups) -> tuple[Index, Index]:
    """Changes of the query temperature up to the first query of each block, and one more than those after it."""
    changes = changes_of(scheme)
    if changes is None:
        return np.zeros(len(rows.firsts), dtype=np.intp), np.ones(len(rows.firsts), dtype=np.intp)
    before = np.maximum((rows.firsts - changes.first) // changes.step + 1, 0)
    up_to_last = np.maximum(-((changes.first - rows.lasts) // changes.step), before)
    return before, up_to_last - before + 1


def _pieces(scheme: Scheme, rows: Groups) -> _Pieces:
    """The blocks of queries, cut where their query temperature changes."""
    blocks, changes = np.arange(len(rows.firsts)), changes_of(scheme)
    if changes is None:
        return _Pieces(rows, np.ones(len(blocks), dtype=np.float32), blocks)
    before, counts = _counted_changes(scheme, rows)
    blocks = np.repeat(blocks, counts)
    number = np.arange(len(blocks)) - np.repeat(np.cumsum(counts) - counts, counts)
    change = changes.first + (before[blocks] + number) * changes.step
    firsts = np.where(number == 0, rows.firsts[blocks], change - changes.step)
    lasts = np.minimum(rows.lasts[blocks], change)
    factors = scheme.query_scale(firsts.astype(np.float64)).astype(np.float32)
    return _Pieces(Groups(firsts, lasts), factors, blocks)


# By products ----------------------------------------------------------------------------------------------------


def _by_products(scheme: Scheme, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    """Every score, as the product of two vectors."""
    down, across = (range(int(each.firsts[0]), int(each.lasts[-1])) for each in (rows, columns))
    cells = CellExtremes(rows, columns)
    side = max(1, TILE_NUMBERS // _width(scheme))
    for row in down[::side]:
        queries = _vectors(scheme, row, min(row + side, down.stop), True)
        for column in across[::side]:
            checkpoint((row - down.start) / len(down))
            cells.add(queries @ _vectors(scheme, column, min(column + side, across.stop), False).T, row, column)
    return cells.found()


def _vectors(scheme: Scheme, first: int, stop: int, query: bool) -> Float32:
    """Rows whose products are the scores, shape (stop - first, width), float32."""
    positions = np.arange(first, stop, dtype=np.float64)
    if isinstance(scheme, Rotary):
        angles = reduced(scheme.angles(positions)).astype(np.float32)
        rest = np.full((len(positions), 1), math.sqrt(scheme.still / 2.0), dtype=np.float32)
        out = np.concatenate([np.cos(angles), np.sin(angles), rest], axis=1)
        out *= np.float32(math.sqrt(2.0 / scheme.at_gap_zero))
    else:
        assert isinstance(scheme, Additive)
        out = scheme.encode(positions).astype(np.float32)
    if query:
        out *= scheme.query_scale(positions)[:, None].astype(np.float32)
    return out


_WAYS: dict[str, Callable[[Scheme, Groups, Groups], tuple[Float32, Float32]]] = {
    "straight": _straight,
    "gap": _by_gap,
    "products": _by_products,
}
