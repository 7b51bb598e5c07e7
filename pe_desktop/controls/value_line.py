"""A label at the left and a number at the right edge, cheap to change."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from pe_desktop.controls.look import GRID, HALF, Look


class FittingLabel(QLabel):
    """One line of text in smaller type, or shortened, where it does not fit."""

    def __init__(self, alignment: Qt.AlignmentFlag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._small = self.font()

    def set_small(self, look: Look) -> None:
        """Take the theme's smaller type."""
        self._small = look.small

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, text = QPainter(self), self.text()
        if self.fontMetrics().horizontalAdvance(text) > self.width():
            painter.setFont(self._small)
            text = QFontMetrics(self._small).elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        option = QStyleOption()
        option.initFrom(self)
        enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        role = QPalette.ColorRole.WindowText
        self.style().drawItemText(painter, self.rect(), self.alignment(), option.palette, enabled, text, role)


class ValueLine(QWidget):
    """The two labels, placed by hand: with a layout, each new number would lay the whole dock out anew."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = FittingLabel(Qt.AlignmentFlag.AlignLeft, self)
        self.number = FittingLabel(Qt.AlignmentFlag.AlignRight, self)
        self.number.setObjectName(name)
        self.inset = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + HALF)

    def place(self) -> None:
        """Give the label what it needs and the number the rest."""
        room = max(0, self.width() - self.inset)
        needed = self.label.fontMetrics().horizontalAdvance(self.label.text())
        # A label never takes the number's room altogether.
        left = min(needed, room * 3 // 4)
        self.label.setGeometry(self.inset, 0, left, self.height())
        start = self.inset + left + GRID
        self.number.setGeometry(start, 0, max(0, self.width() - start), self.height())

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.label.set_small(look)
        self.number.set_small(look)
        self.setFont(look.body)
        self.updateGeometry()
        self.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
