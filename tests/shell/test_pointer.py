"""Pointing: a line around what has a name, wherever that goes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QSlider, QTabBar, QWidget

from pe_desktop.shell.outline import Outline
from pe_desktop.theme import DARK, LIGHT, PROJECTOR


class Repaints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget):
        super().__init__()
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


def outlines(person):
    person.settle()
    return [outline for outline in person.window.findChildren(Outline) if outline.isVisible()]


def inside(person, outline):
    """What an outline surrounds, in pixels of the window."""
    return QRect(outline.mapTo(person.window, QPoint(0, 0)), outline.size())


def place(person, widget):
    return QRect(widget.mapTo(person.window, QPoint(0, 0)), widget.size())


def assert_around(person, outline, widget):
    around, within = inside(person, outline), place(person, widget)
    assert around.contains(within)
    assert around.width() - within.width() <= 8
    assert around.height() - within.height() <= 8


def test_a_control_a_read_out_a_light_and_a_view(person):
    window = person.window
    window.pointer.point_at(("position", "input_gap", "unique", "attention"))
    found = outlines(person)
    assert len(found) == 4
    readout = person.find(QWidget, "readout_input_gap").parentWidget()
    widgets = [person.find(QWidget, "position"), readout, person.find(QWidget, "light_unique")]
    for outline in found:
        assert_around(person, outline, outline.target)
    assert set(window.pointer.targets) == {*widgets, window.panels["attention"]}


def test_the_line_has_the_accent_and_lets_the_inside_alone(person):
    person.window.pointer.point_at(("similarity",))
    (outline,) = outlines(person)
    image = person.window.grab(inside(person, outline)).toImage()
    accent = QColor(LIGHT.accent)
    assert image.pixelColor(image.width() // 2, 0) == accent
    assert image.pixelColor(0, image.height() // 2) == accent
    assert image.pixelColor(image.width() // 2, 4) != accent
    assert not outline.mask().contains(outline.rect().center())


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_it_follows_the_theme(person, theme):
    person.window.pointer.point_at(("similarity", "position"))
    person.window.set_theme(theme)
    for outline in outlines(person):
        assert_around(person, outline, outline.target)
        image = person.window.grab(inside(person, outline)).toImage()
        assert image.pixelColor(image.width() // 2, 1) == QColor(theme.accent)


def test_another_step_points_elsewhere(person):
    person.window.pointer.point_at(("position", "length"))
    assert len(outlines(person)) == 2
    person.window.pointer.point_at(("scheme",))
    (outline,) = outlines(person)
    assert outline.target.objectName() == "scheme_row"
    person.window.pointer.point_at(())
    assert outlines(person) == []
    assert person.window.pointer.targets == ()


def test_it_follows_a_resize(person):
    person.window.pointer.point_at(("similarity", "position"))
    person.window.resize(1100, 760)
    for outline in outlines(person):
        assert_around(person, outline, outline.target)
    person.window.resizeDocks([person.window.dock], [420], Qt.Orientation.Horizontal)
    for outline in outlines(person):
        assert_around(person, outline, outline.target)


def test_it_scrolls_with_the_dock(person):
    person.window.resize(1100, 640)
    person.window.pointer.point_at(("unique",))
    (outline,) = outlines(person)
    row = person.find(QWidget, "light_unique")
    assert not row.visibleRegion().isEmpty()
    assert_around(person, outline, row)
    bar = person.window.controls.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(0)
    person.settle()
    assert row.visibleRegion().isEmpty()
    assert outline.visibleRegion().isEmpty()


def test_it_unfolds_the_section(person):
    header = person.find(QWidget, "attention_header")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert outlines(person) == []
    person.window.pointer.point_at(("head",))
    (outline,) = outlines(person)
    assert_around(person, outline, person.find(QWidget, "head"))
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert outlines(person) == []  # folded by a person
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert len(outlines(person)) == 1


def test_a_view_behind_another_comes_to_the_front_and_may_be_left(person):
    window = person.window
    window.pointer.point_at(("spectrum",))
    (outline,) = outlines(person)
    assert window.panels["spectrum"].isVisible()
    assert_around(person, outline, window.panels["spectrum"])
    bar = person.find(QTabBar, "tab_bar_upper")
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(0).center())
    assert outlines(person) == []
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert len(outlines(person)) == 1


def test_the_row_of_another_scheme_is_another_widget(person):
    person.window.pointer.point_at(("base",))
    (outline,) = outlines(person)
    first = outline.target
    person.choose("scheme", "RoPE")
    (outline,) = outlines(person)
    assert outline.target is not first
    assert_around(person, outline, outline.target)
    person.choose("scheme", "ALiBi")
    assert outlines(person) == []
    person.choose("scheme", "Sinusoidal")
    (outline,) = outlines(person)
    assert outline.target is first


def test_clicks_go_through(person):
    person.window.pointer.point_at(("swap",))
    (outline,) = outlines(person)
    top = outline.parentWidget().childAt(outline.geometry().center())
    assert top is not outline
    person.tick("swap")
    assert person.lab.state.swap


def test_it_costs_nothing_while_a_slider_is_dragged(person):
    person.window.pointer.point_at(("position", "similarity", "largest_value"))
    found = outlines(person)
    person.drag("position", 0.3)
    counts = [Repaints(outline) for outline in found]
    person.drag("position", 0.8)
    assert person.lab.state.position > 80
    assert [count.count for count in counts] == [0, 0, 0]


def test_nothing_piles_up(person):
    def made():
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(person.window.findChildren(QWidget))

    pointer = person.window.pointer
    pointer.point_at(("position", "similarity"))
    before = made()
    for _ in range(20):
        pointer.point_at(("similarity", "position"))
        pointer.point_at(())
        pointer.point_at(("length", "matrix"))
        person.settle()
    assert made() == before


def test_what_is_pointed_at_is_in_sight_among_the_controls_of_a_lesson(person):
    controls = person.window.controls
    controls.show_only(frozenset(["scheme"]))
    person.window.pointer.point_at(("largest_value",))
    person.find(QWidget, "readout_largest_value")
    person.window.pointer.point_at(())
    assert not controls.findChild(QWidget, "readout_largest_value").isVisible()
    assert not controls.findChild(QSlider, "position_slider").isVisible()


def test_notes_that_come_with_the_numbers_do_not_push_a_target_out_of_sight(person):
    window = person.window
    window.resize(1024, 700)
    person.settle()
    linear = {"extension": "linear", "factor": 4.0}
    state = window.lab.state.change({"scheme": "rope", "params": linear, "compare": "rope", "compare_params": linear})
    window.lab.replace(state)
    window.pointer.point_at(("compare", "extension"))
    found = outlines(person)
    area = window.controls.findChild(QScrollArea).viewport()
    assert len(found) == 2
    for outline in found:
        assert place(person, area).contains(place(person, outline.target))
