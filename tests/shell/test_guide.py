"""A lesson in its window: what each step sets, how one goes through it, and how it ends."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QToolButton,
)

from pe_desktop.core.state import LabState
from pe_desktop.lessons import library
from pe_desktop.lessons.checks_box import Check
from pe_desktop.lessons.lesson_list import Sort
from pe_desktop.lessons.reading import parse_lesson, read_lesson
from pe_desktop.shell.lesson_menu import LessonMenu
from pe_desktop.shell.settings import Settings
from pe_desktop.views.curve_sheet import CurveSheet

# The mean of the cosines of the 32 pairs of dimension 64, in closed form.
AT_25 = np.mean(np.cos(25 / 10000 ** (np.arange(32) / 32)))
TEXT = """
format = "pe-desktop lesson"
version = 1
title = "Try"
question = "Does it work?"
group = "Tests"
controls = ["scheme", "swap"]
[state]
scheme = "none"
[[step]]
title = "Choose"
text = "Two words change places."
views = ["scores"]
[step.predict]
kind = "choose"
question = "What is the input gap?"
options = ["0.000", "about 1"]
answer = 1
hide = ["input_gap"]
reveal = "It is 0.000."
expect = ["input_gap == 0.000"]
[step.predict.state]
swap = true
[[step]]
title = "Type"
text = "Look at the curve."
[step.state]
scheme = "sinusoidal"
[step.predict]
kind = "number"
question = "How alike are rows at a gap of 25?"
answer = "similarity(25)"
within = 0.05
reveal = "It falls with ripples."
[[step]]
title = "Watch"
text = "The spot moves."
play = {parameter = "position", from = 3, to = 60}
expect = ["input_gap == 0.000", "position == 30"]
[step.state]
swap = true
position = 30
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    folder = tmp_path / "mine"
    monkeypatch.setenv(library.VARIABLE, str(folder))
    return folder


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "try.pelesson"
    path.write_text(TEXT, encoding="utf-8")
    return read_lesson(str(path))


@pytest.fixture
def guide(person, lesson):
    person.window.activateWindow()
    person.window.guide.open(lesson)
    person.settle()
    return person.window.guide


def text(person, name: str) -> str:
    found = person.window.lesson_dock.findChild(QLabel, name)
    return found.text() if found is not None and found.isVisible() else ""


def click(person, name: str) -> None:
    QTest.mouseClick(person.window.lesson_dock.findChild(QPushButton, name), Qt.MouseButton.LeftButton)
    person.settle()


def press(person, key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)
    person.settle()


def checks(person) -> tuple[Check, ...]:
    """The claims on the page, once they have been judged."""
    desk = person.window.desk
    person.settle()
    person.qtbot.waitUntil(lambda: not desk._quiet.isActive(), timeout=5_000)
    return desk._contents.page._checks.shown


# -- the way through


def test_opening_sets_the_state_as_one_undo_entry_and_brings_its_views(person, guide, lesson):
    assert person.lab.state == lesson.steps[0].state == LabState().change({"scheme": "none"})
    assert person.lab.undo_stack.count() == 1
    assert person.window.centre.front[1] == "scores"
    assert person.window.lesson_dock.isVisible()
    assert (guide.index, guide.revealed, guide.step) == (0, False, lesson.steps[0])
    assert text(person, "lesson_place") == "Step 1 of 3"
    assert person.window.lesson_dock.isAncestorOf(QApplication.focusWidget())


def test_with_the_mouse_alone_to_the_end_and_back(person, guide, lesson):
    button = person.window.lesson_dock.findChild(QPushButton, "lesson_on")
    said = []
    for _ in range(5):
        said.append(button.text())
        click(person, "lesson_on")
    assert said == ["Reveal", "Next ▶", "Reveal", "Next ▶", "Finish"]
    assert guide.finished
    assert person.lab.state == lesson.steps[2].state
    assert text(person, "lesson_done") == "That was “Try”."
    click(person, "lesson_closing_back")
    assert (guide.index, guide.finished) == (2, False)
    click(person, "lesson_back")
    assert (guide.index, guide.revealed) == (1, True)


def test_with_the_keyboard_alone_to_the_end_and_back(person, guide):
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_PageDown, Qt.Key.Key_Return, Qt.Key.Key_Right):
        press(person, key)
    assert guide.finished
    press(person, Qt.Key.Key_PageUp)
    assert (guide.index, guide.finished) == (2, False)
    press(person, Qt.Key.Key_Home)
    assert (guide.index, guide.revealed) == (0, True)
    press(person, Qt.Key.Key_End)
    assert guide.index == 2
    press(person, Qt.Key.Key_Escape)
    assert guide.index == 2


def test_revealing_goes_to_the_state_it_speaks_of(person, guide, lesson):
    person.lab.request(scheme="rope", swap=False)  # a person has wandered off
    guide.reveal()
    assert person.lab.state == lesson.steps[0].revealed == lesson.steps[0].state.change({"swap": True})
    person.settle()
    assert text(person, "lesson_reveal") == "It is 0.000."
    assert checks(person) == (Check("input gap = 0.000", True, "now 0"),)


def test_undo_leaves_the_lesson_where_it_is(person, guide):
    guide.reveal()
    guide.advance()
    person.lab.undo()
    person.settle()
    assert person.lab.state.swap
    assert (guide.index, text(person, "lesson_place")) == (1, "Step 2 of 3")


def test_start_again_is_offered_when_something_has_changed(person, guide, lesson):
    again = person.window.lesson_dock.findChild(QPushButton, "lesson_again")
    assert not again.isEnabled()
    person.lab.request(position=40)
    assert again.isEnabled()
    click(person, "lesson_again")
    assert person.lab.state == lesson.steps[0].state
    assert not again.isEnabled()
    guide.reveal()
    click(person, "lesson_again")
    assert (guide.revealed, person.lab.state) == (False, lesson.steps[0].state)


