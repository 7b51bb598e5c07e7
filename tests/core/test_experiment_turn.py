"""The fixed rotation: R_k in closed form, its residual, and schemes that have none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.experiment import QUICK
from pe_desktop.core.properties import rotation_residual
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, scheme_class
from tests.core.experiment_states import a_state, changes, matters, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL, sinusoidals

TURNING = ("sinusoidal", "rope", "xpos")
WITHOUT_ROWS = [name for name in ALL if scheme_class(name).acts in (Acts.NOTHING, Acts.BIAS)]
OTHERS = [name for name in ALL if name not in (*TURNING, *WITHOUT_ROWS)]


def apart(gap, scheme="sinusoidal", start=12, **fields):
    return a_state("turn", scheme, position=start, key_position=start + gap, **fields)


@given(sinusoidals(64), st.data())
@settings(max_examples=50)
def test_the_matrix_takes_every_row_to_its_partner(scheme, data):
    """With the whole matrix of a narrow scheme, multiplied in plain numpy."""
    gap = data.draw(st.integers(0, scheme.length - 1))
    state = a_state("turn", dimension=scheme.dimension, length=scheme.length, key_position=gap, position=0)
    state = state.change({"params": {"base": scheme.base, "layout": scheme.layout}})
    part = run(state)
    matrix, pairs = part.plates[0].values, min(8, scheme.dimension // 2)
    assert matrix.shape == (2 * pairs, 2 * pairs)
    sine, cosine = scheme.pairs()
    columns = np.stack([sine, cosine], axis=1).ravel()[: 2 * pairs]
    rows = scheme.encode(range(scheme.length))[:, columns]
    assert rows[: scheme.length - gap] @ matrix.T == pytest.approx(rows[gap:], abs=2e-6)
    assert matrix @ matrix.T == pytest.approx(np.eye(2 * pairs), abs=1e-6)
    assert value(part, "gap") == gap
    assert value(part, "residual") < 1e-9
    frequencies = scheme.frequencies()
    assert value(part, "angle_fast") == pytest.approx(gap * frequencies[0])
    assert value(part, "angle_slow") == pytest.approx(gap * frequencies[-1])


def test_the_matrix_of_rope_turns_a_query():
    state = apart(5, "rope", 10)
    part, scheme = run(state), state.built
    vector = np.random.default_rng(0).standard_normal((1, 64))
    first, second = scheme.pairs()
    columns = np.stack([first, second], axis=1).ravel()[:16]
    turned = scheme.rotate(vector, [5])[0, columns]
    assert part.plates[0].values @ vector[0, columns] == pytest.approx(turned, abs=1e-5)
    assert part.plates[0].row_labels[:4] == ("cos 0", "sin 0", "cos 1", "sin 1")


def test_numbers_of_the_usual_encoding():
    part = run(apart(8))
    assert value(part, "gap") == 8
    assert value(part, "residual") < 1e-13
    assert value(part, "angle_fast") == 8.0
    assert value(part, "angle_slow") == pytest.approx(8 / 10000 ** (62 / 64))
    assert part.point == "k = 8"
    assert part.sentence.startswith("One rotation takes any row p to row p + 8, missing by at most ")
    assert part.sentence.endswith("pairs turn by 8 rad (fastest) to 0.00107 rad, whatever p is.")
    assert part.plates[0].note == "first 8 of 32 pairs"
    assert part.plates[0].row_labels[:4] == ("sin 0", "cos 0", "sin 1", "cos 1")


@pytest.mark.parametrize("scheme", TURNING)
@pytest.mark.parametrize("dimension", [2, 64, 8192])
def test_rounding_alone_is_left_at_a_million_positions(scheme, dimension):
    state = apart(1000, scheme, 500_000, dimension=dimension, length=1_048_576)
    part = run(state)
    assert value(part, "residual") < 1e-8
    line = part.plates[2].lines[0]
    assert (line.x[0], line.x[-1]) == (0, 1_048_575 - 1000)
    assert line.y.max() == value(part, "residual")
    assert line.y.min() >= 1e-18
    assert state.built_experiment.cost(state) <= QUICK


@pytest.mark.parametrize("scheme", OTHERS)
def test_schemes_that_are_no_rotation_miss(scheme):
    state = apart(8, scheme)
    part = run(state)
    assert value(part, "residual") == pytest.approx(rotation_residual(state.built, 8))
    assert value(part, "residual") > 0.05
    assert part.sentence.startswith("No fixed rotation takes row p to row p + 8: the best one misses by up to ")
    assert part.plates[2].lines[0].y.max() == pytest.approx(value(part, "residual"))
    assert part.plates[0].title == "Best rotation for k = 8"


def test_raw_integers_miss_by_the_same_everywhere():
    """All pairs lie on one diagonal, so the best turn is none, and k√2 is missing."""
    part = run(apart(8, "integer"))
    assert value(part, "residual") == pytest.approx(8 * np.sqrt(2))
    assert value(part, "angle_fast") == pytest.approx(0.0)
    assert part.plates[2].lines[0].y == pytest.approx(np.full(120, 8 * np.sqrt(2)))


@pytest.mark.parametrize("scheme", WITHOUT_ROWS)
def test_schemes_without_rows_are_refused(scheme):
    part = run(apart(8, scheme))
    assert part.kind == "text"
    assert "no rows that could be turned" in part.sentence


def test_a_gap_past_the_end_of_a_table_is_refused():
    state = apart(60, "learned", 0).change({"params": {"trained_length": 50}})
    part = run(state)
    assert part.sentence.startswith("No position has a partner 60 further on: the table has 50 rows.")
    assert run(state.change({"key_position": 49})).kind == "plates"


def test_no_gap_turns_nothing():
    part = run(apart(0))
    assert part.sentence.startswith("Inspected spot and key position are the same")
    assert part.plates[0].values == pytest.approx(np.eye(16))
    assert value(part, "residual") == 0.0


def test_strips_are_a_row_the_turned_row_and_its_partner():
    state = apart(8)
    strips = run(state).plates[1]
    rows = state.built.encode([12, 20])[:, :16]
    assert strips.values[0] == pytest.approx(rows[0], abs=1e-6)
    assert strips.values[1] == pytest.approx(rows[1], abs=1e-6)
    assert strips.values[2] == pytest.approx(rows[1], abs=1e-6)
    assert strips.row_labels == ("row 12", "turned", "row 20")
    late = run(a_state("turn", position=127, key_position=100)).plates[1]
    assert late.row_labels == ("row 0", "turned", "row 27")
    table = run(apart(8, "learned")).plates[1].values
    assert np.abs(table[1] - table[2]).max() > 0.1


def test_an_unpaired_column_is_no_part_of_it():
    part = run(apart(8, dimension=7))
    assert part.plates[0].values.shape == (6, 6)
    assert "the paired columns of any row p" in part.sentence
    assert "it turns the only pair by 8 rad" in run(apart(8, dimension=2)).sentence


def test_xpos_says_that_it_scales_too():
    assert run(apart(8, "xpos")).sentence.endswith("It also scales queries and keys.")
    assert "scales" not in run(apart(8, "rope")).sentence


@given(states("turn", dimensions=st.integers(2, 64)))
@settings(max_examples=80)
def test_any_state_has_an_outcome(state):
    part = run(state)
    scheme = state.built
    if part.kind == "text":
        assert state.scheme in WITHOUT_ROWS or scheme.last_position is not None
        return
    assert isinstance(scheme, Additive | Rotary)
    expected = rotation_residual(scheme, abs(state.position - state.key_position))
    if state.scheme in TURNING:
        assert value(part, "residual") < 1e-8
    else:
        assert value(part, "residual") == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"position": 13},
        {"key_position": 21},
        {"dimension": 32},
        {"length": 200},
        {"scheme": "rope"},
        {"params": {"base": 500.0}},
    ],
)
def test_a_change_that_matters_gives_another_outcome(change):
    matters(a_state("turn"), change)


@given(states("turn", dimensions=st.integers(2, 32), longest=4000), changes())
@settings(max_examples=60)
def test_what_matters_is_in_the_key(state, change):
    same_where_keys_agree(state, change)
