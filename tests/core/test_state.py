"""The state changes in one way: wholly, or not at all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import _FIELDS, LABELS, LabState
from tests.core.strategies import ALL, attempt

START = LabState()


def refused(changes, state=START):
    """The refusal; the state is untouched."""
    before = state.to_json()
    with pytest.raises(FieldError) as caught:
        state.change(changes)
    assert state.to_json() == before
    message = caught.value.message
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


def test_the_defaults():
    assert (START.scheme, START.dimension, START.length, START.position) == ("sinusoidal", 64, 128, 12)
    assert START.words == ("The", "dog", "bit", "the", "man")
    assert START.swap_pair == (1, 4)
    assert (START.heads, START.change({"scheme": "alibi", "params": {"heads": 12}}).heads) == (8, 12)


def test_every_field_has_a_label():
    assert set(_FIELDS) - {"params", "compare_params", "experiment_params"} == set(LABELS)


def test_nothing_changed_is_the_same_object():
    assert START.change({}) is START
    assert START.change({"dimension": 64}) is START
    assert START.change({"params": {}}) is START
    assert START.change({"params": {"base": 10000}}) is START


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"dimension": 1}, "dimension", "1; it must lie between 2 and 8,192"),
        ({"dimension": 8193}, "dimension", "8,193; it must lie between 2 and 8,192"),
        ({"dimension": "abc"}, "dimension", "'abc', which is not a whole number"),
        ({"dimension": 64.5}, "dimension", "64.5, which is not a whole number"),
        ({"dimension": None}, "dimension", "None, which is not a whole number"),
        ({"dimension": True}, "dimension", "True, which is not a whole number"),
        ({"dimension": math.nan}, "dimension", "must be a finite number"),
        ({"length": 1}, "length", "between 2 and 1,048,576"),
        ({"length": 1_048_577}, "length", "1,048,577; it must lie between 2 and 1,048,576"),
        ({"length": "10,000"}, "length", "leave the comma out"),
        ({"length": math.inf}, "length", "must be a finite number"),
        ({"position": -1}, "position", "-1; it must be 0 or more"),
        ({"position": 128}, "position", "128, but the sequence has 128 positions"),
        ({"key_position": 500}, "key_position", "500, but the sequence has 128 positions"),
        ({"length": 10, "position": 10}, "position", "the sequence has 10 positions"),
        ({"head": 8}, "head", "8, but there are 8 heads"),
        ({"head": -1}, "head", "0 or more"),
        ({"seed": 1_000_000}, "seed", "between 0 and 999,999"),
        ({"sentence": 5}, "sentence", "it must be text"),
        ({"sentence": "x" * 30_000}, "sentence", "30,000 characters"),
        ({"sentence": "\ud800"}, "sentence", "surrogate"),
        ({"swap": 1}, "swap", "must be true or false"),
        ({"causal": "yes"}, "causal", "must be true or false"),
        ({"swap_words": (1, 1)}, "swap_words", "swapped with itself"),
        ({"swap_words": (1, 5)}, "swap_words", "Word 5 does not exist: the sentence has 5 words"),
        ({"swap_words": (-1, 2)}, "swap_words", "Word -1 does not exist"),
        ({"swap_words": "14"}, "swap_words", "two word numbers"),
        ({"swap_words": (1,)}, "swap_words", "two word numbers"),
        ({"swap_words": 7}, "swap_words", "two word numbers"),
        ({"swap_words": ("a", 2)}, "swap_words", "not a whole number"),
        ({"scheme": "rotary"}, "scheme", "the schemes are none, integer"),
        ({"scheme": 3}, "scheme", "it must be text"),
        ({"colour": 1}, "colour", "There is no setting 'colour'"),
        ({"params": {"theta": 1}}, "theta", "has no parameter 'theta'; its parameters are base, layout"),
        ({"params": 5}, "params", "must map names to values"),
        ({"params": {"base": "abc"}}, "base", "'abc', which is not a number"),
        ({"params": {"base": 1.0}}, "base", "between 1.001 and 1e+15"),
        ({"params": {"base": math.nan}}, "base", "finite"),
        ({"params": {"base": -math.inf}}, "base", "finite"),
        ({"params": {"layout": "half"}}, "layout", "must be one of interleaved, concatenated, tensor2tensor"),
        ({"scheme": "integer", "params": {"base": 5}}, "base", "it has no parameters"),
        ({"scheme": "rope", "dimension": 65}, "dimension", "64 and 66"),
        ({"scheme": "rope", "params": {"rotary_dimension": 66}}, "rotary_dimension", "more than the 64 dimensions"),
        ({"params": {"layout": "tensor2tensor"}, "dimension": 2}, "layout", "divides by"),
    ],
)
def test_refusals(changes, field, words):
    error = refused(changes)
    assert error.field == field
    assert words in error.message


@given(
    st.dictionaries(
        st.sampled_from([*_FIELDS, "nonsense"]),
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.floats(),
            st.text(max_size=12),
            st.lists(st.integers(-2, 9), max_size=3),
            st.sampled_from([*ALL, "1,5", "1e6", "10,000"]),
            st.dictionaries(st.sampled_from(["base", "layout", "heads", "x"]), st.floats() | st.text(max_size=4)),
        ),
        max_size=4,
    )
)
def test_any_change_gives_a_valid_state_or_a_refusal(changes):
    new, refusal = attempt(START.change, changes)
    if refusal:
        assert refusal.message
        assert "\n" not in refusal.message
        return
    check_valid(new)


def check_valid(state):
    assert 2 <= state.dimension <= 8192
    assert 2 <= state.length <= 1_048_576
    assert 0 <= state.position < state.length
    assert 0 <= state.key_position < state.length
    assert 0 <= state.head < state.heads
    assert state.swap_words is None or max(state.swap_words) < len(state.words)
    assert state.built.dimension == state.dimension


class TestMoves:
    """What was not asked for moves into its range; what was asked for is refused outside it."""

    def test_spot_and_key_move_to_the_last_position(self):
        state = START.change({"position": 100, "key_position": 127}).change({"length": 50})
        assert (state.position, state.key_position) == (49, 49)
        assert state.change({"length": 128}).position == 49

    def test_spot_inside_stays(self):
        assert START.change({"length": 13}).position == 12
        assert START.change({"length": 12}).position == 11

    def test_head_moves_to_the_last_head(self):
        state = START.change({"head": 7}).change({"scheme": "alibi", "params": {"heads": 4}})
        assert state.head == 3
        assert START.change({"scheme": "alibi", "params": {"heads": 20}, "head": 19}).head == 19

    def test_chosen_words_are_forgotten_when_one_is_gone(self):
        state = START.change({"swap_words": (0, 4)})
        assert state.swap_pair == (0, 4)
        assert state.change({"sentence": "only three words"}).swap_words is None
        assert state.change({"sentence": "now there are five words"}).swap_words == (0, 4)
        assert state.change({"sentence": ""}).swap_pair is None
        assert state.change({"swap_words": None}).swap_pair == (1, 4)

    def test_a_refusal_offers_the_last_position(self):
        error = refused({"position": 999})
        assert [(fix.label, dict(fix.changes)) for fix in error.fixes] == [("Use 127", {"position": 127})]
        assert START.change(error.fixes[0].changes).position == 127


class TestTyped:
    @pytest.mark.parametrize(("typed", "base"), [("1,5", 1.5), ("1e6", 1e6), ("500 000", 500000.0), (20000, 20000.0)])
    def test_base(self, typed, base):
        assert START.change({"params": {"base": typed}}).built.base == base

    def test_numbers_as_text(self):
        state = START.change({"dimension": "128", "length": "1e3", "swap_words": ["1", "3"]})
        assert (state.dimension, state.length, state.swap_words) == (128, 1000, (1, 3))

    def test_sentence_is_cleaned(self):
        assert START.change({"sentence": "cafe\u0301\tx"}).sentence == "caf\u00e9 x"


class TestParameters:
    def test_each_scheme_keeps_its_own(self):
        state = START.change({"params": {"base": 500.0}})
        state = state.change({"scheme": "rope", "params": {"base": 7e5, "layout": "interleaved"}})
        assert state.change({"scheme": "sinusoidal"}).built.base == 500.0
        back = state.change({"scheme": "sinusoidal"}).change({"scheme": "rope"})
        assert (back.built.base, back.built.layout) == (7e5, "interleaved")
        assert back == state

    def test_only_what_differs_from_the_default_is_kept(self):
        state = START.change({"params": {"base": 500.0, "layout": "concatenated"}})
        assert dict(state.params["sinusoidal"]) == {"base": 500.0, "layout": "concatenated"}
        state = state.change({"params": {"base": 10000.0}})
        assert dict(state.params["sinusoidal"]) == {"layout": "concatenated"}
        assert state.change({"params": {"layout": "interleaved"}}) == START

    def test_derived_parameters_can_be_given_back(self):
        state = START.change({"scheme": "rope", "params": {"rotary_dimension": 32}})
        assert state.built.rotary_width == 32
        assert state.change({"params": {"rotary_dimension": None}}).built.rotary_width == 64
        refused({"dimension": 16}, state)

    def test_they_cannot_be_written(self):
        state = START.change({"params": {"base": 500.0}})
        with pytest.raises(TypeError):
            state.params["sinusoidal"]["base"] = 1.0
        with pytest.raises(TypeError):
            state.params["rope"] = {}
        with pytest.raises(AttributeError):
            state.dimension = 3


@pytest.mark.parametrize("name", ALL)
def test_every_parameter_is_described_and_its_default_is_in_range(name):
    built = START.change({"scheme": name}).built
    for about in built.parameters():
        assert about.label
        assert about.help.endswith(".")
        assert about.source
        if about.default is not None:
            assert about.check(about.default) == about.default
        else:
            assert about.derived
            assert about.check(None) is None
            if built.uses(about) and about.derived != "not given":
                assert built.effective()[about.name] is not None


def test_none_is_the_default_of_any_parameter():
    changed = START.change({"params": {"base": 500.0}})
    assert changed.change({"params": {"base": None}}) == START
