"""pe-desktop values: exact numbers as text, CSV, JSON and numpy files."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import WHAT, answer
from tests.cli.helpers import process, refused, run
from tests.core.strategies import ALL
from tests.core.test_values import HAS, ROWS

VECTORS = {"q": ROWS.tolist(), "k": (2 * ROWS).tolist(), "vectors": [ROWS.tolist()]}
NEEDED = {"scores": ("q", "k"), "rotate": ("vectors",)}


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("name", ALL)
def test_every_what_for_every_scheme(capsys, name, what):
    arguments = ["values", "--scheme", name, "--what", what, "--positions", "0,3,100", "--key-positions", "2,90"]
    arguments += ["--position", "100", "--json"]
    for field in NEEDED.get(what, ()):
        arguments += [f"--{field}", json.dumps(VECTORS[field])]
    if name not in HAS[what]:
        assert what in refused(capsys, *arguments)
        return
    result = json.loads(run(capsys, *arguments))
    request = {"scheme": name, "what": what, "positions": [0, 3, 100], "key_positions": [2, 90], "position": 100}
    expected = answer(request | {field: VECTORS[field] for field in NEEDED.get(what, ())})
    assert np.array_equal(np.array(result.pop("values")), expected.pop("values"))
    assert result == json.loads(json.dumps(expected))  # lists, where Python has tuples


def test_values_are_checked_by_hand(capsys):
    out = run(capsys, "values", "--dimension", "4", "--what", "encoding", "--positions", "0,1", "--csv")
    rows = [[float(cell) for cell in line.split(",")] for line in out.splitlines()]
    assert rows == [[0, 1, 0, 1], [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]]
    out = run(capsys, "values", "--scheme", "alibi", "--set", "heads=4", "--what", "slopes", "--csv")
    assert out == "0.25\n0.0625\n0.015625\n0.00390625\n"


@pytest.mark.parametrize("tied", [True, False])
def test_lists_that_begin_with_a_minus(capsys, tied):
    asked = ["--offsets=-3:4"] if tied else ["--offsets", "-3:4"]
    assert run(capsys, "values", "--scheme", "t5", "--what", "buckets", *asked, "--csv") == "3\n2\n1\n0\n17\n18\n19\n"
    out = run(
        capsys, "values", "--scheme", "rope", "--dimension", "2", "--what", "angles", "--positions", "-2,-1", "--csv"
    )
    assert out == "-2.0\n-1.0\n"
    assert "expected one argument" in refused(capsys, "values", "--what", "bias", "--positions", "--json")


def test_parameters_and_sizes(capsys):
    arguments = ["--scheme", "rope", "--set", "base=5e5", "--set", "layout=interleaved", "--set", "rotary_dimension=32"]
    out = run(capsys, "values", *arguments, "--dimension", "80", "--length", "1e3", "--what", "inv_freq", "--json")
    result = json.loads(out)
    expected = build("rope", {"base": 5e5, "layout": "interleaved", "rotary_dimension": 32}, 80, 1000).effective()
    assert result["params"] == expected
    assert (expected["base"], expected["rotary_dimension"], expected["score_dimension"]) == (5e5, 32, 80)
    assert (result["dimension"], result["length"], result["shape"]) == (80, 1000, [16])
    assert np.allclose(result["values"], 5e5 ** (-np.arange(16) / 16), rtol=1e-14)


@pytest.mark.parametrize("typed", ["1,5", "1.5", "15e-1"])
def test_decimal_marks(capsys, typed):
    out = run(capsys, "values", "--set", f"base={typed}", "--what", "wavelength", "--json")
    assert json.loads(out)["params"]["base"] == 1.5


class TestRoundTrip:
    """Every float64 comes back as the same float64."""

    arguments = ("values", "--scheme", "sinusoidal", "--what", "encoding", "--length", "300")

    def expected(self):
        return answer({"what": "encoding", "length": 300})["values"]

    def test_json(self, capsys):
        out = run(capsys, *self.arguments, "--json")
        assert out.count("\n") == 1
        assert np.array_equal(np.array(json.loads(out)["values"]), self.expected())

    def test_csv(self, capsys):
        out = run(capsys, *self.arguments, "--csv")
        found = np.array([[float(cell) for cell in line.split(",")] for line in out.splitlines()])
        assert np.array_equal(found, self.expected())

    def test_plain(self, capsys):
        first, *lines = run(capsys, *self.arguments).splitlines()
        assert first == "# sinusoidal encoding (added to the embedding), 300 × 64"
        found = np.array([[float(cell) for cell in line.split(" ")] for line in lines])
        assert np.array_equal(found, self.expected())

    def test_numpy(self, capsys, tmp_path):
        path = tmp_path / "rows.npy"
        assert run(capsys, *self.arguments, "--out", str(path)) == ""
        found = np.load(path)
        assert found.dtype == np.float64
        assert np.array_equal(found, self.expected())
        assert os.listdir(tmp_path) == ["rows.npy"]

    def test_numpy_of_three_axes(self, capsys, tmp_path):
        path = tmp_path / "bias.npy"
        run(capsys, "values", "--scheme", "alibi", "--what", "bias", "--length", "5", "--out", str(path))
        assert np.load(path).shape == (8, 5, 5)

    def test_one_number(self, capsys):
        assert run(capsys, "values", "--what", "softmax_scale", "--csv") == "0.125\n"
        assert "one number" in run(capsys, "values", "--what", "softmax_scale")
        assert json.loads(run(capsys, "values", "--what", "softmax_scale", "--json"))["values"] == 0.125


def test_an_old_file_stays_whole(capsys, tmp_path):
    path = tmp_path / "rows.npy"
    path.write_bytes(b"old")
    refused(capsys, "values", "--what", "bias", "--out", str(path))
    assert path.read_bytes() == b"old"
    assert refused(capsys, "values", "--what", "encoding", "--out", str(tmp_path / "rows.txt")).endswith("in .npy.")
    folder = tmp_path / "folder.npy"
    folder.mkdir()
    assert "cannot be written" in refused(capsys, "values", "--what", "encoding", "--out", str(folder))
    missing = tmp_path / "missing" / "rows.npy"
    assert "no such file or directory" in refused(capsys, "values", "--what", "encoding", "--out", str(missing))
    assert sorted(os.listdir(tmp_path)) == ["folder.npy", "rows.npy"]


def test_a_session_as_the_start(capsys, tmp_path):
    from pe_desktop.core.state import LabState

    path = tmp_path / "lesson.pelab"
    state = LabState().change({"scheme": "alibi", "params": {"heads": 2}, "dimension": 16})
    path.write_text(json.dumps(state.to_json()), encoding="utf-8")
    out = run(capsys, "values", "--session", str(path), "--what", "slopes", "--json")
    result = json.loads(out)
    assert (result["params"]["heads"], result["dimension"]) == (2, 16)
    assert result["values"] == [2.0**-4, 2.0**-8]
    out = run(capsys, "values", "--session", str(path), "--set", "heads=1", "--what", "slopes", "--json")
    assert json.loads(out)["values"] == [2.0**-8]


def test_as_a_process():
    code, out, err = process("values", "--scheme", "rope", "--dimension", "4", "--what", "inv_freq", "--csv")
    assert (code, out, err) == (0, "1.0\n0.01\n", "")
    code, out, err = process("values", "--what", "nothing")
    assert (code, out) == (2, "")
    assert err.startswith("pe-desktop: error: ")
    assert err.count("\n") == 1


def test_a_terminal_that_knows_no_unicode():
    code, out, _ = process("values", "--what", "encoding", "--positions", "0", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert code == 0
    assert "1 × 64" in out
