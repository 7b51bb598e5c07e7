"""Words beside a square of cells: rows at the left, columns along the top, never on top of each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font
from pe_desktop.views.still import StillItem

GAP = 5.0
# At most this share of a slot's width and height goes to words.
ROW_SHARE, COLUMN_SHARE = 0.38, 0.3
MOST_STRETCH = 1.7
WHOLE_CELL = 4.0


@dataclass(frozen=True)
class Layout:
    """Places of one heatmap in scene pixels: the cells, and whether column words stand upright."""

    cells: QRectF
    count: int
    row_room: float
    column_room: float
    upright: bool

    @property
    def pitch(self) -> tuple[float, float]:
        """Width and height of a cell."""
        return self.cells.width() / self.count, self.cells.height() / self.count

    def cell(self, query: int, key: int) -> QRectF:
        """Rectangle of one cell."""
        width, height = self.pitch
        return QRectF(self.cells.left() + key * width, self.cells.top() + query * height, width, height)

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """(query, key) under a place, None outside."""
        if not self.cells.contains(place):
            return None
        width, height = self.pitch
        key, query = int((place.x() - self.cells.left()) / width), int((place.y() - self.cells.top()) / height)
        return (query, key) if query < self.count and key < self.count else None


def lay_out(slot: QRectF, longest: float, line: float, count: int) -> Layout:
    """Share a slot between the words and the cells.

    Parameters
    ----------
    slot : QRectF
        Room for everything, scene pixels.
    longest, line : float
        Width of the longest word and height of a line of text, pixels.
    count : int
        Number of words.
    """
    row_room = min(longest, ROW_SHARE * slot.width()) + GAP
    width = slot.width() - row_room
    upright = longest + 2 > width / count
    # Nor may the last column's word, which is a line wide when upright, stand beyond the slot.
    if upright:
        width = min(width, (width - line / 2) / (1 - 0.5 / count))
    column_room = (min(longest, COLUMN_SHARE * slot.height()) if upright else line) + GAP
    # The last row's word may stand half a line below its cell.
    height = slot.height() - column_room - (line / 2 if (slot.height() - column_room) / count < line else 0.0)
    width, height = min(width, height * MOST_STRETCH), min(height, width * MOST_STRETCH)
    if not upright and longest + 2 > width / count:
        upright = True
        column_room = min(longest, COLUMN_SHARE * slot.height()) + GAP
        height = min(height, slot.height() - column_room)
    # Whole pixels per cell where there are enough of them, so that all cells are equally large.
    width, height = (
        int(side / count) * count if side / count >= WHOLE_CELL else max(int(side), 1) for side in (width, height)
    )
    cells = QRectF(round(slot.left() + row_room), round(slot.top() + column_room), width, height)
    return Layout(cells, count, row_room, column_room, upright)


def chosen(count: int, pitch: float, line: float, first: Iterable[int] = ()) -> list[int]:
    """Slots whose words are written: `first` ones, then every n-th that stays a line clear of the others."""
    every = max(1, -(-line // pitch) if pitch < line else 1)
    taken: list[int] = []
    for slot in (*first, *range(0, count, int(every))):
        if 0 <= slot < count and all(abs(slot - other) * pitch >= line for other in taken):
            taken.append(slot)
    return sorted(taken)


class WordLabels(StillItem):
    """The words of one heatmap, painted when they, their places or the theme change."""

    def __init__(self) -> None:
        super().__init__()
        self._slot = QRectF()
        self._layout: Layout | None = None
        self._words: tuple[str, ...] = ()
        self._marked: tuple[int, ...] = ()
        self._font, self._bold = QFont(), QFont()
        self._letters = Letters()
        self._ink, self._accent = QColor(), QColor()
        self.rows: list[tuple[int, str]] = []
        self.columns: list[tuple[int, str]] = []

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._font, self._bold = font(theme.small), font(theme.small, bold=True)
        self._letters.set_font(self._bold)
        self._ink, self._accent = QColor(theme.text), QColor(theme.accent)
        self.set_ground(theme)

    def longest(self, words: Iterable[str], most: float) -> float:
        """Width of the widest of some words in bold, at most `most` pixels."""
        width = 0.0
        for word in words:
            width = max(width, self._letters.width(word[:80]))
            if width >= most:
                return most
        return width

    def set_words(self, words: tuple[str, ...], marked: tuple[int, ...], layout: Layout, slot: QRectF) -> None:
        """Write `words` around a layout, those at the `marked` slots in bold and accent."""
        if (words, marked, layout, slot) == (self._words, self._marked, self._layout, self._slot):
            return
        self._slot, self._layout, self._words, self._marked = QRectF(slot), layout, words, marked
        self.set_rect(slot)
        # Letters are a little lower than a line; words may stand that close.
        line = 0.85 * QFontMetricsF(self._font).height()
        width, height = layout.pitch
        self.rows = [(s, self._cut(s, layout.row_room - GAP)) for s in chosen(len(words), height, line, marked)]
        room, pitch = (layout.column_room - GAP, line) if layout.upright else (width - 2, 0.0)
        self.columns = [(s, self._cut(s, room)) for s in chosen(len(words), width, pitch, marked)]
        self.changed()

    def _face(self, slot: int) -> QFont:
        return self._bold if slot in self._marked else self._font

    def _cut(self, slot: int, room: float) -> str:
        # No word is shown past 80 letters; measuring 20,000 would take time.
        word = self._words[slot]
        word = word if len(word) <= 80 else word[:80] + "…"
        return QFontMetricsF(self._face(slot)).elidedText(word, Qt.TextElideMode.ElideRight, room + 1)

    def is_cut(self, slot: int, word: str) -> bool:
        """Whether the word of a slot is shown shortened, or not at all."""
        return any(text != word for text in (dict(self.rows).get(slot), dict(self.columns).get(slot)))

    def draw(self, painter: QPainter) -> None:
        layout = self._layout
        if layout is None:
            return
        line = QFontMetricsF(self._font).height()
        width, height = layout.pitch
        cells = layout.cells
        for slot, text in self.rows:
            self._use(painter, slot)
            middle = cells.top() + (slot + 0.5) * height
            place = QRectF(cells.left() - layout.row_room, middle - line / 2, layout.row_room - GAP, line)
            painter.drawText(place, _RIGHT, text)
        for slot, text in self.columns:
            self._use(painter, slot)
            middle = cells.left() + (slot + 0.5) * width
            if layout.upright:
                painter.save()
                painter.translate(middle - line / 2, cells.top() - GAP)
                painter.rotate(-90)
                painter.drawText(QRectF(0, 0, layout.column_room, line), _LEFT, text)
                painter.restore()
            else:
                painter.drawText(QRectF(middle - width / 2, cells.top() - GAP - line, width, line), _CENTRE, text)

    def _use(self, painter: QPainter, slot: int) -> None:
        painter.setFont(self._face(slot))
        painter.setPen(self._accent if slot in self._marked else self._ink)


# Qt turns left and right round for right-to-left words unless told that the sides are meant as such.
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
