"""How the process is tuned for a window that never waits: threads, memory, and Python's collector."""

from __future__ import annotations

import gc
import sys

SWITCH_INTERVAL = 0.0005  # seconds; a worker in numpy then never holds up a frame
# Parameters of glibc's mallopt (malloc.h).
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
KEPT = 16 << 20  # bytes


def tune() -> None:
    """Before a window is made."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    keep_freed_memory()


def settle() -> None:
    """Once a window is there: what exists now stays, so the collector need not look through it again and again.

    A full collection over some 80,000 objects held up a frame for 50 ms.
    """
    gc.freeze()


def keep_freed_memory() -> bool:
    """Let numpy's temporaries of up to 16 MB be reused instead of asked for anew; whether the system can.

    glibc maps every array of more than 128 KB, and cuts the end off its heap: each temporary then costs as much in page
    faults as in arithmetic (measured: a picture of 8,192 dimensions in 6 instead of 11 ms). Elsewhere nothing is done.
    """
    if sys.platform != "linux":
        return False
    import ctypes  # which numpy has imported already

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:  # another C library
        return False
    return bool(mallopt(MMAP_THRESHOLD, KEPT)) and bool(mallopt(TRIM_THRESHOLD, KEPT))
