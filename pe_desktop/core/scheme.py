"""The abstraction every encoding is an instance of, and the registry of all of them.

A scheme is a *function of position*, never a table: it is a frozen dataclass of parameters that
says where it acts and answers for any positions it is asked about. The metadata of each
parameter (range, unit, help, source) is all that the dock, the command line, the documentation
and the session file need; none of them knows a scheme by name.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.parameter import Parameter as Parameter
from pe_desktop.core.parameter import parameter as parameter

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
class Scheme:
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

    def __post_init__(self) -> None:
        for about in self.parameters():
            object.__setattr__(self, about.name, about.check(getattr(self, about.name)))
        self.validate()

    def validate(self) -> None:
        """Refuse combinations of parameters that no single range can express."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters of this scheme, in order of declaration."""
        found = _PARAMETERS.get(cls)
        if found is None:
            fields = [f for f in dataclasses.fields(cls) if "parameter" in f.metadata]
            found = tuple(Parameter(name=f.name, **f.metadata["parameter"]) for f in fields)
            _PARAMETERS[cls] = found
        return found

    def effective(self) -> dict[str, Any]:
        """Every parameter with the value that is really used (derived ones resolved)."""
        return {about.name: getattr(self, about.name) for about in self.parameters()}

    @property
    def last_position(self) -> int | None:
        """Last position the scheme has an answer for, or None if it answers everywhere."""
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


_PARAMETERS: dict[type[Scheme], tuple[Parameter, ...]] = {}


@dataclass(frozen=True, kw_only=True)
class Additive(Scheme, ABC):
    """A scheme that adds one vector per position to the embedding."""

    acts: ClassVar[Acts] = Acts.ADDED

    def encode(self, positions: Iterable[int] | Float) -> Float:
        """Encoding rows.

        Parameters
        ----------
        positions : array_like, shape (n,)
            Positions, counted from 0.

        Returns
        -------
        ndarray, shape (n, dimension), float64
        """
        return self.block_mean(np.asarray(positions, dtype=np.float64), 1)

    @abstractmethod
    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """Exact mean of the encoding over blocks of `count` consecutive positions.

        Parameters
        ----------
        starts : ndarray, shape (n,)
            First position of each block.
        count : int
            Positions in each block; 1 gives the encoding itself.
        columns : slice
            Which dimensions are wanted (step 1).

        Returns
        -------
        ndarray, shape (n, columns), float64
        """

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Columns drawn as one hand: (sine-like, cosine-like), each of shape (dimension // 2,)."""
        first = np.arange(0, self.dimension - 1, 2)
        return first, first + 1

    def frequencies(self) -> Float | None:
        """Angular frequency per pair, shape (pairs,), rad/position; None if no pair turns.

        A scheme that returns frequencies promises that every pair is (sin, cos) of
        position x frequency, so that row products depend on the gap alone.
        """
        return None

    def wave_columns(self) -> tuple[Float, Float] | None:
        """Frequency and phase per column, each (dimension,), if column j is sin(p x frequency + phase).

        Pictures of such schemes take a faster way; None means there is no such form.
        """
        return None

    def closest_rows(self) -> tuple[int, int] | None:
        """The two closest rows where a closed form knows them; None means they are searched."""
        return None

    @abstractmethod
    def cell_formula(self, position: int, column: int) -> str:
        """The formula of one cell with its numbers filled in."""


@dataclass(frozen=True, kw_only=True)
class Rotary(Scheme, ABC):
    """A scheme that rotates pairs of the query and of the key."""

    acts: ClassVar[Acts] = Acts.ROTARY

    @abstractmethod
    def inv_freq(self) -> Float:
        """Inverse frequencies, shape (rotary width / 2,), rad/position, float64."""

    @property
    def attention_factor(self) -> float:
        """Factor on cosine and sine (1 unless an extension sets it)."""
        return 1.0

    @property
    def softmax_scale(self) -> float:
        """What multiplies q·k before the softmax."""
        return 1.0 / math.sqrt(self.dimension)

    @property
    @abstractmethod
    def rotary_width(self) -> int:
        """Number of leading dimensions that rotate."""

    def angles(self, positions: Iterable[int] | Float) -> Float:
        """Angles in rad, shape (n, rotary width / 2), float64, of `positions` (n,)."""
        return np.outer(np.asarray(positions, dtype=np.float64), self.inv_freq())

    @abstractmethod
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Dimensions (a, b) of each rotated pair: a' = a cos - b sin, b' = b cos + a sin."""

    def rotate(self, vectors: Float, positions: Iterable[int] | Float) -> Float:
        """Rotate `vectors` (n, dimension) to `positions` (n,); unrotated dimensions pass through."""
        angles = self.angles(positions)
        cos, sin = np.cos(angles) * self.attention_factor, np.sin(angles) * self.attention_factor
        first, second = self.pairs()
        out = np.array(vectors, dtype=np.float64)
        a, b = out[:, first], out[:, second]
        out[:, first], out[:, second] = a * cos - b * sin, b * cos + a * sin
        return out

    @abstractmethod
    def cell_formula(self, position: int, column: int) -> str:
        """The formula of one cell of the cos/sin picture with its numbers filled in."""


@dataclass(frozen=True, kw_only=True)
class ScoreBias(Scheme, ABC):
    """A scheme that adds a number to each attention score, query against key."""

    acts: ClassVar[Acts] = Acts.BIAS

    @abstractmethod
    def bias(self, query_positions: Iterable[int] | Float, key_positions: Iterable[int] | Float) -> Float:
        """Bias, shape (heads, m, n), float64, of queries (m,) and keys (n,)."""

    @abstractmethod
    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """Exact mean of one head's bias over rectangles of queries x keys.

        Parameters
        ----------
        head : int
        rows, columns : ndarray, shapes (m,), (n,)
            First query and first key of each rectangle.
        row_count, column_count : ndarray, shapes (m,), (n,)
            Queries and keys in each rectangle.

        Returns
        -------
        ndarray, shape (m, n), float64
        """

    def slopes(self) -> Float | None:
        """Slope per head, shape (heads,), if the bias is linear in the distance."""
        return None

    @abstractmethod
    def cell_formula(self, query: int, key: int, head: int) -> str:
        """The formula of one bias with its numbers filled in."""


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
    known = [about.name for about in cls.parameters()]
    for key in params:
        if key not in known:
            have = f"its parameters are {', '.join(known)}" if known else "it has no parameters"
            raise FieldError(key, f"The scheme {name!r} has no parameter {key!r}; {have}.")
    return cls(dimension=dimension, length=length, **params)


def nearest_even(number: int, low: int, high: int) -> tuple[int, ...]:
    """The even numbers next to an odd one that lie within [low, high]."""
    return tuple(n for n in (number - 1, number + 1) if low <= n <= high)


def even_fixes(field: str, values: tuple[int, ...], *, is_parameter: bool) -> tuple[Fix, ...]:
    """Buttons that set a state field or a scheme parameter to one of the valid values."""
    wrap = (lambda value: {"params": {field: value}}) if is_parameter else (lambda value: {field: value})
    return tuple(Fix(f"Use {value}", wrap(value)) for value in values)
