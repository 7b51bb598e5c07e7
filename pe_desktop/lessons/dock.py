"""What the lesson dock shows: the list of lessons, one step of a lesson, or its end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QApplication, QStackedLayout, QWidget

from pe_desktop.controls.look import GRID, look_of
from pe_desktop.lessons.closing_page import ClosingPage
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.lesson_list import LessonList, Row
from pe_desktop.lessons.prediction_box import Answer
from pe_desktop.lessons.step_page import StepPage
from pe_desktop.theme import Theme

LEAST_WIDTH = 35 * GRID
WIDTH = 42 * GRID
LEAST_HEIGHT = 20 * GRID


class LessonDock(QWidget):
    """One of three pages; what a person asks for comes in signals, whichever page it is on.

    Signals
    -------
    opened : object
        The key of a row of the list.
    file_asked, folder_asked, list_asked, leave_asked, advance_asked, back_asked
        For the other wishes of a step see :class:`StepPage`, which ``page`` is.
    """

    opened = Signal(object)
    file_asked = Signal()
    folder_asked = Signal()
    list_asked = Signal()
    leave_asked = Signal()
    advance_asked = Signal()
    back_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_contents")
        self.list, self.page, self.closing = LessonList(), StepPage(), ClosingPage()
        self._pages = QStackedLayout(self)
        for page in (self.list, self.page, self.closing):
            self._pages.addWidget(page)
        self.list.opened.connect(self.opened)
        self.list.file_asked.connect(self.file_asked)
        self.list.folder_asked.connect(self.folder_asked)
        for wishes in (self.page, self.closing):
            wishes.advance_asked.connect(self.advance_asked)
            wishes.back_asked.connect(self.back_asked)
            wishes.list_asked.connect(self.list_asked)
            wishes.leave_asked.connect(self.leave_asked)
        self.setMinimumSize(LEAST_WIDTH, LEAST_HEIGHT)
        self.set_theme(theme)

    def show_list(self, rows: Sequence[Row]) -> None:
        """Show what there is to open."""
        self.list.show_rows(rows)
        self._turn_to(self.list)

    def show_step(self, lesson: Lesson, index: int, answer: Answer, *, revealed: bool) -> None:
        """Show a step; see :meth:`StepPage.show_step`."""
        self.page.show_step(lesson, index, answer, revealed=revealed)
        self._turn_to(self.page)

    def show_end(self, lesson: Lesson, following: Lesson | None) -> None:
        """Show the page after the last step."""
        self.closing.show_end(lesson, following)
        self._turn_to(self.closing)

    def take_focus(self) -> None:
        """Put the keyboard onto the page there is."""
        self._current().take_focus()

    def set_theme(self, theme: Theme) -> None:
        """Restyle everything."""
        look = look_of(theme)
        self.setFont(look.body)
        for page in (self.list, self.page, self.closing):
            page.set_look(look)

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 60 * GRID)

    def _current(self) -> LessonList | StepPage | ClosingPage:
        page = self._pages.currentWidget()
        assert isinstance(page, LessonList | StepPage | ClosingPage)
        return page

    def _turn_to(self, page: QWidget) -> None:
        """Show a page; the keyboard goes with it if it was on another."""
        focused = QApplication.focusWidget()
        held = focused is not None and self.isAncestorOf(focused)
        if page is not self._pages.currentWidget():
            self._pages.setCurrentWidget(page)
            if held:
                self.take_focus()
