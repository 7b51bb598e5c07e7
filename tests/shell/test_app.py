"""The program from start to end, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

START_AND_LEAVE = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication
from pe_desktop.cli import main

run = QApplication.exec

def run_a_little(app=None):
    window = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "main_window")
    window.lab.snapshot_ready.connect(QCoreApplication.quit)
    return run()

QApplication.exec = run_a_little
sys.exit(main(sys.argv[1:]))
"""


def start(tmp_path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(sys.path),
        **variables,
    }
    command = [sys.executable, "-X", "faulthandler", "-c", START_AND_LEAVE, *arguments]
    return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("arguments", [(), ("--scheme", "rope", "--length", "1048576"), ("--theme", "dark", "--swap")])
def test_the_window_opens_and_the_program_ends_well(tmp_path, arguments):
    done = start(tmp_path, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    logs = list(tmp_path.rglob("pe-desktop.log"))
    assert len(logs) == 1
    # The offscreen platform says what it lacks; nothing else may be in the log.
    lines = [line for line in logs[0].read_text(encoding="utf-8").splitlines() if "This plugin does not" not in line]
    assert lines == []


def test_no_display_is_one_sentence(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-m", "pe_desktop"], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    if sys.platform == "linux":
        assert done.returncode == 2
        assert done.stderr.startswith("pe-desktop: error: There is no display")
        assert done.stderr.count("\n") == 1
