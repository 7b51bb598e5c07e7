"""A lesson on paper: what stands on the pages, and that questions do not carry their answers."""

from __future__ import annotations

import pytest

from pe_desktop.core.state import LabState
from pe_desktop.lessons.expression import parse_expression
from pe_desktop.lessons.lesson import Kind, Lesson, Prediction, Step
from pe_desktop.lessons.paper import Axes, Pictures, Sheet, Words, groups, setting_of

STATE = LabState()
CHOICE = Prediction(Kind.CHOOSE, "What will it read?", "It is nothing.", ("0.000", "about 1"), 0, hide=("attention",))
NUMBER = Prediction(Kind.NUMBER, "How alike?", "So much.", answer=parse_expression("similarity(25)"), unit="parts")
DRAWN = Prediction(Kind.DRAW, "Draw it.", "With ripples.")


def lesson(*steps: Step) -> Lesson:
    return Lesson("x", "A < B", "Why & how?", "Group", steps)


def sheets(made: Lesson, answers: bool) -> list[Sheet]:
    return [sheet for group in groups(made, answers) for sheet in group]


def test_text_is_not_taken_for_markup():
    first, step, *_ = sheets(lesson(Step("1 < 2 & 3", STATE, title="<b>")), answers=False)
    assert "A &lt; B" in first.html
    assert "Why &amp; how?" in first.html
    assert "1 &lt; 2 &amp; 3" in step.html
    assert "1. &lt;b&gt;" in step.html


def test_a_step_without_a_question_tells_all():
    made = list(sheets(lesson(Step("Look.", STATE, views=("rotation",))), answers=False))
    assert [type(each) for each in made] == [Words, Words, Pictures]
    assert made[2] == Pictures(("rotation",), STATE, told=True)


@pytest.mark.parametrize(("views", "shown"), [(("matrix", "attention"), ("matrix",)), (("attention",), ())])
def test_what_is_covered_on_screen_is_not_on_paper(views, shown):
    step = Step("Guess.", STATE, views=views, prediction=CHOICE)
    made = list(sheets(lesson(step), answers=False))
    assert [each.views for each in made if isinstance(each, Pictures)] == ([shown] if shown else [])
    assert all(not each.told for each in made if isinstance(each, Pictures))
    text = "".join(each.html for each in made if isinstance(each, Words))
    assert "☐ 0.000" in text
    assert "It is nothing." not in text


def test_a_curve_is_drawn_into_empty_axes():
    state = STATE.change({"length": 64, "position": 5})
    made = list(sheets(lesson(Step("Guess.", state, views=("similarity",), prediction=DRAWN)), answers=False))
    assert made[-1] == Axes(64, 5)
    assert not [each for each in made if isinstance(each, Pictures)]


def test_answers_come_at_the_end_with_what_was_covered():
    opened = Prediction(Kind.CHOOSE, "?", "So.", ("a", "b"), 1, hide=("matrix",), changes={"length": 256})
    steps = (Step("Guess.", STATE, note="Wait.", prediction=opened), Step("Say.", STATE, prediction=NUMBER))
    made = list(sheets(lesson(*steps), answers=True))
    place = next(i for i, each in enumerate(made) if isinstance(each, Words) and "Answers" in each.html)
    first, picture, second = made[place + 1 :]
    assert "<b>b</b> · So." in first.html
    assert "Wait." in first.html
    assert picture == Pictures(("matrix", "similarity"), STATE.change({"length": 256}), told=True)
    assert "0.629 parts" in second.html


def test_an_answer_that_the_reveal_repeats_is_said_once():
    asked = Prediction(Kind.CHOOSE, "Which?", "Not at all. It stays.", ("A lot", "Not at all"), 1)
    made = sheets(lesson(Step("Say.", STATE, prediction=asked)), answers=True)
    assert "<b>1.</b> Not at all. It stays." in made[-1].html


def test_a_step_is_one_group_and_titles_with_numbers_keep_theirs():
    steps = (Step("Guess.", STATE, title="1 · Swap", prediction=NUMBER), Step("Look.", STATE, title="Look"))
    made = list(groups(lesson(*steps), answers=False))
    assert [len(group) for group in made] == [1, 3, 2]
    assert ">1 · Swap</h3>" in made[1][0].html
    assert ">2. Look</h3>" in made[2][0].html


def test_whole_answers_are_written_whole():
    asked = Prediction(Kind.NUMBER, "How many?", "All.", answer=parse_expression("length * 10"))
    made = list(sheets(lesson(Step("Say.", STATE, prediction=asked)), answers=True))
    assert "<b>1,280</b>" in made[-1].html


def test_the_state_can_be_set_from_the_page():
    state = STATE.change({"scheme": "rope", "params": {"base": 500.0}, "causal": True, "compare": "alibi"})
    assert setting_of(state) == (
        "RoPE, dimension 64, length 128, spot 12, base 500.0, causal mask, compared with ALiBi"
    )
