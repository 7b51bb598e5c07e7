"""The page that lists what can be learnt: lessons under their headings, and files that cannot be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from pe_desktop.controls.look import GRID, HALF, Look, look_of
from pe_desktop.lessons.words import PageButton, strong
from pe_desktop.theme import LIGHT

ROW = Qt.ItemDataRole.UserRole
OPEN_ROOM = 4 * GRID  # at the right of a row: a click there opens it
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft


class Sort(Enum):
    """What a row is."""

    HEADING = "heading"
    LESSON = "lesson"
    BROKEN = "broken"
    NOTE = "note"


@dataclass(frozen=True)
class Row:
    """One row of the list.

    Parameters
    ----------
    sort : Sort
    title, detail : str
        The second is muted; of a broken file it says what is wrong with it.
    key : object
        What is opened.
    """

    sort: Sort
    title: str
    detail: str = ""
    key: Any = None


class RowPainter(QStyledItemDelegate):
    """Draws a row as wide as the list, its texts wrapped."""

    def __init__(self, view: QListWidget) -> None:
        super().__init__(view)
        self._view = view
        self._look = look_of(LIGHT)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        # As if the scroll bar were there: whether it is depends on the heights.
        bar = self._view.verticalScrollBar().sizeHint().width()
        row, width = index.data(ROW), self._view.width() - bar
        texts = self._places(row, QRect(0, 0, width, 0))
        return QSize(width, texts[-1][0].bottom() + 1 + (HALF if row.sort is Sort.HEADING else GRID))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row, theme, place = index.data(ROW), self._look.theme, option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver) and row.sort is Sort.LESSON
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or hovered:
            shade = QColor(theme.accent)
            shade.setAlphaF(0.14 if chosen else 0.06)
            painter.fillRect(place, shade)
        if chosen:
            painter.fillRect(QRect(place.topLeft(), QSize(3, place.height())), QColor(theme.accent))
        for text_place, text, font, colour in self._places(row, place):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(text_place, int(_WRAPPED), text)
        if row.sort is Sort.LESSON:
            painter.setPen(QPen(QColor(theme.accent if chosen or hovered else theme.muted), 2 * theme.pen))
            painter.drawPolyline(_chevron(place))
        painter.restore()

    def _places(self, row: Row, place: QRect) -> list[tuple[QRect, str, QFont, str]]:
        """Where its texts go, with type and colour."""
        look, theme = self._look, self._look.theme
        heading = row.sort is Sort.HEADING
        inside = place.adjusted(GRID + HALF, 2 * GRID if heading else GRID, -GRID, 0)
        if row.sort is Sort.LESSON:
            inside.setRight(place.right() - OPEN_ROOM)
        first = (row.title, look.title if heading else strong(look), theme.text)
        if row.sort is Sort.BROKEN:
            first = (f"⚠ {row.title}", strong(look), look.error)
        if row.sort is Sort.NOTE:
            first = (row.title, look.body, theme.muted)
        found: list[tuple[QRect, str, QFont, str]] = []
        for text, font, colour in (first, (row.detail, look.body, theme.muted)):
            if not text:
                continue
            room = QRect(inside.left(), inside.top(), inside.width(), 10_000)
            taken = QFontMetrics(font).boundingRect(room, int(_WRAPPED), text)
            found.append((QRect(inside.left(), inside.top(), inside.width(), taken.height()), text, font, colour))
            inside.setTop(found[-1][0].bottom() + 1 + HALF // 2)
        return found


def _chevron(place: QRect) -> QPolygon:
    size, middle, left = HALF, place.center().y(), place.right() - OPEN_ROOM // 2 - HALF
    return QPolygon([QPoint(left, middle - size), QPoint(left + size, middle), QPoint(left, middle + size)])


class Rows(QListWidget):
    """The rows; Enter, a double-click and a click on the arrow of a row open it.

    Signals
    -------
    opened : object
        The key of a lesson's row.
    """

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_rows")
        self.setAccessibleName("Lessons")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.painter = RowPainter(self)
        self.setItemDelegate(self.painter)

    def open_current(self) -> None:
        """Open the row that is chosen, if it is a lesson's."""
        row = self.row_of(self.currentItem())
        if row is not None and row.sort is Sort.LESSON:
            self.opened.emit(row.key)

    @staticmethod
    def row_of(item: QListWidgetItem | None) -> Row | None:
        """What an item shows."""
        return item.data(ROW) if item is not None else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and self._is_arrow(at.x()) and self.itemAt(at) is not None:
            self.open_current()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.itemAt(event.position().toPoint()) is not None:
            self.open_current()

    def _is_arrow(self, x: int) -> bool:
        return x >= self.viewport().width() - OPEN_ROOM


class LessonList(QWidget):
    """The list with its buttons.

    Signals
    -------
    opened : object
        The key of a row.
    file_asked, folder_asked
    """

    opened = Signal(object)
    file_asked = Signal()
    folder_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_list")
        self.rows = Rows(self)
        self._shown: tuple[Row, ...] = ()
        self._open = PageButton("lesson_open", "Open", primary=True)
        self._file = PageButton("lesson_open_file", "Open a lesson file…")
        self._folder = PageButton("lesson_show_folder", "Show my folder")
        self._buttons = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._buttons.setContentsMargins(GRID, GRID, GRID, GRID)
        self._buttons.setSpacing(HALF)
        for button in (self._open, self._file, self._folder):
            self._buttons.addWidget(button)
        self._buttons.addStretch(0)
        self._layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.rows, 1)
        self._layout.addLayout(self._buttons)
        self.rows.opened.connect(self.opened)
        self.rows.currentRowChanged.connect(self._on_rows_current_row_changed)
        self._open.clicked.connect(self.rows.open_current)
        self._file.clicked.connect(self.file_asked)
        self._folder.clicked.connect(self.folder_asked)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """List what there is; the row chosen stays so where it still is there, else the first lesson is."""
        if tuple(rows) == self._shown:
            return
        before = self.rows.row_of(self.rows.currentItem())
        self._shown = tuple(rows)
        self.rows.clear()
        for row in rows:
            self.rows.addItem(_item(row))
        lessons = [place for place, row in enumerate(rows) if row.sort is Sort.LESSON]
        kept = [place for place in lessons if before is not None and rows[place].key == before.key]
        if lessons:
            self.rows.setCurrentRow((kept or lessons)[0])

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.rows.painter.set_look(look)
        self.rows.setFont(look.body)
        for button in (self._open, self._file, self._folder):
            button.set_look(look)
        self.rows.scheduleDelayedItemsLayout()

    def take_focus(self) -> None:
        """Put the keyboard into the list."""
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() > 2 * self.height()
        self._layout.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    @Slot(int)
    def _on_rows_current_row_changed(self, place: int) -> None:
        row = self.rows.row_of(self.rows.item(place))
        self._open.setEnabled(row is not None and row.sort is Sort.LESSON)


def _item(row: Row) -> QListWidgetItem:
    # The text is what type-ahead looks for and what is read aloud; the painter draws the row itself.
    item = QListWidgetItem(row.title)
    item.setData(ROW, row)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.title}. {row.detail}".strip())
    item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, row.detail)
    if row.sort in (Sort.HEADING, Sort.NOTE):
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    return item
