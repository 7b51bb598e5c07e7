"""pe-desktop readouts: every number of the panels."""

from __future__ import annotations

import json
import math

import pytest

from pe_desktop.core.state import LabState, from_json
from tests.cli.helpers import process, run
from tests.core.strategies import ALL
from tests.core.test_properties import MARKS, NAMES, PATTERNS


def table(capsys, *arguments):
    out = run(capsys, "readouts", *arguments, "--json")

    def unwelcome(constant):
        raise AssertionError(f"{constant} in the output")

    return json.loads(out, parse_constant=unwelcome)


@pytest.mark.parametrize("name", ALL)
def test_what_is_in_it(capsys, name):
    found = table(capsys, "--scheme", name, "--swap")
    assert [name for name in found if name != "notes"] == ["state", "readouts", "properties", "sentences"]
    assert from_json(found["state"]) == LabState().change({"scheme": name, "swap": True})
    expected = {"input_gap", "output_gap", "output_gap_travelling", "largest_value", "row_norm_min", "row_norm_max"}
    assert set(found["readouts"]) == expected | {
        *("closest_pair", "closest_pair_distance", "gap_spread", "rotation_residual"),
    }
    assert tuple(found["properties"]) == NAMES
    assert "".join(MARKS[found["properties"][light]["holds"]] for light in NAMES) == PATTERNS[name]
    assert all(set(light) == {"holds", "evidence"} for light in found["properties"].values())
    assert list(found["sentences"]) == ["matrix", "similarity", "rotation", "attention"]
    assert all(sentence.endswith(".") for sentence in found["sentences"].values())


def test_the_numbers(capsys):
    found = table(capsys)["readouts"]
    assert found["row_norm_min"] == found["row_norm_max"] == pytest.approx(math.sqrt(32), abs=1e-12)
    assert found["largest_value"] <= 1.0
    assert (found["input_gap"], found["output_gap"]) == (None, None)
    assert found["gap_spread"] < 1e-12
    assert found["rotation_residual"] < 1e-12
    first, second = found["closest_pair"]
    assert 0 <= first < second < 128
    found = table(capsys, "--scheme", "none", "--swap")["readouts"]
    assert found["input_gap"] == 0.0
    assert found["row_norm_min"] is None
    found = table(capsys, "--scheme", "integer", "--length", "1048576", "--position", "1048575")["readouts"]
    assert found["largest_value"] == 1048575
    assert found["closest_pair_distance"] == 8.0


def test_state_options(capsys):
    arguments = ["--sentence", "one two three", "--swap", "0,2", "--causal", "--head", "3", "--seed", "9"]
    found = table(capsys, *arguments, "--key-position", "50", "--set", "base=500")["state"]
    assert (found["sentence"], found["swap_words"], found["causal"]) == ("one two three", [0, 2], True)
    assert (found["head"], found["seed"], found["key_position"]) == (3, 9, 50)
    assert found["params"] == {"sinusoidal": {"base": 500.0}}


def test_as_text(capsys):
    out = run(capsys, "readouts", "--scheme", "none", "--swap")
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["Input", "gap", "0.000"]
    assert lines[0].endswith("The two sentences are the same input: a set of words without order.")
    assert [line[0] for line in lines if line[:1] in "●○–" and line] == list(PATTERNS["none"])
    assert lines[-4].startswith("matrix: Nothing is added")


def test_as_a_process_with_words_of_other_scripts():
    code, out, err = process("readouts", "--sentence", "🙂 שלום café", "--swap", "--json", LC_ALL="C")
    assert (code, err) == (0, "")
    assert json.loads(out)["state"]["sentence"] == "🙂 שלום café"


def test_the_precision_lab_and_the_second_scheme_are_in_it(capsys):
    asked = ["readouts", "--scheme", "rope", "--length", "4096", "--precision", "positions=bfloat16"]
    found = json.loads(run(capsys, *asked, "--compare", "rope", "--json"))
    assert found["precision"]["first_bad_position"] == 257
    assert "769" in " ".join(found["precision"]["figures"].values())
    assert found["compare"].startswith("The same")
    out = run(capsys, *asked, "--compare", "rope")
    assert f"compare: {found['compare']}" in out
    assert f"precision: {found['precision']['sentence']}" in out
    plain_run = json.loads(run(capsys, "readouts", "--json"))
    assert not {"precision", "compare"} & set(plain_run)
