"""Options of the toy attention: mask, head, seed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pe_desktop.controls.look import Look
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import CheckRow, FieldRow
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.section import Section
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.state import LABELS, SEED_RANGE, LabState


class AttentionPanel(Section):
    """The section of the attention."""

    refused = Signal(object, object)

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__("attention", "Attention", parent)
        default = LabState()
        self._causal = CheckRow("causal", LABELS["causal"], parent=self.body)
        self._causal.setToolTip(tooltip("Each word attends only to itself and the words before it, as in a decoder."))
        self._head = SliderRow("head", LABELS["head"], Scale(0, default.heads - 1), default.head, parent=self.body)
        self._head.setToolTip(tooltip("Which attention head is shown, counted from 0."))
        self._seed = SliderRow("seed", LABELS["seed"], Scale(*SEED_RANGE), default.seed, parent=self.body)
        self._seed.setToolTip(tooltip("Seed of the toy word vectors and weights, which are random, not trained."))
        self._fields: dict[str, FieldRow] = {"causal": self._causal, "head": self._head, "seed": self._seed}
        for row in self._fields.values():
            self.rows.addWidget(row)
            row.asked.connect(requests.ask)
            row.fix_chosen.connect(requests.ask_fix)
        for slider in (self._head, self._seed):
            slider.drag_started.connect(requests.begin_drag)
            slider.drag_ended.connect(requests.end_drag)
            slider.refused.connect(self.refused)
        self.set_title("Attention", "mask, head, seed")

    def field_rows(self) -> Mapping[str, FieldRow]:
        """The row of each field."""
        return self._fields

    def show_state(self, state: LabState) -> None:
        """Show the fields of a state."""
        self._causal.set_value(state.causal)
        self._head.set_range(0, state.heads - 1)
        self._head.set_value(state.head)
        self._seed.set_value(state.seed)

    def focus_widgets(self) -> list[QWidget]:
        rows = [widget for row in self._fields.values() for widget in row.focus_widgets()]
        return [*super().focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        for row in self._fields.values():
            row.set_look(look)
