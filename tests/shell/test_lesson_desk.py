"""The lesson dock in its window: its keys, its end, the list, files, and where it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QSlider

from pe_desktop.core.state import LabState
from pe_desktop.lessons import library
from pe_desktop.lessons.lesson_list import Sort
from pe_desktop.shell.settings import Settings
from tests.shell.lesson_hands import TEXT, begun, click, drop, press, text, written


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    folder = tmp_path / "mine"
    monkeypatch.setenv(library.VARIABLE, str(folder))
    return folder


@pytest.fixture
def lesson(tmp_path):
    return written(tmp_path / "try.pelesson")


@pytest.fixture
def guide(person, lesson):
    return begun(person, lesson)


# -- keys beyond the dock


def test_page_keys_go_on_from_anywhere_but_where_they_mean_something(person, guide):
    person.window.centre.tabs[0].setFocus()
    press(person, Qt.Key.Key_PageDown)
    assert guide.revealed
    press(person, Qt.Key.Key_PageUp)
    assert guide.index == 0
    slider = person.find(QSlider, "position_slider")
    slider.setFocus()
    before = person.lab.state.position
    press(person, Qt.Key.Key_PageUp)
    press(person, Qt.Key.Key_Right)
    assert person.lab.state.position > before
    assert guide.index == 0
    edit = person.find(QLineEdit, "position_edit")
    edit.setFocus()
    press(person, Qt.Key.Key_PageDown)
    assert guide.index == 0


def test_page_keys_are_nobodys_without_a_lesson(person):
    person.window.centre.tabs[0].setFocus()
    press(person, Qt.Key.Key_PageDown)
    assert person.window.lesson_dock.isHidden()
    assert person.lab.state == LabState()


@pytest.mark.parametrize(
    ("key", "modifier"),
    [(Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)],
)
def test_a_key_goes_into_the_dock_and_back(person, key, modifier):
    person.window.activateWindow()
    edit = person.find(QLineEdit, "position_edit")
    edit.setFocus()
    QTest.keyClick(person.window, key, modifier)
    person.settle()
    assert person.window.lesson_dock.isVisible()
    assert QApplication.focusWidget().objectName() == "lesson_rows"
    QTest.keyClick(person.window, key, modifier)
    assert QApplication.focusWidget() is edit


# -- the end of a lesson


def test_closing_the_dock_ends_the_lesson_and_keeps_the_state(person, guide):
    guide.reveal()
    state = person.lab.state
    click(person, "lesson_leave")
    assert person.window.lesson_dock.isHidden()
    assert (guide.lesson, guide.step, guide.revealed) == (None, None, False)
    assert person.lab.state == state


def test_back_to_the_list_ends_it_and_offers_to_go_on(person, guide, lesson):
    guide.go(1)
    click(person, "lesson_to_list")
    assert guide.lesson is None
    rows = person.window.desk._contents.list.rows
    first = rows.row_of(rows.item(0))
    assert (first.title, first.detail) == ("Go on where you were", "Try, step 2 of 3")
    rows.setCurrentRow(0)
    click(person, "lesson_open")
    assert (guide.lesson.title, guide.index) == ("Try", 1)


def test_after_a_shipped_lesson_comes_the_next(person):
    lessons = [entry.lesson for entry in library.shipped()]
    guide = person.window.guide
    guide.open(lessons[0], len(lessons[0].steps) - 1)
    while not guide.finished:
        guide.advance()
    assert text(person, "lesson_following_title") == lessons[1].title
    click(person, "lesson_follow")
    assert guide.lesson is lessons[1]
    guide.open(lessons[-1], len(lessons[-1].steps) - 1)
    while not guide.finished:
        guide.advance()
    click(person, "lesson_follow")
    assert guide.lesson is None


# -- the list and files


def test_the_list_has_what_is_shipped_and_what_is_ones_own(person, own_folder):
    own_folder.mkdir()
    (own_folder / "good.pelesson").write_text(TEXT, encoding="utf-8")
    (own_folder / "bad.pelesson").write_text(TEXT.replace("question", "qestion", 1), encoding="utf-8")
    person.window.desk.open_list()
    rows = person.window.desk._rows()
    lessons = [row.title for row in rows if row.sort is Sort.LESSON]
    assert lessons == [entry.lesson.title for entry in library.shipped()] + ["Try"]
    assert lessons[0] == "The five classic tests"
    broken = [row for row in rows if row.sort is Sort.BROKEN]
    assert len(broken) == 1
    assert broken[0].title == "bad.pelesson"
    assert broken[0].detail.startswith("Line ")


def test_a_dropped_lesson_opens_and_a_broken_one_is_refused(person, lesson, tmp_path):
    drop(person, lesson.path)
    assert person.window.guide.lesson.title == "Try"
    bad = tmp_path / "bad.pelesson"
    bad.write_text(TEXT.replace("version = 1", "version = 9"), encoding="utf-8")
    drop(person, str(bad))
    assert "bad.pelesson, line 3" in person.window.messages.text
    assert person.window.guide.lesson.title == "Try"


def test_both_dialogs_open_a_lesson(person, lesson, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (lesson.path, ""))
    person.window.files.ask_open()
    assert person.window.guide.lesson.title == "Try"
    person.window.guide.close()
    click(person, "lesson_open_file")
    assert person.window.guide.lesson.title == "Try"


def test_the_folder_is_made_and_shown(person, own_folder, monkeypatch):
    shown = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()) or True)
    person.window.desk.open_list()
    click(person, "lesson_show_folder")
    assert own_folder.is_dir()
    assert shown == [str(own_folder)]


def test_a_folder_that_cannot_be_made_is_said(person, own_folder):
    own_folder.write_text("a file is in its place", encoding="utf-8")
    person.window.desk.show_folder()
    assert "cannot be made" in person.window.messages.text


# -- what is remembered


def test_the_last_lesson_is_remembered_and_damage_is_not_believed(guide, lesson, tmp_path):
    settings = guide._window.desk._settings
    guide.go(2)
    assert settings.lesson == (lesson.path, 2)
    fresh = Settings(tmp_path / "fresh.ini")
    assert fresh.lesson == ("", 0)
    fresh._store.setValue("lesson/name", "swap")
    fresh._store.setValue("lesson/step", "many")
    assert fresh.lesson == ("swap", 0)


def test_a_lesson_that_is_gone_is_not_offered(person, guide, lesson, tmp_path):
    guide.close()
    (tmp_path / "try.pelesson").unlink()
    assert all(row.title != "Go on where you were" for row in person.window.desk._rows())


def test_a_narrow_window_has_the_dock_below_the_views(person, lesson):
    person.window.resize(1024, 768)
    person.window.guide.open(lesson)
    person.settle()
    assert person.window.dockWidgetArea(person.window.lesson_dock) == Qt.DockWidgetArea.BottomDockWidgetArea
    person.window.desk.dock.close()
    person.window.resize(1440, 900)
    person.window.guide.open(lesson)
    assert person.window.dockWidgetArea(person.window.lesson_dock) == Qt.DockWidgetArea.RightDockWidgetArea


def test_where_a_person_puts_the_dock_it_stays(person, guide, lesson):
    window = person.window
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.lesson_dock)
    window.lesson_dock.close()
    window.guide.open(lesson)
    person.settle()
    assert window.dockWidgetArea(window.lesson_dock) == Qt.DockWidgetArea.LeftDockWidgetArea


def test_a_step_is_read_aloud(person, guide):
    page = QApplication.focusWidget()
    assert page.accessibleName() == "Try, step 1 of 3. Choose"
    assert page.accessibleDescription() == "Two words change places. What is the input gap?"
    guide.reveal()
    assert page.accessibleDescription().endswith("It is 0.000.")
