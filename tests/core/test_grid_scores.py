"""Scores of blocks of tokens on grids, against the mean over every pair of tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import grid_scores
from pe_desktop.core.grid_means import block_waves
from pe_desktop.core.grid_scores import Spans
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.scheme import build
from tests.core.strategies import axials, mropes, sincos2ds

MILLION = 1 << 20


def mean_hands(scheme, low, high):
    """Mean cosine and sine of each pair over tokens, of which edges cut shares off, complex."""
    tokens = np.arange(np.floor(low), np.ceil(high))
    share = np.minimum(tokens + 1, high) - np.maximum(tokens, low)
    angles = scheme.coordinates(tokens)[:, scheme.pair_axis()] * scheme.turns()
    return (share * ~scheme.is_silent(tokens)) @ np.exp(1j * angles) / (high - low)


def one_by_one(scheme, rows, columns):
    first, second = (
        np.stack([mean_hands(scheme, low, low + count) for low, count in zip(*each, strict=True)])
        for each in (rows, columns)
    )
    return (first @ second.conj().T).real


def scores(scheme, rows, columns):
    return grid_scores.grid_scores(scheme.turns(), scheme.pair_axis(), scheme.runs, rows, columns)


@st.composite
def spans(draw, total, whole):
    """Blocks that follow each other, or any blocks at all."""
    number = st.integers(0, total - 1) if whole else st.floats(0, total - 1)
    if draw(st.booleans()):
        inner = np.unique(np.array(draw(st.lists(number, max_size=12)), dtype=float))
        inner = inner[(inner > 1e-3) & (inner < total - 1e-3)]
        inner = inner[np.diff(inner, prepend=0.0) > 1e-3]
        edges = np.concatenate([[0.0], inner, [total]])[draw(st.integers(0, len(inner))) :]
        return Spans(edges[:-1], np.diff(edges))
    starts = np.array(draw(st.lists(number, min_size=1, max_size=8)), dtype=float)
    sizes = [draw(st.integers(1, max(1, int(total - start)))) for start in starts]
    return Spans(starts, np.array(sizes, dtype=float))


@settings(max_examples=70)
@given(st.one_of(mropes(), axials(), sincos2ds()), st.booleans(), st.data())
def test_every_rectangle_is_a_mean(scheme: Gridded, whole, data):
    rows, columns = (data.draw(spans(scheme.length, whole)) for _ in range(2))
    found = scores(scheme, rows, columns)
    assert np.abs(found - one_by_one(scheme, rows, columns)).max() < 1e-6 * len(scheme.turns())


@settings(max_examples=60)
@given(st.one_of(mropes(), axials(), sincos2ds()), st.sampled_from((0, 5, 100)), st.data())
def test_whichever_way_is_taken(scheme: Gridded, few, data):
    """By gaps always, or by the waves of few blocks, or of both."""
    rows, columns = (data.draw(spans(scheme.length, False)) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid_scores, "PER_CELL", 1e9)
        patch.setattr(grid_scores, "FEW", few)
        patch.setattr(grid_scores, "NEAR", -1)
        found = scores(scheme, rows, columns)
    assert np.abs(found - one_by_one(scheme, rows, columns)).max() < 1e-6 * len(scheme.turns())


def by_hands(scheme, rows, columns):
    """From the means of waves over blocks, which have tests of their own, in float64."""
    first, second = (block_waves(scheme.turns(), scheme.pair_axis(), scheme.runs, *each) for each in (rows, columns))
    return (first @ second.conj().T).real


def evenly(low, step, count):
    edges = low + step * np.arange(count + 1.0)
    return Spans(edges[:-1], np.diff(edges))


LARGE = [
    ("axial", {}),
    ("axial", {"grid_columns": 1}),
    ("axial", {"grid_columns": 1000, "base": 1e9}),
    ("axial", {"grid_columns": 300_000}),
    ("sincos2d", {"grid_columns": 24, "class_token": True}),
    ("mrope", {}),
    ("mrope", {"text_before": 400_000, "image_rows": 300, "image_columns": 500, "frames": 2, "interleaved": True}),
    ("mrope", {"image_rows": 40, "image_columns": 30, "frames": 500, "text_after": "qwen2_vl"}),
]


@pytest.mark.parametrize(("name", "params"), LARGE)
@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (evenly(0, 26_214, 40), evenly(0, 20_971.5, 50)),
        (evenly(0, 3, 40), evenly(0, 26_214, 40)),
        (evenly(MILLION - 40, 1, 40), evenly(7, 13.7, 60)),
        (evenly(MILLION - 4000, 100, 40), evenly(MILLION - 5000, 100.25, 40)),
        (evenly(399_990, 2.5, 30), evenly(399_950, 7, 30)),
    ],
)
def test_a_million_tokens(name, params, rows, columns, monkeypatch):
    scheme = build(name, params, 96, MILLION)
    monkeypatch.setattr(grid_scores, "PER_CELL", 1e9)
    found = scores(scheme, rows, columns)
    assert np.abs(found - by_hands(scheme, rows, columns)).max() < 1e-6 * len(scheme.turns())


def test_products_where_they_are_cheaper():
    scheme = build("mrope", {}, 96, MILLION)
    rows, columns = evenly(0, 200_000, 5), evenly(0, 131_072, 8)
    assert np.abs(scores(scheme, rows, columns) - by_hands(scheme, rows, columns)).max() < 1e-6 * 48
