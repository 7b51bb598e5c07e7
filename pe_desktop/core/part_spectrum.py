"""The spectrum part of a snapshot: how fast the pairs turn, or what a bias does with distance."""

from __future__ import annotations

import math

import numpy as np

from pe_desktop.core import spectrum_bias, spectrum_lengths
from pe_desktop.core.additive import Additive
from pe_desktop.core.grid_means import Digit
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numerals import wavelength
from pe_desktop.core.parts import Cursor, Index, Pane, Snapshot, Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.spectrum_chart import AxisRange, Level, Runs, Series, Turning, around, logs, runs
from pe_desktop.core.spectrum_chart import SpectrumPart as SpectrumPart
from pe_desktop.core.spectrum_words import pair_formula, shade_texts, turning_sentence, unit
from pe_desktop.core.state import LabState
from pe_desktop.core.stretched import CHOICES, Stretched

MAKERS = {
    "base": spectrum_lengths.base_part,
    "switch": spectrum_lengths.switch_part,
    "cache": spectrum_lengths.cache_part,
}


def spectrum_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the spectrum depends on."""
    head = state.head if isinstance(state.built, ScoreBias) else None
    return state.built, viewport.spectrum, head, state.built_b


def spectrum_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the full picture fits a frame."""
    if isinstance(state.built, ScoreBias):
        return spectrum_bias.bias_is_quick(state.built)
    return viewport.spectrum != "cache" or spectrum_lengths.cache_is_quick(state.built)


def spectrum_part(state: LabState, viewport: Viewport, full: bool = True) -> SpectrumPart:
    """Make the spectrum part; `full` False makes a picture coarser that does not fit a frame."""
    scheme = state.built
    if isinstance(scheme, ScoreBias):
        return spectrum_bias.bias_part(scheme, state.head, full)
    turning = turning_of(scheme)
    if turning is None:
        return SpectrumPart("text", (), "Spectrum", "no wavelengths", _nothing(scheme))
    modes = modes_of(scheme)
    if viewport.spectrum in modes[1:]:
        assert isinstance(scheme, Stretched)
        return MAKERS[viewport.spectrum](scheme, modes, full)
    return _wavelengths(scheme, turning, modes, state.built_b)


PANE = Pane("spectrum", spectrum_key, spectrum_part, spectrum_is_quick)


def modes_of(scheme: Scheme) -> tuple[str, ...]:
    """The pictures that a scheme with frequencies has."""
    more: tuple[str, ...] = ()
    if isinstance(scheme, Stretched) and scheme.extension == "longrope":
        more = ("switch", "cache")
    elif isinstance(scheme, Stretched) and scheme.extension == "dynamic" and scheme.alpha is None:
        more = ("base", "cache")
    return ("wavelengths", *more)


def turning_of(scheme: Scheme) -> Turning | None:
    """The pairs of a scheme; None where it has no frequencies."""
    if isinstance(scheme, Gridded):
        each = scheme.turns()
        return Turning(each, each, None, scheme.length, False, scheme.axes, steps_of(scheme), scheme.pair_axis())
    if isinstance(scheme, Rotary):
        before, after, trained = scheme.plain_inv_freq(), scheme.inv_freq(), scheme.positions_trained
        if before is after or np.array_equal(before, after):
            before = after
        return Turning(before, after, scheme.regime(), trained or scheme.length, trained is not None)
    frequencies = scheme.frequencies() if isinstance(scheme, Additive) else None
    if frequencies is None:
        return None
    return Turning(frequencies, frequencies, None, scheme.length, False)


def steps_of(scheme: Gridded) -> tuple[int, ...]:
    """How many places along each axis the tokens of a sequence reach, counted from 0."""
    each = scheme.runs.each
    ends = [*(run.start for run in each[1:]), scheme.length]
    counts = [min(end, scheme.length) - run.start for run, end in zip(each, ends, strict=True)]
    present = [(run, count - 1) for run, count in zip(each, counts, strict=True) if count > 0]
    return tuple(
        1 + max(_furthest(run.digits[axis], last) for run, last in present) for axis in range(len(scheme.axes))
    )


def _furthest(digit: Digit, last: int) -> int:
    """The largest coordinate among the tokens 0 … `last` of a run."""
    steps = last // digit.stride
    return digit.origin + (steps if digit.size is None else min(steps, digit.size - 1))


def _nothing(scheme: Scheme) -> str:
    if scheme.acts is Acts.NOTHING:
        return "Nothing is added and nothing turns, so there is no wavelength to draw."
    return f"The columns of {scheme.title} are no waves, so there is no wavelength to draw."