def test_predictions_are_kept_while_moving_and_forgotten_with_another_opening(person, guide, lesson):
    press(person, Qt.Key.Key_2)
    assert guide.answer == 1
    guide.go(1)
    assert guide.answer is None
    edit = person.window.lesson_dock.findChild(QLineEdit, "lesson_number")
    QTest.keyClicks(edit, "0,7")
    guide.back()
    assert guide.answer == 1
    assert person.window.lesson_dock.findChild(QPushButton, "lesson_on").text() == "Reveal"
    guide.go(1)
    assert edit.text() == "0,7"
    guide.open(lesson, 1)
    assert edit.text() == ""


def test_a_number_is_compared_with_the_one_on_screen(person, guide):
    guide.go(1)
    edit = person.window.lesson_dock.findChild(QLineEdit, "lesson_number")
    edit.setFocus()
    QTest.keyClicks(edit, "0,7")
    press(person, Qt.Key.Key_Return)
    assert guide.revealed
    checks(person)
    assert text(person, "lesson_outcome") == f"✗ You said 0,7; it is {AT_25:.4f}: 0.071 off."
    guide.back()
    guide.go(1)
    assert text(person, "lesson_outcome") == f"✗ You said 0,7; it is {AT_25:.4f}: 0.071 off."


def test_one_can_reveal_without_predicting(person, guide):
    guide.go(1)
    guide.advance()
    checks(person)
    assert text(person, "lesson_outcome") == f"It is {AT_25:.4f}."


def test_a_claim_is_seen_to_break_when_something_is_changed(person, guide):
    guide.go(2)
    assert [check.holds for check in checks(person)] == [True, True]
    person.lab.request(scheme="sinusoidal", position=31)
    broken = checks(person)
    assert [check.holds for check in broken] == [False, False]
    assert broken[1].now == "now 31"


def test_the_claims_do_not_tell_the_answer_before_it_is_out(person, guide):
    assert checks(person) == ()


def test_play_moves_what_the_step_is_about(person, guide):
    guide.go(2)
    person.settle()
    play = person.window.lesson_dock.findChild(QPushButton, "lesson_play")
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    assert person.window.player.playing
    assert play.text() == "■ Stop"
    person.qtbot.waitUntil(lambda: person.lab.state.position != 30, timeout=5_000)
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    assert not person.window.player.playing
    assert play.text() == "▶ Play"
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    guide.back()
    assert not person.window.player.playing
    person.settle()


# -- what else in the window takes part


def test_what_the_question_is_about_is_covered_until_the_answer_is_out(person, guide):
    person.lab.request(swap=True)
    person.settle()
    assert person.readout("input_gap") == "?"
    guide.reveal()
    person.settle()
    assert person.number("input_gap") == 0.0
    guide.restart()
    person.settle()
    assert person.readout("input_gap") == "?"
    guide.close()
    person.settle()
    assert person.readout("input_gap") != "?"


def test_only_the_lessons_controls_are_shown_when_that_is_wanted(person, guide):
    box = person.window.lesson_dock.findChild(QCheckBox, "lesson_only")
    head = person.find(QSlider, "head_slider")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert guide.only
    assert not head.isVisible()
    assert person.find(QCheckBox, "swap").isVisible()
    guide.close()
    assert head.isVisible()


def test_presenting_needs_no_ways_out_and_no_choice_of_controls(person, guide):
    dock = person.window.lesson_dock
    parts = [dock.findChild(QPushButton, "lesson_leave"), dock.findChild(QCheckBox, "lesson_only")]
    assert all(part.isVisible() for part in parts)
    person.window.presenter.present(True)
    assert not any(part.isVisible() for part in parts)
    assert not person.window.controls.findChild(QSlider, "head_slider").isVisible()
    person.window.presenter.present(False)
    assert all(part.isVisible() for part in parts)
    assert person.find(QSlider, "head_slider").isVisible()


def test_a_drawn_curve_is_compared_with_the_true_one(person, tmp_path):
    drawing = TEXT.split("[[step]]")[0] + (
        '[[step]]\ntext = "The curve is covered."\n[step.state]\nscheme = "sinusoidal"\n'
        '[step.predict]\nkind = "draw"\nquestion = "Draw it."\nreveal = "It has ripples."\n'
    )
    window = person.window
    window.guide.open(parse_lesson(drawing, "draw.pelesson"))
    person.settle()
    assert text(person, "lesson_drawing").startswith("Draw the curve in the similarity view")
    assert "similarity" in window.veils.covered
    surface = window.panels["similarity"].plot.viewport()
    sheet = next(w for w in surface.window().findChildren(CurveSheet) if w.isVisible())
    start, end = QPoint(sheet.width() // 3, sheet.height() // 2), QPoint(sheet.width() // 2, sheet.height() // 2)
    QTest.mousePress(sheet, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(sheet, end)
    QTest.mouseRelease(sheet, Qt.MouseButton.LeftButton, pos=end)
    places, values = window.veils.drawn
    click(person, "lesson_on")
    checks(person)
    gaps = np.abs(places[:, None] - 12) / 10000 ** (np.arange(32) / 32)
    off = np.mean(np.abs(values - np.mean(np.cos(gaps), axis=1)))
    assert text(person, "lesson_outcome") == f"Your curve is {off:.2g} off on average."
    assert text(person, "lesson_drawing") == ""


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


# -- files and the menu


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


def drop(person, path: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    person.window.dropEvent(QDropEvent(QPointF(50, 50), copy, data, left, none))
    person.settle()


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
