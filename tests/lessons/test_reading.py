"""Lesson files: what a good one becomes, and what is said of every defect."""

from __future__ import annotations

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons.lesson import Kind, Sweep
from pe_desktop.lessons.predicting import PREDICT_KEYS
from pe_desktop.lessons.reading import LARGEST_LESSON, LESSON_KEYS, STEP_KEYS, parse_lesson, read_lesson
from pe_desktop.lessons.setting import STATE_KEYS

GOOD = '''format = "pe-desktop lesson"
version = 1
title = "Swap two words"
question = "Does attention know which word came first?"
group = "Why order is lost"
controls = ["scheme", "swap", "base"]

[state]
scheme = "none"
dimension = 32

[[step]]
title = "The same words"
text = """
Two sentences,
[[step]] one set of words."""
note = """First.

Then."""
point = ["swap", "input_gap", "relative"]
views = ["attention"]
play = "position"
claims = [2, 1]
expect = [
  "input_gap == 0.000", # a list's [[step]]
  "output_gap == 0.000",
]
[step.state]
swap = true

[[step]]
text = "Now with waves."
point = ["base"]
play = {parameter = "params.base", from = 16, to = 4096}
expect = ["input_gap > 0"]
[step.state]
scheme = "sinusoidal"
length = 256
[step.predict]
kind = "choose"
question = "How large is the gap?"
options = ["0.000", "about 1"]
answer = 2
hide = ["input_gap", "similarity"]
reveal = "It is there."
expect = [
  "base == 500"
]
[step.predict.state]
swap = true
params = {base = 500}

[[step]]
text = "A number."
[step.predict]
kind = "number"
question = "How similar?"
answer = "similarity(25)"
within = 0.05
unit = "positions"
reveal = "So."
'''


def refused(text, where="x.pelesson"):
    """Line and sentence of the refusal of a text."""
    with pytest.raises(FieldError) as caught:
        parse_lesson(text, where)
    message = caught.value.message
    assert "\n" not in message
    start = f"{where}, line "
    assert message.startswith(start)
    line, _, sentence = message.removeprefix(start).partition(": ")
    return int(line), sentence


def changed(old, new):
    """The good lesson with one piece of it changed."""
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


# What a good one becomes -------------------------------------------------------------------------------------------


def test_the_head_of_a_lesson():
    lesson = parse_lesson(GOOD, "some/where/swap.pelesson")
    assert (lesson.name, lesson.path) == ("swap", "some/where/swap.pelesson")
    assert lesson.title == "Swap two words"
    assert lesson.question == "Does attention know which word came first?"
    assert (lesson.group, lesson.controls) == ("Why order is lost", ("scheme", "swap", "base"))


def test_every_step_has_its_whole_state():
    first, second, third = parse_lesson(GOOD, "x").steps
    base = LabState().change({"scheme": "none", "dimension": 32})
    assert first.state == base.change({"swap": True})
    assert second.state == base.change({"scheme": "sinusoidal", "length": 256})
    assert second.revealed == second.state.change({"swap": True, "params": {"base": 500}})
    assert third.state == third.revealed == base


def test_the_words_of_a_step_are_joined_and_paragraphs_stay():
    first = parse_lesson(GOOD, "x").steps[0]
    assert first.text == "Two sentences, [[step]] one set of words."
    assert first.note == "First.\n\nThen."
    assert first.title == "The same words"


def test_what_a_step_points_at_plays_and_expects():
    first, second, _ = parse_lesson(GOOD, "x").steps
    assert (first.point, first.views, first.claims) == (("swap", "input_gap", "relative"), ("attention",), (2, 1))
    assert (first.play, second.play) == (Sweep("position"), Sweep("params.base", 16.0, 4096.0))
    assert [one.text for one in first.expect] == ["input_gap == 0.000", "output_gap == 0.000"]


def test_a_choice_counts_its_answer_from_nought():
    prediction = parse_lesson(GOOD, "x").steps[1].prediction
    assert (prediction.kind, prediction.options, prediction.right) == (Kind.CHOOSE, ("0.000", "about 1"), 1)
    assert (prediction.hide, prediction.reveal) == (("input_gap", "similarity"), "It is there.")


def test_a_number_has_its_answer_and_how_near_counts():
    prediction = parse_lesson(GOOD, "x").steps[2].prediction
    assert (prediction.kind, prediction.answer.text) == (Kind.NUMBER, "similarity(25)")
    assert (prediction.within, prediction.unit) == (0.05, "positions")


