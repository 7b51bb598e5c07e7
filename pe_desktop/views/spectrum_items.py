"""What the spectrum is drawn with beside curves: its plot, a strip of pairs, a legend, and dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plot import RangedPlot
from pe_desktop.views.plotting import font
from pe_desktop.views.still import StillItem

STRIP_GAP = 3.0


class SpectrumPlot(RangedPlot):
    """A plot with room for a strip between the plot area and the numbers of the bottom axis."""

    strip_height = 0.0

    @property
    def strip_rect(self) -> QRectF:
        """Place of the strip, in scene pixels."""
        return QRectF(self.area.left(), self.area.bottom() + STRIP_GAP, self.area.width(), self.strip_height)

    def _place_children(self) -> None:
        super()._place_children()
        if self.strip_height:
            below = self.area.bottom() + STRIP_GAP + self.strip_height
            reach = min(self.width() - self.area.right(), 24.0)
            self.bottom_axis.set_rect(
                QRectF(self.area.left() - 12, below, self.area.width() + 12 + reach, self.height() - below)
            )


class PairStrip(StillItem):
    """A row of small coloured fields, one for each pair."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._colours: NDArray[np.uint32] = np.zeros(1, dtype=np.uint32)

    @property
    def codes(self) -> NDArray[np.intp]:
        """Which colour each pair has."""
        return self._codes

    def set_colours(self, colours: Sequence[QColor]) -> None:
        """Take the colours that the codes stand for."""
        self._colours = np.array([colour.rgb() for colour in colours], dtype=np.uint32)
        self.changed()

    def set_codes(self, codes: NDArray[np.intp]) -> None:
        """Show other codes (pairs,)."""
        if not np.array_equal(codes, self._codes):
            self._codes = codes
            self.changed()

    def draw(self, painter: QPainter) -> None:
        if not len(self._codes):
            return
        pixels = self._colours[self._codes]
        image = QImage(pixels.data, len(pixels), 1, 4 * len(pixels), QImage.Format.Format_RGB32)
        painter.drawImage(self._rect, image)


@dataclass(frozen=True)
class Entry:
    """One line of a legend: a stroke (dashed or not) or a filled field, and its words."""

    text: str
    colour: str
    field: bool = False
    dashed: bool = False


class Legend(StillItem):
    """Entries side by side, in as many rows as they need."""

    STROKE, FIELD, GAP, BETWEEN = 18.0, 11.0, 5.0, 14.0
    DASH = (4.0, 3.0)  # pixels

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._letters = Letters()
        self._ink, self._pen = QColor(), 1.0

    @property
    def texts(self) -> tuple[str, ...]:
        """The words shown."""
        return tuple(entry.text for entry in self._entries)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._letters.set_font(font(theme.small))
        self._ink, self._pen = QColor(theme.muted), theme.pen
        self.set_ground(theme)

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other entries."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self.changed()

    def places(self, width: float) -> list[QRectF]:
        """Where each entry goes within a width, from (0, 0)."""
        left, top, line = 0.0, 0.0, self._letters.metrics.height()
        found = []
        for entry in self._entries:
            own = self._sign(entry) + self.GAP + self._letters.width(entry.text)
            if left and left + own > width:
                left, top = 0.0, top + line
            found.append(QRectF(left, top, own, line))
            left += own + self.BETWEEN
        return found

    def _sign(self, entry: Entry) -> float:
        return self.FIELD if entry.field else self.STROKE

    def height_for(self, width: float) -> float:
        """Height that all entries take in a width."""
        places = self.places(width)
        return places[-1].bottom() if places else 0.0

    def _stroke(self, entry: Entry) -> QPen:
        """The pen of a stroke; dashes are short enough to be told from a short line at any width."""
        pen = QPen(QColor(entry.colour), 1.5 * self._pen)
        if entry.dashed:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([length / pen.widthF() for length in self.DASH])
        return pen

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self._letters.font)
        for entry, place in zip(self._entries, self.places(self._rect.width()), strict=True):
            place = place.translated(self._rect.topLeft())
            middle = round(place.center().y()) + 0.5
            if entry.field:
                painter.fillRect(QRectF(place.left(), middle - 5, self.FIELD, 10), QColor(entry.colour))
            else:
                painter.setPen(self._stroke(entry))
                painter.drawLine(QLineF(place.left(), middle, place.left() + self.STROKE - 1, middle))
            painter.setPen(self._ink)
            self._letters.write(painter, place.left() + self._sign(entry) + self.GAP, place.top(), entry.text)


class Dots(QGraphicsItem):
    """Round dots at places in scene pixels."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._points = QPolygonF()
        self._pen = QPen()

    @property
    def count(self) -> int:
        """Number of dots shown."""
        return self._points.size()

    def set_colour(self, colour: QColor) -> None:
        """Take a colour."""
        self._pen = QPen(colour, 4.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)

    def set_points(self, x: NDArray[np.float64], y: NDArray[np.float64], size: float, area: QRectF) -> None:
        """Show dots of a diameter in pixels at x, y (n,), within an area."""
        if area != self._rect:
            self.prepareGeometryChange()
            self._rect = area.adjusted(-6, -6, 6, 6)
        self._pen.setWidthF(size)
        self._points = pg.functions.arrayToQPolygonF(x, y) if len(x) else QPolygonF()

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        painter.drawPoints(self._points)
