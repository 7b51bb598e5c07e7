"""The control dock: every setting of the lab, and what follows from it as numbers."""

from __future__ import annotations

import itertools
from typing import Any

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from pe_desktop.controls.attention_panel import AttentionPanel
from pe_desktop.controls.compare_panel import ComparePanel
from pe_desktop.controls.list_edit import ListLine, ListSheet
from pe_desktop.controls.look import GRID, HALF, LEAST_SLIDER, look_of
from pe_desktop.controls.number_edit import NumberEdit
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.precision_panel import PrecisionPanel
from pe_desktop.controls.properties_panel import PropertiesPanel
from pe_desktop.controls.readouts_panel import ReadoutsPanel
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import ChoiceRow, FieldRow
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.section import Section
from pe_desktop.controls.sentence_panel import SentencePanel
from pe_desktop.controls.settling import settle
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.controls.typed import Typed
from pe_desktop.controls.typed_row import TypedRow
from pe_desktop.core.catalogue import WHERE, grouped
from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Snapshot
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE
from pe_desktop.core.state import LABELS, LabState
from pe_desktop.theme import LIGHT, Theme

SLIDER_WIDTH = 13 * GRID
SENTENCE_FIELDS = ("sentence", "swap", "swap_words")
TOOLTIPS = {
    "dimension": "Width d of the vectors: columns of the matrix.",
    "length": "Number of positions L: rows of the matrix.",
    "position": "The position every view looks at: the row compared with all others, and the query m.",
    "key_position": "The second position: the key n that the query looks at.",
}


