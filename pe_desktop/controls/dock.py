"""The control dock: every setting of the lab, and what follows from it as numbers."""

from __future__ import annotations

import itertools
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from pe_desktop.controls.attention_panel import AttentionPanel
from pe_desktop.controls.compare_panel import ComparePanel
from pe_desktop.controls.covering import covered_lights, covered_readouts
from pe_desktop.controls.experiment_panel import ExperimentPanel
from pe_desktop.controls.focus import Focus
from pe_desktop.controls.list_edit import ListLine, ListSheet
from pe_desktop.controls.look import GRID, HALF, LEAST_SLIDER, look_of
from pe_desktop.controls.number_edit import NumberEdit
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.plain_rows import PlainRows
from pe_desktop.controls.precision_panel import PrecisionPanel
from pe_desktop.controls.properties_panel import PropertiesPanel
from pe_desktop.controls.readouts_panel import ReadoutsPanel
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import FieldRow
from pe_desktop.controls.section import Section
from pe_desktop.controls.sentence_panel import SentencePanel
from pe_desktop.controls.settling import settle
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.typed import Typed
from pe_desktop.controls.typed_row import TypedRow
from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Snapshot
from pe_desktop.core.state import LabState
from pe_desktop.theme import LIGHT, Theme

SLIDER_WIDTH = 13 * GRID
SENTENCE_FIELDS = ("sentence", "swap", "swap_words")


class ControlDock(QWidget):
    """The contents of the dock; changes go through ``lab.request`` only.

    Parameters
    ----------
    lab : Lab
        The model.

    Signals
    -------
    experiment_chosen
        An experiment was picked by hand.
    """

    experiment_chosen = Signal()

    def __init__(self, lab: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("control_dock")
        self._lab = lab
        self._requests = Requests(lab, self)
        self._error_target: FieldRow | SentencePanel | None = None
        self._covered: frozenset[str] = frozenset()
        self._held: list[TypedRow] = []  # earlier refusals whose texts are still in their fields
        self._build()
        self._connect()
        self.set_theme(LIGHT)
        self._show_all(lab.state)
        if lab.state.compare:
            self._compare.unfold()
        if lab.state.experiment != LabState.experiment:
            self._experiment.unfold()
        if lab.snapshot is not None:
            self._on_lab_snapshot_ready(lab.snapshot)
        self._chain_focus()

    # -- construction

    def _build(self) -> None:
        self._plain = PlainRows(self._requests, self)
        self._rows = self._plain.rows
        self._sentence = SentencePanel(self._requests)
        self._parameters = ParameterPanel(self._requests)
        self._compare = ComparePanel(self._requests)
        self._attention = AttentionPanel(self._requests)
        self._precision = PrecisionPanel(self._requests)
        self._experiment = ExperimentPanel(self._requests)
        self._readouts = ReadoutsPanel()
        self._properties = PropertiesPanel()
        self._built = (self._parameters, self._compare, self._experiment)  # of rows from metadata
        choices = (self._parameters, self._compare, self._attention, self._precision, self._experiment)
        panels = (self._sentence, *choices, self._readouts, self._properties)
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
        self._focus = Focus(self._scroll, self._parts)

    def _connect(self) -> None:
        self._plain.refused.connect(self._on_row_refused)
        for panel in (*self._built, self._attention, self._precision):
            panel.refused.connect(self._on_row_refused)
        for rows in self._built:
            rows.rebuilt.connect(self._on_parameters_rebuilt)
        for part in self._parts:
            if isinstance(part, Section):
                part.folded.connect(self._on_section_folded)
        self._experiment.chosen.connect(self.experiment_chosen)
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
        self._focus.set_look(look)
        self.setMinimumWidth(self._width_with(LEAST_SLIDER))
        self.updateGeometry()
        settle(self._scroll)

    def sizeHint(self) -> QSize:
        return QSize(self._width_with(SLIDER_WIDTH), 90 * GRID)

    def _width_with(self, slider: int) -> int:
        columns = self._look.label_width + slider + self._look.number_width
        # Two gaps between the columns, two margins.
        return columns + 4 * GRID + self._scroll.verticalScrollBar().sizeHint().width()

    # -- what a lesson needs

    @property
    def focus(self) -> Focus:
        """Which controls are in sight."""
        return self._focus

    def show_only(self, names: frozenset[str] | None) -> None:
        """Show nothing but the controls, read-outs and lights of these names; None: everything."""
        self._focus.show_only(names)

    def widget_for(self, name: str) -> QWidget | None:
        """The row, read-out or light of a name, unfolded and scrolled to; None if there is none now."""
        return self._focus.bring_into_sight(name)

    def cover_readouts(self, names: frozenset[str]) -> None:
        """Show a question mark in place of these read-outs and lights, until others or none are named."""
        if names != self._covered:
            self._covered = names
            if self._lab.snapshot is not None:
                self._on_lab_snapshot_ready(self._lab.snapshot)

    # -- errors

    def shows_field(self, name: str) -> bool:
        """Whether a refusal about this field has its place here, where a person can see it."""
        target = self._target(name)
        return self.isVisible() and target is not None and not self._focus.hides(target)

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
        own = [self.row_of(group, field) for group, field in asked if field == name]
        # A parameter refused because of something else (a list that does not fit the dimension just dragged) is told
        # where the person is at work.
        beside = [self.row_of(group, field) for group, field in asked]
        places = [*own, self.row_of("", name), *beside, self._parameters.field_rows().get(name)]
        return next((place for place in places if place is not None), None)

    def row_of(self, group: str, name: str) -> FieldRow | SentencePanel | None:
        """The row of a field of the state, or of an entry of a field that maps names to values."""
        if group:
            rows = {panel.group: panel.field_rows() for panel in (*self._built, self._precision)}
            return rows.get(group, {}).get(name)
        if name in SENTENCE_FIELDS:
            return self._sentence
        choices = (*self._rows, self._compare.choice, self._experiment.choice)
        own = {row.field: row for row in choices} | dict(self._attention.field_rows())
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
        for section in (*self._built, self._attention, self._precision):
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
        self._plain.show_state(state)
        self._sentence.show_state(state)
        self._parameters.show_state(state)
        self._compare.show_state(state)
        self._attention.show_state(state)
        self._precision.show_state(state)
        self._experiment.show_state(state)

    @Slot(object, object)
    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        self._clear_error()
        self._plain.show_state(new)
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
        if (old.experiment, old.experiment_params) != (new.experiment, new.experiment_params):
            self._experiment.show_state(new)
        if new.experiment not in (old.experiment, LabState.experiment):
            self._experiment.unfold()
        self._judge_held()

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: Snapshot) -> None:
        higher = self._parameters.show_notes(snapshot.notes)
        higher |= self._compare.show_verdict(snapshot.compare)
        part = snapshot.readouts
        higher |= self._readouts.show_readouts(covered_readouts(part.readouts, self._covered))
        if self._properties.show_properties(covered_lights(part.properties, self._covered)):
            higher = True
            self._chain_focus()
        if higher:
            self._focus.apply()
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
        self._focus.apply()
        settle(self._scroll)

    @Slot()
    def _on_section_folded(self) -> None:
        settle(self._scroll)

    def _chain_focus(self) -> None:
        """Make Tab go down the dock; rows made later would come last."""
        stops = [*(widget for part in self._parts for widget in part.focus_widgets()), self._focus.button]
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)
