"""Numbers as the window's sentences write them."""

from __future__ import annotations

import math


def whole(number: int) -> str:
    """Grouped by thin commas: 1,048,576."""
    return f"{number:,}"


def count_rows(count: int) -> str:
    """Rows of a table: 1 row, 512 rows."""
    return f"{whole(count)} {'row' if count == 1 else 'rows'}"


def short(number: float, digits: int = 3) -> str:
    """A number for a table: fixed digits where they say something, powers of ten where not."""
    if number == 0:
        return f"{0:.{digits}f}"
    size = abs(number)
    if size >= 1e6 or size < 0.5 * 10.0**-digits:
        mantissa, exponent = f"{number:.1e}".split("e")
        return f"{mantissa}·10{_power(int(exponent))}".replace("-", "\u2212")
    if size >= 1000:
        digits = 0 if number == round(number) else 1
    return f"{number:,.{digits}f}".replace("-", "\u2212")


def significant(number: float, digits: int = 3) -> str:
    """A number with some significant digits: 0.0015, 2.93·10⁻⁸, 0."""
    text = f"{number:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = f"{mantissa}·10{_power(int(exponent))}"
    return text.replace("-", "\u2212")


def gap(number: float) -> str:
    """A distance that is exactly 0 in theory where it is rounding noise: 0.000, never 1.2·10⁻¹⁶."""
    return short(0.0 if abs(number) < 1e-9 else number)


def power_of_ten(exponent: float) -> str:
    """10 to a power that may be too large for a float64: 13.2, or 10⁵⁵⁷."""
    return short(10.0**exponent) if exponent < 6.0 else f"10{_power(round(exponent))}"


def _power(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))


def wavelength(frequency: float) -> str:
    """Wavelength of a frequency in positions, short: 6.28, 47.1k."""
    if frequency == 0:
        return "∞"
    length = 2 * math.pi / frequency
    if length < 999.5:  # from there on three digits would read 1e+03
        return f"{length:.3g}"
    if length < 999.5e3:
        return f"{length / 1e3:.3g}k"
    if length < 999.5e6:
        return f"{length / 1e6:.3g}M"
    return short(length)
