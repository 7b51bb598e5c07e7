"""The experiment: which, and with which parameters."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from pe_desktop.controls.look import Look
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import ChoiceRow, FieldRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.experiment import every_experiment
from pe_desktop.core.parametric import Parametric
from pe_desktop.core.state import LABELS, LabState

PARAMS = "experiment_params"
UNLOADED = "questions to try out"


class ExperimentPanel(ParameterPanel):
    """The section of the experiment that the Experiment view shows.

    Folded at first, and until it is unfolded or another experiment than the first is chosen it knows none of them: a
    start need not load them.

    Signals
    -------
    chosen
        An experiment was picked by hand.
    """

    chosen = Signal()

    lead = 1  # the choice stands before the parameters
    nothing = "This experiment has no parameters."

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(requests, parent, name=PARAMS, group=PARAMS)
        self.choice = ChoiceRow("experiment", LABELS["experiment"], parent=self.body)
        self.choice.setToolTip(tooltip("What the Experiment view tries; choosing one brings it to the front."))
        self.choice.asked.connect(requests.ask)
        self.choice.asked.connect(self._on_choice_asked)
        self.choice.fix_chosen.connect(requests.ask_fix)
        self.rows.insertWidget(0, self.choice)
        self.header.setChecked(False)
        self._state = LabState()
        self.set_title(LABELS["experiment"], UNLOADED)
        self.folded.connect(self._on_folded)

    def heading(self, owner: Parametric) -> str:
        """The section's title, the same for every experiment; its name stands below, or beside while folded."""
        return LABELS["experiment"]

    def show_state(self, state: LabState) -> None:
        """Show the experiment of a state."""
        self._state = state
        first = state.experiment == LabState.experiment and not state.experiment_params
        if not first or self.header.isChecked() or self.choice.combo.count():
            self._show()

    def field_rows(self) -> Mapping[str, FieldRow]:
        if not self.choice.combo.count():
            self._show()
        return super().field_rows()

    def _show(self) -> None:
        self._fill()
        state, experiment = self._state, self._state.built_experiment
        self.choice.set_value(state.experiment)
        self.show_parameters(experiment, state.experiment_params.get(state.experiment, {}), state.dimension)
        self.set_title(LABELS["experiment"], experiment.title)

    def _fill(self) -> None:
        if self.choice.combo.count():
            return
        for kind in every_experiment():
            source = f"Source: {kind.source}." if kind.source else ""
            self.choice.add_choice(kind.id, kind.title, tooltip(kind.question, source))

    @Slot(bool)
    def _on_folded(self, folded: bool) -> None:
        if not folded:
            self._show()

    @Slot(object)
    def _on_choice_asked(self, changes: object) -> None:
        self.chosen.emit()

    def focus_widgets(self) -> list[QWidget]:
        header, *rows = super().focus_widgets()
        return [header, *self.choice.focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.choice.set_look(look)
