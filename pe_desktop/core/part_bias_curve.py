"""The curve of a bias: what one query adds to its scores with all keys, and the words below it."""

from __future__ import annotations

import numpy as np

from pe_desktop.core import bias_rows
from pe_desktop.core.lengths import at_length
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import short
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.parts import CurvePart
from pe_desktop.core.scheme import LENGTH_RANGE, Float
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.similarity import SAMPLES, Curve
from pe_desktop.core.state import LabState

NEAR_KEYS = 256
FAR_KEYS = 64
MARGIN = 0.05
ALONG = {
    "falls": "it only falls with the distance",
    "rises": "it only rises with the distance",
    "mixed": "it does not only fall with the distance",
}


def bias_curve(state: LabState, window: tuple[float, float], pixels: int, full: bool) -> CurvePart:
    """Make the similarity part of a bias over a window of keys."""
    scheme, spot, head = state.built, state.position, state.head
    assert isinstance(scheme, ScoreBias)
    made, others = bias_rows.lines(scheme, spot, window, max(1, pixels), head, full)
    every = [made.low, made.high, *others.values()]
    low, high = min(float(line.min()) for line in every), max(float(line.max()) for line in every)
    return CurvePart(
        kind="bias",
        x=made.x,
        low=made.low,
        high=made.high,
        others=tuple(others.values()),
        other_labels=tuple(f"head {other}" for other in others),
        y_range=_range(low, high),
        spot=spot,
        spot_value=float(scheme.bias([spot], [spot], [head])[0, 0, 0]),
        length=state.length,
        defined=state.length,
        exact=made.exact,
        title=f"Bias from spot {spot:,}, head {head}",
        point=_point(scheme, made, sorted([*others, head])),
        sentence=bias_sentence(scheme, state),
        y_label="bias on the score",
        edges=made.edges,
    )


def _range(low: float, high: float) -> tuple[float, float]:
    """The values, 0 among them where they end near it, and a margin."""
    low, high = min(low, 0.0), max(high, 0.0)
    margin = max(MARGIN * (high - low), 1e-9)
    return low - margin, high + margin


def _point(scheme: ScoreBias, made: Curve, heads: list[int]) -> str:
    shown = f"head{'s' if len(heads) > 1 else ''} {', '.join(map(str, heads))} of {scheme.heads}"
    if made.step == 1 or scheme.monotone:
        return shown
    if made.exact:
        return f"{shown}; lowest and highest of every {made.step:,} keys"
    return f"{shown}; sampled: {SAMPLES} of every {made.step:,} keys; the exact range is being computed…"


def bias_sentence(scheme: ScoreBias, state: LabState) -> str:
    """The bias at the query and at the farthest key, and how it runs between."""
    spot, head = state.position, state.head
    far = 0 if spot > state.length - 1 - spot else state.length - 1
    own, value = scheme.bias([spot], [spot, far], [head])[0, 0]
    reach = f"{short(float(value), 2)} at position {far:,}, the farthest"
    about = [text for text in (scheme.stand_in, "before the causal mask" if state.causal else "") if text]
    who = f"Head {head} ({', '.join(about)})" if about else f"Head {head}"
    here = "0" if own == 0 else short(float(own), 2)
    return f"{who}: {here} at spot {spot:,}, {reach}; {_course(scheme, spot, head)}."


def _course(scheme: ScoreBias, spot: int, head: int) -> str:
    """How the bias runs with the distance, judged by the nearest keys and a spread of the far ones."""
    reaches = {-1: min(NEAR_KEYS, spot), 1: min(NEAR_KEYS, scheme.length - 1 - spot)}
    near = _near_keys(scheme, spot, head, reaches[-1], reaches[1])
    sides = {-1: near[reaches[-1] :: -1], 1: near[reaches[-1] :]}
    ways = {side: _way(scheme, spot, head, side, np.diff(values)) for side, values in sides.items()}
    seen = {way for way in ways.values() if way}
    if seen == {"level"}:
        return "the same for all keys"
    if len(seen) == 2 and "level" in seen:  # one side is flat, as where a bias is made for causal attention
        flat_after = ways[1] == "level"
        where, rest = ("up to the query", "later") if flat_after else ("from the query on", "earlier")
        return f"{where} {ALONG[ways[-1 if flat_after else 1]]}; {rest} keys count as distance 0"
    if len(seen) == 1:
        return ALONG[seen.pop()]
    if (ways[-1], ways[1]) == ("falls", "rises"):
        return "it rises with the key's position"
    if (ways[-1], ways[1]) == ("rises", "falls"):
        return "it falls with the key's position"
    return ALONG["mixed"]


def _near_keys(scheme: ScoreBias, spot: int, head: int, before: int, after: int) -> Float:
    """Bias of the spot with the keys from so many before it to so many after it, shape (before + 1 + after,)."""
    if isinstance(scheme, OffsetBias):  # which is the same at any spot and length
        return _near_offsets((at_length(scheme, LENGTH_RANGE[1]), head, before, after))
    return np.asarray(scheme.bias([spot], spot + np.arange(-before, after + 1.0), [head])[0, 0])


@remember
def _near_offsets(question: tuple[OffsetBias, int, int, int]) -> Float:
    scheme, head, before, after = question
    return np.asarray(scheme.over(-after, before, [head])[0, ::-1])


def _way(scheme: ScoreBias, spot: int, head: int, side: int, near: Float) -> str:
    """How the bias runs on one side, whose first steps are `near` (n,)."""
    reach = spot if side < 0 else scheme.length - 1 - spot
    if not reach:
        return ""
    if near.min() < 0.0 < near.max():
        return "mixed"  # without a look at the far keys
    steps = np.r_[near, _steps(scheme, spot, head, side * _far(reach))]
    if not steps.any():
        return "level"
    if np.all(steps <= 0.0):
        return "falls"
    return "rises" if np.all(steps >= 0.0) else "mixed"


def _steps(scheme: ScoreBias, spot: int, head: int, offsets: Float) -> Float:
    return np.diff(scheme.bias([spot], spot + offsets, [head])[0, 0])


def _far(reach: int) -> Float:
    """Distances from the last of the near keys to the farthest key."""
    first = min(NEAR_KEYS, reach)
    return np.unique(np.r_[np.linspace(first, reach, FAR_KEYS), np.geomspace(first, reach, FAR_KEYS)].round())
