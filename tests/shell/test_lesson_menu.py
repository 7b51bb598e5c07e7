"""The menu of the lessons: opening one, and a teacher's craft."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QToolButton

from pe_desktop.lessons import library
from pe_desktop.lessons.reading import parse_lesson, read_lesson
from pe_desktop.shell.lesson_menu import LessonMenu
from tests.shell.lesson_hands import TEXT, written


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    folder = tmp_path / "mine"
    monkeypatch.setenv(library.VARIABLE, str(folder))
    return folder


@pytest.fixture
def lesson(tmp_path):
    return written(tmp_path / "try.pelesson")


def menu(person) -> LessonMenu:
    found = person.window.findChild(LessonMenu, "lesson_menu")
    found.fill()
    return found


def entry(found, words: str):
    return next(action for action in found.actions() if action.text().startswith(words))


def test_the_menu_opens_lessons_of_every_group(person, own_folder):
    own_folder.mkdir()
    (own_folder / "good.pelesson").write_text(TEXT, encoding="utf-8")
    found = menu(person)
    first = found.actions()[0]
    assert first.text() == "The five classic tests"
    first.trigger()
    assert person.window.guide.lesson.title == "The five classic tests"
    groups = Counter(entry.lesson.group for entry in library.shipped())
    submenus = {action.text(): action.menu() for action in found.actions() if action.menu() is not None}
    assert set(submenus) == {*(group for group, count in groups.items() if count > 1), "My lessons"}
    submenus["My lessons"].actions()[0].trigger()
    assert person.window.guide.lesson.title == "Try"
    before = found.actions()
    found.fill()
    assert found.actions() == before
    (own_folder / "good.pelesson").unlink()
    found.fill()
    assert "My lessons" not in [action.text() for action in found.actions()]


def test_the_toolbar_button_opens_the_menu(person):
    bar = person.window.actions_by_name.bar
    button = bar.widgetForAction(person.window.actions_by_name["lessons"])
    assert isinstance(button, QToolButton)
    assert button.popupMode() is QToolButton.ToolButtonPopupMode.InstantPopup
    assert button.defaultAction().menu() is menu(person)


def test_the_menu_shows_and_hides_the_dock(person):
    action = entry(menu(person), "Lesson dock")
    assert not action.isChecked()
    action.trigger()
    assert person.window.lesson_dock.isVisible()
    menu(person)
    assert action.isChecked()
    action.trigger()
    assert person.window.lesson_dock.isHidden()


def test_a_state_is_copied_as_a_step_that_can_be_read(person):
    person.lab.request(scheme="rope", position=33)
    entry(menu(person), "Copy this state").trigger()
    head = 'format = "pe-desktop lesson"\nversion = 1\ntitle = "T"\nquestion = "Q"\ngroup = "G"\n'
    read = parse_lesson(head + QGuiApplication.clipboard().text(), "copied.pelesson")
    assert read.steps[0].state == person.lab.state


def test_a_state_is_saved_as_a_lesson_that_opens(person, tmp_path, monkeypatch):
    person.lab.request(scheme="alibi")
    target = tmp_path / "my-first"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    entry(menu(person), "Save this state").trigger()
    saved = read_lesson(f"{target}.pelesson")
    assert (saved.title, saved.steps[0].state) == ("My first", person.lab.state)
    nowhere = tmp_path / "no" / "such.pelesson"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(nowhere), ""))
    entry(menu(person), "Save this state").trigger()
    assert "cannot be written" in person.window.messages.text


def test_only_an_open_lesson_can_be_printed(person, lesson, tmp_path, monkeypatch):
    assert not entry(menu(person), "Print").isEnabled()
    person.window.guide.open(lesson)
    target = tmp_path / "sheet"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    entry(menu(person), "Print").trigger()
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
