"""A lab without computing, and a dock on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from pe_desktop.controls.dock import ControlDock
from pe_desktop.core.errors import FieldError
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState


class FakeLab(QObject):
    """The part of the lab's contract that controls use; it counts requests."""

    state_changed = Signal(object, object)
    snapshot_ready = Signal(object)
    failed = Signal(object)
    stopped_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.state = LabState()
        self.snapshot = None
        self.requests: list[dict] = []
        self.drags: list[str] = []
        self.resumed = 0

    def request(self, **changes) -> bool:
        self.requests.append(changes)
        return self.put(**changes)

    def put(self, **changes) -> bool:
        """Change the state as something other than the controls would."""
        old = self.state
        try:
            self.state = old.change(changes)
        except FieldError as error:
            self.failed.emit(error)
            return False
        if self.state is not old:
            self.state_changed.emit(old, self.state)
        return True

    def show(self) -> None:
        """Hand out the snapshot of the state."""
        self.snapshot = compute(self.state)
        self.snapshot_ready.emit(self.snapshot)

    def begin_drag(self) -> None:
        self.drags.append("begin")

    def end_drag(self) -> None:
        self.drags.append("end")

    def resume(self) -> None:
        self.resumed += 1


# The offscreen platform says so of every window with a least size, of every tooltip, and of every list of a combo box.
OFFSCREEN_REMARKS = (
    "This plugin does not support propagateSizeHints",
    r"This plugin does not support raise\(\)",
    "This plugin does not support grabbing the keyboard",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore(*OFFSCREEN_REMARKS))


@pytest.fixture(autouse=True)
def fusion(qapp):
    """The style of the application."""
    qapp.setStyle("Fusion")


@pytest.fixture
def lab(qapp):
    return FakeLab()


def _shown(qtbot, lab):
    dock = ControlDock(lab)
    qtbot.addWidget(dock)
    dock.resize(320, 840)
    with qtbot.waitActive(dock):
        dock.show()
        dock.activateWindow()
    return dock


@pytest.fixture
def dock(qtbot, lab):
    return _shown(qtbot, lab)


@pytest.fixture
def show_dock(qtbot):
    """Show a dock on any lab."""

    def show(some_lab):
        return _shown(qtbot, some_lab)

    return show


@pytest.fixture
def settle():
    """Let layouts and posted events happen."""

    def run() -> None:
        for _ in range(3):
            QApplication.processEvents()

    return run
