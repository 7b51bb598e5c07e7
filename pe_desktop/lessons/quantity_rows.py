"""Quantities of rows: values, lengths, products and distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.part_readouts import largest_value
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import shape_of
from pe_desktop.core.scans import rows_of
from pe_desktop.core.scheme import LENGTH_RANGE, Float, Scheme
from pe_desktop.core.state import LabState
from pe_desktop.lessons import quantity_checks as checks
from pe_desktop.lessons.quantity_words import lone

HAVE_ROWS = "a scheme that is added, or a rotary one"


def _rows(state: LabState, name: str, *positions: float) -> Float:
    """Rows (n, k) at positions; of a rotary scheme the cosines and sines, as the closest rows are measured by."""
    scheme = state.built
    places = [float(checks.row(each, scheme)) for each in positions]
    found = rows_of(scheme, np.array(places))
    if found is None:
        raise checks.lacks(scheme, f"rows and so no {name}", HAVE_ROWS)
    return found


def _encoding(state: LabState, position: float, column: float) -> float:
    scheme = state.built
    if not isinstance(scheme, Additive | Rotary):
        raise checks.lacks(scheme, "rows and so no encoding", HAVE_ROWS)
    place = checks.row(position, scheme)
    at = checks.index(column, shape_of(scheme)[1], "Column", "columns")
    if isinstance(scheme, Additive):
        return float(scheme.encode([place])[0, at])
    row = np.empty(scheme.rotary_width)
    row[np.concatenate(scheme.pairs())] = _rows(state, "encoding", place)[0]
    return float(row[at])


def _norm(state: LabState, position: float) -> float:
    return float(np.linalg.norm(_rows(state, "norm", position)))


def _largest(state: LabState, position: float) -> float:
    found = largest_value(state.change({"position": checks.row(position, state.built)}))
    assert found is not None
    return found


def _dot(state: LabState, first: float, second: float) -> float:
    rows = _rows(state, "product of rows", first, second)
    return float(rows[0] @ rows[1])


def _distance(state: LabState, first: float, second: float) -> float:
    rows = _rows(state, "distance of rows", first, second)
    return float(np.linalg.norm(rows[0] - rows[1]))


def _moved(state: LabState, position: float, length: float) -> float:
    asked = checks.whole(length, "Length")
    low, high = LENGTH_RANGE
    if not low <= asked <= high:
        raise checks.refuse(f"Length is {asked:,}; it must lie between {low:,} and {high:,}.")
    other = state.change({"length": asked})
    here, there = (_rows(each, "distance of rows", position) for each in (state, other))
    return float(np.linalg.norm(here * _factor(state.built) - there * _factor(other.built)))


def _factor(scheme: Scheme) -> float:
    """The attention factor, which may change with the length too."""
    return scheme.amplitude if isinstance(scheme, Rotary) else 1.0


def _input_change(state: LabState, position: float) -> float:
    here, there = (lone(state, at)[0] for at in (0, position))
    return float(np.linalg.norm(here - there))


CALLS: dict[str, Callable[..., float]] = {
    "encoding": _encoding,
    "norm": _norm,
    "largest": _largest,
    "dot": _dot,
    "distance": _distance,
    "moved": _moved,
    "input_change": _input_change,
}
