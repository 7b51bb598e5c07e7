"""One answer to choose from: its text wraps, and once revealed it is marked by shape and colour."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QRadioButton, QSizePolicy, QStyle, QStyleOptionFocusRect, QWidget

from pe_desktop.controls.look import GRID, HALF, Look, look_of
from pe_desktop.lessons.words import strong
from pe_desktop.theme import LIGHT

_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextHideMnemonic)
# Ticks and crosses in a square from -1 to 1.
_TICK = ((-0.9, 0.0), (-0.3, 0.65), (0.9, -0.75))
_CROSS = (((-0.7, -0.7), (0.7, 0.7)), ((-0.7, 0.7), (0.7, -0.7)))


class Mark(Enum):
    """What is known about an answer."""

    OPEN = ""
    RIGHT = "right"
    WRONG = "not right"


class OptionButton(QRadioButton):
    """A radio button whose text may take several lines.

    Parameters
    ----------
    place : int
        From 0; the number key of the next number chooses it.
    """

    def __init__(self, place: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"lesson_option_{place + 1}")
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.mark = Mark.OPEN
        self._place = place
        self._look = look_of(LIGHT)

    def show_option(self, text: str, mark: Mark, *, mine: bool) -> None:
        """Show an answer.

        Parameters
        ----------
        text : str
        mark : Mark
        mine : bool
            Whether it is the one chosen.
        """
        self.setText(text)
        self.mark = mark
        said = [text, mark.value, "your answer" if mine and mark is not Mark.OPEN else ""]
        self.setAccessibleName(", ".join(part for part in said if part))
        self.setToolTip(f"Key {self._place + 1}" if mark is Mark.OPEN else "")
        self.updateGeometry()
        self.update()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        self.setFont(look.body)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        # As bold as it is when it is right, and then in one line: the height of this is the least it can have.
        width = QFontMetrics(strong(self._look)).horizontalAdvance(self.text()) + self._left() + GRID
        return QSize(width, self._height(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._left() + 4 * GRID, QFontMetrics(self.font()).height() + GRID)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._height(width)

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def _left(self) -> int:
        return QFontMetrics(self._look.body).height() + GRID

    def _height(self, width: int) -> int:
        room = QRect(0, 0, max(width - self._left() - HALF, 1), 10_000)
        return QFontMetrics(strong(self._look)).boundingRect(room, _WRAPPED, self.text()).height() + GRID

    def paintEvent(self, event: QPaintEvent) -> None:
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QFontMetrics(look.body).height()
        self._paint_mark(painter, QPointF(line / 2, HALF + line / 2), line * 0.36)
        stands_back = not self.isEnabled() and self.mark is Mark.OPEN
        painter.setPen(QColor(theme.muted if stands_back else theme.text))
        painter.setFont(strong(look) if self.mark is Mark.RIGHT else look.body)
        place = self.rect().adjusted(self._left(), HALF, -HALF, -HALF)
        painter.drawText(place, _WRAPPED, self.text())
        if self.hasFocus():
            option = QStyleOptionFocusRect()
            option.initFrom(self)
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    def _paint_mark(self, painter: QPainter, centre: QPointF, radius: float) -> None:
        theme, pen = self._look.theme, max(1.5, radius / 4)
        if self.mark is Mark.RIGHT:
            painter.setPen(QPen(QColor(theme.accent), 1.6 * pen))
            painter.drawPolyline(QPolygonF([centre + QPointF(x, y) * radius for x, y in _TICK]))
        elif self.mark is Mark.WRONG:
            painter.setPen(QPen(QColor(self._look.error), 1.6 * pen))
            for start, end in _CROSS:
                painter.drawLine(centre + QPointF(*start) * radius, centre + QPointF(*end) * radius)
        else:
            chosen, hot = self.isChecked(), self.underMouse() and self.isEnabled()
            painter.setPen(QPen(QColor(theme.accent if chosen or hot else theme.muted), pen))
            painter.setBrush(QColor(theme.panel))
            painter.drawEllipse(centre, radius, radius)
            if chosen:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.accent))
                painter.drawEllipse(centre, radius * 0.5, radius * 0.5)
