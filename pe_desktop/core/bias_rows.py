"""One row of a bias: a query against all keys, its range, and the curve that shows it.

Keys are looked at one by one only where the bias may change from one to the next: beyond the reach of a scheme it does
not, and where it only rises or falls on either side of the query, the ends tell its range.
"""

from __future__ import annotations

import numpy as np

from pe_desktop.core.blocks import Blocks, curve_blocks
from pe_desktop.core.memory import remember
from pe_desktop.core.scheme import Float
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.similarity import QUICK, SAMPLES, Curve

OTHER_HEADS = 8


def changing(scheme: ScoreBias, query: int, first: int, stop: int) -> tuple[int, int]:
    """Of the keys first .. stop-1 those between which the bias may differ, as (first, past the last); never empty."""
    if scheme.reach is None:
        return first, stop
    low = min(max(query - scheme.reach, first), stop - 1)
    return low, min(max(query + scheme.reach, low), stop - 1) + 1


def row_cost(scheme: ScoreBias, query: int, first: int, stop: int) -> int:
    """Rough work of looking along a row."""
    if scheme.monotone:
        return 1
    low, high = changing(scheme, query, first, stop)
    return (high - low) * scheme.cell_cost


def row_range(scheme: ScoreBias, head: int, query: int, first: int, stop: int) -> tuple[float, float]:
    """Lowest and highest bias of a query over the keys first .. stop-1; the last answers are kept."""
    return _range_of((scheme, head, query, first, stop))


def knows_range(scheme: ScoreBias, head: int, query: int, first: int, stop: int) -> bool:
    """Whether :func:`row_range` would answer at once because it did before, or a curve went along the same keys."""
    return _range_of.knows((scheme, head, query, first, stop))


@remember
def _range_of(row: tuple[ScoreBias, int, int, int, int]) -> tuple[float, float]:
    scheme, head, query, first, stop = row
    if scheme.monotone:
        ends = [first, stop - 1, min(max(query, first), stop - 1)]
        values = scheme.bias([query], ends, [head])[0, 0]
    else:
        values = scheme.row(head, query, *changing(scheme, query, first, stop))
    return float(values.min()), float(values.max())


def lines(
    scheme: ScoreBias, spot: int, window: tuple[float, float], pixels: int, head: int, full: bool = True
) -> tuple[Curve, dict[int, Float]]:
    """Bias of one query against all keys: the chosen head's line, and up to eight others.

    A bias that bends at the query only is drawn through the first key of each pixel column and the query itself; any
    other as the lowest and highest value of each column, sampled where `full` is False and the row is long. The other
    heads pass through the first key of each column, and are left out where that would say nothing.
    """
    span = curve_blocks(window, pixels, scheme.length, whole=True)
    others = _other_heads(scheme, head)
    if span.step == 1 or scheme.monotone:
        x = span.starts
        if span.first <= spot < span.last and span.step > 1:
            x = np.unique(np.append(x, float(spot)))
        every = scheme.bias([spot], x, [head, *others])[:, 0]
        return Curve(x, every[0], every[0], True, int(span.step)), dict(zip(others, every[1:], strict=True))
    exact = full or row_cost(scheme, spot, span.first, span.last) <= QUICK
    low, high = (_envelope if exact else _sampled)(scheme, spot, span, head)
    made = Curve(span.starts + (span.counts - 1) / 2.0, low, high, exact, int(span.step), edges=span.whole_edges)
    if scheme.ripples or not others:
        return made, {}
    return made, dict(zip(others, scheme.bias([spot], span.starts, others)[:, 0], strict=True))


def _other_heads(scheme: ScoreBias, head: int) -> list[int]:
    heads = scheme.heads or 1
    return [int(h) for h in np.unique(np.linspace(0, heads - 1, min(OTHER_HEADS, heads)).round()) if h != head]


def _envelope(scheme: ScoreBias, spot: int, span: Blocks, head: int) -> tuple[Float, Float]:
    low = scheme.bias([spot], span.starts, [head])[0, 0].copy()
    high = low.copy()
    step = int(span.step)
    first, stop = changing(scheme, spot, span.first, span.last)
    whole = slice((first - span.first) // step, (stop - 1 - span.first) // step + 1)
    first = span.first + whole.start * step
    values = scheme.row(head, spot, first, min(span.first + whole.stop * step, span.last))
    edges = np.arange(0, len(values), step)
    low[whole], high[whole] = np.minimum.reduceat(values, edges), np.maximum.reduceat(values, edges)
    _range_of.note((scheme, head, spot, span.first, span.last), (float(low.min()), float(high.max())))
    return low, high


def _sampled(scheme: ScoreBias, spot: int, span: Blocks, head: int) -> tuple[Float, Float]:
    """A few keys of each column, and the query's own position."""
    step = int(span.step)
    keys = [np.minimum(span.starts + step * share // SAMPLES, span.last - 1.0) for share in range(SAMPLES)]
    values = [scheme.bias([spot], each, [head])[0, 0] for each in keys]
    low, high = np.minimum.reduce(values), np.maximum.reduce(values)
    if span.first <= spot < span.last:
        block, own = (spot - span.first) // step, float(scheme.bias([spot], [spot], [head])[0, 0, 0])
        low[block], high[block] = min(low[block], own), max(high[block], own)
    return low, high
