"""A field for a list of numbers: one line that shows the whole list only while it is typed in, and a sheet of lines."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from pe_desktop.controls.look import GRID, Look
from pe_desktop.controls.texts import list_summary
from pe_desktop.controls.typed import Typed

SHEET_LINES = 6
# QLineEdit's own margins at the sides of the text, a pixel for the cursor, and one for what rounding takes.
_PADDING = 6


class ListLine(Typed, QLineEdit):
    """The list in one line; at rest as many of its numbers as fit, and how many there are.

    Signals
    -------
    committed, cancelled
        See :class:`Typed`.
    sheet_asked
        The arrow key down: to see all numbers.
    """

    committed = Signal(str)
    cancelled = Signal()
    sheet_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full = ""
        # What is pasted is judged in one sentence, not silently cut.
        self.setMaxLength(1 << 24)

    def show_text(self, text: str) -> None:
        """See :meth:`Typed.show_text`; `text` is the whole list."""
        self._full = text
        super().show_text(self._face())

    def expect_text(self, text: str) -> None:
        """See :meth:`Typed.expect_text`."""
        self._full = text
        super().expect_text(text)

    def draft(self) -> str:
        """See :meth:`Typed.draft`."""
        return self.text()

    def write(self, text: str) -> None:
        """See :meth:`Typed.write`."""
        self.setText(text)
        self.setCursorPosition(0)

    def select_all(self) -> None:
        """See :meth:`Typed.select_all`."""
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.sheet_asked.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._rest()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._rest()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rest()

    def _rest(self) -> None:
        """Show of the value's text what there is room for, unless something is half typed or refused."""
        if not self.dirty and not self.marked:
            super().show_text(self._face())

    def _face(self) -> str:
        if self.hasFocus():
            return self._full
        return list_summary(self._full, self.fontMetrics().horizontalAdvance, self.contentsRect().width() - _PADDING)


class ListSheet(Typed, QPlainTextEdit):
    """The whole list in several lines. Enter commits, as in one line; Shift+Enter begins a new line.

    Signals
    -------
    committed, cancelled
        See :class:`Typed`.
    closed
        Enter or Esc with nothing left to commit.
    """

    committed = Signal(str)
    cancelled = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def draft(self) -> str:
        """See :meth:`Typed.draft`."""
        return self.toPlainText()

    def write(self, text: str) -> None:
        """See :meth:`Typed.write`."""
        self.setPlainText(text)

    def select_all(self) -> None:
        """See :meth:`Typed.select_all`."""
        self.selectAll()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        super().set_look(look)
        self.setFixedHeight(SHEET_LINES * self.fontMetrics().lineSpacing() + 2 * GRID)

    def event(self, event: QEvent) -> bool:
        # A window's Esc shortcut must not take the key that closes the sheet.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain
        if (enter or event.key() == Qt.Key.Key_Escape) and not self.dirty and not self.marked:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
