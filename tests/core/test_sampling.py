"""Pictures: every cell is the mean of exactly the cells it covers, for any scheme, window and size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.part_matrix import colour_scale
from pe_desktop.core.parts import Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import blocks, column_means, defined_rows, picture, shape_of
from tests.core.strategies import LAST, any_scheme, plain

OFFSETS = ("t5", "kerple", "shaw", "transformer_xl", "deberta")


@given(st.integers(-50, 900), st.integers(-50, 900), st.integers(0, 300), st.integers(1, 800))
def test_blocks_cover_the_cells_and_are_aligned(first, last, pixels, total):
    made = blocks((first, last), pixels, total)
    starts, counts = made.starts, made.counts
    assert made.start % made.step == 0
    assert starts[0] == made.start
    assert np.array_equal(starts, made.start + made.step * np.arange(len(starts)))
    assert np.array_equal(starts + counts, [*starts[1:], made.stop])  # without gap or overlap
    assert (counts >= 1).all()
    assert (counts[:-1] == made.step).all()
    wanted = range(max(first, 0), min(last, total))
    assert not wanted or (made.start <= wanted[0] and made.stop > wanted[-1])
    assert 0 <= made.start < made.stop <= total
    assert made.start > max(min(first, total - 1), 0) - made.step  # no more than alignment needs
    assert len(starts) <= max(pixels, 1) + 1


def test_panning_does_not_move_block_edges():
    edges = set(blocks((0, 1000), 100, 5000).starts)
    for shift in range(0, 1000, 37):
        made = blocks((shift, shift + 1000), 100, 5000)
        assert made.step == 10
        assert all(start % 10 == 0 for start in made.starts)
    assert edges == set(range(0, 1000, 10))


def cells(scheme, head):
    """The whole matrix, cell by cell."""
    rows, columns = shape_of(scheme)
    if isinstance(scheme, Additive):
        full = np.zeros((rows, columns))
        defined = defined_rows(scheme)
        full[:defined] = scheme.encode(range(defined))
        return full
    if isinstance(scheme, Rotary):
        angles, (first, second) = scheme.angles(range(rows)), scheme.pairs()
        full = np.full((rows, columns), np.nan)
        full[:, first], full[:, second] = np.cos(angles), np.sin(angles)
        return full
    return scheme.bias(range(rows), range(columns))[head]


def brute_force(scheme, made, head):
    """Means of the cells of each block; rows past the end of a table take no part."""
    full, defined = cells(scheme, head), defined_rows(scheme)
    out = np.zeros(made.values.shape)
    for i, (a, p) in enumerate(zip(made.rows.starts, made.rows.counts, strict=True)):
        band = full[int(a) : min(int(a + p), defined)]
        if len(band):
            mean = band.mean(axis=0)
            for j, b in enumerate(made.columns.starts.astype(int)):
                out[i, j] = mean[b : min(b + made.columns.step, made.columns.stop)].mean()
    return out


@settings(max_examples=150)
@given(any_scheme(), st.data())
def test_every_cell_is_the_mean_of_what_it_covers(scheme, data):
    rows, columns = shape_of(scheme)
    ranges = []
    for count in (rows, columns):
        first = data.draw(st.integers(0, count - 1))
        ranges.append((first, data.draw(st.integers(first + 1, count))))
    window = Window(*ranges, data.draw(st.integers(1, 60)), data.draw(st.integers(1, 60)))
    head = data.draw(st.integers(0, (scheme.heads or 1) - 1))
    made = picture(scheme, window, head)
    assert made.values.dtype == np.float32
    assert made.values.flags.c_contiguous
    assert made.values.shape == (len(made.rows.starts), len(made.columns.starts))
    if made.seen is not None:  # a sample, see the test of the scheme
        assert scheme.sampled
        assert np.abs(made.values).max() <= colour_scale(scheme, head) * (1 + 1e-5)
        return
    difference = np.abs(made.values - brute_force(scheme, made, head)).max()
    assert difference <= 1e-5 * max(colour_scale(scheme, head), 1e-9)


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "integer", "normalized", "alibi", *OFFSETS])
def test_the_end_of_the_longest_sequence(name):
    """One position per pixel, and many: the exact cells, and their exact means."""
    scheme = plain(name, 8, LAST + 1)
    for height in (64, 7):
        made = picture(scheme, Window((LAST - 63, LAST + 1), (0, 8), height, 8), 1)
        at = np.arange(int(made.rows.start), LAST + 1)
        if isinstance(scheme, Additive):
            every = scheme.encode(at)
        elif isinstance(scheme, Rotary):
            first, second = scheme.pairs()
            every = np.empty((len(at), 8))
            every[:, first], every[:, second] = np.cos(scheme.angles(at)), np.sin(scheme.angles(at))
        else:
            every = scheme.bias(at, range(8))[1]
        edges = made.rows.starts.astype(int) - made.rows.start
        expected = np.add.reduceat(every, edges) / made.rows.counts[:, None]
        assert np.abs(made.values - expected).max() <= 1e-5 * colour_scale(scheme, 1)


def test_rows_past_the_table_are_zero():
    scheme = plain("learned", 8, 100, trained_length=40)
    made = picture(scheme, Window((0, 100), (0, 8), 100, 8))
    assert np.abs(made.values[:40]).min() > 0
    assert np.array_equal(made.values[40:], np.zeros((60, 8)))


@pytest.mark.parametrize("step", [1, 2, 8, 9, 20, 50])
@pytest.mark.parametrize("width", [1, 7, 18, 40, 41])
def test_means_of_columns(step, width):
    if step > width:
        step = width
    values = np.random.default_rng(0).standard_normal((3, width))
    found = column_means(values, step)
    expected = [values[:, a : a + step].mean(axis=1) for a in range(0, width, step)]
    assert np.abs(found - np.array(expected).T).max() < 1e-15 * 10


def test_shape_of_each_kind():
    assert shape_of(plain("sinusoidal", 8, 30)) == (30, 8)
    assert shape_of(plain("rope", 8, 30, rotary_dimension=4)) == (30, 4)
    assert shape_of(plain("alibi", 8, 30)) == (30, 30)
