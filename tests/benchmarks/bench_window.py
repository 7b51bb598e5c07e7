"""The window that the benchmarks drive, and what counts as a frame."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QEventLoop, QRect, QTimer
from PySide6.QtWidgets import QApplication, QSlider, QWidget

from pe_desktop import process
from pe_desktop.core.parts import Snapshot
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.shell.main_window import MainWindow
from pe_desktop.shell.settings import Settings
from pe_desktop.views.panel import Panel
from pe_desktop.views.still import StillItem
from tests.benchmarks import gestures

FRAMES = 80  # of one drag
WARM_UP = 5
MOST_TURNS = 4  # places tried for each frame
PATIENCE = 60.0  # seconds after which what is waited for will not come


class BenchWindow:
    """A main window of 1440 x 900 on the offscreen platform."""

    def __init__(self, state: LabState, settings: Path) -> None:
        self.app = QApplication.instance() or QApplication([])
        process.tune()
        self.lab = Lab(state)
        self.window = MainWindow(self.lab, Settings(settings), "light")
        self.window.resize(1440, 900)
        self.window.show()
        process.settle()
        self.settle()

    @property
    def panels(self) -> list[Panel]:
        """The views in front."""
        return [panel for panel in self.window.panels.values() if panel.isVisible()]

    @property
    def surfaces(self) -> list[QWidget]:
        """What the views in front draw on."""
        return [panel.plot.viewport() for panel in self.panels]

    @property
    def rects(self) -> list[QRect]:
        """Place of each plot in front, for baselines that draw the same pictures in the same sizes."""
        return [panel.plot.rect() for panel in self.panels]

    def bring_to_front(self, *names: str) -> None:
        """Show views that share their places with others."""
        for name in names:
            self.window.centre.bring_to_front(name)
        self.settle()

    def show_state(self, state: LabState) -> None:
        """Go to another state, and let everything be computed and painted."""
        self.lab.replace(state)
        self.settle()

    def settle(self) -> None:
        """Let everything be computed and painted."""
        for _ in range(5):
            self.app.processEvents()
        self.lab.flush()
        for _ in range(5):
            self.app.processEvents()

    def repaint(self) -> None:
        """Paint the views in front again with nothing changed."""
        for surface in self.surfaces:
            surface.repaint()

    def repaint_anew(self) -> None:
        """Paint the views in front again, and everything that they keep as a picture or a path, too."""
        for panel in self.panels:
            for item in panel.plot.scene().items():
                if isinstance(item, StillItem):
                    item.changed()
                elif isinstance(item, pg.ImageItem):
                    item._renderRequired = True
                elif isinstance(item, pg.PlotCurveItem):
                    item.path = None
        self.repaint()

    def slider(self, name: str) -> QSlider:
        """The slider of a control."""
        found = self.window.findChildren(QSlider, f"{name}_slider")
        return next(slider for slider in found if slider.isVisibleTo(self.window))

    def drag(self, slider: QSlider, value: int) -> bool:
        """Move a slider as a drag does and let all that follows be painted; False if the state stayed."""
        before = self.lab.state
        generation = self.lab.snapshot.generation
        slider.setValue(value)
        if self.lab.state == before:
            return False
        deadline = perf_counter() + PATIENCE
        while self.lab.snapshot.generation == generation:
            self.app.processEvents()
            assert perf_counter() < deadline, f"{slider.objectName()} at {value}: no snapshot"
        self.paint()
        return True

    def paint(self) -> None:
        """Paint what waits to be painted."""
        self.app.sendPostedEvents(None, QEvent.Type.UpdateRequest)
        self.app.processEvents()

    def drag_frames(self, name: str, frames: int = FRAMES) -> list[float]:
        """Seconds from moving a slider until all that follows is painted, one per frame."""
        slider = self.slider(name)
        home = slider.value()
        values = path(slider, frames)
        gestures.take_handle(slider)
        for value in values[:WARM_UP]:
            self.drag(slider, int(value))
        seconds: list[float] = []
        # There and back, again where many places of the slider mean the same number.
        for value in itertools.islice(itertools.cycle([*values, *values[::-1]]), MOST_TURNS * frames):
            start = perf_counter()
            if self.drag(slider, int(value)):
                seconds.append(perf_counter() - start)
            if len(seconds) == frames:
                break
        slider.setValue(home)
        gestures.let_handle_go(slider)
        self.settle()
        return seconds

    def wait_until(self, holds: Callable[[Snapshot], bool]) -> None:
        """Let the event loop run, asleep between events, until something holds of the snapshot on screen."""
        ticking = QTimer()  # wakes the loop where nothing else does
        ticking.start(1000)
        deadline = perf_counter() + PATIENCE
        while not holds(self.lab.snapshot):
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            assert perf_counter() < deadline, f"{self.lab.state} is still not complete"
        self.paint()

    def close(self) -> None:
        """End the worker and the window."""
        self.lab.close()
        self.window.close()
        self.window.deleteLater()
        self.app.processEvents()


def path(slider: QSlider, frames: int) -> np.ndarray:
    """Places of a drag around where a slider stands, so that the state stays near what it was."""
    low, high, here = slider.minimum(), slider.maximum(), slider.value()
    reach = max(frames // 2, (high - low) // 20)
    start, stop = max(low, here - reach), min(high, here + reach)
    return np.unique(np.linspace(start, stop, frames).round().astype(int))
