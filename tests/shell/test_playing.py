"""Play in its window: the action, its keys, and hands on what moves."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QSlider, QToolButton, QWidget

from pe_desktop.lessons.lesson import Lesson, Step, Sweep

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def player(person):
    yield person.window.player
    person.window.player.stop()


def moves(person, name="position", above=None):
    """Wait until a number has moved by itself."""
    before = getattr(person.lab.state, name)
    if above is None:
        person.qtbot.waitUntil(lambda: getattr(person.lab.state, name) != before)
    else:
        person.qtbot.waitUntil(lambda: getattr(person.lab.state, name) > above)


def press_play(person):
    QTest.keyClick(person.window, Qt.Key.Key_Space, CTRL)


def action(person):
    return person.window.actions_by_name["play"]


def test_keys_and_button(person, player):
    press_play(person)
    assert player.playing
    assert action(person).isChecked()
    moves(person, above=13)
    press_play(person)
    assert not player.playing
    assert not action(person).isChecked()
    buttons = [b for b in person.window.findChildren(QToolButton) if b.defaultAction() is action(person)]
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert player.playing
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert not player.playing


def test_the_sign_says_what_it_does_next(person, player):
    image = action(person).icon().pixmap(20).toImage()
    assert action(person).icon().pixmap(20, state=action(person).icon().State.On).toImage() != image


def test_it_moves_the_number_changed_last(person, player):
    press_play(person)
    assert player.field == "position"
    press_play(person)
    person.type("param_base", "100")
    press_play(person)
    assert player.field == "params.base"


def test_in_a_lesson_it_moves_what_the_step_is_about(person, player):
    step = Step("Words.", person.lab.state, play=Sweep("length", 16, 4096))
    other = Step("Words.", person.lab.state)
    person.window.guide.open(Lesson("a", "A", "Why?", "Group", (step, other)))
    press_play(person)
    assert player.field == "length"
    moves(person, "length")
    assert 16 <= person.lab.state.length <= 4096
    person.window.guide.advance()
    assert not player.playing
    press_play(person)
    assert player.field == "position"


def test_escape_stops_it(person, player):
    press_play(person)
    QTest.keyClick(person.window, Qt.Key.Key_Escape)
    assert not player.playing


def test_undo_stops_it(person, player):
    press_play(person)
    moves(person, above=14)
    QTest.keyClick(person.window, Qt.Key.Key_Z, CTRL)
    assert not player.playing
    assert person.lab.state.position == 12


def test_its_own_slider_can_be_grabbed_and_let_go(person, player):
    press_play(person)
    moves(person, above=13)
    slider = person.find(QSlider, "position_slider")
    start = person._handle(slider).center()
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    held = person.lab.state.position
    for _ in range(3):
        player._timer.timeout.emit()
        person.lab.flush()
    assert person.lab.state.position == held  # in the hand
    stop = start + (slider.rect().center() - start)
    QTest.mouseMove(slider, stop)
    there = person.lab.state.position
    assert there > held + 20
    player._timer.timeout.emit()
    person.lab.flush()
    assert person.lab.state.position == there
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=stop)
    moves(person, above=there)
    assert person.lab.state.position <= there + 10


def test_another_slider_moves_beside_it(person, player):
    press_play(person)
    person.drag("key_position", 0.9)
    assert person.lab.state.key_position > 100
    assert player.playing
    moves(person)


def test_its_own_number_can_be_typed(person, player):
    press_play(person)
    edit = person.find(QLineEdit, "position_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "9")
    for _ in range(3):
        player._timer.timeout.emit()
        person.lab.flush()
    assert edit.text() == "9"  # not overwritten
    QTest.keyClicks(edit, "0")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert 90 <= person.lab.state.position <= 91
    moves(person, above=91)


@pytest.mark.parametrize("way", ["escape", "leave"])
def test_typing_given_up_lets_it_go_on(person, player, way):
    press_play(person)
    edit = person.find(QLineEdit, "position_edit")
    edit.setFocus()
    QTest.keyClicks(edit, "1")
    if way == "escape":
        QTest.keyClick(edit, Qt.Key.Key_Escape)
        assert player.playing  # the key was for the field
    else:
        QTest.keyClick(edit, Qt.Key.Key_Backspace)
        person.find(QWidget, "scheme").setFocus()
    moves(person)


def test_what_cannot_move_says_so_once(person, player):
    person.type("length", "2")
    player.play("position", 5, 9)
    assert not player.playing
    assert not action(person).isChecked()


def test_closing_the_window_stops_it(person, player):
    press_play(person)
    person.window.close()
    assert not player.playing
