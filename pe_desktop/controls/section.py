"""A titled part of the dock that folds away."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QStyleOptionFocusRect, QVBoxLayout, QWidget

from pe_desktop.controls.look import GRID, HALF, Look


class SectionHeader(QAbstractButton):
    """The title with ▸ or ▾; folded, it also names what is inside."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_header")
        self.setCheckable(True)
        self.setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.summary = ""
        self._look: Look | None = None

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        self.setFont(look.title)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 3 * GRID, metrics.height() + HALF)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._look is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, size = self._look.theme, QFontMetrics(self.font()).ascent() * 0.28
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.muted))
        painter.drawPolygon(_arrow(QPointF(size + 1, self.height() / 2), size, down=self.isChecked()))
        left = round(2 * size) + GRID
        left += self._write(painter, left, self.text(), self.font(), theme.text)
        if self.summary and not self.isChecked():
            self._write(painter, left + GRID, self.summary, self._look.small, theme.muted)
        if self.hasFocus():
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    def _write(self, painter: QPainter, left: int, text: str, font: QFont, colour: str) -> int:
        room = max(0, self.width() - left)
        metrics = QFontMetrics(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(QRect(left, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        return metrics.horizontalAdvance(text)


class Section(QWidget):
    """A header and a body below it.

    Signals
    -------
    folded : bool
        The body was hidden (True) or shown.
    """

    folded = Signal(bool)

    def __init__(self, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_section")
        self.header = SectionHeader(name, self)
        self.body = QWidget(self)
        self.rows = QVBoxLayout(self.body)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(HALF)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(HALF)
        layout.addWidget(self.header)
        layout.addWidget(self.body)
        self.set_title(title)
        self.header.toggled.connect(self._on_header_toggled)

    def set_title(self, title: str, summary: str = "") -> None:
        """Name the section; `summary` is read while it is folded."""
        self.header.setText(title)
        self.header.setAccessibleName(title)
        self.header.setAccessibleDescription(summary)
        self.header.summary = summary
        self.header.update()

    def unfold(self) -> None:
        """Show the body."""
        self.header.setChecked(True)

    def focus_widgets(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        return [self.header]

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.header.set_look(look)

    @Slot(bool)
    def _on_header_toggled(self, checked: bool) -> None:
        self.body.setVisible(checked)
        self.folded.emit(not checked)


def _arrow(centre: QPointF, size: float, *, down: bool) -> QPolygonF:
    corners = [(-1.0, -0.55), (1.0, -0.55), (0.0, 0.75)] if down else [(-0.55, -1.0), (-0.55, 1.0), (0.75, 0.0)]
    return QPolygonF([centre + QPointF(x * size, y * size) for x, y in corners])
