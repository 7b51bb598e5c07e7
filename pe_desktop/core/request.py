"""A request for numbers: its fields are checked as an answer reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numbers import plain_number
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE, Float, build

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
    "arithmetic",
    "coordinates",
    "role",
    "rows",
    "columns",
    "pixels",
    "statistic",
    "head",
)
ARITHMETICS = ("float64", "float32")
ROLES = ("query", "key")


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


class Request:
    """A request with its scheme built; fields are read where an answer needs them.

    Attributes
    ----------
    told : dict
        What an answer says beside its values.
    remarks : list of str
        What a reader of just these values should not miss.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        for name in request:
            if name not in FIELDS:
                raise FieldError(name, f"There is no field {name!r} in a request; the fields are {', '.join(FIELDS)}.")
        self._request = request
        self.told: dict[str, Any] = {}
        self.remarks: list[str] = []
        params = {} if request.get("params") is None else request["params"]
        if not isinstance(params, Mapping):
            raise FieldError("params", f"The params are {params!r}; they must map names to values.")
        scheme = request.get("scheme", "sinusoidal")
        if not isinstance(scheme, str):
            raise FieldError("scheme", f"The scheme is {scheme!r}; it must be an id such as 'rope'.")
        self.id = scheme
        self.dimension = self._size("dimension", 64, DIMENSION_RANGE)
        self.length = self._size("length", 128, LENGTH_RANGE)
        self.scheme = build(scheme, params, self.dimension, self.length)
        self.arithmetic = request.get("arithmetic", ARITHMETICS[0])
        if self.arithmetic not in ARITHMETICS:
            raise FieldError(
                "arithmetic", f"The arithmetic is {self.arithmetic!r}; it must be {' or '.join(ARITHMETICS)}."
            )

    def _size(self, name: str, default: int, limits: tuple[int, int]) -> int:
        value: int = plain_number(self._request.get(name, default), name, name.capitalize(), whole=True)
        if not limits[0] <= value <= limits[1]:
            raise FieldError(
                name, f"{name.capitalize()} is {value:,}; it must lie between {limits[0]:,} and {limits[1]:,}."
            )
        return value

    def given(self, name: str) -> Any:
        """A field as it was given, None without it."""
        return self._request.get(name)

    def positions(self, name: str = "positions", instead: str = "") -> Float:
        value = self._request.get(name)
        if name == "positions" and self._request.get("coordinates") is not None:
            raise FieldError(
                "coordinates",
                f"{self._request.get('what')!r} takes positions; coordinates are for angles, cos, sin and rotate in "
                "float64, and only without positions.",
            )
        if value is None and instead:
            return self.positions(instead)
        if value is None:
            return np.arange(self.length, dtype=np.float64)
        return positions_from(value, name)

    def offsets(self) -> Float:
        """Offsets (n,) between query and key; without any, all that the sequence has."""
        value = self._request.get("offsets")
        if value is None:
            return np.arange(1 - self.length, self.length, dtype=np.float64)
        return positions_from(value, "offsets")

    def coordinates(self) -> Float | None:
        """The coordinates (n, axes) that are given instead of positions; None if there are none."""
        value, scheme = self._request.get("coordinates"), self.scheme
        if value is None:
            return None
        if self._request.get("positions") is not None:
            raise FieldError("coordinates", "There are both coordinates and positions; give one of them.")
        if not isinstance(scheme, Gridded):
            raise FieldError("coordinates", f"The scheme {self.id!r} knows positions only; leave the coordinates out.")
        names = ", ".join(scheme.axes)
        rows = isinstance(value, list | tuple) and all(
            isinstance(row, list | tuple) and len(row) == len(scheme.axes) for row in value
        )
        if not rows or not len(value):
            raise FieldError("coordinates", f"The coordinates must be a list of [{names}], one for each vector.")
        self.demand(len(value) * len(scheme.axes))
        return np.stack([positions_from(row, "coordinates") for row in value])

    def is_key(self) -> bool:
        """Whether vectors are keys; schemes that also scale treat them otherwise than queries."""
        role = self._request.get("role", ROLES[0])
        if role not in ROLES:
            raise FieldError("role", f"The role is {role!r}; it must be {' or '.join(ROLES)}.")
        return bool(role == ROLES[1])

    def position(self) -> int:
        spot = int(plain_number(self._request.get("position", 0), "position", "Position", whole=True))
        if abs(spot) > FARTHEST:
            raise FieldError("position", "Position lies beyond 2^53, where neighbours cannot be told apart.")
        return spot

    def vectors(self, name: str) -> Float:
        """One vector or a list of them, shape (n, dimension)."""
        if self._request.get(name) is None:
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

    def vectors_at(self, name: str, positions: Float) -> Float:
        """One vector for each of `positions` (n,), shape (n, dimension); a single one stands at all of them."""
        vectors = self.vectors(name)
        if len(vectors) == 1:
            self.demand(len(positions) * self.dimension)
            vectors = np.repeat(vectors, len(positions), axis=0)
        if len(vectors) != len(positions):
            raise FieldError(
                name, f"There are {len(vectors)} {name} for {len(positions)} positions; give one, or as many."
            )
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

    def idle(self, effective: Mapping[str, Any]) -> list[str]:
        """Parameters that the request gives and that play no part, given the values of the others."""
        return [
            name
            for name, value in (self._request.get("params") or {}).items()
            if value is not None and name not in effective
        ]

    def refuse(self, instead: str) -> FieldError:
        what = self._request.get("what")
        return FieldError("what", f"The scheme {self.id!r} has no {what!r}; it has {instead}.")
