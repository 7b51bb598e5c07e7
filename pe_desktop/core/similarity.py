"""The similarity curve: how alike the rows, or the scores, of a spot and every other position are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import curve_blocks
from pe_desktop.core.gap_sums import all_cosine_sums, knows_all_sums
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.straight import line_of
from pe_desktop.core.waves import cosine_progression
from pe_desktop.core.work import checkpoint

Index = NDArray[np.intp]
SAMPLES = 2  # positions looked at in each pixel column, at least, while the exact envelope is not there yet
# Work (cosines or table cells) below which the exact curve is made at once.
QUICK = 1 << 18
STRIP = 1 << 16
MANY = 512  # cosines from which on a stand-in is summed in single precision
MOST_ROWS = 32  # rows of a table that a stand-in looks at


@dataclass(frozen=True, eq=False)
class Curve:
    """Lowest and highest value per pixel column at positions ``x`` (n,), all float64; see CurvePart.

    Attributes
    ----------
    exact : bool
        Whether every position was looked at; else 1 of ``stride``, and the spot.
    step : float
        Positions per pixel column; 1 where each point is a position.
    edges : ndarray, shape (n + 1,), optional
        Point i is that of the positions edges[i] .. edges[i + 1] - 1; where there are none, of its position alone.
    """

    x: Float
    low: Float
    high: Float
    exact: bool
    step: float
    stride: int = 1
    edges: Index | None = None

    def elsewhere(self, position: int) -> NDArray[np.bool_]:
        """Which points are those of other positions alone, shape (n,)."""
        if self.edges is None:
            return np.asarray(self.x != position)
        return np.asarray((self.edges[:-1] > position) | (self.edges[1:] <= position))


class Turning(NamedTuple):
    """A similarity that is a sum of cosines: the frequencies (k,) of its pairs, rad/position.

    Dimensions that do not turn add ``rest`` in all, and a sine of the frequency ``alone`` (0: none) has no cosine
    beside it.
    """

    frequencies: Float
    rest: float
    alone: float

    def normalised(self, sums: NDArray[np.floating], spot: int, positions: Float) -> Float:
        """Similarity to `spot` at `positions` (n,) whose sums of cosines are `sums` (n,)."""
        if not self.alone:
            return self.of_sums(sums)
        each, own, pairs = np.sin(positions * self.alone), math.sin(spot * self.alone), len(self.frequencies)
        return np.asarray((sums + each * own) / np.sqrt((pairs + each * each) * (pairs + own * own)))

    def of_sums(self, sums: NDArray[np.floating]) -> Float:
        """The same without a sine that is alone."""
        sums = np.asarray(sums, dtype=np.float64)
        return np.asarray((2.0 * sums + self.rest) / (2.0 * len(self.frequencies) + self.rest))


def turning(scheme: Scheme) -> Turning | None:
    """The sum of cosines that a scheme's similarity is, None if it is none.

    Sinusoidal: cosine similarity of two rows, mean of cos(gap w). Rotary: the score of q = k = (1, …, 1) over its
    value at gap 0, see :attr:`Rotary.still`.
    """
    if isinstance(scheme, Rotary):
        return Turning(scheme.inv_freq(), scheme.still, 0.0) if scheme.linear else None
    frequencies = scheme.frequencies() if isinstance(scheme, Additive) else None
    if frequencies is None:
        return None
    assert isinstance(scheme, Additive)
    return Turning(frequencies, 0.0, scheme.unpaired_frequency)


def depends_on_gap(scheme: Scheme) -> bool:
    """Whether :func:`gap_curve` applies: every column that turns belongs to a turning pair."""
    cosines = turning(scheme)
    return cosines is not None and not cosines.alone


def gap_curve(scheme: Scheme, start: float, step: float, count: int) -> Float:
    """Normalised similarity at equally spaced gaps, for schemes whose similarity depends on the gap alone.

    Parameters
    ----------
    start, step : float
        First gap and spacing in positions.
    count : int

    Returns
    -------
    ndarray, shape (count,), float64
    """
    cosines = turning(scheme)
    assert cosines is not None
    return cosines.of_sums(cosine_progression(cosines.frequencies, start, step, count))


def row_similarity(scheme: Scheme, spot: int, positions: Float) -> Float:
    """Similarity of every one of `positions` (n,) to `spot`, looked at one by one.

    Added: the cosine similarity of the rows, 0 where a row is zero. Rotary: see :meth:`Rotary.profile`.
    """
    if isinstance(scheme, Rotary):
        return scheme.profile(spot, positions)
    if isinstance(scheme, Gridded):
        return scheme.likeness(spot, positions)
    assert isinstance(scheme, Additive)
    if scheme.straight:
        return line_of(scheme).similarity(spot, positions)
    row = scheme.encode([spot])[0]
    rows = scheme.encode(positions)
    below = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    return np.asarray(np.divide(rows @ row, below, out=np.zeros(len(rows)), where=below > 0))


def value(scheme: Scheme, spot: int, position: int) -> float:
    """Similarity of one position to the spot; both must be below :func:`compared_rows`."""
    if position == spot and turning(scheme) is not None:
        return 1.0
    return float(_progression(scheme, spot, position, 1, 1)[0])


def cells_per_position(scheme: Scheme) -> int:
    """How much work one point of the curve is, in cosines or table cells."""
    cosines = turning(scheme)
    return scheme.curve_cost if cosines is None else len(cosines.frequencies)


def compared_rows(scheme: Scheme, spot: int) -> int:
    """Positions from 0 on that have a similarity to the spot; the others lie past a table or after the query."""
    rows = defined_rows(scheme)
    return min(rows, spot + 1) if isinstance(scheme, Rotary) and scheme.causal_only else rows


def is_quick(scheme: Scheme, window: tuple[float, float]) -> bool:
    """Whether the exact curve over a range of edges takes no noticeable time."""
    if scheme.acts is Acts.NOTHING or (isinstance(scheme, Additive) and scheme.straight):
        return True
    span = min(math.ceil(window[1]), defined_rows(scheme)) - math.floor(window[0])
    if span * cells_per_position(scheme) <= QUICK:
        return True
    cosines = turning(scheme)
    if cosines is None or (cosines.alone and span > STRIP):
        return False
    return knows_all_sums(cosines.frequencies, scheme.length)


def curve(scheme: Scheme, spot: int, window: tuple[float, float], pixels: int, full: bool) -> Curve:
    """The curve of an additive or rotary scheme over a window of positions.

    Each position belongs to one pixel column: edges at fractions of a position are rounded, none is added up.

    Parameters
    ----------
    scheme : Scheme
    spot : int
        Inspected position; it must have a row.
    window : (low, high)
        Range of edges in cells shown; position p is the cell p .. p + 1.
    pixels : int
        Pixel columns.
    full : bool
        Whether to visit every position; otherwise long curves are sampled.
    """
    span = curve_blocks(window, pixels, max(compared_rows(scheme, spot), 1))
    edges = np.unique(span.whole_edges)  # a last column cut short may hold no position
    if span.step <= 1.0 or full or is_quick(scheme, window):
        return _exact(scheme, spot, edges, span.step)
    sampled = _sampled if scheme.last_position is None else _few_rows
    return sampled(scheme, spot, edges, span.step)


def _progression(scheme: Scheme, spot: int, start: int, step: int, count: int, *, single: bool = False) -> Float:
    """Similarity at `count` equally spaced positions from `start`; `single` see :func:`cosine_progression`."""
    positions = start + step * np.arange(count, dtype=np.float64)
    cosines = turning(scheme)
    if cosines is None:
        return row_similarity(scheme, spot, positions)
    sums = cosine_progression(cosines.frequencies, start - spot, step, count, single=single)
    return cosines.normalised(sums, spot, positions)


def _middles(edges: Index) -> Float:
    return np.asarray((edges[:-1] + edges[1:] - 1) / 2.0)


def _exact(scheme: Scheme, spot: int, edges: Index, step: float) -> Curve:
    start, stop = int(edges[0]), int(edges[-1])
    if isinstance(scheme, Additive) and scheme.straight:
        low, high = line_of(scheme).range_of(spot, edges)
        return Curve(_middles(edges), low, high, True, step, edges=edges)
    if stop - start < len(edges):
        values = _progression(scheme, spot, start, 1, stop - start)
        return Curve(_middles(edges), values, values, True, step, edges=edges)
    cosines = turning(scheme)
    if cosines is None:
        every: NDArray[np.floating] = _row_by_row(scheme, spot, start, stop)
    else:
        every = _sums_from(scheme, cosines.frequencies, spot, start, stop)
        if cosines.alone:
            every = _normalised(cosines, every, spot, start)
    low, high = (bound.reduceat(every, edges[:-1] - start) for bound in (np.minimum, np.maximum))
    if cosines is not None and not cosines.alone:
        low, high = cosines.of_sums(low), cosines.of_sums(high)
    return Curve(_middles(edges), low, high, True, step, edges=edges)


def _sums_from(scheme: Scheme, frequencies: Float, spot: int, start: int, stop: int) -> NDArray[np.floating]:
    """Sums of cosines for every position start .. stop-1, not normalised."""
    if (stop - start) * len(frequencies) <= QUICK:
        return cosine_progression(frequencies, start - spot, 1, stop - start)
    sums = all_cosine_sums(frequencies, scheme.length)
    # The gap falls to 0 at the spot and rises after it: two runs of the same sums, the first backwards.
    middle = min(max(spot, start), stop)
    before = sums[spot - middle + 1 : spot - start + 1][::-1] if start <= spot else sums[:0]
    return np.concatenate([before, sums[middle - spot : stop - spot]])


def _normalised(cosines: Turning, sums: NDArray[np.floating], spot: int, start: int) -> Float:
    """Similarity from sums of cosines at every position from `start`, in strips."""
    out = np.empty(len(sums))
    for first in range(0, len(sums), STRIP):
        checkpoint(first / len(sums))
        part = sums[first : first + STRIP]
        out[first : first + STRIP] = cosines.normalised(part, spot, start + first + np.arange(float(len(part))))
    return out


def _row_by_row(scheme: Scheme, spot: int, start: int, stop: int) -> Float:
    if isinstance(scheme, Gridded):
        return scheme.likeness_between(spot, start, stop)
    parts = []
    # Where a point needs no row of its own, long strips share what they look up.
    chunk = STRIP if scheme.curve_cost < scheme.dimension else max(1, QUICK // scheme.dimension)
    for first in range(start, stop, chunk):
        checkpoint((first - start) / (stop - start))
        parts.append(row_similarity(scheme, spot, np.arange(first, min(first + chunk, stop), dtype=np.float64)))
    return np.concatenate(parts)


def _sampled(scheme: Scheme, spot: int, edges: Index, step: float) -> Curve:
    """A stand-in: equally spaced positions, a few in each pixel column, and the spot itself."""
    many = cells_per_position(scheme) >= MANY
    stride = max(1, int(step) // (1 if many else SAMPLES))
    at = np.arange(edges[0], edges[-1], stride)
    values = _progression(scheme, spot, int(at[0]), stride, len(at), single=many)
    firsts = np.searchsorted(at, edges)
    begins = np.minimum(firsts[:-1], len(at) - 1)
    low, high = np.minimum.reduceat(values, begins), np.maximum.reduceat(values, begins)
    missed = np.flatnonzero(firsts[:-1] == firsts[1:])  # columns narrower than the others
    for column in missed.tolist():
        low[column] = high[column] = value(scheme, spot, int(edges[column]))
    if edges[0] <= spot < edges[-1]:  # the peak itself must not fall between two samples
        column, peak = int(np.searchsorted(edges, spot, side="right")) - 1, value(scheme, spot, spot)
        low[column], high[column] = min(low[column], peak), max(high[column], peak)
    return Curve(_middles(edges), low, high, False, step, stride, edges)


def _few_rows(scheme: Scheme, spot: int, edges: Index, step: float) -> Curve:
    """A stand-in where rows have to be drawn: a few of those that are drawn first, and the spot itself."""
    assert isinstance(scheme, Additive)
    start, stop = int(edges[0]), int(edges[-1])
    stride = scheme.draw_step * -(-(stop - start) // (scheme.draw_step * MOST_ROWS))
    at = np.arange(-(-start // stride) * stride, stop, stride)
    own = [spot] if start <= spot < stop else [start]
    x = np.union1d(at, own).astype(np.float64)
    values = row_similarity(scheme, spot, x)
    return Curve(x, values, values, False, step, stride)
