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
        why = f"length {settings.length:,} {sign} {settings.original:,}, so the {which} list divides"
        return f"LongRoPE: {why}; cosine and sine × {made.attention_factor:.4f}."
    if name == "llama3":
        return f"Llama 3 ×{n(scale)}: {_counts(made)}."
    if name == "proportional":
        turning = int(np.count_nonzero(made.inv_freq))
        return f"Proportional: {turning:,} of {len(made.inv_freq):,} pairs turn, the others stand still."
    return ""


def _dynamic(settings: Settings, made: Extended) -> str:
    trained, length = settings.trained_length, ways.counted_length(settings)
    if length <= trained:
        return f"Dynamic: length {length:,} does not exceed the trained {trained:,}, so the base stays as it was."
    what = "longest length seen" if length != settings.length else "length"
    change = f"base {_number(settings.base)} becomes {_number(made.base)}"
    return f"Dynamic: at {what} {length:,} (trained {trained:,}) {change}."


def _counts(made: Extended) -> str:
    kept, blended, divided = np.bincount(made.regime, minlength=3)
    return f"{kept} pairs kept, {blended} blended, {divided} divided"


def _number(number: float) -> str:
    """A factor or base for a sentence: 4, 1.5, 44,721.4."""
    return f"{number:,.6g}" if number < 1e6 else f"{number:,.0f}"
