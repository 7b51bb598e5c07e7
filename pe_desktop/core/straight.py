"""Similarity of rows that lie on a straight line, in closed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.memory import remember
from pe_desktop.core.scheme import Float

ROUNDING = 1e-14  # of the longest row


class Line(NamedTuple):
    """A line of rows: the position where it is nearest to zero, how far it is from zero there, and a step's length.

    Seen from zero the rows lie in a plane, row p at (height, (p - nearest) x step), where nothing cancels. One shorter
    than ``least`` is zero but for roundings.
    """

    nearest: float
    height: float
    step: float
    least: float

    def similarity(self, spot: int, positions: NDArray[np.floating]) -> Float:
        """Cosine similarity of the rows at `positions` (of any shape) to that at `spot`; 0 where a row is zero."""
        one, others = self._directions(np.array(float(spot))), self._directions(np.asarray(positions, dtype=np.float64))
        return np.asarray(others[0] * one[0] + others[1] * one[1])

    def _directions(self, positions: Float) -> tuple[Float, Float]:
        along = (positions - self.nearest) * self.step
        size = np.asarray(np.hypot(self.height, along))
        size[size <= self.least] = np.inf
        return self.height / size, along / size

    def range_of(self, spot: int, edges: NDArray[np.intp]) -> tuple[Float, Float]:
        """Lowest and highest similarity over the positions between neighbouring `edges` (n + 1,), each (n,).

        A row's direction turns one way, by less than half a turn, so the similarity rises up to the spot and falls
        after it; only where the line passes through zero it leaps.
        """
        first, last = edges[:-1].astype(np.float64), edges[1:] - 1.0
        inner = [np.clip(np.rint(place), first, last) for place in (float(spot), self.nearest)]
        values = self.similarity(spot, np.stack([first, *inner, last]))
        return values.min(axis=0), values.max(axis=0)


@remember
def line_of(scheme: Additive) -> Line:
    """The line that the rows of a straight scheme lie on, see :attr:`Additive.straight`."""
    last = max(1, scheme.length - 1)
    start, end = scheme.encode([0, last])
    step = (end - start) / last
    square = float(step @ step)
    nearest = -float(start @ step) / square if square else 0.0
    height, least = np.linalg.norm(start + nearest * step), ROUNDING * max(np.linalg.norm(start), np.linalg.norm(end))
    return Line(nearest, float(height), float(np.sqrt(square)), float(least))
