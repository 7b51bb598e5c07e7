"""The page of one step: where one is, the text, the question, what the numbers say, and the way on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QCheckBox,
    QFrame,
    QGridLayout,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.controls.look import GRID, HALF, Look, tint
from pe_desktop.controls.section import Section
from pe_desktop.controls.settling import settle
from pe_desktop.lessons.checks_box import Check, ChecksBox
from pe_desktop.lessons.lesson import Lesson, Step
from pe_desktop.lessons.outcome import Outcome
from pe_desktop.lessons.prediction_box import Answer, PredictionBox
from pe_desktop.lessons.step_frame import PLAY, STOP, StepFoot, StepHead
from pe_desktop.lessons.step_line import StepLine
from pe_desktop.lessons.words import Words

ON = (Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
BACK = (Qt.Key.Key_Left, Qt.Key.Key_PageUp)
LEAST_STRIP = 70 * GRID  # pixels of width
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class StepPage(QWidget):
    """One step; arrows, page keys, Space and Enter go through the lesson while nothing in it takes them.

    Signals
    -------
    advance_asked, back_asked, restart_asked, list_asked, leave_asked
    step_asked : int
    play_asked, only_asked : bool
    answered : object
        See :class:`PredictionBox`.
    """

    advance_asked = Signal()
    back_asked = Signal()
    restart_asked = Signal()
    list_asked = Signal()
    leave_asked = Signal()
    step_asked = Signal(int)
    play_asked = Signal(bool)
    only_asked = Signal(bool)
    answered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._steps = 1
        self._playing = False
        self._presenting = self._revealed = False
        self._lesson: Lesson | None = None
        self._step: Step | None = None
        self.head, self.line, self.foot = StepHead(), StepLine(), StepFoot()
        self._build_body()
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(GRID, GRID, GRID, GRID)
        self._layout.setHorizontalSpacing(2 * GRID)
        self._layout.setVerticalSpacing(GRID)
        self._layout.setRowStretch(2, 1)
        self._layout.setColumnStretch(0, 1)
        self._wide: bool | None = None
        self._arrange(False)
        self._connect()
        self._chain_focus()

    def _build_body(self) -> None:
        self._title = Words("lesson_step_title", "strong")
        self._text = Words("lesson_text")
        self._checks = ChecksBox()
        self._note = Section("lesson_note", "For the speaker")
        self._note_text = Words("lesson_note_text")
        self._note.rows.addWidget(self._note_text)
        self._note.header.setChecked(False)
        self.prediction = PredictionBox()
        self._content = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom, self._content)
        self._columns.setContentsMargins(0, 0, HALF, 0)
        self._columns.setSpacing(2 * GRID)
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for column in (self._left, self._right):
            column.setSpacing(GRID)
            self._columns.addLayout(column)
        self._left.addWidget(self._title)
        self._left.addWidget(self._text)
        self._right.addWidget(self.prediction)
        self._only = QCheckBox("Hide other controls")
        self._only.setObjectName("lesson_only")
        self._only.setToolTip("Show only the controls that this lesson needs")
        # These are put into either column by :meth:`_arrange`.
        for part in (self._checks, self._note, self._only):
            part.setParent(self._content)
        self._below = QSpacerItem(0, 0)
        self._left.addSpacerItem(self._below)
        self._right.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self._content)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _connect(self) -> None:
        head, foot = self.head, self.foot
        head.list.clicked.connect(self.list_asked)
        head.leave.clicked.connect(self.leave_asked)
        self.line.chosen.connect(self.step_asked)
        foot.back.clicked.connect(self.back_asked)
        foot.on.clicked.connect(self.advance_asked)
        foot.again.clicked.connect(self.restart_asked)
        foot.play.clicked.connect(self._on_play_clicked)
        self._only.clicked.connect(self.only_asked)
        self.prediction.answered.connect(self.answered)
        self._note.folded.connect(self._on_note_folded)

    def _chain_focus(self) -> None:
        head, foot = self.head, self.foot
        buttons = (foot.on, foot.back, foot.again, foot.play, head.list, head.leave)
        stops = [self, *self.prediction.stops(), self._note.header, self._only, *buttons]
        for before, after in itertools.pairwise(stops):
            QWidget.setTabOrder(before, after)

    # -- what it shows

    def show_step(self, lesson: Lesson, index: int, answer: Answer, *, revealed: bool) -> None:
        """Show a step.

        Parameters
        ----------
        lesson : Lesson
        index : int
            Of the step, from 0.
        answer : int, str or None
            What was predicted so far; see :class:`PredictionBox`.
        revealed : bool
        """
        step = lesson.steps[index]
        self._lesson, self._step, self._revealed = lesson, step, revealed
        self._steps = len(lesson.steps)
        self.head.place.setText(f"Step {index + 1} of {self._steps}")
        self.line.show_place([each.title for each in lesson.steps], index)
        self._text.setText(step.text)
        self._note_text.setText(step.note)
        self.prediction.setVisible(step.prediction is not None)
        if step.prediction is not None:
            self.prediction.show_prediction(step.prediction, answer, revealed=revealed)
        self._show_parts()
        self._show_ways(step, index, revealed)
        self.setAccessibleName(f"{lesson.title}, step {index + 1} of {self._steps}. {step.title}".rstrip(". "))
        self.setAccessibleDescription(_read_aloud(step, revealed))
        self._settle()

    def _show_ways(self, step: Step, index: int, revealed: bool) -> None:
        last = index == self._steps - 1
        if step.prediction is not None and not revealed:
            self.foot.on.setText("Reveal")
        else:
            self.foot.on.setText("Finish" if last else "Next ▶")
        self.foot.back.setEnabled(index > 0)
        self.foot.play.setVisible(step.play is not None)

    def show_top(self) -> None:
        """Scroll to the beginning of the text."""
        self._scroll.verticalScrollBar().setValue(0)

    def show_answer(self) -> None:
        """Scroll so that the reveal can be read."""
        reveal = self.prediction.reveal
        if reveal.height() < self._scroll.viewport().height():
            self._scroll.ensureWidgetVisible(reveal, 0, GRID)
        else:  # from its beginning on
            self._scroll.verticalScrollBar().setValue(reveal.mapTo(self._content, QPoint(0, 0)).y())

    def show_outcome(self, outcome: Outcome) -> None:
        """Say how the prediction came out."""
        self.prediction.reveal.show_outcome(outcome)
        self._settle()

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Say what the numbers say."""
        if self._checks.show_checks(checks):
            self._show_parts()
            self._settle()

    def show_presenting(self, presenting: bool) -> None:
        """Whether a class reads along: then what only the speaker needs is out of sight."""
        self._presenting = presenting
        self._show_parts()
        self._settle()

    def show_playing(self, playing: bool) -> None:
        """Let the button say what it will do."""
        self._playing = playing
        self.foot.play.setText(STOP if playing else PLAY)

    def show_only(self, only: bool, *, offered: bool) -> None:
        """Whether only the lesson's controls are in sight, and whether that can be chosen."""
        self._only.setChecked(only)
        self._only.setVisible(offered)
        self._settle()

    def show_restartable(self, restartable: bool) -> None:
        """Whether there is anything to start again from."""
        self.foot.again.setEnabled(restartable)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for part in (
            self.head,
            self.line,
            self.foot,
            self._title,
            self._text,
            self._checks,
            self._note,
            self._note_text,
        ):
            part.set_look(look)
        self.prediction.set_look(look)
        self._note.header.setFont(look.body)
        self._only.setFont(look.small)
        tint(self._only, QPalette.ColorRole.Window, look.outline)
        self._settle()

    def take_focus(self) -> None:
        """Put the keyboard onto the page."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _settle(self) -> None:
        settle(self._scroll)

    # -- keys and room

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._take_key(Qt.Key(event.key())):
            super().keyPressEvent(event)

    def _take_key(self, key: Qt.Key) -> bool:
        focused = self.focusWidget()
        if key in ENTER and isinstance(focused, QAbstractButton) and not isinstance(focused, QRadioButton):
            focused.click()
        elif key in ON:
            self.advance_asked.emit()
        elif key in BACK:
            self.back_asked.emit()
        elif key == Qt.Key.Key_Home:
            self.step_asked.emit(0)
        elif key == Qt.Key.Key_End:
            self.step_asked.emit(self._steps - 1)
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_4:
            return self.prediction.choose(key - Qt.Key.Key_1)
        else:
            return False
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self.width() > 2 * self.height() and self.width() >= LEAST_STRIP)

    def _arrange(self, wide: bool) -> None:
        """A strip has text at the left and question at the right; else they are below each other."""
        if wide == self._wide:
            return
        self._wide = wide
        self.head.arrange(wide)
        self.foot.arrange(wide)
        for part in (self.head, self.line, self._scroll, self.foot):
            self._layout.removeWidget(part)
        self._layout.addWidget(self.head, 0, 0)
        self._layout.addWidget(self.line, 1, 0, 1, 2)
        self._layout.addWidget(self._scroll, 2, 0, 1, 2)
        self._layout.addWidget(self.foot, *((0, 1, 1, 1) if wide else (3, 0, 1, 2)))
        column, other = (self._left, self._right) if wide else (self._right, self._left)
        for below in (self._checks, self._note, self._only):
            other.removeWidget(below)
            column.insertWidget(column.count() - 1, below)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(direction)
        filling = QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed
        self._below.changeSize(0, 0, QSizePolicy.Policy.Minimum, filling)
        self._left.invalidate()
        self._show_parts()
        self._settle()

    def _show_parts(self) -> None:
        """In large type a strip holds text and question, or question and answer; its title stands in the first line."""
        lesson, step = self._lesson, self._step
        if lesson is None or step is None:
            return
        strip = self._presenting and bool(self._wide)
        told = strip and self._revealed
        self.head.title.setText(step.title if strip and step.title else lesson.title)
        self.head.show_links(not self._presenting)
        self.head.place.setVisible(not strip)
        self.foot.again.setVisible(not self._presenting)
        self._title.say("" if strip else step.title)
        self._text.setVisible(not told)
        self._note.setVisible(bool(step.note) and not self._presenting)
        self._checks.setVisible(bool(self._checks.shown) and not self._presenting)
        self.prediction.spread(told)
        # Text and question have half the width of a strip each; what is alone has all.
        self._columns.setStretch(0, 1 if self._wide and not told else 0)
        self._columns.setStretch(1, 0 if self._wide and self.prediction.isHidden() else 1)

    @Slot()
    def _on_play_clicked(self) -> None:
        self.play_asked.emit(not self._playing)

    @Slot()
    def _on_note_folded(self) -> None:
        self._settle()


def _read_aloud(step: Step, revealed: bool) -> str:
    prediction = step.prediction
    asked = prediction.question if prediction is not None else ""
    told = prediction.reveal if prediction is not None and revealed else ""
    return " ".join(part for part in (step.text, asked, told) if part)
