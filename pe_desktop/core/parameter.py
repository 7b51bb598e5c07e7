"""One parameter of a scheme, described once for the dock, the command line, the documents and the session."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import plain_number

LONGEST_LIST = 4096  # pairs of the widest head


@dataclass(frozen=True)
class Parameter:
    """What a control, a command line option and the documentation need to know of a parameter.

    Parameters
    ----------
    name, label : str
        Field name and the words a person reads.
    kind : type
        ``int``, ``float``, ``bool``, ``str`` (then ``choices`` lists the values) or ``tuple`` (a list of numbers,
        ``items`` says of which kind).
    default : object
        Value of a fresh scheme; None means "derived", with ``derived`` saying from what.
    minimum, maximum : float
        Inclusive range, for a list of each number in it; unused for ``bool`` and ``str``.
    unit, help, source : str
        Unit of the number, one line of explanation, and where the formula comes from.
    logarithmic : bool
        Whether a slider should move in powers.
    choices : tuple of (value, label)
        The values of a ``str`` parameter.
    derived : str
        What None stands for, e.g. "the model dimension"; empty if None is not allowed.
    items : type
        ``int`` or ``float``: the numbers of a list.
    when : (name, values) or None
        The parameter plays a part only while the parameter `name` has one of these values.
    brings : tuple of (value, ((name, value), …))
        First values that choosing a value in the window gives to parameters still at their default, so that
        something is to be seen at once.
    slider : (low, high) or None
        Range of the slider where it is narrower than what may be typed.
    place : int
        Parameters of a scheme are listed by rising place.
    """

    name: str
    label: str
    kind: type
    default: Any
    minimum: float = 0.0
    maximum: float = math.inf
    unit: str = ""
    help: str = ""
    source: str = ""
    logarithmic: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    derived: str = ""
    items: type = float
    when: tuple[str, tuple[Any, ...]] | None = None
    brings: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = ()
    slider: tuple[float, float] | None = None
    place: int = 0

    def check(self, value: Any) -> Any:
        """Return `value` converted to the parameter's kind, or refuse it in one sentence."""
        if type(value) is self.kind is float and self.minimum <= value <= self.maximum < math.inf:
            return value  # by far the most frequent question of a batch
        if value is None and self.derived:
            return None
        if self.kind is str:
            return self._check_choice(value)
        if self.kind is bool:
            if isinstance(value, bool):
                return value
            raise FieldError(self.name, f"{self.label} is {value!r}; it must be true or false.")
        if self.kind is tuple:
            return self._check_list(value)
        return self._check_number(value, self.label, self.kind)

    def _check_list(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            value = _list_from(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = [value]
        if not isinstance(value, list | tuple) or not value:
            raise FieldError(
                self.name, f"{self.label} is {_shown(value)}; it must be a list of numbers such as [1, 1.5]."
            )
        if len(value) > LONGEST_LIST:
            raise FieldError(
                self.name, f"{self.label} has {len(value):,} numbers; no list here can have more than {LONGEST_LIST:,}."
            )
        places = (f"{self.label}, number {place}," for place in range(1, len(value) + 1))
        return tuple(self._check_number(item, label, self.items) for item, label in zip(value, places, strict=True))

    def _check_number(self, value: Any, label: str, kind: type) -> Any:
        number = plain_number(value, self.name, label, whole=kind is int)
        if not self.minimum <= number <= self.maximum:
            raise FieldError(
                self.name,
                f"{label} is {number:,g}; it must lie between {self.minimum:,.10g} and {self.maximum:,.10g}.",
            )
        return number

    def _check_choice(self, value: Any) -> str:
        names = [name for name, _ in self.choices]
        if value in names:
            return str(value)
        raise FieldError(self.name, f"{self.label} is {value!r}; it must be one of {', '.join(names)}.")


def _list_from(text: str) -> Any:
    """A list from JSON, or from numbers between commas, semicolons or spaces; anything else stays as it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if ";" in text:  # then a comma is a decimal mark
            return [part.strip() for part in text.split(";") if part.strip()]
        return text.replace(",", " ").split() or text


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def base_parameter(label: str, source: str) -> Any:
    """The base b of frequencies b^(-2i/d), as sinusoidal and rotary schemes declare it."""
    return parameter(
        label,
        float,
        10000.0,
        minimum=1.001,
        maximum=1e15,
        slider=(1.1, 1e9),
        place=-1,
        logarithmic=True,
        help="Sets the slowest wavelength: almost 2π × base positions.",
        source=source,
    )


def parameter(label: str, kind: type, default: Any, **about: Any) -> Any:
    """Declare a scheme parameter: a dataclass field that carries its :class:`Parameter`."""
    about = {"label": label, "kind": kind, "default": default, **about}
    return dataclasses.field(default=default, metadata={"parameter": about})
