"""What is around the text of a step: where one is above, the ways on and back below."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from pe_desktop.controls.look import GRID, HALF, Look
from pe_desktop.lessons.step_line import StepLine
from pe_desktop.lessons.words import PageButton, Words

PLAY, STOP = "▶ Play", "■ Stop"


class StepHead(QWidget):
    """The lesson's title, the way back to the list, and the line of the steps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = PageButton("lesson_to_list", "‹ All lessons")
        self.list.setFlat(True)
        self.leave = PageButton("lesson_leave", "Leave")
        self.leave.setFlat(True)
        self.leave.setToolTip("End the lesson; what is on screen stays")
        self.title = Words("lesson_title", "title")
        self.place = Words("lesson_place", "small", muted=True)
        self.line = StepLine()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(HALF)
        self._grid.setColumnStretch(1, 1)

    def arrange(self, wide: bool) -> None:
        """Put all into one line over that of the steps, or below each other."""
        parts: tuple[QWidget, ...] = (self.list, self.title, self.place, self.leave, self.line)
        for part in parts:
            self._grid.removeWidget(part)
        narrow = ((0, 0, 1, 1), (1, 0, 1, 3), (2, 0, 1, 3), (0, 2, 1, 1), (3, 0, 1, 3))
        strip = ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1), (0, 3, 1, 1), (1, 0, 1, 4))
        for part, place in zip(parts, strip if wide else narrow, strict=True):
            self._grid.addWidget(part, *place)
        # Words ignore their width, so that they wrap; in a line the place needs its own.
        self.place.setWordWrap(not wide)
        self.place.setSizePolicy(
            QSizePolicy.Policy.Fixed if wide else QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum
        )

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self.list, self.leave, self.title, self.place, self.line):
            part.set_look(look)


class StepFoot(QWidget):
    """The buttons that go on and back, and those that play the step and start it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = PageButton("lesson_back", "◀ Back")
        self.on = PageButton("lesson_on", "Next ▶", primary=True)
        self.play = PageButton("lesson_play", PLAY)
        self.again = PageButton("lesson_again", "Start again")
        self.again.setToolTip("Back to the state this step begins with")
        self.only = QCheckBox("Only this lesson's controls")
        self.only.setObjectName("lesson_only")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID)
        for column, button in enumerate((self.back, self.on)):
            grid.addWidget(button, 0, column)
            grid.setColumnStretch(column, 1)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.again, 1)
        row.addWidget(self.play, 1)
        grid.addLayout(row, 1, 0, 1, 2)
        grid.addWidget(self.only, 2, 0, 1, 2)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self.back, self.on, self.play, self.again):
            part.set_look(look)
        self.only.setFont(look.small)
