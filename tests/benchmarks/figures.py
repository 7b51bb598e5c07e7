"""How a series of timings is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import numpy as np


@dataclass(frozen=True)
class Figure:
    """Median and 95th percentile of one thing measured, in its unit."""

    name: str
    median: float
    p95: float
    unit: str
    count: int


@dataclass(frozen=True)
class Check:
    """A figure an issue names, and what was reached; ``value`` must not exceed ``limit``."""

    name: str
    value: float
    limit: float

    @property
    def reached(self) -> bool:
        """Whether the figure is reached."""
        return self.value <= self.limit


def figure(name: str, values: list[float], unit: str = "ms") -> Figure:
    """Summarise values (seconds are turned into ms when the unit says so)."""
    scaled = np.array(values) * (1e3 if unit == "ms" else 1.0)
    return Figure(name, float(np.median(scaled)), float(np.percentile(scaled, 95)), unit, len(values))


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def print_table(figures: list[Figure], checks: list[Check]) -> None:
    """One table for people."""
    width = max(len(row.name) for row in (*figures, *checks))
    print(f"{'measured':<{width}}  {'median':>10}  {'p95':>10}")
    for row in figures:
        print(f"{row.name:<{width}}  {row.median:>10.2f}  {row.p95:>10.2f}  {row.unit}  (n = {row.count})")
    print(f"\n{'asked':<{width}}  {'reached':>10}  {'limit':>10}")
    for check in checks:
        print(
            f"{check.name:<{width}}  {check.value:>10.2f}  {check.limit:>10.2f}  {'ok' if check.reached else 'MISSED'}"
        )


def write_json(path: Path, figures: list[Figure], checks: list[Check]) -> None:
    """The same for machines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {
        "figures": [asdict(row) for row in figures],
        "checks": [{**asdict(check), "reached": check.reached} for check in checks],
    }
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
