"""pe-desktop schemes, and lists after --set."""

from __future__ import annotations

import json

import pytest

from pe_desktop.core.scheme import REGISTRY
from tests.cli.helpers import process, refused, run


def test_all_schemes(capsys):
    out = run(capsys, "schemes")
    assert all(f"\n{name} " in f"\n{out}" for name in REGISTRY)
    found = json.loads(run(capsys, "schemes", "--json"))
    assert {scheme["id"] for scheme in found} == set(REGISTRY)


def test_one_scheme(capsys):
    assert run(capsys, "schemes", "alibi").startswith("alibi  ALiBi (bias)\n")
    (found,) = json.loads(run(capsys, "schemes", "alibi", "--json"))
    assert found["id"] == "alibi"
    assert "There is no scheme 'x'" in refused(capsys, "schemes", "x")


def test_it_needs_no_qt():
    code, out, err = process("schemes", "rope", QT_QPA_PLATFORM="no such platform")
    assert (code, err) == (0, "")
    assert "2104.09864" in out


@pytest.mark.parametrize("text", ["[1, 1.5]", "1,1.5", "1 1.5", "1; 1,5", "[1.0,15e-1]"])
def test_a_list_after_set(capsys, text):
    options = ["--scheme", "rope", "--dimension", "4", "--set", "extension=longrope", "--set", "factor=2"]
    out = run(capsys, "values", *options, "--set", f"short_factor={text}", "--what", "inv_freq", "--json")
    found = json.loads(out)
    assert found["params"]["short_factor"] == [1.0, 1.5]
    assert found["values"] == pytest.approx([1.0, 0.01 / 1.5], rel=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1, NaN]", "finite"),
        ("[1, [2]]", "number 2, is [2]"),
        ("[1, true]", "number 2, is True"),
        ("[]", "must be a list"),
        ("", "must be a list"),
        ("[1, 2, 3]", "3 numbers"),
        ("1, x", "'x'"),
        ("[" * 5000, "is not a number"),
        ("{}", "must be a list"),
    ],
)
def test_a_bad_list_after_set_is_refused_in_one_line(capsys, text, words):
    options = ["--scheme", "rope", "--dimension", "4", "--set", "extension=longrope", "--what", "inv_freq"]
    assert words in refused(capsys, "values", *options, "--set", f"short_factor={text}")
