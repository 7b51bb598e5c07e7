"""Blocks: they cover a range without gap, overlap or drift, one per pixel, and means over them are exact."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_desktop.core.blocks import (
    WHOLE_FROM,
    aligned_blocks,
    blocks,
    cell_means,
    cell_sums,
    existing,
    pieces,
    plane_blocks,
    put_together,
    whole_blocks,
)
from tests.core.windows import shares

MILLION = 1 << 20
totals = st.integers(1, 900) | st.integers(MILLION - 50, MILLION)


@st.composite
def asked(draw):
    """A range that may lie anywhere, pixels, and how many cells there are."""
    total = draw(totals)
    edge = st.floats(-0.1 * total - 5, 1.1 * total + 5, allow_subnormal=False) | st.integers(-5, total + 5).map(float)
    low, high = sorted((draw(edge), draw(edge)))
    return (low, high), draw(st.integers(0, 700)), total


@settings(max_examples=80)
@given(asked())
@example(((316.99999999999994, 318.0), 1, 318))
def test_one_block_for_each_pixel(case):
    span, pixels, total = case
    low, high = existing(span, total)
    made = blocks(span, pixels, total)
    edges = made.edges
    assert len(edges) == made.number + 1
    assert (np.diff(edges) > 0).all()
    if made.step == 1.0:
        assert high - low <= max(pixels, 1) * (1 + 2e-6)
        assert np.array_equal(edges, np.arange(np.floor(low), np.ceil(high) + 1))
        return
    assert made.number <= max(pixels, 1)
    assert edges[0] == low
    assert high - 1e-6 <= edges[-1] <= total
    # The block is at least as large as a pixel, and by so little that they part by less than a cell over the picture.
    step = (high - low) / max(pixels, 1)
    assert 0 <= made.step - step <= 1.01 / max(4, int(np.sqrt(pixels)))
    assert made.number * made.step - (high - low) < made.step + 1.5 * np.sqrt(made.number)


@settings(max_examples=80)
@given(asked())
def test_edges_do_not_drift(case):
    span, pixels, total = case
    made = blocks(span, pixels, total)
    start = Fraction(made.start)
    for index in {0, 1, made.number // 2, made.number - 1, made.number}:
        true = min(start + Fraction(index * made.cells, made.per), Fraction(total))
        assert abs(Fraction(float(made.edges[index])) - true) <= Fraction(1, 10**9)


@given(asked())
def test_every_cell_belongs_to_one_block(case):
    span, pixels, total = case
    made = blocks(span, pixels, total)
    whole = made.whole_edges
    assert whole[0] == made.first
    assert whole[-1] == made.last
    assert (np.diff(whole) >= 0).all()
    assert np.abs(whole[1:-1] - made.edges[1:-1]).max(initial=0.0) <= 0.5
    if made.step >= 2.0:
        assert (np.diff(whole[:-1]) >= 1).all()


@given(asked())
def test_whole_blocks_are_aligned(case):
    span, pixels, total = case
    low, high = existing(span, total)
    for made in (blocks(span, pixels, total, whole=True), aligned_blocks(span, 7, total)):
        assert made.is_whole
        assert made.start % made.step == 0
        starts, counts = made.starts, made.counts
        assert np.array_equal(starts + counts, [*starts[1:], made.end])  # without gap or overlap
        assert (counts >= 1).all()
        assert (counts[:-1] == made.step).all()
        assert made.start <= low
        assert made.end >= high
        assert made.end <= total
        assert made.start > low - made.step  # no more than alignment needs
    assert blocks(span, pixels, total, whole=True).number <= max(pixels, 1) + 1


def test_panning_does_not_move_whole_edges():
    edges = set(blocks((0, 1000), 100, 5000, whole=True).starts)
    for shift in range(0, 1000, 37):
        made = blocks((shift, shift + 1000), 100, 5000, whole=True)
        assert made.step == 11 if shift % 1 else made.step == 10
        assert all(start % 10 == 0 for start in made.starts)
    assert edges == set(range(0, 1000, 10))


def test_planes_have_whole_edges_where_cells_are_small():
    assert not plane_blocks((0.5, 900.0), 200, 1000).is_whole
    assert plane_blocks((0.5, 200 * WHOLE_FROM + 0.5), 200, 10_000).is_whole


@given(asked(), st.integers(1, 1000))
def test_cutting(case, stop):
    made = blocks(*case)
    stop += made.first
    if stop <= made.start:
        return
    cut = made.cut(stop)
    assert cut.end == min(made.end, stop)
    assert np.array_equal(cut.edges[:-1], made.edges[: cut.number])
    assert cut.edges[-1] == min(stop, made.edges[cut.number])
    assert cut.edges[-1] > cut.edges[-2]


@settings(max_examples=100)
@given(st.integers(1, 300), st.data())
def test_means_of_cells(total, data):
    values = np.random.default_rng(total).standard_normal((total, 3))
    low, high = sorted(data.draw(st.tuples(*[st.floats(0, total, allow_subnormal=False)] * 2)))
    span = blocks((low, high), data.draw(st.integers(1, 200)), total)
    expected = shares(span, total) @ values
    inner = values[span.first : span.last]
    assert np.abs(cell_means(inner, span, 0) - expected).max() < 1e-9
    assert np.abs(cell_means(inner.T.copy(), span, 1) - expected.T).max() < 1e-9
    runs = pieces(span)
    sums = np.concatenate([np.zeros((1, 3)), np.cumsum(values, axis=0)])
    first, count = runs.starts.astype(int), runs.counts.astype(int)
    means = (sums[first + count] - sums[first]) / count[:, None]
    assert np.abs(put_together(means, runs, 0) - expected).max() < 1e-9


@given(st.lists(st.floats(0, 12, allow_subnormal=False), min_size=2, max_size=9))
def test_sums_between_any_edges(edges):
    """Even several edges within one cell, and none at all between two."""
    edges = np.sort(np.array(edges))
    values = np.arange(1.0, 13.0) ** 2
    cumulative = np.concatenate([[0.0], np.cumsum(values)])
    expected = np.diff(np.interp(edges, np.arange(13), cumulative))
    assert np.abs(cell_sums(values, edges, 0) - expected).max() < 1e-9


@pytest.mark.parametrize(
    ("start", "step", "stop", "number"), [(0, 1, 5, 5), (6, 3, 14, 3), (6, 3, 15, 3), (4, 9, 5, 1)]
)
def test_blocks_by_their_edges(start, step, stop, number):
    made = whole_blocks(start, step, stop)
    assert (made.number, made.first, made.last) == (number, start, stop)
    assert made.counts.sum() == stop - start
