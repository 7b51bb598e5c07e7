"""Exact means over blocks of tokens that run over grids, against means of every token."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.grid_means import Digit, Run, Runs, block_waves
from pe_desktop.core.scheme import build
from pe_desktop.core.waves import dirichlet
from tests.core.strategies import bases

LAST = (1 << 20) - 1
sides = st.integers(1, 12)


@st.composite
def gridded(draw, wide=sides):
    name = draw(st.sampled_from(["mrope", "axial", "sincos2d"]))
    params = {"base": draw(bases)}
    if name == "mrope":
        params |= {"text_before": draw(st.integers(0, 30)), "frames": draw(st.integers(1, 4))}
        params |= {"image_rows": draw(wide), "image_columns": draw(wide)}
    else:
        params |= {"grid_columns": draw(wide)}
    if name == "sincos2d":
        params |= {"class_token": draw(st.booleans())}
    return build(name, params, draw(st.sampled_from([4, 8, 12])), 1 << 20)


def one_by_one(scheme, start, count):
    """Mean of exp(i angle) of every token, silent ones 0."""
    positions = np.arange(start, start + count, dtype=float)
    angles = scheme.coordinates(positions)[:, scheme.pair_axis()] * scheme.turns()
    return (np.exp(1j * angles) * ~scheme.is_silent(positions)[:, None]).mean(axis=0)


def means(scheme, starts, count):
    if scheme.id == "sincos2d":
        sine, cosine = scheme.pairs()
        rows = scheme.block_mean(starts, count)
        return rows[:, cosine] + 1j * rows[:, sine]
    return block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, starts, count)


@given(gridded(), st.lists(st.integers(0, 900), min_size=1, max_size=6), st.integers(1, 700))
def test_near_the_start(scheme, starts, count):
    found = means(scheme, np.array(starts, dtype=float), count)
    for row, start in zip(found, starts, strict=True):
        assert np.abs(row - one_by_one(scheme, start, count)).max() < 1e-9


@given(gridded(st.integers(1, 1024)), st.integers(0, 3000), st.integers(1, 3000))
def test_near_a_million(scheme, back, count):
    start = LAST + 1 - count - back
    found = means(scheme, np.array([float(start)]), count)[0]
    assert np.abs(found - one_by_one(scheme, start, count)).max() < 1e-9


@pytest.mark.parametrize("count", [1, 7, 64, 1000])
def test_blocks_of_a_picture(count):
    scheme = build("mrope", {"text_before": 100, "image_rows": 30, "image_columns": 40, "frames": 2}, 16, 4000)
    starts = np.arange(0, 4000 - count, max(count, 13), dtype=float)
    expected = np.stack([one_by_one(scheme, int(start), count) for start in starts])
    assert np.abs(means(scheme, starts, count) - expected).max() < 1e-11


def test_blocks_of_any_sizes_in_any_order():
    """Between text and image, some blocks of a run not beside each other, pairs that read the axes in turn."""
    params = {"text_before": 20, "image_rows": 7, "image_columns": 5, "frames": 3, "interleaved": True}
    scheme = build("mrope", params, 36, 400)
    starts, counts = np.array([90.0, 0.0, 19.0, 300.0, 7.0, 21.0]), np.array([60.0, 3.0, 2.0, 1.0, 300.0, 5.0])
    expected = np.stack(
        [one_by_one(scheme, int(start), int(count)) for start, count in zip(starts, counts, strict=True)]
    )
    found = block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, starts, counts)
    assert np.abs(found - expected).max() < 1e-12
    short = block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, starts, counts, np.complex64)
    assert short.dtype == np.complex64
    assert np.abs(short - expected).max() < 1e-6


def test_a_token_that_an_edge_cuts_counts_by_its_share():
    scheme = build("axial", {"grid_columns": 4}, 8, 100)
    starts, counts = np.array([2.25, 9.5]), np.array([2.5, 0.25])
    found = block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, starts, counts)
    each = [one_by_one(scheme, token, 1) for token in (2, 3, 4, 9)]
    assert np.abs(found[0] - (0.75 * each[0] + each[1] + 0.75 * each[2]) / 2.5).max() < 1e-12
    assert np.abs(found[1] - each[3]).max() < 1e-12


def test_many_single_tokens():
    """More than a few places of a digit are each worked out from the one before."""
    scheme = build("sincos2d", {"grid_columns": 300, "class_token": True}, 32, 1 << 20)
    positions = np.concatenate([np.arange(400.0), LAST - np.arange(400.0)])
    rows, sine = scheme.encode(positions), scheme.pairs()[0]
    angles = scheme.coordinates(positions)[:, scheme.pair_axis()] * scheme.turns()
    assert not rows[0].any()
    assert np.abs(rows[1:, sine] - np.sin(angles)[1:]).max() < 1e-12
    between = scheme.encode(np.array([7.5]))[0, sine]
    assert (
        np.abs(between - np.sin(scheme.coordinates(np.array([7.5]))[0, scheme.pair_axis()] * scheme.turns())).max()
        < 1e-12
    )


def test_columns_of_an_added_table():
    scheme = build("sincos2d", {"grid_columns": 5, "class_token": True}, 16, 100)
    starts, whole = np.array([0.0, 3.0, 50.0]), slice(None)
    for columns in (slice(0, 1), slice(3, 9), slice(15, 16), slice(7, 16)):
        expected = scheme.block_mean(starts, 11, whole)[:, columns]
        assert np.array_equal(scheme.block_mean(starts, 11, columns), expected)


def test_coordinates_by_hand():
    runs = Runs((Run(0, (Digit(0), Digit(0))), Run(3, (Digit(3, 2), Digit(3, 1, 2))), Run(7, (Digit(5), Digit(5)))))
    found = runs.coordinates(np.arange(-1.0, 9.0))
    assert found[:, 0].tolist() == [-1, 0, 1, 2, 3, 3, 4, 4, 5, 6]
    assert found[:, 1].tolist() == [-1, 0, 1, 2, 3, 4, 3, 4, 5, 6]


@pytest.mark.parametrize("frequency", [2e-9, 1e-9, 1e-12, 1e-4])
def test_the_kernel_of_a_very_slow_wave(frequency):
    count = 1 << 20
    half = frequency / 2
    series = 1 - (count**2 - 1) * half**2 / 6 + (3 * count**4 - 10 * count**2 + 7) * half**4 / 360
    exact = series if count * half < 1e-2 else np.sin(count * half) / (count * np.sin(half))
    assert dirichlet(np.array([frequency]), count)[0] == pytest.approx(exact, abs=1e-14)
    assert dirichlet(np.array([frequency]), np.array([[float(count)]]))[0, 0] == pytest.approx(exact, abs=1e-14)
