"""Exact numbers on request: one JSON-like request in, one result out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pe_desktop.core import similarity, values_grid, values_window
from pe_desktop.core.additive import Additive
from pe_desktop.core.curve_words import masked_keys
from pe_desktop.core.errors import FieldError
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.request import ARITHMETICS, Request
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.values_float32 import answer_in_float32
from pe_desktop.core.waves import TURN

WHOLE = ("buckets", "permutation", "axis")
Answer = tuple[str, Any]


def _encoding(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Additive):
        raise request.refuse(_has(scheme))
    positions = request.positions()
    request.demand(len(positions) * scheme.dimension)
    return "added to the embedding", scheme.encode(positions)


def _frequencies(request: Request) -> Float:
    scheme = request.scheme
    found = scheme.inv_freq() if isinstance(scheme, Rotary) else None
    if isinstance(scheme, Gridded):
        found = scheme.turns()
    elif isinstance(scheme, Additive):
        found = scheme.frequencies()
    if found is None:
        raise request.refuse(_has(scheme))
    return found


def _inv_freq(request: Request) -> Answer:
    return "rad/position", _frequencies(request)


def _wavelength(request: Request) -> Answer:
    frequencies = _frequencies(request)
    endless = np.full(len(frequencies), np.inf)  # of a pair that does not turn; null in JSON
    return "positions", np.divide(TURN, frequencies, out=endless, where=frequencies != 0.0)


def _angles(request: Request) -> Answer:
    frequencies, at = _frequencies(request), values_grid.coordinates_asked(request)
    request.demand(len(at) * len(frequencies))
    return "rad", values_grid.angles_of(request.scheme, frequencies, at)


def _factor(request: Request) -> float:
    return request.scheme.amplitude if isinstance(request.scheme, Rotary) else 1.0


def _cos(request: Request) -> Answer:
    return "1", np.cos(_angles(request)[1]) * _factor(request)


def _sin(request: Request) -> Answer:
    return "1", np.sin(_angles(request)[1]) * _factor(request)


def _attention_factor(request: Request) -> Answer:
    if not isinstance(request.scheme, Rotary):
        raise request.refuse(_has(request.scheme))
    return "factor on cos and sin", request.scheme.amplitude


def _softmax_scale(request: Request) -> Answer:
    scheme = request.scheme
    return "factor on q·k", scheme.softmax_scale


def _softmax_correction(request: Request) -> Answer:
    if not isinstance(request.scheme, Rotary):
        raise request.refuse(_has(request.scheme))
    return "factor within softmax_scale", request.scheme.softmax_correction_factor


def _slopes(request: Request) -> Answer:
    slopes = request.scheme.slopes() if isinstance(request.scheme, ScoreBias) else None
    if slopes is None:
        raise request.refuse(_has(request.scheme))
    return "score per position", slopes


def _bias(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, ScoreBias):
        raise request.refuse(_has(scheme))
    queries, keys = request.positions(), request.positions("key_positions", "positions")
    request.demand((scheme.heads or 1) * len(queries) * len(keys))
    return "added to the score", scheme.bias(queries, keys)


def _similarity(request: Request) -> Answer:
    scheme, positions, spot = request.scheme, request.positions(), request.position()
    if isinstance(scheme, ScoreBias):
        raise request.refuse(_has(scheme))
    request.demand(len(positions) * scheme.dimension)
    if isinstance(scheme, Rotary) and scheme.causal_only and positions.max() > spot:
        raise FieldError(
            "positions",
            f"Position {positions.max():,.10g} is after the query at {spot:,}: {masked_keys(scheme)} Ask for "
            "positions up to it.",
        )
    unit = "score / score at gap 0" if isinstance(scheme, Rotary) else "cosine similarity"
    return unit, similarity.row_similarity(scheme, spot, positions)


def _scores(request: Request) -> Answer:
    scheme = request.scheme
    if isinstance(scheme, ScoreBias):
        raise FieldError("what", f"The scheme {request.id!r} adds to the scores; ask for 'bias' and add it to yours.")
    queries, keys = request.positions(), request.positions("key_positions", "positions")
    request.demand((len(queries) + len(keys)) * scheme.dimension)
    request.demand(len(queries) * len(keys))
    q, k = (request.vector(name) for name in ("q", "k"))
    rows = [np.repeat(vector, len(at), axis=0) for vector, at in ((q, queries), (k, keys))]
    rows[0] = rows[0] * scheme.query_scale(queries)[:, None]
    if isinstance(scheme, Rotary):
        return "q·k, not scaled", scheme.scores(rows[0], rows[1], queries, keys)
    assert isinstance(scheme, Additive)
    added = [vectors + scheme.encode(at) for vectors, at in zip(rows, (queries, keys), strict=True)]
    return "q·k, not scaled", added[0] @ added[1].T


def _rotate(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Rotary):
        raise request.refuse(_has(scheme))
    key, given = request.is_key(), request.coordinates()
    if given is not None:
        return "rotated vector", scheme.turn(request.vectors_at("vectors", given), scheme.angles_at(given))
    positions = request.positions()
    return "rotated vector", scheme.rotate(request.vectors_at("vectors", positions), positions, key=key)


def _buckets(request: Request) -> Answer:
    scheme = request.scheme
    found = scheme.bucket_of(request.offsets()) if isinstance(scheme, ScoreBias) else None
    if found is None or not isinstance(scheme, ScoreBias):
        raise request.refuse(_has(scheme))
    return scheme.bucket_unit, found


def _query_scale(request: Request) -> Answer:
    return "factor on the query", request.scheme.query_scale(request.positions())


WHAT: dict[str, Callable[[Request], Answer]] = {
    "encoding": _encoding,
    "inv_freq": _inv_freq,
    "wavelength": _wavelength,
    "angles": _angles,
    "cos": _cos,
    "sin": _sin,
    "attention_factor": _attention_factor,
    "softmax_scale": _softmax_scale,
    "softmax_correction": _softmax_correction,
    "query_scale": _query_scale,
    "slopes": _slopes,
    "bias": _bias,
    "buckets": _buckets,
    "similarity": _similarity,
    "scores": _scores,
    "rotate": _rotate,
    **values_grid.WHAT,
}
ANSWERS = WHAT | values_window.WHAT


WINDOWS = ", ".join(values_window.WHAT)


def _has(scheme: Scheme) -> str:
    if isinstance(scheme, Rotary):
        several = ", coordinates, axis" if isinstance(scheme, Gridded) else ""
        return (
            "inv_freq, wavelength, angles, cos, sin, attention_factor, softmax_scale, query_scale, similarity, scores, "
            f"rotate, permutation{several}, {WINDOWS}"
        )
    if isinstance(scheme, ScoreBias):
        slopes = "slopes, " if scheme.slopes() is not None else ""
        buckets = "buckets, " if scheme.bucket_of(np.zeros(1)) is not None else ""
        return f"{slopes}{buckets}bias, softmax_scale, query_scale, {WINDOWS}"
    assert isinstance(scheme, Additive)
    turns = isinstance(scheme, Gridded) or scheme.frequencies() is not None
    turning = ", inv_freq, wavelength, angles, cos, sin" if turns else ""
    several = ", coordinates, axis" if isinstance(scheme, Gridded) else ""
    return f"encoding{turning}{several}, similarity, scores, softmax_scale, query_scale, {WINDOWS}"


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request.

    Parameters
    ----------
    request : mapping
        ``what`` and, as it needs them, the other names in FIELDS.

    Returns
    -------
    dict
        The request's scheme with every effective parameter, the arithmetic unless it is float64, ``idle`` (parameters
        given that play no part) and ``notes`` (what a reader should not miss) where there are any, ``unit``, ``shape``
        and ``values``: a float64 array, an int64 one for whole numbers, or a float; :func:`jsonable` makes lists of
        it. A pair that does not turn has an infinite wavelength. A window comes with its ``statistic`` and the edges
        of its blocks, ``rows`` and ``columns``; a block without a value is NaN.

    Raises
    ------
    FieldError
    """
    if not isinstance(request, Mapping):
        raise FieldError("request", 'A request must be a JSON object such as {"scheme": "rope", "what": "inv_freq"}.')
    what = request.get("what")
    if not isinstance(what, str) or what not in ANSWERS:
        found = "is missing" if what is None else f"is {what!r}"
        raise FieldError("what", f"The field 'what' {found}; it must be one of {', '.join(ANSWERS)}.")
    parsed = Request(request)
    values_window.check_fields(parsed, what)
    with np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused below
        exact = parsed.arithmetic == ARITHMETICS[0]
        unit, values = ANSWERS[what](parsed) if exact else answer_in_float32(parsed, what)
    values = np.asarray(values, dtype=np.int64 if what in WHOLE else np.float64)
    known = values[~np.isnan(values)] if what in values_window.WHAT else values
    if not (what == "wavelength" or np.isfinite(known).all()):
        raise FieldError("what", f"The result of {what!r} is too large for a float64 number with these parameters.")
    effective = parsed.scheme.effective()
    remarks = {"idle": parsed.idle(effective), "notes": [*parsed.scheme.notes(), *parsed.remarks]}
    return {
        "scheme": parsed.id,
        "params": effective,
        "dimension": parsed.dimension,
        "length": parsed.length,
        "what": what,
        **({} if exact else {"arithmetic": parsed.arithmetic}),
        **{name: words for name, words in remarks.items() if words},
        "unit": unit,
        "shape": list(values.shape),
        **parsed.told,
        "values": values,
    }


def jsonable(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result with its array as nested lists (or a bare number); None for an infinite wavelength or no value."""
    values = result["values"]
    if result["what"] in values_window.WHAT and np.isnan(values).any():
        return {**result, "values": [[None if math.isnan(one) else one for one in row] for row in values.tolist()]}
    if result["what"] == "wavelength" and not np.isfinite(values).all():
        return {**result, "values": [value if math.isfinite(value) else None for value in values.tolist()]}
    return {**result, "values": values.tolist()}
