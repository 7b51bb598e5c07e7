"""Ticks of axes that may be logarithmic."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from pe_desktop.core.spectrum_chart import AxisRange
from pe_desktop.views.plotting import minus, real_texts, spaced_ticks, ticks, whole_text

Ticks = list[tuple[float, str]]
EPSILON = 1e-9
STEPS = (2, 3, 4, 5, 10, 20, 50, 100)
APART = 14.0  # pixels between two texts at least


def log_ticks(low: float, high: float, count: float, *, whole: bool = False) -> Ticks:
    """At most about `count` ticks between 10^low and 10^high, as (logarithm to base 10, text).

    Powers of ten, every second, third … of them over many decades; 1, 2 and 5 of each where there is room; plain
    numbers within a single decade. `whole`: none below 1, and no fractions.
    """
    most, low = max(int(count), 1), max(low, 0.0) if whole else low
    first, last = math.ceil(low - EPSILON), math.floor(high + EPSILON)
    if last - first + 1 > most:
        step = next((step for step in STEPS if (last - first) // step + 1 <= most), STEPS[-1])
        powers = list(range(math.ceil(first / step) * step, last + 1, step))
        # Two numbers at least, or nobody could tell how fast the axis grows.
        aside = (last - first) // 4
        powers = powers if len(powers) > 1 else [first + aside, last - aside]
        return [(float(power), power_text(1, power)) for power in powers]
    for factors in ((1, 2, 5), (1,)):
        found = [
            (power + math.log10(factor), power_text(factor, power))
            for power in range(math.floor(low), last + 1)
            for factor in factors
            if low - EPSILON <= power + math.log10(factor) <= high + EPSILON
        ]
        if 2 <= len(found) <= max(most, 2):
            return found
    numbers, size = ticks(10.0**low, 10.0**high, most, whole=whole)
    numbers = [number for number in numbers if number > 0.0]
    return [(math.log10(n), text) for n, text in zip(numbers, real_texts(numbers, size), strict=True)]


def power_text(factor: int, power: int) -> str:
    """factor x 10^power, short: 0.05, 2, 500, 10k, 5M, 10⁹."""
    if power >= 9 or power < -3:
        raised = str(power).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
        return f"10{raised}" if factor == 1 else f"{factor}·10{raised}"
    if power < 0:
        return f"{factor * 10.0**power:.{-power}f}"
    unit, sign = ((6, "M"), (3, "k"), (0, ""))[0 if power >= 6 else 1 if power >= 3 else 2]
    return f"{factor * 10 ** (power - unit)}{sign}"


def across_ticks(axis: AxisRange, low: float, high: float, pixels: float, measure: Callable[[str], float]) -> Ticks:
    """Ticks (place as drawn, text) of an axis at the bottom, as close as their texts allow."""
    if not axis.log:
        return spaced_ticks(low, high, pixels, 36.0, measure)
    for count in (16, 12, 9, 7, 5, 4, 3, 2, 1):
        found = log_ticks(low, high, count, whole=axis.whole)
        widest = max((measure(text) for _, text in found), default=0.0) + APART
        gaps = [(b[0] - a[0]) / (high - low) * pixels for a, b in itertools.pairwise(found)]
        if min(gaps, default=widest) >= widest:
            break
    return found


def upward_ticks(axis: AxisRange, low: float, high: float, count: float) -> Ticks:
    """Ticks (place as drawn, text) of an axis at the left, at most about `count`."""
    if axis.log:
        return log_ticks(low, high, count)
    for more in (1, 2, 4):  # one number alone would not tell the scale
        values, step = ticks(low, high, more * count, whole=axis.whole)
        if len(values) > 1:
            break
    texts = [whole_text(value, step) for value in values] if axis.whole else real_texts(values, step)
    return [(value, minus(text)) for value, text in zip(values, texts, strict=True)]
