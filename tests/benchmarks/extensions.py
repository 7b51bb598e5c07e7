"""Drag frames of every parameter of every way to stretch RoPE, against stock pyqtgraph."""

from __future__ import annotations

from pe_desktop.core.state import LabState
from tests.benchmarks.baselines import StockViews
from tests.benchmarks.bench_window import FRAMES, BenchWindow
from tests.benchmarks.figures import Check, Options, Section, figure, timed

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
FRONTS = (("rotation", "attention"), ("spectrum", "scores"))
LIMIT = 1.5


def measure(options: Options) -> list[Section]:
    """A section with the first tabs in front, and one with Spectrum and Scores."""
    bench = BenchWindow(LabState(), options.folder / "settings.ini")
    stock = StockViews(bench.lab.snapshot, bench.rects)
    sections = [_with_front(bench, stock, front) for front in FRONTS]
    stock.close()
    bench.close()
    return sections


def _with_front(bench: BenchWindow, stock: StockViews, front: tuple[str, ...]) -> Section:
    section = Section(f"RoPE extensions, {' and '.join(front)} in front")
    bench.bring_to_front(*front)
    for extension, (length, names) in EXTENSIONS.items():
        params = {"extension": extension, "factor": 4.0}
        bench.show_state(LabState().change({"scheme": "rope", "length": length, "params": params}))
        for name in names:
            # The baseline takes turns with the drags, so that noise hits both.
            bare = [timed(stock.repaint) for _ in range(FRAMES // 2)]
            seconds = bench.drag_frames(f"param_{name}")
            bare += [timed(stock.repaint) for _ in range(FRAMES // 2)]
            row = figure(f"frame, dragging {name}, {extension}", seconds)
            section.figures.append(row)
            share = row.p95 / figure("stock", bare).p95
            section.checks.append(Check(f"{row.name}: p95 / p95 of stock repaint", share, LIMIT))
    return section
