"""The pages of a step and of the end, driven by mouse and keyboard, without a window around them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from pe_desktop.lessons.checks_box import Check
from pe_desktop.lessons.dock import LEAST_WIDTH
from pe_desktop.lessons.outcome import Outcome
from pe_desktop.lessons.words import Words
from pe_desktop.theme import THEMES
from tests.lessons.dock_hands import LESSON, LONG, click, press, text


def test_a_step_shows_where_one_is_and_what_its_button_will_do(dock):
    dock.show_step(LESSON, 0, None, revealed=False)
    assert text(dock, "lesson_title") == "Swap two words"
    assert text(dock, "lesson_place") == "Step 1 of 3"
    assert text(dock, "lesson_text") == LESSON.steps[0].text
    button = dock.findChild(QPushButton, "lesson_on")
    back = dock.findChild(QPushButton, "lesson_back")
    play = dock.findChild(QPushButton, "lesson_play")
    assert (button.text(), back.isEnabled(), play.isVisible()) == ("Next ▶", False, True)
    dock.show_step(LESSON, 1, None, revealed=False)
    assert (button.text(), back.isEnabled(), play.isVisible()) == ("Reveal", True, False)
    dock.show_step(LESSON, 1, None, revealed=True)
    assert button.text() == "Next ▶"
    dock.show_step(LESSON, 2, None, revealed=True)
    assert button.text() == "Finish"
    assert dock.page.accessibleName() == "Swap two words, step 3 of 3. Type"
    assert "It falls with ripples." in dock.page.accessibleDescription()


def test_the_answer_is_nowhere_before_it_is_revealed(dock):
    dock.show_step(LESSON, 2, None, revealed=False)
    visible = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert "It falls with ripples." not in visible
    assert "It falls with ripples." not in dock.page.accessibleDescription()


def test_keys_of_the_page_go_through_the_lesson(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.take_focus()
    press(Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
    assert heard.take() == ["advance"] * 5
    press(Qt.Key.Key_Left, Qt.Key.Key_PageUp)
    assert heard.take() == ["back"] * 2
    press(Qt.Key.Key_Home, Qt.Key.Key_End)
    assert heard.take() == [("step", 0), ("step", 2)]
    press(Qt.Key.Key_Escape)
    assert heard.take() == []


def test_keys_on_a_button_press_that_button(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.findChild(QPushButton, "lesson_back").setFocus()
    press(Qt.Key.Key_Return, Qt.Key.Key_Space)
    assert heard.take() == ["back"] * 2
    press(Qt.Key.Key_Right)
    assert heard.take() == ["advance"]


def test_every_button_of_a_step_asks(dock, heard):
    dock.show_step(LESSON, 0, None, revealed=False)
    for name in ("lesson_on", "lesson_again", "lesson_play", "lesson_to_list", "lesson_leave"):
        click(dock, name)
    assert heard.take() == ["advance", "restart", ("play", True), "list", "leave"]
    dock.page.show_playing(True)
    assert dock.findChild(QPushButton, "lesson_play").text() == "■ Stop"
    click(dock, "lesson_play")
    assert heard.take() == [("play", False)]


def test_a_click_on_the_line_goes_to_that_step(dock, heard):
    dock.show_step(LESSON, 0, None, revealed=False)
    line = dock.page.line
    place = line.place_of(2).center().toPoint()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=place)
    assert heard.take() == [("step", 2)]
    QTest.mouseMove(line, place + QPoint(1, 0))
    assert line.toolTip() == "Step 3: Type"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [(LEAST_WIDTH, 500), (480, 900), (1024, 220)])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_no_text_is_clipped_in_any_theme_and_shape(dock, theme, size, index):
    dock.set_theme(THEMES[theme])
    dock.resize(*size)
    dock.show_step(LESSON, index, 2 if index == 1 else "0.7", revealed=index > 0)
    dock.page.show_outcome(Outcome("You said 0.7; it is 0.629: 0.071 off.", False))
    dock.page.show_checks(
        [Check("similarity(25) = 0.629", True, "now 0.6288"), Check("input gap = 0.000", False, LONG)]
    )
    QApplication.processEvents()
    for label in dock.findChildren(Words):
        if label.isVisible() and label.text():
            assert label.height() >= label.heightForWidth(label.width()), label.objectName()
            assert label.width() >= 40
    area = dock.page._scroll
    assert area.horizontalScrollBar().maximum() == 0
    assert area.widget().width() <= area.viewport().width()


def test_in_a_strip_text_is_left_of_the_question(dock):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.resize(1000, 300)
    QApplication.processEvents()
    words, question = dock.findChild(QLabel, "lesson_text"), dock.page.prediction
    assert words.mapTo(dock, QPoint(words.width(), 0)).x() <= question.mapTo(dock, QPoint(0, 0)).x()
    dock.resize(336, 700)
    QApplication.processEvents()
    assert words.mapTo(dock, QPoint(0, words.height())).y() <= question.mapTo(dock, QPoint(0, 0)).y()


def test_the_note_for_the_speaker_is_folded_away(dock):
    dock.show_step(LESSON, 0, None, revealed=False)
    assert text(dock, "lesson_note_text") == ""
    header = dock.findChild(QWidget, "lesson_note_header")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert text(dock, "lesson_note_text") == "Let somebody guess aloud."
    dock.show_step(LESSON, 1, None, revealed=False)
    assert not header.isVisible()


def test_tab_goes_from_the_page_over_the_question_to_the_buttons(dock):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.take_focus()
    names = []
    for _ in range(3):
        press(Qt.Key.Key_Tab)
        names.append(QApplication.focusWidget().objectName())
    assert names == ["lesson_option_1", "lesson_only", "lesson_on"]


def test_a_long_answer_is_read_from_its_beginning(dock):
    dock.resize(700, 180)
    dock.show_step(LESSON, 1, None, revealed=True)
    QApplication.processEvents()
    dock.page.show_answer()
    reveal, area = dock.page.prediction.reveal, dock.page._scroll
    assert area.verticalScrollBar().maximum() > 0
    assert reveal.mapTo(area.viewport(), QPoint(0, 0)).y() == 0


# -- the end, and what is said


def test_the_end_names_the_next_lesson(dock, heard):
    dock.show_end(LESSON, LESSON)
    assert text(dock, "lesson_done") == "That was “Swap two words”."
    assert text(dock, "lesson_following_question") == LESSON.question
    dock.take_focus()
    press(Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
    for name in ("lesson_follow", "lesson_closing_back", "lesson_closing_list", "lesson_closing_leave"):
        click(dock, name)
    assert heard.take() == ["advance", "back", "advance", "back", "list", "leave"]
    dock.show_end(LESSON, None)
    assert dock.findChild(QPushButton, "lesson_follow").text() == "All lessons"
