"""Comparing two schemes that rotate queries and keys.

With q and k as complex pairs, pair i contributes Re(q k̄ · z(m) w̄(n)) to a score, z and w being what the scheme
multiplies the query's and the key's pair by. Two schemes whose z and w are equal do the same; if only the products
z(m) w̄(n), with softmax scale and query temperature, are equal, the scores and thus the attention weights are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.compare_turns import Standing, Turns, is_plain
from pe_desktop.core.errors import FieldError
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float
from pe_desktop.core.verdict import (
    DIFFERENT,
    EQUAL_AFTER_SOFTMAX,
    REORDERED,
    SAME,
    TOLERANCE,
    Differ,
    Verdict,
    Walk,
    number,
    starts,
    walk,
    walk_to_first,
)

Index = NDArray[np.intp]
Walker = Callable[[Differ, int, int, float], Walk]


@dataclass(frozen=True)
class Pairs:
    """Frequency (k,) and both dimensions (k,) of the pairs that matter: a still one of factor 1 is no pair at all."""

    frequencies: Float
    first: Index
    second: Index


def _pairs(scheme: Rotary) -> Pairs:
    frequencies = scheme.inv_freq()
    matter = (frequencies != 0.0) | (scheme.amplitude != 1.0) | (not is_plain(scheme))
    first, second = scheme.pairs()
    return Pairs(frequencies[matter], first[matter], second[matter])


def compare_rotary(a: Rotary, b: Rotary, total: int, tolerance: float) -> Verdict:
    """Compare what A and B do to queries and keys at positions 0 .. total - 1, and the scores that come of it."""
    order = _pair_order(a, b, total, tolerance)
    if order is not None:
        exact = np.array_equal(_pairs(a).frequencies, _pairs(b).frequencies[order])
        extent = "at every position" if exact else f"up to rounding at all {total:,} positions"
        return _alike(a, b, order, total, tolerance, extent)
    return _step_by_step(Turns(a, b), total, tolerance)


def _step_by_step(turns: Turns, total: int, tolerance: float) -> Verdict:
    """Compare at every position what the frequencies alone do not tell."""
    a, b = turns.a, turns.b
    found = _tried(walk, turns.differ, total, turns.width, tolerance)
    alike = len(a.inv_freq()) == len(b.inv_freq())
    if found is not None and found.first is None and alike:
        return _alike(a, b, np.arange(turns.pairs), total, tolerance, f"up to rounding {found.extent}")
    what = "cosines and sines differ"
    if not turns.plain and alike and not _rests_differ(a, b):
        in_score = walk(partial(turns.differ_in_score, last=total - 1.0), total, 4 * turns.pairs, tolerance)
        if in_score.first is None:
            extent = f"up to rounding {in_score.extent}"
            permutation = _permutation(a, b, None)
            if permutation is not None:
                return _reordered(a, b, permutation, total, tolerance, extent)
            return _only_products(found, turns, extent)
        if found is None:
            found, what = in_score, "what pairs add to scores differs"
        elif walk(turns.differ_in_angle, total, 4 * turns.pairs, tolerance).first is None:
            what = "angles are equal, but the factors on queries and keys differ"
    return _different(turns, found, what)


def _tried(how: Walker, differ: Differ, total: int, width: int, tolerance: float) -> Walk | None:
    """What a walk finds; None where a scheme's factors on queries or keys are no float64 numbers."""
    try:
        return how(differ, total, width, tolerance)
    except FieldError:
        return None


def _pair_order(a: Rotary, b: Rotary, total: int, tolerance: float) -> Index | None:
    """For each pair of A the pair of B that turns alike; None if some has no like or the frequencies do not tell."""
    if not (is_plain(a) and is_plain(b)):
        return None
    mine, other = _pairs(a).frequencies, _pairs(b).frequencies
    if len(mine) != len(other):
        return None
    room = tolerance / max(1, total - 1)
    if not len(mine) or np.abs(mine - other).max() <= room:
        return np.arange(len(mine))
    orders = [np.argsort(each, kind="stable") for each in (mine, other)]
    if np.abs(mine[orders[0]] - other[orders[1]]).max() > room:
        return None
    order = np.empty(len(mine), dtype=np.intp)
    order[orders[0]] = orders[1]
    return order


def _alike(a: Rotary, b: Rotary, order: Index, total: int, tolerance: float, extent: str) -> Verdict:
    """Each pair of A turns as its like in B does: what is left is factors, scales and layout."""
    if not _close(a.amplitude**2 * a.softmax_scale, b.amplitude**2 * b.softmax_scale, tolerance) or (
        (_has_rest(a) or _has_rest(b)) and _rests_differ(a, b)
    ):
        return _factors(a, b, tolerance)
    permutation = _permutation(a, b, order)
    if permutation is not None:
        return _reordered(a, b, permutation, total, tolerance, extent)
    if not _close(a.amplitude, b.amplitude, tolerance):
        return _made_up_for(a, b)
    return _same_layout(a, b, f"frequencies, factors and layout are equal, {extent}")


def _has_rest(scheme: Rotary) -> bool:
    return 2 * len(_pairs(scheme).first) < scheme.score_width


def _rests_differ(a: Rotary, b: Rotary) -> bool:
    """Whether dimensions that do not turn would be scaled differently."""
    return (_has_rest(a) or _has_rest(b)) and not _close(a.softmax_scale, b.softmax_scale, TOLERANCE)


def _close(x: float, y: float, tolerance: float) -> bool:
    return abs(x - y) <= tolerance * max(abs(x), abs(y))


