"""What is around the text of a step: where one is above, the ways on and back below."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from pe_desktop.controls.look import GRID, HALF, Look
from pe_desktop.lessons.words import PageButton, Words

PLAY, STOP = "▶ Play", "■ Stop"
# Row, column, rows and columns of each part: below each other, and in a strip.
HEAD = (
    ((0, 0, 1, 1), (1, 0, 1, 3), (2, 0, 1, 3), (0, 2, 1, 1)),
    ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1), (0, 3, 1, 1)),
)
FOOT = (
    ((1, 0, 1, 1), (1, 1, 1, 1), (0, 0, 1, 1), (0, 1, 1, 1)),
    ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1), (0, 3, 1, 1)),
)


class StepHead(QWidget):
    """The lesson's title, the place of the step, and the ways out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = PageButton("lesson_to_list", "‹ All lessons")
        self.leave = PageButton("lesson_leave", "Leave")
        self.leave.setToolTip("End the lesson; what is on screen stays")
        for link in (self.list, self.leave):
            link.setFlat(True)
        self.title = Words("lesson_title", "title")
        self.place = Words("lesson_place", "small", muted=True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(HALF)
        self._grid.setColumnStretch(1, 1)

    def arrange(self, wide: bool) -> None:
        """Put all into one line, or below each other."""
        _arrange(self._grid, (self.list, self.title, self.place, self.leave), HEAD[wide])
        # Words ignore their width, so that they wrap; in a line the place needs its own.
        self.place.setWordWrap(not wide)
        across = QSizePolicy.Policy.Fixed if wide else QSizePolicy.Policy.Ignored
        self.place.setSizePolicy(across, QSizePolicy.Policy.Minimum)

    def show_links(self, shown: bool) -> None:
        """Whether the ways out are there; before a class they are not needed."""
        self.list.setVisible(shown)
        self.leave.setVisible(shown)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self.list, self.leave, self.title, self.place):
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
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1)

    def arrange(self, wide: bool) -> None:
        """Put all into one line, or in two."""
        _arrange(self._grid, (self.again, self.play, self.back, self.on), FOOT[wide])

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self.back, self.on, self.play, self.again):
            part.set_look(look)


def _arrange(grid: QGridLayout, parts: tuple[QWidget, ...], places: tuple[tuple[int, int, int, int], ...]) -> None:
    for part in parts:
        grid.removeWidget(part)
    for part, place in zip(parts, places, strict=True):
        grid.addWidget(part, *place)
