"""What an extension does with its numbers, in sentences."""

from __future__ import annotations

import numpy as np

from pe_desktop.core import extension as ways
from pe_desktop.core.extension import Extended, Settings


def sentence(name: str, settings: Settings, made: Extended) -> str:
    """One true sentence about what the extension `name` made of the settings; empty for none."""
    n, scale = _number, settings.scale
    if name == "linear":
        return f"Position interpolation: every frequency divided by {n(scale)}."
    if name == "ntk":
        last = f"pair 0 is kept, the last divided by {n(ways.ntk_ratio(settings))}"
        return f"NTK-aware: base {n(settings.base)} becomes {n(made.base)}; {last}."
    if name == "dynamic":
        return _dynamic(settings, made)
    if name == "yarn":
        factor, why = ways.yarn_attention_factor(settings)
        return f"YaRN ×{n(scale)}: {_counts(made)}; cosine and sine × {factor:.4f} ({why})."
    if name == "longrope":
        over = settings.length > settings.original
        sign, which = (">", "long") if over else ("≤", "short")
        given = settings.long_factor if over else settings.short_factor
        stand_in = " (a stand-in)" if given is None else ""
        why = f"length {settings.length:,} {sign} {settings.original:,}: the {which} list{stand_in} divides"
        return f"LongRoPE: {why}; cosine and sine × {made.attention_factor:.4f}."
    if name == "llama3":
        return f"Llama 3 ×{n(scale)}: {_counts(made)}."
    if name == "proportional":
        turning = int(np.count_nonzero(made.inv_freq))
        return f"Proportional: {turning:,} of {len(made.inv_freq):,} pairs turn, the others stand still."
    return ""


def remarks(name: str, settings: Settings) -> list[str]:
    """What a reader of these settings should not miss: a rule that does not apply, a ramp out of order."""
    if name == "llama3":
        low, high = settings.low_freq_factor, settings.high_freq_factor
        step = low is not None and high is not None and low >= high
        return ["The low factor is not below the high one: the ramp is a step."] if step else []
    if name != "yarn":
        return []
    found = []
    if bool(settings.mscale) != bool(settings.mscale_all_dim) and settings.attention_factor is None:
        found.append("Only one of mscale and mscale_all_dim is given: the attention factor follows 0.1 ln s + 1.")
    low_end, high_end = ways.yarn_range(settings)
    if low_end > high_end:
        ends = f"({low_end:,.4g} > {high_end:,.4g})"
        found.append(f"The ends of the ramp are out of order {ends}; transformers computes so too.")
    return found


def _dynamic(settings: Settings, made: Extended) -> str:
    trained, length = settings.trained_length, ways.counted_length(settings)
    if length <= trained:
        return f"Dynamic: length {length:,} does not exceed the trained {trained:,}: plain base {_number(made.base)}."
    what = "longest length seen" if length != settings.length else "length"
    change = f"base {_number(settings.base)} becomes {_number(made.base)}"
    return f"Dynamic: at {what} {length:,} (trained {trained:,}) {change}."


def _counts(made: Extended) -> str:
    kept, blended, divided = np.bincount(made.regime, minlength=3)
    return f"{kept} pairs kept, {blended} blended, {divided} divided"


def _number(number: float) -> str:
    """A factor or base for a sentence: 4, 1.5, 44,721.4."""
    return f"{number:,.6g}" if number < 1e6 else f"{number:,.0f}"
