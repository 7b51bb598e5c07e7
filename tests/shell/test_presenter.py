"""Presenting: large, alone on the screen, led by a clicker; and back exactly as it was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QLineEdit, QScrollArea, QSlider, QToolBar, QWidget

from pe_desktop.shell.blank import Blank

LESSON = """
format = "pe-desktop lesson"
version = 1
title = "Similarity falls with ripples"
question = "How alike are two positions far from each other?"
group = "Sinusoidal"
controls = ["scheme", "position", "base"]
[[step]]
title = "The same words in another order"
text = "{words}"
point = ["position", "largest_value"]
views = ["similarity"]
play = "position"
[step.predict]
kind = "choose"
question = "What will the input gap be when two words are swapped?"
options = ["Exactly 0.000, as before", "Larger than zero: positions stay with the slots", "It depends on the words"]
answer = 2
hide = ["largest_value"]
reveal = "{words}"
[[step]]
text = "A number is asked for."
views = ["matrix", "attention"]
[step.predict]
kind = "number"
question = "How large is it?"
answer = "dimension"
within = 1
reveal = "So large."
[[step]]
text = "The last words."
views = ["spectrum", "similarity"]
"""
WORDS = (
    "Attention compares every word with every other word and adds up what it finds. Nothing in that sum says which "
    "word came first: shuffle the words and each one gets the very same result as before. Swap two of them now and "
    "watch the input gap under the controls. It stays at zero, to the last digit shown here."
)  # as many as a step may have


@pytest.fixture
def lesson(person, tmp_path):
    path = tmp_path / "ripples.pelesson"
    path.write_text(LESSON.format(words=WORDS), encoding="utf-8")
    person.window.guide.open_file(str(path))
    assert person.window.guide.lesson is not None, person.window.messages.text
    person.settle()
    return person.window.guide


def press(person, key):
    """A key where the keyboard is."""
    QTest.keyClick(person.window.focusWidget() or person.window, key)
    settle(person)


def settle(person):
    """Wait until nothing is to be fitted any more."""
    person.settle()
    person.qtbot.waitUntil(lambda: not person.window.presenter._fits.isActive())
    person.settle()


def present(person, size=(1024, 768)):
    press(person, Qt.Key.Key_F11)
    person.window.resize(*size)  # the screen of the tests is another
    settle(person)


def views_seen(person):
    return {name for name, panel in person.window.panels.items() if panel.isVisible()}


def look(person):
    """Everything that presenting changes."""
    window = person.window
    splitters = window.centre.findChildren(QWidget)
    return {
        "state": window.windowState(),
        "geometry": window.geometry(),
        "docks": [(d.isVisible(), d.geometry(), d.font().pointSizeF()) for d in window.findChildren(QDockWidget)],
        "bar": window.findChild(QToolBar).isVisible(),
        "theme": window.theme.name,
        "front": window.centre.front,
        "seen": views_seen(person),
        "places": [(w.objectName(), w.geometry()) for w in splitters if w.isVisible() and w.objectName()],
        "controls": window.controls.focus.names,
        "type": QApplication.font().pointSizeF(),
    }


@pytest.mark.parametrize(
    ("key", "leave"),
    [
        (Qt.Key.Key_F11, Qt.Key.Key_F5),
        (Qt.Key.Key_F5, Qt.Key.Key_F11),
        (Qt.Key.Key_F5, Qt.Key.Key_Escape),
    ],
)
def test_there_and_back(person, lesson, key, leave):
    before = look(person)
    press(person, key)
    assert person.window.presenter.presenting
    assert person.window.windowState() & Qt.WindowState.WindowFullScreen
    assert person.window.actions_by_name["present"].isChecked()
    assert look(person) != before
    press(person, leave)
    assert not person.window.presenter.presenting
    assert not person.window.actions_by_name["present"].isChecked()
    assert look(person) == before


def test_there_and_back_with_everything_moved(person, lesson):
    window = person.window
    window.resize(1300, 880)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.lesson_dock)
    window.resizeDocks([window.dock], [410], Qt.Orientation.Horizontal)
    window.centre.bring_to_front("scores")
    window.centre.bring_to_front("precision")
    person.settle()
    before = look(person)
    present(person)
    for _ in range(3):
        press(person, Qt.Key.Key_PageDown)
    press(person, Qt.Key.Key_F11)
    after = look(person)
    after["front"] = before["front"]  # the steps brought other views to the front
    assert {name for name in before if before[name] != after[name]} <= {"seen", "places"}


def test_without_a_lesson(person):
    before = look(person)
    present(person)
    assert {"matrix", "similarity", "rotation", "attention"} <= views_seen(person)
    assert not person.window.lesson_dock.isVisible()
    slider = person.find(QSlider, "position_slider")
    slider.setFocus()
    press(person, Qt.Key.Key_Right)
    assert person.lab.state.position == 13
    press(person, Qt.Key.Key_Left)
    press(person, Qt.Key.Key_Space)
    press(person, Qt.Key.Key_Escape)
    assert look(person) == before


def test_only_the_views_and_controls_of_the_step(person, lesson):
    present(person)
    assert views_seen(person) == {"similarity"}
    assert not person.window.findChild(QToolBar).isVisible()
    person.find(QWidget, "position")
    person.find(QWidget, "param_base")
    person.find(QWidget, "readout_largest_value")  # pointed at
    assert not person.window.findChild(QWidget, "length").isVisible()
    press(person, Qt.Key.Key_PageDown)
    press(person, Qt.Key.Key_PageDown)
    assert views_seen(person) == {"matrix", "attention"}
    press(person, Qt.Key.Key_PageDown)
    press(person, Qt.Key.Key_PageDown)
    assert views_seen(person) == {"spectrum", "similarity"}


def test_type_for_the_last_row(person, lesson):
    present(person)
    for label in person.window.lesson_dock.findChildren(QLabel):
        if label.isVisible() and label.text():
            assert QFontInfo(label.font()).pointSizeF() >= 20, label.objectName()
    assert QFontInfo(person.find(QWidget, "position_edit").font()).pointSizeF() >= 15
    press(person, Qt.Key.Key_T)
    assert person.window.theme.dark
    assert QFontInfo(person.find(QLabel, "lesson_text").font()).pointSizeF() >= 20
    press(person, Qt.Key.Key_T)
    assert person.window.theme.name == "projector"


# Each key where the widget in focus would take it for itself, or where nothing is.
@pytest.mark.parametrize(
    ("where", "on", "back"),
    [
        ("slider", Qt.Key.Key_Right, Qt.Key.Key_Left),
        ("slider", Qt.Key.Key_PageDown, Qt.Key.Key_PageUp),
        ("combo", Qt.Key.Key_Space, Qt.Key.Key_Backspace),
        ("combo", Qt.Key.Key_N, Qt.Key.Key_P),
        ("lesson", Qt.Key.Key_Return, Qt.Key.Key_Left),
        ("lesson", Qt.Key.Key_Space, Qt.Key.Key_PageUp),
        ("window", Qt.Key.Key_Enter, Qt.Key.Key_Backspace),
    ],
)
def test_a_clicker_leads_through_the_lesson(person, lesson, where, on, back):
    present(person)
    if where == "slider":
        person.find(QSlider, "position_slider").setFocus()
    elif where == "combo":
        person.find(QWidget, "scheme").setFocus()
    elif where == "window":
        person.window.centre.setFocus()
    before = person.lab.state
    press(person, on)
    assert (lesson.index, lesson.revealed) == (0, True)
    press(person, on)
    assert (lesson.index, lesson.revealed) == (1, False)
    press(person, back)
    assert (lesson.index, lesson.revealed) == (0, True)
    assert person.lab.state == before


def test_a_number_chooses_an_answer(person, lesson):
    person.find(QSlider, "position_slider").setFocus()
    present(person)
    press(person, Qt.Key.Key_2)
    assert lesson.answer == 1
    press(person, Qt.Key.Key_PageDown)
    assert lesson.revealed


def test_keys_of_a_text_field_stay_its_own(person, lesson):
    present(person)
    press(person, Qt.Key.Key_PageDown)
    press(person, Qt.Key.Key_PageDown)
    edit = person.find(QLineEdit, "lesson_number")
    edit.setFocus()
    for key in (Qt.Key.Key_6, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_4, Qt.Key.Key_Period, Qt.Key.Key_Backspace):
        press(person, key)
    assert edit.text() == "64"
    assert (lesson.index, lesson.revealed) == (1, False)
    assert not person.window.presenter.is_blank
    press(person, Qt.Key.Key_PageDown)
    assert (lesson.index, lesson.revealed) == (1, True)


def test_a_number_can_be_typed_and_entered(person, lesson):
    present(person)
    edit = person.find(QLineEdit, "position_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "40")
    press(person, Qt.Key.Key_Return)
    assert person.lab.state.position == 40
    assert not lesson.revealed
    person.find(QSlider, "position_slider").setFocus()
    press(person, Qt.Key.Key_Return)
    assert lesson.revealed


def test_a_black_screen(person, lesson):
    present(person)
    for key in (Qt.Key.Key_Period, Qt.Key.Key_B):
        press(person, key)
        blank = person.find(Blank, "blank")
        assert blank.geometry() == person.window.rect()
        image = person.window.grab().toImage()
        corners = [(1, 1), (image.width() - 2, 1), (1, image.height() - 2), (image.width() // 2, image.height() // 2)]
        assert {image.pixelColor(*corner).name() for corner in corners} == {"#000000"}
        press(person, key)
        assert not blank.isVisible()
        assert not lesson.revealed


def test_any_key_or_click_ends_the_black_screen_and_does_no_more(person, lesson):
    present(person)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_Escape):
        press(person, Qt.Key.Key_B)
        press(person, key)
        assert not person.window.presenter.is_blank
        assert person.window.presenter.presenting
        assert (lesson.index, lesson.revealed) == (0, False)
    press(person, Qt.Key.Key_B)
    person.window.resize(1100, 800)
    person.settle()
    blank = person.find(Blank, "blank")
    assert blank.geometry() == person.window.rect()
    QTest.mouseClick(blank, Qt.MouseButton.LeftButton)
    assert not person.window.presenter.is_blank


def test_escape_stops_play_first(person, lesson):
    present(person)
    QTest.keyClick(person.window, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert person.window.player.playing
    press(person, Qt.Key.Key_Escape)
    assert not person.window.player.playing
    assert person.window.presenter.presenting
    press(person, Qt.Key.Key_Escape)
    assert not person.window.presenter.presenting


def test_undo_works_without_the_toolbar(person, lesson):
    present(person)
    person.find(QSlider, "position_slider").setFocus()
    person.drag("position", 0.9)
    QTest.keyClick(person.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    person.settle()
    assert person.lab.state.position == 12


def test_nothing_is_cut(person, lesson):
    present(person)
    for _ in range(5):
        for size in ((1024, 768), (1280, 800), (1366, 768), (1920, 1080)):
            person.window.resize(*size)
            settle(person)
            assert (person.window.width(), person.window.height()) == size
            page = person.window.lesson_dock
            for area in (area for area in page.findChildren(QScrollArea) if area.isVisible()):
                assert area.verticalScrollBar().maximum() == 0, (size, lesson.index, lesson.revealed)
            for name in views_seen(person):
                assert person.window.panels[name].height() >= 150
        press(person, Qt.Key.Key_PageDown)


def test_closing_while_presenting_keeps_the_window_as_it_was(person, lesson):
    before = person.window.geometry()
    present(person)
    person.window.close()
    assert not person.window.presenter.presenting
    assert person.window.geometry() == before
