"""The way a number of the state can go: its range, and where on that it stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parameter import Parameter
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE
from pe_desktop.core.state import LABELS, SEED_RANGE, LabState

DIGITS = 4  # significant digits of a number on a logarithmic way, and about as many on an even one
FAR = 1e9  # where a way without an end ends
COLUMNS = "dimensions"  # unit of parameters that count columns, which come in pairs
# Numbers of the state itself, those first that take others with them when they change.
FIELDS = ("dimension", "length", "position", "key_position", "head", "seed")
# What has the parameters that a field of the state holds.
GROUPS = {
    "params": "built",
    "compare_params": "built_b",
    "experiment_params": "built_experiment",
    "precision": "precision",
}

Number = int | float


@dataclass(frozen=True)
class Track:
    """A range of values laid out from 0 to 1.

    Parameters
    ----------
    low, high : int or float
        Both ends; they may be the same.
    whole, even : bool
        Whether values are whole, and whether those between the ends are even.
    logarithmic : bool
        Whether equal distances are equal factors.
    """

    low: Number
    high: Number
    whole: bool = True
    logarithmic: bool = False
    even: bool = False

    def value(self, share: float) -> Number:
        """The value at a share of the way, 0 to 1."""
        if share <= 0.0:
            return self.low
        if share >= 1.0:
            return self.high
        if self.logarithmic:
            return self._tidy((self.low + self._lift) * self._factor**share - self._lift)
        return self._tidy(self.low + (self.high - self.low) * share)

    def share(self, value: Number) -> float:
        """How far along a value stands, 0 to 1; values beyond an end stand at that end."""
        if value <= self.low or self.high <= self.low:
            return 0.0
        if value >= self.high:
            return 1.0
        if self.logarithmic:
            return math.log((value + self._lift) / (self.low + self._lift)) / math.log(self._factor)
        return (value - self.low) / (self.high - self.low)

    @property
    def _lift(self) -> Number:
        """What makes a logarithmic range that starts at or below 0 start at 1."""
        return 0 if self.low > 0 else 1 - self.low

    @property
    def _factor(self) -> float:
        return (self.high + self._lift) / (self.low + self._lift)

    def _tidy(self, value: float) -> Number:
        if self.whole:
            near: Number = 2 * round(value / 2) if self.even else round(value)
        elif self.logarithmic:
            near = float(f"{value:.{DIGITS}g}")
        else:
            near = round(value, max(0, DIGITS - 1 - math.floor(math.log10(self.high - self.low))))
        return min(max(near, self.low), self.high)


def changes(field: str, value: Number) -> Mapping[str, Any]:
    """The request that sets a number; `field` may be within a group, as in ``params.base``."""
    group, _, name = field.rpartition(".")
    return {group: {name: value}} if group else {name: value}


def number(state: LabState, field: str) -> Number | None:
    """A number of a state, None where it has none of that name."""
    group, _, name = field.rpartition(".")
    found = getattr(_owner(state, group) if group else state, name, None)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def track(state: LabState, field: str, low: Number | None = None, high: Number | None = None) -> Track:
    """The way of a number between two values.

    Parameters
    ----------
    state : LabState
    field : str
        Such as ``position``, or ``params.base`` within a group.
    low, high : int, float or None
        None, and what lies outside: the end of its range.

    Raises
    ------
    FieldError
        If the state has no number of that name.
    """
    whole = _whole_track(state, field)
    kind: Any = int if whole.whole else float
    ends = [whole.low if low is None else kind(low), whole.high if high is None else kind(high)]
    first, last = (min(max(end, whole.low), whole.high) for end in sorted(ends))
    return Track(first, last, whole.whole, whole.logarithmic, whole.even)


def label(state: LabState, field: str) -> str:
    """The words a person reads for a number."""
    group, _, name = field.rpartition(".")
    about = _parameter(state, group, name) if group else None
    return about.label if about is not None else LABELS.get(name, name)


def moved(old: LabState, new: LabState) -> str:
    """The number that a person changed between two states, "" if none; one moved along by another does not count."""
    found = [name for name in FIELDS if getattr(old, name) != getattr(new, name)]
    if found:
        return found[0]
    for group in GROUPS:
        if getattr(old, group) == getattr(new, group):
            continue
        before, after = _owner(old, group), _owner(new, group)
        if before is None or type(before) is not type(after):
            continue
        names = (f"{group}.{about.name}" for about in after.parameters())
        found = [name for name in names if number(old, name) != number(new, name)]
        if found:
            return found[0]
    return ""


def _whole_track(state: LabState, field: str) -> Track:
    """The way of a number through all of its range."""
    group, _, name = field.rpartition(".")
    if not group:
        ways = {
            "dimension": Track(*DIMENSION_RANGE, logarithmic=True, even=True),
            "length": Track(*LENGTH_RANGE, logarithmic=True),
            "position": Track(0, state.length - 1),
            "key_position": Track(0, state.length - 1),
            "head": Track(0, state.heads - 1),
            "seed": Track(*SEED_RANGE),
        }
        if name in ways:
            return ways[name]
    about = _parameter(state, group, name)
    if about is None or about.kind not in (int, float):
        raise FieldError(field, f"Play cannot move {field!r}: there is no number of that name here.")
    return _parameter_track(about, state.dimension)


def _parameter_track(about: Parameter, dimension: int) -> Track:
    low, high = about.slider or (about.minimum, about.maximum)
    if not math.isfinite(high):
        high = FAR if about.logarithmic else max(10.0, 10 * abs(about.default or 0))
    if about.unit == COLUMNS and about.kind is int:
        return Track(int(low), int(min(high, dimension)), logarithmic=about.logarithmic, even=True)
    kind: Any = about.kind
    return Track(kind(low), kind(high), about.kind is int, about.logarithmic)


def _owner(state: LabState, group: str) -> Any:
    """What has the parameters of a group: a scheme, an experiment or the choice of formats; None if nothing has."""
    return getattr(state, GROUPS[group]) if group in GROUPS else None


def _parameter(state: LabState, group: str, name: str) -> Parameter | None:
    owner = _owner(state, group)
    known: tuple[Parameter, ...] = owner.parameters() if owner is not None else ()
    return next((about for about in known if about.name == name), None)
