"""Drag frames of every slider against repainting the same views, stock pyqtgraph, and matplotlib."""

from __future__ import annotations

import ctypes
import gc
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil

from pe_desktop.core.state import LabState
from tests.benchmarks.baselines import MatplotlibFigure, StockViews
from tests.benchmarks.bench_window import BenchWindow, view_rects
from tests.benchmarks.figures import Check, Figure, figure, timed

FRAMES = 80
SLIDERS = ("dimension", "length", "position", "key_position", "param_base")
EXTENSIONS = {
    "linear": (128, ("factor", "original_length")),
    "ntk": (128, ("factor", "alpha")),
    "dynamic": (8192, ("factor", "trained_length", "longest_length")),
    "yarn": (
        128,
        ("factor", "original_length", "beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim"),
    ),
    "longrope": (128, ("factor", "original_length", "attention_factor")),
    "llama3": (128, ("factor", "original_length", "low_freq_factor", "high_freq_factor")),
    "proportional": (128, ("factor", "rotary_fraction")),
}
DEFAULT = LabState()
LONGEST = LabState().change({"length": 1 << 20, "dimension": 1024, "position": 500_000, "key_position": 500_008})


def slider_values(bench: BenchWindow, name: str) -> np.ndarray:
    """A path for a slider around where it stands: there and back, so that it stays near the state."""
    slider = bench.slider(name)
    low, high, here = slider.minimum(), slider.maximum(), slider.value()
    reach = max(FRAMES // 2, (high - low) // 20)
    start, stop = max(low, here - reach), min(high, here + reach)
    return np.unique(np.linspace(start, stop, FRAMES).round().astype(int))


def drag_frames(bench: BenchWindow, name: str) -> list[float]:
    """Seconds from moving the slider until all that follows is painted, one per frame."""
    slider = bench.slider(name)
    home = slider.value()
    values = slider_values(bench, name)
    slider.setSliderDown(True)
    for value in values[:5]:
        bench.drag(name, int(value))
    seconds = []
    for value in values:
        start = perf_counter()
        if bench.drag(name, int(value)):
            seconds.append(perf_counter() - start)
    slider.setValue(home)
    slider.setSliderDown(False)
    bench.settle()
    return seconds


def memory() -> float:
    """Resident memory in MB, after the allocator has given back what is free (glibc keeps pages it may need again)."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return psutil.Process().memory_info().rss / 1e6


def measure(folder: Path) -> tuple[list[Figure], list[Check]]:
    """All figures of the frames."""
    bench = BenchWindow(DEFAULT, folder / "settings.ini")
    for _ in range(20):
        bench.repaint()
    figures, checks = [], []
    frames = {}
    bare: list[float] = []
    unchanged: list[float] = []
    stock = StockViews(bench.lab.snapshot, view_rects(bench.window))
    for name in SLIDERS:  # the baselines take turns with the drags, so that noise hits all
        bare += [timed(bench.repaint) for _ in range(FRAMES // 2)]
        unchanged += [timed(stock.repaint) for _ in range(FRAMES // 2)]
        frames[name] = figure(f"drag {name}, 128 × 64", drag_frames(bench, name))
    figures.append(figure("repaint, nothing changed, 128 × 64", bare))
    stock_figure = figure("repaint of stock pyqtgraph views, 128 × 64", unchanged)
    matplotlib_figure = figure(
        "matplotlib redraws the four pictures",
        [timed(MatplotlibFigure(bench.lab.snapshot, view_rects(bench.window)).redraw) for _ in range(12)],
    )
    figures += [stock_figure, matplotlib_figure, *frames.values()]
    for name, row in frames.items():
        checks.append(Check(f"drag {name}: p95 / repaint of our views", row.p95 / figures[0].p95, 1.5))
        checks.append(Check(f"drag {name}: p95 / repaint of stock views", row.p95 / stock_figure.p95, 1.5))
        checks.append(Check(f"drag {name}: p95 / matplotlib", row.p95 / matplotlib_figure.median, 0.25))
    more_figures, more_checks = _extensions(bench, stock)
    figures, checks = [*figures, *more_figures], [*checks, *more_checks]
    stock.close()
    before = memory()
    long_figures, long_checks = _longest(bench, frames)
    after = memory()
    checks += [*long_checks, Check("memory above the default state, 1,048,576 × 1,024, MB", after - before, 60.0)]
    bench.close()
    return figures + long_figures, checks


def _extensions(bench: BenchWindow, stock: StockViews) -> tuple[list[Figure], list[Check]]:
    """Every parameter of every way to stretch RoPE, with the first tabs in front and with Spectrum and Scores."""
    figures, checks = [], []
    for front in (("rotation", "attention"), ("spectrum", "scores")):
        bench.bring_to_front(*front)
        for extension, (length, names) in EXTENSIONS.items():
            params = {"extension": extension, "factor": 4.0}
            bench.lab.replace(DEFAULT.change({"scheme": "rope", "length": length, "params": params}))
            bench.settle()
            for name in names:
                # The baseline takes turns with the drags, so that noise hits both.
                bare = [timed(stock.repaint) for _ in range(FRAMES // 2)]
                seconds = drag_frames(bench, f"param_{name}")
                bare += [timed(stock.repaint) for _ in range(FRAMES // 2)]
                row = figure(f"drag {name}, {extension}, {' and '.join(front)} in front", seconds)
                figures.append(row)
                share = row.p95 / figure("stock", bare).p95
                checks.append(Check(f"{row.name}: p95 / repaint of stock views", share, 1.5))
    bench.bring_to_front("rotation", "attention")
    bench.lab.replace(DEFAULT)
    bench.settle()
    return figures, checks


def _longest(bench: BenchWindow, default: dict[str, Figure]) -> tuple[list[Figure], list[Check]]:
    bench.lab.replace(LONGEST)
    bench.settle()
    figures, checks = [], []
    for name in SLIDERS:
        row = figure(f"drag {name}, 1,048,576 × 1,024", drag_frames(bench, name))
        figures.append(row)
        checks.append(Check(f"drag {name}, long / default: median", row.median / default[name].median, 2.0))
    return figures, checks
