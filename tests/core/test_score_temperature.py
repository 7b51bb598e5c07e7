"""Scores under a query temperature: every query counts with its own factor, however often that changes in a block."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import gap_window, score_temperature
from pe_desktop.core.blocks import blocks, whole_blocks
from pe_desktop.core.gap_line import GapScore
from pe_desktop.core.score_temperature import (
    CORRECTED,
    LEFT_OUT,
    NONE,
    SPLIT,
    changes_inside,
    changes_of,
    changes_way,
    has_scale,
    scaled_means,
)
from tests.core.strategies import LAST, plain
from tests.core.windows import shares


@st.composite
def warm(draw, length=LAST + 1):
    params = {
        "temperature": draw(st.sampled_from(("llama4", "ministral3"))),
        "temperature_length": draw(st.integers(1, 90)),
        "temperature_strength": draw(st.floats(0.01, 3.0)),
        "base": draw(st.sampled_from((100.0, 10000.0, 1e9))),
    }
    return plain("rope", 2 * draw(st.integers(1, 8)), length, **params)


@st.composite
def spans(draw, first):
    low = first + draw(st.floats(0.0, 90.0, width=32) | st.integers(0, 90).map(float))
    high = min(low + draw(st.floats(1.0, 300.0, width=32)), LAST + 1.0)
    return blocks((low, high), draw(st.integers(1, 40)), LAST + 1, whole=draw(st.booleans()))


def score_of(scheme):
    return GapScore(scheme.rates(), False)


@settings(max_examples=80, deadline=None)
@given(warm(), st.sampled_from((0.0, LAST - 300.0)), st.booleans(), st.booleans(), st.data())
def test_each_query_has_its_factor(scheme, first, far, corrected, data):
    rows, columns = data.draw(spans(first)), data.draw(spans(first))
    score = score_of(scheme)
    with pytest.MonkeyPatch.context() as patch:
        if far:
            for module in (gap_window, score_temperature):
                patch.setattr(module, "NEAR", 10)
        elif corrected:
            patch.setattr(score_temperature, "MOST_CELLS", 0)
        if changes_way(scheme, rows, columns) == LEFT_OUT:
            return
        means, factor = scaled_means(scheme, score, rows, columns)
    queries, keys = np.arange(rows.first, rows.last), np.arange(columns.first, columns.last)
    each = np.cos(np.multiply.outer(np.subtract.outer(queries, keys), scheme.inv_freq())).sum(axis=2)
    scale = scheme.query_scale(queries)
    down, across = (shares(span, span.last, span.first) for span in (rows, columns))
    most = float(scale.max())
    assert np.abs(means - down @ (scale[:, None] * each) @ across.T).max() <= 2e-7 * most * len(score.rates)
    assert np.abs(factor - down @ scale).max() <= 1e-9 * most


@pytest.mark.parametrize("kind", ["llama4", "ministral3"])
@pytest.mark.parametrize("step", [1, 7, 8192])
def test_where_it_changes(kind, step):
    scheme = plain("rope", 8, 30_000, temperature=kind, temperature_length=step)
    factors = scheme.query_scale(np.arange(30_000.0))
    every = np.flatnonzero(np.diff(factors)) + 1
    first, spacing = changes_of(scheme)
    found = np.arange(first, 30_000, spacing)
    assert np.array_equal(found[found > 0], every)


@given(warm(4000), st.data())
def test_changes_inside_blocks(scheme, data):
    low = data.draw(st.floats(0.0, 300.0, width=32))
    rows = blocks((low, low + data.draw(st.floats(1.0, 900.0, width=32))), data.draw(st.integers(1, 60)), 4000)
    every = np.flatnonzero(np.diff(scheme.query_scale(np.arange(4000.0)))) + 1
    edges = rows.edges
    inside = [(every > a) & (every < b) for a, b in itertools.pairwise(edges)]
    assert changes_inside(scheme, rows) == int(np.sum(inside))
    first, counts = changes_of(scheme).inside(rows)
    for one, count, which in zip(first, counts, inside, strict=True):
        assert count == which.sum()
        assert not count or one == every[which][0]


def test_no_factor_no_changes():
    calm = plain("rope", 8, 300)
    assert not has_scale(calm)
    assert changes_of(calm) is None
    assert changes_inside(calm, whole_blocks(0, 7, 300)) == 0
    assert changes_way(calm, whole_blocks(0, 7, 300), whole_blocks(0, 7, 300)) == NONE
    assert not has_scale(plain("alibi", 8, 300))


def test_too_many_changes_are_not_followed():
    whole, cut = whole_blocks(0, 3500, LAST + 1), blocks((100.5, 1100.5), 300, LAST + 1)
    for step, way in ((8192, CORRECTED), (100, CORRECTED), (1, LEFT_OUT)):
        scheme = plain("rope", 8192, LAST + 1, temperature="llama4", temperature_length=step)
        assert changes_way(scheme, whole, whole) == way
    restless = plain("rope", 8192, LAST + 1, temperature="llama4", temperature_length=1)
    assert changes_way(restless, cut, cut) == SPLIT  # all gaps are known there, and waves need not be looked at again
    assert changes_way(restless, cut, whole) == LEFT_OUT
    assert changes_way(plain("rope", 8, LAST + 1, temperature="llama4", temperature_length=1), cut, whole) == SPLIT
    dense = whole_blocks(0, 70, 30_000), whole_blocks(0, 50, 30_000)
    assert changes_way(restless, *dense) == CORRECTED  # the parts of the blocks would have too many cells
