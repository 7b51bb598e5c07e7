"""Slopes, biases, and the exact mean of a distance over a rectangle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.schemes.alibi import alibi_slopes, mean_distance
from tests.core.strategies import LAST, alibis, plain, positions

starts = st.lists(st.integers(0, 40), min_size=1, max_size=4)
counts = st.lists(st.integers(1, 25), min_size=4, max_size=4)


@given(alibis())
def test_slopes_are_positive_and_all_different(scheme):
    slopes = scheme.slopes()
    assert slopes.shape == (scheme.heads,)
    assert (slopes > 0).all()
    assert len(set(slopes.tolist())) == scheme.heads
    if scheme.heads & (scheme.heads - 1) == 0:  # a power of two: sorted, down to 2^-max_bias
        assert (np.diff(slopes) < 0).all()
        assert slopes[-1] == pytest.approx(2.0**-scheme.max_bias, rel=1e-12)


def test_the_paper():
    assert np.array_equal(alibi_slopes(8), 2.0 ** -np.arange(1, 9))
    assert np.allclose(alibi_slopes(12)[8:], 2.0 ** -np.array([0.5, 1.5, 2.5, 3.5]), rtol=1e-15)


@given(alibis(), st.lists(positions, min_size=1, max_size=4), st.lists(positions, min_size=1, max_size=4))
def test_bias_is_minus_slope_times_distance(scheme, queries, keys):
    bias = scheme.bias(queries, keys)
    assert bias.shape == (scheme.heads, len(queries), len(keys))
    assert (bias <= 0).all()
    for i, m in enumerate(queries):
        for j, n in enumerate(keys):
            assert np.allclose(bias[:, i, j], -scheme.slopes() * abs(m - n), rtol=1e-14, atol=0)
            assert (bias[:, i, j] == 0).all() == (m == n)
            assert not np.signbit(bias[:, i, j]).any() or m != n  # never -0


@given(starts, counts, starts, counts)
def test_mean_distance(rows, row_counts, columns, column_counts):
    found = mean_distance(rows, row_counts[: len(rows)], columns, column_counts[: len(columns)])
    for i, a in enumerate(rows):
        for j, b in enumerate(columns):
            m = np.arange(a, a + row_counts[i])[:, None]
            n = np.arange(b, b + column_counts[j])[None, :]
            assert found[i, j] == pytest.approx(np.abs(m - n).mean(), abs=1e-10)


@pytest.mark.parametrize("count", [1, 1000, 4096])
def test_mean_distance_on_the_diagonal_of_the_longest_sequence(count):
    """The mean of |m - n| over a square is (n^2 - 1) / 3n."""
    start = np.array([float(LAST + 1 - count)])
    found = mean_distance(start, np.array([count]), start, np.array([count]))[0, 0]
    assert found == pytest.approx((count**2 - 1) / (3 * count), rel=1e-12)


@given(alibis(), starts, counts, starts, counts, st.data())
def test_block_bias(scheme, rows, row_counts, columns, column_counts, data):
    head = data.draw(st.integers(0, scheme.heads - 1))
    row_counts, column_counts = row_counts[: len(rows)], column_counts[: len(columns)]
    found = scheme.block_bias(head, rows, row_counts, columns, column_counts)
    for i, a in enumerate(rows):
        for j, b in enumerate(columns):
            every = scheme.bias(range(a, a + row_counts[i]), range(b, b + column_counts[j]))[head]
            assert found[i, j] == pytest.approx(every.mean(), rel=1e-9, abs=1e-12)


def test_no_bias_is_minus_zero():
    bias = plain("alibi", 8, 4).bias(range(4), range(4))
    assert not np.signbit(np.diagonal(bias, axis1=1, axis2=2)).any()
