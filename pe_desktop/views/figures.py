"""A row of numbers with their names, painted by hand: other numbers in it move nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font

Figure = tuple[tuple[str, ...], tuple[str, ...]]  # name and text, each in ever shorter forms
GAP, LINE_GAP = 18.0, 6.0
WIDE = 96  # letters of average width; a narrower row of more than FEW numbers becomes two
DIGITS = 10  # of a long number
FEW, SOME = 2, 4  # more than SOME make two rows in any panel, and those that have no room there are only told of


class Figures(QWidget):
    """Names above their numbers, beside each other; in a narrow panel in two rows of two.

    Of each name and text the longest form that fits is shown; what is not whole or has no room is told by the tooltip,
    and so is what a number means.
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
        self._abouts: tuple[str, ...] = ()
        self._shown: list[tuple[QRectF, str, str]] | None = None
        self._flat = False

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
        few = len(self._figures) <= (SOME if self._is_wide(width) else FEW)
        return 1 if self._flat or few or self._fit_beside_each_other(width) else 2

    def _fit_beside_each_other(self, width: float) -> bool:
        """Whether more than SOME surely fit one row, whatever the numbers are."""
        least = self._texts.width("0" * DIGITS)
        needs = [max(self._names.width(names[0]), least) for names, _ in self._figures]
        return len(needs) > SOME and sum(needs) + GAP * (len(needs) - 1) <= width

    def _is_wide(self, width: float) -> bool:
        return width >= WIDE * self._texts.metrics.averageCharWidth()

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

    def set_flat(self, flat: bool) -> None:
        """Keep to one row, or not: where height is scarce."""
        if flat != self._flat:
            self._flat, self._shown = flat, None
            self.updateGeometry()
            self.update()

    def set_figures(self, figures: Sequence[Figure], abouts: Sequence[str] = ()) -> None:
        """Show other numbers; `abouts` say what each means."""
        self._abouts = tuple(abouts)
        if tuple(figures) == self._figures:
            return
        names = [names for names, _ in self._figures]
        self._figures, self._shown = tuple(figures), None
        if [names for names, _ in figures] != names:
            self.updateGeometry()
        self.update()

    def _place(self) -> list[tuple[QRectF, str, str]]:
        rows = self._rows(self.width())
        if len(self._figures) > (FEW if self._flat else SOME):
            return self._flow(rows)
        across = -(-len(self._figures) // rows)
        placed: list[tuple[QRectF, str, str]] = []
        for row in range(rows):
            some = self._figures[row * across : (row + 1) * across]
            left = 0.0
            for place, figure in enumerate(some):
                rest = self.width() - left
                room = rest if place == len(some) - 1 else self._room(figure, rest / (len(some) - place), rows)
                placed.append(self._placed(figure, row, left, room))
                left += room + GAP
        return placed

    def _placed(self, figure: Figure, row: int, left: float, room: float) -> tuple[QRectF, str, str]:
        name, text = _fitted(figure[0], self._names, room), _fitted(figure[1], self._texts, room)
        return QRectF(left, row * (self._line + LINE_GAP), room, self._line), name, text

    def _room(self, figure: Figure, share: float, rows: int) -> float:
        """Width of a number that is not the last of its row: what it needs, or in a narrow panel an equal share."""
        if rows > 1 or not self._is_wide(self.width()):
            return share - GAP / 2
        return self._need(figure)

    def _need(self, figure: Figure) -> float:
        names, texts = figure
        return max(self._names.width(names[0]), self._texts.width(texts[0]))

    def _flow(self, rows: int) -> list[tuple[QRectF, str, str]]:
        """Whole numbers one after the other, as many as there is room for, and how many more there are."""
        placed: list[tuple[QRectF, str, str]] = []
        left, row, width = 0.0, 0, self.width()
        for number, figure in enumerate(self._figures):
            rest = len(self._figures) - number
            need = self._need(figure)
            if left and left + need + self._told_room(rest - 1, last=row == rows - 1) > width:
                if row == rows - 1:
                    placed.append((self._line_at(row, left), f"… {rest} more", ""))
                    break
                left, row = 0.0, row + 1
            room = min(need, width - left - self._told_room(rest - 1, last=row == rows - 1))
            placed.append(self._placed(figure, row, left, room))
            left += room + GAP
        return placed

    def _told_room(self, rest: int, *, last: bool) -> float:
        return GAP + self._names.width(f"… {rest} more") if rest and last else 0.0

    def _line_at(self, row: int, left: float) -> QRectF:
        return QRectF(left, row * (self._line + LINE_GAP), self.width() - left, self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._shown = None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self._told_at(event.pos()) if isinstance(event, QHelpEvent) else "")
        return super().event(event)

    def _told_at(self, place: QPoint) -> str:
        """What the number under the mouse means, and all of them where one is shortened."""
        both = zip(self.shown, self._abouts, strict=False)
        about = next((text for entry, text in both if entry[0].contains(QPointF(place))), "")
        whole = [f"{name}: {text}" for name, text in self.figures.items()]
        cut = [entry[1:] for entry in self.shown] != list(self.figures.items())
        return "\n".join([about] * bool(about) + whole * cut)

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
