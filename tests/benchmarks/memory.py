"""Resident memory of the window at each size, above that of its default state; run in a process of its own."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import psutil

from pe_desktop.core.state import LabState

STEPS = 12
SLIDERS = ("dimension", "length", "position", "key_position", "param_base")
SIZES = ((128, 64), (4096, 1024), (65_536, 4096), (1 << 20, 8192))
TABS = (("spectrum", "scores"), ("grid", "attention"), ("precision", "attention"), ("rotation", "attention"))


def state_of(length: int, dimension: int) -> LabState:
    """The default encoding at a size; at the default size, the default state."""
    if (length, dimension) == SIZES[0]:
        return LabState()
    places = {"position": length // 2, "key_position": length // 2 + 8}
    return LabState().change({"length": length, "dimension": dimension, **places})


def memory() -> float:
    """Resident memory in MB, after the allocator has given back what is free (glibc keeps pages it may need again)."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return float(psutil.Process().memory_info().rss / 1e6)


class Peak:
    """The highest resident memory since it was made, in MB; the system keeps count, so that no moment is missed."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")  # proc(5): start the count of the peak anew

    @property
    def highest(self) -> float:
        """So far; where the system keeps no count, what is used now."""
        status = Path("/proc/self/status")
        lines = status.read_text().splitlines() if status.exists() else []
        found = [int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM")]
        return found[0] if found else float(psutil.Process().memory_info().rss / 1e6)


def measured(folder: Path) -> dict[str, dict[str, float]]:
    """Per size: memory above the default state when all is settled, and the peak above it while dragging."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", str(folder / "memory.ini")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _measure(settings: Path) -> Iterable[tuple[str, dict[str, float]]]:
    from tests.benchmarks.bench_window import BenchWindow

    bench = BenchWindow(LabState(), settings)
    for _ in range(2):  # what is made only once, is made
        for front in TABS:
            bench.bring_to_front(*front)
            _drag_all(bench)
    default = memory()
    for size in SIZES:
        bench.show_state(state_of(*size))
        peak = Peak()
        _drag_all(bench)
        yield _name(size), _above(default, peak)
    peak = Peak()
    for front in TABS:
        bench.bring_to_front(*front)
        _drag_all(bench)
    yield f"{_name(SIZES[-1])}, every tab in turn", _above(default, peak)


def _above(default: float, peak: Peak) -> dict[str, float]:
    return {"settled": memory() - default, "peak while dragging": peak.highest - default}


def _drag_all(bench: object) -> None:
    for slider in SLIDERS:
        bench.drag_frames(slider, STEPS)


def _name(size: tuple[int, int]) -> str:
    return f"{size[0]:,} × {size[1]:,}"


if __name__ == "__main__":
    found = dict(_measure(Path(sys.argv[1])))
    print(json.dumps(found), flush=True)
    os._exit(0)