def _wavelengths(scheme: Scheme, turning: Turning, modes: tuple[str, ...], b: Scheme | None) -> SpectrumPart:
    other = None if b is None else turning_of(b)
    count = max(len(each.after) for each in (turning, other) if each is not None)
    series = [_series("main", _name(scheme), turning.after, turning.axis)]
    if turning.before is not turning.after:
        series.insert(0, _series("faint", "before", turning.before))
    if other is not None and b is not None:
        series.insert(0, _series("other", f"B: {b.title}", other.after))
    levels = _step_levels(turning) or length_levels(turning.positions if turning.trained else None, scheme.length)
    ends = [float(end) for line in series if len(line.y) for end in (line.y.min(), line.y.max())]
    slow = turning.slow
    return SpectrumPart(
        "wavelengths",
        modes,
        "Spectrum",
        "a single pair" if count == 1 else f"each point is 1 of {count:,} pairs",
        turning_sentence(turning) + _other_clause(b, other),
        AxisRange("pair", -0.5, count - 0.5, whole=True),
        AxisRange(f"λ in {unit(turning)}", *around((*ends, *(level.at for level in levels))), log=True),
        tuple(series),
        levels,
        turning,
        runs(slow),
        shade_texts(turning) if slow.any() else (),
        _still(turning),
    )


def _other_clause(b: Scheme | None, other: Turning | None) -> str:
    """How far the wavelengths of the scheme that is compared with reach; empty without one."""
    if b is None:
        return ""
    turning = np.zeros(0) if other is None else other.after[other.after > 0.0]
    if not len(turning):
        return " B has no wavelength."
    ends = wavelength(float(turning.max())), wavelength(float(turning.min()))
    return (
        f" B (dashed): {ends[0]} positions." if len(turning) == 1 else f" B (dashed): {ends[0]} to {ends[1]} positions."
    )


def _still(turning: Turning) -> Runs:
    still = turning.after == 0.0
    return runs(still) if still.any() else ()


def _series(role: str, label: str, frequencies: Float, axis: Index | None = None) -> Series:
    pairs = np.flatnonzero(frequencies > 0.0)
    # Where frequencies rise, the pairs of another axis begin.
    cuts = np.flatnonzero(np.diff(frequencies[pairs]) > 0.0) if axis is not None else ()
    y = logs(2.0 * np.pi / frequencies[pairs])
    return Series(role, label, pairs.astype(np.float64), y, cuts=tuple(int(cut) for cut in cuts))


def _name(scheme: Scheme) -> str:
    if isinstance(scheme, Stretched) and scheme.extension != "none":
        return f"after {dict(CHOICES)[scheme.extension].partition(' (')[0]}"
    return "wavelength"


def _step_levels(turning: Turning) -> tuple[Level, ...]:
    """The steps along each axis."""
    return tuple(
        Level("length", math.log10(count), (f"{name}: {count:,} step{'s' if count > 1 else ''}", f"{name} {count:,}"))
        for name, count in turning.grouped_steps
    )


def length_levels(trained: int | None, length: int) -> tuple[Level, ...]:
    """The lines of the two lengths; one line where both are the same."""
    current = Level("length", math.log10(length), (f"sequence length {length:,}", f"length {length:,}"))
    if trained is None:
        return (current,)
    at = math.log10(trained)
    if trained == length:
        return (Level("trained", at, (f"trained length = sequence length {length:,}", f"trained = length {length:,}")),)
    return Level("trained", at, (f"trained length {trained:,}", f"trained {trained:,}")), current


def spectrum_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """What the cursor is on in the spectrum, with its numbers filled in; "" where it is on nothing there."""
    part: SpectrumPart | None = snapshot.part("spectrum")
    scheme, place = snapshot.scheme, cursor.place
    if part is None:
        return ""
    if part.kind == "cache" and cursor.query is not None and cursor.key is not None:
        inside = max(cursor.query, cursor.key) < len(part.positions)
        return spectrum_lengths.cache_formula(part, cursor.query, cursor.key) if inside else ""
    if isinstance(scheme, ScoreBias):
        return "" if place is None else spectrum_bias.bias_formula(scheme, part.kind, snapshot.state.head, place)
    if part.kind == "base" and place is not None and isinstance(scheme, Stretched):
        return spectrum_lengths.base_formula(scheme, place)
    pair, turning = cursor.pair, part.turning
    if pair is None:
        return ""
    if part.kind == "switch" and isinstance(scheme, Stretched):
        return spectrum_lengths.switch_formula(scheme, pair) if pair < scheme.rotary_width // 2 else ""
    return "" if turning is None or pair >= len(turning.after) else pair_formula(turning, pair)
