"""Means of a score that depends on the gap alone, whichever way they are worked out, against sums pair by pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_desktop.core import gap_window
from pe_desktop.core.blocks import Blocks, blocks, whole_blocks
from pe_desktop.core.damped import turning
from pe_desktop.core.gap_line import GapScore
from pe_desktop.core.gap_window import edge_waves, gap_means, gap_sums, line_length, spanned_gaps
from tests.core.windows import shares

LAST = 1_048_575
FREQUENCIES = st.floats(-9.0, 0.0).map(lambda power: 10.0**power)
WAYS = st.sampled_from((1 << 16, 10))  # gaps worked out one by one: all, or hardly any


@st.composite
def scores(draw):
    count = draw(st.integers(1, 6))
    frequencies = np.array(draw(st.lists(FREQUENCIES, min_size=count, max_size=count)))
    fades = draw(st.booleans())
    damping = np.array(draw(st.lists(st.floats(-7.0, 0.0), min_size=count, max_size=count)))
    return GapScore(turning(frequencies) - (10.0**damping if fades else 0.0), fades)


@st.composite
def spans(draw, first=0.0, most=120.0, total=LAST + 1):
    low = first + draw(st.floats(0.0, most, width=32) | st.integers(0, int(most)).map(float))
    high = min(low + draw(st.floats(1.0, most, width=32)), total)
    return blocks((low, high), draw(st.integers(1, 50)), total, whole=draw(st.booleans()))


def every_pair(score, rows, columns):
    """Means over pairs of queries and keys that have a score, shares of cells counted; NaN where none has."""
    gaps = np.subtract.outer(np.arange(rows.first, rows.last), np.arange(columns.first, columns.last))
    different, where = np.unique(gaps, return_inverse=True)
    each = np.exp(np.multiply.outer(np.where(score.causal, np.maximum(different, 0), different), score.rates))
    seen = (gaps >= 0) | (not score.causal)
    values = np.where(seen, each.real.sum(axis=1)[where.reshape(gaps.shape)], 0.0)
    down, across = (shares(span, span.last, span.first) for span in (rows, columns))
    some = (down > 0).astype(float) @ seen @ (across > 0).astype(float).T > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(some, (down @ values @ across.T) / (down @ seen @ across.T), np.nan)


def assert_exact(score, rows, columns, tolerance=1e-9):
    found, expected = gap_means(score, rows, columns), every_pair(score, rows, columns)
    assert found.shape == (rows.number, columns.number)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    if np.isfinite(expected).any():
        assert np.nanmax(np.abs(found - expected)) <= tolerance * len(score.rates)


@settings(max_examples=70, deadline=None)
@given(scores(), st.sampled_from((0.0, LAST - 230.0)), WAYS, st.data())
def test_every_way_gives_the_mean_of_the_pairs(score, first, near, data):
    rows, columns = data.draw(spans(first)), data.draw(spans(first))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gap_window, "NEAR", near)
        assert_exact(score, rows, columns)


@settings(max_examples=40)
@given(scores(), WAYS, st.data())
def test_far_from_the_diagonal(score, near, data):
    early, late = data.draw(spans()), data.draw(spans(LAST - 230.0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gap_window, "NEAR", near)
        for rows, columns in ((early, late), (late, early)):
            assert_exact(score, rows, columns)


@settings(max_examples=60)
@given(scores(), st.integers(1, 9), st.integers(1, 40), st.integers(1, 40), st.integers(50, 400))
@example(GapScore(np.array([-0.01 + 0.3j]), True), 7, 5, 11, 391)
def test_whole_blocks_with_a_common_measure(score, unit, down, across, stop):
    """Many rectangles of few sizes: those on the diagonal are put together from squares."""
    assert_exact(score, whole_blocks(0, unit * down, stop), whole_blocks(0, unit * across, stop))
    assert_exact(score, whole_blocks(unit, unit * down, stop), whole_blocks(0, unit * across, stop + 3))


@settings(max_examples=40)
@given(scores(), st.integers(1, 9), st.integers(30, 300), st.integers(0, 40))
def test_one_long_block_beside_many_short_ones(score, step, stop, start):
    """Many rectangles on the diagonal, of which each is a little longer than the one before."""
    long = whole_blocks(start, stop, start + stop)
    for short in (whole_blocks(0, step, stop), whole_blocks(start // step, step, stop + start)):
        assert_exact(score, long, short)
        assert_exact(score, short, long)


def test_a_sliver_of_the_last_query_is_all_that_sees_a_key():
    """A corner of a rectangle, of a share so small that differences of large sums would be noise."""
    score = GapScore(np.array([-1e-3 + 0.5j, -0.2 + 1e-4j]), True)
    for sliver in (1e-3, 1e-9, 1e-13):
        rows = Blocks(40.0 + sliver, 31, 10, 9, 1000)
        for start in (40.0, 43.0, 43.1, 46.2 - sliver):
            assert_exact(score, rows, Blocks(start, 27, 10, 12, 1000))


@pytest.mark.parametrize("causal", [False, True])
def test_very_many_waves_are_added_up_in_single_precision(causal):
    """To 2e-6 of the largest score, near a million too."""
    count = 2048
    frequencies = 10000.0 ** (-np.arange(count) / count)
    fading = np.log((np.arange(count) + 0.2 * count) / (1.2 * count)) / 512.0
    score = GapScore(turning(frequencies) + (fading if causal else 0.0), causal)
    for first in (0.0, LAST - 700.0):
        for rows, columns in (
            (blocks((first, first + 611.3), 190, LAST + 1), blocks((first + 20.7, first + 700.0), 170, LAST + 1)),
            (whole_blocks(int(first), 20, int(first) + 700), whole_blocks(int(first), 30, int(first) + 690)),
        ):
            for near in (1 << 16, 10):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(gap_window, "NEAR", near)
                    assert_exact(score, rows, columns, 2e-6)


def test_a_transform_gives_what_products_give(monkeypatch):
    frequencies = 10000.0 ** (-np.arange(512) / 512)
    score = GapScore(turning(frequencies), False)
    rows, columns = blocks((5.5, 900.0), 300, LAST + 1), blocks((700.0, 1500.2), 250, LAST + 1)
    means = gap_means(score, rows, columns)
    monkeypatch.setattr(gap_window, "TRANSFORM", 0)
    assert np.abs(gap_means(score, rows, columns) - means).max() <= 1e-6 * 512


@given(scores(), st.lists(st.floats(0.0, 90.0, width=32), min_size=2, max_size=9, unique=True).map(sorted))
def test_sums_between_edges_anywhere(score, edges):
    rows, columns = np.array(edges), np.array([0.0, 7.25, 30.0])
    found = gap_sums(score, rows, columns)
    for near in (1 << 16, 10):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gap_window, "NEAR", near)
            assert np.abs(gap_sums(score, rows, columns) - found).max() <= 1e-9 * 90 * 30 * len(score.rates)
    total = gap_sums(score, rows[[0, -1]], columns[[0, -1]])
    assert found.sum() == pytest.approx(float(total[0, 0]), abs=1e-9 * 90 * 30 * len(score.rates))


@given(scores(), st.lists(st.floats(0.0, 60.0, width=32), min_size=2, max_size=9).map(sorted))
def test_waves_between_edges(score, edges):
    found = edge_waves(score.rates, np.array(edges), np.complex128)
    cells = np.arange(61.0)
    covered = np.clip(np.minimum.outer(edges[1:], cells + 1) - np.maximum.outer(edges[:-1], cells), 0.0, None)
    expected = covered @ np.exp(np.multiply.outer(cells, score.rates))
    assert np.abs(found - expected).max() <= 1e-11 * 60


def test_which_way_is_told_by_the_blocks():
    whole = whole_blocks(0, 40, 4000), whole_blocks(0, 30, 4000)
    assert (line_length(*whole), spanned_gaps(*whole)) == (1 + 396 + 399, 8000)
    assert line_length(whole_blocks(0, 4001, 4000), whole[1]) == 134
    assert line_length(*[whole_blocks(0, 4001, 4000)] * 2) == 1
    assert line_length(whole[0], blocks((0.5, 100.0), 40, 4000)) is None
    assert line_length(whole_blocks(0, 3001, LAST), whole_blocks(0, 3000, LAST)) is None
