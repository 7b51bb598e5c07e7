"""The similarity part of a snapshot."""

from __future__ import annotations

import dataclasses

import numpy as np

from pe_desktop.core import similarity
from pe_desktop.core.additive import Additive
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import short
from pe_desktop.core.parts import CurvePart, Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState

NO_POINTS = np.zeros(0)
NAMED_GAP = 25  # the gap whose value the sentence quotes
LOOK_AHEAD = 256  # gaps searched for the first ripple
FAR_KEYS = 64
STILL = 0.95  # above it a curve has not really fallen
FLAT = 1e-9


def curve_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the curve depends on."""
    bias = (state.head, state.causal) if isinstance(state.built, ScoreBias) else None
    return state.built, state.position, bias, viewport.rows, viewport.curve


def window_of(state: LabState, viewport: Viewport) -> tuple[int, int]:
    """Positions the curve covers."""
    return viewport.rows or (0, state.length)


def curve_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the exact curve can be made at once."""
    return similarity.is_quick(state.built, window_of(state, viewport))


def curve_part(state: LabState, viewport: Viewport, full: bool = True) -> CurvePart:
    """Make the similarity part; `full` False samples a curve too long to be visited at once."""
    scheme, spot = state.built, state.position
    if scheme.acts is Acts.NOTHING:
        return _flat(state, viewport)
    if isinstance(scheme, ScoreBias):
        return _bias_part(state, viewport)
    if spot >= defined_rows(scheme):
        return _empty(state, "cosine", f"Spot {spot:,} has no vector: the table has {defined_rows(scheme):,} rows.")
    rows = viewport.rows or (0, state.length)
    if rows[0] >= defined_rows(scheme):
        return _empty(state, "cosine", f"No vector here: the table has {defined_rows(scheme):,} rows.")
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
        spot_value=1.0 if similarity.depends_on_gap(scheme) else _at_spot(scheme, spot),
        length=state.length,
        defined=defined_rows(scheme),
        exact=made.exact,
        title=f"Score, query at {spot:,}" if rotary else f"Similarity to spot {spot:,}",
        point=_point(made.step, made.exact),
        sentence=_sentence(scheme, spot, made),
        y_label="score / score at gap 0" if rotary else "cosine similarity",
    )


def _at_spot(scheme: Scheme, spot: int) -> float:
    return float(similarity.row_similarity(scheme, spot, np.array([float(spot)]))[0])


def _flat(state: LabState, viewport: Viewport) -> CurvePart:
    """Nothing is added: all rows are zero, and so is every product of two."""
    part = _empty(state, "cosine", "Flat: with nothing added no position is more alike to the spot than another.")
    first, last = window_of(state, viewport)
    x = np.array([first, last - 1.0])
    zeros = np.zeros(len(x))
    return dataclasses.replace(
        part, x=x, low=zeros, high=zeros, spot_value=0.0, point="every point is 0", y_label="product of rows"
    )


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


def _point(step: int, exact: bool) -> str:
    if step == 1:
        return "each point is 1 position"
    if not exact:
        return f"sampled: {similarity.SAMPLES} of every {step:,} positions; the exact range is being computed…"
    return f"lowest and highest of every {step:,} positions"


def _sentence(scheme: Scheme, spot: int, made: similarity.Curve) -> str:
    if similarity.depends_on_gap(scheme):
        return gap_sentence(scheme, spot)
    assert isinstance(scheme, Additive)
    away = np.abs(made.x - spot) >= max(1.0, made.step / 2.0)
    if not away.any():
        return f"Only spot {spot:,} is shown, too little to tell a peak."
    first_is_zero = not scheme.encode([0]).any()
    if first_is_zero and spot == 0:
        return "Row 0 is all zeros and has no direction: its similarity to any row is 0."
    beside_zero = away & (made.x > made.step / 2.0) if first_is_zero else away
    if beside_zero.any() and float(made.low[beside_zero].min()) > 1 - FLAT:
        who = "Every row but row 0 (all zeros)" if first_is_zero else "Every row"
        return f"{who} points the same way, so the cosine is 1: the curve has no peak at the spot."
    low, high = float(made.low[away].min()), float(made.high[away].max())
    other = "all other positions shown lie" if made.step == 1 else "the other pixels lie"
    return f"Peak of 1 at spot {spot:,}; {other} between {short(low, 2)} and {short(high, 2)}."


def gap_sentence(scheme: Scheme, spot: int) -> str:
    """Where a curve that depends on the gap alone falls to, and where it first rises again."""
    reach = max(spot, scheme.length - 1 - spot)
    values = _near(scheme)[: max(2, reach + 1)]
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


def _bias_part(state: LabState, viewport: Viewport) -> CurvePart:
    scheme = state.built
    assert isinstance(scheme, ScoreBias)
    window = window_of(state, viewport)
    made, others = similarity.bias_lines(scheme, state.position, window, max(1, viewport.curve), state.head)
    lowest = min([float(made.low.min()), *(float(line.min()) for line in others.values())])
    return CurvePart(
        kind="bias",
        x=made.x,
        low=made.low,
        high=made.high,
        others=tuple(others.values()),
        other_labels=tuple(f"head {head}" for head in others),
        y_range=(lowest * 1.05 - 1e-9, max(abs(lowest) * 0.05, 1e-9)),
        spot=state.position,
        spot_value=float(scheme.bias([state.position], [state.position])[state.head, 0, 0]),
        length=state.length,
        defined=state.length,
        exact=True,
        title=f"Bias from spot {state.position:,}, head {state.head}",
        point=f"heads {', '.join(map(str, sorted([*others, state.head])))} of {scheme.heads}",
        sentence=_bias_sentence(scheme, state),
        y_label="bias on the score",
    )


def _bias_sentence(scheme: ScoreBias, state: LabState) -> str:
    spot, head = state.position, state.head
    far = 0 if spot > state.length - 1 - spot else state.length - 1
    value = float(scheme.bias([spot], [far])[head, 0, 0])
    reach = f"{short(value, 2)} at position {far:,}, the farthest"
    mask = " (before the causal mask)" if state.causal else ""
    return f"Head {head}{mask}: 0 at spot {spot:,}, {reach}; {_shape(scheme, spot, head)}."


def _spread(reach: int) -> Float:
    return np.asarray(np.linspace(0, reach, FAR_KEYS).round())


def _shape(scheme: ScoreBias, spot: int, head: int) -> str:
    """Whether the bias only falls with the distance, judged by the nearest keys and a spread of the far ones."""
    ends = (0, scheme.length - 1)
    reaches = [np.unique(np.r_[0 : min(LOOK_AHEAD, abs(end - spot) + 1), _spread(abs(end - spot))]) for end in ends]
    lines = [scheme.bias([spot], spot + side * reach)[head, 0] for side, reach in zip((-1, 1), reaches, strict=True)]
    if all(np.all(np.diff(line) <= 0.0) for line in lines):
        return "it only falls with the distance"
    return "it does not only fall with the distance"
