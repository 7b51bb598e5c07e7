"""A runner that runs nothing by itself, and a lab on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Signal

from pe_desktop.model import lab as lab_module
from pe_desktop.model.lab import Lab
from tests.slow_parts import SlowParts


class FakeRunner(QObject):
    """The contract of the runner; a step is taken when :meth:`take` is called, in the thread of the caller.

    ``number`` is that of the job that runs; it stays when that is called off until the job comes to its next step, as
    with the real one.
    """

    finished = Signal(int, object)
    failed = Signal(int, object)
    busy_changed = Signal(bool)
    progress = Signal(object)

    def __init__(self, parent=None, *, blocking=False):
        super().__init__(parent)
        self.blocking = blocking
        self.submitted = []
        self._running = self._waiting = None
        self._stopped = False

    @property
    def busy(self):
        return self._running is not None

    @property
    def number(self):
        return None if self._running is None or self._stopped else self._running[0]

    def submit(self, number, *steps):
        self.submitted.append(number)
        if self._running is None:
            self._running, self._stopped = (number, list(steps)), False
            self.busy_changed.emit(True)
        else:
            self._waiting = (number, list(steps))

    def cancel(self):
        self._waiting = None
        self._stopped = True

    def close(self):
        self.cancel()

    def take(self):
        """Take the next step of the job that runs, or end it where there is none."""
        number, steps = self._running
        if not steps or self._stopped:
            self._end()
            return
        try:
            result = steps.pop(0)()
        except Exception as error:
            self.failed.emit(number, error)
        else:
            if result is not None and not self._stopped:
                self.finished.emit(number, result)

    def finish(self):
        """Take all there is to take."""
        while self.busy:
            self.take()

    def _end(self):
        self._running, self._waiting, self._stopped = self._waiting, None, False
        if self._running is None:
            self.busy_changed.emit(False)


@pytest.fixture
def slow(monkeypatch):
    """Nothing fits a frame."""
    return SlowParts(monkeypatch)


@pytest.fixture
def slow_lab(qapp, slow, monkeypatch):
    """A lab with a fake runner, and nothing fits a frame; what breaks is listed in ``lab.broken``."""
    monkeypatch.setattr(lab_module, "Runner", FakeRunner)
    lab = Lab()
    lab.runner, lab.broken = lab._runner, []
    lab.broke.connect(lab.broken.append)
    yield lab
    lab.close()
    lab.deleteLater()
