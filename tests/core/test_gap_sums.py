"""Sums of cosines at all gaps, by either way, and the search for a minimum."""

from __future__ import annotations

import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import gap_sums
from pe_desktop.core.gap_sums import ACCURACY
from pe_desktop.core.waves import geometric_frequencies
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import LAST
from tests.core.test_wave_sums import by_hand, telling

TURN = 2 * math.pi
in_a_turn = st.floats(0.0, TURN) | st.sampled_from([0.0, 1e-9, math.pi - 1e-9, math.pi, TURN - 1e-9, TURN])
frequency_lists = st.builds(
    lambda each, signs, times: np.array([f if sign else -f for f, sign in zip(each, signs, strict=False)] * times),
    st.lists(in_a_turn, min_size=1, max_size=8),
    st.lists(st.booleans(), min_size=8, max_size=8),
    st.integers(1, 40),
)


@settings(max_examples=40)
@given(frequency_lists, st.integers(1, LAST + 1), st.lists(st.integers(0, LAST), max_size=6))
def test_both_ways_are_as_accurate_as_is_said(frequencies, count, others):
    at = telling(count, *others)
    expected = by_hand(np.ones(len(frequencies)), frequencies, at)
    for way in (gap_sums._by_products, gap_sums._by_transform):
        found = way(frequencies, count)
        assert found.shape == (count,)
        assert found.dtype == np.float32
        assert np.abs(found[at] - expected).max() <= ACCURACY * len(frequencies)


@pytest.mark.parametrize("pairs", [1, 32, 2048, 4096])
def test_the_longest_sequence_over_its_whole_range(pairs):
    each = geometric_frequencies(10000.0, 2 * pairs, pairs)
    found = gap_sums.all_cosine_sums(each, LAST + 1)
    gaps = np.unique(np.random.default_rng(pairs).integers(0, LAST + 1, 300))
    expected = np.cos(np.outer(gaps.astype(float), each)).sum(axis=1)
    assert np.abs(found[gaps] - expected).max() <= ACCURACY * pairs
    assert found[0] == pairs
    assert np.abs(found).max() <= pairs


def test_the_cheaper_way_is_taken(monkeypatch):
    taken = []
    for way in ("_by_products", "_by_transform"):

        def noted(frequencies, count, way=way):
            taken.append(way)
            return np.zeros(count, dtype=np.float32)

        monkeypatch.setattr(gap_sums, way, noted)
    for pairs, count in ((1, LAST + 1), (4096, 100), (64, 50_000), (4096, LAST + 1), (1024, 65_536)):
        gap_sums.all_cosine_sums(np.linspace(0.1, 0.2, pairs), count)
    assert taken == ["_by_products"] * 3 + ["_by_transform"] * 2


@pytest.mark.parametrize("count", [1, 2, 1023, 1024, 1025, 5000, 300_000])
def test_all_cosine_sums(count):
    each = geometric_frequencies(10000.0, 16, 8)
    found = gap_sums.all_cosine_sums(each, count)
    assert found.shape == (count,)
    assert not found.flags.writeable
    assert found[0] == 8.0
    some = np.unique(np.linspace(0, count - 1, 3000).astype(int))
    expected = np.cos(np.outer(some, each)).sum(axis=1)
    assert np.abs(found[some] - expected).max() < 1e-6 * 8


def test_all_cosine_sums_at_the_end_of_the_longest_sequence():
    each = np.array([1.0, 0.01])
    found = gap_sums.all_cosine_sums(each, LAST + 1)
    gaps = np.arange(LAST - 50, LAST + 1)
    assert np.abs(found[gaps] - np.cos(np.outer(gaps, each)).sum(axis=1)).max() < 2e-6
    exact = float(Fraction(LAST) * Fraction(each[1]))
    assert abs(found[-1] - math.cos(LAST) - math.cos(exact)) < 2e-6


def test_the_last_two_sums_are_kept():
    first, second, third = (np.array([frequency]) for frequency in (0.1, 0.2, 0.3))
    made = gap_sums.all_cosine_sums(first, 100)
    assert gap_sums.all_cosine_sums(first, 60).base is made
    assert not gap_sums.knows_all_sums(first, 101)
    gap_sums.all_cosine_sums(second, 100)
    assert gap_sums.knows_all_sums(first, 100)
    gap_sums.all_cosine_sums(third, 100)
    assert [gap_sums.knows_all_sums(each, 100) for each in (first, second, third)] == [True, False, True]


@given(st.lists(st.floats(0, 10), min_size=1, max_size=80), st.floats(0, 0.5), st.integers(0, 2**31))
def test_minimum_is_found_though_the_bounds_are_off(values, slack, seed):
    exact = np.array(values)
    noise = np.random.default_rng(seed).uniform(-1, 1, len(exact)) * slack
    index, value = gap_sums.scan_minimum((exact + noise).astype(np.float32), lambda i: float(exact[i]), slack + 1e-5)
    assert value == exact.min()
    assert exact[index] == exact.min()


def test_minimum_among_more_values_than_are_visited():
    exact = np.random.default_rng(1).uniform(1, 2, 20_000)
    exact[17_123] = 0.5
    asked = []

    def ask(index):
        asked.append(index)
        return float(exact[index])

    assert gap_sums.scan_minimum(exact.astype(np.float32), ask, 1e-6, limit=64) == (17_123, 0.5)
    assert len(asked) == 1


def test_no_more_values_are_visited_than_is_said():
    asked = []

    def ask(index):
        asked.append(index)
        return 1.0

    assert gap_sums.scan_minimum(np.zeros(5000, dtype=np.float32), ask, 2.0, limit=64) == (0, 1.0)
    assert asked == list(range(64))


def test_nothing_is_looked_for_below_zero():
    asked = []

    def ask(index):
        asked.append(index)
        return 0.0

    assert gap_sums.scan_minimum(np.zeros(5000, dtype=np.float32), ask, 1e-6) == (0, 0.0)
    assert asked == [0]


def test_a_scan_can_be_called_off():
    stop, seen = threading.Event(), []
    stop.set()
    with pytest.raises(Cancelled), watched(stop, seen.append):
        gap_sums.all_cosine_sums(np.array([0.123]), 5000)
    stop.clear()
    with watched(stop, seen.append):
        gap_sums.all_cosine_sums(np.array([0.123]), 600_000)
    assert seen[0] == 0.0
    assert seen == sorted(seen)
    assert len(seen) == 3
