"""Controls by name: shown alone, brought into sight, and covered."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QSlider, QWidget

from pe_desktop.controls.covering import SENTENCE
from pe_desktop.controls.section import Section
from pe_desktop.core.errors import FieldError

ROWS = ("scheme_row", "dimension", "length", "position", "key_position", "causal_row", "head", "seed", "compare_row")


def seen(dock, name, kind=QWidget):
    """Whether the widget of a name can be seen, folded sections and all."""
    return any(widget.isVisibleTo(dock) for widget in dock.findChildren(kind, name))


def rows_seen(dock):
    return {name for name in ROWS if seen(dock, name)}


def headers_seen(dock):
    sections = dock.findChildren(Section)
    return {section.objectName().removesuffix("_section") for section in sections if section.isVisibleTo(dock)}


def look(dock):
    """What is where, in pixels of the dock's contents."""
    content = dock.findChild(QScrollArea).widget()
    return {
        (type(widget).__name__, widget.objectName()): widget.geometry().getRect()
        for widget in content.findChildren(QWidget)
        if widget.isVisibleTo(content) and widget.objectName()
    }


def click_all(dock, settle):
    button = dock.findChild(QPushButton, "show_all_controls")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def test_nothing_but_what_is_named(dock, lab, settle):
    lab.show()
    dock.show_only(frozenset(["scheme", "position", "base"]))
    settle()
    assert rows_seen(dock) == {"scheme_row", "position"}
    assert headers_seen(dock) == {"parameters"}
    assert seen(dock, "param_base")
    assert not seen(dock, "param_layout_row")
    assert not seen(dock, "sentence")
    assert dock.focus.names == frozenset(["scheme", "position", "base"])


def test_the_button_at_the_end_shows_all_again(dock, lab, settle):
    lab.show()
    settle()
    before = look(dock)
    button = dock.findChild(QPushButton, "show_all_controls")
    assert not button.isVisible()
    dock.show_only(frozenset(["head", "input_gap"]))
    settle()
    assert button.isVisible()
    below = [
        place[1] + place[3] for name, place in look(dock).items() if name[1] in ("attention_section", "scheme_row")
    ]
    assert all(button.y() >= bottom for bottom in below)
    click_all(dock, settle)
    assert dock.focus.names is None
    assert not button.isVisible()
    assert look(dock) == before


def test_no_gaps_are_left(dock, lab, settle):
    lab.show()
    dock.show_only(frozenset(["scheme", "unique"]))
    settle()
    places = look(dock)
    scheme, section = places["ChoiceRow", "scheme_row"], places["PropertiesPanel", "properties_section"]
    assert 0 <= section[1] - (scheme[1] + scheme[3]) <= 16


def test_folds_come_back_as_a_person_left_them(dock, lab, settle):
    lab.show()
    header = {name: dock.findChild(QWidget, f"{name}_header") for name in ("attention", "precision", "readouts")}
    QTest.mouseClick(header["readouts"], Qt.MouseButton.LeftButton)
    was = {name: widget.isChecked() for name, widget in header.items()}
    assert was == {"attention": True, "precision": False, "readouts": False}
    dock.show_only(frozenset(["causal", "precision", "row_norm"]))
    assert all(widget.isChecked() for widget in header.values())
    dock.show_only(None)
    assert {name: widget.isChecked() for name, widget in header.items()} == was


def test_the_name_of_a_section_stands_for_all_of_it(dock, lab, settle):
    dock.show_only(frozenset(["precision"]))
    assert seen(dock, "precision_preset_row")
    assert seen(dock, "precision_count")
    dock.show_only(frozenset(["count"]))
    assert not seen(dock, "precision_preset_row")
    assert seen(dock, "precision_count")


def test_sentence_and_swap_are_three_rows(dock, lab, settle):
    widgets = {"swap": "swap_row", "sentence": "sentence", "swap_words": "swap_first"}
    for name, widget in widgets.items():
        dock.show_only(frozenset([name]))
        assert [other for other in widgets.values() if seen(dock, other)] == [widget]
        assert rows_seen(dock) == set()
    lab.put(sentence="One")
    dock.show_only(None)
    lab.put(sentence="One two")
    assert all(seen(dock, widget) for widget in widgets.values())


def test_read_outs_and_lights_by_name(dock, lab, settle):
    lab.put(swap=True)
    lab.show()
    dock.show_only(frozenset(["largest_value", "unique"]))
    settle()
    assert headers_seen(dock) == {"readouts", "properties"}
    shown = [name for name in ("input_gap", "largest_value", "row_norm") if seen(dock, f"readout_{name}")]
    assert shown == ["largest_value"]
    assert not seen(dock, "readout_input_gap_note")  # the note would say what its number does
    assert [name for name in ("bounded", "unique", "steady") if seen(dock, f"light_{name}")] == ["unique"]
    dock.show_only(None)
    assert seen(dock, "readout_input_gap_note", QLabel)


