"""The section of the scheme that is compared with."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton

from pe_desktop.controls.compare_panel import ComparePanel
from pe_desktop.controls.rows import FieldRow
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.theme import THEMES


@pytest.fixture
def panel(dock):
    return dock.findChild(ComparePanel)


def pick(combo, text):
    """Choose an entry with the keyboard."""
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    while not combo.currentText().startswith(text):
        before = combo.currentIndex()
        QTest.keyClick(combo, Qt.Key.Key_Down)
        assert combo.currentIndex() > before, f"no entry {text!r}"


def unfold(panel):
    QTest.mouseClick(panel.header, Qt.MouseButton.LeftButton, pos=QPoint(20, panel.header.height() // 2))


def names(panel):
    """The parameters whose rows can be seen."""
    return [name for name, row in panel.field_rows().items() if row.isVisible()]


def test_folded_and_off_at_first(panel):
    assert not panel.body.isVisible()
    assert (panel.header.text(), panel.header.summary) == ("Compare with", "nothing")
    unfold(panel)
    combo = panel.findChild(QComboBox, "compare")
    assert combo.currentText() == "Nothing"
    values = [combo.itemData(index) for index in range(combo.count()) if combo.itemText(index)]
    assert values == ["", *REGISTRY]
    assert names(panel) == []
    assert not panel.findChild(QLabel, "compare_verdict").isVisible()


def test_choosing_a_scheme(panel, lab, settle):
    unfold(panel)
    pick(panel.findChild(QComboBox, "compare"), "ALiBi")
    settle()
    assert lab.state.compare == "alibi"
    assert lab.requests[-1] == {"compare": "alibi"}
    assert (panel.header.text(), panel.header.summary) == ("Compare with", "ALiBi")
    assert names(panel)[:2] == ["heads", "max_bias"]
    pick(panel.findChild(QComboBox, "compare"), "Nothing")
    settle()
    assert (lab.state.compare, names(panel), panel.header.summary) == ("", [], "nothing")


def test_rows_change_b_alone(panel, lab, settle):
    lab.put(scheme="rope", compare="rope")
    settle()
    assert panel.body.isVisible()
    edit = panel.findChild(QLineEdit, "compare_params_base_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "500000")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert lab.requests[-1] == {"compare_params": {"base": 500_000.0}}
    assert (lab.state.built.base, lab.state.built_b.base) == (10_000.0, 500_000.0)
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert lab.state.built_b.base != 500_000.0


def test_a_choice_brings_its_first_values(panel, lab, settle):
    lab.put(compare="rope")
    settle()
    pick(panel.findChild(QComboBox, "compare_params_extension"), "Linear")
    settle()
    assert lab.state.built_b.factor == 4.0
    assert lab.state.params == {}
    assert "factor" in names(panel)


def test_a_refusal_stands_at_the_row_of_b(dock, panel, lab, settle):
    lab.put(scheme="rope", compare="rope")
    settle()
    edit = panel.findChild(QLineEdit, "compare_params_rotary_dimension_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "63")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    settle()
    row = panel.field_rows()["rotary_dimension"]
    assert "Scheme B: RoPE rotates pairs" in row.error_text()
    remedy = next(button for button in row.findChildren(QPushButton) if button.text() == "Use 62")
    QTest.mouseClick(remedy, Qt.MouseButton.LeftButton)
    settle()
    assert (lab.state.built_b.rotary_width, lab.state.built.rotary_width) == (62, 64)
    assert row.error_text() == ""


def test_a_scheme_b_that_cannot_be(dock, panel, lab, settle):
    lab.put(dimension=65, compare="learned")
    settle()
    combo = panel.findChild(QComboBox, "compare")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)  # the 2-D encoding, which needs a dimension divisible by 4
    settle()
    assert lab.requests[-1] == {"compare": "sincos2d"}
    assert (lab.state.compare, combo.currentText()) == ("learned", "Learned")
    assert dock.shows_field("compare")
    errors = [row.error_text() for row in dock.findChildren(FieldRow) if row.error_text()]
    assert len(errors) == 1
    assert "Scheme B: 2-D sin-cos needs a model dimension" in errors[0]


def test_verdict_and_remarks(panel, lab, settle):
    lab.put(compare="learned")
    lab.show()
    settle()
    verdict = panel.findChild(QLabel, "compare_verdict")
    assert verdict.isVisible()
    assert verdict.text() == lab.snapshot.compare.sentence
    notes = panel.findChild(QLabel, "compare_param_notes")
    assert notes.text().startswith("Untrained")
    lab.put(compare="")
    lab.show()
    settle()
    assert not verdict.isVisible()
    assert not notes.isVisible()


def test_a_dock_on_a_comparison_is_unfolded(show_dock, lab):
    lab.put(compare="t5")
    dock = show_dock(lab)
    panel = dock.findChild(ComparePanel)
    assert panel.body.isVisible()
    assert panel.findChild(QComboBox, "compare").currentText() == "T5 buckets"


def test_folding_is_left_to_the_person(dock, panel, lab, settle):
    lab.put(compare="rope")
    unfold(panel)  # a second click folds it
    settle()
    assert not panel.body.isVisible()
    lab.put(compare_params={"base": 5.0})
    lab.put(compare="alibi")
    settle()
    assert not panel.body.isVisible()
    lab.put(compare="")
    lab.put(compare="rope")
    assert panel.body.isVisible()


@pytest.mark.parametrize("name", list(THEMES))
def test_nothing_is_cut_in_any_theme(dock, panel, lab, settle, name):
    dock.set_theme(THEMES[name])
    lab.put(scheme="rope", length=1_048_576, compare="rope", compare_params={"base": 500_000.0})
    lab.show()
    settle()
    verdict = panel.findChild(QLabel, "compare_verdict")
    assert verdict.height() >= verdict.heightForWidth(verdict.width())
    for row in panel.field_rows().values():
        assert row.height() >= row.sizeHint().height()


def test_tab_goes_from_the_choice_to_the_rows(dock, panel, lab, settle):
    lab.put(compare="alibi")
    settle()
    stops = panel.focus_widgets()
    assert stops[0] is panel.header
    assert stops[1] is panel.choice.combo
    stops[1].setFocus()
    QTest.keyClick(stops[1], Qt.Key.Key_Tab)
    assert stops[2].hasFocus()
