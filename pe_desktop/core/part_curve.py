"""The similarity part of a snapshot."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pe_desktop.core import bias_rows, similarity
from pe_desktop.core.additive import Additive
from pe_desktop.core.curve_words import LOOK_AHEAD, MASKED, grid_sentence, masked_keys, near_gaps
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import count_rows, short, whole
from pe_desktop.core.part_bias_curve import bias_curve
from pe_desktop.core.part_matrix import cell_count
from pe_desktop.core.parts import CurvePart, Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState

NO_POINTS = np.zeros(0)
NAMED_GAP = 25  # the gap whose value the sentence quotes
STILL = 0.95  # above it a curve has not really fallen
FLAT = 1e-9


def curve_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the curve depends on."""
    bias = (state.head, state.causal) if isinstance(state.built, ScoreBias) else None
    return state.built, state.position, bias, viewport.rows, viewport.curve


def window_of(state: LabState, viewport: Viewport) -> tuple[float, float]:
    """Range of edges, in cells, that the curve covers."""
    return viewport.rows or (0.0, float(state.length))


def curve_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the exact curve can be made at once."""
    window = window_of(state, viewport)
    if isinstance(state.built, ScoreBias):
        first, stop = math.floor(window[0]), math.ceil(window[1])
        return bias_rows.row_cost(state.built, state.position, first, stop) <= similarity.QUICK
    return similarity.is_quick(state.built, window)


def curve_part(state: LabState, viewport: Viewport, full: bool = True) -> CurvePart:
    """Make the similarity part; `full` False samples a curve too long to be visited at once."""
    scheme, spot = state.built, state.position
    if scheme.acts is Acts.NOTHING:
        return _flat(state, viewport)
    if isinstance(scheme, ScoreBias):
        return bias_curve(state, window_of(state, viewport), viewport.curve, full)
    if spot >= defined_rows(scheme):
        table = count_rows(defined_rows(scheme))
        return _empty(state, "cosine", f"Spot {spot:,} has no vector: the table has {table}.")
    rows = window_of(state, viewport)
    if rows[0] >= defined_rows(scheme):
        return _empty(state, "cosine", f"No vector here: the table has {count_rows(defined_rows(scheme))}.")
    compared = similarity.compared_rows(scheme, spot)
    if rows[0] >= compared:
        return _only_masked(state, compared)
    made = similarity.curve(scheme, spot, rows, max(1, viewport.curve), full)
    rotary = isinstance(scheme, Rotary)
    low = min(0.0, float(made.low.min()))
    return CurvePart(
        kind="score" if rotary else "cosine",
        x=made.x,
        low=made.low,
        high=made.high,
        others=(),
        other_labels=(),
        y_range=(-1.0 if low < -0.6 else low - 0.05, 1.05),
        spot=spot,
        spot_value=similarity.value(scheme, spot, spot),
        length=state.length,
        defined=compared,
        exact=made.exact,
        title=f"Score, query at {spot:,}" if rotary else f"Similarity to spot {spot:,}",
        point=_point(made),
        sentence=_sentence(scheme, spot, made),
        y_label="score / score at gap 0" if rotary else "cosine similarity",
        hatch=MASKED if compared < defined_rows(scheme) else "no vector",
        edges=made.edges,
    )


def value_at(state: LabState, position: int) -> float | None:
    """What the curve is at one position, exactly: for the cursor, whatever its pixel column covers.

    Returns
    -------
    float or None
        None where there is no value: past the sequence or a table, or after the query of a scheme for causal
        attention only.
    """
    scheme, spot = state.built, state.position
    if not 0 <= position < state.length:
        return None
    if isinstance(scheme, ScoreBias):
        return float(scheme.bias([spot], [position], [state.head])[0, 0, 0])
    if scheme.acts is Acts.NOTHING:
        return 0.0
    if spot >= defined_rows(scheme) or position >= similarity.compared_rows(scheme, spot):
        return None
    return similarity.value(scheme, spot, position)


def _flat(state: LabState, viewport: Viewport) -> CurvePart:
    """Nothing is added: all rows are zero, and so is every product of two."""
    part = _empty(state, "cosine", "Flat: with nothing added no position is more alike to the spot than another.")
    low, high = window_of(state, viewport)
    x = np.array([math.floor(low), math.ceil(high) - 1.0])
    zeros = np.zeros(len(x))
    return dataclasses.replace(
        part, x=x, low=zeros, high=zeros, spot_value=0.0, point="every point is 0", y_label="product of rows"
    )


def _only_masked(state: LabState, compared: int) -> CurvePart:
    """Of a scheme for causal attention only nothing but keys after the query is in view."""
    scheme, spot = state.built, state.position
    assert isinstance(scheme, Rotary)
    part = _empty(state, "score", f"Only keys after the query at {spot:,} are in view. {masked_keys(scheme)}")
    title, label = f"Score, query at {spot:,}", "score / score at gap 0"
    return dataclasses.replace(part, spot_value=1.0, defined=compared, title=title, y_label=label, hatch=MASKED)


def _empty(state: LabState, kind: str, sentence: str) -> CurvePart:
    return CurvePart(
        kind,
        NO_POINTS,
        NO_POINTS,
        NO_POINTS,
        (),
        (),
        (-1.0, 1.05),
        state.position,
        None,
        state.length,
        defined_rows(state.built),
        True,
        f"Similarity to spot {state.position:,}",
        "no curve",
        sentence,
        "cosine similarity",
    )


def _point(made: similarity.Curve) -> str:
    if not made.exact:
        return f"sampled: 1 of every {whole(made.stride)} positions; the exact range is being computed…"
    if made.step <= 1.0:
        return "each point is 1 position"
    return f"lowest and highest of every {cell_count(made.step)} positions"


def _sentence(scheme: Scheme, spot: int, made: similarity.Curve) -> str:
    if similarity.depends_on_gap(scheme):
        return gap_sentence(scheme, spot)
    if isinstance(scheme, Gridded):
        return grid_sentence(scheme, spot, made)
    if isinstance(scheme, Rotary):
        near = near_gaps(scheme)[: spot + 1]
        seen = fall_sentence(near, spot) if spot else f"Only spot {spot:,} itself has a score."
        return f"{seen} {masked_keys(scheme)}"
    assert isinstance(scheme, Additive)
    away = made.elsewhere(spot)
    if not away.any():
        return f"Only spot {spot:,} is shown, too little to tell a peak."
    first_is_zero = not scheme.encode([0]).any()
    if first_is_zero and spot == 0:
        return "Row 0 is all zeros and has no direction: its similarity to any row is 0."
    beside_zero = away & made.elsewhere(0) if first_is_zero else away
    if beside_zero.any() and float(made.low[beside_zero].min()) > 1 - FLAT:
        who = "Every row but row 0 (all zeros)" if first_is_zero else "Every row"
        return f"{who} points the same way, so the cosine is 1: the curve has no peak at the spot."
    low, high = float(made.low[away].min()), float(made.high[away].max())
    other = "all other positions shown lie" if made.step <= 1.0 else "the other pixels lie"
    return f"Peak of 1 at spot {spot:,}; {other} between {short(low, 2)} and {short(high, 2)}."


def gap_sentence(scheme: Scheme, spot: int) -> str:
    """Where a curve that depends on the gap alone falls to, and where it first rises again."""
    reach = max(spot, scheme.length - 1 - spot)
    return fall_sentence(_near(scheme)[: max(2, reach + 1)], spot)


def fall_sentence(values: Float, spot: int) -> str:
    """Where a curve, given at the gaps 0, 1, … (n,), n at least 2, falls to, and where it first rises again."""
    named = min(NAMED_GAP, len(values) - 1)
    lower = float(values[: named + 1].min())
    if values[named] > STILL:
        verb = "is still" if values[named] - lower < 0.02 else "is back at"
    else:
        verb = "falls to" if values[named] - lower < 0.1 else "is back at"
    text = f"Peak at spot {spot:,}; {verb} {short(values[named], 2)} at a gap of {named}"
    rises = first_rise(values)
    if rises is None:
        return f"{text}, without a ripple up to a gap of {len(values) - 1}."
    return f"{text}; rises again from a gap of {rises} (ripples)."


@remember
def _near(scheme: Scheme) -> Float:
    """The curve at the first gaps, which no spot changes."""
    return similarity.gap_curve(scheme, 0, 1, LOOK_AHEAD)


def first_rise(values: Float) -> int | None:
    """First gap whose value is higher than that of the gap before, None if the curve only falls."""
    up = np.flatnonzero(np.diff(values) > FLAT)
    return int(up[0]) + 1 if len(up) else None
