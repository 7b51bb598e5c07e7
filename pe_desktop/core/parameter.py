"""One parameter of a scheme, described once for the dock, the command line, the documents and the session."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import plain_number


@dataclass(frozen=True)
class Parameter:
    """What a control, a command line option and the documentation need to know of a parameter.

    Parameters
    ----------
    name, label : str
        Field name and the words a person reads.
    kind : type
        ``int``, ``float``, ``bool`` or ``str`` (then ``choices`` lists the values).
    default : object
        Value of a fresh scheme; None means "derived", with ``derived`` saying from what.
    minimum, maximum : float
        Inclusive range; unused for ``bool`` and ``str``.
    unit, help, source : str
        Unit of the number, one line of explanation, and where the formula comes from.
    logarithmic : bool
        Whether a slider should move in powers.
    choices : tuple of (value, label)
        The values of a ``str`` parameter.
    derived : str
        What None stands for, e.g. "the model dimension"; empty if None is not allowed.
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

    def check(self, value: Any) -> Any:
        """Return `value` converted to the parameter's kind, or refuse it in one sentence."""
        if value is None and self.derived:
            return None
        if self.kind is str:
            return self._check_choice(value)
        if self.kind is bool:
            if isinstance(value, bool):
                return value
            raise FieldError(self.name, f"{self.label} is {value!r}; it must be true or false.")
        number = plain_number(value, self.name, self.label, whole=self.kind is int)
        if not self.minimum <= number <= self.maximum:
            raise FieldError(
                self.name,
                f"{self.label} is {number:,g}; it must lie between {self.minimum:,.10g} and {self.maximum:,.10g}.",
            )
        return number

    def _check_choice(self, value: Any) -> str:
        names = [name for name, _ in self.choices]
        if value in names:
            return str(value)
        raise FieldError(self.name, f"{self.label} is {value!r}; it must be one of {', '.join(names)}.")


def base_parameter(label: str, source: str) -> Any:
    """The base b of frequencies b^(-2i/d), as sinusoidal and rotary schemes declare it."""
    return parameter(
        label,
        float,
        10000.0,
        minimum=1.1,
        maximum=1e9,
        logarithmic=True,
        help="Sets the slowest wavelength: almost 2π × base positions.",
        source=source,
    )


def parameter(label: str, kind: type, default: Any, **about: Any) -> Any:
    """Declare a scheme parameter: a dataclass field that carries its :class:`Parameter`."""
    about = {"label": label, "kind": kind, "default": default, **about}
    return dataclasses.field(default=default, metadata={"parameter": about})
