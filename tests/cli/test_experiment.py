"""--experiment and --experiment-set on the command line."""

from __future__ import annotations

import json

import pytest

from pe_desktop.core.state import from_json
from tests.cli.helpers import refused, run

ASKED = ("readouts", "--experiment", "layers", "--experiment-set", "layers=4")


def test_the_figures_are_told(capsys):
    found = json.loads(run(capsys, *ASKED, "--json"))
    state = from_json(found["state"])
    assert (state.experiment, dict(state.experiment_params["layers"])) == ("layers", {"layers": 4})
    told = found["experiment"]
    assert (told["id"], told["params"]["layers"]) == ("layers", 4)
    part = state.built_experiment.run(state)
    assert told["figures"] == {figure.name: figure.value for figure in part.figures}
    assert told["sentence"] == part.sentence
    plain = run(capsys, *ASKED)
    assert f"experiment layers: {part.sentence}\n" in plain
    assert all(f"{figure.label}: {figure.text}\n" in plain for figure in part.figures)


def test_they_are_told_only_where_they_were_asked_for(capsys):
    assert "experiment" not in json.loads(run(capsys, "readouts", "--json"))
    assert "experiment shuffle" not in run(capsys, "readouts")
    assert "experiment" in json.loads(run(capsys, "readouts", "--experiment", "shuffle", "--json"))


def test_a_refused_experiment_has_no_figures(capsys):
    found = json.loads(run(capsys, "readouts", "--scheme", "alibi", "--experiment", "norms", "--json"))
    assert found["experiment"]["sentence"].startswith("ALiBi")
    assert found["experiment"]["figures"] == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--experiment", "juggling"), "There is no experiment 'juggling'; the experiments are shuffle, "),
        (("--experiment", "layers", "--experiment-set", "layers"), "--experiment-set got 'layers'; write NAME=VALUE"),
        (("--experiment", "layers", "--experiment-set", "depth=3"), "The experiment 'layers' has no parameter 'depth'"),
        (("--experiment", "layers", "--experiment-set", "layers=1000"), "48"),
    ],
)
def test_refusals(capsys, arguments, words):
    assert words in refused(capsys, "readouts", *arguments)


@pytest.mark.parametrize("option", [("--experiment", "turn"), ("--experiment-set", "order=[1, 0]")])
def test_values_refuses_what_it_would_not_use(capsys, option):
    assert f"{option[0]} plays no part in values" in refused(capsys, "values", "--what", "encoding", *option)


def test_the_view_can_be_drawn(capsys, tmp_path):
    out = str(tmp_path / "experiment.png")
    run(capsys, "render", "--out", out, "--view", "experiment", "--size", "560x400", "--experiment", "lookalikes")
    assert (tmp_path / "experiment.png").stat().st_size > 5_000
