"""The experiment part of a snapshot: what the chosen experiment came to."""

from __future__ import annotations

from pe_desktop.core.experiment import QUICK, ExperimentPart
from pe_desktop.core.parts import Pane, Viewport
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState


def experiment_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the part depends on: the experiment, and the fields of the state it looks at."""
    experiment = state.built_experiment
    return experiment, *(getattr(state, name) for name in experiment.fields)


def experiment_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the experiment fits a frame."""
    return state.built_experiment.cost(state) <= QUICK


def experiment_part(state: LabState, viewport: Viewport, full: bool = True) -> ExperimentPart:
    """Do the experiment; with `full` False one that takes long is left for later (``exact`` False)."""
    experiment = state.built_experiment
    if not full and not experiment_is_quick(state, viewport):
        return ExperimentPart("text", experiment.id, experiment.title, "", "Doing the experiment…", exact=False)
    return experiment.run(state)


PANE = Pane("experiment", experiment_key, experiment_part, experiment_is_quick, Stage.SEARCHES)
