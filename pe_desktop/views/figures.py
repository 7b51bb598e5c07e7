"""A row of numbers with their names, painted by hand: other numbers in it move nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font

Figure = tuple[tuple[str, ...], tuple[str, ...]]  # name and text, each in ever shorter forms
GAP, LINE_GAP = 18.0, 6.0
WIDE = 96  # letters of average width; a narrower row becomes two


class Figures(QWidget):
    """Names above their numbers, beside each other; in a narrow panel in two rows of two.

    Of each name and text the longest form that fits is shown; what is not whole is told by the tooltip.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAutoFillBackground(True)
        self._names, self._texts = Letters(), Letters()
        self._ink, self._faint = QColor(), QColor()
        self._figures: tuple[Figure, ...] = ()
        self._shown: list[tuple[QRectF, str, str]] | None = None

    @property
    def figures(self) -> dict[str, str]:
        """Every name and its whole text."""
        return {names[0]: texts[0] for names, texts in self._figures}

    @property
    def shown(self) -> list[tuple[QRectF, str, str]]:
        """Place, name and text of each number as painted."""
        if self._shown is None:
            self._shown = self._place()
        return list(self._shown)

    def _rows(self, width: int) -> int:
        return 1 if width >= WIDE * self._texts.metrics.averageCharWidth() else 2

    @property
    def _line(self) -> float:
        return self._names.metrics.height() + self._texts.metrics.height()

    def heightForWidth(self, width: int) -> int:
        rows = self._rows(width)
        return round(rows * self._line + (rows - 1) * LINE_GAP) + 2

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        self._names.set_font(font(theme.small))
        self._texts.set_font(font(theme.body))
        self._ink, self._faint = QColor(theme.text), QColor(theme.muted)
        self._shown = None
        self.updateGeometry()
        self.update()

    def set_figures(self, figures: Sequence[Figure]) -> None:
        """Show other numbers."""
        if tuple(figures) != self._figures:
            self._figures, self._shown = tuple(figures), None
            self.update()

    def _place(self) -> list[tuple[QRectF, str, str]]:
        rows = self._rows(self.width())
        across = -(-len(self._figures) // rows)
        placed: list[tuple[QRectF, str, str]] = []
        for row in range(rows):
            some = self._figures[row * across : (row + 1) * across]
            top, left = row * (self._line + LINE_GAP), 0.0
            for place, (names, texts) in enumerate(some):
                rest = self.width() - left
                room = rest if place == len(some) - 1 else self._room(names, texts, rest / (len(some) - place), rows)
                name, text = _fitted(names, self._names, room), _fitted(texts, self._texts, room)
                placed.append((QRectF(left, top, room, self._line), name, text))
                left += room + GAP
        return placed

    def _room(self, names: tuple[str, ...], texts: tuple[str, ...], share: float, rows: int) -> float:
        """Width of a number that is not the last of its row: what it needs, or in two rows an equal share."""
        if rows > 1:
            return share - GAP / 2
        return max(self._names.width(names[0]), self._texts.width(texts[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._shown = None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            whole = "\n".join(f"{name}: {text}" for name, text in self.figures.items())
            self.setToolTip("" if [entry[1:] for entry in self.shown] == list(self.figures.items()) else whole)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for letters, ink, index in ((self._names, self._faint, 1), (self._texts, self._ink, 2)):
            painter.setFont(letters.font)
            painter.setPen(ink)
            for entry in self.shown:
                drop = self._names.metrics.height() if index == 2 else 0.0
                base = entry[0].top() + drop + letters.metrics.ascent()
                painter.drawText(QPointF(entry[0].left(), base), str(entry[index]))
        painter.end()


def _fitted(texts: tuple[str, ...], letters: Letters, room: float) -> str:
    """The longest form that fits; the shortest one cut where none does."""
    fitting = next((text for text in texts if letters.width(text) <= room), None)
    return fitting or letters.metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, room)
