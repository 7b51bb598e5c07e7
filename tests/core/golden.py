"""The golden files, read once."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[1] / "golden"


@cache
def read(name: str) -> Any:
    """A JSON file, or the arrays of an npz file by name."""
    path = FOLDER / name
    if path.suffix == ".npz":
        with np.load(path) as stored:
            return {key: stored[key] for key in stored.files}
    return json.loads(path.read_text(encoding="utf-8"))


def worst(found: Any, expected: Any) -> float:
    """Largest absolute difference; the shapes must agree."""
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    assert found.shape == expected.shape
    return float(np.abs(found - expected).max())
