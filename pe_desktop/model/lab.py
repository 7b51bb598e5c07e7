"""The laboratory: holds the state, and is the only way for it to change."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMetaMethod, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QUndoStack

from pe_desktop.core import formula
from pe_desktop.core.called_off import called_off
from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import NO_CURSOR, Cursor, Snapshot, Viewport
from pe_desktop.core.snapshot import compute, is_cheap, is_complete, stages
from pe_desktop.core.state import LabState
from pe_desktop.model.runner import Runner
from pe_desktop.model.strokes import Strokes
from pe_desktop.model.undo import record

# Stillness after which the costly part of a snapshot is worked out: within a drag, whose frames it would slow down, and
# after any other change. The steps of a wheel come faster than that; the end of a drag does not wait.
SETTLE_MS = 120
PAUSE_MS = 30
UNDO_LIMIT = 500
SIZES = ("matrix", "curve", "scores", "precision", "grid")  # fields of a viewport that are pixels
COMPUTE = QEvent.Type(QEvent.registerEventType())


class Lab(QObject):
    """State, snapshot, cursor and undo of one window.

    Everything a widget wants goes through :meth:`request`; everything it shows comes in signals.
    Changes made within one turn of the event loop are computed once, as far as that fits a frame; the rest follows
    from the worker, in stages.

    Signals
    -------
    state_changed(old, new)
        The state is another one; emitted at once.
    snapshot_ready(snapshot)
        A snapshot newer than the last; its state is the current one.
    cursor_moved(cursor), formula_changed(str), viewport_changed(viewport)
        What the mouse is on, its formula, and what the views show.
    busy_changed(bool), failed(FieldError), broke(Exception)
        A worker is at work; a request was refused; something unexpected happened in the worker.
    progress_changed(Progress or None)
        What the worker is at and how far, once it has taken long; None when there is nothing to wait for any more.
    stopped_changed(bool)
        See :attr:`stopped`.
    """

    state_changed = Signal(object, object)
    snapshot_ready = Signal(object)
    cursor_moved = Signal(object)
    formula_changed = Signal(str)
    busy_changed = Signal(bool)
    failed = Signal(object)
    broke = Signal(object)
    viewport_changed = Signal(object)
    progress_changed = Signal(object)
    stopped_changed = Signal(bool)

    def __init__(self, state: LabState | None = None, parent: QObject | None = None, *, blocking: bool = False) -> None:
        super().__init__(parent)
        self._state = state or LabState()
        self._snapshot: Snapshot | None = None
        self._made: Snapshot | None = None  # what the one shown was before its work was called off
        self._viewport = Viewport()
        self._cursor = NO_CURSOR
        self._formula = ""
        self._generation = 0
        self.strokes = Strokes()
        self._hurried = False
        self._stopped = False
        self._closed = False
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._runner = Runner(self, blocking=blocking)
        self._runner.finished.connect(self._on_runner_finished)
        self._runner.failed.connect(self._on_runner_failed)
        self._runner.busy_changed.connect(self._on_runner_busy_changed)
        self._runner.progress.connect(self.progress_changed)
        self._asked = False
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.timeout.connect(self._work_out)

    @property
    def state(self) -> LabState:
        """The current state."""
        return self._state

    @property
    def snapshot(self) -> Snapshot | None:
        """The last snapshot that was shown."""
        return self._snapshot

    @property
    def viewport(self) -> Viewport:
        """What the views show."""
        return self._viewport

    @property
    def cursor(self) -> Cursor:
        """What the mouse is on."""
        return self._cursor

    @property
    def formula(self) -> str:
        """The text of the formula strip."""
        return self._formula

    @property
    def blocking(self) -> bool:
        """Whether the worker's jobs run at once (tests, pictures)."""
        return self._runner.blocking

    @blocking.setter
    def blocking(self, value: bool) -> None:
        self._runner.blocking = value

    @property
    def busy(self) -> bool:
        """Whether the picture on screen is not yet the final one."""
        return self._asked or self._settled.isActive() or self._runner.busy

    @property
    def stopped(self) -> bool:
        """Whether the picture on screen is not complete and nobody works on it: it was called off, or it broke."""
        return self._stopped

    def request(self, **changes: Any) -> bool:
        """Ask for another state.

        Parameters
        ----------
        **changes
            Fields of :class:`LabState`; ``params`` maps parameters of the scheme to values.

        Returns
        -------
        bool
            False if it was refused; then ``failed`` was emitted and nothing has changed. Asking for the state there
            is resumes work that was called off.
        """
        try:
            new = self._state.change(changes)
        except FieldError as error:
            self.failed.emit(error)
            return False
        if new != self._state:
            record(self, self._state, new, self.strokes.current)
        else:
            self.resume()
        return True

    def replace(self, state: LabState) -> None:
        """Go to a whole other state (an opened session) as one undo entry; nothing plays on."""
        if state != self._state:
            with self.strokes.elsewhere():
                record(self, self._state, state, 0)

    def reset(self) -> None:
        """Back to the state of a first start."""
        self.replace(LabState())

    def undo(self) -> None:
        """Take back the last change."""
        self.undo_stack.undo()

    def redo(self) -> None:
        """Make the change again that was taken back."""
        self.undo_stack.redo()

    def begin_drag(self) -> None:
        """From here on changes belong together, until :meth:`end_drag`."""
        self.strokes.begin()

    def end_drag(self) -> None:
        """The next change is an undo entry of its own, and all is worked out now; also at the end of a pan."""
        self.strokes.dragging = False
        self._hurried = self._asked
        if self._settled.isActive() and not self._asked:
            self._work_out()

    def stop(self) -> None:
        """Call off what is being worked out; what is on screen stays, and says that it is not complete."""
        self._settled.stop()
        self._runner.cancel()
        self._note_stopped()

    def resume(self) -> None:
        """Work out what was called off."""
        if self._stopped and self._made is not None:
            self._set_stopped(False)
            self._show(self._made)
            self._work_out()

    def apply(self, new: LabState) -> None:
        """Make a state the current one (called by undo commands only)."""
        old, self._state = self._state, new
        if old == new:
            return
        if (old.length, old.scheme, old.dimension) != (new.length, new.scheme, new.dimension):
            self._refit(old, new)
        self.state_changed.emit(old, new)
        self._start_soon()

    def _refit(self, old: LabState, new: LabState) -> None:
        """A zoom is kept only while what it shows has the same shape; that of the scores is length x length."""
        changes: dict[str, None] = {"columns": None, "precision_pairs": None}
        if old.length != new.length:
            changes |= {"rows": None, "score_rows": None, "score_columns": None}
        elif (old.scheme, old.dimension) == (new.scheme, new.dimension):
            return
        self.set_viewport(**changes)

    def set_viewport(self, **changes: Any) -> None:
        """Say what the views show; see :class:`Viewport`. Never an undo entry."""
        viewport = dataclasses.replace(self._viewport, **changes)
        if viewport == self._viewport:
            return
        old, self._viewport = self._viewport, viewport
        self.viewport_changed.emit(viewport)
        if self.strokes.moving and self._made is not None and not self._asked and _is_resized(old, viewport):
            # A wider number moved an edge: no second picture in one frame, as the one there covers the same cells.
            self._settled.start(SETTLE_MS)
        else:
            self._start_soon()

    def set_cursor(self, cursor: Cursor) -> None:
        """Move the one cursor; nothing is computed anew but the formula."""
        if cursor.view == "matrix" and cursor.column is not None and cursor.sentence != "b":
            cursor = dataclasses.replace(cursor, pair=formula.pair_of(self._state.built, cursor.column))
        if cursor == self._cursor:
            return
        self._cursor = cursor
        self.cursor_moved.emit(cursor)
        self._update_formula()

    def flush(self) -> None:
        """Do now what is still to be done, the costly part included."""
        self._asked = False
        self._settled.stop()
        self._runner.cancel()
        self._generation += 1
        self._set_stopped(False)
        self._show(compute(self._state, self._viewport, generation=self._generation, previous=self._made))

    def close(self) -> None:
        """End the worker and compute no more; to be called before the views go."""
        self._closed = True
        self._asked = False
        self._settled.stop()
        self._runner.close()

    def _start_soon(self) -> None:
        """Compute once in this turn of the event loop, before anything is painted.

        A timer would fire only after the slider and its number had been painted: two paint passes per frame.
        """
        # Views that are being taken away still say that they show nothing any more.
        if self._closed or self._asked:
            return
        self._asked = True
        QCoreApplication.postEvent(self, QEvent(COMPUTE), Qt.EventPriority.HighEventPriority.value)

    def event(self, event: QEvent) -> bool:
        """Compute when the loop comes to what :meth:`_start_soon` posted; flush may have been faster."""
        if event.type() != COMPUTE:
            return super().event(event)
        if self._asked:
            self._asked = False
            self._compute_guarded()
        return True

    def _compute_guarded(self) -> None:
        """PySide ends the process when an exception raised in C code leaves an override such as :meth:`event`."""
        try:
            self._compute_now()
        except Exception as error:
            if not self.isSignalConnected(QMetaMethod.fromSignal(self.broke)):
                raise
            self.broke.emit(error)

    def _compute_now(self) -> None:
        self._generation += 1
        self._settled.stop()
        self._runner.cancel()  # what runs is of a state or a window that is gone
        self._set_stopped(False)
        hurried, self._hurried = self._hurried, False
        cheap = is_cheap(self._state, self._viewport)
        made = compute(self._state, self._viewport, generation=self._generation, previous=self._made, full=cheap)
        complete = is_complete(made)
        if not complete and not hurried:
            self._settled.start(SETTLE_MS if self.strokes.moving else PAUSE_MS)
        self._show(made)
        if not complete and hurried:
            self._work_out()

    def _work_out(self) -> None:
        """Let the worker make in full what is on screen, in stages; in one drag a job may have done so already."""
        self._settled.stop()
        steps = stages(self._state, self._viewport, generation=self._generation, previous=self._made)
        self._runner.submit(self._generation, *steps)

    def _on_runner_finished(self, number: int, snapshot: Snapshot) -> None:
        # An answer to an older question is dropped: the quick one on screen is of the right state, or about to be.
        if number == self._generation and not self._asked:
            self._show(snapshot)

    def _on_runner_failed(self, number: int, error: Exception) -> None:
        self.broke.emit(error)

    def _on_runner_busy_changed(self, busy: bool) -> None:
        self.busy_changed.emit(busy)
        if not self.busy:
            self._note_stopped()

    def _note_stopped(self) -> None:
        """Say of a picture that is not complete that it stays so, unless another one comes anyway."""
        if self._made is None or self._asked or self._closed or self._stopped or is_complete(self._made):
            return
        self._set_stopped(True)
        self._snapshot = called_off(self._made)
        self.snapshot_ready.emit(self._snapshot)

    def _set_stopped(self, stopped: bool) -> None:
        if stopped != self._stopped:
            self._stopped = stopped
            self.stopped_changed.emit(stopped)

    def _show(self, snapshot: Snapshot) -> None:
        self._made = self._snapshot = snapshot
        self.snapshot_ready.emit(snapshot)
        self._update_formula()

    def _update_formula(self) -> None:
        if self._snapshot is None:
            return
        text = formula.formula(self._snapshot, self._cursor)
        if text != self._formula:
            self._formula = text
            self.formula_changed.emit(text)


def _is_resized(old: Viewport, new: Viewport) -> bool:
    """Whether only sizes in pixels have changed, of views that were shown before."""
    sizes = {name: getattr(new, name) for name in SIZES if getattr(old, name) not in (0, (0, 0))}
    return dataclasses.replace(old, **sizes) == new
