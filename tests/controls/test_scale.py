"""Places and values of a slider."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.controls.scale import Scale

LENGTH = Scale(2, 1_048_576, logarithmic=True)
DIMENSION = Scale(2, 8192, logarithmic=True, even=True)
BASE = Scale(1.1, 1e9, whole=False, logarithmic=True)
SPOT = Scale(0, 1_048_575)
EXPONENT = Scale(0.5, 64.0, whole=False)
FROM_ZERO = Scale(0, 1000, logarithmic=True)
SCALES = [LENGTH, DIMENSION, BASE, SPOT, EXPONENT, FROM_ZERO, Scale(0, 7), Scale(0, 0), Scale(3, 9, even=True)]
scales = st.sampled_from(SCALES)


@pytest.mark.parametrize("scale", SCALES)
def test_both_ends_are_exact(scale):
    assert scale.value(0) == scale.low
    assert scale.value(scale.places) == scale.high
    assert scale.place(scale.low) == 0
    assert scale.place(scale.high) == scale.places
    assert scale.value(-1) == scale.low
    assert scale.place(scale.high + 1) == scale.places


@given(scales, st.data())
def test_values_never_fall_along_the_slider(scale, data):
    place = data.draw(st.integers(0, max(0, scale.places - 1)))
    assert scale.value(place) <= scale.value(place + 1)


@given(scales, st.data())
def test_a_value_comes_back_within_one_place(scale, data):
    whole = st.integers(int(scale.low), int(scale.high))
    value = data.draw(whole if scale.whole else st.floats(scale.low, scale.high))
    place = scale.place(value)
    back = scale.value(place)
    low, high = scale.value(max(0, place - 1)), scale.value(min(scale.places, place + 1))
    assert low <= back <= high
    assert low <= value <= high or (scale.even and abs(value - back) <= 1)


@given(scales, st.data())
def test_a_dragged_value_is_its_own_place(scale, data):
    place = data.draw(st.integers(0, scale.places))
    value = scale.value(place)
    assert scale.value(scale.place(value)) == value


@given(st.integers(2, 1_048_575))
def test_the_keyboard_steps_by_exactly_one(value):
    assert LENGTH.step(value, 1) == value + 1
    assert LENGTH.step(value + 1, -1) == value
    assert SPOT.step(value - 1, 1) == value


def test_every_small_length_is_a_place():
    values = {LENGTH.value(place) for place in range(LENGTH.places + 1)}
    assert set(range(2, 701)) <= values


def test_even_drags_and_steps():
    assert all(DIMENSION.value(place) % 2 == 0 for place in range(DIMENSION.places + 1))
    assert DIMENSION.step(64, 1) == 66
    assert DIMENSION.step(63, 1) == 64
    assert DIMENSION.step(63, -1) == 62
    assert DIMENSION.step(2, -1) == 2
    assert DIMENSION.step(8192, 1) == 8192


def test_pages():
    assert DIMENSION.page(64, 1) == 128
    assert DIMENSION.page(64, -1) == 32
    assert LENGTH.page(1_000_000, 1) == 1_048_576
    assert FROM_ZERO.page(0, 1) == 1
    assert Scale(0, 127).page(12, 1) == 25
    assert Scale(0, 3).page(1, 1) == 2
    assert BASE.page(10000.0, 1) == 20000.0


def test_steps_of_floats():
    assert BASE.step(10000.0, 1) == 10100.0
    assert BASE.step(1.1, -1) == 1.1
    assert EXPONENT.step(8.0, 1) == 8.5
    assert EXPONENT.step(64.0, 1) == 64.0


def test_steps_go_on_where_more_may_be_typed_than_the_slider_holds():
    factor = Scale(1.0, 128.0, whole=False, logarithmic=True, least=1.0, most=1e6)
    assert factor.value(factor.places) == 128.0
    assert factor.step(128.0, 1) == 129.3
    assert factor.page(600.0, 1) == 1200.0
    assert factor.page(1e6, 1) == factor.step(1e6, 1) == 1e6
    turns = Scale(2.0, 16.0, whole=False, least=0.0, most=100.0)
    assert turns.step(2.0, -1) == 1.9
    assert turns.page(16.0, 1) == 17.4
    assert turns.step(0.0, -1) == 0.0
    assert turns.value(0) == 2.0
