"""Numbers on request in float32, rounded where libraries that compute in float32 round.

Frequencies come in the steps of transformers, an extension's included, the angle as a product of two float32 numbers,
cosine and sine of that angle. Sums of scores are rounded once, at their end. What the library's own power, cosine and
sine do to the last bit is not copied: about one frequency in 85 is a last bit off, and its cosines at long range with
it (by up to 8e-3 at 200,000 positions); where the frequency has the library's bits, cosine and sine are within 2e-7
at any position (``tests/core/test_float32_library.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pe_desktop.core.errors import FieldError
from pe_desktop.core.precision import Formats, Pipeline, pipeline
from pe_desktop.core.request import Request
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.rounding import to_float32
from pe_desktop.core.scheme import Float
from pe_desktop.core.waves import TURN

Answer = tuple[str, Any]
FLOAT32 = Formats("float32", "float32", "float32", "float32")


def _line(request: Request) -> Pipeline:
    line = pipeline(request.scheme, FLOAT32)
    if line is None:
        raise FieldError(
            "arithmetic",
            f"The scheme {request.id!r} has no angles that a library computes in float32; leave 'arithmetic' out.",
        )
    return line


def _inv_freq(request: Request) -> Answer:
    return "rad/position", _line(request).frequencies


def _wavelength(request: Request) -> Answer:
    with np.errstate(divide="ignore"):
        return "positions", to_float32(TURN / _line(request).frequencies)


def _angles(request: Request) -> Answer:
    line, positions = _line(request), request.positions()
    request.demand(len(positions) * len(line.frequencies))
    return "rad", line.angles(line.coordinates(positions))


def _cos(request: Request) -> Answer:
    return "1", _line(request).tables(_angles(request)[1])[0]


def _sin(request: Request) -> Answer:
    return "1", _line(request).tables(_angles(request)[1])[1]


def _rotary(request: Request) -> tuple[Pipeline, Rotary]:
    line = _line(request)
    if not isinstance(line.scheme, Rotary) or type(line.scheme).rotate is not Rotary.rotate:
        raise FieldError(
            "arithmetic",
            f"Vectors in float32 are for schemes that rotate and do nothing else, unlike {request.id!r}; leave "
            "'arithmetic' out.",
        )
    return line, line.scheme


def _turned(line: Pipeline, scheme: Rotary, vectors: Float, positions: Float) -> Float:
    """Vectors (n, dimension) rotated to positions (n,), each product and sum rounded to float32."""
    tables = line.tables(line.angles(line.coordinates(positions)))
    cos, sin = (table.astype(np.float32) for table in tables)
    out = vectors.astype(np.float32)
    first, second = (out[:, where] for where in scheme.pairs())
    to_first, to_second = scheme.pairs_out()
    out[:, to_first], out[:, to_second] = first * cos - second * sin, second * cos + first * sin
    return out.astype(np.float64)


def _rotate(request: Request) -> Answer:
    line, scheme = _rotary(request)
    positions = request.positions()
    return "rotated vector", _turned(line, scheme, request.vectors_at("vectors", positions), positions)


def _scores(request: Request) -> Answer:
    line, scheme = _rotary(request)
    queries, keys = request.positions(), request.positions("key_positions", "positions")
    request.demand((len(queries) + len(keys)) * scheme.dimension)
    request.demand(len(queries) * len(keys))
    q, k = (
        _turned(line, scheme, np.repeat(request.vector(name), len(at), axis=0), at)
        for name, at in (("q", queries), ("k", keys))
    )
    return "q·k, not scaled", to_float32(q @ k.T)


WHAT: dict[str, Callable[[Request], Answer]] = {
    "inv_freq": _inv_freq,
    "wavelength": _wavelength,
    "angles": _angles,
    "cos": _cos,
    "sin": _sin,
    "rotate": _rotate,
    "scores": _scores,
}


def answer_in_float32(request: Request, what: str) -> Answer:
    """Unit and values of what a request asks for, in float32.

    Raises
    ------
    FieldError
        If that is not computed in float32, or the scheme does not have it.
    """
    if what not in WHAT:
        raise FieldError("arithmetic", f"{what!r} is computed in float64 only; in float32 there are {', '.join(WHAT)}.")
    return WHAT[what](request)
