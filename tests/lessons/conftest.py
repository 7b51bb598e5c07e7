"""The lesson dock without a window around it."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from pe_desktop.lessons.dock import LessonDock
from pe_desktop.theme import LIGHT
from tests.lessons.dock_hands import Heard


@pytest.fixture
def dock(qtbot):
    made = LessonDock(LIGHT)
    qtbot.addWidget(made)
    made.resize(336, 700)
    made.show()
    QTest.qWaitForWindowExposed(made)
    made.activateWindow()
    return made


@pytest.fixture
def heard(dock):
    return Heard(dock)
