"""One table for people, and JSON for machines."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from tests.benchmarks.figures import Check, Figure, Section

WIDTH = 78  # of the names: the whole table stays within 120 columns
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "matplotlib")


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "load": [round(value, 2) for value in psutil.getloadavg()],
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def machine_lines(found: dict[str, Any]) -> list[str]:
    """The machine in words."""
    packages = ", ".join(f"{name} {number}" for name, number in found["packages"].items())
    return [
        f"{found['processor']}, {found['cores']} cores, {found['memory_gb']} GB; {found['system']}",
        f"Python {found['python']}, {packages}",
        f"load before the start (1, 5, 15 minutes): {', '.join(map(str, found['load']))}",
    ]


def print_table(sections: list[Section]) -> None:
    """Figures by section, then all that was asked for."""
    for section in sections:
        print(f"\n{section.title}")
        if section.figures:
            print(f"  {'':<{WIDTH}}{'median':>10}{'p95':>10}")
        for row in section.figures:
            print(f"  {row.name:<{WIDTH}}{_figures(row)} {row.unit:<3} n = {row.count}")
        for line in section.lines:
            print(f"  {line}")
    checks = [check for section in sections for check in section.checks]
    print(f"\n  {'asked for':<{WIDTH}}{'reached':>10}{'limit':>10}")
    for section in sections:
        if section.checks:
            print(section.title)
        for check in section.checks:
            print(f"  {check.name:<{WIDTH}}{check.value:>10.2f}{check.limit:>10.2f}  {_word(check)}")
    missed = sum(not check.reached for check in checks)
    print(f"\n{len(checks) - missed} of {len(checks)} reached")


def _figures(row: Figure) -> str:
    return f"{row.median:>10.2f}{row.p95 if row.count > 1 else '':>10{'.2f' if row.count > 1 else ''}}"


def _word(check: Check) -> str:
    return "ok" if check.reached else "MISSED"


def write_json(path: Path, found: dict[str, Any], sections: list[Section]) -> None:
    """Everything that was found."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {"machine": found, "sections": [to_json(section) for section in sections]}
    path.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")


def to_json(section: Section) -> dict[str, Any]:
    """A section as plain values that :func:`from_json` reads."""
    checks = [{**asdict(check), "reached": check.reached} for check in section.checks]
    return {**asdict(section), "checks": checks}


def from_json(plain: dict[str, Any]) -> Section:
    """A section from its plain values."""
    figures = [Figure(**row) for row in plain["figures"]]
    checks = [Check(row["name"], row["value"], row["limit"]) for row in plain["checks"]]
    return Section(plain["title"], figures, checks, plain["lines"], plain["data"])
