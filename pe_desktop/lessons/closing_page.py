"""The page after the last step: what may come next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from pe_desktop.controls.look import GRID, Look
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.step_page import BACK, ENTER, ON
from pe_desktop.lessons.words import PageButton, Words


class ClosingPage(QWidget):
    """Says that the lesson is done, and names the one that follows.

    Signals
    -------
    advance_asked, back_asked, list_asked, leave_asked
    """

    advance_asked = Signal()
    back_asked = Signal()
    list_asked = Signal()
    leave_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_closing")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._done = Words("lesson_done", "title")
        self._next = Words("lesson_following", "small", muted=True)
        self._title = Words("lesson_following_title", "strong")
        self._question = Words("lesson_following_question", muted=True)
        self._on = PageButton("lesson_follow", "Next lesson ▶", primary=True)
        self._back = PageButton("lesson_closing_back", "◀ Back to the last step")
        self._list = PageButton("lesson_closing_list", "All lessons")
        self._leave = PageButton("lesson_closing_leave", "Leave the lesson")
        texts, buttons = QVBoxLayout(), QVBoxLayout()
        for column, parts in (
            (texts, (self._done, self._next, self._title, self._question)),
            (buttons, (self._on, self._back, self._list, self._leave)),
        ):
            column.setSpacing(GRID)
            for part in parts:
                column.addWidget(part)
        buttons.addStretch(1)
        self._below = QSpacerItem(0, GRID)
        texts.addSpacerItem(self._below)
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._columns.setContentsMargins(GRID, 2 * GRID, GRID, GRID)
        self._columns.setSpacing(2 * GRID)
        self._columns.addLayout(texts)
        self._columns.addLayout(buttons, 1)
        self._on.clicked.connect(self.advance_asked)
        self._back.clicked.connect(self.back_asked)
        self._list.clicked.connect(self.list_asked)
        self._leave.clicked.connect(self.leave_asked)

    def show_end(self, lesson: Lesson, following: Lesson | None) -> None:
        """Show the end of a lesson; `following` is the one after it, if any."""
        self._done.setText(f"That was “{lesson.title}”.")
        self._next.say("Next" if following is not None else "")
        self._title.say(following.title if following is not None else "")
        self._question.say(following.question if following is not None else "")
        self._on.setText("Next lesson ▶" if following is not None else "All lessons")
        self._list.setVisible(following is not None)
        self.setAccessibleName(self._done.text())
        self.setAccessibleDescription(f"{self._title.text()} {self._question.text()}".strip())

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (self._done, self._next, self._title, self._question):
            part.set_look(look)
        for button in (self._on, self._back, self._list, self._leave):
            button.set_look(look)

    def take_focus(self) -> None:
        """Put the keyboard onto the page."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() > 2 * self.height()
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._columns.setStretch(0, 2 if wide else 0)
        filling = QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed
        self._below.changeSize(0, 0, QSizePolicy.Policy.Minimum, filling)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, focused = Qt.Key(event.key()), self.focusWidget()
        if key in ENTER and isinstance(focused, QAbstractButton):
            focused.click()
        elif key in ON:
            self.advance_asked.emit()
        elif key in BACK:
            self.back_asked.emit()
        else:
            super().keyPressEvent(event)
