"""The golden files, read once."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "golden"


@cache
def read(name: str) -> Any:
    """A JSON file, or the arrays of an npz file by name."""
    path = FOLDER / name
    if path.suffix == ".npz":
        with np.load(path) as stored:
            return {key: stored[key] for key in stored.files}
    return json.loads(path.read_text(encoding="utf-8"))


def versions(name: str, *libraries: str) -> list[str]:
    """Libraries that a golden file was made with, each with its version."""
    stored = read(name)
    known = json.loads(str(stored["meta"]))["libraries"] if name.endswith(".npz") else stored["libraries"]
    return [f"{library} {known[library].partition('+')[0]}" for library in libraries]


def gap(found: Any, expected: Any) -> NDArray[np.float64]:
    """Differences; the shapes must agree."""
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    assert found.shape == expected.shape
    return np.asarray(found - expected)


def worst(found: Any, expected: Any) -> float:
    """Largest absolute difference; the shapes must agree."""
    return float(np.abs(gap(found, expected)).max())
