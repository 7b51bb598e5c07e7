"""A small lesson, and the hands and eyes that go through it in its window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from pe_desktop.lessons.checks_box import Check
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.reading import read_lesson
from pe_desktop.shell.guide import Guide

# The mean of the cosines of the 32 pairs of dimension 64, in closed form.
AT_25 = np.mean(np.cos(25 / 10000 ** (np.arange(32) / 32)))
TEXT = """
format = "pe-desktop lesson"
version = 1
title = "Try"
question = "Does it work?"
group = "Tests"
controls = ["scheme", "swap"]
[state]
scheme = "none"
[[step]]
title = "Choose"
text = "Two words change places."
views = ["scores"]
[step.predict]
kind = "choose"
question = "What is the input gap?"
options = ["0.000", "about 1"]
answer = 1
hide = ["input_gap"]
reveal = "It is 0.000."
expect = ["input_gap == 0.000"]
[step.predict.state]
swap = true
[[step]]
title = "Type"
text = "Look at the curve."
[step.state]
scheme = "sinusoidal"
[step.predict]
kind = "number"
question = "How alike are rows at a gap of 25?"
answer = "similarity(25)"
within = 0.05
reveal = "It falls with ripples."
[[step]]
title = "Watch"
text = "The spot moves."
play = {parameter = "position", from = 3, to = 60}
expect = ["input_gap == 0.000", "position == 30"]
[step.state]
swap = true
position = 30
"""


def written(path: Path) -> Lesson:
    """The lesson, read from a file of its own."""
    path.write_text(TEXT, encoding="utf-8")
    return read_lesson(str(path))


def begun(person, lesson: Lesson) -> Guide:
    """The guide of a window in which a lesson has begun."""
    person.window.activateWindow()
    person.window.guide.open(lesson)
    person.settle()
    return person.window.guide


def text(person, name: str) -> str:
    found = person.window.lesson_dock.findChild(QLabel, name)
    return found.text() if found is not None and found.isVisible() else ""


def click(person, name: str) -> None:
    QTest.mouseClick(person.window.lesson_dock.findChild(QPushButton, name), Qt.MouseButton.LeftButton)
    person.settle()


def press(person, key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)
    person.settle()


def checks(person) -> tuple[Check, ...]:
    """The claims on the page, once they have been judged."""
    desk = person.window.desk
    person.settle()
    person.qtbot.waitUntil(lambda: not desk._quiet.isActive(), timeout=5_000)
    return desk._contents.page._checks.shown


def drop(person, path: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    person.window.dropEvent(QDropEvent(QPointF(50, 50), copy, data, left, none))
    person.settle()
