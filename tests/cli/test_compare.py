"""The verb compare, and comparing as a state option."""

from __future__ import annotations

import json

import pytest

from pe_desktop.core.state import LabState
from pe_desktop.session_file import save_session
from pe_desktop.theme import LIGHT
from tests.cli.helpers import process, refused, run

FIELDS = ["verdict", "sentence", "first_position", "largest_difference", "where", "permutation"]


def found(capsys, *arguments):
    """The verdict as JSON."""
    return json.loads(run(capsys, "compare", *arguments, "--json"))


def test_the_fields_of_the_json(capsys):
    assert list(found(capsys, "rope", "rope:layout=interleaved")) == FIELDS
    assert list(found(capsys, "rope", "alibi", "--positions", "0,5")) == [*FIELDS, "positions", "differences"]


def test_the_layouts_of_rope(capsys):
    made = found(capsys, "rope", "rope:layout=interleaved", "--dimension", "8", "--positions", "0,1,4:10:3")
    assert (made["verdict"], made["first_position"]) == ("reordered", 1)
    assert made["permutation"] == [0, 4, 1, 5, 2, 6, 3, 7]
    assert made["positions"] == [0, 1, 4, 7]
    assert made["differences"][0] == 0.0
    assert made["differences"][1] == pytest.approx(0.8414709848, abs=1e-10)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ("rope:base=500000", '{"scheme": "rope", "params": {"base": 500000}}', "same"),
        ("rope:base=500000,extension=llama3,factor=8", "rope:base=500000", "different"),
        ("alibi:convention=last_row", "alibi:convention=key_index", "equal_after_softmax"),
        ("sinusoidal", "sinusoidal:layout=concatenated", "reordered"),
        ("learned: seed = 3", "learned:seed=3", "same"),
    ],
)
def test_verdicts(capsys, a, b, verdict):
    assert found(capsys, a, b)["verdict"] == verdict


def test_lists_within_a_scheme(capsys):
    lists = "rope:extension=longrope,short_factor=[1,2],long_factor=[1, 4],factor=2"
    made = found(capsys, lists, lists.replace("[1,2]", "[1,3]"), "--dimension", "4")
    assert (made["verdict"], made["where"]) == ("different", "pair 1")
    assert found(capsys, lists, lists.replace("[1, 4]", "[1,5]"), "--dimension", "4")["verdict"] == "same"


def test_sizes_apply_where_a_scheme_has_none_of_its_own(capsys):
    own = '{"scheme": "normalized", "dimension": 4, "length": 50}'
    assert found(capsys, own, "normalized", "--dimension", "4", "--length", "50")["verdict"] == "same"
    assert found(capsys, own, "normalized", "--dimension", "4", "--length", "60")["verdict"] == "different"
    assert found(capsys, own, "normalized", "--dimension", "8")["where"] == "dimension"


def test_sessions(capsys, tmp_path):
    state = LabState().change({"scheme": "rope", "dimension": 16, "params": {"base": 500.0}})
    path = str(save_session(state, str(tmp_path / "mine.pelab")))
    assert found(capsys, path, "rope:base=500", "--dimension", "16")["verdict"] == "same"
    assert found(capsys, path, "rope", "--dimension", "16")["verdict"] == "different"


def test_words_for_a_person(capsys):
    text = run(capsys, "compare", "integer", "normalized", "--positions", "0,10").splitlines()
    assert text == [
        "different",
        "Different from position 1 on, by up to 126 (position 127, column 0).",
        "position 0: 0",
        "position 10: 9.922",
    ]
    text = run(capsys, "compare", "integer", "rope", "--positions", "3").splitlines()
    assert text[-1] == "position 3: nothing to compare"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rope",), "arguments are required: B"),
        (("rope", "ropes"), "no scheme 'ropes'"),
        (("rope", "config.json"), "config.json is a file that compare cannot read yet; give a scheme such as"),
        (("some/where/config.json", "rope"), "cannot read yet"),
        (("rope", "gone.pelab"), "gone.pelab cannot be read"),
        (("rope", "rope:base"), "'base' is not NAME=VALUE"),
        (("rope", "rope:bas=1"), "no parameter 'bas'"),
        (("rope", "rope:base=abc"), "not a number"),
        (("rope", '{"scheme": "rope"'), "is not JSON"),
        (("rope", '{"scheme": "rope", "what": "cos"}'), "no field 'what'"),
        (("rope", "alibi", "--dimension", "1"), "between 2"),
        (("rope", "alibi", "--positions", "x"), "hold 'x'"),
        (("rope", "alibi", "--scheme", "x"), "unrecognized arguments"),
    ],
)
def test_refusals(capsys, arguments, words):
    assert words.lower() in refused(capsys, "compare", *arguments).lower()


def test_a_process_of_its_own():
    code, out, err = process("compare", "rope", "rope:base=500000", "--json", QT_QPA_PLATFORM="none")
    assert (code, err) == (0, "")
    assert json.loads(out)["verdict"] == "different"


# State options ----------------------------------------------------------------------------------------------------


def test_comparing_as_a_state_option(capsys):
    out = run(capsys, "readouts", "--compare", "rope", "--compare-set", "base=500000", "--json")
    state = json.loads(out)["state"]
    assert (state["compare"], state["compare_params"]) == ("rope", {"rope": {"base": 500000.0}})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--compare", "nope"), "Scheme B: There is no scheme 'nope'"),
        (("--compare-set", "base=3"), "There is no scheme B to set parameters of"),
        (("--compare", "rope", "--compare-set", "base"), "--compare-set got 'base'; write NAME=VALUE"),
        (("--compare", "rope", "--compare-set", "base=0"), "Scheme B: Base (rope theta) is 0"),
        (("--compare", "rope", "--dimension", "9"), "Scheme B: RoPE rotates pairs"),
    ],
)
def test_state_options_refused(capsys, arguments, words):
    assert words in refused(capsys, "readouts", *arguments)


def test_a_picture_while_comparing(capsys, qapp, tmp_path):
    drawn = []
    for name, other in (("alone", ""), ("compared", "rope")):
        target = tmp_path / f"{name}.svg"
        run(capsys, "render", "--out", str(target), "--view", "similarity", "--compare", other, "--size", "600x400")
        drawn.append(LIGHT.other.lower() in target.read_text(encoding="utf-8"))
    assert drawn == [False, True]


def test_parameters_that_play_no_part_are_named(capsys):
    out = run(capsys, "compare", "rope", "rope:factor=8")
    assert out.splitlines()[0] == "same"
    assert out.splitlines()[-1] == "factor of B plays no part."
    found = json.loads(run(capsys, "compare", "rope:beta_fast=3,extension=linear,factor=2", "rope", "--json"))
    assert found["notes"] == ["beta_fast of A plays no part."]
