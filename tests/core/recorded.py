"""What the golden tests find: the largest difference of each quantity, for the window to tell.

A golden test asks for the fixture ``golden_record`` and hands it each difference together with what is allowed::

    share = golden_record("ALiBi slopes", versions("alibi.json", "transformers"), found - theirs, 1e-12)
    assert share <= 1

``packaging/dev.py golden`` runs the golden tests and writes what was found into ``pe_desktop/resources/golden.json``;
``test_recorded.py`` fails while that file is not what the tests find.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

VARIABLE = "PE_DESKTOP_GOLDEN"  # names the file that a run is to write
RESOURCE = Path(__file__).parents[2] / "pe_desktop" / "resources" / "golden.json"


@dataclass
class Quantity:
    """The comparisons of one quantity so far: sizes of the largest difference, and the number of numbers compared."""

    libraries: set[str] = field(default_factory=set)
    difference: float = 0.0
    share: float = 0.0
    relative: bool = False
    numbers: int = 0


class Recorder:
    """Collects differences by quantity."""

    def __init__(self) -> None:
        self.found: dict[str, Quantity] = {}

    def __call__(
        self, quantity: str, libraries: Iterable[str], difference: Any, allowed: Any, *, relative: bool = False
    ) -> float:
        """Note a comparison.

        Parameters
        ----------
        quantity : str
            What was compared, as a person reads it.
        libraries : iterable of str
            Names with versions (:func:`tests.core.golden.versions`).
        difference, allowed : float or array
            Differences of any sign, and what each may be at most; where 0 is allowed, nothing else is.
        relative : bool
            Whether the differences are shares of the values.

        Returns
        -------
        float
            The largest difference as a share of what is allowed: at most 1, or the test is to fail.
        """
        sizes = np.abs(np.asarray(difference, dtype=np.float64))
        limits = np.broadcast_to(np.asarray(allowed, dtype=np.float64), sizes.shape)
        shares = np.divide(sizes, limits, out=np.where(sizes > 0, math.inf, 0.0), where=limits > 0)
        share = float(shares.max())
        noted = self.found.setdefault(quantity, Quantity(relative=relative))
        noted.libraries |= set(libraries)
        noted.difference = max(noted.difference, float(sizes.max()))
        noted.share = max(noted.share, share)
        noted.numbers += sizes.size
        return share

    def table(self) -> dict[str, Any]:
        """What was found, as the resource holds it: two significant digits, in a fixed order."""
        return {
            "about": "Largest difference of each quantity from the libraries' own numbers; made by dev.py golden.",
            "quantities": [
                {
                    "quantity": name,
                    "libraries": sorted(noted.libraries),
                    "difference": float(f"{noted.difference:.1e}"),
                    "relative": noted.relative,
                    "share": float(f"{noted.share:.1e}"),
                    "numbers": noted.numbers,
                }
                for name, noted in sorted(self.found.items())
            ],
        }

    def write(self, path: Path) -> None:
        """Write the table; the same findings give the same bytes."""
        path.write_text(json.dumps(self.table(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
