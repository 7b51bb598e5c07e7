"""A curve drawn by hand over positions, and its line in the similarity view."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from pe_desktop.theme import Theme
from pe_desktop.views.plot import RangedPlot

Float = NDArray[np.float64]


class Drawing:
    """A value for each position that was drawn over; drawing over it again replaces it."""

    def __init__(self) -> None:
        self._values: Float = np.empty(0)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been drawn."""
        return not bool(np.isfinite(self._values).any())

    @property
    def points(self) -> tuple[Float, Float] | None:
        """Positions drawn over and the values there, both (n,) float64 by rising position; None without any."""
        places = np.flatnonzero(np.isfinite(self._values))
        return (places.astype(np.float64), self._values[places]) if len(places) else None

    def clear(self, length: int) -> None:
        """Forget what was drawn; the positions are 0 … length - 1 from now on."""
        self._values = np.full(length, np.nan)

    def fit(self, length: int) -> None:
        """Go on with another number of positions; what is past the end is forgotten."""
        if length != len(self._values):
            kept = self._values[:length]
            self._values = np.full(length, np.nan)
            self._values[: len(kept)] = kept

    def stroke(self, start: tuple[int, float], stop: tuple[int, float]) -> None:
        """Draw a straight line from one (position, value) to another, both included."""
        (first, before), (last, after) = start, stop
        if first == last:
            self._values[last] = after
            return
        if first > last:
            first, before, last, after = last, after, first, before
        places = np.arange(first, last + 1)
        self._values[places] = np.interp(places, (first, last), (before, after))

    def shown(self, low: float, high: float, most: int) -> tuple[Float, Float]:
        """At most about `most` points between two positions, x and y of shape (n,), not-a-number where undrawn."""
        first, stop = max(int(np.floor(low)), 0), min(int(np.ceil(high)) + 1, len(self._values))
        places = np.arange(first, stop, max((stop - first) // most, 1))
        return places.astype(np.float64), self._values[places]


def drawn_path(x: Float, y: Float) -> QPainterPath:
    """The line through points, broken where y is not a number."""
    path: QPainterPath = pg.arrayToQPath(x, y, connect="finite")
    return path


def drawn_pen(theme: Theme) -> QPen:
    """How what a person drew looks: dashed, in the accent colour."""
    pen = QPen(QColor(theme.accent), max(2.0, theme.pen), Qt.PenStyle.DashLine)
    pen.setCosmetic(True)
    return pen


class DrawnLine:
    """The drawing as a line among those of the plot: it follows their zoom and takes no mouse."""

    def __init__(self, plot: RangedPlot, theme: Theme) -> None:
        self._plot = plot
        self._item = pg.PlotCurveItem(connect="finite")
        self._item.setZValue(15)
        self._item.setPen(drawn_pen(theme))
        plot.box.addItem(self._item, ignoreBounds=True)
        self.hide()

    @property
    def is_shown(self) -> bool:
        """Whether there is a line."""
        return bool(self._item.isVisible())

    def show(self, points: tuple[Float, Float]) -> None:
        """Show what was drawn; gaps stay gaps."""
        places, values = points
        gaps = np.flatnonzero(np.diff(places) > 1) + 1
        self._item.setData(np.insert(places, gaps, places[gaps]), np.insert(values, gaps, np.nan))
        self._item.setVisible(True)
        self._plot.refresh()

    def hide(self) -> None:
        """Take it off the plot."""
        if self._item.isVisible():
            self._item.setVisible(False)
            self._plot.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Take the colour."""
        self._item.setPen(drawn_pen(theme))
