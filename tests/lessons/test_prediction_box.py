"""Choosing and typing a prediction, and what is said of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from pe_desktop.lessons.dock import LEAST_WIDTH
from pe_desktop.lessons.option_button import Mark
from pe_desktop.lessons.outcome import Outcome, draw_outcome, number_outcome
from pe_desktop.theme import DARK
from tests.lessons.dock_hands import LESSON, options, press, text


def test_an_option_is_chosen_by_mouse_and_by_number_key(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    assert [option.text() for option in options(dock)] == list(LESSON.steps[1].prediction.options)
    QTest.mouseClick(options(dock)[1], Qt.MouseButton.LeftButton)
    assert heard.take() == [("answered", 1)]
    dock.take_focus()
    press(Qt.Key.Key_3)
    assert heard.take() == [("answered", 2)]
    assert [option.isChecked() for option in options(dock)] == [False, False, True]
    press(Qt.Key.Key_4)  # there is none
    assert heard.take() == []


def test_a_revealed_choice_is_marked_and_fixed(dock, heard):
    dock.show_step(LESSON, 1, 2, revealed=True)
    assert [option.mark for option in options(dock)] == [Mark.RIGHT, Mark.OPEN, Mark.WRONG]
    assert options(dock)[0].accessibleName() == "0.000, right"
    assert options(dock)[2].accessibleName().endswith("not right, your answer")
    QTest.mouseClick(options(dock)[1], Qt.MouseButton.LeftButton)
    dock.take_focus()
    press(Qt.Key.Key_2)
    assert heard.take() == []
    dock.show_step(LESSON, 1, None, revealed=False)
    assert not any(option.isChecked() for option in options(dock))


def test_long_options_wrap_and_are_as_high_as_their_text(dock):
    dock.resize(LEAST_WIDTH, 700)
    dock.show_step(LESSON, 1, None, revealed=False)
    QApplication.processEvents()
    short, long = options(dock)[0], options(dock)[2]
    assert long.height() >= long.heightForWidth(long.width()) > 2 * short.height()


@pytest.mark.parametrize(("typed", "answer"), [("0.7", "0.7"), ("0,7", "0,7"), ("-3e2", "-3e2")])
def test_a_number_is_typed_with_dot_or_comma(dock, heard, typed, answer):
    dock.show_step(LESSON, 2, None, revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, typed)
    assert heard.take()[-1] == ("answered", answer)
    press(Qt.Key.Key_Left, Qt.Key.Key_Home)  # the field's own keys
    assert heard.take() == []
    press(Qt.Key.Key_Return)
    assert heard.take() == ["advance"]


@pytest.mark.parametrize(("typed", "words"), [("abc", "not a number"), ("10,000", "two numbers")])
def test_what_is_no_number_is_said_beside_the_field(dock, heard, typed, words):
    dock.show_step(LESSON, 2, None, revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    QTest.keyClicks(edit, typed)
    assert heard.take()[-1] == ("answered", "")
    assert words in text(dock, "lesson_number_error")


def test_what_was_typed_is_there_again(dock):
    dock.show_step(LESSON, 2, "0,7", revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    assert edit.text() == "0,7"
    dock.show_step(LESSON, 2, "0,7", revealed=True)
    dock.page.show_outcome(Outcome("You said 0,7.", False))
    assert (edit.text(), edit.isEnabled()) == ("0,7", False)
    assert text(dock, "lesson_outcome") == "✗ You said 0,7."


@pytest.mark.parametrize(
    ("said", "value", "within", "right", "words"),
    [
        ("0.7", 0.6288, 0.05, False, "You said 0.7; it is 0.6288: 0.071 off."),
        ("0,65", 0.6288, 0.05, True, "You said 0,65; it is 0.6288: near enough."),
        ("12", 12.0, 0.0, True, "You said 12; it is 12."),
        ("0.7", 1023.0, 1.0, False, "You said 0.7; it is 1023: 1022 off."),
        ("0.75", 0.7, 0.05, True, "You said 0.75; it is 0.7: near enough."),
        ("", 0.6288, 0.05, None, "It is 0.6288."),
    ],
)
def test_what_is_said_of_a_number(said, value, within, right, words):
    assert number_outcome(said, value, within) == Outcome(words, right)


def test_what_is_said_of_a_drawing():
    assert draw_outcome(0.1234).says == "Your curve is 0.12 off on average."
    assert draw_outcome(None).says == ""
    assert draw_outcome(float("nan")).says == ""


@pytest.mark.parametrize(("kind", "name"), [(QLineEdit, "lesson_number"), (QCheckBox, "lesson_only")])
def test_what_is_empty_has_an_edge_that_can_be_seen_on_a_dark_ground(dock, kind, name):
    dock.set_theme(DARK)
    dock.show_step(LESSON, 2, None, revealed=False)
    widget = dock.findChild(kind, name)
    widget.show()
    QApplication.processEvents()
    image = widget.grab().toImage()
    middle = image.height() // 2
    edge = max(image.pixelColor(x, middle).lightness() for x in range(4))
    assert edge > QColor(DARK.panel).lightness() + 25
