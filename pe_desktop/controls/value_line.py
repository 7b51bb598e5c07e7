"""A label at the left and a number at the right edge, cheap to change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from pe_desktop.controls.look import GRID, HALF, Look
from pe_desktop.controls.texts import tooltip


class FittingLabel(QLabel):
    """One line of text in smaller type, or shortened, where it does not fit.

    Its size is fixed by whoever places it: of a label that could be of another size, every new text is reported to
    the layouts above. It has a ground of its own, so that Qt need not paint what lies below it first.
    """

    def __init__(self, alignment: Qt.AlignmentFlag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAutoFillBackground(True)
        self._body = self._small = self.font()
        self._metrics = QFontMetrics(self._body)

    def set_look(self, look: Look) -> None:
        """Take the theme's type: its body, and the smaller one for long texts."""
        self._body, self._small = look.body, look.small
        self._metrics = QFontMetrics(look.body)
        self.setFont(look.body)

    def place(self, left: int, width: int, height: int) -> None:
        """Take a place within the parent."""
        if (width, height) != self.size().toTuple():
            self.setFixedSize(width, height)
        self.move(left, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, text = QPainter(self), self.text()
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        if self._metrics.horizontalAdvance(text) > self.width():
            painter.setFont(self._small)
            text = QFontMetrics(self._small).elidedText(text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), self.alignment(), text)


class ValueLine(QWidget):
    """The two labels, placed by hand: with a layout, each new number would lay the whole dock out anew."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = FittingLabel(Qt.AlignmentFlag.AlignLeft, self)
        self.number = FittingLabel(Qt.AlignmentFlag.AlignRight, self)
        self.number.setObjectName(name)
        self.inset = 0
        self.tip = ""  # a sentence that tells what is measured
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def event(self, event: QEvent) -> bool:
        # The sentence may change in every frame of a drag; it is wrapped and set when it is to be seen.
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(tooltip(self.tip))
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() + HALF)

    def place(self) -> None:
        """Give the label what it needs and the number the rest."""
        room = max(0, self.width() - self.inset)
        needed = self.label.fontMetrics().horizontalAdvance(self.label.text())
        # A label never takes the number's room altogether.
        left = min(needed, room * 3 // 4)
        self.label.place(self.inset, left, self.height())
        start = self.inset + left + GRID
        self.number.place(start, max(0, self.width() - start), self.height())

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.label.set_look(look)
        self.number.set_look(look)
        self.setFont(look.body)
        self.updateGeometry()
        self.place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
