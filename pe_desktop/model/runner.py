"""A latest-wins worker: one job runs, one waits, and every finished result newer than the last is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from pe_desktop.core.work import Cancelled, watched

Job = Callable[[], Any]


class _Worker(QThread):
    """Runs jobs handed to it one after the other until told to end."""

    done = Signal(int, object)
    broke = Signal(int, object)
    progress = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ready = threading.Condition()
        self._job: tuple[int, Job, threading.Event] | None = None
        self._ended = False

    def hand(self, number: int, job: Job, stop: threading.Event) -> None:
        with self._ready:
            self._job = (number, job, stop)
            self._ready.notify()

    def end(self) -> None:
        with self._ready:
            self._ended = True
            self._ready.notify()

    def run(self) -> None:
        while True:
            with self._ready:
                while self._job is None and not self._ended:
                    self._ready.wait()
                if self._ended or self._job is None:
                    return
                number, job, stop = self._job
                self._job = None
            self._work(number, job, stop)

    def _work(self, number: int, job: Job, stop: threading.Event) -> None:
        try:
            with watched(stop, self.progress.emit):
                result = job()
        except Cancelled:
            self.done.emit(number, None)
        except Exception as error:  # handed on: the window reports it, the worker lives
            self.broke.emit(number, error)
        else:
            self.done.emit(number, result)


class Runner(QObject):
    """Runs jobs off the window's thread, the newest first.

    Signals
    -------
    finished(number, result), failed(number, error)
        In the thread of the runner; results of cancelled jobs are not reported.
    busy_changed(bool), progress(float)
    """

    finished = Signal(int, object)
    failed = Signal(int, object)
    busy_changed = Signal(bool)
    progress = Signal(float)

    def __init__(self, parent: QObject | None = None, *, blocking: bool = False) -> None:
        super().__init__(parent)
        self.blocking = blocking
        self._worker: _Worker | None = None
        self._running: tuple[int, threading.Event] | None = None
        self._waiting: tuple[int, Job] | None = None
        self._newest_shown = -1
        self._busy_said = False

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._running is not None

    def submit(self, number: int, job: Job) -> None:
        """Run `job` soon; a job that still waits is dropped, one that runs may finish."""
        if self.blocking:
            self._deliver(number, job())
            return
        if self._running is not None:
            self._waiting = (number, job)
            return
        self._start(number, job)

    def cancel(self) -> None:
        """Call off what runs and what waits."""
        self._waiting = None
        if self._running is not None:
            self._running[1].set()

    def close(self) -> None:
        """Cancel, and wait until the thread has ended."""
        self.cancel()
        if self._worker is not None:
            self._worker.end()
            self._worker.wait()
            self._worker = None

    def _start(self, number: int, job: Job) -> None:
        if self._worker is None:
            self._worker = _Worker(self)
            self._worker.done.connect(self._on_worker_done)
            self._worker.broke.connect(self._on_worker_broke)
            self._worker.progress.connect(self.progress)
            self._worker.start()
        stop = threading.Event()
        self._running = (number, stop)
        self._worker.hand(number, job, stop)
        self._say_busy()

    def _say_busy(self) -> None:
        if self.busy != self._busy_said:
            self._busy_said = self.busy
            self.busy_changed.emit(self.busy)

    def _on_worker_done(self, number: int, result: Any) -> None:
        cancelled = self._running is not None and self._running[1].is_set()
        self._next()
        if result is not None and not cancelled:
            self._deliver(number, result)

    def _on_worker_broke(self, number: int, error: Exception) -> None:
        self._next()
        self.failed.emit(number, error)

    def _next(self) -> None:
        self._running = None
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._start(*waiting)
        self._say_busy()

    def _deliver(self, number: int, result: Any) -> None:
        if number >= self._newest_shown:
            self._newest_shown = number
            self.finished.emit(number, result)
