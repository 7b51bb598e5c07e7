"""Short texts that recur from frame to frame: measured and shaped once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QStaticText

MOST_KEPT = 2000


class Letters:
    """The texts written in one font, each shaped the first time it is written."""

    def __init__(self) -> None:
        self.font = QFont()
        self.metrics = QFontMetricsF(self.font)
        self._widths: dict[str, float] = {}
        self._shaped: dict[str, QStaticText] = {}

    def set_font(self, face: QFont) -> None:
        """Take another font."""
        self.font, self.metrics = face, QFontMetricsF(face)
        self._widths.clear()
        self._shaped.clear()

    def width(self, text: str) -> float:
        """Pixels a text takes."""
        known = self._widths.get(text)
        if known is None:
            if len(self._widths) >= MOST_KEPT:
                self._widths.clear()
            known = self._widths[text] = self.metrics.horizontalAdvance(text)
        return known

    def write(self, painter: QPainter, left: float, top: float, text: str) -> None:
        """Write one line; the painter has the font already."""
        shaped = self._shaped.get(text)
        if shaped is None:
            if len(self._shaped) >= MOST_KEPT:
                self._shaped.clear()
            shaped = self._shaped[text] = QStaticText(text)
            shaped.setTextFormat(Qt.TextFormat.PlainText)
            shaped.prepare(font=self.font)
        painter.drawStaticText(QPointF(left, top), shaped)
