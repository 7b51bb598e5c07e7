"""Means of sines over blocks and sums of cosines over gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import waves
from tests.core.strategies import bases

frequencies = st.lists(st.floats(1e-9, 7.0), min_size=1, max_size=12).map(np.array)


@given(bases, st.integers(2, 200), st.integers(1, 100))
def test_geometric_frequencies(base, width, count):
    found = waves.geometric_frequencies(base, width, count)
    assert found[0] == 1.0
    for index in {0, count // 2, count - 1}:
        assert found[index] == pytest.approx(math.exp(-2 * index / width * math.log(base)), rel=1e-12)
    assert not found.flags.writeable


@given(frequencies, st.lists(st.integers(0, 10_000), min_size=1, max_size=6), st.integers(1, 700))
def test_mean_over_a_block(each, starts, count):
    sin, cos = waves.mean_waves(each, np.array(starts, dtype=float), count)
    for row, start in enumerate(starts):
        angles = np.outer(np.arange(start, start + count), each)
        assert np.abs(sin[row] - np.sin(angles).mean(axis=0)).max() < 1e-9
        assert np.abs(cos[row] - np.cos(angles).mean(axis=0)).max() < 1e-9


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("off", [0.0, 1e-13, -1e-13, 1e-10, 1e-7])
@pytest.mark.parametrize("count", [2, 3, 1000])
def test_near_a_full_turn_per_position_nothing_divides_by_zero(turns, off, count):
    frequency = np.array([turns * 2 * math.pi + off])
    sin, cos = waves.mean_waves(frequency, np.array([5.0]), count)
    angles = np.arange(5, 5 + count) * frequency[0]
    assert abs(sin[0, 0] - np.sin(angles).mean()) < 1e-8
    assert abs(cos[0, 0] - np.cos(angles).mean()) < 1e-8


def test_a_block_of_one_is_the_value_itself():
    each = np.array([1.0, 0.1, 1e-9])
    assert np.array_equal(waves.dirichlet(each, 1), np.ones(3))


@given(frequencies, st.integers(-2000, 2000), st.integers(1, 40), st.integers(1, 300))
def test_progression_of_cosine_sums(each, start, step, count):
    found = waves.cosine_progression(each, start, step, count)
    gaps = start + np.arange(count) * step
    expected = np.cos(np.outer(gaps, each)).sum(axis=1)
    assert np.abs(found - expected).max() < 1e-9 * len(each)
