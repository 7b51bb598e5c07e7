"""Lowest and highest score among exactly the cells that each block of a window touches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.blocks import blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.extremes import window_extremes
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import REGISTRY, Acts
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_extremes import score_extremes
from pe_desktop.core.score_window import score_at
from tests.core.strategies import LAST, any_scheme, fitting, plain, ropes
from tests.core.test_extremes import agree, touched
from tests.core.windows import ranges


def cells(scheme, queries, keys, head):
    """Every score, as :func:`score_at` gives it; NaN where there is none."""
    if isinstance(scheme, ScoreBias):
        return scheme.bias(queries, keys, [head])[0]
    if scheme.acts is Acts.NOTHING:
        return np.zeros((len(queries), len(keys)))
    defined = defined_rows(scheme)
    if scheme.acts is Acts.ADDED:
        out = np.full((len(queries), len(keys)), np.nan)
        there = queries < defined, keys < defined
        out[np.ix_(*there)] = scheme.encode(queries[there[0]]) @ scheme.encode(keys[there[1]]).T
        return out
    scores = np.stack([scheme.profile(int(query), keys.astype(float)) for query in queries])
    return scores * scheme.query_scale(queries)[:, None]


def brute_force(scheme, rows, columns, head=0):
    queries, keys = (np.arange(span.first, span.last) for span in (rows, columns))
    full = cells(scheme, queries, keys, head)
    low, high = (np.full((rows.number, columns.number), np.nan) for _ in range(2))
    for i, (top, bottom) in enumerate(touched(rows)):
        for j, (left, right) in enumerate(touched(columns)):
            block = full[top - rows.first : bottom - rows.first, left - columns.first : right - columns.first]
            if not np.isnan(block).all():
                low[i, j], high[i, j] = np.nanmin(block), np.nanmax(block)
    return (low, high), full


def scale_of(scheme, full, head):
    """The range of scores: of a bias or a straight line over the sequence, else up to that of a row with itself."""
    if np.isnan(full).all():
        return 0.0
    if isinstance(scheme, ScoreBias):
        ends = np.arange(scheme.length)
        return float(np.ptp(scheme.bias(ends, ends, [head])))
    return 2.0 * float(np.nanmax(np.abs(full), initial=score_at(scheme, 0, 0) or 0.0))


@settings(max_examples=60)
@given(any_scheme(), st.data())
def test_the_extremes_of_what_a_block_touches(scheme, data):
    total = scheme.length
    spans = [blocks(data.draw(ranges(total)), data.draw(st.integers(1, 60)), total) for _ in range(2)]
    head = data.draw(st.integers(0, (scheme.heads or 1) - 1))
    expected, full = brute_force(scheme, *spans, head)
    agree(score_extremes(scheme, *spans, head), expected, scale_of(scheme, full, head))


@settings(max_examples=50)
@given(ropes(), st.sampled_from(("llama4", "ministral3")), st.integers(1, 120), st.floats(0, 2), st.data())
def test_the_query_temperature_is_followed_inside_blocks(rope, name, step, strength, data):
    made = {"temperature": name, "temperature_length": step, "temperature_strength": strength}
    scheme = plain("rope", rope.dimension, rope.length, base=rope.base, rotary_dimension=rope.rotary_width, **made)
    total = scheme.length
    spans = [blocks(data.draw(ranges(total)), data.draw(st.integers(1, 60)), total) for _ in range(2)]
    expected, full = brute_force(scheme, *spans)
    agree(score_extremes(scheme, *spans), expected, scale_of(scheme, full, 0))


FAR = {"integer": 2.0 * 16 * LAST**2, "normalized": 32.0, "sinusoidal": 16.0}


@pytest.mark.parametrize("where", [(LAST - 900.3, LAST - 20.5), (4000.2, 4700.7)])
@pytest.mark.parametrize("name", sorted(set(REGISTRY) - {"alibi", "kerple", "fire"}))
def test_far_along_the_longest_sequence(name, where):
    """Beside the diagonal and far from it; biases whose range is the sequence's are tried with the matrix."""
    scheme = plain(name, fitting(name, 16), LAST + 1)
    rows, columns = blocks((LAST - 800.1, LAST - 11.0), 37, LAST + 1), blocks(where, 23, LAST + 1)
    expected, full = brute_force(scheme, rows, columns)
    scale = FAR.get(name, 2.0)
    if isinstance(scheme, ScoreBias):
        scale = float(np.ptp(full)) or float(np.abs(full).max())
    agree(score_extremes(scheme, rows, columns), expected, scale)


def test_a_bias_is_its_own_picture():
    scheme = plain("t5", 8, 300)
    spans = blocks((3.5, 270.0), 20, 300), blocks((0, 300), 17, 300)
    for one, other in zip(score_extremes(scheme, *spans, 2), window_extremes(scheme, *spans, 2), strict=True):
        assert np.array_equal(one, other)


def test_an_odd_dimension_is_worked_out_score_by_score():
    """The last sine has no cosine, so the score is no function of the gap."""
    scheme = plain("sinusoidal", 9, 200)
    spans = blocks((0, 200), 13, 200), blocks((0, 200), 7, 200)
    expected, _ = brute_force(scheme, *spans)
    agree(score_extremes(scheme, *spans), expected, 9.0)


@pytest.mark.parametrize(
    ("name", "params"),
    [("mrope", {}), ("axial", {}), ("sincos2d", {}), ("sinusoidal", {}), ("learned", {"trained_length": 8192})],
)
def test_too_many_scores_are_refused_in_a_sentence(name, params):
    scheme = plain(name, 8191 if name in ("sinusoidal", "learned") else 8192, LAST + 1, **params)
    spans = blocks((0, LAST + 1), 420, LAST + 1), blocks((0, LAST + 1), 430, LAST + 1)
    with pytest.raises(FieldError, match=r"depends on more than the gap .* zoom in to about 1,448 × 1,448") as refused:
        score_extremes(scheme, *spans)
    assert refused.value.field == "statistic"


def test_a_temperature_that_changes_too_often_is_refused():
    scheme = plain("rope", 8, LAST + 1, temperature="llama4", temperature_length=3)
    spans = blocks((0, LAST + 1), 420, LAST + 1), blocks((0, LAST + 1), 430, LAST + 1)
    with pytest.raises(FieldError, match=r"changes 349,\d{3} times inside these blocks"):
        score_extremes(scheme, *spans)
    near = blocks((0, 4000), 420, LAST + 1), blocks((0, 4000), 430, LAST + 1)
    assert not np.isnan(score_extremes(scheme, *near)[0]).any()


def test_later_keys_have_no_score_where_scores_fade():
    scheme = plain("xpos", 8, 100)
    low, high = score_extremes(scheme, blocks((0, 100), 10, 100), blocks((0, 100), 10, 100))
    assert np.isnan(low[np.triu_indices(10, 1)]).all()
    assert not np.isnan(high[np.tril_indices(10)]).any()
    assert (np.diagonal(high) == 1.0).all()  # gap 0
