"""The row of a list of numbers: label, one line, and on demand a sheet that shows them all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from pe_desktop.controls.list_edit import ListLine, ListSheet
from pe_desktop.controls.look import Look
from pe_desktop.controls.rows import FIELD_COLUMN
from pe_desktop.controls.texts import list_text
from pe_desktop.controls.typed_row import TypedRow

Numbers = tuple[int | float, ...]
AUTO = "auto"


class ListRow(TypedRow):
    """A list that is typed or pasted.

    Parameters
    ----------
    read : callable
        The list that a text means, or a refusal (:meth:`Parameter.check`).
    default : tuple or None
        What a double-click and an empty text ask for.
    derived : str
        What None stands for; empty if None is no value.

    Signals
    -------
    grown
        The row is higher or lower than before.
    """

    grown = Signal()
    error_row = 2
    _edit: ListLine | ListSheet

    def __init__(
        self,
        field: str,
        label: str,
        read: Callable[[str], Numbers],
        default: Numbers | None,
        *,
        derived: str = "",
        group: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, label, group=group, parent=parent)
        self.setObjectName(self.name)
        self._parse = read
        self._default = default
        self._derived = derived
        self._value: Numbers | None = None
        self._resolved: Numbers | None = None
        self._build(label)
        self._connect()
        self._edit = self._line

    def _build(self, label: str) -> None:
        self._line = ListLine(self)
        self._line.setObjectName(f"{self.name}_edit")
        self._sheet = ListSheet(self)
        self._sheet.setObjectName(f"{self.name}_sheet")
        self._sheet.hide()
        self._button = QToolButton(self)
        self._button.setObjectName(f"{self.name}_button")
        self._button.setArrowType(Qt.ArrowType.DownArrow)
        self._button.setAutoRaise(True)
        self._button.setCheckable(True)
        # The field keeps the focus, and with it what is half typed; the arrow key does what the button does.
        self._button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._button.setAccessibleName(f"Show all numbers of {label}")
        for edit in (self._line, self._sheet):
            edit.setAccessibleName(label)
        self._line.setPlaceholderText(self._derived)
        self._label.setBuddy(self._line)
        place = QHBoxLayout()
        place.setSpacing(0)
        place.addWidget(self._line, 1)
        place.addWidget(self._button, 0, Qt.AlignmentFlag.AlignRight)
        self._grid.addLayout(place, 0, FIELD_COLUMN, 1, -1)
        self._grid.addWidget(self._sheet, 1, 0, 1, -1)

    def _connect(self) -> None:
        for edit in (self._line, self._sheet):
            edit.committed.connect(self._on_edit_committed)
            edit.cancelled.connect(self._on_edit_cancelled)
        self._line.sheet_asked.connect(self._on_line_sheet_asked)
        self._sheet.closed.connect(self._on_sheet_closed)
        self._button.toggled.connect(self._on_button_toggled)
        self._label.reset_asked.connect(self._on_reset_asked)

    def set_value(self, value: Numbers | None, resolved: Numbers | None = None) -> None:
        """Show the model's value; `resolved` is the list that None stands for, if one does."""
        if (value, resolved) == (self._value, self._resolved):
            return
        self._value, self._resolved = value, resolved
        self._show_draft()
        if self._derived:
            self._line.setPlaceholderText(self._derived if resolved is None else _auto(resolved))

    def focus_widgets(self) -> list[QWidget]:
        return [self._line, self._sheet]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._line.set_look(look)
        self._sheet.set_look(look)

    def _text(self) -> str:
        return "" if self._value is None else list_text(self._value)

    def _read(self, text: str) -> Any:
        if text.strip().lower() in ("", AUTO):
            return self._default
        return self._parse(text)

    def _want(self, value: Numbers | None) -> None:
        self._value = value
        self._show_draft()
        self.ask(value)

    @Slot(bool)
    def _on_button_toggled(self, checked: bool) -> None:
        if checked:
            typed = self._line.draft() if self._line.dirty else self._text()
            refused = self._line.refused
            self._line.revert()
            self._sheet.show_text(self._text())
            if typed != self._text():
                self._sheet.write(typed)
            self._sheet.mark(refused)
            self._turn_to(self._sheet, self._line)
        else:
            self._turn_to(self._line, self._sheet)
            self._line.show_text(self._text())
            if self._sheet.marked:
                self._line.write(" ".join(self._sheet.draft().splitlines()))
                self._line.mark(True)
                self._sheet.revert()

    def _turn_to(self, edit: ListLine | ListSheet, other: ListLine | ListSheet) -> None:
        edit.show()
        # The other loses the focus and commits what is typed in it while it is still the one that is asked.
        edit.setFocus()
        self._edit = edit
        other.hide()
        self.grown.emit()

    @Slot()
    def _on_line_sheet_asked(self) -> None:
        self._button.setChecked(True)

    @Slot()
    def _on_sheet_closed(self) -> None:
        self._button.setChecked(False)


def _auto(numbers: Numbers) -> str:
    each = f"{len(numbers):,} × {numbers[0]:.4g}" if len(set(numbers)) == 1 else list_text(numbers[:2])[1:-1] + ", …"
    return f"{AUTO} ({each})"
