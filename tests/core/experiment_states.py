"""Random states for experiments, and what every outcome of one must fulfil."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pe_desktop.core.experiment import BarPlate, ExperimentPart, HeatPlate, LinePlate
from pe_desktop.core.part_experiment import experiment_key
from pe_desktop.core.parts import Viewport
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, attempt, fitting

COUNTS = (0, 1, 2, 5, 9, 40)
START = LabState()
SMALL = st.integers(2, 96)
ROLES = {"main", "other", "query", "key", "trained", "faint"}


def a_state(experiment: str, scheme: str = "sinusoidal", params: dict[str, Any] | None = None, **fields: Any):
    """A state that shows an experiment with its parameters; `fields` are those of the state."""
    dimension = fitting(scheme, fields.pop("dimension", 64))
    state = START.change({"experiment": experiment, "scheme": scheme, "dimension": dimension} | fields)
    return state.change({"experiment_params": params}) if params else state


@st.composite
def states(
    draw: Any, experiment: str, params: Any = None, dimensions: Any = SMALL, longest: int = 1_048_576
) -> LabState:
    """States of any scheme, small and large, with sentences of none to many words."""
    length = draw(st.integers(2, 300) | st.integers(2, longest))
    words = [f"w{draw(st.integers(0, 20))}" for _ in range(draw(st.sampled_from(COUNTS)))]
    fields = {
        "dimension": draw(dimensions),
        "length": length,
        "position": draw(st.integers(0, length - 1)),
        "key_position": draw(st.integers(0, length - 1)),
        "sentence": " ".join(words),
        "causal": draw(st.booleans()),
        "head": draw(st.integers(0, 7)),
        "seed": draw(st.integers(0, 9)),
    }
    return a_state(experiment, draw(st.sampled_from(ALL)), draw(params) if params is not None else None, **fields)


def run(state: LabState) -> ExperimentPart:
    """What the state's experiment comes to; it must be fit to be drawn."""
    part = state.built_experiment.run(state)
    assert state.built_experiment.cost(state) >= 0
    check(part)
    return part


def value(part: ExperimentPart, name: str) -> float:
    """The number of a figure that must apply."""
    figure = part.figure(name)
    assert figure is not None, name
    assert figure.value is not None, name
    return figure.value


def check(part: ExperimentPart) -> None:
    """Nothing empty, nothing that is no number, labels for every row and column."""
    assert part.sentence.endswith((".", ":")), part.sentence
    assert "nan" not in part.sentence.split()
    assert part.exact
    if part.kind == "text":
        assert not part.plates
        assert not part.figures
        return
    assert part.plates
    assert part.point
    for plate in part.plates:
        kind = {HeatPlate: _check_cells, BarPlate: _check_bars, LinePlate: _check_lines}[type(plate)]
        kind(plate)
    names = [figure.name for figure in part.figures]
    assert len(set(names)) == len(names) > 0
    for figure in part.figures:
        assert figure.text
        assert figure.label
        assert figure.value is None or np.isfinite(figure.value), figure


def _check_cells(plate: HeatPlate) -> None:
    values = plate.values
    assert (values.dtype, values.ndim, values.flags.writeable) == (np.float32, 2, False)
    assert values.size
    assert np.isfinite(values).all()
    assert plate.low < plate.high
    assert plate.low - 1e-5 * plate.high <= values.min()
    assert values.max() <= plate.high * (1 + 1e-5)
    assert len(plate.row_labels) in (0, values.shape[0])
    assert len(plate.column_labels) in (0, values.shape[1])
    for row, column in plate.marked:
        assert 0 <= row < values.shape[0]
        assert 0 <= column < values.shape[1]


def _check_bars(plate: BarPlate) -> None:
    assert plate.values.shape == (len(plate.names), len(plate.bars)) == (len(plate.names), len(plate.roles))
    assert plate.values.size
    assert set(plate.roles) <= ROLES
    assert np.isfinite(plate.values).all()
    assert (plate.values >= 0).all()


def _check_lines(plate: LinePlate) -> None:
    assert plate.lines
    for line in plate.lines:
        assert len(line.x) == len(line.y) > 0
        assert line.role in ROLES
        assert np.isfinite(line.x).all()
        assert np.isfinite(line.y).all()
        assert not plate.x_log or (line.x > 0).all()
        assert not plate.y_log or (line.y > 0).all()


def plain(part: ExperimentPart) -> Any:
    """Everything that is shown, as values that compare."""
    plates = [
        [np.asarray(each).tolist() if isinstance(each, np.ndarray) else _line(each) for each in _shallow(plate)]
        for plate in part.plates
    ]
    return part.point, part.sentence, part.figures, plates


def _shallow(plate: Any) -> list[Any]:
    return [getattr(plate, field.name) for field in dataclasses.fields(plate)]


def _line(each: Any) -> Any:
    if isinstance(each, tuple) and each and dataclasses.is_dataclass(each[0]):
        return [(line.name, line.x.tolist(), line.y.tolist(), line.role, line.dots) for line in each]
    return each


def same_where_keys_agree(first: LabState, change: dict[str, Any]) -> None:
    """A change that leaves the key as it is must leave the outcome: a field that matters must be in the key."""
    second, refused = attempt(first.change, change)
    if refused is None and experiment_key(first, Viewport()) == experiment_key(second, Viewport()):
        assert plain(run(first)) == plain(run(second))


def matters(first: LabState, change: dict[str, Any]) -> None:
    """A change that must give another outcome, and so another key."""
    second = first.change(change)
    assert plain(run(first)) != plain(run(second))
    assert experiment_key(first, Viewport()) != experiment_key(second, Viewport())


def changes() -> Any:
    """A change of one field of a state that may or may not matter."""
    return st.sampled_from(
        [
            {"position": 3},
            {"position": 40},
            {"key_position": 1},
            {"key_position": 90},
            {"sentence": "other words in this place"},
            {"swap": True},
            {"causal": True},
            {"causal": False},
            {"head": 1},
            {"seed": 3},
            {"length": 200},
            {"dimension": 32},
            {"compare": "rope"},
            {"scheme": "rope"},
            {"scheme": "integer"},
        ]
    )
