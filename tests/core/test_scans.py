"""Closest rows, norms and spreads against looking at every row."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import gap_sums, scans
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.spread import gap_spread
from tests.core.strategies import LAST, LAYOUTS, additives, any_scheme, learneds, naives, plain, ropes, sinusoidals

short = st.integers(2, 60)


def distances(scheme):
    rows = scans.rows_of(scheme, np.arange(defined_rows(scheme), dtype=float))
    first, second = np.triu_indices(len(rows), 1)
    return first, second, np.linalg.norm(rows[first] - rows[second], axis=1)


@settings(max_examples=80)
@given(
    st.one_of(sinusoidals(12, short), ropes(12, short), learneds(12, short), naives(12, short)),
)
def test_closest_rows(scheme):
    found = scans.closest_rows(scheme)
    if defined_rows(scheme) < 2:
        assert found is None
        return
    first, second, every = distances(scheme)
    assert found.distance == pytest.approx(every.min(), abs=1e-9)
    assert 0 <= found.first < found.second < defined_rows(scheme)
    its_own = every[(first == found.first) & (second == found.second)]
    assert found.distance == pytest.approx(its_own.item(), abs=1e-9)


@pytest.mark.parametrize("dimension", range(2, 10))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_closest_rows_in_every_layout(layout, dimension):
    if layout == "tensor2tensor" and dimension < 4:
        dimension += 8
    for base, length in itertools.product((1.1, 2.0, 7.0, 40.0, 10000.0), (2, 3, 45, 46, 48, 51, 100)):
        scheme = plain("sinusoidal", dimension, length, layout=layout, base=base)
        assert scans.closest_rows(scheme).distance == pytest.approx(distances(scheme)[2].min(), abs=1e-9)


def test_closest_rows_of_a_table_visited_in_strips():
    """More rows than are compared at a time."""
    scheme = plain("learned", 2, 5000, trained_length=2500)
    assert scans.STRIP_CELLS // 2500 < 2500
    found = scans.closest_rows(scheme)
    rows = scheme.encode(range(2500))
    nearest = min(np.linalg.norm(rows[p + 1 :] - rows[p], axis=1).min() for p in range(2499))
    assert found.distance == nearest
    assert found.distance == np.linalg.norm(rows[found.first] - rows[found.second])


def test_closest_rows_that_float32_products_cannot_tell_apart():
    """8192 points of a plane: the nearest two are 1e-4 apart, and products of size 1 are rounded to 1e-7."""
    scheme = plain("learned", 2, 8192, trained_length=8192, seed=0)
    rows = scheme.encode(range(8192))
    rows = rows[rows[:, 0].argsort()]
    nearest = min(np.linalg.norm(rows[step:] - rows[:-step], axis=1).min() for step in range(1, 60))
    assert (rows[60:, 0] - rows[:-60, 0]).min() > nearest  # so none further on in the order is nearer
    assert scans.closest_rows(scheme).distance == nearest


def test_one_frequency_over_the_longest_sequence():
    """Dimension 2: of a million gaps the one nearest to whole turns."""
    found = scans.closest_rows(plain("sinusoidal", 2, LAST + 1))
    every = 2 * np.abs(np.sin(np.arange(1, LAST + 1) / 2))
    assert found.second - found.first == int(every.argmin()) + 1
    assert found.distance == pytest.approx(every.min(), rel=1e-6)
    assert found.distance > 0


def test_an_unpaired_column_over_the_longest_sequence():
    """Dimension 3: at the winning gap the sine without partner agrees as well as it can."""
    found = scans.closest_rows(plain("sinusoidal", 3, LAST + 1))
    # No rows can be closer than their complete pair is.
    assert found.distance >= (2 * np.abs(np.sin(np.arange(1, LAST + 1) / 2))).min()
    assert found.distance < 4e-6


def test_the_default_at_the_longest_sequence_is_distinct():
    found = scans.closest_rows(plain("sinusoidal", 64, LAST + 1))
    gaps = np.arange(1, 200_000)
    squares = sum(4 * np.sin(gaps * w / 2) ** 2 for w in plain("sinusoidal").frequencies())
    assert found.distance > 1.0
    assert found.distance <= math.sqrt(squares.min()) + 1e-12


@given(additives(12))
def test_norms(scheme):
    found = scans.norm_range(scheme)
    if scheme.id == "none":
        assert found is None
        return
    norms = np.linalg.norm(scheme.encode(range(defined_rows(scheme))), axis=1)
    assert found == pytest.approx((norms.min(), norms.max()), rel=1e-9)


def test_what_has_no_rows_has_no_norms():
    assert scans.norm_range(plain("rope")) is None
    assert scans.norm_range(plain("alibi")) is None
    assert scans.closest_rows(plain("alibi")) is None


@pytest.mark.parametrize("length", [22, 128, LAST + 1])
@pytest.mark.parametrize("name", ["sinusoidal", "rope", "alibi"])
def test_spread_of_what_depends_on_the_gap_alone(name, length):
    assert gap_spread(plain(name, 64, length)) < 1e-8


@pytest.mark.parametrize("name", ["integer", "normalized", "learned"])
def test_spread_of_what_does_not(name):
    assert gap_spread(plain(name)) > 0.1


def test_spread_is_the_standard_deviation_over_the_largest_product():
    """Integer rows: row(p)·row(p+k) = d p (p+k), over 16 evenly spread p for each gap."""
    found = gap_spread(plain("integer", 4, 101))
    values = []
    for gap in (1, 5, 20):
        spots = np.unique(np.linspace(0, 100 - gap, 16).round())
        values.append(4 * spots * (spots + gap))
    expected = max(v.std() for v in values) / max(v.max() for v in values)
    assert found == pytest.approx(expected, rel=1e-12)


def test_spread_where_there_is_nothing_to_compare():
    assert gap_spread(plain("none")) is None
    assert gap_spread(plain("sinusoidal", 64, 2)) is None


@given(any_scheme(8))
def test_an_answer_is_kept(scheme):
    first = scans.closest_rows(scheme)
    assert scans.closest_rows.knows(scheme)
    assert scans.closest_rows(scheme) is first


def squares(frequencies, count):
    """Squared distance of the rows at every gap from 1 on, without a difference of nearly equal numbers."""
    return sum(4 * np.sin(np.arange(1, count) * each / 2) ** 2 for each in frequencies)


@pytest.mark.parametrize("way", [gap_sums._by_products, gap_sums._by_transform])
@settings(max_examples=60)
@given(st.lists(st.floats(0, 6.3) | st.floats(0, 1e-3), min_size=1, max_size=30), st.integers(2, 40_000))
def test_the_closest_gap_is_found_whatever_is_rounded(way, frequencies, count):
    """Bounds are honest: not one lies farther above its exact value than is said."""
    each = np.array(frequencies)
    exact = squares(each, count)
    bound = 2.0 * (len(each) - np.clip(way(each, count), -len(each), len(each))[1:])
    assert (bound - 6.0 * gap_sums.ACCURACY * len(each) <= exact + 1e-12).all()
    gap, square = scans.closest_gap(each, count)
    assert square == pytest.approx(exact.min(), abs=1e-12)
    assert exact[gap - 1] == pytest.approx(exact.min(), abs=1e-12)


@pytest.mark.parametrize("base", [1.1, 10000.0, 1e9])
def test_the_closest_gap_of_very_many_frequencies(base):
    each = plain("rope", 4096, 5000, base=base).inv_freq()
    exact = squares(each, 5000)
    assert scans.closest_gap(each, 5000) == (int(exact.argmin()) + 1, pytest.approx(exact.min(), rel=1e-12))
