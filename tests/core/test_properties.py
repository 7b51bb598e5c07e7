"""The five lights: a different, true pattern for each of the seven schemes."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.numerals import short
from pe_desktop.core.part_rotation import rotation_part
from pe_desktop.core.properties import LABELS, bounded, hands, lights, relative, rotation_residual, steady
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST, any_scheme, biases, plain

NAMES = ("bounded", "unique", "steady", "relative", "goes_past_training")
PATTERNS = {
    "none": "●○●–●",
    "integer": "○●●○●",
    "normalized": "●●○○●",
    "sinusoidal": "●●●●●",
    "learned": "●●●○○",
    "sincos2d": "●●●○●",
    "rope": "●–●●●",
    "xpos": "○–○●●",
    "mrope": "●–●○●",
    "axial": "●–●○●",
    "alibi": "○–●●●",
    "t5": "●–●●●",
    "kerple": "○–●●●",
    "fire": "●–●●●",
    "shaw": "●–●●●",
    "transformer_xl": "●–●●●",
    "deberta": "●–●●●",
}
CLASSIC = ("none", "integer", "normalized", "sinusoidal", "learned", "rope", "alibi")
MARKS = {True: "●", False: "○", None: "–"}


def pattern(scheme):
    return "".join(MARKS[light.holds] for light in lights(scheme))


@pytest.mark.parametrize("length", [22, 128, 5000, LAST + 1])
@pytest.mark.parametrize("name", ALL)
def test_patterns(name, length):
    found = lights(plain(name, 64, length))
    assert tuple(light.name for light in found) == NAMES
    assert tuple(light.label for light in found) == tuple(LABELS.values())
    past = name == "fire" and length > 512  # up to its threshold the offset alone counts
    assert "".join(MARKS[light.holds] for light in found) == ("●–●○●" if past else PATTERNS[name])


def test_all_seven_differ():
    assert set(PATTERNS) == set(ALL)
    assert len({PATTERNS[name] for name in CLASSIC}) == 7


@pytest.mark.parametrize(
    ("convention", "expected"), [("signed", "○–●●●"), ("last_row", "○–○○●"), ("key_index", "○–●○●")]
)
def test_patterns_of_alibis_conventions(convention, expected):
    assert pattern(plain("alibi", convention=convention)) == expected


def test_a_causal_bias_is_judged_by_earlier_keys_too():
    """All keys after the query get the same bias from FIRE, whatever the gap."""
    assert lights(plain("fire", length=5000))[3].holds is False
    assert lights(plain("t5", bidirectional=False))[3].holds is True


@given(biases(), st.integers(2, 300))
def test_a_bound_holds_at_any_length(scheme, length):
    light = lights(scheme)[0]
    if light.holds:
        larger = dataclasses.replace(scheme, length=length).largest()
        assert larger <= scheme.bound() * (1 + 1e-9)
        assert light.number == short(scheme.bound())


@settings(max_examples=60)
@given(any_scheme(20))
def test_evidence_contains_its_number(scheme):
    for light in lights(scheme):
        assert light.evidence[0].isupper()
        assert light.evidence.endswith(".")
        if light.holds is None:
            assert light.number == "–"
        elif (light.name, light.holds) == ("goes_past_training", True):
            assert light.number == "defined"
            assert ("1,048,576" in light.evidence) == (scheme.id != "none")
        elif light.name == "bounded" and scheme.last_position is not None:
            rows = scheme.encode(range(scheme.last_position + 1))
            assert light.number == short(float(np.abs(rows).max()))
            assert light.number in light.evidence
        elif light.holds and light.name == "steady":
            assert (light.number, light.evidence[:14]) == ("0.000", "No value moves")
        elif (light.name, light.holds) == ("unique", False):
            assert (light.number, light.evidence[:13]) == ("0.000", "Rows coincide")
        else:
            assert light.number in light.evidence


@settings(max_examples=60)
@given(any_scheme(12))
def test_lights_say_what_the_numbers_say(scheme):
    """Steadiness and uniqueness by looking at every row, for sequences short enough to do so."""
    found = {light.name: light.holds for light in lights(scheme)}
    if not hasattr(scheme, "encode"):
        assert found["unique"] is None
        return
    count = defined_rows(scheme)
    rows = scheme.encode(range(count))
    longer = type(scheme)(**{**{f: getattr(scheme, f) for f in scheme.effective()}, **_sizes(scheme, 2)})
    assert found["steady"] == bool(np.array_equal(longer.encode(range(count)), rows))
    if count < 2:
        assert found["unique"] is None
    else:
        distinct = len(np.unique(rows, axis=0)) == count
        assert found["unique"] == distinct
    assert found["goes_past_training"] == (scheme.id != "learned")


def _sizes(scheme, factor):
    return {"dimension": scheme.dimension, "length": factor * scheme.length}


def test_bounded_is_about_growth():
    light = lights(plain("integer"))[0]
    assert light.evidence == (
        "Largest value 1,023 in 1,024 positions and 1.0·10⁶ in 1,048,576: it grows with the length."
    )
    light = lights(plain("sinusoidal"))[0]
    assert light.evidence.endswith("it does not grow with the length.")
    assert light.number == "1.000"


def test_closest_rows_at_the_longest_sequence_are_a_number():
    light = lights(plain("sinusoidal", 64, LAST + 1))[1]
    assert light.holds
    assert float(light.number) > 1.0
    assert re.fullmatch(
        r"No two rows are alike: the closest, positions [\d,]+ and [\d,]+, are .* apart\.", light.evidence
    )


@pytest.mark.parametrize("odd", [65, 9])
def test_an_unpaired_column_is_not_quite_relative(odd):
    assert pattern(plain("sinusoidal", odd)) == "●●●○●"
    assert pattern(plain("sinusoidal", odd, layout="tensor2tensor")) == "●●●●●"


@given(st.integers(0, 60))
def test_a_fixed_offset_is_a_fixed_rotation(gap):
    for scheme in (plain("sinusoidal"), plain("sinusoidal", layout="concatenated"), plain("rope")):
        assert rotation_residual(scheme, gap) < 1e-10
    if gap:
        assert rotation_residual(plain("integer"), gap) > 0.5
        assert rotation_residual(plain("learned"), gap) > 0.5


def test_rotation_residual_where_there_is_none():
    assert rotation_residual(plain("none"), 3) is None
    assert rotation_residual(plain("alibi"), 3) is None
    assert rotation_residual(plain("sinusoidal", 64, 10), 10) is None


def test_hands_are_sine_and_cosine():
    found = hands(plain("sinusoidal", 8), np.array([3.0]))
    assert np.abs(found - np.exp(3j * 10000.0 ** (-np.arange(4) / 4))).max() < 1e-14


def test_a_query_temperature_that_changes_within_the_sequence_is_not_relative():
    warm = {"temperature": "llama4", "temperature_length": 4}
    assert relative(plain("rope", **warm)).holds is False
    assert relative(plain("rope", **(warm | {"temperature_length": 8192}))).holds is True
    state = LabState().change({"scheme": "rope", "params": warm})
    assert "the score changes with the query's temperature" in rotation_part(state).sentence
    assert "so does the score" in rotation_part(state.change({"params": {"temperature": "none"}})).sentence


def test_the_attention_factor_counts_in_the_largest_value():
    scheme = plain("rope", extension="yarn", factor=32.0, attention_factor=5.0)
    assert bounded(scheme).number == "5.000"


@pytest.mark.parametrize(("centre", "holds"), [(None, False), (7, True)])
def test_xpos_is_steady_only_about_a_centre_of_its_own(centre, holds):
    assert steady(plain("xpos", centre=centre)).holds is holds
