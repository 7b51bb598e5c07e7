"""Closed forms of damped sums against sums term by term."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.damped import damped_progression, geometric_sums, triangle_sums

DAMPINGS, FREQUENCIES = [0.0, -1e-9, -1e-5, -2.4e-3, -0.3], [0.0, 1e-9, 1e-4, 0.05, 1.0]
rates = st.builds(complex, st.sampled_from(DAMPINGS), st.sampled_from(FREQUENCIES))


def terms(rate, count):
    return np.exp(rate * np.arange(count))


@given(rates, st.integers(1, 3000))
def test_geometric(rate, count):
    expected = terms(rate, count).sum()
    found = geometric_sums(np.array([rate]), np.array([float(count)]))[0, 0]
    assert abs(found - expected) <= 1e-11 * count


@given(rates, st.integers(1, 3000))
def test_triangle(rate, count):
    expected = ((count - np.arange(count)) * terms(rate, count)).sum()
    found = triangle_sums(np.array([rate]), np.array([float(count)]))[0, 0]
    assert abs(found - expected) <= 1e-11 * count * count


def test_nothing_sums_to_nothing():
    some, none = np.array([-0.1 + 1j, 0j]), np.array([0.0])
    assert not geometric_sums(some, none).any()
    assert not triangle_sums(some, none).any()


@given(st.lists(rates, min_size=1, max_size=4), st.integers(0, 500), st.integers(1, 9), st.integers(1, 60))
def test_progression(given_rates, start, step, count):
    each, weights = np.array(given_rates), np.exp(1j * np.arange(len(given_rates)))
    gaps = start + step * np.arange(count)
    expected = (np.exp(np.outer(gaps, each)) * weights).real.sum(axis=1)
    assert np.abs(damped_progression(each, start, step, count, weights) - expected).max() < 1e-10


def test_progression_at_a_million_does_not_overflow():
    each = np.array([np.log(0.2857) / 16 + 1j, -1e-7 + 1e-4j])
    found = damped_progression(each, 0, 1, 1 << 20)
    assert np.isfinite(found).all()
    assert found[-1] == pytest.approx(np.exp(((1 << 20) - 1) * each).real.sum(), abs=1e-9)
