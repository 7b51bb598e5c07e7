"""Process start to first painted window, against an empty pyqtgraph plot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.figures import Check, Options, Section, figure, timed

RUNS = 9
EMPTY_PLOT = """
import os
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
import pyqtgraph as pg
app = QApplication([])
class Seen(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            os.write(1, b"painted")
            os._exit(0)
        return False
seen = Seen()
plot = pg.PlotWidget()
plot.viewport().installEventFilter(seen)
plot.resize(1440, 900)
plot.show()
app.exec()
"""
OUR_WINDOW = """
import os
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pe_desktop.cli import main
def leave():
    os.write(1, b"painted")
    os._exit(0)
def until_painted(app=None):
    # All views have been painted with their pictures when a snapshot is there and the event queue is empty.
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "main_window")
    while window.lab.snapshot is None:
        QApplication.processEvents()
    QApplication.processEvents()
    leave()
QApplication.exec = until_painted
main([])
"""


def _start(script: str, folder: Path) -> float:
    variables = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PE_DESKTOP_SETTINGS": str(folder / "start.ini"),
    }

    def run() -> None:
        done = subprocess.run(
            [sys.executable, "-c", script], env=variables, capture_output=True, check=True, timeout=60
        )
        assert done.stdout == b"painted", done.stderr

    return timed(run)


def measure(options: Options) -> list[Section]:
    """Start-up figures; the two programs take turns, so that noise hits both."""
    ours, empty = [], []
    for run in range(RUNS + 1):
        first, second = _start(EMPTY_PLOT, options.folder), _start(OUR_WINDOW, options.folder)
        if run:  # the first turn fills the caches of the disk
            empty.append(first)
            ours.append(second)
    rows = [figure("start: empty pyqtgraph plot", empty), figure("start: this window", ours)]
    check = Check("start / empty pyqtgraph plot: median", rows[1].median / rows[0].median, 1.6)
    return [Section("Start-up, from a new process to the first painted window", rows, [check])]
