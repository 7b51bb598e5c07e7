"""What the spectrum part is made of: lines, levels and axes, as a view draws them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.parts import Float32, Float64, Index

Regime = NDArray[np.int8]
Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """One line, or with ``joined`` False a row of dots.

    ``x``, ``y`` (n,) float64 as drawn: the logarithm to base 10 where the axis is logarithmic. ``role``: "main";
    "faint", what it is measured against; "other", the same of a second scheme. The line is broken after the points
    ``cuts``.
    """

    role: str
    label: str
    x: Float64
    y: Float64
    joined: bool = True
    cuts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for array in (self.x, self.y):
            array.flags.writeable = False


@dataclass(frozen=True)
class Level:
    """A straight line across the picture, upright or level, at ``at`` as drawn; ``texts``: what it says, longest first.

    ``role``: "trained" (the trained length), "length" (the sequence length), "plain" (a value of reference) or
    "chosen" (what is inspected).
    """

    role: str
    at: float
    texts: tuple[str, ...]
    upright: bool = False


@dataclass(frozen=True)
class AxisRange:
    """Ends of an axis as drawn (logarithms to base 10 where ``log``), and its name; ``whole``: of whole numbers."""

    label: str
    low: float
    high: float
    log: bool = False
    whole: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Turning:
    """The pairs of a scheme with frequencies.

    ``before`` and ``after`` (pairs,) rad/position, without and with a length extension (the same object where there
    is none), 0 where a pair does not turn; ``regime`` (pairs,) what became of each, None without an extension.
    Turns are counted over ``positions``: those of the training, or with ``trained`` False the sequence. Where tokens
    have several coordinates, ``axis`` (pairs,) says which of ``axes`` each pair reads, and turns are counted over the
    ``steps`` that the sequence has along it.
    """

    before: Float64
    after: Float64
    regime: Regime | None
    positions: int
    trained: bool
    axes: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    axis: Index | None = None

    @property
    def turns(self) -> Float64:
        """Turns (pairs,) that each pair makes in the positions or steps there are, before any extension."""
        reach = self.positions if self.axis is None else np.array(self.steps, dtype=np.float64)[self.axis]
        return np.asarray(self.before * (reach / (2.0 * np.pi)))

    @property
    def grouped_steps(self) -> tuple[tuple[str, int], ...]:
        """Names of axes and the steps along them; axes with as many stand together."""
        names: dict[int, list[str]] = {}
        for name, count in zip(self.axes, self.steps, strict=True):
            names.setdefault(count, []).append(name)
        return tuple((", ".join(group), count) for count, group in names.items())

    @property
    def slow(self) -> NDArray[np.bool_]:
        """Pairs (pairs,) that turn, but finish no turn."""
        return np.asarray((self.turns < 1.0) & (self.after > 0.0))


def _none() -> Float64:
    return np.zeros(0)


@dataclass(frozen=True, eq=False, repr=False)
class SpectrumPart:
    """The spectrum: one picture out of ``modes``, those that the scheme has.

    Parameters
    ----------
    kind : str
        "wavelengths", "base", "switch", "cache" (the modes of schemes that turn), "slopes", "buckets", "bias",
        or "text": then only ``sentence``.
    series, levels : tuple
        The lines, in the order they are painted, and the straight lines across them.
    x, y : AxisRange
    turning : Turning or None
        Of schemes that turn. The x of a pair is its number.
    shaded, shade_texts : tuple
        Runs (first, last) of pairs that never finish a turn, and what that is called, longest text first.
    still : tuple
        Runs of pairs that do not turn at all.
    maps : tuple of ndarray, shape (n, n), float32
        Kind "cache": scores with stale keys, with fresh ones, and stale minus fresh; rows are queries.
    positions : ndarray, shape (n,)
        Positions of those rows and columns.
    exact : bool
        False while a coarser picture stands in for the full one.
    """

    kind: str
    modes: tuple[str, ...]
    title: str
    point: str
    sentence: str
    x: AxisRange = AxisRange("", 0.0, 1.0)
    y: AxisRange = AxisRange("", 0.0, 1.0)
    series: tuple[Series, ...] = ()
    levels: tuple[Level, ...] = ()
    turning: Turning | None = None
    shaded: Runs = ()
    shade_texts: tuple[str, ...] = ()
    still: Runs = ()
    maps: tuple[Float32, ...] = ()
    positions: Float64 = field(default_factory=_none)
    exact: bool = True


def runs(mask: NDArray[np.bool_]) -> Runs:
    """First and last index of each unbroken run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return tuple((int(first), int(past) - 1) for first, past in edges.reshape(-1, 2))


def around(values: tuple[float, ...]) -> tuple[float, float]:
    """The ends of some numbers, apart from each other even where all are the same."""
    low, high = min(values), max(values)
    return (low, high) if high - low > 1e-9 else (low - 0.5, high + 0.5)


def logs(values: Float64) -> Float64:
    """Logarithms to base 10 of positive numbers."""
    return np.asarray(np.log10(values))
