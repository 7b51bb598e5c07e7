"""Whether two schemes do the same: exactly, up to the order of dimensions, after the softmax, or not at all."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.compare_added import Rows, compare_added
from pe_desktop.core.compare_bias import bias_places, compare_bias
from pe_desktop.core.compare_rotary import compare_rotary
from pe_desktop.core.compare_turns import Standing, Turns
from pe_desktop.core.errors import FieldError
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.verdict import DIFFERENT, TOLERANCE, Verdict, number, walk

QUICK_CELLS = 1 << 14
PLACES = {
    Acts.NOTHING: "adds nothing",
    Acts.ADDED: "is added to the embedding",
    Acts.ROTARY: "rotates queries and keys",
    Acts.BIAS: "adds to the attention scores",
}


def compare(
    a: Scheme, b: Scheme, positions: Iterable[int] | Float | None = None, *, tolerance: float = TOLERANCE
) -> Verdict:
    """Compare two schemes over the positions of the shorter sequence.

    Parameters
    ----------
    a, b : Scheme
    positions : array_like, shape (n,), optional
        Where the difference is wanted as well; the verdict is about the whole sequence in any case.
    tolerance : float
        Numbers are equal if they differ by no more than this share of the size of their row.

    Returns
    -------
    Verdict
    """
    verdict = _verdict(a, b, tolerance)
    if positions is None:
        return verdict
    asked = np.asarray(positions, dtype=np.float64)
    return dataclasses.replace(verdict, differences=_differences(a, b, asked))


def is_quick(a: Scheme, b: Scheme) -> bool:
    """Whether the verdict on two schemes takes no noticeable time."""
    if a == b or a.dimension != b.dimension or _kind(a) is not _kind(b):
        return True
    total = min(a.length, b.length)
    if isinstance(a, ScoreBias) and isinstance(b, ScoreBias):
        pairs = len(bias_places(total, a.heads or 1)) ** 2 * (a.heads or 1)
        return a.heads != b.heads or (not a.content and not b.content and pairs <= QUICK_CELLS)
    return total * a.dimension <= QUICK_CELLS


@lru_cache(maxsize=32)
def _verdict(a: Scheme, b: Scheme, tolerance: float) -> Verdict:
    if a == b:
        return Verdict("same", "The same scheme with the same parameters.", None, 0.0)
    if a.dimension != b.dimension:
        return Verdict(
            DIFFERENT,
            f"Different: A has {a.dimension:,} dimensions and B {b.dimension:,}; compare them at one dimension.",
            where="dimension",
        )
    if _kind(a) is not _kind(b):
        return Verdict(
            DIFFERENT,
            f"Different: A {PLACES[a.acts]}, B {PLACES[b.acts]}; they act in different places.",
            where="place",
        )
    return _with_settings(a, b, _by_kind(a, b, tolerance), tolerance)


def _kind(scheme: Scheme) -> type[Scheme]:
    """Nothing at all is the added vector 0."""
    for kind in (Rotary, ScoreBias):
        if isinstance(scheme, kind):
            return kind
    return Additive


def _by_kind(a: Scheme, b: Scheme, tolerance: float) -> Verdict:
    total = min(a.length, b.length)
    if isinstance(a, Rotary) and isinstance(b, Rotary):
        return compare_rotary(a, b, total, tolerance)
    if isinstance(a, ScoreBias) and isinstance(b, ScoreBias):
        return compare_bias(a, b, total, tolerance)
    assert isinstance(a, Additive)
    assert isinstance(b, Additive)
    return compare_added(a, b, total, tolerance)


def _with_settings(a: Scheme, b: Scheme, verdict: Verdict, tolerance: float) -> Verdict:
    """What multiplies q·k counts too, where the rest does not differ."""
    if verdict.verdict == DIFFERENT:
        return verdict
    mine, other = a.softmax_scale, b.softmax_scale
    # Of rotary schemes the scale has been judged together with their factors.
    if not isinstance(a, Rotary) and abs(mine - other) > tolerance * max(mine, other):
        return Verdict(
            DIFFERENT,
            f"Different from position 0 on: what is added agrees, but q·k is scaled by {number(mine)} in A and "
            f"{number(other)} in B.",
            0,
            abs(mine - other),
            "softmax scale",
        )

    def differ(positions: Float) -> tuple[Float, Float]:
        scales = a.query_scale(positions), b.query_scale(positions)
        return np.abs(scales[0] - scales[1])[:, None], np.maximum(*scales)

    found = walk(differ, min(a.length, b.length), 1, tolerance)
    if found.first is None:
        return verdict
    return Verdict(
        DIFFERENT,
        f"Different from position {found.first:,} on: the query temperatures differ by up to {number(found.largest)} "
        f"(position {found.position:,}); the rest agrees.",
        found.first,
        found.largest,
        "query temperature",
    )


def _differences(a: Scheme, b: Scheme, positions: Float) -> tuple[float | None, ...]:
    """Largest difference, as they stand, at each of some positions; None where there is none to tell."""
    if a.dimension != b.dimension or _kind(a) is not _kind(b):
        return (None,) * len(positions)
    if isinstance(a, ScoreBias) and isinstance(b, ScoreBias):
        return _bias_differences(a, b, positions)
    ends = [last for last in (a.last_position, b.last_position) if last is not None]
    known = np.flatnonzero(positions <= min(ends, default=np.inf))
    out: list[float | None] = [None] * len(positions)
    if not len(known):
        return tuple(out)
    if isinstance(a, Rotary) and isinstance(b, Rotary):
        alike = all(np.array_equal(x, y) for x, y in zip(a.pairs(), b.pairs(), strict=True))
        differ = Turns(a, b).differ if alike else Standing(a, b).differ
    else:
        assert isinstance(a, Additive)
        assert isinstance(b, Additive)
        differ = Rows(a, b, min(a.length, b.length)).differ
    for index in known:
        with suppress(FieldError):  # a factor beyond float64
            out[index] = float(differ(positions[index : index + 1])[0].max())
    return tuple(out)


def _bias_differences(a: ScoreBias, b: ScoreBias, queries: Float) -> tuple[float | None, ...]:
    """For each query the largest difference over heads and the keys that :func:`bias_places` names."""
    if (a.heads or 1) != (b.heads or 1):
        return (None,) * len(queries)
    keys = bias_places(min(a.length, b.length), a.heads or 1)
    return tuple(float(np.abs(a.bias([query], keys) - b.bias([query], keys)).max()) for query in queries)
