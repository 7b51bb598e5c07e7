"""The resource that the window tells of is what the golden tests find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.core.recorded import RESOURCE, VARIABLE, Recorder

HERE = Path(__file__).parent
# Differences from a library that rounds to float32 are that rounding (1e-8 and more): another platform's libm, whose
# results differ by some 1e-16, moves them by nothing that two digits show. Smaller ones are themselves made of the
# last bits of float64, which another libm (and another order of adding) may well change tenfold.
ROUNDING, FLOOR = 1e-9, 1e-15
FACTOR, FACTOR_OF_ROUNDING = 1.25, 10.0
AGAIN = "run packaging/dev.py golden"


def found_by_a_run(path: Path) -> dict:
    """What the golden tests find in a process of their own."""
    modules = sorted(map(str, HERE.glob("test_golden_*.py")))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *modules],
        cwd=HERE.parents[1],
        env={**os.environ, VARIABLE: str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_resource_is_what_the_tests_find(all_found, tmp_path):
    found = all_found.table() if all_found is not None else found_by_a_run(tmp_path / "golden.json")
    stored = json.loads(RESOURCE.read_text(encoding="utf-8"))
    assert found["about"] == stored["about"]
    ours = {each["quantity"]: each for each in found["quantities"]}
    theirs = {each["quantity"]: each for each in stored["quantities"]}
    assert list(ours) == list(theirs), AGAIN
    for name, now in ours.items():
        then = theirs[name]
        for field in ("libraries", "relative", "numbers"):
            assert now[field] == then[field], f"{name}: {field}; {AGAIN}"
        factor = FACTOR if max(now["difference"], then["difference"]) >= ROUNDING else FACTOR_OF_ROUNDING
        for field, least in (("difference", FLOOR), ("share", FLOOR)):
            low, high = sorted(max(each[field], least) for each in (now, then))
            assert high <= factor * low, f"{name}: {field} is {now[field]}, the file says {then[field]}; {AGAIN}"
        assert now["share"] <= 1.0


def test_every_golden_test_module_records_what_it_finds():
    modules = sorted(HERE.glob("test_golden_*.py"))
    assert len(modules) >= 5
    assert [path.name for path in modules if "golden_record(" not in path.read_text(encoding="utf-8")] == []


def test_a_record_is_the_largest_of_all():
    record = Recorder()
    assert record("slopes", ["b 2", "a 1"], [1e-8, -4e-8], 1e-7) == pytest.approx(0.4)
    assert record("slopes", ["c 3"], 2e-8, 1e-8) == pytest.approx(2.0)
    assert record("angles", [], np.zeros((2, 3)), np.zeros((2, 3)), relative=True) == 0.0
    assert record("angles", [], 1e-300, 0.0, relative=True) == np.inf
    assert record.table()["quantities"][1] == {
        "quantity": "slopes",
        "libraries": ["a 1", "b 2", "c 3"],
        "difference": 4e-8,
        "relative": False,
        "share": 2.0,
        "numbers": 3,
    }
    assert record.table()["quantities"][0]["numbers"] == 7


def test_the_same_findings_give_the_same_bytes(tmp_path):
    for name, order in (("a", 1), ("b", -1)):
        record = Recorder()
        for quantity, size in [("x", 1.23456e-7), ("y", 9.96e-12)][::order]:
            record(quantity, ["z 2", "y 1"][::order], [size, size / 3][::order], 1e-6)
        record.write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert [each["difference"] for each in json.loads((tmp_path / "a").read_bytes())["quantities"]] == [1.2e-7, 1e-11]
