"""What an exact window costs in long and in short sequences, for the same number of pixels."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from pe_desktop import process
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import picture, shape_of
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.state import build
from tests.benchmarks.figures import Check, Figure, Options, Section, figure

LONG, SHORT = 1 << 20, 1 << 12
PIXELS = (360, 480)  # of the picture, height and width
TURNS = 31
LIMIT = 1.2
WINDOWS = {"whole": (0.0, 1.0), "middle third": (1 / 3, 2 / 3)}
CASES = (
    ("sinusoidal", 512),
    ("sinusoidal", 8192),
    ("rope", 512),
    ("rope", 8192),
    ("alibi", 64),
    ("t5", 64),
)


def measure(options: Options) -> list[Section]:
    """One section; the two lengths take turns, and no scheme or window is asked for twice, so that no store helps."""
    process.tune()
    figures: list[Figure] = []
    checks: list[Check] = []
    for scheme, dimension in CASES:
        for name, share in WINDOWS.items():
            seconds: dict[int, list[float]] = {LONG: [], SHORT: []}
            for turn in range(TURNS + 1):
                for length, values in seconds.items():
                    values.append(_time(_scheme(scheme, dimension, length, turn), share))
            words = f"{scheme}, {dimension:,} dimensions, {name}"
            rows = {n: figure(f"{words}: {n:,} rows", values[1:]) for n, values in seconds.items()}
            figures += rows.values()
            # Each pair of neighbours in time is compared: noise that lasts hits both.
            shares = np.array(seconds[LONG][1:]) / np.array(seconds[SHORT][1:])
            checks.append(Check(f"{words}: {LONG:,} / {SHORT:,} rows", float(np.median(shares)), LIMIT))
    return [Section(f"A picture of {PIXELS[0]} × {PIXELS[1]} pixels", figures, checks)]


def _scheme(name: str, dimension: int, length: int, turn: int) -> Scheme:
    """A scheme unlike those of the other turns."""
    params = {"base": 10_000.0 + turn} if name in ("sinusoidal", "rope") else {}
    return build(name, params, dimension, length - turn)


def _time(scheme: Scheme, share: tuple[float, float]) -> float:
    rows, columns = shape_of(scheme)
    low, high = share
    across = (0.0, float(columns)) if columns != rows else (low * columns, high * columns)
    window = Window((low * rows, high * rows), across, *PIXELS)
    start = perf_counter()
    picture(scheme, window)
    return perf_counter() - start
