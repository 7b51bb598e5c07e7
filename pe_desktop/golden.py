"""How near the lab's numbers come to those of other libraries, as the test run found it.

``packaging/dev.py golden`` writes the resource; the standard library alone reads it, because ``pe-desktop doctor`` must
answer where nothing else is installed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

from pe_desktop import resources as folder


@dataclass(frozen=True)
class Finding:
    """One quantity that was compared.

    Parameters
    ----------
    quantity : str
        What was compared.
    libraries : tuple of str
        Names with versions.
    difference : float
        Largest difference, of two significant digits; a share of the value if `relative`.
    relative : bool
        See `difference`.
    share : float
        Largest difference as a share of what the rounding of the library allows; at most 1.
    numbers : int
        How many numbers were compared.
    """

    quantity: str
    libraries: tuple[str, ...]
    difference: float
    relative: bool
    share: float
    numbers: int


def findings() -> tuple[Finding, ...]:
    """All comparisons, by name; empty if the resource is missing or damaged."""
    try:
        text = resources.files(folder).joinpath("golden.json").read_text(encoding="utf-8")
        stored = json.loads(text)["quantities"]
        return tuple(Finding(**{**each, "libraries": tuple(each["libraries"])}) for each in stored)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def libraries(found: tuple[Finding, ...]) -> tuple[str, ...]:
    """All libraries that numbers were compared with, by name."""
    return tuple(sorted({name for each in found for name in each.libraries}))
