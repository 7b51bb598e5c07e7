"""The rows at the top of the dock: the scheme, the two sizes and the two positions."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import ChoiceRow, FieldRow
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.catalogue import WHERE, grouped
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE
from pe_desktop.core.state import LABELS, LabState

TOOLTIPS = {
    "dimension": "Width d of the vectors: columns of the matrix.",
    "length": "Number of positions L: rows of the matrix.",
    "position": "The position every view looks at: the row compared with all others, and the query m.",
    "key_position": "The second position: the key n that the query looks at.",
}


class PlainRows(QObject):
    """Makes the rows, whoever lays them out.

    Signals
    -------
    refused : SliderRow, FieldError
        A typed text that cannot be a value.
    """

    refused = Signal(object, object)

    def __init__(self, requests: Requests, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        default = LabState()
        self._scheme = _scheme_row()
        dimension = Scale(*DIMENSION_RANGE, logarithmic=True, even=True)
        self._dimension = self._slider_row("dimension", dimension, default.dimension)
        self._length = self._slider_row("length", Scale(*LENGTH_RANGE, logarithmic=True), default.length)
        spots = Scale(0, default.length - 1)
        self._position = self._slider_row("position", spots, default.position)
        self._key_position = self._slider_row("key_position", spots, default.key_position)
        self.rows: tuple[FieldRow, ...] = (
            self._scheme,
            self._dimension,
            self._length,
            self._position,
            self._key_position,
        )
        for row in self.rows:
            row.asked.connect(requests.ask)
            row.fix_chosen.connect(requests.ask_fix)

    def show_state(self, state: LabState) -> None:
        """Show the values of a state."""
        self._scheme.set_value(state.scheme)
        self._dimension.set_value(state.dimension)
        self._length.set_value(state.length)
        for row, value in ((self._position, state.position), (self._key_position, state.key_position)):
            row.set_range(0, state.length - 1)
            row.set_value(value)

    def _slider_row(self, field: str, scale: Scale, default: int) -> SliderRow:
        row = SliderRow(field, LABELS[field], scale, default)
        row.setToolTip(tooltip(TOOLTIPS[field], "Double-click: back to the default."))
        row.drag_started.connect(self._requests.begin_drag)
        row.drag_ended.connect(self._requests.end_drag)
        row.refused.connect(self.refused)
        return row


def _scheme_row() -> ChoiceRow:
    row = ChoiceRow("scheme", LABELS["scheme"])
    for group in grouped().values():
        if row.combo.count():
            row.add_separator()
        for scheme in group:
            source = f"Source: {scheme.source}." if scheme.source else ""
            row.add_choice(scheme.id, scheme.title, tooltip(scheme.summary, WHERE[scheme.acts], source))
    return row
