"""Which lessons there are: shipped and own, whole and broken."""

from __future__ import annotations

import os

import pytest

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons import library
from pe_desktop.lessons.writing import lesson_text


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of own lessons, and no lesson shipped but one with a number in front of its name."""
    own, package = tmp_path / "own", tmp_path / "package"
    package.mkdir()
    (package / "02-second.pelesson").write_text(lesson_text(LabState(), "Second"))
    (package / "01-first.pelesson").write_text(lesson_text(LabState(), "First"))
    (package / "03-broken.pelesson").write_text("version 1")
    (package / "notes.md").write_text("no lesson")
    own.mkdir()
    monkeypatch.setenv(library.VARIABLE, str(own))
    monkeypatch.setattr(library, "shipped_folder", lambda: package)
    library.shipped.cache_clear()
    yield own
    library.shipped.cache_clear()


def test_shipped_lessons_come_by_number_and_are_named_without_it(folder):
    assert [(entry.name, entry.path) for entry in library.shipped()[:2]] == [
        ("first", "resources/lessons/01-first.pelesson"),
        ("second", "resources/lessons/02-second.pelesson"),
    ]
    assert library.shipped()[0].lesson.name == "first"


def test_a_broken_lesson_says_why_and_hinders_no_other(folder):
    *_, broken = library.shipped()
    assert broken.lesson is None
    assert broken.error.startswith("resources/lessons/03-broken.pelesson, line 1: this is not TOML")


def test_shipped_lessons_are_read_once(folder):
    assert library.shipped() is library.shipped()


def test_own_lessons_are_read_from_the_folder_by_name(folder):
    (folder / "b.toml").write_text(lesson_text(LabState(), "B"))
    (folder / "a.pelesson").write_text(lesson_text(LabState(), "A"))
    (folder / "c.pelesson").write_text("nothing")
    (folder / "d.txt").write_text("no lesson")
    entries = library.own()
    assert [(entry.name, entry.lesson.title if entry.lesson else None) for entry in entries] == [
        ("a", "A"),
        ("b", "B"),
        ("c", None),
    ]
    assert f"{folder / 'c.pelesson'}, line 1" in entries[2].error


def test_an_own_lesson_is_read_again_when_it_has_changed_and_only_then(folder):
    file = folder / "a.pelesson"
    file.write_text(lesson_text(LabState(), "Old"))
    (before,) = library.own()
    assert library.own()[0] is before
    file.write_text(lesson_text(LabState(), "Newer"))
    assert library.own()[0].lesson.title == "Newer"


def test_no_folder_is_no_lesson_and_a_file_in_its_place_is_named(folder, monkeypatch):
    monkeypatch.setenv(library.VARIABLE, str(folder / "nowhere"))
    assert library.own() == ()
    (folder / "file").write_text("")
    monkeypatch.setenv(library.VARIABLE, str(folder / "file"))
    (entry,) = library.own()
    assert entry.error == f"{folder / 'file'} cannot be read: not a directory."


def test_without_the_variable_the_folder_lies_among_the_documents(monkeypatch):
    monkeypatch.delenv(library.VARIABLE, raising=False)
    assert library.own_folder().name == "PE Desktop lessons"
    assert library.own_folder().is_absolute()


def test_a_lesson_is_found_by_name_by_file_name_and_by_path(folder):
    file = folder / "mine.pelesson"
    file.write_text(lesson_text(LabState(), "Mine"))
    assert library.find("first").title == "First"
    assert library.find("02-second").title == "Second"
    assert library.find("mine").title == "Mine"
    assert library.find(str(file)).title == "Mine"


def test_what_is_not_found_or_broken_is_refused(folder):
    with pytest.raises(FieldError, match=r"There is no lesson 'frist'; did you mean 'first'\?"):
        library.find("frist")
    with pytest.raises(FieldError, match=r"There is no lesson 'qqq'; pe-desktop lessons lists them."):
        library.find("qqq")
    with pytest.raises(FieldError, match=r"03-broken.pelesson, line 1"):
        library.find("broken")
    with pytest.raises(FieldError, match="cannot be read"):
        library.find(f"no{os.sep}file")


def test_a_file_that_cannot_be_found_is_an_entry_with_its_sentence(folder):
    entry = library.entry(str(folder / "gone.pelesson"))
    assert (entry.name, entry.lesson) == ("gone", None)
    assert "cannot be read" in entry.error


def test_the_lessons_of_the_app_lie_in_the_package():
    folder = library.shipped_folder()
    assert folder.is_dir()
    assert (folder.name, any(file.name.endswith(".pelesson") for file in folder.iterdir())) == ("lessons", True)
