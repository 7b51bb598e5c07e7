"""States written as lessons read back to the same states."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons.check import check
from pe_desktop.lessons.reading import parse_lesson
from pe_desktop.lessons.writing import lesson_text, step_text

sentences = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def read_back(state, title="A title"):
    return parse_lesson(lesson_text(state, title), "mine.pelesson")


@given(sentences)
@example('a "b" \\ c\\u0041 \'\'\' """')
@example("\x7f\u0085\u2028 é ﬁ")
def test_any_sentence_survives(sentence):
    state = LabState().change({"sentence": sentence})
    assert read_back(state).steps[0].state == state


@given(st.text(max_size=100))
@example("\ud800 half a letter")
@example("\x7f \n line")
def test_any_title_makes_a_lesson(title):
    lesson = read_back(LabState(), title)
    assert 0 < len(lesson.title) <= 60


states = st.fixed_dictionaries(
    {},
    optional={
        "scheme": st.sampled_from(["none", "integer", "rope", "learned", "alibi", "t5"]),
        "dimension": st.sampled_from([2, 32, 8192]),
        "length": st.integers(2, 5000),
        "position": st.integers(0, 5000),
        "key_position": st.integers(0, 200),
        "swap": st.booleans(),
        "swap_words": st.sampled_from([None, [0, 4], [3, 1]]),
        "causal": st.booleans(),
        "head": st.integers(0, 7),
        "seed": st.integers(0, 999_999),
        "precision": st.sampled_from([{"tables": "float16"}, {"count": 17, "tolerance": 1e-12}]),
        "compare": st.sampled_from(["", "rope", "alibi"]),
    },
)


@given(states)
def test_any_state_survives(changes):
    try:
        state = LabState().change(changes)
    except FieldError:
        return  # no such state
    assert read_back(state).steps[0].state == state


@pytest.mark.parametrize(
    "changes",
    [
        {"scheme": "rope", "params": {"extension": "longrope", "short_factor": [1.0] * 31 + [0.0015], "base": 5e14}},
        {"params": {"layout": "concatenated", "base": 1.001}, "compare": "rope", "compare_params": {"base": 3.5}},
        {"scheme": "t5", "params": {"bidirectional": False}},
        {"experiment": "counter", "experiment_params": {"positions": 20}},
    ],
)
def test_parameters_of_every_kind_survive(changes):
    state = LabState().change(changes)
    assert read_back(state).steps[0].state == state


def test_parameters_of_a_scheme_that_is_not_chosen_are_left_out():
    state = LabState().change({"params": {"base": 500}}).change({"scheme": "none"})
    assert read_back(state).steps[0].state == LabState().change({"scheme": "none"})


def test_only_what_differs_is_written():
    assert "[step.state]" not in step_text(LabState())
    text = step_text(LabState().change({"length": 300, "causal": True}))
    assert text.endswith("[step.state]\nlength = 300\ncausal = true\n")


@pytest.mark.parametrize(
    "changes",
    [
        {"swap": True},
        {"scheme": "integer", "length": 1_048_576, "position": 1_048_575},
        {"scheme": "none", "swap": True},
    ],
)
def test_what_a_fresh_step_expects_holds(qapp, changes):
    lesson = read_back(LabState().change(changes))
    report = check(lesson)
    assert report.findings
    assert report.failures == ()


def test_the_expectations_are_the_read_outs_there_are():
    texts = [one.text for one in read_back(LabState().change({"swap": True, "scheme": "none"})).steps[0].expect]
    assert texts == ["input_gap == 0.000", "output_gap == 0.000", "largest_value == 0.000"]
