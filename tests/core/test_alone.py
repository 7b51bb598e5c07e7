"""The core stands alone: no Qt, and no table of positions x dimensions. Each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WITHOUT_QT = """
import sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = sys.modules["pyqtgraph"] = None
import importlib, pathlib, pkgutil
import pe_desktop.core
names = [m.name for m in pkgutil.walk_packages(pe_desktop.core.__path__, "pe_desktop.core.")]
for name in [*names, "pe_desktop.arguments", "pe_desktop.cli"]:
    importlib.import_module(name)
from pe_desktop import cli
code = cli.main(["values", "--scheme", "rope", "--dimension", "4", "--what", "inv_freq", "--csv"])
code += cli.main(["readouts", "--swap"])
assert not [name for name in sys.modules if name.startswith("PySide6.")]
print("modules", len(names), "code", code)
"""

MEMORY = """
import resource, sys
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
state = LabState(scheme=sys.argv[1], swap=True)
compute(state)
before = peak()
large = state.change({"length": 1_048_576, "dimension": 1024})
snapshot = compute(large, full=True)
moved = compute(large.change({"position": 1_000_000}), full=True, previous=snapshot)
assert snapshot.matrix.exact and snapshot.similarity.exact and snapshot.readouts.exact
assert moved.matrix.values is snapshot.matrix.values
print(peak() - before)
"""


def run(program, *arguments):
    # One BLAS thread: each further one has buffers of its own, as many as the machine has cores.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_core_and_command_line_need_no_qt():
    lines = run(WITHOUT_QT).splitlines()
    assert lines[:2] == ["1.0", "0.01"]
    files = list((ROOT / "pe_desktop" / "core").rglob("*.py"))
    packages = len([file for file in files if file.name == "__init__.py"])
    assert lines[-1] == f"modules {len(files) - packages + 2} code 0"  # all files, "schemes" and "experiments"
    assert any(line.startswith("Input gap") for line in lines)


def test_memory_of_the_sinusoidal_scheme_at_full_size():
    """A float32 table of 1,048,576 x 1024 would be 4,096 MB."""
    assert float(run(MEMORY, "sinusoidal")) < 60


def test_memory_of_rope_at_full_size():
    assert float(run(MEMORY, "rope")) < 60


@pytest.mark.parametrize("scheme", ["alibi", "kerple", "fire", "transformer_xl"])
def test_memory_of_biases_at_full_size(scheme):
    """Of a logarithm every offset is looked at, of waves none, of FIRE a few cells of each block."""
    assert float(run(MEMORY, scheme)) < 60
