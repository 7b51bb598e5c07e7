"""A row with a typed text: what is typed is asked for, refused in a sentence, or reverted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal, Slot

from pe_desktop.controls.rows import FieldRow
from pe_desktop.controls.typed import Typed
from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState

FITS_NOW = "This fits now: press Enter in the field to take it."


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

    @property
    def holds_refused(self) -> bool:
        """Whether a refused text waits in the field to be mended."""
        return self._edit.marked

    def judge_anew(self, state: LabState) -> None:
        """Say what is wrong with the refused text in another state.

        Without remedies: those belong to the request that was refused last.
        """
        try:
            state.change(self.changes(self._read(self._edit.draft())))
        except FieldError as error:
            super().show_error(FieldError(error.field, error.message))
        else:
            super().show_error(FieldError(self.field, FITS_NOW))

    def release(self) -> None:
        """Let the refused text go with its refusal: a remedy was chosen for it."""
        self._edit.mark(False)

    def drop_refused(self) -> None:
        """Go back to the text of the value and take the refusal away."""
        self._edit.revert()
        self.clear_error()

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
        """Show the text of the value, unless what is typed is just being judged or was refused."""
        # Another value than before wins over what is typed: it came by undo, reset or a click in a view.
        if self._committing or (self._edit.marked and self._edit.expects(self._text())):
            self._edit.expect_text(self._text())
        else:
            self._edit.show_text(self._text())

    @Slot()
    def _on_reset_asked(self) -> None:
        self.drop_refused()
        if self._default != self._value:
            self._want(self._default)

    @Slot(str)
    def _on_edit_committed(self, text: str) -> None:
        self._committing = True
        self._edit.mark(False)
        try:
            value = self._read(text)
        except FieldError as error:
            self.show_error(error)
            self.refused.emit(self, error)
        else:
            self._want(value)
        finally:
            self._committing = False
        # A refused text stays, marked: nobody has to type it again to mend it.
        if not self._edit.marked:
            self._edit.show_text(self._text())
            self._edit.select_all()

    @Slot()
    def _on_edit_cancelled(self) -> None:
        self._edit.show_text(self._text())
        self.clear_error()
