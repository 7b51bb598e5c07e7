"""Rounding to the formats of models: checked bit by bit against the definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.rounding import FORMATS, rounded, to_bfloat16, to_float16, to_float32

BITS = {"float32": 24, "float16": 11, "bfloat16": 8}
singles = st.floats(width=32, allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("name", BITS)
@given(value=st.floats(1e-4, 6e4))
def test_a_normal_number_goes_to_the_nearest_with_so_many_bits(name, value):
    value = float(np.float32(value))  # bfloat16 is rounded from float32
    step = 2.0 ** (math.frexp(value)[1] - BITS[name])
    assert float(rounded(value, name)) == round(value / step) * step  # Python rounds ties to even
    assert float(rounded(-value, name)) == -float(rounded(value, name))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(256.0, 256.0), (257.0, 256.0), (258.0, 258.0), (259.0, 260.0), (1.00390625, 1.0), (1.01171875, 1.015625)],
)
def test_ties_go_to_the_even_last_bit(value, expected):
    assert float(to_bfloat16(value)) == expected


def test_every_second_position_above_256_collides_in_bfloat16_and_above_2048_in_float16():
    positions = np.arange(4097)
    for name, first in (("bfloat16", 256), ("float16", 2048)):
        kept = rounded(positions, name) == positions
        assert kept[: first + 1].all()
        assert not kept[first + 1 : 2 * first : 2].any()
        assert kept[first : 2 * first : 2].all()


@given(singles)
def test_rounding_twice_changes_nothing(value):
    for name in FORMATS:
        once = rounded(value, name)
        assert np.array_equal(rounded(once, name), once)


@given(singles, singles)
def test_order_is_kept(first, second):
    low, high = sorted((first, second))
    for name in FORMATS:
        assert float(rounded(low, name)) <= float(rounded(high, name))


def test_what_a_format_cannot_hold():
    huge = [1e39, -1e39, 1e5, math.inf, math.nan]
    assert to_float32(huge)[:4].tolist() == [math.inf, -math.inf, 1e5, math.inf]
    assert to_float16(huge)[:4].tolist() == [math.inf, -math.inf, math.inf, math.inf]
    assert to_bfloat16(huge)[[0, 1, 3]].tolist() == [math.inf, -math.inf, math.inf]
    assert float(to_bfloat16(3.4e38)) == math.inf  # above half way to the next power of two
    assert all(np.isnan(rounded(huge, name)[4]) for name in FORMATS)
    assert float(to_float16(1e-9)) == 0.0


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,)])
def test_shapes_and_types_are_kept(shape):
    for name in FORMATS:
        found = rounded(np.full(shape, 0.1), name)
        assert (found.shape, found.dtype) == (shape, np.float64)


def test_the_given_array_stays():
    values = np.array([0.1, 0.2])
    rounded(values, "float64")[0] = 5.0
    assert values.tolist() == [0.1, 0.2]


def test_an_unknown_format():
    with pytest.raises(KeyError):
        rounded(1.0, "float8")
