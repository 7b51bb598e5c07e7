"""What the dock shows of numbers that are not there: being computed, or called off."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget

from pe_desktop.controls.look import look_of
from pe_desktop.controls.properties_panel import LightMark
from pe_desktop.core.called_off import NOT_COMPUTED, WAITING, called_off
from pe_desktop.core.snapshot import compute
from pe_desktop.theme import THEMES


@pytest.fixture
def button(dock):
    return dock.findChild(QToolButton, "readouts_compute")


def announced(lab):
    """The snapshot of the lab with one number and one light still to come."""
    made = compute(lab.state)
    readouts = tuple(
        dataclasses.replace(each, value=None, text="computing…") if each.name == "closest_pair" else each
        for each in made.readouts.readouts
    )
    lights = tuple(
        dataclasses.replace(each, holds=None, number=WAITING, evidence="Looking for the closest two rows…")
        if each.name == "unique"
        else each
        for each in made.readouts.properties
    )
    part = dataclasses.replace(made.readouts, readouts=readouts, properties=lights, exact=False)
    return dataclasses.replace(made, readouts=part)


def shown(dock):
    """The number and the light, as seen and as read out."""
    number, light = dock.findChild(QWidget, "readout_closest_pair"), dock.findChild(QWidget, "light_unique")
    return number.text(), number.accessibleName(), light.number.text(), light.accessibleName()


def test_a_number_comes_goes_and_comes_back(dock, lab):
    lab.show()
    there = shown(dock)
    lab.snapshot_ready.emit(announced(lab))
    assert shown(dock) == ("computing…", "Closest rows: computing…", WAITING, "Unique: being computed")
    lab.snapshot_ready.emit(called_off(announced(lab)))
    assert shown(dock) == (NOT_COMPUTED, f"Closest rows: {NOT_COMPUTED}", NOT_COMPUTED, f"Unique: {NOT_COMPUTED}")
    lab.show()
    assert shown(dock) == there


def test_the_button_is_there_only_after_work_was_called_off(dock, lab, button):
    lab.show()
    assert not button.isVisible()
    lab.stopped_changed.emit(True)
    assert button.isVisible()
    assert button.accessibleName() == "Compute what was called off"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert lab.resumed == 1
    lab.stopped_changed.emit(False)
    assert not button.isVisible()
    assert lab.requests == []


def test_the_button_leaves_the_header_its_own_click(dock, lab, button, settle):
    lab.show()
    lab.stopped_changed.emit(True)
    settle()
    header, body = (dock.findChild(QWidget, f"readouts_{name}") for name in ("header", "section"))
    QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=header.rect().center())
    assert not body.body.isVisible()
    assert button.isVisible()  # folded or not, it tells that something is missing
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (lab.resumed, body.body.isVisible()) == (1, False)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_button_stands_in_the_header_at_any_width(dock, lab, button, settle, theme):
    dock.set_theme(theme)
    lab.show()
    lab.stopped_changed.emit(True)
    header = dock.findChild(QWidget, "readouts_header")
    for width in (dock.minimumWidth(), 400):
        dock.resize(width, 840)
        settle()
        place = button.geometry()
        assert place.right() == header.geometry().right()
        assert (place.top(), place.height()) == (header.y(), header.height())
        assert button.fontMetrics().horizontalAdvance(button.text()) < place.width()
        assert place.left() > header.sizeHint().width()


def test_a_light_that_is_not_known_is_none_of_the_others(dock):
    mark, images = LightMark(dock), []
    mark.set_look(look_of(THEMES["light"]))
    mark.show()
    for holds, known in ((True, True), (False, True), (None, True), (None, False)):
        mark.set_holds(holds, known=known)
        image = mark.grab().toImage()
        assert all(image != other for other in images)
        images.append(image)
    middle = images[-1].height() // 2
    ground = images[-1].pixelColor(0, 0)
    inked = [images[-1].pixelColor(x, middle) != ground for x in range(images[-1].width())]
    runs = sum(inked[x] and not inked[x - 1] for x in range(1, len(inked)))
    assert runs == 3
