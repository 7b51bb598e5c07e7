"""A typed text that commits on Enter or on leaving, and reverts on Esc: what fields of one and of many lines share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, SignalInstance
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QWidget

from pe_desktop.controls.look import Look, tint

if TYPE_CHECKING:
    _Base = QWidget
else:  # at run time the Qt class stands beside it
    _Base = object
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Typed(_Base):
    """Mix into a text widget, before its Qt class.

    The widget declares the signals ``committed`` (str: the text, when Enter is pressed or the focus leaves a changed
    text) and ``cancelled`` (Esc on a changed or refused text), and says how its text is read and written. A refused
    text stays, marked, wherever the focus is, until it is mended, reverted, or another value comes.
    """

    committed: SignalInstance
    cancelled: SignalInstance
    marked = False
    _shown = ""
    _refused: str | None = None
    _error_colour: str | None = None

    def draft(self) -> str:
        """The text as it stands in the field."""
        raise NotImplementedError

    def write(self, text: str) -> None:
        """Put a text into the field."""
        raise NotImplementedError

    def select_all(self) -> None:
        """Select the whole text, to be typed over."""
        raise NotImplementedError

    @property
    def dirty(self) -> bool:
        """Whether the text is not the one of the value."""
        return self.draft() != self._shown

    @property
    def refused(self) -> bool:
        """Whether the text as it stands is the one that was refused."""
        return self.marked and self.draft() == self._refused

    @property
    def busy(self) -> bool:
        """Whether a person is at it, so that the model must not overwrite the text."""
        return self.dirty and self.hasFocus()

    def show_text(self, text: str) -> None:
        """Show the text of a value."""
        self.mark(False)
        if text == self._shown and not self.dirty:
            return
        self._shown = text
        self.write(text)

    def expects(self, text: str) -> bool:
        """Whether this is the text of the value as last noted."""
        return text == self._shown

    def expect_text(self, text: str) -> None:
        """Note the text of the value without touching what is being typed."""
        self._shown = text

    def revert(self) -> None:
        """Back to the text of the value, whatever was typed."""
        self.mark(False)
        if self.dirty:
            self.write(self._shown)

    def mark(self, marked: bool) -> None:
        """Colour a refused text."""
        self._refused = self.draft() if marked else None
        if marked != self.marked:
            self.marked = marked
            tint(self, QPalette.ColorRole.Text, self._error_colour if marked else None)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._error_colour = look.error
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
        at_it = self.dirty or self.marked
        if at_it and key in _ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.committed.emit(self.draft())
        elif at_it and key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A menu over the window or another window in front is not the end of typing.
        if event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            return
        if (self.dirty or self.marked) and not self.refused:
            self.committed.emit(self.draft())
