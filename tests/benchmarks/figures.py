"""How a series of timings is reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Options:
    """What a benchmark is told: a folder for its files, and how long the session lasts (s)."""

    folder: Path
    seconds: float = 120.0


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


@dataclass(frozen=True)
class Section:
    """A part of the report: figures, checks, and lines of a table of its own; ``data`` is for machines only."""

    title: str
    figures: list[Figure] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


def figure(name: str, values: list[float], unit: str = "ms") -> Figure:
    """Summarise values (seconds are turned into ms when the unit says so)."""
    scaled = np.array(values) * (1e3 if unit == "ms" else 1.0)
    return Figure(name, float(np.median(scaled)), float(np.percentile(scaled, 95)), unit, len(values))


def single(name: str, value: float, unit: str) -> Figure:
    """A figure that was measured once."""
    return Figure(name, value, value, unit, 1)


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    start = perf_counter()
    work()
    return perf_counter() - start
