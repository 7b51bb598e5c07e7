"""A row with a typed text: what is typed is asked for, refused in a sentence, or reverted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot

from pe_desktop.controls.rows import FieldRow
from pe_desktop.controls.typed import Typed
from pe_desktop.core.errors import FieldError


class TypedRow(FieldRow):
    """Base of the rows whose value can be typed; the row keeps the value itself.

    Signals
    -------
    refused : TypedRow, FieldError
        A typed text that cannot be a value, refused before the model sees it.
    """

    refused = Signal(object, object)
    _committing = False
    _default: Any = None
    _value: Any = None
    _edit: Typed

    @property
    def value(self) -> Any:
        """The value shown; None where it is derived."""
        return self._value

    def show_error(self, error: FieldError) -> None:
        super().show_error(error)
        if self._committing:
            self._edit.mark(True)

    def clear_error(self) -> None:
        super().clear_error()
        self._edit.mark(False)
        if not self._edit.busy:
            self._edit.show_text(self._text())

    def _text(self) -> str:
        """The text of the value."""
        raise NotImplementedError

    def _read(self, text: str) -> Any:
        """The value that a text means, or a refusal."""
        raise NotImplementedError

    def _want(self, value: Any) -> None:
        """Show what a person asks for at once, and ask the model for it."""
        raise NotImplementedError

    def _show_draft(self) -> None:
        """Show the text of the value, unless a refused text is at hand."""
        # Another value than before wins over what is half typed: it came by undo, reset or a click in a view.
        if self._committing and self._edit.marked:
            self._edit.expect_text(self._text())
        else:
            self._edit.show_text(self._text())

    @Slot()
    def _on_reset_asked(self) -> None:
        self._edit.revert()
        if self._default != self._value:
            self._want(self._default)

    @Slot(str)
    def _on_edit_committed(self, text: str) -> None:
        self._committing = True
        try:
            value = self._read(text)
        except FieldError as error:
            self.show_error(error)
            self.refused.emit(self, error)
        else:
            self._want(value)
        finally:
            self._committing = False
        # A refused text stays, marked, for as long as a person is at it.
        if not self._edit.marked or not self._edit.hasFocus():
            self._edit.mark(False)
            self._edit.show_text(self._text())
            self._edit.select_all()

    @Slot()
    def _on_edit_cancelled(self) -> None:
        self._edit.show_text(self._text())
        self.clear_error()
