"""Pictures of a table: exact means against all cells, what is kept of them, and the rows that stand in for others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import table_means as means
from pe_desktop.core.blocks import blocks, whole_blocks
from pe_desktop.core.lengths import at_length
from pe_desktop.core.parts import Viewport
from pe_desktop.core.schemes import learned
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import plain
from tests.core.windows import shares


@pytest.fixture(autouse=True)
def nothing_read(monkeypatch):
    monkeypatch.setattr(means, "_LAST_ROWS", means._LastRows())
    monkeypatch.setattr(learned, "_BLOCKS", learned._Blocks())


@settings(max_examples=60)
@given(st.integers(2, 30), st.integers(2, 200), st.data())
def test_means_of_any_window(dimension, length, data):
    scheme = plain("learned", dimension, 500, trained_length=length)
    every = scheme.encode(range(length))
    for _ in range(3):  # the second and the third of the same table take over what was read
        spans = []
        for total in (length, dimension):
            low = data.draw(st.floats(0, total - 1))
            pixels = data.draw(st.integers(1, 20))
            spans.append(blocks((low, data.draw(st.floats(low + 0.5, total + 1))), pixels, total))
        rows, columns = spans
        found = means.table_means(scheme, rows, columns)
        expected = shares(rows, length) @ every @ shares(columns, dimension).T
        assert np.abs(found - expected).max() < 1e-6


def test_a_table_too_large_to_be_kept_is_read_in_strips(monkeypatch):
    monkeypatch.setattr(means, "MOST_KEPT", 0)
    monkeypatch.setattr(means, "STRIP_CELLS", 100)
    scheme = plain("learned", 8, 500, trained_length=200)
    rows, columns = blocks((3.3, 190.0), 17, 200), blocks((0, 8), 3, 8)
    expected = shares(rows, 200) @ scheme.encode(range(200)) @ shares(columns, 8).T
    assert np.abs(means.table_means(scheme, rows, columns) - expected).max() < 1e-12
    assert means._LAST_ROWS.find(scheme, columns) is None


def test_another_length_reads_nothing_again(monkeypatch):
    scheme = plain("learned", 64, 5000, trained_length=256)
    columns = blocks((0, 64), 10, 64)
    cost = means.table_cost(scheme, blocks((0, 256), 20, 256), columns)
    assert cost > 256 * 64 * means.DRAWN
    means.table_means(scheme, blocks((0, 256), 20, 256), columns)
    monkeypatch.setattr(type(scheme), "rows", None)  # whoever reads rows now is found out
    longer = at_length(scheme, 9000)
    rows = blocks((0, 200), 33, 256)
    assert means.table_cost(longer, rows, columns) < cost / 10
    means.table_means(longer, rows, columns)


@pytest.mark.parametrize("span", [(0, 5000), (0, 8192), (100, 300), (8000, 8192)])
def test_a_stand_in_draws_few_rows(span):
    scheme = plain("learned", 8192, 1 << 20, trained_length=8192)
    columns = blocks((0, 8192), 40, 8192)
    values, rows = means.table_samples(scheme, span, 100, columns, 8192)
    assert values.shape == (rows.number, columns.number)
    assert rows.number <= 101
    assert rows.is_whole
    assert rows.step % scheme.draw_step == 0
    assert rows.first <= span[0]
    assert rows.last >= span[1]
    drawn = sum(block.drawn for block in learned._BLOCKS._kept.values())
    assert drawn * 8192 <= 2 * means.SAMPLED_CELLS
    for number, first in enumerate(rows.starts):
        expected = scheme.encode([first])[0] @ shares(columns, 8192).T
        assert np.abs(values[number] - expected).max() < 1e-6


def test_past_its_end_a_table_is_0():
    scheme = plain("learned", 16, 1 << 20, trained_length=100)
    values, rows = means.table_samples(scheme, (0, 1 << 20), 50, whole_blocks(0, 1, 16), 100)
    assert rows.number <= 51
    assert np.array_equal(values[0], scheme.encode([0])[0].astype(np.float32))
    assert not values[1:].any()


def test_a_quick_picture_says_what_it_shows_and_the_full_one_follows():
    viewport = Viewport(matrix=(100, 100))
    state = LabState().change({"scheme": "learned", "dimension": 4096, "length": 512})
    quick = compute(state, viewport, full=False).matrix
    assert quick.pixel == "each cell is 1 of 64 positions × the mean of 82 dimensions; exact means follow…"
    assert not quick.exact
    full = compute(state, viewport).matrix
    assert full.exact
    assert full.pixel.startswith("mean of 5.1")
    longer = compute(state.change({"length": 600}), viewport, full=False).matrix  # what was read serves another length
    assert longer.pixel == "mean of 6 positions × 41 dimensions"
