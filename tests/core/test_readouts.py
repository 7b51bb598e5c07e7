"""The read-out table: the numbers of the five classic tests."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.part_readouts import largest_value, properties_json, readouts_json
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, scheme_class
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.sentence import word_vectors
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST, plain

START = LabState()


def readouts(**changes):
    return {r.name: r for r in compute(START.change(changes)).readouts.readouts}


def test_none_and_swap_is_exactly_0():
    found = readouts(scheme="none", swap=True)
    assert found["input_gap"].value == 0.0
    assert found["input_gap"].text == "0.000"
    assert found["input_gap"].note == "The two sentences are the same input: a set of words without order."
    assert found["output_gap"].value < 1e-12
    assert found["output_gap"].text == "0.000"


@pytest.mark.parametrize("name", ALL)
def test_input_gap_by_hand(name):
    """Words matched by identity; only the two exchanged ones move, by the distance of their two rows."""
    scheme = plain(name)
    found = readouts(scheme=name, swap=True)["input_gap"].value
    if scheme.acts is not Acts.ADDED:
        assert found == 0.0
        return
    rows = scheme.encode([1, 4])
    assert found == pytest.approx(2 * np.linalg.norm(rows[0] - rows[1]) / 5, rel=1e-9)
    assert found > 0.01


@pytest.mark.parametrize("name", [name for name in ALL if plain(name).acts in (Acts.ROTARY, Acts.BIAS)])
def test_schemes_that_act_on_scores_say_so(name):
    found = readouts(scheme=name, swap=True)
    assert "adds nothing to the input: it acts on the scores" in found["input_gap"].note
    assert found["output_gap"].value > 0.01


@pytest.mark.parametrize("name", ALL)
def test_positions_that_travel_change_nothing(name):
    found = readouts(scheme=name, swap=True)
    assert found["output_gap_travelling"].value < 1e-9
    assert found["output_gap_travelling"].text == "0.000"


def test_a_causal_mask_moves_the_outputs_even_without_encoding():
    found = readouts(scheme="none", swap=True, causal=True)
    assert found["input_gap"].value == 0.0
    assert found["output_gap"].value > 0.1


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({}, "No sentence B: the swap is off."),
        ({"swap": True, "sentence": ""}, "No sentence B: there are no two words to exchange."),
        ({"swap": True, "sentence": "one"}, "No sentence B: there are no two words to exchange."),
        (
            {"swap": True, "swap_words": (1, 4), "length": 4},
            "No sentence B: word 4 lies past the 4 words that take part.",
        ),
        ({"swap": True, "sentence": "a a"}, "The two chosen words are the same word, so A and B are one sentence."),
    ],
)
def test_why_there_is_no_gap(changes, note):
    found = readouts(**changes)["input_gap"]
    assert found.note == note
    assert found.value == (0.0 if changes.get("sentence") == "a a" else None)


@given(st.integers(0, LAST), st.sampled_from(ALL))
def test_largest_value(spot, name):
    state = START.change({"scheme": name, "length": LAST + 1, "position": spot, "key_position": 0})
    found, scheme = largest_value(state), state.built
    if name == "alibi":
        assert found == scheme.slopes()[0] * max(spot, LAST - spot)
    elif isinstance(scheme, ScoreBias):
        near = np.clip(spot + np.arange(-600, 601), 0, LAST)
        assert found >= np.abs(scheme.bias([spot], near, [0])).max() - 1e-9
        assert scheme.bound() is None or found <= scheme.bound()
    elif isinstance(scheme, Rotary):
        angles = scheme.angles([spot])
        assert found == max(np.abs(np.cos(angles)).max(), np.abs(np.sin(angles)).max())
        assert found <= 1.0
    elif name == "learned" and spot >= 512:
        assert found is None
    else:
        assert found == np.abs(scheme.encode([spot])).max()
    if name == "integer":
        assert found == spot
    if name in ("sinusoidal", "normalized"):
        assert found <= 1.0


def test_largest_value_of_the_integer_scheme_climbs_with_the_spot():
    found = [readouts(scheme="integer", length=LAST + 1, position=p)["largest_value"] for p in (0, 12, 5000, LAST)]
    assert [r.value for r in found] == [0, 12, 5000, LAST]
    assert [r.text for r in found] == ["0.000", "12.000", "5,000", "1.0·10⁶"]
    assert "inspected spot 12" in found[1].tooltip


def test_lengthening_moves_every_row_of_spot_over_length():
    short, long = plain("normalized", 4, 100).encode(range(1, 100)), plain("normalized", 4, 200).encode(range(1, 100))
    assert (short != long).all()
    steady = {light.name: light for light in compute(START.change({"scheme": "normalized"})).readouts.properties}
    assert steady["steady"].holds is False


def test_no_row_past_the_table():
    found = readouts(scheme="learned", length=1000, position=600)["largest_value"]
    assert (found.value, found.text) == (None, "no row")


def test_longest_sequence():
    """Values within [-1, 1], every row distinct, both as numbers."""
    found = compute(START.change({"length": LAST + 1}))
    table = readouts_json(found.readouts)
    assert table["largest_value"] <= 1.0
    assert table["closest_pair_distance"] > 1.0
    assert table["row_norm_min"] == table["row_norm_max"] == pytest.approx(math.sqrt(32), abs=1e-12)
    assert table["gap_spread"] < 1e-9
    assert table["rotation_residual"] < 1e-8
    lights = properties_json(found.readouts)
    assert all(lights[name]["holds"] for name in lights)


@settings(max_examples=60)
@given(
    st.sampled_from(ALL), st.integers(2, 70), st.integers(2, 300), st.booleans(), st.booleans(), st.text(max_size=30)
)
def test_table_as_json(name, dimension, length, swap, causal, text):
    acts = scheme_class(name).acts
    if name == "sincos2d" or acts is Acts.ROTARY:
        dimension += -dimension % 4
    text = text.encode(errors="ignore").decode()
    state = START.change({"scheme": name, "dimension": dimension, "length": length})
    state = state.change({"swap": swap, "causal": causal, "sentence": text})
    snapshot = compute(state)
    table = readouts_json(snapshot.readouts)
    assert list(table) == [
        *("input_gap", "output_gap", "output_gap_travelling", "largest_value", "row_norm_min", "row_norm_max"),
        *("closest_pair", "closest_pair_distance", "gap_spread", "rotation_residual"),
    ]
    for value in table.values():
        assert value is None or isinstance(value, list) or math.isfinite(value)
    assert (table["row_norm_min"] is None) == (acts is not Acts.ADDED)
    assert table["closest_pair"] is None or acts is not Acts.BIAS
    assert table["closest_pair"] is not None or name not in ("none", "integer", "normalized", "sinusoidal", "rope")
    if table["input_gap"] is not None and name == "none":
        assert table["input_gap"] == 0.0
    for readout in snapshot.readouts.readouts:
        assert readout.text
        assert readout.tooltip.endswith(".")


def test_input_vectors_are_the_words_plus_their_rows():
    words = word_vectors(START.words, 64, 0)
    assert np.abs(words).max() > 0
    assert readouts(swap=True, seed=5)["input_gap"].value == readouts(swap=True)["input_gap"].value
