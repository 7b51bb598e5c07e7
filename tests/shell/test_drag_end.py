"""When the worker begins: at the end of a gesture, and not while it goes on."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider

from pe_desktop.core.snapshot import is_complete
from pe_desktop.core.state import LabState
from pe_desktop.model import lab as lab_module
from tests.slow_parts import SlowParts

LEFT = Qt.MouseButton.LeftButton
NEVER = 1_000_000


@pytest.fixture
def unhurried(person, monkeypatch):
    """Nothing fits a frame, and only the end of a gesture makes the worker begin."""
    SlowParts(monkeypatch)
    for name in ("SETTLE_MS", "PAUSE_MS"):
        monkeypatch.setattr(lab_module, name, NEVER)


def at_work(person) -> bool:
    """Whether the worker has begun, or will in this turn of the event loop."""
    for _ in range(2):
        QApplication.processEvents()
    assert not is_complete(person.lab.snapshot) or person.lab.snapshot.state == LabState()
    return person.lab._runner.busy


def all_is_there(person) -> bool:
    person.settle()
    return is_complete(person.lab.snapshot)


@pytest.mark.usefixtures("unhurried")
class TestBegin:
    def test_with_the_release_of_a_slider(self, person):
        slider = person.find(QSlider, "position_slider")
        start = person._handle(slider).center()
        QTest.mousePress(slider, LEFT, pos=start)
        for x in range(10, 60, 10):
            QTest.mouseMove(slider, start + QPoint(x, 0))
            assert not at_work(person)
        QTest.mouseRelease(slider, LEFT, pos=start + QPoint(50, 0))
        assert person.lab._runner.busy
        assert all_is_there(person)
        assert person.lab.snapshot.state.position > 12

    def test_with_the_release_of_a_key(self, person):
        slider = person.find(QSlider, "position_slider")
        slider.setFocus()
        QTest.keyPress(slider, Qt.Key.Key_Right)
        assert not at_work(person)
        QTest.keyRelease(slider, Qt.Key.Key_Right)
        assert person.lab._runner.busy
        assert all_is_there(person)

    @pytest.mark.parametrize("view", ["matrix", "similarity"])
    def test_with_the_end_of_a_pan(self, person, view):
        plot = person.window.panels[view].plot
        middle = plot.area.center().toPoint()
        for _ in range(3):
            plot.wheeled.emit(QPointF(middle), 1.0)
        assert not at_work(person)
        QTest.mousePress(plot.viewport(), LEFT, pos=middle)
        for x in range(10, 60, 10):
            QTest.mouseMove(plot.viewport(), middle + QPoint(x, x))
            assert not at_work(person)
        QTest.mouseRelease(plot.viewport(), LEFT, pos=middle + QPoint(50, 50))
        assert person.lab._runner.busy
        assert all_is_there(person)

    def test_with_the_last_step_of_a_wheel(self, person, monkeypatch):
        monkeypatch.setattr(lab_module, "PAUSE_MS", 1)
        plot = person.window.panels["matrix"].plot
        plot.wheeled.emit(plot.area.center(), 1.0)
        assert not is_complete(person.lab.snapshot) or person.lab.busy
        assert all_is_there(person)
        assert person.lab.snapshot.matrix.values.shape[0] < 128