class ControlDock(QWidget):
    """The contents of the dock; changes go through ``lab.request`` only.

    Parameters
    ----------
    lab : Lab
        The model.
    """

    def __init__(self, lab: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("control_dock")
        self._lab = lab
        self._requests = Requests(lab, self)
        self._error_target: FieldRow | SentencePanel | None = None
        self._held: list[TypedRow] = []  # earlier refusals whose texts are still in their fields
        self._build()
        self._connect()
        self.set_theme(LIGHT)
        self._show_all(lab.state)
        if lab.state.compare:
            self._compare.unfold()
        if lab.snapshot is not None:
            self._on_lab_snapshot_ready(lab.snapshot)
        self._chain_focus()

    # -- construction

    def _build(self) -> None:
        default = LabState()
        self._scheme = ChoiceRow("scheme", LABELS["scheme"])
        self._fill_schemes()
        dimension = Scale(*DIMENSION_RANGE, logarithmic=True, even=True)
        self._dimension = self._slider_row("dimension", dimension, default.dimension)
        self._length = self._slider_row("length", Scale(*LENGTH_RANGE, logarithmic=True), default.length)
        spots = Scale(0, default.length - 1)
        self._position = self._slider_row("position", spots, default.position)
        self._key_position = self._slider_row("key_position", spots, default.key_position)
        self._rows: tuple[FieldRow, ...] = (
            self._scheme,
            self._dimension,
            self._length,
            self._position,
            self._key_position,
        )
        self._sentence = SentencePanel(self._requests)
        self._parameters = ParameterPanel(self._requests)
        self._compare = ComparePanel(self._requests)
        self._attention = AttentionPanel(self._requests)
        self._precision = PrecisionPanel(self._requests)
        self._readouts = ReadoutsPanel()
        self._properties = PropertiesPanel()
        choices = (self._sentence, self._parameters, self._compare, self._attention, self._precision)
        panels = (*choices, self._readouts, self._properties)
        self._parts: tuple[FieldRow | SentencePanel | Section, ...] = (*self._rows, *panels)
        self._lay_out()

    def _lay_out(self) -> None:
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(HALF)
        for part in self._parts:
            if not isinstance(part, FieldRow):
                column.addSpacing(HALF)
            column.addWidget(part)
        column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self._content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._scroll)

    def _slider_row(self, field: str, scale: Scale, default: int) -> SliderRow:
        row = SliderRow(field, LABELS[field], scale, default)
        row.setToolTip(tooltip(TOOLTIPS[field], "Double-click: back to the default."))
        row.drag_started.connect(self._requests.begin_drag)
        row.drag_ended.connect(self._requests.end_drag)
        row.refused.connect(self._on_row_refused)
        return row

    def _fill_schemes(self) -> None:
        for group in grouped().values():
            if self._scheme.combo.count():
                self._scheme.add_separator()
            for scheme in group:
                source = f"Source: {scheme.source}." if scheme.source else ""
                self._scheme.add_choice(scheme.id, scheme.title, tooltip(scheme.summary, WHERE[scheme.acts], source))

    def _connect(self) -> None:
        for row in self._rows:
            row.asked.connect(self._requests.ask)
            row.fix_chosen.connect(self._requests.ask_fix)
        for panel in (self._parameters, self._compare, self._attention, self._precision):
            panel.refused.connect(self._on_row_refused)
        for rows in (self._parameters, self._compare):
            rows.rebuilt.connect(self._on_parameters_rebuilt)
        for part in self._parts:
            if isinstance(part, Section):
                part.folded.connect(self._on_section_folded)
        self._requests.accepted.connect(self._on_requests_accepted)
        self._requests.mending.connect(self._on_requests_mending)
        self._requests.refused.connect(self._on_requests_refused)
        self._lab.state_changed.connect(self._on_lab_state_changed)
        self._lab.snapshot_ready.connect(self._on_lab_snapshot_ready)
        self._lab.failed.connect(self._on_lab_failed)
        self._lab.stopped_changed.connect(self._readouts.show_stopped)
        self._readouts.compute_asked.connect(self._lab.resume)

    # -- looks

    def set_theme(self, theme: Theme) -> None:
        """Restyle everything."""
        look = look_of(theme)
        self._look = look
        self.setFont(look.body)
        for part in self._parts:
            part.set_look(look)
        self.setMinimumWidth(self._width_with(LEAST_SLIDER))
        self.updateGeometry()
        settle(self._scroll)

    def sizeHint(self) -> QSize:
        return QSize(self._width_with(SLIDER_WIDTH), 90 * GRID)

    def _width_with(self, slider: int) -> int:
        columns = self._look.label_width + slider + self._look.number_width
        # Two gaps between the columns, two margins.
        return columns + 4 * GRID + self._scroll.verticalScrollBar().sizeHint().width()

    # -- errors

    def shows_field(self, name: str) -> bool:
        """Whether a refusal about this field has its place here, where a person can see it."""
        return self.isVisible() and self._target(name) is not None

    @Slot()
    def revert(self) -> None:
        """Drop half-typed and refused texts and the refusals shown, as undo, redo and reset do."""
        kinds: tuple[type[Typed], ...] = (NumberEdit, ListLine, ListSheet)
        for kind in kinds:
            for edit in self.findChildren(kind):
                edit.revert()
        self._clear_error()
        self._judge_held()

    def _target(self, name: str) -> FieldRow | SentencePanel | None:
        """Where a refusal about a field is shown."""
        asked = self._requests.asked
        # "seed" is a setting of the lab and a parameter of a scheme: what was asked for decides.
        own = [self._row(group, field) for group, field in asked if field == name]
        # A parameter refused because of something else (a list that does not fit the dimension just dragged) is told
        # where the person is at work.
        beside = [self._row(group, field) for group, field in asked]
        places = [*own, self._row("", name), *beside, self._parameters.field_rows().get(name)]
        return next((place for place in places if place is not None), None)

    def _row(self, group: str, name: str) -> FieldRow | SentencePanel | None:
        """The row of a field of the state, or of an entry of a field that maps names to values."""
        if group:
            rows = {panel.group: panel.field_rows() for panel in (self._parameters, self._compare, self._precision)}
            return rows.get(group, {}).get(name)
        if name in SENTENCE_FIELDS:
            return self._sentence
        own = {row.field: row for row in (*self._rows, self._compare.choice)} | dict(self._attention.field_rows())
        return own.get(name)

    def _show_error(self, error: FieldError, target: FieldRow | SentencePanel | None) -> None:
        if target is not self._error_target:
            self._clear_error()
        if target is None:
            return
        self._error_target = target
        self._held = [row for row in self._held if row is not target]
        self._judge_held()
        target.show_error(error)
        for section in (self._parameters, self._compare, self._attention, self._precision):
            if section.isAncestorOf(target):
                section.unfold()
        settle(self._scroll)
        self._scroll.ensureWidgetVisible(target, 0, GRID)

    def _clear_error(self) -> None:
        """Take the refusal away, unless the text that was refused is still in its field."""
        target, self._error_target = self._error_target, None
        if target is None:
            return
        if isinstance(target, TypedRow) and target.holds_refused:
            self._held.append(target)
        else:
            target.clear_error()
            settle(self._scroll)

    def _judge_held(self) -> None:
        """Keep the refusals of texts still in their fields true, and take the others away."""
        if not self._held:
            return
        rows, self._held = self._held, []
        for row in rows:
            if row.isHidden():
                row.drop_refused()
            elif row.holds_refused:
                row.judge_anew(self._lab.state)
                self._held.append(row)
            else:
                row.clear_error()
        settle(self._scroll)

    # -- from the model

    def _show_all(self, state: LabState) -> None:
        self._show_plain(state)
        self._sentence.show_state(state)
        self._parameters.show_state(state)
        self._compare.show_state(state)
        self._attention.show_state(state)
        self._precision.show_state(state)

    def _show_plain(self, state: LabState) -> None:
        self._scheme.set_value(state.scheme)
        self._dimension.set_value(state.dimension)
        self._length.set_value(state.length)
        for row, value in ((self._position, state.position), (self._key_position, state.key_position)):
            row.set_range(0, state.length - 1)
            row.set_value(value)

    @Slot(object, object)
    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        self._clear_error()
        self._show_plain(new)
        self._attention.show_state(new)
        if old.precision != new.precision:
            self._precision.show_state(new)
        if (old.sentence, old.swap, old.swap_pair) != (new.sentence, new.swap, new.swap_pair):
            self._sentence.show_state(new)
        if old.built is not new.built and old.built != new.built:
            self._parameters.show_state(new)
        if old.built_b != new.built_b:
            self._compare.show_state(new)
        if new.compare and not old.compare:
            self._compare.unfold()
        self._judge_held()

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: Snapshot) -> None:
        higher = self._parameters.show_notes(snapshot.notes)
        higher |= self._compare.show_verdict(snapshot.compare)
        higher |= self._readouts.show_readouts(snapshot.readouts.readouts)
        if self._properties.show_properties(snapshot.readouts.properties):
            higher = True
            self._chain_focus()
        if higher:
            settle(self._scroll)

    @Slot(object)
    def _on_lab_failed(self, error: FieldError) -> None:
        self._requests.note_refusal()
        self._show_error(error, self._target(error.field))

    # -- from the rows

    @Slot(object, object)
    def _on_row_refused(self, row: SliderRow, error: FieldError) -> None:
        self._show_error(error, row)

    @Slot()
    def _on_requests_mending(self) -> None:
        if isinstance(self._error_target, TypedRow):
            self._error_target.release()

    @Slot()
    def _on_requests_accepted(self) -> None:
        self._clear_error()
        self._judge_held()

    @Slot()
    def _on_requests_refused(self) -> None:
        self._show_all(self._lab.state)

    @Slot()
    def _on_parameters_rebuilt(self) -> None:
        self._chain_focus()
        settle(self._scroll)

    @Slot()
    def _on_section_folded(self) -> None:
        settle(self._scroll)

    def _chain_focus(self) -> None:
        """Make Tab go down the dock; rows made later would come last."""
        stops = [widget for part in self._parts for widget in part.focus_widgets()]
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)
