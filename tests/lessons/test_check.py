"""Lessons are played and judged."""

from __future__ import annotations

import dataclasses

import pytest

from pe_desktop.lessons.check import check
from pe_desktop.lessons.reading import parse_lesson

HEAD = """format = "pe-desktop lesson"
version = 1
title = "A title"
question = "A question?"
group = "A group"
"""


def lesson(steps):
    return parse_lesson(HEAD + steps, "x.pelesson")


@pytest.fixture
def played(qapp):
    """Plays the steps of a lesson and judges what they expect."""
    return lambda steps: check(lesson(steps))


SWAP = """
[[step]]
text = "None."
claims = [2]
expect = ["input_gap == 0.000", "largest_value == 0.000"]
state = {scheme = "none", swap = true}

[[step]]
text = "Waves."
claims = [5]
expect = ["largest_value <= 1"]
[step.predict]
kind = "choose"
question = "And now?"
options = ["0", "more"]
answer = 2
reveal = "More."
expect = ["input_gap > 0.1", "input_gap == 0.000"]
state = {swap = true}
"""


def test_expectations_are_judged_at_the_start_and_once_revealed(played):
    report = played(SWAP)
    found = [(each.step, each.revealed, each.line, each.text, each.verdict.holds) for each in report.findings]
    assert found == [
        (1, False, 10, "input_gap == 0.000", True),
        (1, False, 10, "largest_value == 0.000", True),
        (2, False, 16, "largest_value <= 1", True),
        (2, True, 23, "input_gap > 0.1", True),
        (2, True, 23, "input_gap == 0.000", False),
        (2, True, 13, "answer", True),
    ]


def test_a_failure_says_what_was_found_and_takes_the_claims_of_its_step_away(played):
    report = played(SWAP)
    (failure,) = report.failures
    assert failure.verdict.says.startswith("input_gap is ")
    assert failure.verdict.says.endswith("expected to equal 0.000")
    assert report.claims == {2}
    assert [each.text for each in report.step(1)] == ["input_gap == 0.000", "largest_value == 0.000"]


NUMBER = """
[[step]]
text = "A number."
[step.predict]
kind = "number"
question = "How much?"
answer = "{answer}"
within = 0.1
reveal = "So."
"""


@pytest.mark.parametrize(
    ("answer", "holds", "says"),
    [
        ("similarity(25)", True, "the answer is 0.62"),
        ("1 / input_gap", False, "input_gap"),
        ("slope(0)", False, "slope"),
        ("log(position - 12)", False, "log(position - 12) has no value"),
    ],
)
def test_the_answer_of_a_number_must_come_to_one(played, answer, holds, says):
    (finding,) = played(NUMBER.format(answer=answer)).findings
    assert finding.text == f"answer = {answer}"
    assert (finding.verdict.holds, says in finding.verdict.says) == (holds, True), finding.verdict.says


def test_an_option_that_is_not_there_is_no_answer(qapp):
    whole = lesson(SWAP)
    prediction = dataclasses.replace(whole.steps[1].prediction, right=2)
    broken = dataclasses.replace(whole, steps=(dataclasses.replace(whole.steps[1], prediction=prediction),))
    assert [each.text for each in check(broken).failures] == ["input_gap == 0.000", "answer"]


def test_figures_of_experiments_and_long_sequences_are_worked_out_in_full(played):
    report = played("""
[[step]]
text = "The shuffle, far out."
expect = ["experiment.change_travelling == 0.000", "closest_pair_distance > 0", "unique"]
state = {experiment = "shuffle", length = 20000}
""")
    assert report.failures == ()
    assert len(report.findings) == 3
