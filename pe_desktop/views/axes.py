"""Margins of a plot: an axis and a colour bar, drawn only when what they say has changed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import Bytes, font
from pe_desktop.views.still import StillItem

TICK = 4.0
GAP = 3.0
NUMBER_SHARE = 0.75  # of the height of a line, that digits take


class Axis(StillItem):
    """Tick labels, tick marks and a name in the margin left of or below a plot.

    pyqtgraph's AxisItem generates ticks and text pictures on every repaint, half of a pan frame; this one
    paints a short list it is given and is left alone while the data move.
    """

    def __init__(self, side: str) -> None:
        super().__init__()
        self._side = side
        self._name = ""
        self._labels: list[tuple[float, str]] = []
        self._ink = QColor("black")
        self._line = QPen()
        self._letters = Letters()

    @property
    def name(self) -> str:
        """The words along the axis."""
        return self._name

    @property
    def labels(self) -> list[tuple[float, str]]:
        """(place in scene pixels, text) of each tick."""
        return list(self._labels)

    def margin(self, texts: Iterable[str]) -> float:
        """Width in pixels that a left axis needs for its name beside some tick labels."""
        letters = self._letters
        return math.ceil(letters.metrics.height() + TICK + GAP + max(map(letters.width, texts), default=0.0)) + 1.0

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size from a theme."""
        self._ink = QColor(theme.muted)
        self._letters.set_font(font(theme.small))
        self._line = QPen(QColor(theme.line))
        self.set_ground(theme)

    def set_labels(self, labels: Sequence[tuple[float, str]], name: str) -> None:
        """Show ticks given as (scene pixels, text) and the axis name."""
        labels = list(labels)
        if labels != self._labels or name != self._name:
            self._labels, self._name = labels, name
            self.changed()

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self._letters.font)
        if self._side == "left":
            self._paint_left(painter)
        else:
            self._paint_bottom(painter)

    def _fitted_name(self, room: float) -> str:
        if self._letters.width(self._name) <= room:
            return self._name
        return self._letters.metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, room)

    def _paint_left(self, painter: QPainter) -> None:
        rect, height = self._rect, self._letters.metrics.height()
        painter.setPen(self._line)
        for place, _ in self._labels:
            painter.drawLine(QPointF(rect.right() - TICK, place), QPointF(rect.right() - 1, place))
        painter.setPen(self._ink)
        for place, text in self._labels:
            top = min(max(place - height / 2, rect.top()), rect.bottom() - height)
            self._letters.write(painter, rect.right() - TICK - GAP - self._letters.width(text), top, text)
        if self._name and self.margin(text for _, text in self._labels) <= rect.width():
            name = self._fitted_name(rect.height())
            painter.translate(rect.left(), rect.bottom())
            painter.rotate(-90)
            along = QRectF(0, 0, rect.height(), height)
            painter.drawText(along, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, name)

    def _paint_bottom(self, painter: QPainter) -> None:
        rect, letters = self._rect, self._letters
        painter.setPen(self._line)
        for place, _ in self._labels:
            painter.drawLine(QPointF(place, rect.top()), QPointF(place, rect.top() + TICK - 1))
        painter.setPen(self._ink)
        top, end = rect.top() + TICK + 1, rect.right()
        if self._name:
            name = self._fitted_name(rect.width() * 0.8)
            end -= letters.width(name)
            letters.write(painter, end, top, name)
            end -= 3 * GAP
        for place, text in self._labels:
            width = letters.width(text)
            left = max(place - width / 2, rect.left())
            if left + width <= end:
                letters.write(painter, left, top, text)


class ColourBar(StillItem):
    """A slim bar of a colour table at the left of its place, and the numbers beside it."""

    WIDTH = 8.0

    def __init__(self) -> None:
        super().__init__()
        self._image: QImage | None = None
        self._texts: tuple[str, ...] = ()
        self._ink = QColor("black")
        self._font = QFont()

    @property
    def texts(self) -> tuple[str, ...]:
        """The numbers beside the bar, from the top."""
        return self._texts

    def set_theme(self, theme: Theme, table: Bytes) -> None:
        """Take colours, type size and the colour table (256, 3)."""
        self._ink, self._font = QColor(theme.muted), font(theme.small)
        column = table[:0:-1].copy()
        self._image = QImage(column.data, 1, len(column), 3, QImage.Format.Format_RGB888).convertToFormat(
            QImage.Format.Format_RGB32
        )
        self.set_ground(theme)

    def set_texts(self, texts: Sequence[str]) -> None:
        """Show numbers evenly from the top to the bottom."""
        if tuple(texts) != self._texts:
            self._texts = tuple(texts)
            self.changed()

    def shown_texts(self, height: float) -> tuple[str, ...]:
        """The numbers that fit over each other in type of this height: all, those at the ends, or the first."""
        texts, room = self._texts, self._rect.height()
        for kept in (texts, texts[:: max(len(texts) - 1, 1)]):
            if (1 + (len(kept) - 1) * NUMBER_SHARE) * height <= room:
                return kept
        return texts[:1]

    def draw(self, painter: QPainter) -> None:
        if self._image is None or self._rect.height() <= 0:
            return
        rect = self._rect
        painter.drawImage(QRectF(rect.left(), rect.top(), self.WIDTH, rect.height()), self._image)
        painter.setFont(self._font)
        painter.setPen(self._ink)
        height = QFontMetricsF(self._font).height()
        left = rect.left() + self.WIDTH + GAP + 1
        texts = self.shown_texts(height)
        steps = max(len(texts) - 1, 1)
        for index, text in enumerate(texts):
            top = rect.top() + (rect.height() - height) * index / steps
            painter.drawText(QRectF(left, top, rect.right() - left, height), Qt.AlignmentFlag.AlignLeft, text)
