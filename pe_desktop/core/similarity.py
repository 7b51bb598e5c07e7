"""The similarity curve: how alike the rows, or the scores, of a spot and every other position are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import Blocks, blocks, defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.waves import all_cosine_sums, cosine_progression, knows_all_sums
from pe_desktop.core.work import checkpoint

SAMPLES = 2  # positions looked at in each pixel column while the exact envelope is not there yet
# Work (cosines or table cells) below which the exact curve is made at once.
QUICK = 1 << 18
STRIP = 1 << 16


@dataclass(frozen=True, eq=False)
class Curve:
    """Lowest and highest value per pixel column at positions ``x`` (n,), all float64; see CurvePart."""

    x: Float
    low: Float
    high: Float
    exact: bool
    step: int


def gap_curve(scheme: Scheme, start: float, step: float, count: int) -> Float:
    """Normalised similarity at equally spaced gaps, for schemes whose similarity depends on the gap alone.

    Sinusoidal: cosine similarity of two rows, mean of cos(gap w). Rotary: the score of q = k = (1, …, 1) over its
    value at gap 0; dimensions that do not rotate add 1 each.

    Parameters
    ----------
    start, step : float
        First gap and spacing in positions.
    count : int

    Returns
    -------
    ndarray, shape (count,), float64
    """
    frequencies, _ = _turning(scheme)
    return _normalised(scheme, cosine_progression(frequencies, start, step, count))


def _normalised(scheme: Scheme, sums: NDArray[np.floating]) -> Float:
    frequencies, rest = _turning(scheme)
    return np.asarray((2.0 * sums + rest) / (2.0 * len(frequencies) + rest))


def _turning(scheme: Scheme) -> tuple[Float, float]:
    if isinstance(scheme, Rotary):
        return scheme.inv_freq(), float(scheme.dimension - scheme.rotary_width)
    frequencies = scheme.frequencies() if isinstance(scheme, Additive) else None
    assert frequencies is not None
    return frequencies, 0.0


def depends_on_gap(scheme: Scheme) -> bool:
    """Whether :func:`gap_curve` applies: every column belongs to a turning pair."""
    if isinstance(scheme, Rotary):
        return scheme.linear
    if not isinstance(scheme, Additive):
        return False
    frequencies = scheme.frequencies()
    return frequencies is not None and scheme.dimension % 2 == 0


def row_similarity(scheme: Scheme, spot: int, positions: NDArray[np.floating]) -> Float:
    """Similarity of every one of `positions` (n,) to `spot`, looked at one by one.

    Added: the cosine similarity of the rows, 0 where a row is zero. Rotary: see :meth:`Rotary.profile`.
    """
    if isinstance(scheme, Rotary):
        return scheme.profile(spot, np.asarray(positions, dtype=np.float64))
    if isinstance(scheme, Gridded):
        return scheme.likeness(spot, np.asarray(positions, dtype=np.float64))
    assert isinstance(scheme, Additive)
    row = scheme.encode([spot])[0]
    rows = scheme.encode(np.asarray(positions, dtype=np.float64))
    below = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    return np.asarray(np.divide(rows @ row, below, out=np.zeros(len(rows)), where=below > 0))


def cells_per_position(scheme: Scheme) -> int:
    """How much work one point of the curve is, in cosines or table cells."""
    return _turning(scheme)[0].size if depends_on_gap(scheme) else scheme.curve_cost


def compared_rows(scheme: Scheme, spot: int) -> int:
    """Positions from 0 on that have a similarity to the spot; the others lie past a table or after the query."""
    rows = defined_rows(scheme)
    return min(rows, spot + 1) if isinstance(scheme, Rotary) and scheme.causal_only else rows


def is_quick(scheme: Scheme, window: tuple[int, int]) -> bool:
    """Whether the exact curve over a window of positions takes no noticeable time."""
    if scheme.acts is Acts.NOTHING:
        return True
    span = min(window[1], defined_rows(scheme)) - window[0]
    if span * cells_per_position(scheme) <= QUICK:
        return True
    return depends_on_gap(scheme) and knows_all_sums(_turning(scheme)[0], scheme.length)


def curve(scheme: Scheme, spot: int, window: tuple[int, int], pixels: int, full: bool) -> Curve:
    """The curve of an additive or rotary scheme over a window of positions.

    Parameters
    ----------
    scheme : Scheme
    spot : int
        Inspected position; it must have a row.
    window : (first, past the last)
        Positions shown.
    pixels : int
        Pixel columns.
    full : bool
        Whether to visit every position; otherwise long curves are sampled.
    """
    stop = min(window[1], compared_rows(scheme, spot))
    span = blocks((window[0], stop), pixels, max(stop, 1))
    if span.step == 1 or full or is_quick(scheme, window):
        return _exact(scheme, spot, span)
    return _sampled(scheme, spot, span)


def _progression(scheme: Scheme, spot: int, start: float, step: float, count: int) -> Float:
    """Similarity at `count` equally spaced whole positions from `start`."""
    if depends_on_gap(scheme):
        return gap_curve(scheme, start - spot, step, count)
    return row_similarity(scheme, spot, start + np.arange(count) * step)


def _exact(scheme: Scheme, spot: int, span: Blocks) -> Curve:
    x = span.starts + (span.counts - 1) / 2.0
    if span.step == 1:
        values = _progression(scheme, spot, span.start, 1, span.stop - span.start)
        return Curve(x, values, values, True, 1)
    edges = span.starts.astype(np.intp) - span.start
    if depends_on_gap(scheme):
        sums = _sums_from(scheme, spot, span.start, span.stop)
        ends = (_normalised(scheme, bound.reduceat(sums, edges)) for bound in (np.minimum, np.maximum))
    else:
        every = _row_by_row(scheme, spot, span.start, span.stop)
        ends = (bound.reduceat(every, edges) for bound in (np.minimum, np.maximum))
    low, high = (end.astype(np.float64) for end in ends)
    return Curve(x, low, high, True, span.step)


def _sums_from(scheme: Scheme, spot: int, start: int, stop: int) -> NDArray[np.floating]:
    """Sums of cosines for every position start .. stop-1, not normalised."""
    frequencies, _ = _turning(scheme)
    if (stop - start) * len(frequencies) <= QUICK:
        return cosine_progression(frequencies, start - spot, 1, stop - start)
    sums = all_cosine_sums(frequencies, scheme.length)
    # The gap falls to 0 at the spot and rises after it: two runs of the same sums, the first backwards.
    middle = min(max(spot, start), stop)
    before = sums[spot - middle + 1 : spot - start + 1][::-1] if start <= spot else sums[:0]
    return np.concatenate([before, sums[middle - spot : stop - spot]])


def _row_by_row(scheme: Scheme, spot: int, start: int, stop: int) -> Float:
    parts = []
    # Where a point needs no row of its own, long strips share what they look up.
    chunk = STRIP if cells_per_position(scheme) < scheme.dimension else max(1, QUICK // scheme.dimension)
    for first in range(start, stop, chunk):
        checkpoint((first - start) / (stop - start))
        parts.append(row_similarity(scheme, spot, np.arange(first, min(first + chunk, stop), dtype=np.float64)))
    return np.concatenate(parts)


def _sampled(scheme: Scheme, spot: int, span: Blocks) -> Curve:
    """A stand-in: a few positions in each pixel column, and the spot itself."""
    columns = len(span.starts)
    step = max(1, span.step // SAMPLES)
    offset = step // 2
    inside = np.minimum(span.starts[:, None] + offset + np.arange(SAMPLES) * step, span.stop - 1.0)
    if scheme.last_position is None:
        values = np.stack(
            [_progression(scheme, spot, span.start + offset + i * step, span.step, columns) for i in range(SAMPLES)],
            axis=1,
        )
        if span.counts[-1] < span.step:  # a sample in the last block, which is shorter, may lie past its end
            values[-1] = [float(_progression(scheme, spot, at, 1, 1)[0]) for at in inside[-1]]
    else:
        values = row_similarity(scheme, spot, inside.ravel()).reshape(inside.shape)
    low, high = values.min(axis=1), values.max(axis=1)
    if span.start <= spot < span.stop:  # the peak itself must not fall between two samples
        block, peak = (spot - span.start) // span.step, float(_progression(scheme, spot, spot, 1, 1)[0])
        low[block], high[block] = min(low[block], peak), max(high[block], peak)
    return Curve(span.starts + (span.counts - 1) / 2.0, low, high, False, span.step)
