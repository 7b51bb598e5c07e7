"""Lines, bands and hatching laid over a picture, in scene pixels.

They are Qt's own items: moving one costs no Python paint and leaves the picture below alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPen, QPolygonF
from PySide6.QtWidgets import (
    QGraphicsLineItem,
    QGraphicsPolygonItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
)

PAD = 4.0


class Tag:
    """A short text on a filled ground; its ``rect`` is where it was last placed."""

    def __init__(self, scene: QGraphicsScene, z: float) -> None:
        self._ground = QGraphicsRectItem()
        self._ground.setPen(QPen(Qt.PenStyle.NoPen))
        self._ground.setZValue(z)
        self._words = QGraphicsSimpleTextItem(self._ground)
        self._words.setPos(PAD, 0)
        self._size = QRectF()
        scene.addItem(self._ground)
        self.hide()

    @property
    def text(self) -> str:
        """The words shown, "" while hidden."""
        return self._words.text() if self._ground.isVisible() else ""

    @property
    def rect(self) -> QRectF:
        """Where it is, in scene pixels."""
        return self._ground.sceneBoundingRect()

    @property
    def width(self) -> float:
        """Width in pixels of the words last set."""
        return self._size.width()

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self._size.height()

    def set_look(self, ground: QColor, ink: QColor, face: QFont) -> None:
        """Take colours and font."""
        self._ground.setBrush(QBrush(ground))
        self._words.setBrush(QBrush(ink))
        self._words.setFont(face)
        self._measure()

    def set_text(self, text: str) -> None:
        """Set the words; the size follows."""
        if text != self._words.text():
            self._words.setText(text)
            self._measure()

    def _measure(self) -> None:
        words = self._words.boundingRect()
        self._size = QRectF(0, 0, round(words.width() + 2 * PAD), round(words.height()))
        self._ground.setRect(self._size)

    def place(self, left: float, top: float, bounds: QRectF) -> None:
        """Show it with its corner at (left, top), moved as needed to stay within bounds."""
        left = max(min(left, bounds.right() - self._size.width()), bounds.left())
        top = max(min(top, bounds.bottom() - self._size.height()), bounds.top())
        self._ground.setPos(round(left), round(top))
        self._ground.setVisible(True)

    def hide(self) -> None:
        """Take it off the picture."""
        self._ground.setVisible(False)


class Guide:
    """One thin line across the plot, upright or level."""

    def __init__(self, scene: QGraphicsScene, *, upright: bool, z: float) -> None:
        self._upright = upright
        self._item = QGraphicsLineItem()
        self._item.setZValue(z)
        scene.addItem(self._item)
        self.hide()

    @property
    def at(self) -> float | None:
        """Where it is, in scene pixels; None while hidden."""
        if not self._item.isVisible():
            return None
        return self._item.line().x1() if self._upright else self._item.line().y1()

    def set_pen(self, pen: QPen) -> None:
        """Take a pen."""
        self._item.setPen(pen)

    def place(self, at: float, area: QRectF) -> None:
        """Show it at `at`, across the area; hide it where `at` is outside."""
        low, high = (area.left(), area.right()) if self._upright else (area.top(), area.bottom())
        if not low <= at <= high:
            self.hide()
            return
        # Half a pixel: a line one pixel wide then fills exactly one column of pixels.
        at = min(int(at), high - 1) + 0.5
        if self._upright:
            self._item.setLine(at, area.top(), at, area.bottom() - 1)
        else:
            self._item.setLine(area.left(), at, area.right() - 1, at)
        self._item.setVisible(True)

    def hide(self) -> None:
        """Take it off the picture."""
        self._item.setVisible(False)


class Frame:
    """An outline with a halo, so that it shows on every colour of the picture."""

    def __init__(self, scene: QGraphicsScene, z: float) -> None:
        self._halo, self._ink = QGraphicsRectItem(), QGraphicsRectItem()
        for item, above in ((self._halo, 0.0), (self._ink, 0.1)):
            item.setZValue(z + above)
            scene.addItem(item)
        self.hide()

    @property
    def rect(self) -> QRectF | None:
        """What it encloses, in scene pixels; None while hidden."""
        return QRectF(self._ink.rect()) if self._ink.isVisible() else None

    def set_look(self, ink: QColor, halo: QColor, width: float) -> None:
        """Take colours and the width of the outline in pixels."""
        self._ink.setPen(QPen(ink, width))
        self._halo.setPen(QPen(halo, width + 2.0))

    def place(self, rect: QRectF) -> None:
        """Show it around a rectangle."""
        for item in (self._halo, self._ink):
            item.setRect(rect)
            item.setVisible(True)

    def hide(self) -> None:
        """Take it off the picture."""
        self._halo.setVisible(False)
        self._ink.setVisible(False)


class Hatch:
    """Hatching over the part of a picture that holds no values, with a word that says so."""

    def __init__(self, scene: QGraphicsScene, z: float, words: str) -> None:
        self._words = words
        self._item = QGraphicsRectItem()
        self._item.setZValue(z)
        self._item.setPen(QPen(Qt.PenStyle.NoPen))
        scene.addItem(self._item)
        self._tag = Tag(scene, z + 0.1)
        self.hide()

    @property
    def rect(self) -> QRectF | None:
        """The hatched area, in scene pixels; None while hidden."""
        return QRectF(self._item.rect()) if self._item.isVisible() else None

    @property
    def text(self) -> str:
        """The word on it, "" where it has no room."""
        return self._tag.text

    def set_look(self, lines: QColor, ground: QColor, ink: QColor, face: QFont) -> None:
        """Take colours and font."""
        self._item.setBrush(QBrush(lines, Qt.BrushStyle.BDiagPattern))
        self._tag.set_look(ground, ink, face)
        self._tag.set_text(self._words)

    def set_words(self, words: str) -> None:
        """Say something else on it, from its next place on."""
        if words != self._words:
            self._words = words
            self._tag.set_text(words)

    def place(self, rect: QRectF, area: QRectF) -> None:
        """Hatch the part of a rectangle that lies in the area; hide where there is none."""
        rect = rect & area
        if rect.width() < 1 or rect.height() < 1:
            self.hide()
            return
        self._item.setRect(rect)
        self._item.setVisible(True)
        if rect.height() >= self._tag.height + 2 and rect.width() >= self._tag.width + 2:
            middle = rect.center()
            self._tag.place(middle.x() - self._tag.width / 2, middle.y() - self._tag.height / 2, rect)
        else:
            self._tag.hide()

    def hide(self) -> None:
        """Take it off the picture."""
        self._item.setVisible(False)
        self._tag.hide()


class Shade:
    """A veil with hatching over one side of a staircase, and a word that says what is the matter there."""

    def __init__(self, scene: QGraphicsScene, z: float) -> None:
        self._veil, self._lines = QGraphicsPolygonItem(), QGraphicsPolygonItem()
        for item, above in ((self._veil, 0.0), (self._lines, 0.1)):
            item.setZValue(z + above)
            item.setPen(QPen(Qt.PenStyle.NoPen))
            scene.addItem(item)
        self._tag = Tag(scene, z + 0.2)
        self.hide()

    @property
    def outline(self) -> QPolygonF | None:
        """What it covers, in scene pixels; None while hidden."""
        return QPolygonF(self._veil.polygon()) if self._veil.isVisible() else None

    @property
    def text(self) -> str:
        """The word on it, "" where it has no room."""
        return self._tag.text

    def set_look(self, lines: QColor, veil: QColor, ground: QColor, ink: QColor, face: QFont) -> None:
        """Take colours and font."""
        self._veil.setBrush(QBrush(veil))
        self._lines.setBrush(QBrush(lines, Qt.BrushStyle.BDiagPattern))
        self._tag.set_look(ground, ink, face)

    def place(self, edges: NDArray[np.float64], lefts: NDArray[np.float64], right: float, word: str) -> None:
        """Cover what lies between a staircase and an upright line at its right.

        Parameters
        ----------
        edges : ndarray, shape (n + 1,)
            Top of each step and bottom of the last, scene pixels.
        lefts : ndarray, shape (n,)
            Where each step begins, at most `right`.
        right : float
        word : str
        """
        covered = np.diff(edges) * (right - lefts)
        if covered.sum() < 1.0:
            self.hide()
            return
        corners = [QPointF(x, y) for step, x in enumerate(lefts) for y in edges[step : step + 2]]
        outline = QPolygonF([*corners, QPointF(right, edges[-1]), QPointF(right, edges[0])])
        for item in (self._veil, self._lines):
            item.setPolygon(outline)
            item.setVisible(True)
        # The word stands in the middle of what is covered, if it fits there.
        x = float((covered * (right + lefts) / 2).sum() / covered.sum())
        y = float((covered * (edges[1:] + edges[:-1]) / 2).sum() / covered.sum())
        self._tag.set_text(word)
        room = QRectF(x - self._tag.width / 2, y - self._tag.height / 2, self._tag.width, self._tag.height)
        beside = (edges[1:] > room.top()) & (edges[:-1] < room.bottom())
        inside = edges[0] <= room.top() and room.bottom() <= edges[-1] and room.right() <= right
        if inside and lefts[beside].max() + 2 <= room.left():
            self._tag.place(room.left(), room.top(), room)
        else:
            self._tag.hide()

    def hide(self) -> None:
        """Take it off the picture."""
        for item in (self._veil, self._lines):
            item.setVisible(False)
        self._tag.hide()
