"""Exact numbers on request: one JSON-like request in, one result out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import similarity
from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import plain_number
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE, Additive, Float, Rotary, Scheme, ScoreBias, build
from pe_desktop.core.waves import TURN, cosine_sums

MOST_VALUES = 1 << 24
MOST_POSITIONS = LENGTH_RANGE[1]
FARTHEST = 1 << 53  # beyond it float64 no longer tells neighbours apart
FIELDS = (
    "scheme",
    "params",
    "dimension",
    "length",
    "what",
    "positions",
    "key_positions",
    "position",
    "q",
    "k",
    "vectors",
    "offsets",
)


def positions_from(value: Any, field: str) -> Float:
    """Positions from a list of numbers or a text such as ``0,1,5:20:5`` (start:stop:step, stop excluded).

    Returns
    -------
    ndarray, shape (n,), float64
    """
    if isinstance(value, str):
        parts: list[Float] = []
        for part in value.split(","):
            parts.append(_span(part.strip(), field))
            if sum(map(len, parts)) > MOST_POSITIONS:
                raise FieldError(field, f"The {field} are more than {MOST_POSITIONS:,}, the most there may be.")
        return np.concatenate(parts)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value]
    if not isinstance(value, list | tuple) or not value:
        raise FieldError(
            field, f"The {field} are {value!r}; they must be a list of numbers or a text such as 0,1,5:20:5."
        )
    out = np.array([plain_number(item, field, f"An entry of {field}", whole=False) for item in value], dtype=np.float64)
    _check_far(out, field)
    return out


def _span(part: str, field: str) -> NDArray[np.float64]:
    try:
        numbers = [int(piece) for piece in part.split(":")]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or (len(numbers) == 3 and numbers[2] == 0):
        raise FieldError(
            field, f"The {field} hold {part!r}; write whole numbers and start:stop:step, as in 0,1,5:20:5."
        )
    span = range(numbers[0], numbers[0] + 1) if len(numbers) == 1 else range(*numbers)
    if not span:
        raise FieldError(field, f"The {field} hold {part!r}, which is an empty range.")
    if max(abs(span[0]), abs(span[-1])) > FARTHEST:
        raise FieldError(field, f"The {field} hold {part!r}; positions beyond 2^53 cannot be told apart.")
    if len(span) > MOST_POSITIONS:
        raise FieldError(field, f"The {field} hold {part!r}, {len(span):,} positions; the most is {MOST_POSITIONS:,}.")
    return np.arange(span.start, span.stop, span.step, dtype=np.float64)


def _check_far(positions: Float, field: str) -> None:
    if np.abs(positions).max() > FARTHEST:
        raise FieldError(field, f"The {field} reach beyond 2^53, where neighbours cannot be told apart.")


class _Request:
    """A request with its scheme built; fields are read where an answer needs them."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        for name in request:
            if name not in FIELDS:
                raise FieldError(name, f"There is no field {name!r} in a request; the fields are {', '.join(FIELDS)}.")
        self._request = request
        params = request.get("params") or {}
        if not isinstance(params, Mapping):
            raise FieldError("params", f"The params are {params!r}; they must map names to values.")
        scheme = request.get("scheme", "sinusoidal")
        if not isinstance(scheme, str):
            raise FieldError("scheme", f"The scheme is {scheme!r}; it must be an id such as 'rope'.")
        self.id = scheme
        self.dimension = self._size("dimension", 64, DIMENSION_RANGE)
        self.length = self._size("length", 128, LENGTH_RANGE)
        self.scheme = build(scheme, params, self.dimension, self.length)

    def _size(self, name: str, default: int, limits: tuple[int, int]) -> int:
        value: int = plain_number(self._request.get(name, default), name, name.capitalize(), whole=True)
        if not limits[0] <= value <= limits[1]:
            raise FieldError(
                name, f"{name.capitalize()} is {value:,}; it must lie between {limits[0]:,} and {limits[1]:,}."
            )
        return value

    def positions(self, name: str = "positions", instead: str = "") -> Float:
        value = self._request.get(name)
        if value is None and instead:
            return self.positions(instead)
        if value is None:
            return np.arange(self.length, dtype=np.float64)
        return positions_from(value, name)

    def position(self) -> int:
        spot = int(plain_number(self._request.get("position", 0), "position", "Position", whole=True))
        if abs(spot) > FARTHEST:
            raise FieldError("position", "Position lies beyond 2^53, where neighbours cannot be told apart.")
        return spot

    def vectors(self, name: str) -> Float:
        """One vector or a list of them, shape (n, dimension)."""
        if name not in self._request:
            raise FieldError(name, f"This request needs {name!r}: {self.dimension} numbers (the dimension).")
        try:
            vectors = np.atleast_2d(np.array(self._request[name], dtype=np.float64))
        except (TypeError, ValueError, OverflowError) as error:
            raise FieldError(name, f"The field {name!r} must hold numbers, in rows of {self.dimension}.") from error
        if vectors.ndim != 2 or vectors.shape[1] != self.dimension:
            raise FieldError(
                name, f"The vectors in {name!r} have {vectors.shape[-1]} numbers; the dimension is {self.dimension}."
            )
        if not np.isfinite(vectors).all():
            raise FieldError(name, f"The field {name!r} holds a number that is not finite.")
        return vectors

    def vector(self, name: str) -> Float:
        """Exactly one vector, shape (1, dimension)."""
        vectors = self.vectors(name)
        if len(vectors) != 1:
            raise FieldError(
                name, f"The field {name!r} holds {len(vectors)} vectors; scores are asked for one query and one key."
            )
        return vectors

    def demand(self, count: int) -> None:
        if count > MOST_VALUES:
            raise FieldError(
                "positions", f"That would be {count:,} numbers; the most is {MOST_VALUES:,}. Ask for fewer positions."
            )

    def refuse(self, instead: str) -> FieldError:
        what = self._request.get("what")
        return FieldError("what", f"The scheme {self.id!r} has no {what!r}; it has {instead}.")


