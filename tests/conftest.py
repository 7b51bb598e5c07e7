"""What every test gets: a settings file of its own, a fixed hypothesis profile, and a look at what it leaves behind."""

from __future__ import annotations

import gc
import os
import sys

import pytest
from hypothesis import settings

from pe_desktop.core import gap_sums, properties, scans, spread

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Each run tries the same examples, so that many of them only cost time.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=False, max_examples=50)
settings.load_profile("ci")


@pytest.fixture(autouse=True)
def own_settings(monkeypatch, tmp_path):
    """Settings go to a file that no other test and no person uses."""
    path = tmp_path / "pe-desktop-test.ini"
    monkeypatch.setenv("PE_DESKTOP_SETTINGS", str(path))
    return path


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """What another test had scanned would make a costly snapshot a cheap one."""
    monkeypatch.setattr(gap_sums, "_LAST_SUMS", gap_sums._LastSums())
    kept = (scans.closest_rows, scans.norm_range, scans.largest_of_table, scans._table_facts)
    for scan in (*kept, spread.gap_spread, properties._residual, properties._bounded):
        scan._answers.clear()


@pytest.fixture(autouse=True)
def plain_look():
    """A theme sets the application's type and palette; each test starts with the platform's, whichever ran before."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    app = widgets.QApplication.instance() if widgets is not None else None
    if app is None or not isinstance(app, widgets.QApplication):
        return
    from PySide6.QtGui import QFontDatabase, QPalette

    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if app.font() != font:
        app.setFont(font)
    if app.palette() != QPalette():
        app.setPalette(QPalette())


@pytest.fixture(autouse=True)
def nothing_left():
    """Fail a test after which a window, a running thread or an active timer is left, and name it."""
    before = set(_living()) if _qt_is_up() else set()
    yield
    if not _qt_is_up():
        return
    _delete_what_was_said_to_be()
    left = _new(before)
    if left:  # what only a cycle of references holds is no leak
        del left
        gc.collect()
        _delete_what_was_said_to_be()
        left = _new(before)
    if left:
        pytest.fail("The test left behind: " + "; ".join(left), pytrace=False)


def _qt_is_up() -> bool:
    core = sys.modules.get("PySide6.QtCore")
    return core is not None and core.QCoreApplication.instance() is not None


def _delete_what_was_said_to_be() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _living() -> dict[tuple[int, ...], object]:
    """Top-level widgets, running threads and active timers, by the address of their C++ object."""
    from PySide6.QtCore import QThread, QTimer
    from shiboken6 import Shiboken

    found: list[object] = []
    for thing in Shiboken.getAllValidWrappers():
        running_thread = isinstance(thing, QThread) and thing.isRunning() and not thing.isCurrentThread()
        if running_thread or (isinstance(thing, QTimer) and thing.isActive()):
            found.append(thing)
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is not None and isinstance(widgets.QApplication.instance(), widgets.QApplication):
        found += widgets.QApplication.topLevelWidgets()
    return {Shiboken.getCppPointer(thing): thing for thing in found}


def _new(before: set[tuple[int, ...]]) -> list[str]:
    return [_describe(thing) for pointer, thing in _living().items() if pointer not in before]


def _describe(thing: object) -> str:
    """Class, object name and title of what is left, and what kinds of things in Python refer to it."""
    words = [type(thing).__name__]
    for ask in ("objectName", "windowTitle", "text"):
        answer = getattr(thing, ask, None)
        if callable(answer) and isinstance(answer(), str) and answer():
            words.append(repr(answer()))
    holders = {type(holder).__name__ for holder in gc.get_referrers(thing)} - {"frame", "dict", "tuple"}
    if holders:
        words.append(f"(held by {', '.join(sorted(holders))})")
    return " ".join(words)
