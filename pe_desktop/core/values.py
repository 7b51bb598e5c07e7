"""Exact numbers on request: one JSON-like request in, one result out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pe_desktop.core import similarity
from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError
from pe_desktop.core.request import Request
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.waves import TURN

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
    if isinstance(scheme, Additive):
        found = scheme.frequencies()
    if found is None:
        raise request.refuse(_has(scheme))
    return found


def _inv_freq(request: Request) -> Answer:
    return "rad/position", _frequencies(request)


def _wavelength(request: Request) -> Answer:
    return "positions", TURN / _frequencies(request)


def _angles(request: Request) -> Answer:
    frequencies, positions = _frequencies(request), request.positions()
    request.demand(len(positions) * len(frequencies))
    return "rad", np.outer(positions, frequencies)


def _factor(request: Request) -> float:
    return request.scheme.attention_factor if isinstance(request.scheme, Rotary) else 1.0


def _cos(request: Request) -> Answer:
    return "1", np.cos(_angles(request)[1]) * _factor(request)


def _sin(request: Request) -> Answer:
    return "1", np.sin(_angles(request)[1]) * _factor(request)


def _attention_factor(request: Request) -> Answer:
    if not isinstance(request.scheme, Rotary):
        raise request.refuse(_has(request.scheme))
    return "factor on cos and sin", request.scheme.attention_factor


def _softmax_scale(request: Request) -> Answer:
    scheme = request.scheme
    return "factor on q·k", scheme.softmax_scale


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
    if isinstance(scheme, Rotary):
        turned = [scheme.rotate(rows[0], queries), scheme.rotate(rows[1], keys, key=True)]
    else:
        assert isinstance(scheme, Additive)
        turned = [vectors + scheme.encode(at) for vectors, at in zip(rows, (queries, keys), strict=True)]
    return "q·k, not scaled", turned[0] @ turned[1].T


def _rotate(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Rotary):
        raise request.refuse(_has(scheme))
    vectors, positions = request.vectors("vectors"), request.positions()
    if len(vectors) == 1:
        request.demand(len(positions) * scheme.dimension)
        vectors = np.repeat(vectors, len(positions), axis=0)
    if len(vectors) != len(positions):
        raise FieldError(
            "vectors", f"There are {len(vectors)} vectors for {len(positions)} positions; give one, or as many."
        )
    return "rotated vector", scheme.rotate(vectors, positions)


def _buckets(request: Request) -> Answer:
    raise request.refuse(_has(request.scheme))


WHAT: dict[str, Callable[[Request], Answer]] = {
    "encoding": _encoding,
    "inv_freq": _inv_freq,
    "wavelength": _wavelength,
    "angles": _angles,
    "cos": _cos,
    "sin": _sin,
    "attention_factor": _attention_factor,
    "softmax_scale": _softmax_scale,
    "slopes": _slopes,
    "bias": _bias,
    "buckets": _buckets,
    "similarity": _similarity,
    "scores": _scores,
    "rotate": _rotate,
}


def _has(scheme: Scheme) -> str:
    if isinstance(scheme, Rotary):
        return "inv_freq, wavelength, angles, cos, sin, attention_factor, softmax_scale, similarity, scores, rotate"
    if isinstance(scheme, ScoreBias):
        return "slopes, bias, softmax_scale" if scheme.slopes() is not None else "bias, softmax_scale"
    assert isinstance(scheme, Additive)
    turning = ", inv_freq, wavelength, angles, cos, sin" if scheme.frequencies() is not None else ""
    return f"encoding{turning}, similarity, scores, softmax_scale"


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request.

    Parameters
    ----------
    request : mapping
        ``what`` and, as it needs them, the other names in FIELDS.

    Returns
    -------
    dict
        The request's scheme with every effective parameter, ``unit``, ``shape`` and ``values`` (a float64 array or a
        float; :func:`jsonable` makes lists of it).

    Raises
    ------
    FieldError
    """
    if not isinstance(request, Mapping):
        raise FieldError("request", 'A request must be a JSON object such as {"scheme": "rope", "what": "inv_freq"}.')
    what = request.get("what")
    if not isinstance(what, str) or what not in WHAT:
        found = "is missing" if what is None else f"is {what!r}"
        raise FieldError("what", f"The field 'what' {found}; it must be one of {', '.join(WHAT)}.")
    parsed = Request(request)
    with np.errstate(over="ignore", invalid="ignore"):  # what is too large is refused below
        unit, values = WHAT[what](parsed)
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise FieldError("what", f"The result of {what!r} is too large for a float64 number with these parameters.")
    return {
        "scheme": parsed.id,
        "params": parsed.scheme.effective(),
        "dimension": parsed.dimension,
        "length": parsed.length,
        "what": what,
        "unit": unit,
        "shape": list(values.shape),
        "values": values,
    }


def jsonable(result: Mapping[str, Any]) -> dict[str, Any]:
    """The result with its array as nested lists (or a bare number)."""
    return {**result, "values": result["values"].tolist()}
