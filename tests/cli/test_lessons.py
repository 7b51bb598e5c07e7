"""The verb lessons, and opening a lesson from the command line."""

from __future__ import annotations

import json

import pytest

from pe_desktop import app, cli
from pe_desktop.core.state import LabState
from pe_desktop.lessons import library
from pe_desktop.lessons.writing import lesson_text
from tests.cli.helpers import process, refused, run

GOOD = """format = "pe-desktop lesson"
version = 1
title = "Swap two words"
question = "Which came first?"
group = "Order"
[[step]]
text = "None."
claims = [2]
expect = ["input_gap == 0.000"]
state = {scheme = "none", swap = true}
[[step]]
text = "Waves."
expect = ["input_gap > 0.1"]
state = {swap = true}
"""
ASKED = """note = "Ask first."
[step.predict]
kind = "choose"
question = "What will Input gap show?"
options = ["Nothing", "A number"]
answer = 2
reveal = "The waves tell the two places apart, so that the vectors of the swapped words differ."
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """No lesson shipped, and a folder of own ones."""
    own, package = tmp_path / "own", tmp_path / "package"
    own.mkdir()
    package.mkdir()
    monkeypatch.setenv(library.VARIABLE, str(own))
    monkeypatch.setattr(library, "shipped_folder", lambda: package)
    library.shipped.cache_clear()
    yield own
    library.shipped.cache_clear()


@pytest.fixture
def swap(folder):
    """A good lesson among the own ones."""
    (folder / "swap.pelesson").write_text(GOOD)
    return folder / "swap.pelesson"


def coded(capsys, *arguments):
    """Exit code and lines of a run that says nothing on standard error."""
    code = cli.main(["lessons", *arguments])
    out, err = capsys.readouterr()
    assert err == ""
    return code, out.splitlines()


# The list ----------------------------------------------------------------------------------------------------------


def test_no_lesson_is_said_to_be_none(capsys):
    assert run(capsys, "lessons") == "There are no lessons.\n"


def test_the_list_stands_by_group(capsys, swap, folder):
    (folder / "one.pelesson").write_text(lesson_text(LabState(), "One"))
    assert run(capsys, "lessons").splitlines() == [
        "My lessons",
        "  one   One: What does this lesson answer?",
        "        1 step",
        "",
        "Order",
        "  swap  Swap two words: Which came first?",
        "        2 steps; claims 2",
    ]


def test_the_list_as_json(capsys, swap):
    assert json.loads(run(capsys, "lessons", "--json")) == [
        {
            "name": "swap",
            "path": str(swap),
            "group": "Order",
            "title": "Swap two words",
            "question": "Which came first?",
            "steps": 2,
            "claims": [2],
        }
    ]


def test_a_broken_file_is_named_and_the_others_are_listed(capsys, swap, folder):
    (folder / "a.pelesson").write_text("version 1")
    assert cli.main(["lessons"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"pe-desktop: error: {folder / 'a.pelesson'}, line 1: this is not TOML")
    assert len(err.splitlines()) == 1
    assert "  swap  Swap two words: Which came first?" in out.splitlines()


# Playing -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("qapp")
class TestCheck:
    def test_what_holds_is_counted_and_missing_claims_are_named(self, capsys, swap):
        code, (line,) = coded(capsys, "--check")
        assert code == 0
        assert line.startswith("1 lesson, 2 steps, 2 expectations hold; 1 of 22 claims are proven; missing: 1, 3, 4,")

    def test_named_lessons_tell_what_they_prove(self, capsys, swap):
        for name in ("swap", str(swap)):
            code, lines = coded(capsys, "--check", name)
            assert (code, lines) == (0, ["1 lesson, 2 steps, 2 expectations hold; proven: claims 2."])

    def test_a_failure_is_a_line_with_its_place(self, capsys, swap):
        swap.write_text(GOOD.replace('"input_gap > 0.1"', '"input_gap < 0.1"'))
        code, (failure, summary) = coded(capsys, "--check", "swap")
        assert code == 1
        assert failure.startswith(f"{swap}:13 step 2: 'input_gap < 0.1' does not hold: input_gap is ")
        assert failure.endswith("expected to be less than 0.1.")
        assert summary == "1 lesson, 2 steps, 1 of 2 expectations does not hold; proven: claims 2."

    def test_a_broken_file_fails_and_the_others_are_played(self, capsys, swap, folder):
        (folder / "a.pelesson").write_text("version 1")
        assert cli.main(["lessons", "--check"]) == 2
        summary, broken = capsys.readouterr()
        assert broken.startswith(f"pe-desktop: error: {folder / 'a.pelesson'}, line 1")
        assert summary.startswith("1 lesson, 2 steps, 2 expectations hold")

    def test_what_cannot_fail_is_named_with_wrong_alone(self, capsys, swap):
        swap.write_text(GOOD.replace('"input_gap > 0.1"', '"input_gap > 0.1", "length == 128"'))
        assert coded(capsys, "--check")[0] == 0
        code, (survivor, summary) = coded(capsys, "--wrong", "swap")
        assert code == 1
        assert survivor == (
            f"{swap}:13 step 2: 'length == 128' cannot fail: no wrong scheme, parameter, mask or size breaks it."
        )
        assert "3 expectations hold; nothing breaks 1 of them;" in summary

    def test_a_lesson_that_no_scheme_breaks_is_named(self, capsys, swap):
        swap.write_text(
            GOOD.replace("input_gap == 0.000", "output_gap_travelling == 0.000").replace(
                '"input_gap > 0.1"', '"output_gap_travelling == 0.000"'
            )
        )
        code, lines = coded(capsys, "--wrong", "swap")
        assert (code, lines[0]) == (1, f"{swap}: no wrong scheme breaks this lesson.")

    def test_a_lesson_that_is_well_made_passes_both(self, capsys, swap):
        code, (line,) = coded(capsys, "--wrong", "--check", "swap")
        assert code == 0
        assert "something wrong breaks each of them" in line

    def test_the_report_as_json(self, capsys, swap, folder):
        (folder / "a.pelesson").write_text("version 1")
        code = cli.main(["lessons", "--wrong", "--json"])
        found = json.loads(capsys.readouterr().out)
        assert code == 2
        (report,) = found["lessons"]
        assert (report["name"], report["holds"], report["steps"]) == ("swap", True, 2)
        assert [(each["line"], each["holds"]) for each in report["expectations"]] == [(9, True), (13, True)]
        assert [each["broken_by"] for each in report["wrong"]] == ["scheme integer", "scheme none"]
        assert [each["name"] for each in found["errors"]] == ["a"]
        assert found["claims"]["proven"] == [2]
        assert len(found["claims"]["missing"]) == 21


def test_it_plays_in_a_process_without_a_screen(swap):
    code, out, err = process("lessons", "--check", str(swap), QT_QPA_PLATFORM="none")
    assert (code, err) == (0, "")
    assert out == "1 lesson, 2 steps, 2 expectations hold; proven: claims 2.\n"


# Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lessons", "nothing"], "There is no lesson 'nothing'; pe-desktop lessons lists them."),
        (["lessons", "swop"], "There is no lesson 'swop'; did you mean 'swap'?"),
        (["lessons", "--answers"], "--answers plays no part without --handout; leave it out."),
        (["lessons", "--handout", "a.pdf"], "--handout prints one lesson; name it, such as --handout swap.pdf swap."),
        (["lessons", "--handout", "a.png", "swap"], "--handout is 'a.png'; the file must end in .pdf."),
        (["--step", "2"], "--step plays no part in a start without a lesson; leave it out."),
        (["--lesson", "nothing"], "There is no lesson 'nothing'; pe-desktop lessons lists them."),
        (["--lesson", "swap", "--step", "3"], "--step is 3; the lesson 'swap' has steps 1 to 2."),
        (["--lesson", "swap", "--step", "two"], "--step is 'two', which is not a whole number."),
        (["--lesson", "swap", "--scheme", "rope"], "--scheme plays no part in a lesson; leave it out."),
        (["--lesson", "swap", "a.pelab"], "Both FILE and --lesson name what to open; give one of them."),
        (["--lesson", "swap", "--session", "a.pelab"], "--session plays no part in a lesson; leave it out."),
    ],
)
@pytest.mark.usefixtures("swap")
def test_what_is_refused(capsys, arguments, says):
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    assert (code, out, err) == (2, "", f"pe-desktop: error: {says}\n")


def test_a_lesson_file_that_is_none_is_refused(capsys, tmp_path):
    assert "cannot be read" in refused(capsys, str(tmp_path / "gone.pelesson"))
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    assert "this is not a PE Desktop lesson" in refused(capsys, str(tmp_path / "pyproject.toml"))


# Opening -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "step"), [([], 0), (["--step", "2"], 1)])
def test_a_window_opens_on_a_lesson(capsys, monkeypatch, swap, more, step):
    asked = []

    def note(state, theme, *, lesson, step):
        asked.append((state, theme, lesson.title, step))
        return 0

    monkeypatch.setattr(app, "run", note)
    run(capsys, str(swap), "--theme", "dark", *more)
    run(capsys, "--lesson", "swap", "--theme", "dark", *more)
    state = LabState().change({"swap": True, "scheme": "sinusoidal" if step else "none"})
    assert asked == [(state, "dark", "Swap two words", step)] * 2


# On paper ----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("qapp")
def test_a_lesson_is_printed(capsys, swap, tmp_path):
    swap.write_text(GOOD + ASKED)
    plain, answered = tmp_path / "plain.pdf", tmp_path / "answered.pdf"
    assert run(capsys, "lessons", "--handout", str(plain), "swap") == f"{plain}\n"
    assert run(capsys, "lessons", "--handout", str(answered), "--answers", str(swap)) == f"{answered}\n"
    assert plain.read_bytes().startswith(b"%PDF")
    assert answered.stat().st_size > plain.stat().st_size
