"""A lesson and a list for the pages of the lesson dock, and hands and eyes for them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from pe_desktop.lessons.dock import LessonDock
from pe_desktop.lessons.lesson_list import Row, Sort
from pe_desktop.lessons.option_button import OptionButton
from pe_desktop.lessons.reading import parse_lesson

LONG = "Somebody put sixty words here to see whether they wrap and whether the page scrolls where they do not fit. " * 3
LESSON = parse_lesson(
    f"""
format = "pe-desktop lesson"
version = 1
title = "Swap two words"
question = "Does attention know which word came first?"
group = "Why order is lost"
controls = ["scheme", "swap"]
[state]
scheme = "none"
[[step]]
title = "The same words"
text = "{LONG}"
note = "Let somebody guess aloud."
expect = ["largest_value == 0.000"]
play = "position"
[[step]]
title = "Choose"
text = "Now two words change places."
[step.predict]
kind = "choose"
question = "What is the input gap?"
options = ["0.000", "about 1", "it depends on the head that is shown, on the seed and on where the two words are"]
answer = 1
reveal = "{LONG}"
expect = ["input_gap == 0.000"]
[step.predict.state]
swap = true
[[step]]
title = "Type"
text = "A number."
[step.state]
scheme = "sinusoidal"
[step.predict]
kind = "number"
question = "How alike are two rows at a gap of 25?"
answer = "similarity(25)"
within = 0.05
unit = "of 1"
reveal = "It falls with ripples."
""",
    "swap.pelesson",
)
ROWS = (
    Row(Sort.HEADING, "Why order is lost"),
    Row(Sort.LESSON, "Swap two words", "Does attention know which word came first?", "swap"),
    Row(Sort.LESSON, "A mask already lets order in", LONG, "mask"),
    Row(Sort.HEADING, "My lessons"),
    Row(Sort.BROKEN, "broken.pelesson", "broken.pelesson, line 9: the key is unknown.", "broken"),
)


class Heard:
    """What the dock asks for, in order."""

    def __init__(self, dock: LessonDock) -> None:
        self.asked: list[object] = []
        for name in ("advance", "back", "list", "leave", "file", "folder"):
            getattr(dock, f"{name}_asked").connect(self._hears(name))
        dock.opened.connect(self._hears("opened"))
        dock.page.step_asked.connect(self._hears("step"))
        dock.page.restart_asked.connect(self._hears("restart"))
        dock.page.play_asked.connect(self._hears("play"))
        dock.page.answered.connect(self._hears("answered"))

    def _hears(self, name):
        def hear(*values):
            self.asked.append((name, *values) if values else name)

        return hear

    def take(self) -> list[object]:
        asked, self.asked[:] = list(self.asked), []
        return asked


def click(dock: QWidget, name: str) -> None:
    QTest.mouseClick(dock.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


def text(dock: LessonDock, name: str) -> str:
    found = dock.findChild(QLabel, name)
    return found.text() if found.isVisible() else ""


def options(dock: LessonDock) -> list[OptionButton]:
    return [option for option in dock.findChildren(OptionButton) if option.isVisible()]
