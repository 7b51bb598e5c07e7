"""A timer that should fire every 5 ms: how long it stays away is how long the event loop was blocked."""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Slot

PERIOD_MS = 5


@dataclass(frozen=True)
class Gap:
    """Time between two beats, and what it went by with.

    ``seconds`` is the wall-clock time less what the benchmark's own planning took, ``own`` the processor time of the
    window's thread in it, ``worker`` that of all other threads, ``collecting`` the time Python's garbage collection
    took. ``act`` is the number of the last action begun, ``after`` the seconds since it began.
    """

    seconds: float
    own: float
    worker: float
    collecting: float
    act: int
    after: float


class Heartbeat(QObject):
    """Notes every gap between two beats while the event loop runs.

    ``act`` and ``began`` are set by whoever acts; ``planned`` is the time spent on planning so far.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[Gap] = []
        self.act, self.began, self.planned = -1, 0.0, 0.0
        self._collecting = self._collection_began = 0.0
        self._before: tuple[float, ...] | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(PERIOD_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def start(self) -> None:
        """Begin to beat."""
        gc.callbacks.append(self._on_collection)
        self._before = None
        self._timer.start()

    def stop(self) -> None:
        """Beat no more."""
        self._timer.stop()
        gc.callbacks.remove(self._on_collection)

    def _on_collection(self, phase: str, info: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._collection_began = now
        else:
            self._collecting += now - self._collection_began

    @Slot()
    def _on_timer_timeout(self) -> None:
        now = (time.perf_counter(), time.thread_time(), time.process_time(), self._collecting, self.planned)
        if self._before is not None:
            passed, own, every, collecting, planned = (b - a for a, b in zip(self._before, now, strict=True))
            after = now[0] - self.began
            self.gaps.append(Gap(passed - planned, own - planned, every - own, collecting, self.act, after))
        self._before = now
