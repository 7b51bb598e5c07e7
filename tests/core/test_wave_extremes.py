"""The crest of a sine among n positions, without visiting them: for any frequency, even next to whole turns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.cell_extremes import Groups
from pe_desktop.core.wave_extremes import wave_extremes
from tests.core.strategies import positions

fractions = st.builds(lambda a, b: a / b, st.integers(0, 40), st.integers(1, 40))
near = st.sampled_from([0.0, 1e-12, -1e-9, 1e-7, -1e-6, 1e-5, -1e-4, 1e-3])
frequencies = st.one_of(
    st.floats(0.0, 7.0, allow_subnormal=False),
    st.floats(-8.0, 0.0).map(lambda power: 10.0**power),
    st.builds(lambda turns, off: abs(turns + off) * 2.0 * math.pi, fractions, near),
)
counts = st.one_of(st.integers(1, 6), st.integers(1, 300), st.integers(1, 9000))
ANGLES = st.sampled_from([0.0, math.pi / 2, 1.0, -2.0])


@settings(max_examples=80)
@given(st.lists(st.tuples(frequencies, ANGLES), min_size=1, max_size=6), positions, counts)
def test_the_nearest_position_to_the_crest(waves, start, count):
    each, phases = (np.array(one) for one in zip(*waves, strict=True))
    every = np.arange(len(each))
    alone = Groups(every, every + 1)
    low, high = wave_extremes(each, phases, np.array([float(start)]), np.array([float(count)]), alone)
    values = np.sin(np.outer(start + np.arange(count), each) + phases)
    assert np.abs(low[0] - values.min(axis=0)).max() < 1e-5
    assert np.abs(high[0] - values.max(axis=0)).max() < 1.3e-5


@given(st.lists(frequencies, min_size=4, max_size=9), st.data())
def test_runs_of_any_lengths_and_groups_that_overlap(each, data):
    each = np.array(each)
    firsts = np.array(sorted(data.draw(st.lists(st.integers(0, len(each) - 1), min_size=1, max_size=5))))
    lasts = np.maximum.accumulate([data.draw(st.integers(first + 1, len(each))) for first in firsts])
    starts, lengths = np.array([0.0, 77.0, 1e6, 5.0]), np.array([3.0, 40.0, 3.0, 1.0])
    low, high = wave_extremes(each, np.zeros(len(each)), starts, lengths, Groups(firsts, lasts))
    for i, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        values = np.sin(np.outer(start + np.arange(length), each))
        for j, group in enumerate(zip(firsts, lasts, strict=True)):
            assert abs(low[i, j] - values[:, slice(*group)].min()) < 1.3e-5
            assert abs(high[i, j] - values[:, slice(*group)].max()) < 1.3e-5


@pytest.mark.parametrize("frequency", [0.0, 2 * math.pi, 4 * math.pi])
def test_a_column_that_stands_still(frequency):
    alone = Groups(np.array([0]), np.array([1]))
    low, high = wave_extremes(np.array([frequency]), np.array([0.3]), np.zeros(1), np.array([1000.0]), alone)
    assert low == pytest.approx(math.sin(0.3), abs=1e-7)
    assert high == pytest.approx(math.sin(0.3), abs=1e-7)


def test_a_column_at_half_a_turn_alternates():
    alone = Groups(np.array([0]), np.array([1]))
    low, high = wave_extremes(np.array([math.pi]), np.array([0.3]), np.zeros(1), np.array([1000.0]), alone)
    assert low == pytest.approx(-math.sin(0.3), abs=1e-6)
    assert high == pytest.approx(math.sin(0.3), abs=1e-6)


def test_no_row_and_no_group():
    nothing = np.zeros(0)
    one = Groups(np.array([0]), np.array([1]))
    assert wave_extremes(np.ones(3), np.zeros(3), nothing, nothing, one)[0].shape == (0, 1)
    none = Groups(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))
    assert wave_extremes(np.ones(3), np.zeros(3), np.ones(2), np.ones(2), none)[1].shape == (2, 0)
