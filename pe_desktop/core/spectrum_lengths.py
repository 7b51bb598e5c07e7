"""What a growing sequence does to RoPE: a base that follows the length, a switch of lists, and keys cached before."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pe_desktop.core.extension import raised_base
from pe_desktop.core.numerals import short
from pe_desktop.core.parts import Float32
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import LENGTH_RANGE, Float
from pe_desktop.core.spectrum_chart import AxisRange, Level, Series, SpectrumPart, around, logs
from pe_desktop.core.spectrum_words import large, times, turns_text
from pe_desktop.core.stretched import Stretched

LONGEST = LENGTH_RANGE[1]
POINTS = 97  # lengths of the curve
CELLS, FEW_CELLS = 48, 12  # rows of the score picture, in full and within a frame
QUICK_PAIRS = 256
UNMOVED = 1e-6  # rad; below it a change is rounding
Modes = tuple[str, ...]


def base_at(scheme: Stretched, length: int, longest: int | None = None) -> float:
    """Effective base of Dynamic NTK at a length, after a sequence of `longest` positions where that is given."""
    trained = scheme.trained_length
    seen = max(length, longest) if longest is not None and length >= trained else length
    if seen <= trained:
        return scheme.base
    scale = scheme.settings.scale
    return raised_base(scheme.base, scale * seen / trained - (scale - 1.0), scheme.rotary_width)


def base_part(scheme: Stretched, modes: Modes, full: bool = True) -> SpectrumPart:
    """The base of Dynamic NTK against the length of the sequence."""
    trained, length = scheme.trained_length, scheme.length
    longest = max(length, scheme.longest_length or 0)
    start = min(trained, length, LONGEST // 2)
    lengths = np.unique(np.concatenate((np.geomspace(start, LONGEST, POINTS).round(), [min(trained, LONGEST)])))
    rows = lengths.astype(np.int64).tolist()
    x = logs(lengths)
    series = [Series("main", "fresh sequence", x, logs(np.array([base_at(scheme, row) for row in rows])))]
    if longest > trained:
        frozen = logs(np.array([base_at(scheme, row, longest) for row in rows]))
        series.insert(0, Series("faint", f"after one of {longest:,}", x, frozen))
    levels = [
        Level("plain", math.log10(scheme.base), (f"plain base {large(scheme.base)}", "plain base")),
        Level("length", math.log10(length), (f"length {length:,}", f"{length:,}"), upright=True),
    ]
    if trained <= LONGEST and trained != length:
        levels.append(Level("trained", math.log10(trained), (f"trained {trained:,}", f"{trained:,}"), upright=True))
    ends = [float(end) for line in series for end in (line.y.min(), line.y.max())]
    return SpectrumPart(
        "base",
        modes,
        "Base",
        "each point is 1 sequence length",
        _base_sentence(scheme, longest),
        AxisRange("sequence length", *around((float(x[0]), float(x[-1]))), log=True, whole=True),
        AxisRange("base", *around((*ends, levels[0].at)), log=True),
        tuple(series),
        tuple(levels),
    )


def _base_sentence(scheme: Stretched, longest: int) -> str:
    trained, length = scheme.trained_length, scheme.length
    end = f"at {LONGEST:,} it is {large(base_at(scheme, LONGEST))}"
    if scheme.rotary_width <= 2:
        return f"A single pair turns the same with any base; it stays {large(scheme.base)} at every length."
    if scheme.longest_length is not None and longest > length and longest > trained:
        if length < trained:
            return (
                f"Below the trained {trained:,} the base is back at {large(scheme.base)}; from there on the "
                f"{longest:,} positions seen before keep it at {large(base_at(scheme, longest))}."
            )
        return (
            f"A sequence of {longest:,} seen before keeps the base at {large(base_at(scheme, longest))}; "
            f"fresh, length {length:,} would have {large(base_at(scheme, length))}."
        )
    if length <= trained:
        rest = f"; {end}." if trained < LONGEST else "."
        return f"Up to the trained {trained:,} positions the base stays {large(scheme.base)}{rest}"
    now = base_at(scheme, length)
    rest = f"; {end}." if length < LONGEST else "."
    return f"At length {length:,} the base is {large(now)}, {times(now / scheme.base)} times the plain one{rest}"


def base_formula(scheme: Stretched, length: int) -> str:
    """The base at a length with its numbers filled in."""
    trained, scale, width = scheme.trained_length, scheme.settings.scale, scheme.rotary_width
    value = large(base_at(scheme, length))
    if length <= trained or width <= 2:
        why = f"length ≤ trained {trained:,}" if length <= trained else "a single pair"
        return f"length {length:,}: base = {value}   ({why})"
    return (
        f"length {length:,}: base = {large(scheme.base)} × ({large(scale)} × {length:,} / {trained:,} - "
        f"{large(scale - 1.0)})^({width:,}/{width - 2:,}) = {value}"
    )


def across(scheme: Stretched) -> tuple[Stretched, Stretched]:
    """The scheme before and after its frequencies change: for LongRoPE at its switch, for Dynamic NTK at the
    trained length and the current one (twice the trained one where the sequence is not longer than that)."""
    if scheme.extension == "longrope":
        last = scheme.settings.original
        return dataclasses.replace(scheme, length=last), dataclasses.replace(scheme, length=last + 1)
    trained, length = scheme.trained_length, scheme.length
    later = dataclasses.replace(scheme, length=length if length > trained else 2 * trained)
    return dataclasses.replace(scheme, length=trained, longest_length=None), later


def switch_part(scheme: Stretched, modes: Modes, full: bool = True) -> SpectrumPart:
    """How far each pair of the last trained position jumps when one token more makes LongRoPE change its list."""
    last = scheme.settings.original
    old, new = across(scheme)
    jump = last * np.abs(new.inv_freq() - old.inv_freq())
    moved = np.flatnonzero(jump > UNMOVED)
    if not len(moved):
        sentence = f"Both lists are the same, so nothing changes between length {last:,} and {last + 1:,}."
        return SpectrumPart("text", modes, "Switch", "no change", sentence)
    line = Series("main", "change of angle", moved.astype(np.float64), logs(jump[moved]))
    levels = (Level("plain", math.log10(math.pi), ("half a turn (π)", "π")),)
    ends = around((float(line.y.min()), float(line.y.max()), levels[0].at))
    return SpectrumPart(
        "switch",
        modes,
        "Switch",
        f"angles at position {last:,}: length {last:,} → {last + 1:,}",
        _switch_sentence(jump, last),
        AxisRange("pair", -0.5, len(jump) - 0.5, whole=True),
        AxisRange("change of angle in rad", *ends, log=True),
        (line,),
        levels,
    )


def _switch_sentence(jump: Float, last: int) -> str:
    pair, count = int(jump.argmax()), len(jump)
    far = int((jump > math.pi).sum())
    turns = turns_text(float(jump[pair]) / (2.0 * math.pi))
    most, rest = (" most,", f"; {far:,} of {count:,} pairs jump over half a turn") if count > 1 else ("", "")
    return (
        f"Every position turns anew: at {last:,} pair {pair:,} jumps{most} by {short(float(jump[pair]), 2)} rad "
        f"({turns} turns){rest}."
    )


def switch_formula(scheme: Stretched, pair: int) -> str:
    """The jump of a pair with its numbers filled in."""
    last = scheme.settings.original
    old, new = (float(each.inv_freq()[pair]) for each in across(scheme))
    jump = last * abs(new - old)
    return (
        f"pair {pair:,}, position {last:,}: {last:,} × |{new:.6g} - {old:.6g}| = {short(jump, 4)} rad "
        f"= {turns_text(jump / (2.0 * math.pi))} turns   (θ of the long and the short list)"
    )


def stale_scores(old: Rotary, new: Rotary, positions: Float) -> tuple[Float32, Float32]:
    """Scores of queries rotated by `new` with keys cached under `old`, and with keys rotated by `new`.

    Query and key are (1, …, 1), as in :meth:`Rotary.profile`; 1 is the score of both at the same position.

    Parameters
    ----------
    old, new : Rotary
        Of the same width.
    positions : ndarray, shape (n,)

    Returns
    -------
    stale, fresh : ndarray, shape (n, n), float32
        Rows are queries.
    """
    rest = float(new.dimension - new.rotary_width)
    query, key = _waves(new, positions), _waves(old, positions)
    whole = new.rotary_width * new.amplitude**2 + rest
    stale, fresh = (2.0 * (query @ other.T) + rest for other in (key, query))
    return (stale / whole).astype(np.float32), (fresh / whole).astype(np.float32)


def _waves(scheme: Rotary, positions: Float) -> Float:
    """Cosines and sines of the angles with the attention factor, shape (n, rotary width)."""
    angles = scheme.angles(positions)
    return np.asarray(np.concatenate((np.cos(angles), np.sin(angles)), axis=1) * scheme.amplitude)


def cache_is_quick(scheme: object) -> bool:
    """Whether the scores of all rows fit a frame."""
    return not isinstance(scheme, Rotary) or scheme.rotary_width <= 2 * QUICK_PAIRS


def cache_part(scheme: Stretched, modes: Modes, full: bool = True) -> SpectrumPart:
    """Scores with keys that were cached before the frequencies changed, beside the right ones."""
    old, new = across(scheme)
    last = old.length
    positions = np.unique(np.linspace(0, last, CELLS if full else FEW_CELLS).round())
    stale, fresh = stale_scores(old, new, positions)
    maps = stale, fresh, stale - fresh
    words = f"length {last:,} → {new.length:,}; {len(positions)} × {len(positions)} query × key"
    return SpectrumPart(
        "cache",
        modes,
        "Cache",
        words if full else f"{words}; computing more…",
        f"{_cache_words(old, new)} {_damage(maps, last)}",
        maps=maps,
        positions=positions,
        exact=full,
    )


def _cache_words(old: Stretched, new: Stretched) -> str:
    if old.extension == "longrope":
        return "Short-list keys, long-list queries:"
    return f"Keys at base {large(old.effective_base)}, queries at {large(new.effective_base)}:"


def _damage(maps: tuple[Float32, ...], last: int) -> str:
    stale, _, difference = maps
    most, mean = float(np.abs(difference).max()), float(np.abs(difference).mean())
    if most < UNMOVED:
        return "no score changes."
    return (
        f"scores off by up to {short(most, 2)}, {short(mean, 2)} on average; "
        f"position {last:,} with itself: {short(float(stale[-1, -1]), 2)}, not 1."
    )


def cache_formula(part: SpectrumPart, query: int, key: int) -> str:
    """One cell of the three maps."""
    m, n = int(part.positions[query]), int(part.positions[key])
    stale, fresh, difference = (float(values[query, key]) for values in part.maps)
    return (
        f"query {m:,}, key {n:,}: with the cached key {stale:.4f}, recomputed {fresh:.4f}, "
        f"difference {difference:.4f}   (score / score at gap 0)"
    )
