"""What the spectrum says of pairs that turn: its sentence, a reading under the mouse, and the formula of a pair."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.extension import BLENDED, DIVIDED, KEPT
from pe_desktop.core.numerals import short, wavelength
from pe_desktop.core.spectrum_chart import SpectrumPart, Turning, runs

REGIMES = {KEPT: "kept", BLENDED: "blended", DIVIDED: "divided"}
MOST_RUNS = 4
ALIKE = 1e-6


def large(number: float) -> str:
    """A base or a factor: 10,000, 44,721.4, 1.2·10²³."""
    if number < 1e6:
        return f"{number:,.6g}"
    return f"{number:,.0f}" if number < 1e9 else short(number)


def times(ratio: float) -> str:
    """A ratio in about three digits: 60.8, 1,234."""
    return f"{ratio:.3g}" if ratio < 999.5 else large(round(ratio))


def turns_text(turns: float) -> str:
    """A number of turns, three digits or whole."""
    return f"{turns:,.0f}" if turns >= 999.5 else f"{turns:.3g}" if turns >= 1e-3 else short(turns)


def turning_sentence(turning: Turning) -> str:
    """What became of the pairs, and how many never finish a turn."""
    count, still = len(turning.after), int((turning.after == 0.0).sum())
    if still == count:
        return f"{'The only pair does not turn' if count == 1 else f'None of the {count:,} pairs turns'}."
    return f"{_pairs_clause(turning, count, still)} {_slow_clause(turning, count - still, still)}"


def unit(turning: Turning) -> str:
    """What wavelengths are counted in."""
    return "positions" if turning.axis is None else "steps"


def _pairs_clause(turning: Turning, count: int, still: int) -> str:
    moving = turning.after[turning.after > 0.0]
    if turning.regime is not None:
        what = regime_clause(turning)
    elif len(moving) == 1:
        what = f"{_every(count) if count == 1 else 'One pair'} turns every {wavelength(moving[0])} {unit(turning)}."
    else:
        what = f"Wavelengths run from {wavelength(moving.max())} to {wavelength(moving.min())} {unit(turning)}."
    if still:
        what = f"{what} {still:,} of {count:,} pairs {'does' if still == 1 else 'do'} not turn."
    return what


def regime_clause(turning: Turning) -> str:
    """Which pairs were kept, blended and divided: "Pairs 0–45 kept, 46–58 blended, 59–63 divided by 8."."""
    assert turning.regime is not None
    moving = turning.after > 0.0
    found = sorted((*run, kind) for kind in REGIMES for run in runs(moving & (turning.regime == kind)))
    if len(found) == 1 and moving.all():
        said = [f"{_every(len(moving))} {'is' if len(moving) == 1 else 'are'} {_what(turning, found[0][2])}"]
    elif len(found) <= MOST_RUNS:
        said = [f"{_span(first, last)} {_what(turning, kind)}" for first, last, kind in found]
        said[0] = f"pair{'s' if found[0][1] > found[0][0] else ''} {said[0]}"
    else:
        counts = {kind: int((moving & (turning.regime == kind)).sum()) for kind in REGIMES}
        said = [f"{number:,} {_what(turning, kind)}" for kind, number in counts.items() if number]
        said[0] = f"of {int(moving.sum()):,} pairs {said[0]}"
    sentence = ", ".join(said)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _what(turning: Turning, kind: int) -> str:
    """The word of a regime, a divided one with the divisor."""
    chosen = (turning.after > 0.0) & (turning.regime == kind)
    if kind != DIVIDED:
        return REGIMES[kind]
    ratio = turning.before[chosen] / turning.after[chosen]
    low, high = float(ratio.min()), float(ratio.max())
    return f"divided by {_short_large(low)}{'' if high - low <= ALIKE * high else f' to {_short_large(high)}'}"


def _short_large(number: float) -> str:
    return f"{number:.4g}" if number < 9999.5 else large(round(number))


def _slow_clause(turning: Turning, moving: int, still: int) -> str:
    where = f"in {turning.positions:,} {'training positions' if turning.trained else 'positions'}"
    if turning.axis is not None:
        where = f"along {', '.join(f'{name} ({count:,})' for name, count in turning.grouped_steps)}"
    slow = int(turning.slow.sum())
    if not slow:
        least = turns_text(float(turning.turns[turning.after > 0.0].min()))
        return f"{'It makes' if moving == 1 else 'Even the slowest makes'} {least} turns {where}."
    if moving == 1:
        return f"It never finishes a turn {where}."
    if slow == moving:
        return f"None of the {moving:,} {'that turn' if still else 'pairs'} finishes a turn {where}."
    who = f"{slow:,} of {f'the {moving:,} that turn' if still else f'{moving:,} pairs'}"
    return f"{who} never {'finishes' if slow == 1 else 'finish'} a turn {where}."


def shade_texts(turning: Turning) -> tuple[str, ...]:
    """Labels of the shaded pairs, the longest first."""
    slow = int(turning.slow.sum())
    pairs = "pair" if slow == 1 else "pairs"
    return f"{slow:,} {pairs}: no full turn", f"{slow:,}: no full turn", f"{slow:,} {pairs}"


def _span(first: int, last: int) -> str:
    return f"{first:,}–{last:,}" if last > first else f"{first:,}"


def _every(count: int) -> str:
    return "The only pair" if count == 1 else f"All {count:,} pairs"


def pair_readings(turning: Turning, pair: int) -> tuple[str, ...]:
    """A pair in few words, wavelength before and after and turns: the longest text first."""
    before, after = float(turning.before[pair]), float(turning.after[pair])
    if after == 0.0:
        return f"pair {pair:,} does not turn", f"{pair:,}: 0 turns", f"{pair:,}"
    long = wavelength(after) if before == after else f"{wavelength(before)} → {wavelength(after)}"
    turns = turns_text(float(turning.turns[pair]))
    reads = "" if turning.axis is None else f" ({turning.axes[turning.axis[pair]]})"
    return f"pair {pair:,}{reads}: λ {long}, {turns} turns", f"{pair:,}: {turns} turns", f"{pair:,}"


def pair_formula(turning: Turning, pair: int) -> str:
    """A pair with its numbers filled in."""
    before, after = float(turning.before[pair]), float(turning.after[pair])
    what = "" if turning.regime is None else f";  {REGIMES[int(turning.regime[pair])]}"
    where = "in training" if turning.trained else "in the sequence"
    if after == 0.0:
        return f"pair {pair:,}: θ = 0, does not turn at any position"
    reach, what_turns = turning.positions, "rad per position"
    if turning.axis is not None:
        name = turning.axes[turning.axis[pair]]
        reach, where, what_turns = turning.steps[turning.axis[pair]], f"along {name}", f"rad per step of {name}"
    turns = f"{reach:,} / {wavelength(before)} = {turns_text(float(turning.turns[pair]))} turns {where}"
    if before == after:
        return f"pair {pair:,}: θ = {after:.6g} {what_turns}, λ = 2π / θ = {wavelength(after)};  {turns}{what}"
    return (
        f"pair {pair:,}: θ = {before:.6g} → {after:.6g} {what_turns} (÷ {_short_large(before / after)}), "
        f"λ = {wavelength(before)} → {wavelength(after)};  {turns}{what}"
    )


def readings(part: SpectrumPart, place: int) -> tuple[str, ...]:
    """What the picture reads at a pair, a head, a length or a distance, the longest text first."""
    if part.turning is not None:
        return pair_readings(part.turning, place)
    if part.kind not in ("switch", "slopes"):
        return f"{'length' if part.kind == 'base' else 'distance'} {place:,}", f"{place:,}"
    line = part.series[-1]
    found = np.flatnonzero(line.x == place)
    value = 10.0 ** float(line.y[found[0]]) if len(found) else 0.0
    if part.kind == "slopes":
        return f"head {place}: {value:.4g}", f"{place}"
    return f"pair {place:,}: {short(value, 2)} rad" if value else f"pair {place:,} stays", f"{place:,}"
