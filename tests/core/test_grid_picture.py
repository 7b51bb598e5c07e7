"""Pictures of schemes on a grid, against the means of every cell weighted by the share that a pixel has of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import grid_picture
from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, blocks, whole_blocks
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import build
from tests.core.strategies import axials, mropes, sincos2ds

MILLION = 1 << 20
NAMES = ("mrope", "axial", "sincos2d")


def shares(span):
    """The share of every cell from ``first`` on that each block has, shape (blocks, cells)."""
    low, high = span.edges[:-1, None], span.edges[1:, None]
    cells = np.arange(span.first, span.last)
    return np.maximum(np.minimum(cells + 1, high) - np.maximum(cells, low), 0.0) / (high - low)


def cells_of(scheme, positions):
    """What the matrix picture shows at each token, float64."""
    if isinstance(scheme, Additive):
        return scheme.encode(positions)
    assert isinstance(scheme, Rotary)
    angles, out = scheme.angles(positions), np.empty((len(positions), scheme.rotary_width))
    first, second = scheme.pairs()
    out[:, first], out[:, second] = np.cos(angles), np.sin(angles)
    return out


def one_by_one(scheme, rows, columns):
    cells = cells_of(scheme, np.arange(rows.first, rows.last, dtype=float))[:, columns.first : columns.last]
    return shares(rows) @ cells @ shares(columns).T


def width_of(scheme):
    return scheme.rotary_width if isinstance(scheme, Rotary) else scheme.dimension


@st.composite
def windows(draw, total, most):
    """Blocks of a window of up to `most` cells: what a view asks for, or blocks of any size from anywhere on."""
    low = draw(st.floats(0, total - 1))
    high = min(total, low + draw(st.floats(1, min(most, total))))
    if draw(st.booleans()):
        return blocks((low, high), draw(st.integers(1, 60)), total)
    cells, per = draw(st.integers(1, 90)), draw(st.integers(1, 9))
    if cells < per:
        cells, per = per, cells
    most_blocks = max(1, int((total - low) * per / cells))
    return Blocks(low, cells, per, draw(st.integers(1, min(most_blocks, 60))), total)


def any_gridded(lengths):
    return st.one_of(mropes(lengths=lengths), axials(lengths=lengths), sincos2ds(lengths=lengths))


@settings(max_examples=80)
@given(any_gridded(st.integers(2, 1500)), st.data())
def test_every_pixel_is_the_mean_of_what_it_covers(scheme: Gridded, data):
    rows = data.draw(windows(scheme.length, 1500))
    columns = data.draw(windows(width_of(scheme), 40))
    found = scheme.picture_means(rows, columns)
    assert found.dtype == np.float32
    assert np.abs(found - one_by_one(scheme, rows, columns)).max() < 1e-6


@st.composite
def large_grids(draw):
    name, dimension = draw(st.sampled_from(NAMES)), draw(st.sampled_from((4, 12, 32)))
    params = {"base": draw(st.sampled_from((3.0, 10_000.0, 5e5, 1e9)))}
    if name == "mrope":
        params |= {"image_rows": draw(st.integers(1, 1024)), "image_columns": draw(st.integers(1, 1024))}
        params |= {"frames": draw(st.integers(1, 1024)), "text_before": draw(st.integers(0, 1_000_000))}
        params |= {"interleaved": draw(st.booleans())}
    else:
        params |= {"grid_columns": draw(st.integers(1, MILLION))}
    if name == "sincos2d":
        params |= {"class_token": draw(st.booleans()), "layout": draw(st.sampled_from(("mae", "pe2d")))}
    return build(name, params, dimension, MILLION)


@settings(max_examples=60)
@given(large_grids(), st.data())
def test_near_a_million(scheme: Gridded, data):
    low = MILLION - data.draw(st.floats(1, 60_000))
    rows = blocks((low, low + data.draw(st.floats(1, 60_000))), data.draw(st.integers(1, 90)), MILLION)
    columns = data.draw(windows(width_of(scheme), 32))
    assert np.abs(scheme.picture_means(rows, columns) - one_by_one(scheme, rows, columns)).max() < 1e-6


@settings(max_examples=15)
@given(large_grids(), st.data())
def test_a_whole_million(scheme: Gridded, data):
    """A few rows of the whole picture, each of thousands of tokens."""
    rows = blocks((data.draw(st.floats(0, 9)), MILLION), data.draw(st.integers(200, 420)), MILLION)
    columns = data.draw(windows(width_of(scheme), 32))
    found, edges = scheme.picture_means(rows, columns), rows.edges
    for row in (0, data.draw(st.integers(0, rows.number - 1)), rows.number - 1):
        low, high = edges[row], edges[row + 1]
        tokens = np.arange(np.floor(low), np.ceil(high))
        share = (np.minimum(tokens + 1, high) - np.maximum(tokens, low)) / (high - low)
        expected = share @ cells_of(scheme, tokens)[:, columns.first : columns.last] @ shares(columns).T
        assert np.abs(found[row] - expected).max() < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_agree(name, monkeypatch):
    """Places tabulated or picked: which one is quicker must not show."""
    scheme = build(name, {}, 64, 4000)
    rows, columns = blocks((3.3, 3999.0), 300, 4000), blocks((0.4, 63.0), 20, 64)
    found = []
    for most in (0, 1 << 20):
        monkeypatch.setattr(grid_picture, "TABLE", most)
        found.append(scheme.picture_means(rows, columns))
    assert np.abs(found[0] - found[1]).max() < 1e-6
    assert np.abs(found[0] - one_by_one(scheme, rows, columns)).max() < 1e-6


def test_a_class_token_is_zero():
    scheme = build("sincos2d", {"class_token": True, "grid_columns": 3}, 8, 30)
    found = scheme.picture_means(whole_blocks(0, 1, 30), whole_blocks(0, 1, 8))
    assert not found[0].any()
    assert np.abs(found - scheme.encode(range(30))).max() < 1e-6
    halves = scheme.picture_means(Blocks(0.0, 1, 2, 4, 30), whole_blocks(0, 1, 8))
    assert not halves[:2].any()
    assert np.abs(halves[2:] - scheme.encode([1])).max() < 1e-6


def test_columns_by_hand():
    """Two columns and a half of a third in one pixel."""
    scheme = build("axial", {"grid_columns": 5}, 8, 100)
    found = scheme.picture_means(whole_blocks(37, 1, 38), Blocks(1.0, 5, 2, 1, 8))[0, 0]
    cells = cells_of(scheme, np.array([37.0]))[0]
    assert found == pytest.approx((cells[1] + cells[2] + cells[3] / 2) / 2.5, abs=1e-6)


@pytest.mark.parametrize(
    ("columns", "rows", "row"),
    [
        (300_000, Blocks(0.0, 2500, 1, 400, MILLION), 120),  # 300,000 starts a new row of patches
        (300_000, Blocks(1250.0, 2500, 1, 400, MILLION), 119),  # … in the middle of a block
        (300, Blocks(0.0, 2500, 1, 41, 100_001), 40),  # a single token at the end
    ],
)
def test_small_differences_of_large_sums(columns, rows, row):
    scheme = build("axial", {"grid_columns": columns, "base": 1e9}, 16, MILLION)
    found = scheme.picture_means(rows, whole_blocks(0, 1, 16))[row]
    tokens = np.arange(rows.edges[row], rows.edges[row + 1])
    assert np.abs(found - cells_of(scheme, tokens).mean(axis=0)).max() < 5e-7
