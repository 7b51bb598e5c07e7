"""The similarity part: its words, its window, and the value at one position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.part_curve import curve_is_quick, curve_part, value_at, window_of
from pe_desktop.core.parts import Viewport
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.similarity import compared_rows, row_similarity
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST, fitting


def state(scheme="sinusoidal", **changes):
    return LabState().change({"scheme": scheme, **changes})


LONG = state(length=LAST + 1, position=500_000)


@pytest.mark.parametrize(
    ("rows", "pixels", "words"),
    [
        (None, 800, "lowest and highest of every 1,311 positions"),
        ((1000.25, 2000.25), 400, "lowest and highest of every 2.5 positions"),
        ((1000.25, 1800.25), 400, "lowest and highest of every 2 positions"),
        ((1000.0, 46_550.0), 400, "lowest and highest of every 114 positions"),
        ((1000.3, 1399.9), 400, "each point is 1 position"),
    ],
)
def test_what_a_point_is(rows, pixels, words):
    part = curve_part(LONG, Viewport(rows=rows, curve=pixels))
    assert part.point == words
    assert part.exact


def test_a_stand_in_says_so_and_has_the_peak():
    part = curve_part(LONG, Viewport(curve=800), False)
    assert not part.exact
    assert part.point == "sampled: 1 of every 655 positions; the exact range is being computed…"
    at, covered = part.point_of(500_000)
    assert covered in (1310, 1311)
    assert part.high[at] == part.spot_value == 1.0


def test_a_window_within_cells_shows_the_cells_that_it_touches_and_one_more_on_either_side():
    """So that the line goes on to where the view ends, even where that shows a single position."""
    part = curve_part(state(), Viewport(rows=(20.4, 30.6)))
    assert part.x.tolist() == list(range(19, 32))
    assert part.edges.tolist() == list(range(19, 33))
    assert curve_part(state(), Viewport(rows=(20.0, 21.0))).x.tolist() == [19, 20, 21]
    assert curve_part(state("alibi"), Viewport(rows=(20.0, 21.0))).x.tolist() == [19, 20, 21]
    assert curve_part(state(), Viewport(rows=(0.0, 1.0))).x.tolist() == [0, 1]
    empty = curve_part(state("xpos"), Viewport(rows=(13.0, 30.5)))
    assert len(empty.x) == 0
    one = curve_part(state("xpos"), Viewport(rows=(12.9, 30.5)))
    assert one.x.tolist() == [11.0, 12.0]
    flat = curve_part(state("none"), Viewport(rows=(20.4, 30.6)))
    assert flat.x.tolist() == [20.0, 30.0]
    assert window_of(state(), Viewport()) == (0.0, 128.0)


def test_the_point_of_a_position():
    part = curve_part(LONG, Viewport(rows=(999.5, 2000.5), curve=100))
    for position in (999, 1000, 1500, 2000):
        at, covered = part.point_of(position)
        assert part.edges[at] <= position < part.edges[at + 1]
        assert covered == part.edges[at + 1] - part.edges[at]
    assert part.point_of(998) is None
    assert part.point_of(2001 + 11) is None
    table = state("learned", length=10_000, dimension=512, params={"trained_length": 8192}, position=5)
    singles = curve_part(table, Viewport(), False)
    assert (singles.exact, singles.edges) == (False, None)
    assert singles.point_of(256) == (2, 1)
    assert singles.point_of(3) is singles.point_of(LAST) is None


@settings(max_examples=60)
@given(st.sampled_from(ALL), st.integers(0, 127), st.integers(0, 127))
def test_the_value_at_a_position_is_that_of_the_curve(name, spot, position):
    made = state(name, dimension=fitting(name, 24), position=spot)
    part = curve_part(made, Viewport(curve=1000))
    found = value_at(made, position)
    if position >= part.defined or part.spot_value is None:
        assert found is None
        return
    at = int(np.flatnonzero(part.x == position).item()) if name != "none" else 0
    assert found == pytest.approx(part.low[at], abs=1e-9)
    assert found == pytest.approx(part.high[at], abs=1e-9)
    assert value_at(made, spot) == pytest.approx(part.spot_value, abs=1e-12)


@pytest.mark.parametrize("name", ALL)
def test_the_value_far_away_lies_within_its_column(name):
    made = state(name, dimension=fitting(name, 36), length=200_000, position=150_000 if name != "learned" else 100)
    part = curve_part(made, Viewport(curve=300))
    for position in (0, 77, 70_007, 149_999, 150_000, 199_999):
        found = value_at(made, position)
        if position >= part.defined:
            assert found is None
        elif (point := part.point_of(position)) is not None:
            assert part.low[point[0]] - 2e-6 <= found <= part.high[point[0]] + 2e-6
    assert value_at(made, -1) is value_at(made, 200_000) is None


def test_the_value_of_an_odd_dimension_and_of_a_bias():
    odd = state(dimension=65, position=7)
    assert value_at(odd, 90) == pytest.approx(row_similarity(odd.built, 7, np.array([90.0]))[0], abs=1e-12)
    bias = state("alibi", head=2, position=30)
    assert isinstance(bias.built, ScoreBias)
    assert value_at(bias, 10) == bias.built.bias([30], [10], [2])[0, 0, 0] == -20 * 2.0**-3


def test_the_columns_of_a_bias_that_is_looked_at_key_by_key():
    part = curve_part(state("transformer_xl", length=5000, position=2000), Viewport(curve=100))
    assert part.point_of(2049) == (40, 50)
    line = curve_part(state("alibi", length=5000, position=2001), Viewport(curve=100))
    assert line.point_of(2001) == (41, 1)
    assert line.point_of(2002) is None


def test_past_a_table_there_is_no_value():
    inside = state("learned", length=1000, position=12)
    assert defined_rows(inside.built) == 512
    assert value_at(inside, 511) is not None
    assert value_at(inside, 512) is None
    assert value_at(inside.change({"position": 600}), 12) is None
    assert compared_rows(state("xpos").built, 12) == 13


@pytest.mark.parametrize("name", ["integer", "normalized", "none"])
def test_what_is_straight_is_exact_at_once(name):
    long = state(name, length=LAST + 1, position=1000)
    assert curve_is_quick(long, Viewport())
    assert curve_part(long, Viewport(), False).exact
