"""Drag frames of every slider at every size, beside the bare repaints, matplotlib and a naive table."""

from __future__ import annotations

import functools
from dataclasses import asdict

from tests.benchmarks.baselines import MatplotlibFigure, NaiveTable, StockViews
from tests.benchmarks.bench_window import FRAMES, BenchWindow
from tests.benchmarks.figures import Check, Figure, Options, Section, figure, single, timed
from tests.benchmarks.memory import SIZES, SLIDERS, measured, state_of
from tests.benchmarks.releases import release_times

REDRAWS = 12  # of matplotlib, of the naive table
# "The bare repaint" can be read in three ways.
REPAINTS = {
    "a": "(a) repaint of stock pyqtgraph views of the same pictures",
    "b": "(b) repaint of our views, nothing changed, still parts cached",
    "c": "(c) repaint of our views, every cached part painted anew",
}
BASELINES = {**REPAINTS, "matplotlib": "matplotlib redraws the four pictures"}
SHARE_OF_REPAINT, SHARE_OF_MATPLOTLIB, SHARE_OF_DEFAULT, RELEASE_FRAMES, MEMORY_MB = 1.3, 0.2, 1.5, 5.0, 60.0


class Size:
    """What is measured at one size, a slider at a time."""

    def __init__(self, bench: BenchWindow, length: int, dimension: int) -> None:
        self.title = f"{length:,} × {dimension:,}"
        self.frames: dict[str, Figure] = {}
        self.pictures: dict[str, Figure] = {}
        self.whole: dict[str, Figure] = {}
        self._bench, self._state = bench, state_of(length, dimension)
        bench.show_state(self._state)
        snapshot, rects = bench.lab.snapshot, bench.rects
        self._stock = StockViews(snapshot, rects)
        self._matplotlib = MatplotlibFigure(snapshot, rects)
        self._naive = NaiveTable(length, dimension, rects[0])
        self._naive_seconds: list[float] = []
        # By slider and kind of baseline.
        self._seconds: dict[str, dict[str, list[float]]] = {}
        is_default = (length, dimension) == SIZES[0]
        self._repaints = FRAMES // 2 if is_default else FRAMES // 8  # before each drag and after it

    def take_turn(self, name: str) -> None:
        """Drag a slider; the baselines take turns with it, so that noise hits all."""
        bench = self._bench
        bench.show_state(self._state)
        seconds: dict[str, list[float]] = {kind: [] for kind in (*REPAINTS, "matplotlib")}
        self._seconds[name] = seconds
        self._time_repaints(seconds)
        self.frames[name] = figure(f"frame, dragging {_plain(name)}", bench.drag_frames(name))
        self._time_repaints(seconds)
        turns = -(-REDRAWS // len(SLIDERS))
        seconds["matplotlib"] = [timed(self._matplotlib.redraw) for _ in range(turns)]
        pictures, whole = release_times(bench, name)
        self.pictures[name] = figure(f"{_plain(name)} let go, until the pictures are full", pictures)
        self.whole[name] = figure(f"{_plain(name)} let go, until everything is complete", whole)
        if self._naive.fits:
            bases = [10_000.0 + turn for turn in range(turns)]
            self._naive_seconds += [timed(functools.partial(self._naive.frame, base)) for base in bases]

    def _time_repaints(self, seconds: dict[str, list[float]]) -> None:
        bench = self._bench
        for kind, work in zip(REPAINTS, (self._stock.repaint, bench.repaint, bench.repaint_anew), strict=True):
            work()
            seconds[kind] += [timed(work) for _ in range(self._repaints)]

    def baseline(self, kind: str, slider: str | None = None) -> Figure:
        """One of the bare repaints, or matplotlib: in the turn of a slider, or in all turns."""
        turns = [self._seconds[slider]] if slider else list(self._seconds.values())
        return figure(BASELINES[kind], [value for turn in turns for value in turn[kind]])

    def section(self, checks: list[Check]) -> Section:
        """All figures, in the order of the table."""
        figures = [*self.frames.values(), *map(self.baseline, BASELINES)]
        lines = []
        naive = "the whole table with numpy, then setImage: the matrix alone"
        if self._naive.fits:
            figures.append(figure(naive, self._naive_seconds))
        else:
            lines = [f"{naive}: does not fit: {self._naive.gigabytes:,.1f} GB"]
        figures += [*self.pictures.values(), *self.whole.values()]
        turns = {name: {kind: asdict(self.baseline(kind, name)) for kind in BASELINES} for name in self._seconds}
        return Section(self.title, figures, checks, lines, {"baselines_by_turn": turns})


def measure(options: Options) -> list[Section]:
    """A section for each size, and one of the memory."""
    bench = BenchWindow(state_of(*SIZES[0]), options.folder / "settings.ini")
    sizes = [Size(bench, *size) for size in SIZES]
    for name in SLIDERS:
        for size in sizes:
            size.take_turn(name)
    bench.close()
    default, *between, longest = sizes
    sections = [default.section(_default_checks(default)), *(size.section([]) for size in between)]
    return [*sections, longest.section(_longest_checks(longest, default)), _memory(options)]


def _default_checks(size: Size) -> list[Check]:
    """A slider's frames against the baselines of its own turn."""
    checks = []
    for kind in REPAINTS:
        for name, row in size.frames.items():
            share = row.p95 / size.baseline(kind, name).p95
            checks.append(Check(f"{row.name}: p95 / p95 of ({kind}) in the same turn", share, SHARE_OF_REPAINT))
    for name, row in size.frames.items():
        share = row.p95 / size.baseline("matplotlib", name).median
        checks.append(Check(f"{row.name}: p95 / median of matplotlib", share, SHARE_OF_MATPLOTLIB))
    return checks


def _longest_checks(size: Size, default: Size) -> list[Check]:
    checks = []
    for name, row in size.frames.items():
        share = row.median / default.frames[name].median
        checks.append(Check(f"{row.name}: median / median at {default.title}", share, SHARE_OF_DEFAULT))
    for name, row in size.pictures.items():
        share = row.median / default.frames[name].median
        checks.append(Check(f"{row.name}: median in frames at {default.title}", share, RELEASE_FRAMES))
    return checks


def _memory(options: Options) -> Section:
    found = measured(options.folder)
    figures, checks = [], []
    for name, row in found.items():
        figures += [single(f"{name}: {kind}", row[kind], "MB") for kind in ("settled", "peak while dragging")]
    for name in list(found)[-2:]:
        checks += [Check(f"{name}: {kind}, MB", value, MEMORY_MB) for kind, value in found[name].items()]
    return Section("Resident memory above that of the default state", figures, checks)


def _plain(name: str) -> str:
    return name.removeprefix("param_").replace("_", " ")
