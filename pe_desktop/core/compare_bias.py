"""Comparing two schemes that add a number to each attention score.

What the softmax is taken of may differ by one number per row, the query's, and give the same weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.scheme import Float
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.verdict import DIFFERENT, EQUAL_AFTER_SOFTMAX, SAME, SCAN_CELLS, Verdict, number, starts, walk
from pe_desktop.core.work import checkpoint

STRIP_CELLS = 1 << 18
CONTENT_CELLS = 1 << 26  # multiplications for a bias that depends on queries and keys
MOST_CONTENT = 128
LEAST_PLACES = 8


@dataclass
class _Found:
    """What was found among the rows of one kind of comparison: the largest excess and the first row beyond."""

    largest: float = 0.0
    at: tuple[int, int, int] = (0, 0, 0)  # head, query, key
    first: int | None = None


@dataclass(frozen=True)
class Offsets:
    """Two biases that are functions of the offset alone, on both sides of the query."""

    a: OffsetBias
    b: OffsetBias

    def differ(self, distances: Float) -> tuple[Float, Float]:
        """See :data:`Differ`; a column for each head and side."""
        sides = [np.concatenate([each.at_offsets(distances), each.at_offsets(-distances)]) for each in (self.a, self.b)]
        return np.abs(sides[0] - sides[1]).T, np.maximum(np.abs(sides[0]), np.abs(sides[1])).max(axis=0)


def bias_places(total: int, heads: int, dimension: int = 0) -> Float:
    """Positions for queries and keys: all, or the first ones, steps that double, a spread, and the last, float64."""
    room = math.isqrt(SCAN_CELLS // heads)
    if dimension:
        room = min(room, MOST_CONTENT, math.isqrt(CONTENT_CELLS // (heads * dimension)))
    room = max(LEAST_PLACES, room)
    if total <= room:
        return np.arange(total, dtype=np.float64)
    doubling = 2.0 ** np.arange(math.floor(math.log2(total - 1)) + 1)
    rest = max(2, (room - len(doubling)) // 2)
    return np.unique(np.concatenate([np.arange(rest), doubling, np.linspace(0, total - 1, rest).round()]))


def compare_bias(a: ScoreBias, b: ScoreBias, total: int, tolerance: float) -> Verdict:
    """Compare what A and B add to the scores of queries and keys at positions 0 .. total - 1."""
    heads = (a.heads or 1, b.heads or 1)
    if heads[0] != heads[1]:
        return Verdict(
            DIFFERENT,
            f"Different: A has {heads[0]:,} heads and B {heads[1]:,}; compare them with equal numbers.",
            where="heads",
        )
    content = a.content or b.content
    if not content and isinstance(a, OffsetBias) and isinstance(b, OffsetBias):
        along = walk(Offsets(a, b).differ, total, 2 * heads[0], tolerance)
        if along.first is None:
            return Verdict(
                SAME, f"The same up to rounding {along.extent.replace('positions', 'distances')}.", None, along.largest
            )
    places = bias_places(total, heads[0], a.dimension if content else 0)
    whole, causal, whole_spread, causal_spread = _Found(), _Found(), _Found(), _Found()
    for start, added_a, added_b in _strips(a, b, places, content):
        queries = places[start : start + added_a.shape[1]]
        with np.errstate(invalid="ignore"):
            apart = np.where(added_a == added_b, 0.0, added_a - added_b)
        sizes = np.maximum(np.abs(added_a), np.abs(added_b)).max(axis=2) * tolerance
        seen = places[None, :] <= queries[:, None]
        hidden = np.where(seen, apart, np.nan)
        _note(whole, np.abs(apart), sizes, queries, places)
        _note(causal, np.where(seen, np.abs(apart), 0.0), sizes, queries, places)
        _note(whole_spread, apart - apart.min(axis=2, keepdims=True), sizes, queries, places)
        _note(causal_spread, np.where(seen, apart - np.nanmin(hidden, axis=2)[:, :, None], 0.0), sizes, queries, places)
    extent = _extent(len(places), total, content)
    if whole.first is None:
        return Verdict(SAME, f"The same {extent}, up to rounding.", None, whole.largest)
    softly = _softly(whole, causal, whole_spread, causal_spread, extent)
    return softly or _different(a, b, whole, extent, content)


def _strips(a: ScoreBias, b: ScoreBias, places: Float, content: bool) -> Iterator[tuple[int, Float, Float]]:
    """Number of the first query of each strip, and what A and B add there (heads, queries, keys)."""
    if content:
        yield 0, _with_content(a, places), _with_content(b, places)
        return
    height = max(1, STRIP_CELLS // (len(places) * (a.heads or 1)))
    for start in range(0, len(places), height):
        checkpoint(start / len(places))
        queries = places[start : start + height]
        yield start, a.bias(queries, places), b.bias(queries, places)


def _with_content(scheme: ScoreBias, places: Float) -> Float:
    """What is added for one fixed set of queries and keys, shape (heads, n, n)."""
    index = np.arange(scheme.dimension)[None, :] + 0.61 * np.arange(len(places))[:, None]
    queries, keys = np.cos(0.7 * index + 0.3), np.sin(0.4 * index + 1.1)
    return np.stack([scheme.attention_bias(queries, keys, places, head) for head in range(scheme.heads or 1)])


def _note(found: _Found, excess: Float, sizes: Float, queries: Float, keys: Float) -> None:
    """Take in the excess (heads, m, n) of some rows; `sizes` (heads, m) is what each row may be off by."""
    flat = int(excess.argmax())
    if excess.flat[flat] > found.largest:
        head, row, column = np.unravel_index(flat, excess.shape)
        found.largest = float(excess.flat[flat])
        found.at = int(head), int(queries[row]), int(keys[column])
    if found.first is None:
        beyond = np.flatnonzero((excess.max(axis=2) > sizes).any(axis=0))
        if len(beyond):
            found.first = int(queries[beyond[0]])


def _extent(looked: int, total: int, content: bool) -> str:
    which = "with fixed queries and keys " if content else ""
    if looked == total:
        return f"{which}at all {total:,} positions"
    return f"{which}at the {looked:,} of {total:,} positions looked at"


def _softly(whole: _Found, causal: _Found, whole_spread: _Found, causal_spread: _Found, extent: str) -> Verdict | None:
    """The verdict that only the softmax, or a causal mask, makes them equal; None if they are not."""
    head, query, _ = whole.at
    by = f"by up to {number(whole.largest)} (head {head}, query {query:,})"
    if whole_spread.first is None:
        text = f"Equal after the softmax {extent}: each whole row differs by one number, {by}."
    elif causal.first is None:
        text = f"Equal {extent} up to the query itself; only keys after it differ, {by}, and a causal mask hides them."
    elif causal_spread.first is None:
        text = (
            f"Equal after a causal softmax {extent}: up to the query itself each row differs by one number; keys after "
            f"it do not follow. Largest difference {number(whole.largest)} (head {head}, query {query:,})."
        )
    else:
        return None
    return Verdict(EQUAL_AFTER_SOFTMAX, text, whole.first, whole.largest, f"head {head}")


def _different(a: ScoreBias, b: ScoreBias, whole: _Found, extent: str, content: bool) -> Verdict:
    head, query, key = whole.at
    text = f"{starts(whole.first)}, by up to {number(whole.largest)} (head {head}, query {query:,}, key {key:,})"
    if not content:
        values = [float(scheme.bias([query], [key])[head, 0, 0]) for scheme in (a, b)]
        text += f", where A adds {number(values[0])} and B {number(values[1])}"
    if not extent.startswith("at all"):
        text += f"; found {extent}"
    return Verdict(DIFFERENT, f"{text}.", whole.first, whole.largest, f"head {head}")
