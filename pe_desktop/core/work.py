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
    begun: Callable[[str], None] | None = None
    words: str = ""


_LOCAL = _Local()


@contextmanager
def watched(
    stop: threading.Event,
    progress: Callable[[float], None] | None = None,
    begun: Callable[[str], None] | None = None,
) -> Iterator[None]:
    """Run scans of this thread so that setting `stop` ends them at their next checkpoint.

    Parameters
    ----------
    stop : Event
    progress : callable, optional
        Told the share done, 0 to 1, at each checkpoint.
    begun : callable, optional
        Told the name of each :func:`task` as it begins, and that of the outer one as an inner one ends.
    """
    before = (_LOCAL.stop, _LOCAL.progress, _LOCAL.begun)
    _LOCAL.stop, _LOCAL.progress, _LOCAL.begun = stop, progress, begun
    try:
        yield
    finally:
        _LOCAL.stop, _LOCAL.progress, _LOCAL.begun = before


@contextmanager
def task(words: str) -> Iterator[None]:
    """Name the work inside for whoever watches it, such as "Looking for the closest rows".

    Raises
    ------
    Cancelled
        If the work was called off before it began.
    """
    _end_if_called_off()
    before = _LOCAL.words
    _begin(words)
    try:
        yield
    finally:
        _begin(before)


def _begin(words: str) -> None:
    _LOCAL.words = words
    if _LOCAL.begun is not None and words:
        _LOCAL.begun(words)


def _end_if_called_off() -> None:
    if _LOCAL.stop is not None and _LOCAL.stop.is_set():
        raise Cancelled


def checkpoint(done: float | None = None) -> None:
    """Called by a scan between strips with the share done so far, 0 to 1, None where it is not known.

    Raises
    ------
    Cancelled
        If the work was called off.
    """
    _end_if_called_off()
    if _LOCAL.progress is not None and done is not None:
        _LOCAL.progress(done)
