"""A refusal stands where the person is at work, and is no trap."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QScrollArea, QSlider, QWidget

from pe_desktop.controls.list_row import ListRow
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.theme import THEMES

LEFT = Qt.MouseButton.LeftButton
LISTS = {"extension": "longrope", "factor": 4.0, "short_factor": (1.0,) * 48, "long_factor": (2.0,) * 48}


@pytest.fixture
def fitted(lab, dock, settle):
    """RoPE with lists that fit dimension 96 and no other."""
    lab.put(scheme="rope", dimension=96, params=LISTS)
    settle()
    return dock


def error_of(dock, name: str) -> str:
    line = dock.findChild(QWidget, f"{name}_error")
    return line.text() if line is not None and line.isVisible() else ""


def errors(dock) -> list[str]:
    """Names of all places where a refusal can be seen."""
    names = [w.objectName() for w in dock.findChildren(QWidget) if w.objectName().endswith("_error") and w.isVisible()]
    return [name.removesuffix("_error") for name in names]


def write(dock, name: str, text: str) -> None:
    edit = dock.findChild(QLineEdit, f"{name}_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def test_a_refused_drag_stays_put_and_says_why_beside_the_slider(fitted, lab):
    slider, edit = fitted.findChild(QSlider, "dimension_slider"), fitted.findChild(QLineEdit, "dimension_edit")
    bar = fitted.findChild(QScrollArea).verticalScrollBar()
    start, place = slider._handle().center(), slider.value()
    QTest.mousePress(slider, LEFT, pos=start)
    for step in range(2, 30, 3):
        QTest.mouseMove(slider, start + QPoint(step, 0))
        # Before anything is painted: the handle never stands where the value is not.
        assert (slider.value(), edit.text(), bar.value()) == (place, "96", 0)
        assert errors(fitted) == ["dimension"]
    QTest.mouseRelease(slider, LEFT, pos=start + QPoint(30, 0))
    assert len(lab.requests) >= 8
    assert lab.state.dimension == 96
    assert "48 numbers" in error_of(fitted, "dimension")
    buttons = fitted.findChild(QWidget, "dimension_error").buttons()
    assert buttons[0].text() == "Use dimension 96"
    QTest.mouseClick(buttons[0], LEFT)
    assert lab.state.dimension == 96
    assert errors(fitted) == []


def test_a_way_out_lets_the_drag_go_on(fitted, lab):
    slider = fitted.findChild(QSlider, "dimension_slider")
    start = slider._handle().center()
    QTest.mousePress(slider, LEFT, pos=start)
    QTest.mouseMove(slider, start + QPoint(10, 0))
    QTest.mouseRelease(slider, LEFT, pos=start + QPoint(10, 0))
    wanted = lab.requests[-1]["dimension"]
    while error_of(fitted, "dimension"):  # a list a time
        QTest.mouseClick(fitted.findChild(QWidget, "dimension_error").buttons()[-1], LEFT)
    assert lab.state.dimension == wanted != 96
    assert lab.state.built.short_factor is None


def test_a_parameter_refused_because_of_a_list_says_so_in_its_own_row(fitted, lab):
    write(fitted, "param_rotary_dimension", "64")
    assert errors(fitted) == ["param_rotary_dimension"]
    assert "48 numbers" in error_of(fitted, "param_rotary_dimension")
    assert lab.state.built.rotary_width == 96


def test_a_list_of_the_wrong_length_stays_to_be_mended(fitted, lab):
    edit = fitted.findChild(QLineEdit, "param_short_factor_edit")
    write(fitted, "param_short_factor", "[1, 2, 3]")
    assert errors(fitted) == ["param_short_factor"]
    assert "has 3 numbers" in error_of(fitted, "param_short_factor")
    assert edit.text() == "[1, 2, 3]"
    assert lab.state.built.short_factor == (1.0,) * 48
    fitted.revert()
    assert errors(fitted) == []
    assert edit.text().startswith("[1, 1, 1")


@pytest.mark.parametrize("leave", ["tab", "click"])
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("param_short_factor", "1, 2, 3", "has 3 numbers"),
        ("param_short_factor", "1, x", "'x'"),
        ("dimension", "9000", "between 2 and 8,192"),
        ("param_factor", "abc", "'abc'"),
    ],
)
def test_a_refused_text_survives_leaving_and_what_others_change(fitted, lab, settle, leave, name, text, words):
    edit = fitted.findChild(QLineEdit, f"{name}_edit")
    value = edit.text()
    write(fitted, name, text)
    asked = len(lab.requests)
    if leave == "tab":
        QTest.keyClick(edit, Qt.Key.Key_Tab)
    else:
        other = fitted.findChild(QLineEdit, "key_position_edit")
        QTest.mouseClick(other, LEFT)
    settle()
    assert not edit.hasFocus()
    assert (edit.text(), errors(fitted), len(lab.requests)) == (text, [name], asked)
    lab.put(position=7)
    assert (edit.text(), errors(fitted)) == (text, [name])
    assert words in error_of(fitted, name)
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    fitted.findChild(QComboBox, "scheme").setFocus()
    assert (edit.text(), errors(fitted)) == (value, [])


def test_the_refusal_is_about_the_text_in_the_field(fitted, lab):
    edit = fitted.findChild(QLineEdit, "param_short_factor_edit")
    write(fitted, "param_short_factor", "1,2,3")
    assert fitted.findChild(QWidget, "param_short_factor_error").buttons()
    QTest.keyClick(edit, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(edit, "abc")
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.text() == "abc"
    assert "'abc'" in error_of(fitted, "param_short_factor")
    assert "3 numbers" not in error_of(fitted, "param_short_factor")
    assert fitted.findChild(QWidget, "param_short_factor_error").buttons() == []
    write(fitted, "param_short_factor", " ".join(["3"] * 48))
    assert errors(fitted) == []
    assert lab.state.built.short_factor == (3.0,) * 48


def test_a_refusal_kept_follows_the_state_and_says_when_the_text_fits(fitted, lab):
    write(fitted, "param_rotary_dimension", "98")
    assert errors(fitted) == ["param_rotary_dimension"]
    first = error_of(fitted, "param_rotary_dimension")
    lab.put(params={"extension": "none"})
    lab.put(dimension=128)
    edit = fitted.findChild(QLineEdit, "param_rotary_dimension_edit")
    assert edit.text() == "98"
    assert "fits now" in error_of(fitted, "param_rotary_dimension") != first
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert errors(fitted) == []
    assert lab.state.built.rotary_width == 98


def test_a_remedy_settles_the_text_it_was_for(fitted, lab):
    edit = fitted.findChild(QLineEdit, "param_short_factor_edit")
    write(fitted, "param_short_factor", "1,2,3")
    while buttons := fitted.findChild(QWidget, "param_short_factor_error").buttons():
        QTest.mouseClick(buttons[-1], LEFT)
    assert errors(fitted) == []
    assert edit.text() != "1,2,3"


def test_a_hidden_row_never_holds_a_refusal(fitted, lab, settle):
    lab.put(params={"extension": "none"})
    lab.put(dimension=64)
    settle()
    combo = fitted.findChild(QComboBox, "param_extension")
    combo.setCurrentIndex(combo.findData("longrope"))
    assert errors(fitted) == ["param_extension"]
    assert combo.currentData() == "none"
    lab.put(scheme="sinusoidal", dimension=64)
    combo = fitted.findChild(QComboBox, "scheme")
    lab.state = lab.state.change({"scheme": "rope"}).change({"dimension": 96, "params": {"extension": "longrope"}})
    lab.put(scheme="sinusoidal")
    lab.put(dimension=64)
    combo.setCurrentIndex(combo.findData("rope"))
    assert errors(fitted) == ["scheme"]
    assert combo.currentData() == "sinusoidal"
    assert not fitted.shows_field("short_factor")


def test_what_others_asked_for_is_told_in_the_parameters_row_if_it_can_be_seen(fitted, lab):
    assert fitted.shows_field("short_factor")
    lab.put(dimension=64)
    assert errors(fitted) == ["param_short_factor"]
    assert isinstance(fitted._error_target, ListRow)
    lab.put(params={"extension": "none"})
    assert not fitted.shows_field("short_factor")


def test_another_refusal_of_the_same_row_takes_the_place_of_the_first(fitted, lab):
    write(fitted, "dimension", "128")
    first = error_of(fitted, "dimension")
    write(fitted, "dimension", "9000")
    assert "between 2 and 8,192" in error_of(fitted, "dimension") != first
    assert fitted.findChild(QWidget, "dimension_error").buttons() == []
    write(fitted, "position", "5000")
    assert sorted(errors(fitted)) == ["dimension", "position"]
    assert fitted.findChild(QLineEdit, "dimension_edit").text() == "9000"


def test_undo_drops_half_typed_numbers_and_lists(fitted, lab):
    edit = fitted.findChild(QLineEdit, "param_long_factor_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "[1, ")
    fitted.revert()
    assert edit.text().startswith("[2, 2, ")
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Down)
    sheet = fitted.findChild(QWidget, "param_long_factor_sheet")
    QTest.keyClicks(sheet, "9 ")
    fitted.revert()
    assert sheet.toPlainText().startswith("[2, 2, ")
    assert lab.requests == []


def test_tab_reaches_the_remedies(fitted):
    write(fitted, "dimension", "128")
    buttons = fitted.findChild(QWidget, "dimension_error").buttons()
    assert len(buttons) >= 2
    for button in buttons:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is button
    assert error_of(fitted, "dimension")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_remedies_never_widen_the_dock(dock, lab, settle, theme):
    dock.set_theme(theme)
    dock.resize(dock.minimumWidth(), 840)
    settle()
    fixes = tuple(Fix(label) for label in ("Use dimension 96", "Without the lists", "Use 48"))
    dock._show_error(FieldError("dimension", "A sentence.", fixes), dock.findChild(SliderRow, "dimension"))
    settle()
    assert dock.findChild(QScrollArea).widget().width() <= dock.width()
    for button in dock.findChild(QWidget, "dimension_error").buttons():
        assert button.width() >= button.sizeHint().width()
        assert button.mapTo(dock, QPoint(button.width(), 0)).x() <= dock.width()
