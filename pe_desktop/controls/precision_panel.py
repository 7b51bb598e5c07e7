"""The number formats under study: a preset, or a format for each stage, and what is asked about them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_desktop.controls.look import Look
from pe_desktop.controls.parameter_rows import row_for
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import ChoiceRow, FieldRow
from pe_desktop.controls.section import Section
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.precision import CUSTOM, PRESETS, PrecisionChoice
from pe_desktop.core.state import LABELS, LabState

PRESET = "preset"


class PrecisionPanel(Section):
    """The section of the precision lab, folded at first; its rows come from the metadata of the choice."""

    refused = Signal(object, object)
    group = "precision"  # the field of the state that its rows change

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(self.group, LABELS[self.group], parent)
        self._preset = ChoiceRow(PRESET, "Preset", group=self.group, parent=self.body)
        for name, words in (*((name, words) for name, words, _ in PRESETS), CUSTOM):
            self._preset.add_choice(name, words)
        self._preset.setToolTip(tooltip("All four formats at once, as they occur together in practice."))
        self._fields: dict[str, FieldRow] = {PRESET: self._preset}
        for about in PrecisionChoice.parameters():
            self._fields[about.name] = row_for(about, self.group, self.body)
        for row in self._fields.values():
            self.rows.addWidget(row)
            row.asked.connect(requests.ask)
            row.fix_chosen.connect(requests.ask_fix)
            if isinstance(row, SliderRow):
                row.drag_started.connect(requests.begin_drag)
                row.drag_ended.connect(requests.end_drag)
                row.refused.connect(self.refused)
        self._preset.asked.connect(self._on_preset_asked)
        self._known = self._preset.combo.currentData()
        self.header.setChecked(False)

    def field_rows(self) -> Mapping[str, FieldRow]:
        """The row of each entry."""
        return self._fields

    def show_state(self, state: LabState) -> None:
        """Show the choice of a state."""
        choice = state.precision
        self._known, words = choice.preset
        self._preset.set_value(self._known)
        for about in PrecisionChoice.parameters():
            self._fields[about.name].set_value(getattr(choice, about.name))
        self.set_title(LABELS[self.group], words)

    @Slot()
    def _on_preset_asked(self) -> None:
        # Nothing is custom by being called so; the state stays as it was, and so does the name of its formats.
        self._preset.set_value(self._known)

    def focus_widgets(self) -> list[QWidget]:
        rows = [widget for row in self._fields.values() for widget in row.focus_widgets()]
        return [*super().focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        for row in self._fields.values():
            row.set_look(look)
