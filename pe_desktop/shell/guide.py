"""Leading through a lesson: each step sets the laboratory, points at what matters, and reveals when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from pe_desktop.core.errors import FieldError

if TYPE_CHECKING:  # lessons are not needed to start
    from pe_desktop.core.state import LabState
    from pe_desktop.lessons.lesson import Lesson, Step
    from pe_desktop.lessons.prediction_box import Answer
    from pe_desktop.shell.main_window import MainWindow


class Guide(QObject):
    """The lesson that is open, where in it one is, and what was predicted.

    A step's state is one undo entry; undoing it leaves the lesson where it is.

    Attributes
    ----------
    lesson : Lesson or None
    index : int
        Of the step, from 0.
    revealed : bool
        Whether the step has a prediction and its answer is shown.
    finished : bool
        Whether one is past the last step.

    Signals
    -------
    changed
        Another lesson, step or stage of a step.
    """

    changed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.lesson: Lesson | None = None
        self.index = 0
        self.revealed = False
        self.finished = False
        self._answers: dict[int, Answer] = {}
        self._seen: set[int] = set()  # steps whose answers are out
        self._only = False

    @property
    def step(self) -> Step | None:
        """The step one is at; None without a lesson."""
        return self.lesson.steps[self.index] if self.lesson is not None else None

    @property
    def awaits(self) -> bool:
        """Whether the step asks for a prediction that is not revealed yet."""
        step = self.step
        return step is not None and step.prediction is not None and not self.revealed and not self.finished

    @property
    def answer(self) -> Answer:
        """What was predicted at this step."""
        return self._answers.get(self.index)

    @answer.setter
    def answer(self, value: Answer) -> None:
        self._answers[self.index] = value

    @property
    def touched(self) -> bool:
        """Whether the laboratory is elsewhere than where the step begins, or the step has been revealed."""
        step = self.step
        return step is not None and (self.revealed or self._window.lab.state != step.state)

    @property
    def presenting(self) -> bool:
        """Whether the lesson is on a big screen, in front of others."""
        return self._window.presenter.presenting

    @property
    def only(self) -> bool:
        """Whether only the lesson's controls are in sight."""
        return self._only

    @only.setter
    def only(self, wanted: bool) -> None:
        self._only = wanted
        self.show_controls()

    # -- the way through

    def open(self, lesson: Lesson, index: int = 0) -> None:
        """Begin a lesson, at a step."""
        self.lesson = lesson
        self._answers.clear()
        self._seen.clear()
        self.index = min(max(index, 0), len(lesson.steps) - 1)
        self._enter()

    def open_file(self, path: str) -> None:
        """Begin the lesson of a file; one that cannot be read is refused in one sentence."""
        from pe_desktop.lessons.reading import read_lesson

        try:
            lesson = read_lesson(path)
        except FieldError as error:
            self._window.messages.say(error)
        else:
            self._window.messages.retract()
            self.open(lesson)

    def close(self) -> None:
        """End the lesson; what is on screen stays."""
        if self.lesson is None:
            return
        self.lesson = None
        self.revealed = self.finished = False
        self._clear()
        self.show_controls()
        self.changed.emit()

    def advance(self) -> None:
        """Reveal what is to be revealed, else go to the next step, at last past the end."""
        if self.lesson is None or self.finished:
            return
        if self.awaits:
            self.reveal()
        elif self.index + 1 < len(self.lesson.steps):
            self.go(self.index + 1)
        else:
            self.finished = True
            self._clear()
            self.changed.emit()

    def back(self) -> None:
        """Go to the step before; from the end to the last."""
        if self.finished:
            self.go(self.index)
        elif self.index > 0:
            self.go(self.index - 1)

    def go(self, index: int) -> None:
        """Go to a step; one that was revealed before still is."""
        if self.lesson is not None and 0 <= index < len(self.lesson.steps):
            self.index = index
            self._enter()

    def reveal(self) -> None:
        """Show the answer, in the state it speaks of."""
        step = self.step
        if step is None or not self.awaits:
            return
        try:
            state = step.revealed
        except FieldError as error:
            self._window.messages.say(error)
            return
        self._seen.add(self.index)
        self.revealed = True
        self._replace(state)
        self._veil()
        self.changed.emit()

    def restart(self) -> None:
        """Begin the step anew: its state, and its question open; what was predicted stays."""
        if self.lesson is not None:
            self._seen.discard(self.index)
            self._enter()

    def play(self, wanted: bool) -> None:
        """Let the step's parameter move, or hold it."""
        player, step = self._window.player, self.step
        if step is None or step.play is None or not wanted:
            player.stop()
        else:
            player.play(step.play.parameter, step.play.low, step.play.high)

    def show_controls(self) -> None:
        """Keep out of sight what the lesson does not need: while presenting, or where that is wanted."""
        lesson = self.lesson
        wanted = self._only or self.presenting
        names = frozenset(lesson.controls) if lesson is not None and wanted and lesson.controls else None
        self._window.controls.show_only(names)

    # -- what a step does to the window

    def _enter(self) -> None:
        step, window = self.step, self._window
        assert step is not None
        self.finished = False
        self.revealed = step.prediction is not None and self.index in self._seen
        window.player.stop()
        self._replace(step.revealed if self.revealed else step.state)
        for name in step.views:
            window.centre.bring_to_front(name)
        self.show_controls()
        window.pointer.point_at(step.point)
        self._veil()
        self.changed.emit()

    def _replace(self, state: LabState) -> None:
        self._window.lab.replace(state)
        self._window.messages.retract()
        self._window.controls.revert()

    def _veil(self) -> None:
        step = self.step
        if step is None or step.prediction is None or self.revealed:
            self._window.veils.uncover()
        else:
            self._window.veils.cover(step.prediction.hide, draw=step.asks_for_drawing)

    def _clear(self) -> None:
        window = self._window
        window.player.stop()
        window.pointer.point_at(())
        window.veils.uncover()