def test_the_lines_of_steps_and_expectations_are_those_of_the_file():
    first, second, third = parse_lesson(GOOD, "x").steps
    assert (first.line, second.line, third.line) == (12, 31, 53)
    assert (first.lines, second.lines, second.prediction.lines) == ((25, 26), (35,), (47,))


def test_line_ends_of_windows_and_a_mark_in_front_make_no_difference(tmp_path):
    file = tmp_path / "swap.pelesson"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    read, parsed = read_lesson(str(file)), parse_lesson(GOOD, str(file))
    assert read == parsed


# Defects, each with its line ---------------------------------------------------------------------------------------

DEFECTS = [
    # Not a lesson
    ("version = 1", "version 1", 2, "this is not TOML at column 9"),
    ('format = "pe-desktop lesson"', 'format = "session"', 1, 'must read "pe-desktop lesson"'),
    ("version = 1", "version = 2", 2, "version 2; this program reads version 1. Update PE Desktop."),
    ("version = 1", "version = true", 2, "version True"),
    # Keys and their kinds
    ('group = "', 'gruop = "', 5, 'there is no key "gruop" in a lesson. Did you mean "group"?'),
    ('group = "Why order is lost"\n', "", 1, 'a lesson has no "group", which it needs.'),
    ('text = "Now with waves."', 'text = "Now."\ntitle = ""', 33, '"title" is empty; leave it out.'),
    ('title = "Swap two words"', "title = 3", 3, '"title" is 3; it must be text.'),
    ('title = "Swap two words"', 'title = "  "', 3, '"title" is empty'),
    ('title = "Swap two words"', f'title = "{"x" * 61}"', 3, '"title" has 61 letters; at most 60 fit.'),
    ('controls = ["scheme", "swap", "base"]', "controls = 1", 6, '"controls" is 1; it must be a list of texts.'),
    ('point = ["base"]', 'ponit = ["base"]', 33, 'there is no key "ponit" in a step. Did you mean "point"?'),
    ('point = ["base"]', "point = [\n1]", 34, '"point" holds 1; it must be a list of texts.'),
    ('text = "Now with waves."', "", 31, 'a step has no "text", which it needs.'),
    ("Now with waves.", "so " * 61, 32, '"text" has 61 words; at most 60 fit.'),
    ("It is there.", "so " * 61, 45, '"reveal" has 61 words; at most 60 fit.'),
    ("claims = [2, 1]", "claims = [2, 23]", 23, "there is no claim 23; the claims are 1 to 22."),
    ("claims = [2, 1]", "claims = [true]", 23, "it must be a list of whole numbers"),
    ('text = "A number."', 'text = "A number."\nclaims = [1]', 55, 'needs "expect", which proves them'),
    # Names
    ('"swap", "base"]', '"swop"]', 6, 'there is no "swop" that "controls" could name. Did you mean "swap"?'),
    ('"swap", "base"]', '"factor"]', 6, '"factor" has no control here; it is a parameter of rope'),
    ('text = "A number."', 'text = "A"\npoint = ["factor"]\nstate.scheme = "rope"', 55, '"factor" has no control here'),
    ('"input_gap", "relative"]', '"inputgap"]', 20, 'Did you mean "input_gap"?'),
    ('point = ["base"]', 'point = ["base",\n "slope"]', 34, 'there is no "slope"'),
    ('views = ["attention"]', 'views = ["swap"]', 21, 'there is no "swap" that "views" could name.'),
    ('views = ["attention"]', 'views = ["matrix", "grid", "scores"]', 21, '"views" names 3 views; at most 2'),
    ('hide = ["input_gap", "similarity"]', 'hide = ["swap"]', 44, 'there is no "swap" that "hide" could name.'),
    # States
    ("dimension = 32", "dimension = 9000", 10, "Model dimension is 9,000; it must lie between 2 and 8,192."),
    ("dimension = 32", 'dimension = "64"', 10, "is the text '64'; write the number without quotes."),
    ("dimension = 32", "width = 32", 10, 'there is no key "width" in a state.'),
    ('scheme = "none"', 'scheme = "non"', 9, "There is no scheme 'non'"),
    ("length = 256", "length = 1", 38, "Sequence length is 1; it must lie between 2 and 1,048,576."),
    ("length = 256", "position = 128", 38, "but the sequence has 128 positions"),
    ("length = 256", "params = {bse = 1}", 38, "The scheme 'sinusoidal' has no parameter 'bse'"),
    ("length = 256", "[step.state.params]\nlayout = 3", 39, "Layout is 3; it must be one of"),
    ("length = 256", "precision = {tables = 1}", 38, "Precision: Tables is 1"),
    ("length = 256", "compare_params = {base = 2}", 38, "There is no scheme B to set parameters of"),
    ("length = 256", 'compare = "rope"\ncompare_params = {base = -1}', 39, "Scheme B: Base (rope theta) is -1"),
    ("length = 256", 'experiment = "shufle"', 38, "There is no experiment 'shufle'"),
    ("params = {base = 500}", "params = {base = 0.5}", 51, "Base is 0.5"),
    ("params = {base = 500}", "head = 9", 51, "Head is 9, but there are 8 heads"),
    ("params = {base = 500}", "head = 1979-05-27", 51, "which is not a whole number"),
    ("params = {base = 500}", "params = {base = nan}", 51, "it must be a finite number"),
    # Play
    ('play = "position"', 'play = "scheme"', 22, '"scheme" is no number that can be played.'),
    ('play = "position"', 'play = "params.base"', 22, '"params.base" is no number that can be played.'),
    ('play = "position"', 'play = "experiment_params.order"', 22, '"experiment_params.order" is no number'),
    (
        'parameter = "params.base"',
        'parameter = "base"',
        34,
        'no number that can be played. Did you mean "params.base"?',
    ),
    ('play = "position"', "play = 3", 22, '"play" is 3; it must be text.'),
    ('"params.base", from', '"params.layout", from', 34, '"params.layout" is no number that can be played.'),
    ("from = 16, to = 4096", "from = 16, to = 4", 34, '"from" is 16 and "to" is 4; the way must go up.'),
    ("from = 16, to = 4096", "from = -1", 34, "Base is -1; it must lie between"),
    ("from = 16, to = 4096", "until = 4096", 34, 'there is no key "until" in play.'),
    ("from = 16, to = 4096", "to = inf", 34, '"to" is inf; it must be a number that is finite.'),
    # Expectations
    ('"output_gap == 0.000"', '"output_gap = 0.000"', 26, "write == for equal"),
    ('["input_gap > 0"]', '["inputgap > 0"]', 35, "There is no quantity 'inputgap'"),
    ('["input_gap > 0"]', '"input_gap > 0"', 35, "it must be a list of texts"),
    ('  "base == 500"', '  "1 == 1"', 47, "cannot fail"),
    # Predictions
    ('kind = "choose"', 'kind = "chose"', 40, '"kind" is "chose"; it must be one of choose, number, draw.'),
    ('kind = "choose"', 'kind = "draw"', 42, '"options" plays no part in a prediction of kind "draw"'),
    ('kind = "number"', 'kind = "choose"', 59, '"within" plays no part in a prediction of kind "choose"'),
    ("answer = 2", "answer = 3", 43, '"answer" is 3; it must lie between 1 and 2, the number of an option.'),
    ("answer = 2", 'answer = "2"', 43, "it must be a whole number, the number of an option"),
    ("answer = 2", "", 39, 'a prediction has no "answer", which it needs.'),
    ('options = ["0.000", "about 1"]', 'options = ["0.000"]', 42, '"options" lists 1; a choice needs 2 to 4'),
    ('options = ["0.000", "about 1"]', 'options = ["0", "0"]', 42, '"options" lists "0" twice'),
    ('reveal = "It is there."', "", 39, 'a prediction has no "reveal", which it needs.'),
    ('question = "How large is the gap?"', "", 39, 'a prediction has no "question", which it needs.'),
    ("within = 0.05", "", 55, '"within" must say how near'),
    ('answer = "similarity(25)"', 'answer = "similarity(25"', 58, "cannot be read"),
    ("[step.predict.state]", "[step.predict.stat]", 49, 'there is no key "stat" in a prediction.'),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), DEFECTS)
