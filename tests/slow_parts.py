"""A core in which nothing fits a frame, whatever its size, for tests of what is left to the worker."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from pe_desktop.core import compare, part_attention, part_curve, part_matrix, part_readouts, part_scores
from pe_desktop.core import snapshot as module

PARTS = ("matrix", "similarity", "rotation", "attention", "readouts", "compare")
PANES = ("grid", "precision", "scores", "spectrum")
MAKERS = {
    "matrix": (part_matrix, "matrix_part"),
    "similarity": (part_curve, "curve_part"),
    "attention": (part_attention, "attention_part"),
    "readouts": (part_readouts, "readouts_part"),
    "scores": (part_scores, "scores_part"),
}


class SlowParts:
    """Makes every part that is not asked for in full one that is not exact.

    ``made`` is what was made in full, and for which state; those named in ``broken`` fail at it.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[str, object]] = []
        self.broken: set[str] = set()
        for name, (where, attribute) in MAKERS.items():
            monkeypatch.setattr(where, attribute, self._slowly(name, getattr(where, attribute)))
        monkeypatch.setattr(part_matrix, "matrix_cost", lambda *_: 1 << 60)
        monkeypatch.setattr(part_scores, "scores_are_quick", lambda *_: False)
        panes = [
            dataclasses.replace(pane, make=self._slowly(pane.name, pane.make), is_quick=lambda *_: False)
            for pane in module.PANES
        ]
        monkeypatch.setattr(module, "PANES", tuple(panes))
        monkeypatch.setattr(compare, "compare", self._comparing(compare.compare))
        monkeypatch.setattr(compare, "is_quick", lambda *_: False)

    def _slowly(self, name: str, real: Any) -> Any:
        def make(state: Any, *args: Any) -> Any:
            *args, how = args
            full = how == 1 if name == "matrix" else how
            if full:
                self._note(name, state)
            part = real(state, *args, 1)
            return part if full or "exact" not in vars(part) else _announced(part)

        return make

    def _comparing(self, real: Any) -> Any:
        def make(a: Any, b: Any) -> Any:
            self._note("compare", a)
            return real(a, b)

        return make

    def _note(self, name: str, state: object) -> None:
        self.made.append((name, state))
        if name in self.broken:
            raise ZeroDivisionError("made for this test")


def _announced(part: Any) -> Any:
    words = {name: "computing…" for name in ("pixel", "point") if hasattr(part, name)}
    return dataclasses.replace(part, exact=False, **words)


def announcements(snapshot: Any) -> set[str]:
    """What the parts of a snapshot that are not exact say of themselves."""
    own = (snapshot.matrix, snapshot.similarity, snapshot.attention)
    return {getattr(part, "point", "") or part.pixel for part in own if not part.exact}


def alike(a: object, b: object) -> bool:
    """Whether two things show the same, however deep."""
    if dataclasses.is_dataclass(a) and type(a) is type(b):
        return all(alike(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a))
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(alike, a, b))
    return a is b or a == b


def unlike(a: Any, b: Any) -> set[str]:
    """Names of the parts of two snapshots that show something else."""
    return {name for name in (*PARTS, *PANES) if not alike(a.part(name), b.part(name))}
