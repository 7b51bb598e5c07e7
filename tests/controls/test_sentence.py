"""The sentence, and the choice of the words to exchange."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from pe_desktop.controls.sentence_panel import MOST_WORDS


@pytest.fixture
def edit(dock):
    edit = dock.findChild(QLineEdit, "sentence")
    edit.setFocus()
    return edit


def texts(combo: QComboBox) -> list[str]:
    return [combo.itemText(index) for index in range(combo.count())]


def combos(dock) -> tuple[QComboBox, QComboBox]:
    return dock.findChild(QComboBox, "swap_first"), dock.findChild(QComboBox, "swap_second")


def test_each_key_is_a_request_and_a_burst_is_one_drag(edit, lab):
    edit.selectAll()
    QTest.keyClicks(edit, "Hi you")
    assert [request["sentence"] for request in lab.requests] == ["H", "Hi", "Hi ", "Hi y", "Hi yo", "Hi you"]
    assert lab.drags == ["begin"]
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert lab.drags == ["begin", "end"]
    QTest.keyClicks(edit, "!")
    edit.parentWidget().findChild(QTimer).timeout.emit()
    assert lab.drags == ["begin", "end"] * 2


def test_leaving_ends_the_burst(edit, lab):
    QTest.keyClicks(edit, "x")
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert lab.drags == ["begin", "end"]


def test_the_cursor_stays_where_one_types(edit, lab):
    edit.setCursorPosition(3)
    QTest.keyClicks(edit, "e")
    edit.insert("\u0301")  # the model composes both to é
    assert lab.state.sentence == "Theé dog bit the man"
    assert edit.text() == lab.state.sentence
    QTest.keyClicks(edit, "s")
    assert edit.text() == "Theés dog bit the man"


def test_the_combos_list_the_words_and_ask_for_a_pair(dock, lab):
    first, second = combos(dock)
    assert texts(first) == texts(second) == ["0 · The", "1 · dog", "2 · bit", "3 · the", "4 · man"]
    assert (first.currentText(), second.currentText()) == ("1 · dog", "4 · man")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Up)
    assert lab.requests == [{"swap_words": (0, 4)}]
    assert lab.state.swap_words == (0, 4)


def test_the_same_slot_twice_is_refused_in_a_sentence(dock, lab):
    _, second = combos(dock)
    second.setFocus()
    second.setCurrentIndex(1)
    assert lab.state.swap_words is None
    assert second.currentText() == "4 · man"
    line = dock.findChild(QWidget, "sentence_error")
    assert "swapped with itself" in line.text()
    second.setCurrentIndex(2)
    assert lab.state.swap_words == (1, 2)
    assert not line.isVisible()


@pytest.mark.parametrize(("sentence", "possible"), [("", False), ("one", False), ("a b", True), ("😀 שלום", True)])
def test_too_few_words(dock, lab, sentence, possible):
    lab.put(sentence=sentence)
    first, second = combos(dock)
    hint = dock.findChild(QLabel, "swap_hint")
    assert first.isVisible() == second.isVisible() == possible
    assert hint.isVisible() != possible
    assert lab.requests == []


def test_a_long_sentence_lists_some_words_and_the_chosen_ones(dock, lab):
    lab.put(sentence=" ".join(f"w{n}" for n in range(700)))
    first, second = combos(dock)
    assert second.currentText() == "127 · w127"  # the last that has a position
    lab.put(length=1000)
    assert second.currentText() == "511 · w511"  # the last that takes part
    assert first.count() == MOST_WORDS
    lab.put(swap_words=(600, 2))
    assert first.count() == MOST_WORDS + 1
    assert (first.currentText(), second.currentText()) == ("600 · w600", "2 · w2")
    second.setCurrentIndex(5)
    assert lab.state.swap_words == (600, 5)


def test_a_sentence_too_long_goes_back(edit, lab, dock):
    edit.setText("x" * 20_001)
    assert edit.text() == lab.state.sentence == "The dog bit the man"
    assert "20,000" in dock.findChild(QWidget, "sentence_error").text()
