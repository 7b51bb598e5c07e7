"""Read-outs and lights."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from pe_desktop.controls.properties_panel import LightMark, LightRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.parts import Light, Readout


def number(dock, name: str) -> str:
    return dock.findChild(QLabel, f"readout_{name}").text()


class LayoutCounter(QObject):
    """How often a widget was laid out."""

    count = 0

    def eventFilter(self, _watched, event) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_the_numbers_of_the_snapshot_are_shown(dock, lab):
    lab.put(scheme="none", swap=True)
    lab.show()
    assert number(dock, "input_gap") == "0.000"
    lab.put(scheme="sinusoidal")
    lab.show()
    assert float(number(dock, "input_gap")) > 0
    for readout in lab.snapshot.readouts.readouts:
        assert number(dock, readout.name) == readout.text
        note = dock.findChild(QLabel, f"readout_{readout.name}_note")
        assert (note.text(), note.isVisible()) == (readout.note, bool(readout.note))
    assert lab.requests == []


def test_a_dock_made_later_shows_the_snapshot_there_is(lab, show_dock):
    lab.show()
    dock = show_dock(lab)
    assert number(dock, "largest_value") == "1.000"


def test_new_numbers_need_no_new_layout(dock, lab, settle):
    lab.put(scheme="integer")
    lab.show()
    settle()
    label = dock.findChild(QLabel, "readout_largest_value")
    counter = LayoutCounter(dock)
    dock.findChild(QWidget, "readouts_section").installEventFilter(counter)
    for position in range(20, 40):
        lab.put(position=position)
        lab.show()
        settle()
    assert label.text() == "39.000"
    assert counter.count == 0


def test_other_readouts_get_other_lines(dock, lab):
    lab.show()
    only = Readout("speed", "Speed", 1.0, "1.000", "How fast.")
    parts = dataclasses.replace(lab.snapshot.readouts, readouts=(only,))
    lab.snapshot_ready.emit(SimpleNamespace(notes=("A note.",), readouts=parts, compare=None))
    assert number(dock, "speed") == "1.000"
    assert dock.findChild(QLabel, "parameter_notes").text() == "A note."


@pytest.mark.parametrize("holds", [True, False, None])
def test_a_light_says_what_it_shows(dock, lab, holds):
    lab.show()
    old = lab.snapshot.readouts
    lights = tuple(Light(p.name, p.label, holds, "0.5", f"Evidence of {p.name}.") for p in old.properties)
    shown = SimpleNamespace(notes=(), readouts=dataclasses.replace(old, properties=lights), compare=None)
    lab.snapshot_ready.emit(shown)
    row = dock.findChild(LightRow, "light_bounded")
    words = {True: "holds", False: "does not hold", None: "not applicable"}[holds]
    assert row.holds is holds
    assert row.accessibleName() == f"Bounded: {words} 0.5"
    QApplication.sendEvent(row, QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint()))
    assert row.accessibleDescription() == row.toolTip() == "Evidence of bounded."
    QToolTip.hideText()
    assert dock.findChild(QLabel, "light_bounded_number").text() == "0.5"


def test_the_three_states_differ_in_shape(dock, lab, settle):
    lab.show()
    mark = dock.findChild(LightMark)
    shapes = []
    for holds in (True, False, None):
        mark.set_holds(holds)
        settle()
        picture, ground = mark.grab().toImage(), dock.palette().window().color()
        ink = [
            (x, y)
            for x in range(picture.width())
            for y in range(picture.height())
            if picture.pixelColor(x, y).lightness() < ground.lightness() - 60
        ]
        shapes.append(len(ink))
    disc, ring, dash = shapes
    assert disc > ring > dash > 0


def test_the_keyboard_brings_up_the_evidence(dock, lab, settle):
    lab.show()
    settle()
    dock.findChild(QWidget, "properties_header").setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    row = QApplication.focusWidget()
    assert row.objectName() == "light_bounded"
    assert QToolTip.text() == tooltip(row.tip) != ""
    QToolTip.hideText()
