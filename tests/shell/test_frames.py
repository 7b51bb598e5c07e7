"""What a frame of a drag costs: each piece is painted once, nothing is laid out anew, and nothing stays behind."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QSlider, QWidget

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import DARK, LIGHT, PROJECTOR, THEMES


class Watch(QObject):
    """Counts paint events of each widget and requests for a new layout."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: Counter[QWidget] = Counter()
        self.layouts = 0

    def eventFilter(self, watched, event) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted[watched] += 1
        self.layouts += event.type() == QEvent.Type.LayoutRequest
        return False


def frame(person) -> None:
    """Until what follows a change is on screen."""
    person.qtbot.waitUntil(lambda: person.lab.snapshot.state is person.lab.state)
    for _ in range(3):
        QApplication.processEvents()


@pytest.mark.parametrize("name", ["dimension", "length", "position", "key_position", "param_base"])
def test_a_drag_frame_paints_each_piece_once_and_lays_nothing_out(person, name):
    slider = person.find(QSlider, f"{name}_slider")
    step = 40 if slider.maximum() > 1000 else 2
    slider.setSliderDown(True)
    slider.setValue(slider.value() + step)
    frame(person)
    watch = Watch()
    QApplication.instance().installEventFilter(watch)
    try:
        for _ in range(5):
            slider.setValue(slider.value() + step)
            frame(person)
    finally:
        QApplication.instance().removeEventFilter(watch)
    assert watch.layouts == 0
    surfaces = {view: watch.painted[panel.plot.viewport()] for view, panel in person.window.panels.items()}
    assert max(surfaces.values()) == 5
    assert all(count <= 5 for count in surfaces.values())
    leaves = {w for w in watch.painted if not w.children() and watch.painted[w] > 5}
    assert {w.objectName() or type(w).__name__ for w in leaves} == set()
    slider.setSliderDown(False)


def on_screen(window) -> QImage:
    """What the window system holds, which is what a person sees."""
    picture = window.screen().grabWindow(window.winId()).toImage()
    return picture.convertToFormat(QImage.Format.Format_RGB32)


def test_what_is_on_screen_is_what_there_is_to_see(person):
    window, lab = person.window, person.lab
    matrix, similarity, attention = (window.panels[name] for name in ("matrix", "similarity", "attention"))
    middle = QPointF(attention.plot.viewport().rect().center()).toPoint()

    def wheel(panel):
        panel.plot.wheeled.emit(panel.plot.area.center(), 4.0)

    acts = {
        "swap": lambda: lab.request(swap=True),
        "a map": lambda: QTest.mouseClick(attention.buttons["b"], Qt.MouseButton.LeftButton),
        "a cell": lambda: QTest.mouseMove(attention.plot.viewport(), middle),
        "spot on a word": lambda: lab.request(position=2, key_position=1),
        "spot off the words": lambda: lab.request(position=90, key_position=100),
        "cursor": lambda: lab.set_cursor(Cursor(view="matrix", position=3, column=7)),
        "cursor on a pair": lambda: lab.set_cursor(Cursor(view="rotation", position=3, pair=5)),
        "no cursor": lambda: lab.set_cursor(Cursor()),
        "zoom": lambda: wheel(matrix),
        "zoom the curve": lambda: wheel(similarity),
        "pan": lambda: matrix.plot.dragged.emit(QPointF(20, 30)),
        "fit": lambda: matrix.plot.double_clicked.emit(QPointF(100, 100)),
        "dimension": lambda: lab.request(dimension=10),
        "length": lambda: lab.request(length=3000),
        "bias": lambda: lab.request(scheme="alibi"),
        "nothing": lambda: lab.request(scheme="none"),
        "learned": lambda: lab.request(scheme="learned", length=900),
        "back": lambda: lab.undo(),
        "dark": lambda: window.set_theme(DARK),
        "smaller": lambda: window.resize(1100, 800),
        "projector": lambda: window.set_theme(PROJECTOR),
        "reset": lambda: lab.reset(),
    }
    for name, act in acts.items():
        act()
        person.settle()
        for _ in range(4):
            QApplication.processEvents()
        seen, due = on_screen(window), window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        assert seen == due, f"after {name}"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_theme_is_the_same_whatever_was_before_it(person, theme):
    window = person.window

    def shape():
        for _ in range(3):
            QApplication.processEvents()
        heights = {combo.objectName(): combo.height() for combo in window.findChildren(QComboBox)}
        return heights, window.dock.fontMetrics().height(), window.controls.y()

    window.set_theme(theme)
    before = shape()
    for other in (LIGHT, PROJECTOR):
        window.set_theme(other)
        shape()
    window.set_theme(theme)
    assert shape() == before
    assert window.dock.font().pointSizeF() == theme.small


def test_the_formula_can_be_selected_with_the_mouse_over_it(person):
    label = person.window.centre.strip.findChild(QWidget, "formula")
    QTest.mouseMove(label, QPoint(5, 5))
    QApplication.sendEvent(label, QEvent(QEvent.Type.Enter)) if not label.underMouse() else None
    label.setSelection(0, 2)
    assert label.selectedText() == label.text()[:2]
