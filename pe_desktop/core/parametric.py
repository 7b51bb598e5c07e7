"""What has parameters with metadata: schemes and experiments."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parameter import Parameter


@dataclass(frozen=True, kw_only=True)
class Parametric:
    """A frozen dataclass whose fields made by :func:`parameter` are checked when it is built; ``title`` names it.

    Raises
    ------
    FieldError
        If a parameter is out of range or :meth:`validate` refuses the combination.
    """

    title: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for about in self.parameters():
            value = getattr(self, about.name)
            if value is not about.default:  # which needs no check; most parameters of a request are
                object.__setattr__(self, about.name, about.check(value))
        self.validate()

    def validate(self) -> None:
        """Refuse combinations of parameters that no single range can express."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters of this class, in order of declaration."""
        found = _PARAMETERS.get(cls)
        if found is None:
            # Of one place, a class's own come first, those it shares with others (heads, seeds) after them.
            own = inspect.get_annotations(cls)
            fields = [f for f in dataclasses.fields(cls) if "parameter" in f.metadata]
            fields.sort(key=lambda each: (each.metadata["parameter"].get("place", 0), each.name not in own))
            found = tuple(Parameter(name=f.name, **f.metadata["parameter"]) for f in fields)
            _PARAMETERS[cls] = found
        return found

    @classmethod
    def refuse_unknown(cls, what: str, given: Mapping[str, Any]) -> None:
        """Raise FieldError for a name that is no parameter; `what` names the class, such as "scheme 'rope'"."""
        known = [about.name for about in cls.parameters()]
        for key in given:
            if key not in known:
                have = f"its parameters are {', '.join(known)}" if known else "it has no parameters"
                raise FieldError(key, f"The {what} has no parameter {key!r}; {have}.")

    def effective(self) -> dict[str, Any]:
        """Every parameter that plays a part, with the value that is really used (derived ones resolved)."""
        deciders, names = _DECIDERS.get(type(self)) or _find_deciders(type(self))
        key = tuple([getattr(self, name) for name in deciders])
        if key not in names:
            names[key] = tuple(about.name for about in self.parameters() if self.uses(about))
        return {name: getattr(self, name) for name in names[key]}

    def uses(self, about: Parameter) -> bool:
        """Whether a parameter plays a part, given the values of the others (its ``when``)."""
        return about.when is None or getattr(self, about.when[0]) in about.when[1]


_PARAMETERS: dict[type[Parametric], tuple[Parameter, ...]] = {}
# Of each class: the parameters that decide which others play a part, and the names that do for their values so far.
_Names = dict[tuple[Any, ...], tuple[str, ...]]
_DECIDERS: dict[type[Parametric], tuple[tuple[str, ...], _Names]] = {}


def _find_deciders(cls: type[Parametric]) -> tuple[tuple[str, ...], _Names]:
    names = tuple(sorted({about.when[0] for about in cls.parameters() if about.when is not None}))
    return _DECIDERS.setdefault(cls, (names, {}))
