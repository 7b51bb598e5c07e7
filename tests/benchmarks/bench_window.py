"""The window that the benchmarks drive, and what counts as a frame."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QApplication, QSlider, QWidget

from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.shell.main_window import MainWindow
from pe_desktop.shell.settings import Settings
from pe_desktop.views.panel import Panel


class PaintCounter(QObject):
    """Counts paint events of the views' surfaces."""

    def __init__(self, surfaces: list[QWidget]) -> None:
        super().__init__()
        self.painted: set[QWidget] = set()
        for surface in surfaces:
            surface.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note who was painted."""
        if event.type() == QEvent.Type.Paint:
            self.painted.add(watched)
        return False


class BenchWindow:
    """A main window of 1440 x 900 on the offscreen platform."""

    def __init__(self, state: LabState, settings: Path) -> None:
        self.app = QApplication.instance() or QApplication([])
        sys.setswitchinterval(0.0005)
        self.lab = Lab(state)
        self.window = MainWindow(self.lab, Settings(settings), "light")
        self.window.resize(1440, 900)
        self.window.show()
        self.counter = PaintCounter([panel.plot.viewport() for panel in self.window.panels.values()])
        self.settle()

    @property
    def surfaces(self) -> list[QWidget]:
        """What the visible views draw on."""
        return [panel.plot.viewport() for panel in visible_panels(self.window)]

    def bring_to_front(self, *names: str) -> None:
        """Show views that share their places with others."""
        for name in names:
            self.window.centre.bring_to_front(name)
        self.settle()

    def settle(self) -> None:
        """Let everything be computed and painted."""
        for _ in range(5):
            self.app.processEvents()
        self.lab.flush()
        for _ in range(5):
            self.app.processEvents()

    def repaint(self) -> None:
        """Paint the four views again with nothing changed."""
        for surface in self.surfaces:
            surface.repaint()

    def slider(self, name: str) -> QSlider:
        """The slider of a control."""
        found = self.window.findChildren(QSlider, f"{name}_slider")
        return next(slider for slider in found if slider.isVisibleTo(self.window))

    def drag(self, name: str, value: int) -> bool:
        """Move a slider as a drag does and let all that follows be painted; False if the state stayed."""
        before = self.lab.state
        self.slider(name).setValue(value)
        if self.lab.state == before:
            return False
        generation = self.lab.snapshot.generation
        while self.lab.snapshot.generation == generation:
            self.app.processEvents()
        self.app.sendPostedEvents(None, QEvent.Type.UpdateRequest)
        self.app.processEvents()
        return True

    def close(self) -> None:
        """End the worker and the window."""
        self.lab.close()
        self.window.close()
        self.window.deleteLater()
        self.app.processEvents()


def view_rects(window: MainWindow) -> list[QRect]:
    """Place of each view's plot, for baselines that draw the same pictures in the same sizes."""
    return [panel.plot.rect() for panel in visible_panels(window)]


def visible_panels(window: MainWindow) -> list[Panel]:
    """The views in front."""
    return [panel for panel in window.panels.values() if panel.isVisible()]