def test_a_defect_is_named_with_its_line(old, new, line, says):
    found, sentence = refused(changed(old, new))
    assert (found, says in sentence) == (line, True), sentence


def test_a_lesson_needs_a_step_and_has_at_most_a_hundred():
    head = GOOD[: GOOD.index("[[step]]")]
    assert refused(head) == (1, "the lesson has no step; write each under a line [[step]].")
    assert refused(head.replace("[state]", "step = 3\n[state]"))[1].startswith('"step" must be tables')
    many = head + '[[step]]\ntext = "a"\n' * 101
    assert refused(many) == (12 + 200, "the lesson has 101 steps; at most 100 are read.")


def test_a_text_that_ends_too_soon_is_refused_at_its_last_line():
    assert refused('format = "pe-desktop lesson"\nversion = 1\ntitle = """\nunfinished')[0] == 4


def test_keys_within_a_table_of_one_line_are_found_too():
    assert refused(changed("[step.state]\nswap = true", 'state.swap = "yes"'))[0] == 28


def test_a_list_has_at_most_two_hundred_entries():
    texts = ", ".join(['"input_gap > 0"'] * 201)
    assert refused(changed('["input_gap > 0"]', f"[{texts}]")) == (
        35,
        '"expect" lists 201 texts; at most 200 are read.',
    )


