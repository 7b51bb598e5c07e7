"""Ticks of logarithmic axes: right values, few enough, never fewer than tell the scale."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.spectrum_chart import AxisRange
from pe_desktop.views.log_axis import across_ticks, log_ticks, power_text, upward_ticks

UNITS = {"k": 1e3, "M": 1e6}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def value_of(text):
    """The number that a tick's text stands for."""
    plain = text.replace("−", "-").replace(",", "")
    if "10" in plain and plain.translate(RAISED) != plain:
        factor, _, power = plain.rpartition("10")
        return float(factor.rstrip("·") or 1) * 10.0 ** int(power.translate(RAISED))
    unit = UNITS.get(plain[-1], 1.0)
    return float(plain.rstrip("kM")) * unit


@pytest.mark.parametrize(
    ("factor", "power", "text"),
    [
        *((1, 0, "1"), (5, 2, "500"), (1, 3, "1k"), (2, 4, "20k"), (1, 8, "100M")),
        *((1, 9, "10⁹"), (2, 12, "2·10¹²"), (5, -2, "0.05"), (1, -3, "0.001"), (1, -4, "10⁻⁴")),
    ],
)
def test_texts(factor, power, text):
    assert power_text(factor, power) == text
    assert value_of(text) == pytest.approx(factor * 10.0**power)


@given(st.floats(-6, 30), st.floats(0.01, 40), st.integers(2, 16))
def test_ticks_lie_where_they_say(low, span, count):
    found = log_ticks(low, low + span, count)
    places = [place for place, _ in found]
    assert places == sorted(set(places))
    assert all(low - 1e-6 <= place <= low + span + 1e-6 for place in places)
    assert len(found) <= max(count, 2) + 1
    if span >= 1:
        assert len(found) >= 2
        for place, text in found:
            assert math.log10(value_of(text)) == pytest.approx(place, abs=0.03)


def test_one_two_five_and_powers():
    assert [text for _, text in log_ticks(0, 2, 8)] == ["1", "2", "5", "10", "20", "50", "100"]
    assert [text for _, text in log_ticks(0, 6, 7)] == ["1", "10", "100", "1k", "10k", "100k", "1M"]
    assert [text for _, text in log_ticks(0, 12, 7)] == ["1", "100", "10k", "1M", "100M", "10¹⁰", "10¹²"]


def test_whole_numbers_have_no_fractions():
    assert [text for _, text in log_ticks(-0.5, 0.5, 8, whole=True)] == ["1", "2"]


def test_texts_stand_apart():
    axis = AxisRange("distance", 0.0, 6.0, log=True, whole=True)
    for pixels in (60.0, 200.0, 900.0):
        found = across_ticks(axis, 0.0, 6.0, pixels, measure=lambda text: 8.0 * len(text))
        places = [place / 6.0 * pixels for place, _ in found]
        assert all(b - a >= 14 + 8 for a, b in itertools.pairwise(places))
        assert found


def test_axes_that_are_not_logarithmic():
    assert upward_ticks(AxisRange("bucket", 0, 31, whole=True), 0, 31, 4) == [
        (0, "0"),
        (10, "10"),
        (20, "20"),
        (30, "30"),
    ]
    assert [text for _, text in upward_ticks(AxisRange("bias", -1, 0), -1, 0, 2)] == ["−1.0", "−0.5", "0"]
