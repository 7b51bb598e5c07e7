"""The precision section of the dock, both ways."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QSlider

from pe_desktop.controls.precision_panel import PrecisionPanel
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.core.precision import PRESETS, PrecisionChoice
from pe_desktop.model.lab import Lab
from pe_desktop.theme import THEMES
from tests.controls.test_dock_heights import faults


@pytest.fixture
def section(dock):
    found = dock.findChild(PrecisionPanel)
    QTest.mouseClick(found.header, Qt.MouseButton.LeftButton)
    return found


def combo(dock, name) -> QComboBox:
    return dock.findChild(QComboBox, f"precision_{name}")


def test_it_starts_folded_and_names_the_preset(dock, lab):
    found = dock.findChild(PrecisionPanel)
    assert not found.body.isVisible()
    assert found.header.summary == "Exact (float64)"
    lab.put(precision={"preset": "bf16_everything"})
    assert found.header.summary == "bf16 everything"
    lab.put(precision={"tables": "float64"})
    assert found.header.summary == "Custom"
    assert lab.requests == []


def test_its_rows_are_those_of_the_choice(dock, lab, section):
    assert section.body.isVisible()
    assert list(section.field_rows()) == ["preset", *(about.name for about in PrecisionChoice.parameters())]
    for about in PrecisionChoice.parameters():
        assert about.help.split()[0] in section.field_rows()[about.name].toolTip()
    presets = combo(dock, "preset")
    assert [presets.itemData(index) for index in range(presets.count())] == [*(p[0] for p in PRESETS), "custom"]


def test_what_a_person_chooses_is_asked_for_once(dock, lab, section):
    preset = combo(dock, "preset")
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key.Key_Down)
    assert lab.requests == [{"precision": {"preset": "library"}}]
    assert combo(dock, "tables").currentData() == "float32"
    tables = combo(dock, "tables")
    tables.setFocus()
    QTest.keyClick(tables, Qt.Key.Key_End)
    assert lab.requests[1:] == [{"precision": {"tables": "bfloat16"}}]
    assert preset.currentText() == "Custom"
    edit = dock.findChild(QLineEdit, "precision_tolerance_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "0.01")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    slider = dock.findChild(QSlider, "precision_count_slider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert lab.requests[2:] == [{"precision": {"tolerance": 0.01}}, {"precision": {"count": 4097}}]
    assert lab.state.precision == PrecisionChoice(
        positions="float32",
        frequencies="float32",
        angles="float32",
        tables="bfloat16",
        tolerance=0.01,
        count=4097,
    )


def test_what_the_model_changes_is_shown_and_never_asked_back(dock, lab, section):
    lab.put(precision={"preset": "bf16_positions", "tolerance": 1e-12, "count": 1_048_576})
    assert combo(dock, "preset").currentText() == "bf16 positions"
    assert combo(dock, "positions").currentData() == "bfloat16"
    assert combo(dock, "angles").currentData() == "float32"
    assert dock.findChild(SliderRow, "precision_tolerance").value == 1e-12
    assert dock.findChild(QLineEdit, "precision_count_edit").text() == "1048576"
    lab.put(precision={"preset": "exact"})
    assert combo(dock, "positions").currentData() == "float64"
    assert lab.requests == []


def test_choosing_custom_changes_nothing(dock, lab, section):
    preset = combo(dock, "preset")
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key.Key_End)
    assert lab.state.precision == PrecisionChoice()
    assert preset.currentText() == "Exact (float64)"


@pytest.mark.parametrize(("name", "text"), [("tolerance", "2"), ("count", "1"), ("count", "abc"), ("count", "10,000")])
def test_a_refusal_stands_at_its_row(dock, lab, section, name, text):
    edit = dock.findChild(QLineEdit, f"precision_{name}_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    row = section.field_rows()[name]
    assert row.error_text()
    assert [other for other in section.field_rows().values() if other.error_text()] == [row]
    assert lab.state.precision == PrecisionChoice()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_no_line_is_squeezed(dock, lab, section, settle, theme):
    dock.set_theme(theme)
    dock.resize(dock.sizeHint().width(), 840)
    lab.put(scheme="rope", precision={"preset": "float16_everything"})
    settle()
    assert faults(dock) == []


def test_undo_and_reset_bring_it_back(show_dock, qapp):
    lab = Lab(blocking=True)
    lab.flush()
    dock = show_dock(lab)
    preset = combo(dock, "preset")
    dock.findChild(PrecisionPanel).unfold()
    preset.setFocus()
    QTest.keyClick(preset, Qt.Key.Key_Down)
    assert lab.state.precision.preset[0] == "library"
    assert lab.undo_stack.undoText() == "Precision"
    lab.undo()
    assert (lab.state.precision, preset.currentData()) == (PrecisionChoice(), "exact")
    lab.redo()
    assert preset.currentData() == "library"
    lab.reset()
    assert preset.currentData() == "exact"
    lab.close()
