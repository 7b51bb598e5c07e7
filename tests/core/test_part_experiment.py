"""The experiment part: what is told of what the mouse is on, and what the command line gives."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pe_desktop.core.experiment import BarPlate, ExperimentPart, HeatPlate, Line, LinePlate, every_experiment
from pe_desktop.core.formula import formula
from pe_desktop.core.part_experiment import experiment_formula, experiment_json
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState

WORDS = ("man", "bites", "dog")
HEAT = HeatPlate("Stay", np.array([[0.5, -0.25, 0], [1, 2, 3]], np.float32), -1, 1, "query", "key", WORDS[:2], WORDS)
NUMBERED = HeatPlate("Sines", np.full((2000, 2), 0.123456, np.float32), -1, 1, first_row=1000)
X = np.array([1.0, 64.0, 4096.0])
LINES = LinePlate(
    "Recovered",
    (Line("content", X, X / 4096), Line("position", X[1:], np.array([-0.5, 1e-9])), Line("", X[:1], X[:1])),
    "dimension",
    "share",
)
BARS = BarPlate(
    "Harmed", ("RoPE", "none"), np.array([[0.0, 12.5], [3.0, 4.0]]), ("slot", "mask"), ("main", "other"), "L2"
)
ONE_BAR = BarPlate("Harmed", ("RoPE",), np.array([[0.25]]), ("change",), ("main",), "change")
PART = ExperimentPart("plates", "shuffle", "Shuffle", "", "", (HEAT, NUMBERED, LINES, BARS, ONE_BAR))


@pytest.mark.parametrize(
    ("plate", "words"),
    [
        ((0, 0, 2), "Stay: query “man”, key “dog”: 0"),
        ((0, 0, 1), "Stay: query “man”, key “bites”: −0.25"),
        ((1, 999, 1), "Sines: row 1,999, column 1: 0.1235"),
        ((2, 0, 1), "Recovered: dimension 64: content 0.01562, position −0.5"),
        ((2, 1, 1), "Recovered: dimension 4,096: position 1·10⁻⁹, content 1"),
        ((2, 2, 0), "Recovered: dimension 1: share 1, content 0.0002441"),
        ((3, 0, 1), "Harmed: RoPE, mask: L2 12.5"),
        ((3, 1, 0), "Harmed: none, slot: L2 3"),
        ((4, 0, 0), "Harmed: RoPE: change 0.25"),
    ],
)
def test_what_is_under_the_mouse(plate, words):
    assert experiment_formula(PART, Cursor(view="experiment", plate=plate)) == words


@pytest.mark.parametrize(
    "plate", [None, (5, 0, 0), (-1, 0, 0), (0, 2, 0), (0, 0, 3), (2, 3, 0), (2, 1, 2), (3, 2, 0), (3, 0, 2), (4, -1, 0)]
)
def test_what_is_there_no_more_is_told_nothing_of(plate):
    assert experiment_formula(PART, Cursor(view="experiment", plate=plate)) == ""


def test_many_lines_at_one_place_are_counted():
    lines = tuple(Line(f"line {k}", X, X * k) for k in range(9))
    part = ExperimentPart("plates", "x", "X", "", "", (LinePlate("Many", lines, "x", "y"),))
    told = experiment_formula(part, Cursor(view="experiment", plate=(0, 3, 0)))
    assert told.startswith("Many: x 1: line 3 3, line 0 0, line 1 1")
    assert told.endswith("line 5 5 and 3 more")


def test_the_strip_tells_of_a_shown_experiment_and_else_of_the_matrix():
    state = LabState()
    hidden = compute(state)
    cursor = Cursor(view="experiment", plate=(0, 0, 1))
    assert formula(hidden, cursor).startswith("PE(12, 4)")
    shown = compute(state, Viewport(shown=frozenset({"experiment"})))
    value = float(shown.part("experiment").plates[0].values[0, 1])
    told = formula(shown, cursor)
    assert "“The”" in told
    assert float(told.rpartition(" ")[2]) == pytest.approx(value, rel=1e-3)
    assert formula(shown, Cursor(view="experiment", plate=(99, 0, 0))).startswith("PE(12, 4)")


@pytest.mark.parametrize("kind", every_experiment(), ids=lambda kind: kind.id)
def test_the_json_has_every_figure(kind):
    state = LabState().change({"experiment": kind.id})
    found = json.loads(json.dumps(experiment_json(state), allow_nan=False))
    part = state.built_experiment.run(state)
    assert found["id"] == kind.id
    assert (found["title"], found["sentence"]) == (part.title, part.sentence)
    assert found["figures"] == {figure.name: figure.value for figure in part.figures}
    assert set(found["params"]) <= {about.name for about in kind.parameters()}
