"""A field for a typed number that commits on Enter or on leaving, and reverts on Esc."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from pe_desktop.controls.look import Look, tint

_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_PAGES = {Qt.Key.Key_PageUp: 1, Qt.Key.Key_PageDown: -1}


class NumberEdit(QLineEdit):
    """The typed number of a row.

    Signals
    -------
    committed : str
        The text, when Enter is pressed or the focus leaves a changed text.
    cancelled
        Esc on a changed or refused text.
    stepped, paged : int
        Arrow and Page keys, -1 or +1.
    """

    committed = Signal(str)
    cancelled = Signal()
    stepped = Signal(int)
    paged = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._shown = ""
        self._error_colour: str | None = None
        self.marked = False

    @property
    def dirty(self) -> bool:
        """Whether the text is not the one of the value."""
        return self.text() != self._shown

    @property
    def busy(self) -> bool:
        """Whether a person is at it, so that the model must not overwrite the text."""
        return self.dirty and self.hasFocus()

    def show_text(self, text: str) -> None:
        """Show the text of a value."""
        if text == self._shown and not self.dirty:
            return
        self._shown = text
        self.setText(text)
        # The leading digits matter most when the text is too long.
        self.setCursorPosition(0)

    def expect_text(self, text: str) -> None:
        """Note the text of the value without touching what is being typed."""
        self._shown = text

    def revert(self) -> None:
        """Back to the text of the value, whatever was typed."""
        self.mark(False)
        if self.dirty:
            self.setText(self._shown)

    def mark(self, marked: bool) -> None:
        """Colour a refused text."""
        if marked != self.marked:
            self.marked = marked
            tint(self, QPalette.ColorRole.Text, self._error_colour if marked else None)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._error_colour = look.error
        self.setFixedWidth(look.number_width)
        if self.marked:
            tint(self, QPalette.ColorRole.Text, look.error)

    def event(self, event: QEvent) -> bool:
        # A window's Esc shortcut must not take the key from a text to revert.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and (self.dirty or self.marked)
        ):
            event.accept()
            return True
        # With nothing half typed, undo and redo are the laboratory's, not the field's.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and not self.dirty
            and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo))
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (self.dirty or self.marked):
            self.committed.emit(self.text())
        elif key == Qt.Key.Key_Escape and (self.dirty or self.marked):
            self.cancelled.emit()
        elif key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in _PAGES:
            self.paged.emit(_PAGES[key])
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A menu over the window or another window in front is not the end of typing.
        if event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            return
        if self.marked:
            self.setText(self._shown)
            self.mark(False)
        elif self.dirty:
            self.committed.emit(self.text())
