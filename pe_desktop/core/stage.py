"""In which order a snapshot becomes full: what a person looks at first comes first."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum


class Stage(Enum):
    """What is worked out in full together, in the order in which it is handed out.

    ``PICTURES``: the matrix and the panes, with those of a second scheme and the differences. ``CURVE``: the similarity
    curves. ``ATTENTION``: that of a long sentence; a short one fits a frame. ``READOUTS``: read-outs and lights, with
    the scans that they need. ``SEARCHES``: panes whose numbers are looked for along the whole sequence.
    ``COMPARISON``: the verdict on two schemes.
    """

    PICTURES = "pictures"
    CURVE = "curve"
    ATTENTION = "attention"
    READOUTS = "readouts"
    SEARCHES = "searches"
    COMPARISON = "comparison"


Stages = Collection[Stage]
NOTHING: frozenset[Stage] = frozenset()
EVERYTHING = frozenset(Stage)
