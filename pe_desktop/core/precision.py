"""What number formats do to angles: positions, frequencies, angles and tables, each rounded on its way.

A library computes cos(position x frequency) in four stages, and each may be kept in another format. A
:class:`PrecisionChoice` names a format per stage; a :class:`Pipeline` runs a scheme through them and says how far the
cosines and sines end up from float64, which stands for exact here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError
from pe_desktop.core.extension_float32 import inverse_series, stretched_frequencies
from pe_desktop.core.memory import remember
from pe_desktop.core.parameter import Parameter, parameter
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import LENGTH_RANGE, Float, Scheme
from pe_desktop.core.stretched import Stretched

Pairs = slice | NDArray[np.intp]
ALL = slice(None)

EXACT = "float64"
SIGNIFICANT_BITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
# Half of the last step above it still rounds down to the largest value; from there on lies infinity.
OVERFLOWS_AT = {"float32": (2.0 - 2.0**-24) * 2.0**127, "float16": 65_520.0, "bfloat16": (2.0 - 2.0**-8) * 2.0**127}
SMALLEST_STEP = {"float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}

CHOICES = tuple((name, name) for name in SIGNIFICANT_BITS)
LIBRARIES = "transformers (its rotary modules compute in float32)"


class Formats(NamedTuple):
    """The number format of each stage."""

    positions: str = EXACT
    frequencies: str = EXACT
    angles: str = EXACT
    tables: str = EXACT

    @property
    def exact(self) -> bool:
        """Whether nothing is rounded."""
        return set(self) == {EXACT}


def _all(name: str, positions: str = "") -> Formats:
    return Formats(positions or name, name, name, name)


# Id, words and formats of the combinations that occur.
PRESETS: tuple[tuple[str, str, Formats], ...] = (
    ("exact", "Exact (float64)", _all("float64")),
    ("library", "Library (float32)", _all("float32")),
    ("bf16_positions", "bf16 positions", _all("float32", "bfloat16")),
    ("bf16_everything", "bf16 everything", _all("bfloat16")),
    ("float16_everything", "float16 everything", _all("float16")),
)
CUSTOM = ("custom", "Custom")


def _stage(label: str, about: str, source: str) -> Any:
    return parameter(label, str, EXACT, choices=CHOICES, help=about, source=source)


@dataclass(frozen=True, kw_only=True)
class PrecisionChoice:
    """The formats under study, and what is asked about them.

    Raises
    ------
    FieldError
        If a value is not one of its choices or out of range; the field is its name.
    """

    positions: str = _stage(
        "Positions",
        "Format of the position numbers; bfloat16 tells positions apart up to 256, float16 up to 2,048.",
        "IEEE 754 (float16 has 11 significant bits); bfloat16 has 8",
    )
    frequencies: str = _stage(
        "Frequencies",
        "Format of inv_freq, computed in the float32 steps of transformers where it is not float64.",
        f"{LIBRARIES}; a model cast as a whole has its inv_freq cast too",
    )
    angles: str = _stage("Angles", "Format of position × frequency.", LIBRARIES)
    tables: str = _stage("Tables", "Format of the cosines and sines.", "transformers (casts them to the model's dtype)")
    tolerance: float = parameter(
        "Tolerance",
        float,
        1e-3,
        minimum=1e-12,
        maximum=1.0,
        logarithmic=True,
        help="A position is bad where a cosine or sine is off by more than this.",
        source="a limit of your choice; no library has one",
    )
    count: int = parameter(
        "Count to",
        int,
        4096,
        minimum=2,
        maximum=LENGTH_RANGE[1],
        logarithmic=True,
        unit="positions",
        help="How many of the first positions are counted for distinct numbers and rows.",
        source="counted here, no convention",
    )

    def __post_init__(self) -> None:
        for about in self.parameters():
            try:
                object.__setattr__(self, about.name, about.check(getattr(self, about.name)))
            except FieldError as error:
                raise FieldError(about.name, f"Precision: {error.message}") from error

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """What can be chosen, in order."""
        return tuple(Parameter(name=f.name, **f.metadata["parameter"]) for f in dataclasses.fields(cls))

    @property
    def formats(self) -> Formats:
        """The formats of the four stages."""
        return Formats(self.positions, self.frequencies, self.angles, self.tables)

    @property
    def preset(self) -> tuple[str, str]:
        """Id and words of the preset with these formats."""
        return next(((name, words) for name, words, formats in PRESETS if formats == self.formats), CUSTOM)

    def changed(self, changes: Any) -> PrecisionChoice:
        """The choice with some values changed; ``preset`` sets all four formats.

        Raises
        ------
        FieldError
        """
        if not isinstance(changes, Mapping):
            raise FieldError("precision", f"The precision is {changes!r}; it must map names to values.")
        changes = dict(changes)
        known = [about.name for about in self.parameters()]
        values = _preset(changes.pop("preset")) if "preset" in changes else {}
        for name in changes:
            if name not in known:
                raise FieldError("precision", f"Precision has no {name!r}; it has preset, {', '.join(known)}.")
        return dataclasses.replace(self, **values | changes)

    def to_json(self) -> dict[str, Any]:
        """Name to value, as :meth:`changed` takes it."""
        return dataclasses.asdict(self)


def _preset(name: Any) -> dict[str, str]:
    found = {known: formats._asdict() for known, _, formats in PRESETS} | {CUSTOM[0]: {}}
    if not isinstance(name, str) or name not in found:
        known = ", ".join(name for name, _, _ in PRESETS)
        raise FieldError("preset", f"There is no precision preset {name!r}; the presets are {known}.")
    return found[name]


def half_step(sizes: Any, name: str) -> Float:
    """The most that rounding to a format moves a value of a size up to `sizes`, same shape; inf past its range."""
    sizes = np.asarray(sizes, dtype=np.float64)
    if name == EXACT:
        return np.zeros_like(sizes)
    _, exponents = np.frexp(sizes)  # sizes lie in [2^(e-1), 2^e)
    steps = np.maximum(np.ldexp(1.0, exponents - SIGNIFICANT_BITS[name]), SMALLEST_STEP[name])
    return np.where(sizes >= OVERFLOWS_AT[name], np.inf, steps / 2.0)


def angles_in(coordinates: Float, frequencies: Float, formats: Formats) -> Float:
    """Coordinates (n, 1) or (n, k) times frequencies (k,), rounded as the formats of positions and angles say.

    Returns
    -------
    ndarray, shape (n, k), float64
        inf and not-a-number where a format ends.
    """
    with np.errstate(invalid="ignore"):
        return rounded(rounded(coordinates, formats.positions) * frequencies, formats.angles)


@dataclass(frozen=True)
class Pipeline:
    """A scheme whose angles are position x frequency, run through four formats.

    Build one with :func:`pipeline`, which answers None for a scheme without such angles.
    """

    scheme: Rotary | Additive
    formats: Formats

    @cached_property
    def exact_frequencies(self) -> Float:
        """Frequencies in float64, shape (pairs,), rad/position."""
        found = _frequencies(self.scheme)
        assert found is not None
        return found

    @cached_property
    def frequencies(self) -> Float:
        """Frequencies as they are stored, shape (pairs,), float64."""
        if self.formats.frequencies == EXACT:
            return self.exact_frequencies
        return rounded(library_frequencies(self.scheme), self.formats.frequencies)

    @cached_property
    def axes(self) -> NDArray[np.intp] | None:
        """Which coordinate each pair reads, shape (pairs,); None where there is only the position."""
        scheme = self.scheme
        return None if not isinstance(scheme, Rotary) or len(scheme.axes) == 1 else scheme.pair_axis()

    @property
    def factor(self) -> float:
        """What multiplies cosine and sine."""
        return self.scheme.amplitude if isinstance(self.scheme, Rotary) else 1.0

    def coordinates(self, positions: Float) -> Float:
        """Coordinates on every axis, shape (n, axes), float64, of positions (n,)."""
        positions = np.asarray(positions, dtype=np.float64)
        return self.scheme.coordinates(positions) if isinstance(self.scheme, Rotary) else positions[:, None]

    def read(self, coordinates: Float, pairs: Pairs = ALL) -> Float:
        """The coordinate that each of some pairs reads: (n, axes) to (n, k), or (n, 1) where all read the same."""
        return coordinates if self.axes is None else np.asarray(coordinates[:, self.axes[pairs]])

    def angles(self, coordinates: Float, pairs: Pairs = ALL) -> Float:
        """Angles as rounded, shape (n, k), float64, of coordinates (n, axes)."""
        return angles_in(self.read(coordinates, pairs), self.frequencies[pairs], self.formats)

    def exact_angles(self, coordinates: Float, pairs: Pairs = ALL) -> Float:
        """Angles in float64, shape (n, k)."""
        return np.asarray(self.read(coordinates, pairs) * self.exact_frequencies[pairs])

    def tables(self, angles: Float) -> tuple[Float, Float]:
        """Cosines and sines of rounded angles, the factor included, as the tables hold them."""
        with np.errstate(invalid="ignore"):
            cos, sin = np.cos(angles) * self.factor, np.sin(angles) * self.factor
        return rounded(cos, self.formats.tables), rounded(sin, self.formats.tables)

    def errors(self, positions: Float, pairs: Pairs = ALL) -> Float:
        """How far cosine or sine, whichever is worse, ends from float64.

        Parameters
        ----------
        positions : ndarray, shape (n,)
        pairs : slice or index

        Returns
        -------
        ndarray, shape (n, k), float64
            inf where the rounded value is not a number.
        """
        coordinates = self.coordinates(positions)
        return self.differences(self.angles(coordinates, pairs), self.exact_angles(coordinates, pairs))

    def differences(self, angles: Float, exact: Float) -> Float:
        """The same of rounded and exact angles of any one shape."""
        cos, sin = self.tables(angles)
        worst = np.maximum(np.abs(cos - self.factor * np.cos(exact)), np.abs(sin - self.factor * np.sin(exact)))
        return np.where(np.isnan(worst), np.inf, worst)


def pipeline(scheme: Scheme, formats: Formats) -> Pipeline | None:
    """The pipeline of a scheme; None where there are no angles position x frequency."""
    if not isinstance(scheme, Rotary | Additive) or _frequencies(scheme) is None:
        return None
    return Pipeline(scheme, formats)


def _frequencies(scheme: Rotary | Additive) -> Float | None:
    return scheme.inv_freq() if isinstance(scheme, Rotary) else scheme.frequencies()


@remember
def library_frequencies(scheme: Scheme) -> Float:
    """Frequencies in the float32 steps of transformers, shape (pairs,), float64 holding float32 values.

    Of RoPE's series the exponent 2i/r, the power and its inverse are each rounded, and so is every step of an extension
    (:mod:`extension_float32`); other frequencies are rounded once. A power is the nearest float32, where the library's
    routine is at times one step off. Of 3,062 pairs of 38 models 3,026 have the library's bits, and at most 3 a model
    have not; these lie within 3e-7 (``tests/core/test_float32_library.py``).
    """
    assert isinstance(scheme, Rotary | Additive)
    if isinstance(scheme, Stretched):
        return stretched_frequencies(scheme.extension, scheme.settings)
    wanted = _frequencies(scheme)
    assert wanted is not None
    base = _base_of(wanted) if isinstance(scheme, Rotary) else None
    if base is None:
        return rounded(wanted, "float32")
    return inverse_series(base, 2 * len(wanted), len(wanted)).astype(np.float64)


def _base_of(frequencies: Float) -> float | None:
    """The b of a series b^(-i/n), i = 0 .. n-1; None where it is no such series."""
    count = len(frequencies)
    if count < 2 or not frequencies.min() > 0:
        return None
    base = float(frequencies[-1] ** (-count / (count - 1)))
    return base if np.allclose(frequencies, base ** (-np.arange(count) / count), rtol=1e-11, atol=0.0) else None
