"""The lessons that come with the lab: all they claim holds, and each claim can fail."""

from __future__ import annotations

import pytest

from pe_desktop.lessons.check import check
from pe_desktop.lessons.claims import CLAIMS
from pe_desktop.lessons.lesson import Kind
from pe_desktop.lessons.library import shipped
from pe_desktop.lessons.wrong import wrong

ENTRIES = shipped()
GROUPS = (
    "Start here",
    "Why order is lost",
    "The naive ideas",
    "Sinusoidal",
    "Learned",
    "Relative and ALiBi",
    "RoPE",
    "Stretching the context",
    "Common mistakes",
    "Images",
    "Questions people ask",
)


@pytest.fixture(params=ENTRIES, ids=[entry.name for entry in ENTRIES])
def entry(request):
    return request.param


def test_it_opens(entry):
    assert not entry.error


def test_all_it_expects_holds(entry, qapp):
    report = check(entry.lesson)
    assert [finding.verdict.says for finding in report.failures] == []
    assert report.claims == {claim for step in entry.lesson.steps for claim in step.claims}


def test_something_wrong_breaks_each_expectation(entry):
    trials = wrong(entry.lesson)
    assert [str(each) for each in trials.survivors] == []
    assert trials.schemes, "no wrong scheme breaks it"


def test_it_has_what_a_lesson_needs(entry):
    lesson = entry.lesson
    assert len(lesson.steps) >= 3
    assert any(step.prediction for step in lesson.steps)
    assert all(step.views for step in lesson.steps)
    assert any(step.expect for step in lesson.steps)


def test_a_curve_that_is_to_be_drawn_is_on_no_other_view(entry):
    for step in entry.lesson.steps:
        asked = step.prediction
        if asked is not None and asked.kind is Kind.DRAW and step.revealed == step.state:
            assert "scores" in asked.hide


def test_the_story_is_told_in_order():
    groups = list(dict.fromkeys(entry.lesson.group for entry in ENTRIES))
    assert tuple(groups) == GROUPS
    assert ENTRIES[0].lesson.title == "The five classic tests"


def test_every_kind_of_prediction_is_used():
    kinds = {step.prediction.kind for entry in ENTRIES for step in entry.lesson.steps if step.prediction}
    assert kinds == set(Kind)


def test_every_claim_has_a_step_that_proves_it():
    named = {claim for entry in ENTRIES for step in entry.lesson.steps for claim in step.claims}
    assert named == set(CLAIMS)
