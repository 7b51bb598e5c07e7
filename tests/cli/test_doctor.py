"""pe-desktop doctor, from the outside."""

from __future__ import annotations

import json

import numpy as np

from pe_desktop import __version__
from tests.cli.helpers import process, run


def test_as_json(capsys):
    report = json.loads(run(capsys, "doctor", "--json"))
    assert report["versions"]["pe-desktop"] == __version__
    assert report["versions"]["numpy"] == np.__version__
    assert report["ok"] == (report["problems"] == [])


def test_as_text(capsys):
    out = run(capsys, "doctor")
    assert out.splitlines()[0].split() == ["pe-desktop", __version__]
    assert f"numpy       {np.__version__}" in out


def test_as_a_process_in_an_empty_home(tmp_path):
    code, out, err = process("doctor", "--json", HOME=str(tmp_path))
    assert (code, err) == (0, "")
    assert json.loads(out)["versions"]["python"]
    assert list(tmp_path.iterdir()) == []
