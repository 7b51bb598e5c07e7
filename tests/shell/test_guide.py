"""A lesson in its window: what each step sets, how one goes through it, and what else takes part."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPushButton, QSlider

from pe_desktop.core.state import LabState
from pe_desktop.lessons import library
from pe_desktop.lessons.checks_box import Check
from pe_desktop.lessons.reading import parse_lesson
from pe_desktop.views.curve_sheet import CurveSheet
from tests.shell.lesson_hands import AT_25, TEXT, begun, checks, click, press, text, written

DRAWING = TEXT.split("[[step]]")[0] + (
    '[[step]]\ntext = "The curve is covered."\n[step.state]\nscheme = "sinusoidal"\n'
    '[step.predict]\nkind = "draw"\nquestion = "Draw it."\nreveal = "It has ripples."\n'
)


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


def test_showing_all_controls_takes_the_wish_for_few_back(person, guide):
    box = person.window.lesson_dock.findChild(QCheckBox, "lesson_only")
    for _ in range(2):
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        assert box.isChecked()
        QTest.mouseClick(person.find(QPushButton, "show_all_controls"), Qt.MouseButton.LeftButton)
        assert not box.isChecked()
        assert not guide.only
        assert person.find(QSlider, "head_slider").isVisible()
    guide.go(1)
    person.settle()
    assert person.find(QSlider, "head_slider").isVisible()


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
    window = person.window
    window.guide.open(parse_lesson(DRAWING, "draw.pelesson"))
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


def the_sheet(person):
    return next(sheet for sheet in person.window.findChildren(CurveSheet) if sheet.isVisible())


def test_keys_draw_at_once_and_go_on_after_the_reveal(person):
    guide = person.window.guide
    guide.open(parse_lesson(DRAWING, "draw.pelesson"))
    person.settle()
    sheet = the_sheet(person)
    assert QApplication.focusWidget() is sheet
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right):
        QTest.keyClick(QApplication.focusWidget(), key)
    assert not guide.revealed
    assert len(person.window.veils.drawn[0]) > 1
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown)
    assert guide.revealed
    assert person.window.lesson_dock.isAncestorOf(QApplication.focusWidget())


def test_a_stroke_of_the_mouse_can_be_continued_with_keys(person):
    person.window.guide.open(parse_lesson(DRAWING, "draw.pelesson"))
    person.settle()
    person.window.centre.tabs[0].setFocus()
    sheet = the_sheet(person)
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=sheet.rect().center())
    assert QApplication.focusWidget() is sheet


def test_a_remote_control_leads_on_over_a_drawing(person):
    guide = person.window.guide
    guide.open(parse_lesson(DRAWING, "draw.pelesson"))
    person.settle()
    QTest.keyClick(person.window, Qt.Key.Key_F5)
    person.settle()
    sheet = the_sheet(person)
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=sheet.rect().center())
    assert QApplication.focusWidget() is not sheet
    QTest.keyClick(person.window.focusWidget() or person.window, Qt.Key.Key_Right)
    assert guide.revealed


def test_no_formula_gives_a_covered_view_away(person):
    strip = person.window.centre.strip
    assert strip.text.startswith("PE(12")
    person.window.guide.open(parse_lesson(DRAWING, "draw.pelesson"))
    person.settle()
    assert strip.text == ""
    person.window.guide.reveal()
    person.settle()
    assert strip.text.startswith("PE(12")


def test_claims_are_not_judged_by_numbers_of_a_moment_ago(person, guide):
    guide.go(2)
    checks(person)
    assert person.window.desk._contents.page._checks.shown
    person.window.guide.play(True)
    person.qtbot.waitUntil(lambda: person.lab.state.position != 30, timeout=5_000)
    assert person.window.desk._contents.page._checks.shown == ()
    person.window.guide.play(False)
    checks(person)
    assert person.window.desk._contents.page._checks.shown
