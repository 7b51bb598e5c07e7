"""Two minutes of a person at work over all schemes; how long the event loop was ever blocked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Slot

from pe_desktop.core.state import LabState
from tests.benchmarks.bench_window import BenchWindow
from tests.benchmarks.figures import Check, Options, Section
from tests.benchmarks.heartbeat import PERIOD_MS, Gap, Heartbeat
from tests.benchmarks.session_script import Act, Script

SEED = 4
LIMIT_MS = 50.0
IDLE_SECONDS = 3.0
WORST = 20
# Kinds of action that make up the dragging of a slider, and looking at a view.
DRAGGING = ("press", "drag", "release", "rest after drag")
LOOKING = ("hover", "zoom", "pan", "rest after zoom")


class Session(QObject):
    """Drives a window from a timer inside the event loop, one small action at a time.

    Between two actions the loop is free, so that an action which blocks it delays the heartbeat.
    """

    def __init__(self, bench: BenchWindow, seconds: float, seed: int = SEED) -> None:
        super().__init__()
        self._bench = bench
        self._script = Script(bench, seconds, seed)
        self._acts: Iterator[Act] = iter(self._script)
        self.done: list[tuple[str, Act]] = []  # name of the scene, action
        self.broken: list[BaseException] = []
        self.seconds = 0.0
        self.heart = Heartbeat()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_timer_timeout)
        bench.lab.broke.connect(self.broken.append)

    def run(self) -> None:
        """Play the whole script in the event loop."""
        hook, sys.excepthook = sys.excepthook, self._on_exception
        self.heart.start()
        start = time.perf_counter()
        self._timer.start(100)
        self._bench.app.exec()
        self.seconds = time.perf_counter() - start
        self.heart.stop()
        sys.excepthook = hook

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: object) -> None:
        self.broken.append(error)
        sys.__excepthook__(kind, error, error.__traceback__)

    @Slot()
    def _on_timer_timeout(self) -> None:
        start = time.perf_counter()
        act = next(self._acts, None)
        began = time.perf_counter()
        self.heart.planned += began - start
        if act is None:
            self._bench.app.exit()  # quit would close the window
            return
        self.heart.act, self.heart.began = len(self.done), began
        self.done.append((self._script.scene, act))
        self._timer.start(round(act.pause * 1e3))
        if act.work is not None:
            self.do(act)

    def do(self, act: Act) -> None:
        """Perform an action; a profiler may do it otherwise."""
        act.work()


def measure(options: Options) -> list[Section]:
    """The gaps by kind of action, and the worst ones with what was being done."""
    bench = BenchWindow(LabState(), options.folder / "settings.ini")
    idle = _idle(bench)
    session = Session(bench, options.seconds)
    session.run()
    gaps = worst(session)
    late = sum(gap.seconds * 1e3 > LIMIT_MS for gap in gaps)
    lines = [
        f"{session.seconds:.0f} s, {len(session.done):,} actions, {len(gaps):,} gaps between beats every "
        f"{PERIOD_MS} ms; {late:,} of them ({late / len(gaps):.2%}) longer than {LIMIT_MS:.0f} ms",
        f"the worst gap of the same window while nothing was done for {IDLE_SECONDS:.0f} s: {idle:.1f} ms",
        "",
        *_kind_lines(session),
        "",
        f"The {WORST} worst; own and worker = processor time of the window's thread and of the others in it, gc = "
        "garbage",
        "collection in it, since = time since the action began; all in ms",
        HEAD,
        *(line(session, gap) for gap in gaps[:WORST]),
    ]
    data = {"idle_ms": idle, "seconds": session.seconds, "kinds": _kinds(session), "worst": _rows(session, gaps[:200])}
    title = "A session over every scheme: how long the event loop was ever blocked"
    return [Section(title, [], _checks(session), lines, data)]


def _checks(session: Session) -> list[Check]:
    checks = []
    for words, kinds in (("a slider is dragged", DRAGGING), ("a view is zoomed, panned, pointed at", LOOKING)):
        found = worst(session, kinds)
        checks.append(Check(f"worst gap while {words}, ms", found[0].seconds * 1e3 if found else 0.0, LIMIT_MS))
    return [*checks, Check("exceptions", len(session.broken), 0)]


def _idle(bench: BenchWindow) -> float:
    """The worst gap (ms) while nothing is done: what the machine itself adds."""
    heart = Heartbeat()
    heart.start()
    QTimer.singleShot(round(IDLE_SECONDS * 1e3), bench.app.exit)
    bench.app.exec()
    heart.stop()
    return max(gap.seconds for gap in heart.gaps) * 1e3


def _kinds(session: Session) -> dict[str, dict[str, Any]]:
    """Per kind of action: how many, and the gaps (ms) in it."""
    kinds: dict[str, dict[str, Any]] = {}
    for _, act in session.done:
        row = kinds.setdefault(act.kind, {"actions": 0})
        row["actions"] += 1
    for kind, row in kinds.items():
        gaps = worst(session, (kind,))
        seconds = 1e3 * np.array([gap.seconds for gap in gaps] or [0.0])
        row |= {"gaps": len(gaps), "late": int((seconds > LIMIT_MS).sum()), "worst": float(seconds[0])}
        row |= {"p99": float(np.percentile(seconds, 99)), "own": 1e3 * max((gap.own for gap in gaps), default=0.0)}
        row["doing"] = _doing(session, gaps[0]) if gaps else ""
    return kinds


def _kind_lines(session: Session) -> list[str]:
    head = f"{'kind of action':<16}{'actions':>8}{'gaps':>8}{'> 50 ms':>8}{'share':>8}{'p99 ms':>8}{'own ms':>8}"
    lines = [f"{head}{'worst ms':>9}  when"]
    for kind, row in _kinds(session).items():
        share = row["late"] / max(row["gaps"], 1)
        lines.append(
            f"{kind:<16}{row['actions']:>8,}{row['gaps']:>8,}{row['late']:>8,}{share:>8.2%}{row['p99']:>8.1f}"
            f"{row['own']:>8.1f}{row['worst']:>9.1f}  {row['doing'][:42]}"
        )
    return lines


def _rows(session: Session, gaps: list[Gap]) -> list[dict[str, Any]]:
    rows = []
    for gap in gaps:
        scene, act = session.done[gap.act]
        rows.append({**asdict(gap), "scene": scene, "kind": act.kind, "action": act.text})
    return rows


def worst(session: Session, kinds: tuple[str, ...] | None = None) -> list[Gap]:
    """Gaps by length, the longest first, of some kinds of action or of all."""
    begun = [gap for gap in session.heart.gaps if gap.act >= 0]
    gaps = [gap for gap in begun if kinds is None or session.done[gap.act][1].kind in kinds]
    return sorted(gaps, key=lambda gap: -gap.seconds)


def line(session: Session, gap: Gap) -> str:
    """One row of the table of gaps."""
    times = (gap.seconds, gap.own, gap.worker, gap.collecting, gap.after)
    return f"{''.join(f'{1e3 * seconds:8.1f}' for seconds in times)}  {_doing(session, gap)[:76]}"


def _doing(session: Session, gap: Gap) -> str:
    scene, act = session.done[gap.act]
    return f"{act.text}, {scene}"


HEAD = f"{'gap ms':>8}{'own':>8}{'worker':>8}{'gc':>8}{'since':>8}  what was being done"
