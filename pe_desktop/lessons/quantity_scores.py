"""Quantities of the similarity curve and of the scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pe_desktop.core.part_curve import FLAT, curve_part, value_at
from pe_desktop.core.parts import Viewport
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import score_at
from pe_desktop.core.state import LabState
from pe_desktop.lessons import quantity_checks as checks

LONGEST_CURVE = 4096  # positions among which peaks are looked for
BIASES = "a score bias such as alibi"


# The curve ------------------------------------------------------------------------------------------------------


def _similarity(state: LabState, first: float, second: float | None = None) -> float:
    """Of a gap from the spot, or with two arguments of two positions."""
    if second is None:
        gap = checks.whole(first, "Gap")
        place, spot = checks.position(state.position + gap, state.built), state.position
    else:
        spot, place = (checks.position(each, state.built) for each in (first, second))
    found = value_at(state if spot == state.position else state.change({"position": spot}), place)
    if found is None:
        raise checks.refuse(f"Position {place:,} has no similarity to {spot:,}: the curve ends before it.")
    return found


def _curve(state: LabState) -> Float:
    """The curve at every position that has a value, (n,)."""
    if state.length > LONGEST_CURVE:
        raise checks.refuse(
            f"Length is {state.length:,}; peaks are looked for up to {LONGEST_CURVE:,} positions: choose a shorter one."
        )
    if state.built.acts is Acts.NOTHING:
        raise checks.refuse("The similarity curve is flat: with nothing added it has no peak.")
    part = curve_part(state, Viewport(curve=state.length))
    if part.kind == "nothing" or not len(part.x):
        raise checks.refuse(f"There is no similarity curve. {part.sentence}")
    return part.low


def _peak(state: LabState) -> float:
    curve = _curve(state)
    high = float(curve.max())
    if high - float(curve.min()) <= FLAT:
        raise checks.refuse("The similarity curve is flat, so it has no peak.")
    return float(np.flatnonzero(curve >= high - FLAT)[0])


def _peaks(state: LabState) -> float:
    curve = _curve(state)
    return float(len([top for top in tops(curve) if top != int(np.argmax(curve))]))


def tops(curve: Float) -> list[int]:
    """Where a curve (n,) rises by more than rounding and falls again; its ends are no tops."""
    found: list[int] = []
    top = low = 0
    rising = False
    for place, value in enumerate(curve.tolist()):
        if rising:
            if value > curve[top]:
                top = place
            elif value < curve[top] - FLAT:
                found.append(top)
                rising, low = False, place
        elif value < curve[low]:
            low = place
        elif value > curve[low] + FLAT:
            rising, top = True, place
    return found


# Scores ---------------------------------------------------------------------------------------------------------


def _score(state: LabState, query: float, key: float) -> float:
    m, n = (checks.position(each, state.built) for each in (query, key))
    found = score_at(state.built, m, n, state.head)
    if found is None:
        raise checks.refuse(f"Query {m:,} and key {n:,} have no score in {state.built.title}; ask for others.")
    return found


def _shift_error(state: LabState, query: float, key: float, by: float) -> float:
    return abs(_score(state, query + by, key + by) - _score(state, query, key))


def _biased(scheme: Scheme, name: str) -> ScoreBias:
    if not isinstance(scheme, ScoreBias):
        raise checks.lacks(scheme, name, BIASES)
    return scheme


def _bias(state: LabState, query: float, key: float) -> float:
    scheme = _biased(state.built, "bias")
    m, n = (checks.position(each, scheme) for each in (query, key))
    return float(scheme.bias([m], [n], [state.head])[0, 0, 0])


def _slope(state: LabState, head: float) -> float:
    slopes = _biased(state.built, "slope").slopes()
    if slopes is None:
        raise checks.lacks(state.built, "slope", "a bias that is linear in the distance, as alibi")
    return float(slopes[checks.index(head, len(slopes), "Head", "heads")])


def _bucket(state: LabState, offset: float) -> float:
    scheme = _biased(state.built, "buckets")
    found = scheme.bucket_of(np.array([float(checks.whole(offset, "Offset"))]))
    if found is None:
        raise checks.lacks(scheme, "buckets", "a bias that looks offsets up, as t5")
    return float(found[0])


VALUES: dict[str, Callable[[LabState], float]] = {"peak": _peak, "peaks": _peaks}
CALLS: dict[str, Callable[..., float]] = {
    "similarity": _similarity,
    "score": _score,
    "shift_error": _shift_error,
    "bias": _bias,
    "slope": _slope,
    "bucket": _bucket,
}
