"""Sums of waves along an axis, against the sums of every cosine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.axis_sums import sums_at, sums_in_range
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.scheme import build
from pe_desktop.core.waves import geometric_frequencies
from tests.core.strategies import axials, mropes, sincos2ds

MILLION = 1 << 20


def directly(coefficients, frequencies, values):
    return (np.exp(1j * np.multiply.outer(values, frequencies)) @ coefficients).real


def waves(count, seed):
    draw = np.random.default_rng(seed)
    return draw.normal(size=count) + 1j * draw.normal(size=count), geometric_frequencies(1e4, 2.0 * count, count)


@given(st.integers(1, 40), st.integers(-MILLION, MILLION), st.integers(1, 500), st.integers(0, 99))
def test_a_range(pairs, first, count, seed):
    coefficients, frequencies = waves(pairs, seed)
    found = sums_in_range(coefficients, frequencies, first, count)
    expected = directly(coefficients, frequencies, first + np.arange(float(count)))
    assert np.abs(found - expected).max() < 1e-9 * np.abs(coefficients).sum()


def test_a_range_by_transform():
    coefficients, frequencies = waves(2048, 3)
    found = sums_in_range(coefficients, frequencies, 900_000, 65_536)
    some = np.array([0, 1, 777, 40_000, 65_535])
    expected = directly(coefficients, frequencies, 900_000.0 + some)
    assert np.abs(found[some] - expected).max() < 1e-9 * np.abs(coefficients).sum()


@given(st.integers(1, 20), st.lists(st.floats(0, MILLION), min_size=1, max_size=90, unique=True), st.booleans())
def test_any_values(pairs, values, whole):
    coefficients, frequencies = waves(pairs, 1)
    values = np.unique(np.rint(values) if whole else values)
    found = sums_at(coefficients, frequencies, values)
    assert np.abs(found - directly(coefficients, frequencies, values)).max() < 1e-9 * np.abs(coefficients).sum()


@given(st.floats(1, 5000), st.integers(1, 200))
def test_values_that_rise_nearly_evenly(step, count):
    coefficients, frequencies = waves(9, 2)
    values = np.floor(step * np.arange(count))
    found = sums_at(coefficients, frequencies, values)
    assert np.abs(found - directly(coefficients, frequencies, values)).max() < 1e-9 * np.abs(coefficients).sum()


def one_by_one(scheme, spot, positions):
    at = scheme.coordinates(positions) - scheme.coordinates([spot])
    sums = np.cos(at[:, scheme.pair_axis()] * scheme.turns()).sum(axis=1)
    values = (2 * sums + scheme.dimension - 2 * len(scheme.turns())) / scheme.dimension
    heard = ~(scheme.is_silent(positions) | scheme.is_silent([spot]))
    return values * heard


@settings(max_examples=80)
@given(st.one_of(mropes(), axials(), sincos2ds()), st.data())
def test_the_likeness_of_every_token(scheme: Gridded, data):
    spot, start = (data.draw(st.integers(0, scheme.length - 1)) for _ in range(2))
    stop = data.draw(st.integers(start + 1, scheme.length))
    positions = np.arange(start, stop, dtype=float)
    expected = one_by_one(scheme, spot, positions)
    assert np.abs(scheme.likeness_between(spot, start, stop) - expected).max() < 1e-12
    assert np.abs(scheme.likeness(spot, positions) - expected).max() < 1e-12
    step = data.draw(st.integers(1, 60))
    assert np.abs(scheme.likeness(spot, positions[::step]) - expected[::step]).max() < 1e-12


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("axial", {}),
        ("axial", {"grid_columns": 400_000}),
        ("sincos2d", {"class_token": True, "grid_columns": 1000}),
        ("mrope", {"image_rows": 300, "image_columns": 400, "frames": 3}),
        ("mrope", {"interleaved": True, "text_before": 700_000}),
    ],
)
def test_a_million_tokens(name, params):
    scheme = build(name, params, 512, MILLION)
    some = np.unique(np.random.default_rng(0).integers(0, MILLION, 300)).astype(float)
    for spot in (1, 40, 800_000):
        every = scheme.likeness_between(spot, 0, MILLION)
        expected = one_by_one(scheme, spot, some)
        assert np.abs(every[some.astype(int)] - expected).max() < 1e-9
        assert np.abs(scheme.likeness(spot, some) - expected).max() < 1e-9
        evenly = np.arange(300.0) * 3495
        assert np.abs(scheme.likeness(spot, evenly) - one_by_one(scheme, spot, evenly)).max() < 1e-9