def test_it_goes_on_after_another_scheme(dock, lab, settle):
    lab.show()
    dock.show_only(frozenset(["scheme", "base"]))
    for scheme, expected in (("rope", True), ("alibi", False), ("rope", True), ("sinusoidal", True)):
        lab.put(scheme=scheme)
        lab.show()
        settle()
        assert seen(dock, "param_base") == expected, scheme
        assert not seen(dock, "param_rotary_dimension")
        assert rows_seen(dock) == {"scheme_row"}
    dock.show_only(None)
    lab.put(scheme="rope")
    assert seen(dock, "param_rotary_dimension")


def test_what_is_pointed_at_stays(dock, lab, settle):
    lab.show()
    dock.show_only(frozenset(["scheme"]))
    dock.focus.keep(frozenset(["input_gap", "head"]))
    assert rows_seen(dock) == {"scheme_row", "head"}
    assert seen(dock, "readout_input_gap")
    dock.focus.keep(frozenset())
    assert rows_seen(dock) == {"scheme_row"}
    dock.show_only(None)
    dock.focus.keep(frozenset(["head"]))
    assert rows_seen(dock) == set(ROWS) - {"compare_row"}  # its section is folded


def test_a_refusal_about_a_hidden_row_is_left_to_the_window(dock, lab, settle):
    assert dock.shows_field("position")
    dock.show_only(frozenset(["scheme"]))
    assert not dock.shows_field("position")
    assert dock.shows_field("scheme")
    lab.failed.emit(FieldError("position", "Not here."))
    assert not seen(dock, "position_error")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("scheme", "scheme_row"),
        ("position", "position"),
        ("swap", "swap_row"),
        ("sentence", "sentence"),
        ("causal", "causal_row"),
        ("seed", "seed"),
        ("compare", "compare_row"),
        ("precision", "precision_section"),
        ("base", "param_base"),
        ("unique", "light_unique"),
    ],
)
def test_the_widget_of_a_name(dock, lab, settle, name, found):
    lab.show()
    widget = dock.widget_for(name)
    assert widget.objectName() == found
    settle()
    assert not widget.visibleRegion().isEmpty()


def test_a_read_out_is_found_in_its_folded_section_below(dock, lab, settle):
    lab.show()
    header = dock.findChild(QWidget, "readouts_header")
    header.setChecked(False)
    settle()
    line = dock.widget_for("gap_spread")
    settle()
    assert line.number.objectName() == "readout_gap_spread"
    assert header.isChecked()
    assert not line.visibleRegion().isEmpty()


def test_names_there_are_not(dock, lab):
    assert dock.widget_for("rotary_dimension") is None
    assert dock.widget_for("matrix") is None


def test_a_covered_read_out_gives_nothing_away(dock, lab, settle):
    lab.put(swap=True)
    lab.show()
    number, note = dock.findChild(QLabel, "readout_input_gap"), dock.findChild(QLabel, "readout_input_gap_note")
    shown = number.text()
    assert float(shown) > 0
    dock.cover_readouts(frozenset(["input_gap"]))
    settle()
    assert number.text() == "?"
    assert number.accessibleName() == "Input gap: ?"
    assert number.accessibleDescription() == SENTENCE
    assert number.parentWidget().tip == SENTENCE
    assert not note.isVisible()
    lab.put(position=40)
    lab.show()
    assert number.text() == "?"
    assert dock.findChild(QLabel, "readout_largest_value").text() != "?"
    dock.cover_readouts(frozenset())
    assert float(number.text()) > 0
    assert note.isVisible()


def test_a_covered_light_gives_nothing_away(dock, lab, settle):
    lab.show()
    light, number = dock.findChild(QWidget, "light_unique"), dock.findChild(QLabel, "light_unique_number")
    assert light.accessibleName().startswith("Unique: holds")
    dock.cover_readouts(frozenset(["unique"]))
    assert light.holds is None
    assert number.text() == "?"
    assert light.accessibleName() == "Unique: covered until you reveal it"
    assert light.accessibleDescription() == SENTENCE
    dock.cover_readouts(frozenset())
    assert light.accessibleName().startswith("Unique: holds")


def test_sliders_work_while_others_are_hidden(dock, lab, settle):
    dock.show_only(frozenset(["position"]))
    settle()
    slider = dock.findChild(QSlider, "position_slider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert lab.state.position == 13
