"""The allocator keeps what it was given back, so that a frame's temporaries cost no page faults."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

FAULTS = """
import resource, sys
import numpy as np
from pe_desktop.allocator import keep_freed_memory
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
