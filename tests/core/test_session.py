"""A state written as JSON reads back to an equal state, whatever it holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import scheme_class
from pe_desktop.core.state import FORMAT, VERSION, LabState, from_json, read_session
from tests.core.strategies import ALL, bases

START = LabState()


@st.composite
def states(draw):
    """States reached by changes one after the other, refused ones left out."""
    state = START
    numbers = {"dimension": (2, 200), "length": (2, 5000), "position": (0, 4999), "key_position": (0, 4999)}
    numbers |= {"head": (0, 9), "seed": (0, 999_999)}
    options = [st.fixed_dictionaries({name: st.integers(*limits)}) for name, limits in numbers.items()]
    options += [
        st.fixed_dictionaries({"scheme": st.sampled_from(ALL)}),
        st.fixed_dictionaries({"sentence": st.text(max_size=30)}),
        st.fixed_dictionaries({"swap": st.booleans(), "causal": st.booleans()}),
        st.fixed_dictionaries({"swap_words": st.tuples(st.integers(0, 6), st.integers(0, 6))}),
        st.sampled_from(
            [
                {"scheme": "rope", "params": {"rotary_dimension": 32, "layout": "interleaved"}},
                {"scheme": "alibi", "params": {"heads": 12, "max_bias": 16.0}},
                {"scheme": "learned", "params": {"trained_length": 100, "seed": 5}},
                {"scheme": "sinusoidal", "params": {"layout": "tensor2tensor"}},
            ]
        ),
        st.fixed_dictionaries(
            {"scheme": st.sampled_from(["rope", "sinusoidal"]), "params": st.fixed_dictionaries({"base": bases})}
        ),
    ]
    for changes in draw(st.lists(st.one_of(options), max_size=8)):
        try:
            state = state.change(changes)
        except FieldError:
            continue
    return state


@settings(max_examples=70)
@given(states())
def test_round_trip(state):
    text = json.dumps(state.to_json(), allow_nan=False)
    back = read_session(text)
    assert back == state
    assert back.to_json() == state.to_json()
    assert back.built == state.built


def test_what_is_written():
    data = START.change({"swap_words": (0, 2), "params": {"base": 500.0}}).to_json()
    assert (data["format"], data["version"]) == ("pe-desktop session", 1)
    assert data["swap_words"] == [0, 2]
    assert data["params"] == {"sinusoidal": {"base": 500.0}}
    assert set(data) == {"format", "version", *(f for f in LabState.__dataclass_fields__)}


def test_parameters_of_a_scheme_that_no_longer_fits_the_dimension():
    """RoPE at width 128 was tried; the sinusoidal scheme is shown at dimension 65."""
    state = START.change({"dimension": 128}).change({"scheme": "rope", "params": {"rotary_dimension": 128}})
    state = state.change({"scheme": "sinusoidal"}).change({"dimension": 65})
    assert from_json(state.to_json()) == state


def test_a_session_may_leave_things_out():
    assert from_json({"format": FORMAT, "version": VERSION}) == START
    assert from_json({"format": FORMAT, "version": VERSION, "dimension": 32}).dimension == 32
    kept = from_json({"format": FORMAT, "version": VERSION, "params": {"sinusoidal": {"base": 10000}}})
    assert kept == START


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"format": "something"}, "session", "not a PE Desktop session"),
        ({"version": 2}, "session", "version 2; this program reads version 1. Update"),
        ({"version": None}, "session", "version None"),
        ({"version": "1"}, "session", "version '1'"),
        ({"dimension": 1}, "dimension", "between 2"),
        ({"position": 128}, "position", "128 positions"),
        ({"params": []}, "params", "must map scheme ids"),
        ({"params": {"nope": {}}}, "scheme", "no scheme 'nope'"),
        ({"params": {"rope": 5}}, "params", "must map names to values"),
        ({"params": {"rope": {"x": 1}}}, "x", "no parameter 'x'"),
        ({"params": {"rope": {"base": "abc"}}}, "base", "not a number"),
        ({"params": {"rope": {"base": 0.5}}}, "base", "between 1.001"),
        ({"scheme": "rope", "dimension": 65}, "dimension", "is odd"),
        ({"extra": 1}, "extra", "no setting 'extra'"),
        ({"swap_words": [3, 3]}, "swap_words", "itself"),
    ],
)
def test_refusals(changes, field, words):
    with pytest.raises(FieldError) as refused:
        from_json(START.to_json() | changes)
    assert refused.value.field == field
    assert words in refused.value.message


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "nul", "[]", "5", '"text"', "null", "[" * 100_000, "NaN", "\x00"])
def test_what_is_no_session(text):
    with pytest.raises(FieldError, match="not a PE Desktop session"):
        read_session(text)


def test_not_finite_numbers_in_a_session():
    text = json.dumps(START.to_json()).replace('"dimension": 64', '"dimension": NaN')
    with pytest.raises(FieldError, match="finite"):
        read_session(text)


def another_value(about):
    """A value that is not the default."""
    if about.kind is bool:
        return not about.default
    if about.choices:
        return next(value for value, _ in reversed(about.choices) if value != about.default)
    return about.kind(min(max(2 if about.kind is float else 4, about.minimum), about.maximum))


@pytest.mark.parametrize("name", ALL)
def test_every_scheme_with_every_parameter_changed(name):
    cls = scheme_class(name)
    params = {p.name: another_value(p) for p in cls.parameters() if p.kind is not tuple}
    state = START.change({"scheme": name, "params": params})
    assert len(state.params.get(name, {})) == len(params)
    assert from_json(json.loads(json.dumps(state.to_json()))) == state
