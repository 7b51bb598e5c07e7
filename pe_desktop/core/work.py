"""Cancelling and progress for long scans, without the scans knowing who asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancelled(Exception):  # noqa: N818  (a way out, not an error)
    """Raised inside a scan whose answer nobody wants any more."""


class _Local(threading.local):
    stop: threading.Event | None = None
    progress: Callable[[float], None] | None = None


_LOCAL = _Local()


@contextmanager
def watched(stop: threading.Event, progress: Callable[[float], None] | None = None) -> Iterator[None]:
    """Run scans of this thread so that setting `stop` ends them at their next checkpoint."""
    before = (_LOCAL.stop, _LOCAL.progress)
    _LOCAL.stop, _LOCAL.progress = stop, progress
    try:
        yield
    finally:
        _LOCAL.stop, _LOCAL.progress = before


def checkpoint(done: float) -> None:
    """Called by a scan between strips with the share done so far, 0 to 1.

    Raises
    ------
    Cancelled
        If the work was called off.
    """
    if _LOCAL.stop is not None and _LOCAL.stop.is_set():
        raise Cancelled
    if _LOCAL.progress is not None:
        _LOCAL.progress(done)
