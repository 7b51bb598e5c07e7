"""The experiment part of a snapshot: what the chosen experiment came to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pe_desktop.core.experiment import QUICK, BarPlate, ExperimentPart, HeatPlate, LinePlate
from pe_desktop.core.numerals import significant, whole
from pe_desktop.core.parts import Cursor, Pane, Viewport
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState

MOST_NAMED = 6  # lines told of at one place
LONGEST = 200  # letters of a label in the formula strip


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


def experiment_formula(part: ExperimentPart, cursor: Cursor) -> str:
    """What the mouse is on, in words; "" where the experiment has no such plate, line or cell any more."""
    if cursor.plate is None:
        return ""
    number, row, column = cursor.plate
    if not 0 <= number < len(part.plates):
        return ""
    plate = part.plates[number]
    if isinstance(plate, LinePlate):
        return _point(plate, row, column)
    height, width = plate.values.shape
    if not (0 <= row < height and 0 <= column < width):
        return ""
    return _cell(plate, row, column) if isinstance(plate, HeatPlate) else _bar(plate, row, column)


def _cell(plate: HeatPlate, row: int, column: int) -> str:
    down = _named(plate.row_name or "row", plate.row_labels, row, plate.first_row)
    across = _named(plate.column_name or "column", plate.column_labels, column, plate.first_column)
    return f"{plate.title}: {down}, {across}: {significant(float(plate.values[row, column]), 4)}"


def _named(name: str, labels: Sequence[str], place: int, first: int) -> str:
    return f"{name} “{labels[place][:LONGEST]}”" if labels else f"{name} {whole(first + place)}"


def _point(plate: LinePlate, line: int, point: int) -> str:
    """One point of a line, and what the others are at the same place."""
    if not (0 <= line < len(plate.lines) and 0 <= point < len(plate.lines[line].x)):
        return ""
    at = plate.lines[line].x[point]
    told = [f"{plate.lines[line].name or plate.y_name} {_number(plate.lines[line].y[point])}"]
    for other in plate.lines:
        same = np.flatnonzero(other.x == at)
        if other is not plate.lines[line] and len(same):
            told.append(f"{other.name or plate.y_name} {_number(other.y[same[0]])}")
    more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
    return f"{plate.title}: {plate.x_name} {_number(at)}: {', '.join(told[:MOST_NAMED])}{more}"


def _bar(plate: BarPlate, row: int, bar: int) -> str:
    own = f", {plate.bars[bar]}" if len(plate.bars) > 1 else ""
    return f"{plate.title}: {plate.names[row]}{own}: {plate.value_name} {_number(plate.values[row, bar])}"


def _number(value: float) -> str:
    return whole(round(value)) if value == round(value) and abs(value) < 1e15 else significant(float(value), 4)


def experiment_json(state: LabState) -> dict[str, Any]:
    """The experiment of a state as the command line gives it; figures that do not apply are None."""
    part = experiment_part(state, Viewport())
    return {
        "id": part.id,
        "title": part.title,
        "params": state.built_experiment.effective(),
        "sentence": part.sentence,
        "figures": {figure.name: figure.value for figure in part.figures},
    }


PANE = Pane("experiment", experiment_key, experiment_part, experiment_is_quick, Stage.SEARCHES)
