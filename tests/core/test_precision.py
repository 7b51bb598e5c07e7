"""Rounding on the way from position to cosine: formats, presets, and the library's own float32 numbers."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.precision import (
    EXACT,
    OVERFLOWS_AT,
    PRESETS,
    SIGNIFICANT_BITS,
    Formats,
    PrecisionChoice,
    angles_in,
    half_step,
    library_frequencies,
    pipeline,
)
from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import build
from pe_desktop.core.state import LabState, from_json
from tests.core.golden import read, worst
from tests.core.strategies import plain, positions, ropes, sinusoidals

ROPE = [case for case in read("rope.json")["cases"] if case["evaluations"][0]["inv_freq"] is not None]
PLAIN = [case for case in ROPE if case["effective_rope_parameters"]["rope_type"] == "default"]
NAMES = tuple(SIGNIFICANT_BITS)
ROUNDING = tuple(name for name in NAMES if name != EXACT)
FLOAT32 = Formats("float32", "float32", "float32", "float32")
formats = st.builds(Formats, *[st.sampled_from(NAMES)] * 4)
waves = st.one_of(ropes(), sinusoidals())


# The library's numbers


def test_the_models():
    assert len(ROPE) == 38  # GPT-J keeps a table only
    assert len(PLAIN) == 22


@pytest.mark.parametrize("case", ROPE, ids=lambda case: case["id"])
def test_given_the_librarys_frequencies_all_positions_agree(case):
    for evaluation in case["evaluations"]:
        frequencies = rounded(evaluation["inv_freq"], "float32")
        places, factor = np.array(evaluation["positions"], dtype=np.float64), evaluation["attention_factor"]
        angles = angles_in(places[:, None], frequencies, FLOAT32)
        assert worst(factor * np.cos(angles), evaluation["cos"]) <= 2e-7
        assert worst(factor * np.sin(angles), evaluation["sin"]) <= 2e-7
    assert places.max() > 4000


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["id"])
def test_frequencies_have_the_librarys_bits(case):
    base = float(case["effective_rope_parameters"]["rope_theta"])
    scheme = plain("rope", case["head_dim"], base=base, rotary_dimension=case["rotary_dim"])
    theirs = rounded(case["evaluations"][0]["inv_freq"], "float32")
    ours = library_frequencies(scheme)
    # Of all pairs one at most, where the library's power is a step off; rounding once would miss a third of them.
    assert np.count_nonzero(ours != theirs) <= 1
    assert np.abs(ours / theirs - 1).max() <= 2.0**-23


def test_an_extension_acts_on_the_librarys_frequencies():
    first = plain("rope", 128, base=500000.0)
    stretched = plain("rope", 128, base=500000.0, extension="linear", factor=4.0)
    assert np.array_equal(library_frequencies(stretched), library_frequencies(first) / 4.0)
    ntk = plain("rope", 128, base=10000.0, extension="ntk", factor=4.0)
    again = plain("rope", 128, base=float(ntk.effective_base))
    assert np.array_equal(library_frequencies(ntk), library_frequencies(again))


def test_frequencies_of_another_series_are_rounded_once():
    scheme = plain("sinusoidal", layout="tensor2tensor")
    assert np.array_equal(library_frequencies(scheme), rounded(scheme.frequencies(), "float32"))
    one = plain("rope", 2)
    assert library_frequencies(one).tolist() == [1.0]


# Stages


@given(waves, st.lists(positions, min_size=1, max_size=5))
def test_float64_has_no_error(scheme, places):
    assert not pipeline(scheme, Formats()).errors(np.array(places, dtype=float)).any()


@given(waves, formats, st.lists(positions, min_size=1, max_size=5))
def test_every_stage_is_rounded_in_turn(scheme, chosen, places):
    line, at = pipeline(scheme, chosen), np.array(places, dtype=float)
    exact = scheme.inv_freq() if scheme.id == "rope" else scheme.frequencies()
    used = exact if chosen.frequencies == EXACT else rounded(library_frequencies(scheme), chosen.frequencies)
    with np.errstate(invalid="ignore"):
        angles = rounded(np.outer(rounded(at, chosen.positions), used), chosen.angles)
        cos, sin = rounded(np.cos(angles), chosen.tables), rounded(np.sin(angles), chosen.tables)
    found = line.tables(line.angles(line.coordinates(at)))
    assert np.array_equal(found[0], cos, equal_nan=True)
    assert np.array_equal(found[1], sin, equal_nan=True)
    errors = line.errors(at)
    off = np.maximum(np.abs(cos - np.cos(np.outer(at, exact))), np.abs(sin - np.sin(np.outer(at, exact))))
    assert np.array_equal(errors, np.where(np.isnan(off), np.inf, off))
    assert np.array_equal(line.errors(at, np.array([0])), errors[:, :1])


def test_past_the_range_of_float16_there_is_no_number():
    line = pipeline(plain("rope"), Formats(positions="float16"))
    assert np.isfinite(line.errors(np.array([65_519.0]))).all()
    assert np.isinf(line.errors(np.array([65_520.0]))).all()
    tables = pipeline(plain("rope"), Formats(angles="float16")).errors(np.array([70_000.0]))[0]
    assert np.isinf(tables[0])
    assert np.isfinite(tables[-1])


def test_the_factor_on_cosine_and_sine_is_in_the_tables():
    scheme = plain("rope", 64, 128, extension="yarn", factor=4.0)
    line = pipeline(scheme, Formats(tables="bfloat16"))
    cos, _ = line.tables(line.exact_angles(np.array([[0.0]])))
    assert scheme.amplitude == pytest.approx(1.1386, abs=1e-4)
    assert set(cos[0]) == {float(rounded(scheme.amplitude, "bfloat16"))}


@pytest.mark.parametrize("name", ["none", "integer", "learned", "alibi"])
def test_schemes_without_angles_have_no_pipeline(name):
    assert pipeline(plain(name), FLOAT32) is None


@given(st.floats(0.0, 1e300), st.sampled_from(NAMES))
def test_rounding_moves_no_value_more_than_half_a_step(value, name):
    moved = abs(float(rounded(value, name)) - value)
    most = float(half_step(value, name))
    assert moved <= most * 1.0001 or (np.isinf(moved) and np.isinf(most))


@pytest.mark.parametrize("name", ROUNDING)
def test_half_a_step_is_reached(name):
    bits = SIGNIFICANT_BITS[name]
    for power in (0, 3, 10):
        value = 2.0**power * (1 + 2.0**-bits)  # halfway between two neighbours
        assert abs(float(rounded(value, name)) - value) == float(half_step(value, name))
    assert np.isinf(rounded(OVERFLOWS_AT[name], name))
    assert np.isfinite(rounded(np.nextafter(OVERFLOWS_AT[name], 0.0), name)) or name == "bfloat16"


@given(st.sampled_from(NAMES), st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_rounding_is_settled_and_keeps_order(name, a, b):
    low, high = sorted((a, b))
    first, second = float(rounded(low, name)), float(rounded(high, name))
    assert first <= second
    assert float(rounded(first, name)) == first


@pytest.mark.parametrize("name", ROUNDING)
def test_whole_numbers_are_exact_up_to_the_significant_bits(name):
    limit = 2 ** SIGNIFICANT_BITS[name]
    assert limit == {"float32": 1 << 24, "float16": 2048, "bfloat16": 256}[name]
    below = np.arange(max(0, limit - 4096), limit + 1, dtype=np.float64)
    assert np.array_equal(rounded(below, name), below)
    assert float(rounded(float(limit + 1), name)) == limit


# The choice, and the state that holds it


def test_the_presets():
    assert LabState().precision.preset == ("exact", "Exact (float64)")
    for name, words, chosen in PRESETS:
        choice = PrecisionChoice().changed({"preset": name})
        assert (choice.formats, choice.preset) == (chosen, (name, words))
    mixed = choice.changed({"tables": "float32"})
    assert mixed.preset == ("custom", "Custom")
    assert mixed.changed({"preset": "custom"}) == mixed
    assert PrecisionChoice().changed({"preset": "library", "positions": "float16"}).formats[:2] == (
        "float16",
        "float32",
    )


def test_every_entry_says_what_it_is_and_where_it_comes_from():
    assert [about.name for about in PrecisionChoice.parameters()] == [
        f.name for f in dataclasses.fields(PrecisionChoice)
    ]
    assert all(about.label and about.help and about.source for about in PrecisionChoice.parameters())


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"positions": "float8"}, "positions", "'float8'; it must be one of float64, float32, float16, bfloat16"),
        ({"tolerance": 0}, "tolerance", "must lie between 1e-12 and 1"),
        ({"tolerance": "x"}, "tolerance", "not a number"),
        ({"count": 1}, "count", "between 2 and 1,048,576"),
        ({"count": 2.5}, "count", "not a whole number"),
        ({"preset": "nope"}, "preset", "no precision preset 'nope'; the presets are exact, library"),
        ({"preset": ["exact"]}, "preset", "no precision preset"),
        ({"colour": 1}, "precision", "has no 'colour'; it has preset, positions"),
        (5, "precision", "must map names to values"),
    ],
)
def test_refusals(changes, field, words):
    before = LabState()
    with pytest.raises(FieldError) as refused:
        before.change({"precision": changes})
    assert refused.value.field == field
    assert words in refused.value.message
    assert refused.value.message.endswith(".")


def test_a_change_is_merged_and_nothing_changed_is_the_same_object():
    state = LabState().change({"precision": {"preset": "library"}}).change({"precision": {"count": 100}})
    assert state.precision == PrecisionChoice(**FLOAT32._asdict(), count=100)
    assert state.change({"precision": {"count": 100}}) is state
    assert state.change({"precision": {}}) is state


@given(formats, st.floats(1e-12, 1.0), st.integers(2, 1 << 20))
def test_a_session_keeps_it(chosen, tolerance, count):
    state = LabState().change({"precision": {**chosen._asdict(), "tolerance": tolerance, "count": count}})
    text = json.dumps(state.to_json(), allow_nan=False)
    assert from_json(json.loads(text)) == state


def test_a_session_from_before_still_opens():
    older = LabState().change({"scheme": "rope"}).to_json()
    del older["precision"]
    assert older["version"] == 1
    assert from_json(older) == LabState().change({"scheme": "rope"})
    with pytest.raises(FieldError, match="Positions"):
        from_json(older | {"precision": {"positions": 3}})


def test_dimension_and_length_do_not_matter_to_it():
    assert build("rope", {}, 8192, 1 << 20).inv_freq().shape == pipeline(plain("rope", 8192), FLOAT32).frequencies.shape
