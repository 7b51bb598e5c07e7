"""The scheme that is compared with, as part of the state."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import FORMAT, VERSION, LabState, from_json
from tests.core.strategies import any_scheme

START = LabState()
COMPARING = START.change({"compare": "rope", "compare_params": {"base": 500.0}})


def refusal(state, changes):
    with pytest.raises(FieldError) as refused:
        state.change(changes)
    return refused.value


def test_off_at_first():
    assert (START.compare, dict(START.compare_params), START.built_b) == ("", {}, None)


def test_b_has_the_dimension_and_length_of_a():
    state = COMPARING.change({"dimension": 32, "length": 77})
    assert (state.built_b.id, state.built_b.dimension, state.built_b.length, state.built_b.base) == (
        "rope",
        32,
        77,
        500.0,
    )
    assert state.built.id == "sinusoidal"


def test_parameters_are_kept_per_scheme_and_apart_from_those_of_a():
    state = COMPARING.change({"scheme": "rope", "params": {"base": 7.0}})
    assert (state.built.base, state.built_b.base) == (7.0, 500.0)
    state = state.change({"compare": "alibi"}).change({"compare_params": {"heads": 4}}).change({"compare": "rope"})
    assert state.built_b.base == 500.0
    assert {name: dict(values) for name, values in state.compare_params.items()} == {
        "rope": {"base": 500.0},
        "alibi": {"heads": 4},
    }
    assert state.change({"compare_params": {"base": 10000.0}}).compare_params.keys() == {"alibi"}
    assert state.change({"compare": ""}).built_b is None


def test_scheme_and_parameters_of_b_in_one_change():
    state = START.change({"compare_params": {"heads": 3}, "compare": "alibi"})
    assert state.built_b.heads == 3
    assert START.change({"compare_params": {}}) is START


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"compare": "nope"}, "compare", "Scheme B: There is no scheme 'nope'"),
        ({"compare": 5}, "compare", "must be text"),
        ({"compare_params": {"base": 0.5}}, "compare_params.base", "Scheme B: Base"),
        ({"compare_params": {"bas": 5}}, "compare_params.bas", "no parameter 'bas'"),
        ({"compare_params": 5}, "compare_params", "must map names to values"),
        ({"dimension": 65}, "dimension", "Scheme B: RoPE rotates pairs"),
        ({"compare_params": {"rotary_dimension": 128}}, "compare_params.rotary_dimension", "more than the 64"),
    ],
)
def test_refusals(changes, field, words):
    error = refusal(COMPARING, changes)
    assert error.field == field
    assert words in error.message


def test_parameters_without_a_scheme_b():
    assert refusal(START, {"compare_params": {"base": 5.0}}).field == "compare_params"


def test_remedies_change_b():
    error = refusal(COMPARING, {"compare_params": {"rotary_dimension": 128}})
    assert error.fixes[0].changes == {"compare_params": {"rotary_dimension": 64}}
    assert COMPARING.change(error.fixes[0].changes).built_b.rotary_width == 64
    error = refusal(COMPARING, {"dimension": 65})
    assert [fix.changes for fix in error.fixes] == [{"dimension": 64}, {"dimension": 66}]


@given(any_scheme(), any_scheme())
def test_round_trip(a, b):
    params = [{about.name: getattr(each, about.name) for about in each.parameters()} for each in (a, b)]
    try:
        state = START.change({"scheme": a.id, "params": params[0], "dimension": a.dimension})
        state = state.change({"compare": b.id, "compare_params": params[1]})
    except FieldError:  # b is not for this dimension
        return
    assert from_json(json.loads(json.dumps(state.to_json()))) == state
    assert state.built_b == type(b)(**params[1], dimension=state.dimension, length=state.length)


def test_sessions_of_before():
    old = {"format": FORMAT, "version": VERSION, "scheme": "rope", "dimension": 32, "params": {"rope": {"base": 7.0}}}
    assert from_json(old) == START.change({"scheme": "rope", "dimension": 32, "params": {"base": 7.0}})
    with pytest.raises(FieldError, match="must map scheme ids"):
        from_json(old | {"compare_params": []})
    with pytest.raises(FieldError, match="Scheme B"):
        from_json(old | {"compare": "mrope", "dimension": 33, "scheme": "learned", "params": {}})


def test_the_state_as_b_sees_it():
    state = COMPARING.change({"position": 9, "head": 7, "length": 500}).as_b
    assert state.built == COMPARING.change({"length": 500}).built_b
    assert (state.position, state.length, state.head, state.compare) == (9, 500, 7, "")
    few = START.change({"head": 7, "compare": "alibi", "compare_params": {"heads": 3}}).as_b
    assert few.head == 2
