"""Lowest and highest: of exactly the cells that each block of a window touches, for any scheme, window and size."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, blocks
from pe_desktop.core.extremes import window_extremes
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows, shape_of
from pe_desktop.core.scheme import REGISTRY
from tests.core.strategies import LAST, any_scheme, fitting, plain
from tests.core.windows import ranges

FAR = (LAST - 3000.7, LAST - 5.2)


def cells(scheme, positions, columns, head):
    """The matrix, cell by cell: rows (n,) x columns (k,); NaN past the end of a table."""
    if isinstance(scheme, Additive):
        full = np.full((len(positions), scheme.dimension), np.nan)
        inside = positions < defined_rows(scheme)
        full[inside] = scheme.encode(positions[inside])
        return full[:, columns]
    if isinstance(scheme, Rotary):
        angles, (first, second) = scheme.angles(positions), scheme.pairs()
        full = np.full((len(positions), scheme.rotary_width), np.nan)
        full[:, first], full[:, second] = np.cos(angles), np.sin(angles)
        return full[:, columns]
    return scheme.bias(positions, columns, [head])[0]


def touched(span: Blocks):
    edges = span.edges
    return [(int(np.floor(low)), int(np.ceil(high))) for low, high in pairwise(edges)]


def brute_force(scheme, rows, columns, head=0):
    """Smallest and largest of each block, and the range of values."""
    across = np.arange(columns.first, columns.last)
    full = cells(scheme, np.arange(rows.first, rows.last), across, head)
    low, high = (np.full((rows.number, columns.number), np.nan) for _ in range(2))
    for i, (top, bottom) in enumerate(touched(rows)):
        band = full[top - rows.first : bottom - rows.first]
        band = band[~np.isnan(band).any(axis=1)]
        for j, (left, right) in enumerate(touched(columns)):
            block = band[:, left - columns.first : right - columns.first]
            if block.size:
                low[i, j], high[i, j] = block.min(), block.max()
    return low, high, scale_of(scheme, full, head)


def scale_of(scheme, full, head):
    if isinstance(scheme, Rotary) or (isinstance(scheme, Additive) and scheme.value_bound is not None):
        return 2.0  # sines and cosines
    if np.isnan(full).all():
        return 0.0
    if scheme.length <= 400 and not isinstance(scheme, Additive):
        full = cells(scheme, np.arange(scheme.length), np.arange(scheme.length), head)
    return float(np.nanmax(full) - np.nanmin(full))


def agree(found, expected, scale):
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == np.float32
        assert one.shape == other.shape
        assert np.array_equal(np.isnan(one), np.isnan(other))
        off = np.abs(one - other)
        assert np.nanmax(off, initial=0.0) <= 1e-5 * scale + 1e-7 * np.nanmax(np.abs(other), initial=0.0)


@settings(max_examples=70)
@given(any_scheme(), st.data())
def test_the_extremes_of_what_a_block_touches(scheme, data):
    spans = [blocks(data.draw(ranges(count)), data.draw(st.integers(1, 60)), count) for count in shape_of(scheme)]
    head = data.draw(st.integers(0, (scheme.heads or 1) - 1))
    low, high, scale = brute_force(scheme, *spans, head)
    agree(window_extremes(scheme, *spans, head), (low, high), scale)


@pytest.mark.parametrize("pixels", [3, 200, 1700, 4000])
@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_at_the_end_of_the_longest_sequence(name, pixels):
    """From many positions in a block to a block for each."""
    scheme = plain(name, fitting(name, 22), LAST + 1)
    n_rows, n_columns = shape_of(scheme)
    rows = blocks(FAR, pixels, n_rows)
    columns = blocks((1.3, 20.9) if n_columns < 100 else (LAST - 500.5, LAST - 100.1), 9, n_columns)
    low, high, scale = brute_force(scheme, rows, columns)
    agree(window_extremes(scheme, rows, columns), (low, high), scale)


def test_rows_past_the_table_have_no_value():
    scheme = plain("learned", 8, 100, trained_length=41)
    low, high = window_extremes(scheme, blocks((0, 100), 10, 100), blocks((0, 8), 2, 8))
    assert np.isnan(low[5:]).all()
    assert np.isnan(high[5:]).all()
    assert np.array_equal(low[4], np.array([scheme.encode([40])[0, :4].min(), scheme.encode([40])[0, 4:].min()], "f"))
    nowhere = window_extremes(scheme, blocks((50, 100), 10, 100), blocks((0, 8), 2, 8))
    assert np.isnan(nowhere).all()


@pytest.mark.parametrize(("threshold", "c"), [(1.0, 0.1), (900.0, 0.01)])
def test_bends_of_a_network_inside_the_blocks(threshold, c):
    """Cells whose ratio is nearest to a bend, of a network with many."""
    scheme = plain("fire", 8, 1500, hidden=256, threshold=threshold, c=c, heads=4)
    spans = blocks((10.5, 1500), 23, 1500), blocks((0, 1400.5), 19, 1500)
    low, high, _ = brute_force(scheme, *spans, 3)
    agree(window_extremes(scheme, *spans, 3), (low, high), float(np.ptp([low, high])))