Answer = tuple[str, Any]


def _encoding(request: _Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Additive):
        raise request.refuse(_has(scheme))
    positions = request.positions()
    request.demand(len(positions) * scheme.dimension)
    return "added to the embedding", scheme.encode(positions)


def _frequencies(request: _Request) -> Float:
    scheme = request.scheme
    found = scheme.inv_freq() if isinstance(scheme, Rotary) else None
    if isinstance(scheme, Additive):
        found = scheme.frequencies()
    if found is None:
        raise request.refuse(_has(scheme))
    return found


def _inv_freq(request: _Request) -> Answer:
    return "rad/position", _frequencies(request)


def _wavelength(request: _Request) -> Answer:
    return "positions", TURN / _frequencies(request)


def _angles(request: _Request) -> Answer:
    frequencies, positions = _frequencies(request), request.positions()
    request.demand(len(positions) * len(frequencies))
    return "rad", np.outer(positions, frequencies)


def _factor(request: _Request) -> float:
    return request.scheme.attention_factor if isinstance(request.scheme, Rotary) else 1.0


def _cos(request: _Request) -> Answer:
    return "1", np.cos(_angles(request)[1]) * _factor(request)


def _sin(request: _Request) -> Answer:
    return "1", np.sin(_angles(request)[1]) * _factor(request)


def _attention_factor(request: _Request) -> Answer:
    if not isinstance(request.scheme, Rotary):
        raise request.refuse(_has(request.scheme))
    return "factor on cos and sin", request.scheme.attention_factor


def _softmax_scale(request: _Request) -> Answer:
    scheme = request.scheme
    return "factor on q·k", scheme.softmax_scale if isinstance(scheme, Rotary) else 1.0 / math.sqrt(scheme.dimension)


def _slopes(request: _Request) -> Answer:
    slopes = request.scheme.slopes() if isinstance(request.scheme, ScoreBias) else None
    if slopes is None:
        raise request.refuse(_has(request.scheme))
    return "score per position", slopes


def _bias(request: _Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, ScoreBias):
        raise request.refuse(_has(scheme))
    queries, keys = request.positions(), request.positions("key_positions", "positions")
    request.demand((scheme.heads or 1) * len(queries) * len(keys))
    return "added to the score", scheme.bias(queries, keys)


def _similarity(request: _Request) -> Answer:
    scheme, positions, spot = request.scheme, request.positions(), request.position()
    if isinstance(scheme, ScoreBias):
        raise request.refuse(_has(scheme))
    if isinstance(scheme, Rotary):
        request.demand(len(positions) * len(scheme.inv_freq()))
        rest = float(scheme.dimension - scheme.rotary_width)
        sums = 2.0 * cosine_sums(scheme.inv_freq(), positions - spot) + rest
        return "score / score at gap 0", sums / scheme.dimension
    assert isinstance(scheme, Additive)
    request.demand(len(positions) * scheme.dimension)
    return "cosine similarity", similarity.row_similarity(scheme, spot, positions)


def _scores(request: _Request) -> Answer:
    scheme = request.scheme
    if isinstance(scheme, ScoreBias):
        raise FieldError("what", f"The scheme {request.id!r} adds to the scores; ask for 'bias' and add it to yours.")
    queries, keys = request.positions(), request.positions("key_positions", "positions")
    request.demand((len(queries) + len(keys)) * scheme.dimension)
    request.demand(len(queries) * len(keys))
    q, k = (request.vector(name) for name in ("q", "k"))
    rows = [np.repeat(vector, len(at), axis=0) for vector, at in ((q, queries), (k, keys))]
    if isinstance(scheme, Rotary):
        turned = [scheme.rotate(vectors, at) for vectors, at in zip(rows, (queries, keys), strict=True)]
    else:
        assert isinstance(scheme, Additive)
        turned = [vectors + scheme.encode(at) for vectors, at in zip(rows, (queries, keys), strict=True)]
    return "q·k, not scaled", turned[0] @ turned[1].T


def _rotate(request: _Request) -> Answer:
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


def _buckets(request: _Request) -> Answer:
    raise request.refuse(_has(request.scheme))


WHAT: dict[str, Callable[[_Request], Answer]] = {
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
        raise FieldError("what", f"The field 'what' is {what!r}; it must be one of {', '.join(WHAT)}.")
    parsed = _Request(request)
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
