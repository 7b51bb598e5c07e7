"""Numbers on request that only schemes with several coordinates, or with a layout, have."""

from __future__ import annotations

from typing import Any

import numpy as np

from pe_desktop.core.gridded import Gridded
from pe_desktop.core.layouts import other_layout, permutation
from pe_desktop.core.request import Request
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme

Answer = tuple[str, Any]


def coordinates_asked(request: Request) -> Float:
    """The coordinates a request gives, or those of its positions, shape (n, axes)."""
    given = request.coordinates()
    if given is not None:
        return given
    positions, scheme = request.positions(), request.scheme
    return scheme.coordinates(positions) if isinstance(scheme, Gridded | Rotary) else positions[:, None]


def angles_of(scheme: Scheme, frequencies: Float, coordinates: Float) -> Float:
    """Angles in rad of `coordinates` (n, axes), shape (n, pairs)."""
    if isinstance(scheme, Rotary):
        return scheme.angles_at(coordinates)
    if isinstance(scheme, Gridded):
        return np.asarray(coordinates[:, scheme.pair_axis()] * frequencies)
    return np.outer(coordinates[:, 0], frequencies)


def _coordinates(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Gridded):
        raise request.refuse("no coordinates but the position")
    positions = request.positions()
    request.demand(len(positions) * len(scheme.axes))
    return " × ".join(scheme.axes), scheme.coordinates(positions)


def _axis(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Gridded):
        raise request.refuse("one axis, the position, for all it has")
    return ", ".join(f"{number} = {name}" for number, name in enumerate(scheme.axes)), scheme.pair_axis()


def _permutation(request: Request) -> Answer:
    scheme = request.scheme
    if not isinstance(scheme, Rotary):
        raise request.refuse("no pairs that a layout could place")
    source, target = other_layout(scheme.pairs()[0])
    order = permutation(scheme.rotary_width, scheme.dimension, source, target)
    return f"{target}[i] = {source}[values[i]]", order


def _rope_delta(request: Request) -> Answer:
    delta = getattr(request.scheme, "rope_delta", None)
    if delta is None:
        raise request.refuse("positions that go on with the number of tokens")
    return "largest coordinate + 1 − tokens", delta


WHAT = {"coordinates": _coordinates, "axis": _axis, "permutation": _permutation, "rope_delta": _rope_delta}
