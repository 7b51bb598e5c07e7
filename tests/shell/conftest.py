"""A whole window, driven as a person would and read as a person would."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.shell.main_window import MainWindow
from pe_desktop.shell.settings import Settings


class Person:
    """Hands and eyes: uses widgets by their events and reads what they show."""

    def __init__(self, qtbot, settings: Path, state: LabState | None = None) -> None:
        self.qtbot = qtbot
        self.lab = Lab(state)
        self.window = MainWindow(self.lab, Settings(settings), "light")
        self.window.resize(1440, 900)
        self.window.show()
        qtbot.waitUntil(lambda: self.lab.snapshot is not None)
        self.settle()

    def find(self, kind: type, name: str) -> QWidget:
        """The widget of a name that belongs to what is shown (rows of other schemes wait hidden)."""
        found = [w for w in self.window.findChildren(kind, name) if w.isVisibleTo(self.window)]
        assert len(found) == 1, f"{len(found)} {kind.__name__} named {name} can be seen"
        return found[0]

    def settle(self) -> None:
        """Wait until everything on screen is final."""
        QApplication.processEvents()
        self.qtbot.waitUntil(lambda: not self.lab.busy, timeout=20_000)

    def choose(self, name: str, text: str) -> None:
        """Pick an entry of a combo box with the keyboard."""
        combo = self.find(QComboBox, name)
        combo.setFocus()
        QTest.keyClick(combo, Qt.Key.Key_Home)
        while not combo.currentText().startswith(text):
            before = combo.currentIndex()
            QTest.keyClick(combo, Qt.Key.Key_Down)
            assert combo.currentIndex() > before, f"no entry {text!r}"
        self.settle()

    def type(self, name: str, text: str) -> None:
        """Type a number and press Enter."""
        edit = self.find(QLineEdit, f"{name}_edit")
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key.Key_Return)
        self.settle()

    def write(self, sentence: str) -> None:
        """Type a sentence."""
        edit = self.find(QLineEdit, "sentence")
        edit.setFocus()
        edit.selectAll()
        QTest.keyClick(edit, Qt.Key.Key_Delete)
        QTest.keyClicks(edit, sentence)
        self.settle()

    def tick(self, name: str) -> None:
        """Click a check box."""
        box = self.find(QCheckBox, name)
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        self.settle()

    def drag(self, name: str, share: float) -> list[int]:
        """Drag a slider's handle with the mouse to a share of its groove; positions of the lab on the way."""
        slider = self.find(QSlider, f"{name}_slider")
        start, stop = self._handle(slider).center(), int(share * (slider.width() - 1))
        QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
        seen = []
        for step in range(1, 11):
            place = QPoint(start.x() + (stop - start.x()) * step // 10, start.y())
            QTest.mouseMove(slider, place)
            self.qtbot.waitUntil(lambda: self.lab.snapshot.state is self.lab.state)
            seen.append(getattr(self.lab.state, name, 0))
        QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(stop, start.y()))
        self.settle()
        return seen

    @staticmethod
    def _handle(slider: QSlider):
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        return slider.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
        )

    def readout(self, name: str) -> str:
        """The text of a read-out as shown."""
        return self.find(QWidget, f"readout_{name}").text()

    def note(self, name: str) -> str:
        """The note below a read-out as shown, empty while hidden."""
        label = self.find(QLabel, f"readout_{name}_note")
        return label.text() if label.isVisible() else ""

    def number(self, name: str) -> float:
        """A read-out as a number."""
        return float(self.readout(name).replace("\u2212", "-").replace(",", ""))

    def sentence(self, view: str) -> str:
        """The sentence under a view."""
        return self.window.panels[view].accessibleDescription()

    def close(self) -> None:
        self.lab.close()
        take_away(self.window)


def take_away(window: QWidget) -> None:
    """Close a window and delete it at once: until then only a cycle of Python objects holds it, and when the collector
    finds that, slots run on objects that have lost their attributes."""
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def another_window():
    """Makes further windows on a lab."""
    made: list[MainWindow] = []

    def make(lab: Lab, settings: Settings, theme: str = "light") -> MainWindow:
        made.append(MainWindow(lab, settings, theme))
        return made[-1]

    yield make
    for window in made:
        take_away(window)


@pytest.fixture
def person(qtbot, tmp_path):
    """A person in front of a fresh window."""
    someone = Person(qtbot, tmp_path / "settings.ini")
    yield someone
    someone.close()
