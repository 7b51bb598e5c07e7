"""What could not fail is found out: each expectation is tried in states that are wrong on purpose."""

from __future__ import annotations

from pe_desktop.lessons.reading import parse_lesson
from pe_desktop.lessons.wrong import wrong

HEAD = """format = "pe-desktop lesson"
version = 1
title = "A title"
question = "A question?"
group = "A group"
"""


def lesson(steps):
    return parse_lesson(HEAD + steps, "x.pelesson")


def tried(*expect, state="scheme = 'sinusoidal'"):
    """By what each expectation was broken, and the schemes that broke the lesson."""
    texts = ", ".join(f'"{text}"' for text in expect)
    trials = wrong(lesson(f'[[step]]\ntext = "a"\nexpect = [{texts}]\nstate = {{{state}}}\n'))
    return [trial.by for trial in trials.trials], trials


def test_the_first_wrong_scheme_that_breaks_is_named():
    by, trials = tried("largest_value > 0.5", "input_gap > 0.1", state="swap = true")
    assert by == ["scheme none", "scheme none"]
    assert (trials.schemes, trials.survivors) == (("none",), ())


def test_a_parameter_breaks_what_no_scheme_denies():
    by, trials = tried("base == 10000")
    assert (by, trials.schemes, trials.trials[0].missing) == (["base = 2500.0"], (), False)


def test_a_mask_breaks_what_is_true_of_every_encoding():
    by, trials = tried("output_gap_travelling == 0.000", state="swap = true")
    assert by == ["with a causal mask"]
    assert trials.schemes == ()


def test_a_table_that_ends_breaks_that_every_position_has_a_row():
    assert tried("rows == 128")[0] == ["a table that ends halfway"]


def test_the_sizes_of_the_state_prove_nothing():
    by, trials = tried("length == 128", "position + dimension == 76", "rows <= length")
    assert by == ["", "", ""]
    assert [trial.text for trial in trials.survivors] == [
        "length == 128",
        "position + dimension == 76",
        "rows <= length",
    ]
    assert trials.survivors[0].line == 8


def test_what_only_loses_its_value_is_broken_all_the_same():
    by, trials = tried("experiment.change_travelling * 0 == 0", state="sentence = 'a b'")
    assert (by, trials.trials[0].missing) == ([""], False)
    by, trials = tried("slope(0) * 0 == 0", state="scheme = 'alibi'")
    assert (by, trials.trials[0].missing) == (["scheme none"], True)


REVEALED = """[[step]]
text = "Waves."
expect = ["largest_value <= 1"]
[step.predict]
kind = "draw"
question = "And now?"
reveal = "More."
state = {swap = true}
expect = ["input_gap > 0.1", "largest_value > 0.9"]
"""


def test_the_revealed_state_is_tried_too():
    trials = wrong(lesson(REVEALED))
    assert [(trial.step, trial.line) for trial in trials.trials] == [(1, 8), (1, 14), (1, 14)]
    assert trials.survivors == ()
