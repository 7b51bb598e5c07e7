"""--precision and --arithmetic on the command line."""

from __future__ import annotations

import json

import pytest

from pe_desktop.core.precision import library_frequencies
from pe_desktop.core.state import from_json
from tests.cli.helpers import refused, run
from tests.core.strategies import plain


def test_the_state_is_told(capsys):
    out = run(
        capsys, "readouts", "--scheme", "rope", "--precision", "preset=library", "--precision", "positions=bfloat16",
        "--precision", "tolerance=0,01", "--precision", "count=100", "--json",
    )  # fmt: skip
    state = from_json(json.loads(out)["state"])
    assert state.precision.preset == ("bf16_positions", "bf16 positions")
    assert (state.precision.tolerance, state.precision.count) == (0.01, 100)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("positions", "--precision got 'positions'; write NAME=VALUE"),
        ("positions=bf8", "Precision: Positions is 'bf8'; it must be one of float64, float32, float16, bfloat16"),
        ("preset=best", "no precision preset 'best'"),
        ("colour=1", "Precision has no 'colour'"),
        ("count=1.5", "not a whole number"),
        ("tolerance=[1]", "not a number"),
    ],
)
def test_refusals(capsys, text, words):
    assert words in refused(capsys, "readouts", "--precision", text)


def test_values_in_float32(capsys):
    out = run(capsys, "values", "--scheme", "rope", "--what", "inv_freq", "--arithmetic", "float32", "--json")
    result = json.loads(out)
    assert result["arithmetic"] == "float32"
    assert result["values"] == library_frequencies(plain("rope")).tolist()
    words = refused(capsys, "values", "--scheme", "rope", "--what", "similarity", "--arithmetic", "float32")
    assert "'similarity' is computed in float64 only" in words
    assert "must be float64 or float32" in refused(capsys, "values", "--what", "cos", "--arithmetic", "half")


def test_a_batch_line_may_ask_for_it(capsys, tmp_path):
    lines = [
        {"scheme": "rope", "what": "cos", "positions": [1], "dimension": 2, "arithmetic": "float32"},
        {"scheme": "rope", "what": "cos", "positions": [1], "dimension": 2},
        {"scheme": "none", "what": "cos", "arithmetic": "float32"},
    ]
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    results = [json.loads(line) for line in run(capsys, "values", "--batch", str(path)).splitlines()]
    assert results[0]["values"] == [[0.5403022766113281]]
    assert results[1]["values"] == [[0.5403023058681398]]
    assert results[2]["field"] == "arithmetic"


def test_the_view_is_drawn(capsys, tmp_path):
    out = str(tmp_path / "precision.png")
    run(capsys, "render", "--out", out, "--view", "precision", "--size", "560x400", "--precision", "preset=library")
    assert (tmp_path / "precision.png").stat().st_size > 5_000
