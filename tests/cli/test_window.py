"""pe-desktop values --what window: pictures as numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pe_desktop.core.state import LabState
from pe_desktop.core.values import answer
from pe_desktop.session_file import save_session
from tests.cli.helpers import refused, run

LONG = ["values", "--what", "window", "--length", "1048576", "--rows", "0:1048576", "--columns", "0:64"]
FAR_SCORES = ["--what", "score_window", "--scheme", "axial", "--length", "1048576", "--pixels", "9x9"]


@pytest.mark.parametrize("statistic", ["mean", "lowest", "highest"])
def test_a_window_with_its_edges(capsys, statistic):
    result = json.loads(run(capsys, *LONG, "--pixels", "42x43", "--statistic", statistic, "--json"))
    asked = {"length": 1_048_576, "rows": [0, 1_048_576], "columns": [0, 64], "pixels": [42, 43]}
    expected = answer({"what": "window", "statistic": statistic, **asked})
    assert np.array_equal(result["values"], expected["values"])
    assert result["rows"] == expected["rows"]
    assert result["columns"] == expected["columns"]
    assert result["shape"] == [42, 43]


def test_scores_of_one_head_as_text_csv_and_array(capsys, tmp_path):
    asked = ["values", "--scheme", "t5", "--what", "score_window", "--head", "3", "--length", "900"]
    asked += ["--pixels", "3x2", "--statistic", "highest"]
    expected = answer(
        {"scheme": "t5", "what": "score_window", "head": 3, "length": 900, "pixels": "3x2", "statistic": "highest"}
    )["values"]
    lines = run(capsys, *asked, "--csv").splitlines()
    assert np.array_equal([[float(cell) for cell in line.split(",")] for line in lines], expected)
    assert run(capsys, *asked).startswith("# t5 score_window (added to the score), 3 × 2\n")
    run(capsys, *asked, "--out", str(tmp_path / "a.npy"))
    assert np.array_equal(np.load(tmp_path / "a.npy"), expected)


def test_the_head_of_a_session(capsys, tmp_path):
    path = str(tmp_path / "a.pelab")
    save_session(LabState().change({"scheme": "alibi", "head": 2}), path)
    found = json.loads(run(capsys, "values", "--session", path, "--what", "window", "--pixels", "4x4", "--json"))
    expected = answer({"scheme": "alibi", "what": "window", "head": 2, "pixels": "4x4"})
    assert np.array_equal(found["values"], expected["values"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--what", "encoding", "--rows", "0:3"], "'rows' is for 'window' and 'score_window'"),
        (["--what", "encoding", "--head", "3"], "--head plays no part in values"),
        (["--what", "window", "--positions", "0:3"], "'positions' plays no part in 'window'"),
        (["--what", "window", "--position", "3"], "'position' plays no part in 'window'"),
        (["--what", "window", "--scheme", "rope", "--head", "3"], "no heads of its own"),
        (["--what", "window", "--causal"], "--causal plays no part in values"),
        (["--what", "window", "--statistic", "median"], "mean, lowest, highest"),
        ([*FAR_SCORES, "--statistic", "lowest"], "zoom in to about"),
    ],
)
def test_refusals(capsys, arguments, said):
    assert said in refused(capsys, "values", *arguments)


def test_batch(capsys, tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_text('{"what": "window", "pixels": "2x2", "statistic": "lowest"}\n{"what": "window", "rows": "9"}\n')
    first, second = map(json.loads, run(capsys, "values", "--batch", str(path)).splitlines())
    assert first["shape"] == [2, 2]
    assert first["statistic"] == "lowest"
    assert second["field"] == "rows"
