"""The abstraction every encoding is an instance of, and the registry of all of them.

A scheme is a *function of position*, never a table: it is a frozen dataclass of parameters that
says where it acts and answers for any positions it is asked about. The metadata of each
parameter (range, unit, help, source) is all that the dock, the command line, the documentation
and the session file need; none of them knows a scheme by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.parameter import Parameter as Parameter
from pe_desktop.core.parameter import parameter as parameter
from pe_desktop.core.parametric import Parametric

Float = NDArray[np.float64]

DIMENSION_RANGE = (2, 8192)
LENGTH_RANGE = (2, 1_048_576)


class Acts(Enum):
    """Where a scheme meets the Transformer."""

    NOTHING = "nothing"
    ADDED = "added"
    ROTARY = "rotary"
    BIAS = "bias"


@dataclass(frozen=True, kw_only=True)
class Scheme(Parametric):
    """Base of all encodings.

    Parameters
    ----------
    dimension : int
        Width d of the vectors the scheme works on (for rotary schemes: of one head).
    length : int
        Sequence length L in positions; only schemes that depend on it may read it.

    Raises
    ------
    FieldError
        If a parameter is out of range or the combination makes no encoding.
    """

    dimension: int = 64
    length: int = 128

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    acts: ClassVar[Acts] = Acts.NOTHING
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""

    @property
    def softmax_scale(self) -> float:
        """What multiplies q·k before the softmax, usually 1/sqrt(head width)."""
        return 1.0 / math.sqrt(self.dimension)

    def query_scale(self, positions: Iterable[int] | Float) -> Float:
        """Factor on the query at each of `positions` (n,), shape (n,); 1 but for a query temperature."""
        return np.ones(len(np.asarray(positions)))

    @property
    def curve_cost(self) -> int:
        """Elementary steps that one point of the similarity curve takes, where positions are looked at one by one."""
        return self.dimension

    @property
    def last_position(self) -> int | None:
        """Last position the scheme has an answer for, or None if it answers everywhere."""
        return None

    @property
    def switch_length(self) -> int | None:
        """Sequence length past which the scheme's rows become others, None if no length changes them so."""
        return None

    @property
    def heads(self) -> int | None:
        """Number of heads the scheme itself distinguishes, or None if all heads are alike."""
        return None

    def notes(self) -> tuple[str, ...]:
        """True sentences about these parameters that a reader should not miss."""
        return ()

    def describe(self, position: int, head: int) -> str:
        """One true sentence about the matrix picture, with the numbers of these parameters."""
        return self.summary


S = TypeVar("S", bound=type[Scheme])
REGISTRY: dict[str, type[Scheme]] = {}


def register(cls: S) -> S:
    """Class decorator: make a scheme known under its id."""
    REGISTRY[cls.id] = cls
    return cls


def scheme_class(name: str) -> type[Scheme]:
    """The class registered under an id, or a refusal that lists the ids."""
    import pe_desktop.core.schemes  # noqa: F401  (registers every family on first use)

    if name in REGISTRY:
        return REGISTRY[name]
    raise FieldError("scheme", f"There is no scheme {name!r}; the schemes are {', '.join(REGISTRY)}.")


def build(name: str, params: Mapping[str, Any], dimension: int, length: int) -> Scheme:
    """Make a scheme from an id and a mapping of parameters.

    Raises
    ------
    FieldError
        For an unknown id, an unknown parameter, or a value out of range.
    """
    cls = scheme_class(name)
    cls.refuse_unknown(f"scheme {name!r}", params)
    given = {name: value for name, value in params.items() if value is not None}  # null means the default
    return cls(dimension=dimension, length=length, **given)


def nearest_even(number: int, low: int, high: int) -> tuple[int, ...]:
    """The even numbers next to an odd one that lie within [low, high]."""
    return tuple(n for n in (number - 1, number + 1) if low <= n <= high)


def even_fixes(field: str, values: tuple[int, ...], *, is_parameter: bool) -> tuple[Fix, ...]:
    """Buttons that set a state field or a scheme parameter to one of the valid values."""
    wrap = (lambda value: {"params": {field: value}}) if is_parameter else (lambda value: {field: value})
    return tuple(Fix(f"Use {value}", wrap(value)) for value in values)
