"""Sums of waves at every position of a range against sums one by one."""

from __future__ import annotations

import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import wave_sums
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import LAST

TURN = 2 * Fraction(3141592653589793238462643383279502884197, 10**39)
ENDS = (0.0, math.pi, -math.pi, 2 * math.pi, -4 * math.pi)
anywhere = st.floats(-7.0, 7.0, allow_subnormal=False)
near_an_end = st.builds(lambda end, off: end + off, st.sampled_from(ENDS), st.floats(-1e-6, 1e-6))
some = st.lists(st.one_of(anywhere, near_an_end, st.sampled_from(ENDS)), min_size=1, max_size=8)
frequency_lists = st.builds(lambda each, times: np.array(each * times), some, st.integers(1, 3))


def by_hand(coefficients, frequencies, positions):
    """Each term with its angle reduced as a fraction, so that nothing is lost at a million positions."""
    sums = []
    for position in positions:
        angles = [float(Fraction(float(each)) * int(position) % TURN) for each in frequencies]
        sums.append(float((coefficients * np.exp(1j * np.array(angles))).real.sum()))
    return np.array(sums)


def telling(count, *others):
    """First, last and middle positions of a range, those beside the seams of segments, and some others."""
    size = wave_sums.SEGMENT
    near = [0, 1, count - 2, count - 1, count // 2, size - 1, size, size // 2, size // 2 - 1, *others]
    return sorted({min(max(at, 0), count - 1) for at in near})


@settings(max_examples=60)
@given(
    frequency_lists,
    st.integers(-LAST, LAST),
    st.integers(1, 20) | st.integers(1, 200_000),
    st.lists(st.integers(0, 200_000), max_size=5),
    st.integers(0, 2**31),
)
def test_sums_anywhere(frequencies, first, count, others, seed):
    generator = np.random.default_rng(seed)
    coefficients = generator.normal(size=len(frequencies)) + 1j * generator.normal(size=len(frequencies))
    found = wave_sums.wave_sums(coefficients, frequencies, first, count)
    assert found.shape == (count,)
    at = telling(count, *others)
    expected = by_hand(coefficients, frequencies, [first + place for place in at])
    # A frequency of two turns times a million positions is rounded to 2e-9 rad.
    assert np.abs(found[at] - expected).max() <= 3e-9 * np.abs(coefficients).sum()


@settings(max_examples=12)
@given(st.lists(st.floats(0.0, math.pi), min_size=1, max_size=12), st.lists(st.integers(0, LAST), max_size=20))
def test_sums_over_the_longest_sequence(frequencies, others):
    each = np.array(frequencies)
    found = wave_sums.wave_sums(np.ones(len(each), dtype=complex), each, 0, LAST + 1)
    at = telling(LAST + 1, *others)
    assert np.abs(found[at] - by_hand(np.ones(len(each)), each, at)).max() <= 3e-10 * len(each)


@pytest.mark.parametrize("size", [64, 128, 4096, wave_sums.SEGMENT])
def test_no_frequency_is_worse_than_the_docstring_says(size):
    """Every wave by itself, between and on the frequencies of the transform, at the ends and in the middle."""
    points = round(wave_sums.OVER * size)
    steps = np.concatenate([np.arange(0.0, 3.0, 0.125), points / 2 - np.arange(0.0, 3.0, 0.125), [points / 7]])
    places = np.array([0, 1, size // 2 - 1, size // 2, size - 2, size - 1])
    for frequency in steps * (2 * math.pi / points):
        found = wave_sums.wave_sums(np.ones(1, dtype=complex), np.array([frequency]), 0, size)
        assert np.abs(found[places] - by_hand(np.ones(1), [frequency], places)).max() <= 1e-10


def test_it_can_be_called_off_and_tells_how_far_it_is():
    stop, seen = threading.Event(), []
    one = np.ones(1, dtype=complex), np.array([0.5])
    with watched(stop, seen.append):
        wave_sums.wave_sums(*one, 0, 3 * wave_sums.SEGMENT)
    assert seen == pytest.approx([0.0, 1 / 3, 2 / 3])
    stop.set()
    with pytest.raises(Cancelled), watched(stop):
        wave_sums.wave_sums(*one, 0, 5000)
