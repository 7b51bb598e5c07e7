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
from pe_desktop.core.sampling import defined_rows, picture, shape_of
from tests.core.strategies import LAST, any_scheme, plain
from tests.core.windows import ranges, shares

OFFSETS = ("t5", "kerple", "shaw", "transformer_xl", "deberta")


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
    """Means of what each block covers; rows past the end of a table take no part."""
    defined = defined_rows(scheme)
    out = np.zeros(made.values.shape)
    if made.rows.start < defined:
        rows, columns = shape_of(scheme)
        down = shares(made.rows.cut(defined), rows)
        out[: len(down)] = down @ cells(scheme, head) @ shares(made.columns, columns).T
    return out


@settings(max_examples=80)
@given(any_scheme(), st.data())
def test_every_cell_is_the_mean_of_what_it_covers(scheme, data):
    spans = [data.draw(ranges(count)) for count in shape_of(scheme)]
    window = Window(*spans, data.draw(st.integers(1, 60)), data.draw(st.integers(1, 60)))
    head = data.draw(st.integers(0, (scheme.heads or 1) - 1))
    made = picture(scheme, window, head)
    assert made.values.dtype == np.float32
    assert made.values.flags.c_contiguous
    assert made.values.shape == (made.rows.number, made.columns.number)
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
        at = np.arange(made.rows.first, LAST + 1)
        if isinstance(scheme, Additive):
            every = scheme.encode(at)
        elif isinstance(scheme, Rotary):
            first, second = scheme.pairs()
            every = np.empty((len(at), 8))
            every[:, first], every[:, second] = np.cos(scheme.angles(at)), np.sin(scheme.angles(at))
        else:
            every = scheme.bias(at, range(8))[1]
        down = shares(made.rows, LAST + 1, made.rows.first)
        expected = down @ every
        assert np.abs(made.values - expected).max() <= 1e-5 * colour_scale(scheme, 1)


def test_rows_past_the_table_are_zero():
    scheme = plain("learned", 8, 100, trained_length=40)
    made = picture(scheme, Window((0, 100), (0, 8), 100, 8))
    assert np.abs(made.values[:40]).min() > 0
    assert np.array_equal(made.values[40:], np.zeros((60, 8)))


def test_shape_of_each_kind():
    assert shape_of(plain("sinusoidal", 8, 30)) == (30, 8)
    assert shape_of(plain("rope", 8, 30, rotary_dimension=4)) == (30, 4)
    assert shape_of(plain("alibi", 8, 30)) == (30, 30)
