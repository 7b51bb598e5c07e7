"""A latest-wins worker: one job runs, one waits, and every finished result newer than the last is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from pe_desktop.core.work import Cancelled, watched

Step = Callable[[], Any]
SLOW_MS = 300  # a job that takes longer shows how far it is
POLL_MS = 50


class Progress(NamedTuple):
    """What a job is at, "" if it does not say, and the share of that done, 0 to 1, None while unknown."""

    words: str
    share: float | None


UNKNOWN = Progress("", None)


@dataclass(frozen=True)
class _Job:
    number: int
    steps: tuple[Step, ...]
    stop: threading.Event = field(default_factory=threading.Event)


class _Worker(QThread):
    """Runs jobs handed to it one after the other until told to end.

    How far a job is lies in ``progress`` for whoever wants to look: a signal for each checkpoint would flood the loop.
    """

    made = Signal(int, object)
    broke = Signal(int, object)
    done = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ready = threading.Condition()
        self._job: _Job | None = None
        self._ended = False
        self.progress = UNKNOWN

    def hand(self, job: _Job) -> None:
        with self._ready:
            self._job = job
            self.progress = UNKNOWN
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
                job, self._job = self._job, None
            self._work(job)
            del job  # and with it the snapshots that its steps hand on

    def _work(self, job: _Job) -> None:
        said: set[str] = set()
        try:
            with watched(job.stop, self._on_share, self._on_begun):
                for step in job.steps:
                    if job.stop.is_set():
                        break
                    self._take(job.number, step, said)
        except Cancelled:
            pass
        finally:
            self.done.emit()

    def _take(self, number: int, step: Step, said: set[str]) -> None:
        try:
            result = step()
        except Cancelled:
            raise
        except Exception as error:  # handed on: the window reports it, the worker lives, the other steps are taken
            if repr(error) not in said:  # one cause may break several steps
                said.add(repr(error))
                self.broke.emit(number, error)
        else:
            if result is not None:
                self.made.emit(number, result)

    def _on_begun(self, words: str) -> None:
        self.progress = Progress(words, None)

    def _on_share(self, done: float) -> None:
        self.progress = Progress(self.progress.words, min(max(done, 0.0), 1.0))


class Runner(QObject):
    """Runs jobs off the window's thread, the newest first.

    Signals
    -------
    finished(number, result), failed(number, error)
        Of each step of a job, in the thread of the runner; results of a job that was called off are not reported.
    busy_changed(bool)
    progress(Progress or None)
        Of a job that takes long, no more often than every POLL_MS; None when there is nothing to wait for any more.
    """

    finished = Signal(int, object)
    failed = Signal(int, object)
    busy_changed = Signal(bool)
    progress = Signal(object)

    def __init__(self, parent: QObject | None = None, *, blocking: bool = False) -> None:
        super().__init__(parent)
        self.blocking = blocking
        self._worker: _Worker | None = None
        self._running: _Job | None = None
        self._waiting: _Job | None = None
        self._newest_shown = -1
        self._busy_said = False
        self._told: Progress | None = None
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._on_watch_timeout)

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._running is not None

    def submit(self, number: int, *steps: Step) -> None:
        """Run the steps of a job soon; a job that still waits is dropped, one that runs may finish.

        A step that gives None has nothing to show. One that breaks does not keep those after it from being taken.
        """
        if self.blocking:
            for step in steps:
                self._deliver(number, step())
        elif self._running is not None:
            self._waiting = _Job(number, steps)
        else:
            self._start(_Job(number, steps))

    def cancel(self) -> None:
        """Call off what runs and what waits."""
        self._waiting = None
        if self._running is not None:
            self._running.stop.set()
        self._rest()

    def close(self) -> None:
        """Cancel, and wait until the thread has ended."""
        self.cancel()
        if self._worker is not None:
            self._worker.end()
            self._worker.wait()
            self._worker = None

    def _start(self, job: _Job) -> None:
        if self._worker is None:
            self._worker = _Worker(self)
            self._worker.done.connect(self._on_worker_done)
            self._worker.made.connect(self._on_worker_made)
            self._worker.broke.connect(self._on_worker_broke)
            self._worker.start()
        self._running = job
        self._worker.hand(job)
        self._watch.start(SLOW_MS)
        self._say_busy()

    def _say_busy(self) -> None:
        if self.busy != self._busy_said:
            self._busy_said = self.busy
            self.busy_changed.emit(self.busy)

    def _on_worker_made(self, number: int, result: Any) -> None:
        if self._running is not None and not self._running.stop.is_set():
            self._deliver(number, result)

    def _on_worker_broke(self, number: int, error: Exception) -> None:
        self.failed.emit(number, error)

    def _on_worker_done(self) -> None:
        self._running = None
        self._rest()
        waiting, self._waiting = self._waiting, None
        if waiting is not None and self._worker is not None:
            self._start(waiting)
        self._say_busy()

    def _on_watch_timeout(self) -> None:
        self._watch.setInterval(POLL_MS)
        if self._worker is not None:
            self._tell(self._worker.progress)

    def _rest(self) -> None:
        self._watch.stop()
        self._tell(None)

    def _tell(self, progress: Progress | None) -> None:
        if progress != self._told:
            self._told = progress
            self.progress.emit(progress)

    def _deliver(self, number: int, result: Any) -> None:
        if result is not None and number >= self._newest_shown:
            self._newest_shown = number
            self.finished.emit(number, result)
