"""Pictures of sines: exact means over pixels, at a million positions as at the first, and nothing that is not there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_desktop.core.blocks import blocks, whole_blocks
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import picture
from pe_desktop.core.wave_picture import block_mean, column_weights, wave_means
from tests.core.strategies import plain
from tests.core.windows import ranges, shares

MILLION = 1 << 20
waves = st.lists(st.floats(0.0, 7.0) | st.sampled_from([0.0, np.pi, 2 * np.pi, 1e-7, 1e-300]), min_size=1, max_size=12)


@settings(max_examples=60)
@given(waves, st.integers(1, MILLION), st.integers(1, 60), st.integers(1, 60), st.data())
@example([1.0, 0.5, 0.25], MILLION, 37, 2, None)
def test_every_pixel_is_a_mean(frequencies, total, height, width, data):
    frequencies = np.array(frequencies)
    phases = np.linspace(-3.0, 3.0, len(frequencies))
    row_range = (0.0, float(total)) if data is None else data.draw(ranges(total))
    column_range = (0.0, 3.0) if data is None else data.draw(ranges(len(frequencies)))
    rows, columns = blocks(row_range, height, total), blocks(column_range, width, len(frequencies))
    found = wave_means(frequencies, phases, rows, columns)
    assert found.dtype == np.float32
    assert found.shape == (rows.number, columns.number)
    assert found.flags.c_contiguous
    across = shares(columns, len(frequencies))
    for index in {0, rows.number // 2, rows.number - 1}:
        low, high = rows.edges[index : index + 2]
        position = np.arange(np.floor(low), np.ceil(high))
        share = (np.minimum(position + 1, high) - np.maximum(position, low)) / (high - low)
        angles = np.remainder(np.multiply.outer(position, frequencies), 2 * np.pi) + phases
        expected = across @ (share @ np.sin(angles))
        assert np.abs(found[index] - expected).max() < 2e-6


@given(waves, st.floats(0, MILLION - 3000, allow_subnormal=False), st.floats(0.01, 2500))
def test_mean_between_two_edges(frequencies, low, width):
    frequencies = np.array(frequencies)
    high = low + width
    position = np.arange(np.floor(low), np.ceil(high))
    share = np.clip(np.minimum(position + 1, high) - np.maximum(position, low), 0, None) / width
    expected = share @ np.exp(1j * np.multiply.outer(position, frequencies))
    assert np.abs(block_mean(frequencies, low, high) - expected).max() < 1e-6


@given(st.integers(1, 200), st.integers(1, 80), st.data())
def test_weights_of_columns(total, width, data):
    columns = blocks(data.draw(ranges(total)), width, total)
    index, weights = column_weights(columns)
    dense = np.zeros((columns.number, total))
    np.add.at(dense, (np.arange(columns.number)[:, None], index + columns.first), weights)
    assert np.abs(dense - shares(columns, total)).max() < 1e-6


@pytest.mark.parametrize("name", ["sinusoidal", "rope"])
@pytest.mark.parametrize(("first", "last"), [(0, MILLION), (123_456.7, 987_654.3), (MILLION - 70_000.5, MILLION)])
def test_no_moire_over_a_million_positions(name, first, last):
    """The picture against the mean of every position, one by one: no pattern that is not in the encoding."""
    scheme = plain(name, 16, MILLION)
    made = picture(scheme, Window((first, last), (0, 16), 400, 6))
    across = shares(made.columns, 16)
    pair = scheme.pairs()
    edges = made.rows.edges
    expected = np.empty((made.rows.number, made.columns.number))
    for index, (low, high) in enumerate(itertools.pairwise(edges)):
        position = np.arange(np.floor(low), np.ceil(high))
        share = (np.minimum(position + 1, high) - np.maximum(position, low)) / (high - low)
        if name == "sinusoidal":
            row = share @ scheme.encode(position)
        else:
            row, angles = np.empty(16), scheme.angles(position)
            row[pair[0]], row[pair[1]] = share @ np.cos(angles), share @ np.sin(angles)
        expected[index] = across @ row
    assert np.abs(made.values - expected).max() < 1e-5
    # Every n-th position would show stripes of full strength in the fast columns.
    every = np.floor((edges[:-1] + edges[1:]) / 2)
    fast = scheme.encode(every)[:, :2] if name == "sinusoidal" else np.cos(scheme.angles(every))[:, :2]
    assert np.abs(fast).max() > 0.9
    assert np.abs(made.values[:, 0]).max() < 0.1


def test_a_pixel_that_is_a_cell_or_less_is_that_cell():
    scheme = plain("sinusoidal", 16, MILLION)
    made = picture(scheme, Window((999_990.25, 999_998.5), (2.5, 9.0), 400, 300))
    assert (made.rows.first, made.rows.last, made.columns.first, made.columns.last) == (999_990, 999_999, 2, 9)
    assert np.abs(made.values - scheme.encode(range(999_990, 999_999))[:, 2:9]).max() < 1e-6


def test_whole_blocks_take_no_shares():
    frequencies = np.array([0.3, 1.1])
    rows, columns = whole_blocks(10, 7, 40), whole_blocks(0, 1, 2)
    found = wave_means(frequencies, np.zeros(2), rows, columns)
    expected = [np.sin(np.outer(np.arange(a, min(a + 7, 40)), frequencies)).mean(axis=0) for a in range(10, 40, 7)]
    assert np.abs(found - np.array(expected)).max() < 2e-6
