"""What ``pe-desktop doctor`` says: versions, the platform plugin, and what the system lacks.

It must answer on a machine where Qt does not load, so Qt is only asked for its version number, and every question has
an answer for the case that it fails.
"""

from __future__ import annotations

import dataclasses
import importlib
import platform
import re
import sys
from importlib import metadata
from typing import Any

from pe_desktop import __version__, golden, system

# Distribution, the releases that are bad (a pattern on the version), and why. pyproject.toml excludes the same.
KNOWN_BAD = (
    (
        "PySide6-Essentials",
        r"6\.12\.0",
        "it steals references to None, True and False; the app aborts after a while",
    ),
    ("PySide6-Essentials", r"6\.11\.\d+", "pyqtgraph's SVG export fails with Qt 6.11"),
    ("PySide6-Essentials", r"(6\.[0-9]|6\.10\.[01]|[0-5]\..*)(\..*)?", "the lab needs 6.10.2 or a later 6.10"),
    ("pyqtgraph", r"0\.(\d|1[0-3])(\..*)?", "the lab needs 0.14"),
    ("numpy", r"1\..*", "the lab needs 2.0 or later"),
)
_DISTRIBUTIONS = {"numpy": "numpy", "PySide6": "PySide6-Essentials", "pyqtgraph": "pyqtgraph"}
_SHOWN_FONTS = 5


def report() -> dict[str, Any]:
    """Look at this installation and machine.

    Returns
    -------
    dict
        JSON-ready: ``ok``, ``versions``, ``system``, ``frozen``, ``platform``, ``libraries``, ``fonts``, ``golden``
        (how near the numbers come to other libraries') and ``problems`` (sentences). A version that cannot be found
        is None, and a problem says why.
    """
    versions, problems = installed()
    problems += version_problems(versions)
    compared = golden.findings()
    if not compared:
        problems.append("The comparison with other libraries (resources/golden.json) cannot be read.")
    chosen = system.choose_platform()
    survey = system.survey(chosen.plugin)
    problems += system_problems(chosen, survey)
    return {
        "ok": not problems,
        "versions": versions,
        "system": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
        "platform": {"plugin": chosen.plugin, "reason": chosen.reason, "display": chosen.display},
        "libraries": {
            "checked": survey.checked,
            "missing": {name: system.DEBIAN_PACKAGES.get(name) for name in survey.libraries},
            "command": system.install_command(survey.packages),
        },
        "fonts": None if survey.fonts is None else {"count": len(survey.fonts), "families": list(survey.fonts)},
        "golden": [{**dataclasses.asdict(each), "libraries": list(each.libraries)} for each in compared],
        "problems": problems,
    }


def text(report: dict[str, Any]) -> str:
    """Write a report for people, one fact a line.

    Parameters
    ----------
    report : dict
        What `report` returned.
    """
    lines = [f"{name:<12}{version or 'not found'}" for name, version in report["versions"].items()]
    lines.append(f"{'system':<12}{report['system']}{' (standalone app)' if report['frozen'] else ''}")
    chosen = report["platform"]
    lines.append(f"{'display':<12}{'yes' if chosen['display'] else 'none'}")
    lines.append(f"{'platform':<12}{chosen['plugin']}, because {chosen['reason']}")
    lines.append(f"{'libraries':<12}{_libraries_line(report['libraries'])}")
    lines.append(f"{'fonts':<12}{_fonts_line(report['fonts'])}")
    lines.append(f"{'compared':<12}{_golden_line(report['golden'])}")
    if not report["problems"]:
        return "\n".join([*lines, "", "Nothing is missing."])
    lines += ["", "Problems:", *(f"- {problem}" for problem in report["problems"])]
    command = report["libraries"]["command"]
    return "\n".join([*lines, *(["", "This installs what is missing:", f"  {command}"] if command else [])])


def version_problems(versions: dict[str, str | None]) -> list[str]:
    """Return one sentence for each installed release that is known not to work."""
    problems = []
    for shown, distribution in _DISTRIBUTIONS.items():
        version = versions.get(shown)
        for name, bad, reason in KNOWN_BAD:
            if version and name == distribution and re.fullmatch(bad, version):
                problems.append(f"{name} {version} is known not to work: {reason}.")
    return problems


def system_problems(chosen: system.Platform, survey: system.Survey) -> list[str]:
    """Return one sentence for each thing that the system lacks."""
    problems = []
    if survey.libraries:
        names = ", ".join(survey.libraries)
        problems.append(f'Qt\'s "{chosen.plugin}" platform lacks system libraries: {names}.')
    if survey.unknown:
        problems.append(f"No Debian package is known here for {', '.join(survey.unknown)}.")
    if survey.fonts == ():
        problems.append("No font is installed, so text would be drawn as empty boxes.")
    return problems


def installed() -> tuple[dict[str, str | None], list[str]]:
    """Versions of the lab and of what it stands on (None: not found), and a sentence for each that is missing."""
    versions: dict[str, str | None] = {"pe-desktop": __version__, "python": platform.python_version()}
    problems = []
    for shown, distribution in _DISTRIBUTIONS.items():
        try:
            versions[shown] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            versions[shown] = None
            problems.append(f"{distribution} is not installed.")
    try:
        versions["Qt"] = str(importlib.import_module("PySide6.QtCore").qVersion())
    except Exception as error:  # a damaged binding raises more than ImportError, and doctor must still answer
        versions["Qt"] = None
        problems.append(f"Qt does not load: {' '.join(str(error).split()) or type(error).__name__}.")
    return versions, problems


def _libraries_line(libraries: dict[str, Any]) -> str:
    if not libraries["checked"]:
        return "not checked on this system"
    if not libraries["missing"]:
        return "all found"
    named = (f"{name} ({package or 'package unknown'})" for name, package in libraries["missing"].items())
    return "missing: " + ", ".join(named)


def _fonts_line(found: dict[str, Any] | None) -> str:
    if found is None:
        return "those of the system"
    if not found["count"]:
        return "none"
    more = found["count"] - _SHOWN_FONTS
    return ", ".join(found["families"][:_SHOWN_FONTS]) + (f" and {more} more" if more > 0 else "")


def _golden_line(found: list[dict[str, Any]]) -> str:
    if not found:
        return "unknown"
    numbers, share = sum(each["numbers"] for each in found), max(each["share"] for each in found)
    return f"{numbers:,} numbers in {len(found)} quantities; at most {share:.0%} of what the libraries' rounding allows"
