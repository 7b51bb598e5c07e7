"""What a frame leaves to the system and to Python's collector: no page faults, and nothing of the window."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from pe_desktop import process

FAULTS = """
import resource, sys
import numpy as np
from pe_desktop.process import keep_freed_memory
if sys.argv[1] == "keep":
    assert keep_freed_memory()
def work():
    del [np.ones(125_000) for _ in range(8)][:]  # 8 MB in all, of which glibc by itself keeps 2
work(); work()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", FAULTS, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc's allocator is told anything")
def test_freed_memory_is_reused():
    page = resource.getpagesize()
    assert faults("leave") > 10 * 8_000_000 / page
    assert faults("keep") < 8_000_000 / page


def test_the_collector_leaves_the_window_alone():
    script = "import gc\nfrom pe_desktop import process\nprocess.settle()\n"
    script += "print(gc.get_freeze_count(), len(gc.get_objects()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    frozen, left = map(int, done.stdout.split())
    assert frozen > 1000
    assert left < 100


def test_threads_take_turns_often():
    script = "import sys\nfrom pe_desktop import process\nprocess.tune()\nprint(sys.getswitchinterval())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(process.SWITCH_INTERVAL)
