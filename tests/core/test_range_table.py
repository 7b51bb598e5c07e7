"""The smallest and largest of any range of a table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.range_table import BLOCK, CHUNK, RangeTable, tabulated


@given(st.integers(1, 700), st.integers(0, 9), st.data())
def test_any_ranges(count, seed, data):
    values = np.random.default_rng(seed).standard_normal(count).astype(np.float32)
    place = st.integers(0, count - 1)
    ends = np.array([sorted((data.draw(place), data.draw(place))) for _ in range(6)])
    table = RangeTable(values, int((ends[:, 1] - ends[:, 0] + 1).max()))
    low, high = table.extremes(ends[:, 0].reshape(2, 3), ends[:, 1].reshape(2, 3))
    expected = [values[first : last + 1] for first, last in ends]
    assert np.array_equal(low.ravel(), np.array([each.min() for each in expected]))
    assert np.array_equal(high.ravel(), np.array([each.max() for each in expected]))


@pytest.mark.parametrize("length", [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 999])
def test_every_range_of_one_length(length):
    values = np.random.default_rng(1).standard_normal(1000).astype(np.float32)
    firsts = np.arange(len(values) - length + 1)
    low, high = RangeTable(values, length).extremes(firsts, firsts + length - 1)
    windows = np.lib.stride_tricks.sliding_window_view(values, length)
    assert np.array_equal(low, windows.min(axis=1))
    assert np.array_equal(high, windows.max(axis=1))


def test_a_function_is_tabulated_in_pieces():
    asked = []

    def over(first, last):
        asked.append(last - first + 1)
        return np.arange(first, last + 1) * 0.5

    values = tabulated(over, -5, CHUNK + 9)
    assert values.dtype == np.float32
    assert np.array_equal(values, np.arange(-5, CHUNK + 10, dtype=np.float32) * 0.5)
    assert asked == [CHUNK, 15]