def _permutation(a: Rotary, b: Rotary, order: Index | None) -> Index | None:
    """Dimension of A that each dimension of B stands for; None if each stands for itself.

    `order` says which pair of B is like each pair of A, None: the one of the same number.
    """
    mine, other = _pairs(a), _pairs(b)
    if len(mine.first) != len(other.first):
        return np.arange(a.dimension)[::-1]
    order = np.arange(len(mine.first)) if order is None else order
    permutation = np.full(a.dimension, -1, dtype=np.intp)
    permutation[other.first[order]], permutation[other.second[order]] = mine.first, mine.second
    rest = np.setdiff1d(np.arange(a.dimension), np.concatenate([mine.first, mine.second]))
    permutation[permutation < 0] = rest
    return None if np.array_equal(permutation, np.arange(a.dimension)) else permutation


def _reordered(a: Rotary, b: Rotary, permutation: Index, total: int, tolerance: float, extent: str) -> Verdict:
    stand = _tried(walk_to_first, Standing(a, b).differ, total, 2 * a.dimension, tolerance)
    if stand is not None and stand.first is None:  # slow pairs and a short sequence
        return Verdict(SAME, f"The same {stand.extent}, up to rounding: nothing turns noticeably.", None, stand.largest)
    first = None if stand is None else stand.first
    right = "position 0 is right and " if first == 1 else ""
    where = "" if first is None else f" from position {first:,} on"
    return Verdict(
        REORDERED,
        f"Equal scores {extent} once the weights are reordered: {layout_of(a)} is a pair in A, {layout_of(b)} in B. "
        f"With the same weights {right}scores are wrong{where}.",
        first,
        0.0,
        None,
        tuple(int(each) for each in permutation),
    )


def layout_of(scheme: Rotary) -> str:
    """Which dimensions form pair i, as far as that has a simple form."""
    first, second = scheme.pairs()
    index = np.arange(len(first))
    if np.array_equal(first, index) and np.array_equal(second, index + second[0]):
        return f"(i, i + {int(second[0])})"
    if np.array_equal(first, 2 * index) and np.array_equal(second, first + 1):
        return "(2i, 2i + 1)"
    return f"({int(first[0])}, {int(second[0])})"


def _only_products(found: Walk | None, turns: Turns, extent: str) -> Verdict:
    if found is None:
        return Verdict(
            EQUAL_AFTER_SOFTMAX,
            f"Equal scores {extent}; the factors on queries and keys, which differ, go beyond float64.",
            where="factors on queries and keys",
        )
    return Verdict(
        EQUAL_AFTER_SOFTMAX,
        f"Equal scores {extent}: what queries and keys are multiplied by differs by up to {number(found.largest)}, "
        "but the products are equal.",
        found.first,
        found.largest,
        turns.column_name(found.column),
    )


def _made_up_for(a: Rotary, b: Rotary) -> Verdict:
    return Verdict(
        EQUAL_AFTER_SOFTMAX,
        f"Equal scores at every position: cosines and sines differ by their factors ({number(a.amplitude)} and "
        f"{number(b.amplitude)}), and the softmax scales ({number(a.softmax_scale)} and {number(b.softmax_scale)}) "
        "make up for it.",
        0,
        abs(a.amplitude - b.amplitude),
        "attention factor",
    )


def _same_layout(a: Rotary, b: Rotary, why: str) -> Verdict:
    """The same rotation of the same dimensions; the result may still be written to others."""
    out_a, out_b = (np.concatenate(scheme.pairs_out()) for scheme in (a, b))
    if len(out_a) != len(out_b) or np.array_equal(out_a, out_b):
        return Verdict(SAME, f"The same: {why}.", None, 0.0)
    permutation = np.arange(a.dimension)
    permutation[out_b] = out_a
    return Verdict(
        REORDERED,
        f"The same scores with the same weights: {why}; only the rotated pairs are written in another order.",
        None,
        0.0,
        None,
        tuple(int(each) for each in permutation),
    )


def _factors(a: Rotary, b: Rotary, tolerance: float) -> Verdict:
    """The angles are equal, the factors or scales are not."""
    facts = [
        (what, mine, other)
        for what, mine, other in (
            ("attention factor", a.amplitude, b.amplitude),
            ("softmax scale", a.softmax_scale, b.softmax_scale),
        )
        if not _close(mine, other, tolerance)
    ]
    told = " and ".join(f"the {what} is {number(mine)} in A and {number(other)} in B" for what, mine, other in facts)
    what, mine, other = facts[0]
    return Verdict(
        DIFFERENT, f"Different from position 0 on: the angles are equal, but {told}.", 0, abs(mine - other), what
    )


def _different(turns: Turns, found: Walk | None, what: str) -> Verdict:
    a, b = turns.a, turns.b
    counts = len(a.inv_freq()), len(b.inv_freq())
    if found is None:
        return Verdict(DIFFERENT, f"Different: A turns {counts[0]:,} pairs and B {counts[1]:,}.", where="pairs")
    pair = found.column % turns.pairs
    text = f"{starts(found.first)}: {what} by up to {number(found.largest)} (pair {pair}, position {found.position:,})"
    if pair >= min(counts):
        text += f", which only {'A' if counts[0] > counts[1] else 'B'} turns"
    elif turns.plain:
        text += (
            f", which turns by {number(a.inv_freq()[pair])} rad per position in A, {number(b.inv_freq()[pair])} in B"
        )
    if not _close(a.amplitude, b.amplitude, TOLERANCE):
        text += f"; the attention factors are {number(a.amplitude)} and {number(b.amplitude)}"
    if found.looked < found.total:
        text += f"; found {found.extent}"
    return Verdict(DIFFERENT, f"{text}.", found.first, found.largest, f"pair {pair}")
