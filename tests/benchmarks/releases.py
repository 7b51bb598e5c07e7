"""From letting a slider go to the full pictures, and to everything that is still worked out after them."""

from __future__ import annotations

from time import perf_counter

from pe_desktop.core.parts import Snapshot
from tests.benchmarks import gestures
from tests.benchmarks.bench_window import BenchWindow, path

TIMES = 5
STEPS = 12  # of the drag before


def pictures_are_full(snapshot: Snapshot) -> bool:
    """Whether no coarser picture stands in for one on screen."""
    compared = snapshot.compare
    parts = [snapshot.matrix, snapshot.similarity, snapshot.attention, *snapshot.panes.values()]
    if compared is not None:
        parts += [compared.matrix, compared.matrix_difference, compared.curve, compared.similarity]
        parts += [part for part in (compared.scores, compared.scores_difference) if part is not None]
    return all(getattr(part, "exact", True) for part in parts)


def release_times(bench: BenchWindow, name: str) -> tuple[list[float], list[float]]:
    """Seconds from the release to the full pictures being painted, and to the whole snapshot being complete."""
    slider = bench.slider(name)
    home = slider.value()
    pictures, whole = [], []
    places = path(slider, STEPS * TIMES)
    for number in range(TIMES):
        gestures.take_handle(slider)
        for value in places[number::TIMES]:
            bench.drag(slider, int(value))
        start = perf_counter()
        gestures.let_handle_go(slider)
        bench.wait_until(pictures_are_full)
        pictures.append(perf_counter() - start)
        bench.wait_until(lambda snapshot: not bench.lab.busy)
        whole.append(perf_counter() - start)
    slider.setValue(home)
    bench.settle()
    return pictures, whole
