"""How far a lesson is: one short line for each step; a click goes there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.controls.look import GRID, Look, look_of
from pe_desktop.theme import LIGHT

HEIGHT = 3 * GRID  # pixels that can be clicked
THIN, THICK = 3, 7
MOST_GAP = 4


class StepLine(QWidget):
    """The step one is at is told by a thicker line as well as by its colour.

    Signals
    -------
    chosen : int
        The place of a step, from 0.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_line")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._titles: tuple[str, ...] = ("",)
        self._at = 0
        self._look = look_of(LIGHT)

    def show_place(self, titles: Sequence[str], at: int) -> None:
        """Show the step one is at; past the last, all are done."""
        self._titles, self._at = tuple(titles), at
        self.setAccessibleName(f"Step {min(at + 1, len(titles))} of {len(titles)}")
        self.update()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(16 * GRID, HEIGHT)

    def place_of(self, index: int) -> QRectF:
        """Where the line of a step is."""
        pitch = self.width() / len(self._titles)
        gap = min(MOST_GAP, pitch / 3)
        thick = THICK if index == self._at else THIN
        return QRectF(index * pitch, (self.height() - thick) / 2, pitch - gap, thick)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._index_at(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event)
        tip = f"Step {index + 1}: {self._titles[index]}".removesuffix(": ")
        if self.toolTip() != tip:
            self.setToolTip(tip)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        theme = self._look.theme
        for index in range(len(self._titles)):
            place = self.place_of(index)
            painter.setBrush(QColor(theme.accent if index <= self._at else theme.line))
            painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)

    def _index_at(self, event: QMouseEvent) -> int:
        share = event.position().x() / max(self.width(), 1)
        return min(max(int(share * len(self._titles)), 0), len(self._titles) - 1)
