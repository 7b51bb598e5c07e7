"""The dock on the real model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QSlider

from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.model.lab import Lab


@pytest.fixture
def real_lab(qapp):
    lab = Lab(blocking=True)
    lab.flush()
    yield lab
    lab.close()


@pytest.fixture
def real_dock(real_lab, show_dock):
    return show_dock(real_lab)


def test_a_drag_is_one_undo_entry_and_undo_moves_the_slider_back(real_dock, real_lab):
    slider = real_dock.findChild(QSlider, "position_slider")
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(40, 8))
    for x in range(40, 90, 2):
        QTest.mouseMove(slider, QPoint(x, 8))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(90, 8))
    assert real_lab.undo_stack.count() == 1
    assert real_lab.state.position > 60
    real_lab.undo()
    assert real_dock.findChild(SliderRow, "position").value == 12
    assert real_dock.findChild(QLineEdit, "position_edit").text() == "12"
    assert real_lab.undo_stack.count() == 1


def test_typing_a_sentence_is_one_undo_entry(real_dock, real_lab):
    edit = real_dock.findChild(QLineEdit, "sentence")
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_End)
    QTest.keyClicks(edit, " again")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert real_lab.state.sentence == "The dog bit the man again"
    assert real_lab.undo_stack.count() == 1
    real_lab.undo()
    assert edit.text() == "The dog bit the man"


def test_the_first_classic_test(real_dock, real_lab):
    combo = real_dock.findChild(QComboBox, "scheme")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    assert real_lab.state.scheme == "none"
    QTest.mouseClick(real_dock.findChild(QCheckBox, "swap"), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    real_lab.flush()
    gap = real_dock.findChild(QLabel, "readout_input_gap")
    assert gap.text() == "0.000"
    combo.setCurrentIndex(combo.findData("sinusoidal"))
    real_lab.flush()
    assert gap.text() != "0.000"


def test_reset_is_shown_everywhere(real_dock, real_lab):
    real_lab.request(scheme="rope", dimension=128, length=4096, position=4000, sentence="a b c", causal=True)
    real_lab.request(params={"base": 500000.0, "rotary_dimension": 64})
    real_lab.reset()
    assert real_dock.findChild(QComboBox, "scheme").currentData() == "sinusoidal"
    assert real_dock.findChild(SliderRow, "param_base").value == 10000.0
    assert real_dock.findChild(SliderRow, "position").value == 12
    assert real_lab.undo_stack.count() == 3