def test_a_long_quotation_is_cut():
    _, sentence = refused(changed("length = 256", f'head = "{"x" * 5000}"'))
    assert len(sentence) < 500


# Hostile files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * 5000, "nested too deeply"),
        ("a = " + "1" * 5000, "a value that cannot be"),
        ("a = 2023-02-30T00:00:00", "not TOML"),
        ("\n" + ".".join("a" * 30_000) + " = 1", "line 2: more than 8 names are strung together by dots"),
        ("x = {" + ".".join(['"b c"'] * 9000) + " = 1}", "strung together"),
    ],
)
def test_hostile_text_is_refused(text, says):
    with pytest.raises(FieldError, match=says):
        parse_lesson(text, "x")


def test_files_that_cannot_be_read_are_named(tmp_path):
    large, latin = tmp_path / "large.pelesson", tmp_path / "latin.pelesson"
    large.write_text("#" * (LARGEST_LESSON + 1))
    latin.write_bytes(b'title = "\xe9"')
    for file, says in (
        (large, "larger than"),
        (latin, "not UTF-8"),
        (tmp_path, "cannot be read"),
        (tmp_path / "no", "no such"),
    ):
        with pytest.raises(FieldError, match=says) as caught:
            read_lesson(str(file))
        assert str(file) in caught.value.message


values = st.recursive(
    st.one_of(
        st.text(max_size=5).map(repr),
        st.integers().map(str),
        st.sampled_from(
            ['"none"', '"draw"', "true", "nan", "-inf", "1e400", "1979-05-27", "07:32:00", '"""a\n"""', "{}"]
        ),
    ),
    lambda inner: st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
    max_leaves=4,
)
keys = st.sampled_from(sorted({*LESSON_KEYS, *STEP_KEYS, *PREDICT_KEYS, *STATE_KEYS}))
lines = st.one_of(
    st.sampled_from(["[state]", "[[step]]", "[step.state]", "[step.predict]", "[step.predict.state]", "[play]"]),
    st.tuples(keys, values).map(" = ".join),
    st.text(max_size=10),
)


def is_read_or_refused(text):
    """Whether a text is a lesson, or is refused with the name of its file."""
    try:
        parse_lesson(text, "x.pelesson")
    except FieldError as error:
        return error.message.startswith("x.pelesson")
    return True


@given(st.lists(lines, max_size=12).map("\n".join))
@example("a = '\\'")
def test_any_text_is_read_or_refused(text):
    for whole in (text, GOOD + text, GOOD[: GOOD.index("[[step]]")] + text):
        assert is_read_or_refused(whole)


@given(keys, values)
def test_any_value_of_any_key_is_read_or_refused(key, value):
    for table in (
        "[state]\n",
        "[step.state]\nswap = true\n",
        "[step.predict]\n",
        "[step.predict.state]\nswap = true\n",
    ):
        place = GOOD.index(table) + len(table)
        assert is_read_or_refused(GOOD[:place] + f"{key} = {value}\n" + GOOD[place:])


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    path = tmp_path / "pipe.pelesson"
    os.mkfifo(path)
    with pytest.raises(FieldError, match="is a pipe, not a file"):
        read_lesson(str(path))


def test_signs_that_cannot_be_seen_reach_no_terminal():
    turned = changed('title = "Swap two words"', 'title = "Swap\\u202e two\\u0007 words"')
    assert parse_lesson(turned, "x.pelesson").title == "Swap two words"
