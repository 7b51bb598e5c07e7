"""Means of sines over blocks, sums of cosines over gaps, and the search for a minimum."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import waves
from pe_desktop.core.work import Cancelled
from tests.core.strategies import LAST, bases

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


@given(
    frequencies,
    st.lists(st.floats(0, math.pi), min_size=12, max_size=12).map(np.array),
    st.integers(0, LAST),
    st.integers(1, 3000),
    st.integers(1, 60),
    st.integers(1, 900),
)
def test_picture_of_waves(each, phases, start, step, rows, count):
    phases = phases[: len(each)]
    found = waves.wave_picture(each, phases, start, step, rows, count)
    assert found.shape == (rows, len(each))
    assert found.dtype == np.float32
    for row in {0, rows // 2, rows - 1}:
        at = start + row * step + np.arange(count)
        expected = np.sin(np.outer(at, each) + phases).mean(axis=0)
        assert np.abs(found[row] - expected).max() < 2e-6


@given(frequencies, st.integers(-2000, 2000), st.integers(1, 40), st.integers(1, 300))
def test_progression_of_cosine_sums(each, start, step, count):
    found = waves.cosine_progression(each, start, step, count)
    gaps = start + np.arange(count) * step
    expected = np.cos(np.outer(gaps, each)).sum(axis=1)
    assert np.abs(found - expected).max() < 1e-9 * len(each)
    assert np.abs(waves.cosine_sums(each, gaps) - expected).max() < 1e-9 * len(each)


@pytest.mark.parametrize("count", [1, 2, 1023, 1024, 1025, 5000, 300_000])
def test_all_cosine_sums(count):
    each = waves.geometric_frequencies(10000.0, 16, 8)
    found = waves.all_cosine_sums(each, count)
    assert found.shape == (count,)
    assert not found.flags.writeable
    assert found[0] == 8.0
    some = np.unique(np.linspace(0, count - 1, 3000).astype(int))
    expected = np.cos(np.outer(some, each)).sum(axis=1)
    assert np.abs(found[some] - expected).max() < 1e-6 * 8


def test_all_cosine_sums_at_the_end_of_the_longest_sequence():
    each = np.array([1.0, 0.01])
    found = waves.all_cosine_sums(each, LAST + 1)
    gaps = np.arange(LAST - 50, LAST + 1)
    assert np.abs(found[gaps] - np.cos(np.outer(gaps, each)).sum(axis=1)).max() < 2e-6
    exact = float(Fraction(LAST) * Fraction(each[1]))
    assert abs(found[-1] - math.cos(LAST) - math.cos(exact)) < 2e-6


@given(st.lists(st.floats(0, 10), min_size=1, max_size=80), st.floats(0, 0.5), st.integers(0, 2**31))
def test_minimum_is_found_though_the_bounds_are_off(values, slack, seed):
    exact = np.array(values)
    noise = np.random.default_rng(seed).uniform(-1, 1, len(exact)) * slack
    index, value = waves.scan_minimum((exact + noise).astype(np.float32), lambda i: float(exact[i]), slack + 1e-5)
    assert value == exact.min()
    assert exact[index] == exact.min()


def test_minimum_among_more_values_than_are_visited():
    exact = np.random.default_rng(1).uniform(1, 2, 20_000)
    exact[17_123] = 0.5
    asked = []

    def ask(index):
        asked.append(index)
        return float(exact[index])

    assert waves.scan_minimum(exact.astype(np.float32), ask, 1e-6, limit=64) == (17_123, 0.5)
    assert len(asked) == 1


def test_a_scan_can_be_called_off():
    import threading

    from pe_desktop.core.work import watched

    stop, seen = threading.Event(), []
    stop.set()
    with pytest.raises(Cancelled), watched(stop, seen.append):
        waves.all_cosine_sums(np.array([0.123]), 5000)
    stop.clear()
    with watched(stop, seen.append):
        waves.all_cosine_sums(np.array([0.123]), 600_000)
    assert seen[0] == 0.0
    assert seen == sorted(seen)
    assert len(seen) == 3
