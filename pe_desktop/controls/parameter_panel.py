"""Rows for the parameters of whichever scheme is chosen, built from their metadata alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from pe_desktop.controls.look import Look, tint
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import CheckRow, ChoiceRow, FieldRow
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.section import Section
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.scheme import Parameter, Scheme
from pe_desktop.core.state import LabState

NOTHING = "This scheme has no parameters."
# A parameter measured in these counts columns of the model: there are no more than the model
# has, and a slider stops at whole pairs of them.
COLUMNS_UNIT = "dimensions"
FAR = 1e9


class ParameterPanel(Section):
    """The section of the scheme's parameters.

    Signals
    -------
    rebuilt
        The rows are others than before.
    refused : SliderRow, FieldError
        A typed text that is no number.
    """

    rebuilt = Signal()
    refused = Signal(object, object)

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__("parameters", "", parent)
        self._requests = requests
        self._rows: dict[str, FieldRow] = {}
        # Rows are made once for each class of scheme and then only hidden: making widgets anew costs a frame, and
        # PySide never gives back a few references for each one made.
        self._made: dict[type[Scheme], dict[str, FieldRow]] = {}
        self._look: Look | None = None
        self._nothing = QLabel(NOTHING, self.body)
        self._notes = QLabel(self.body)
        self._notes.setObjectName("parameter_notes")
        for label in (self._nothing, self._notes):
            label.setWordWrap(True)
            self.rows.addWidget(label)
        self._notes.hide()

    def field_rows(self) -> Mapping[str, FieldRow]:
        """The row of each parameter."""
        return self._rows

    def show_state(self, state: LabState) -> None:
        """Show the parameters of a state."""
        scheme = state.built
        if self._rows is not self._made.get(type(scheme)):
            self._turn_to(type(scheme))
        given = state.params.get(state.scheme, {})
        effective = scheme.effective()
        for about in scheme.parameters():
            row = self._rows[about.name]
            value = given.get(about.name, about.default)
            if isinstance(row, SliderRow):
                if about.unit == COLUMNS_UNIT:
                    row.set_range(about.minimum, min(about.maximum, state.dimension))
                row.set_value(value, effective[about.name])
            else:
                row.set_value(value)  # type: ignore[attr-defined]

    def show_notes(self, notes: tuple[str, ...]) -> bool:
        """Show the scheme's own remarks on its parameters; True if they are others than before."""
        text = "\n".join(notes)
        if text == self._notes.text():
            return False
        self._notes.setText(text)
        self._notes.setVisible(bool(text))
        return True

    def focus_widgets(self) -> list[QWidget]:
        rows = [widget for row in self._rows.values() for widget in row.focus_widgets()]
        return [*super().focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._look = look
        for label in (self._nothing, self._notes):
            label.setFont(look.small)
            tint(label, QPalette.ColorRole.WindowText, look.theme.muted)
        for rows in self._made.values():
            for row in rows.values():
                row.set_look(look)

    def _turn_to(self, scheme: type[Scheme]) -> None:
        for row in self._rows.values():
            row.hide()
        if scheme not in self._made:
            self._made[scheme] = {
                about.name: self._add_row(place, about) for place, about in enumerate(scheme.parameters())
            }
        self._rows = self._made[scheme]
        for row in self._rows.values():
            row.show()
        self._nothing.setVisible(not self._rows)
        self.set_title(scheme.title, ", ".join(about.label.lower() for about in scheme.parameters()))
        self.rebuilt.emit()

    def _add_row(self, place: int, about: Parameter) -> FieldRow:
        row = row_for(about, self.body)
        row.setToolTip(_explain(about))
        row.asked.connect(self._requests.ask)
        row.fix_chosen.connect(self._requests.ask_fix)
        if isinstance(row, SliderRow):
            row.drag_started.connect(self._requests.begin_drag)
            row.drag_ended.connect(self._requests.end_drag)
            row.refused.connect(self.refused)
        if self._look is not None:
            row.set_look(self._look)
        self.rows.insertWidget(place, row)
        return row


def row_for(about: Parameter, parent: QWidget | None = None) -> FieldRow:
    """The row that fits a parameter's kind."""
    if about.choices:
        choice = ChoiceRow(about.name, about.label, parameter=True, parent=parent)
        for value, words in about.choices:
            choice.add_choice(value, words)
        return choice
    if about.kind is bool:
        return CheckRow(about.name, about.label, parameter=True, parent=parent)
    return SliderRow(
        about.name,
        about.label,
        scale_for(about),
        about.default,
        parameter=True,
        optional=bool(about.derived),
        parent=parent,
    )


def scale_for(about: Parameter) -> Scale:
    """The slider's range for a parameter; one without an upper end gets a far one (typing goes beyond)."""
    high = about.maximum
    if not math.isfinite(high):
        high = FAR if about.logarithmic else max(10.0, 10 * abs(about.default or 0))
    number: Any = int if about.kind is int else float
    even = about.kind is int and about.unit == COLUMNS_UNIT
    return Scale(number(about.minimum), number(high), about.kind is int, about.logarithmic, even)


def _explain(about: Parameter) -> str:
    unit = f"Unit: {about.unit}." if about.unit else ""
    derived = f"Empty: {about.derived}." if about.derived else ""
    source = f"Source: {about.source}." if about.source else ""
    return tooltip(about.help, unit, derived, source)
