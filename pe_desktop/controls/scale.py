"""Where a value stands on a slider, and which value a place on it means; no Qt.

The slider's own integer is only a *place*. Rows keep the value itself, so that a slider of
10,000 places still shows 1,048,575 exactly and steps from it by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

LOG_PLACES = 10_000
MOST_PLACES = 1 << 30  # QSlider counts in 32-bit integers
DIGITS = 4  # significant digits a dragged logarithmic float is rounded to; finer than one place
PERCENT = 1.01

Number = int | float


@dataclass(frozen=True)
class Scale:
    """A range of values laid out along a slider.

    Parameters
    ----------
    low, high : int or float
        Both ends, reached exactly.
    whole : bool
        Whether values are whole numbers.
    logarithmic : bool
        Whether equal distances are equal factors.
    even : bool
        Whether places and steps mean even numbers only (the ends excepted).
    least, most : int, float or None
        How far steps go where more may be typed than the slider holds; None: as far as the slider.
    """

    low: Number
    high: Number
    whole: bool = True
    logarithmic: bool = False
    even: bool = False
    least: Number | None = None
    most: Number | None = None

    @property
    def places(self) -> int:
        """Number of the last place; the first is 0."""
        if self.high <= self.low:
            return 0
        if self.logarithmic:
            return LOG_PLACES
        if self.whole:
            return min(int(self.high - self.low), MOST_PLACES)
        return max(1, round((self.high - self.low) * 10**self._decimals))

    def value(self, place: int) -> Number:
        """The value at a place, rounded to what a person would choose."""
        if place <= 0:
            return self.low
        if place >= self.places:
            return self.high
        share = place / self.places
        if self.logarithmic:
            return self._tidy((self.low + self._shift) * self._factor**share - self._shift)
        return self._tidy(self.low + (self.high - self.low) * share)

    def place(self, value: Number) -> int:
        """The place nearest to a value; values beyond an end stand at that end."""
        if value <= self.low or self.high <= self.low:
            return 0
        if value >= self.high:
            return self.places
        if self.logarithmic:
            share = math.log((value + self._shift) / (self.low + self._shift)) / math.log(self._factor)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(share * self.places)

    def step(self, value: Number, direction: int) -> Number:
        """The next value up (+1) or down (-1): one, one even number, 1 % or a hundredth of the range."""
        if self.whole:
            return self._whole_step(int(value), direction)
        if self.logarithmic and self.low > 0:
            return self._reach(_significant(value * PERCENT**direction, DIGITS))
        return self._reach(self._round(value + direction * self._nice_hundredth))

    def page(self, value: Number, direction: int) -> Number:
        """A large step: twice or half on a logarithmic scale, else a tenth of the range."""
        if self.logarithmic:
            # From 0, doubling would stay there.
            moved = max(value * 2, 1) if direction > 0 else value / 2
        else:
            tenth = (self.high - self.low) / 10
            moved = value + direction * (max(1, round(tenth)) if self.whole else tenth)
        return self._reach(self._round(moved))

    @property
    def _shift(self) -> Number:
        """What lifts a logarithmic range that starts at or below 0 to one that starts at 1."""
        return 0 if self.low > 0 else 1 - self.low

    @property
    def _factor(self) -> float:
        return (self.high + self._shift) / (self.low + self._shift)

    @property
    def _decimals(self) -> int:
        return max(0, 3 - math.floor(math.log10(self.high - self.low)))

    @property
    def _nice_hundredth(self) -> float:
        """1, 2 or 5 times a power of ten, close to a hundredth of the range."""
        hundredth = (self.high - self.low) / 100
        power = 10.0 ** math.floor(math.log10(hundredth))
        return min((1, 2, 5, 10), key=lambda n: abs(n * power - hundredth)) * power

    def _whole_step(self, value: int, direction: int) -> int:
        if not self.even:
            return int(self._reach(value + direction))
        # From an odd (typed) value the next even one is nearer than two.
        size = 2 if value % 2 == 0 else 1
        return int(self._reach(value + direction * size))

    def _tidy(self, value: float) -> Number:
        return min(max(self._round(value), self.low), self.high)

    def _round(self, value: float) -> Number:
        if self.whole:
            return 2 * round(value / 2) if self.even else round(value)
        return _significant(value, DIGITS) if self.logarithmic else round(value, self._decimals)

    def _reach(self, value: Number) -> Number:
        least = self.low if self.least is None else self.least
        most = self.high if self.most is None else self.most
        return min(max(value, least), most)


def _significant(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
