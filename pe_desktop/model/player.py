"""Play: a number of the state goes up and down by itself, and everything else stays in a person's hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QUndoCommand

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.model.track import Number, Track, changes, label, moved, number, track
from pe_desktop.model.undo import drop_empty, lead_on

if TYPE_CHECKING:
    from pe_desktop.model.lab import Lab

STEP_MS = 33
STEPS = 240  # of one way, about eight seconds
FIRST_FIELD = "position"
# What a shorter sequence moves along; a longer one gives it back.
SPOTS = ("position", "key_position")


class Player(QObject):
    """Sweeps one number between two values, there and back, until it is stopped.

    A step follows only when the one before has been shown, so that nothing piles up where a step takes long. All of
    a sweep is one entry of the undo history; what a person changes meanwhile is an entry of its own, which the sweep
    then goes on in. Undo, redo, and going to a whole other state stop it.

    Parameters
    ----------
    lab : Lab

    Signals
    -------
    playing_changed(bool)
    """

    playing_changed = Signal(bool)

    def __init__(self, lab: Lab, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._field = ""
        self._ends: tuple[Number | None, Number | None] = (None, None)
        self._latest = FIRST_FIELD
        self._share, self._direction = 0.0, 1
        self._stepping = self._waiting = self._held = self._lost = self._refused = False
        self._spots: dict[str, int] = {}
        self._before: QUndoCommand | None = None
        self._ahead: QUndoCommand | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        lab.state_changed.connect(self._on_lab_state_changed)
        lab.snapshot_ready.connect(self._on_lab_snapshot_ready)
        lab.broke.connect(self._on_lab_broke)
        lab.undo_stack.indexChanged.connect(self._on_stack_index_changed)

    @property
    def playing(self) -> bool:
        """Whether a number moves."""
        return self._timer.isActive()

    @property
    def field(self) -> str:
        """The number that moves, or moved last, as :meth:`play` was told; "" before the first."""
        return self._field

    @property
    def latest(self) -> str:
        """The number that a person changed last."""
        return self._latest

    def play(self, field: str, low: Number | None = None, high: Number | None = None) -> None:
        """Move a number from where it is, upwards first; one that cannot move is refused by ``lab.failed``.

        Parameters
        ----------
        field : str
            A field of the state, or a parameter within a group, such as ``params.base``.
        low, high : int, float or None
            Where it turns; None: at the end of its range.
        """
        self.stop()
        self._field, self._ends = field, (low, high)
        try:
            way = self._track()
        except FieldError as error:
            self._lab.failed.emit(error)
            return
        if way.high <= way.low:
            words = label(self._lab.state, field)
            self._lab.failed.emit(FieldError(field, f"{words} cannot move: {way.low:,g} is all of its range here."))
            return
        stack = self._lab.undo_stack
        self._before, self._ahead = stack.command(stack.index() - 1), stack.command(stack.index())
        self._direction = 1
        self._waiting = self._held = self._refused = False
        self._find_place(way)
        self._keep_spots(self._lab.state)
        self._lab.strokes.playing = True
        self._timer.start()
        self.playing_changed.emit(True)

    def stop(self) -> None:
        """Stay at the value there is; what was put off for the sake of motion is worked out now."""
        if self.playing:
            self._end()
            drop_empty(self._lab, self._before)

    def wait(self, wait: bool) -> None:
        """Hold the number while a person has it in hand, and go on from what it then is."""
        self._held = wait
        self._lost = True

    def _end(self) -> None:
        self._timer.stop()
        strokes = self._lab.strokes
        strokes.playing = False
        if not strokes.dragging:
            self._lab.end_drag()
        self.playing_changed.emit(False)

    # -- steps

    @Slot()
    def _on_timer_timeout(self) -> None:
        if not self._lab.strokes.playing:  # another state was opened
            self._end()
        elif not (self._waiting or self._held or (self._lost and self._lab.strokes.dragging)):
            self._step()

    def _step(self) -> None:
        try:
            way = self._track()
        except FieldError:  # a scheme without this parameter was chosen
            self.stop()
            return
        if self._lost:
            self._find_place(way)
        self._share += self._direction / STEPS
        if not 0.0 <= self._share <= 1.0:
            self._direction = -self._direction
            self._share = min(max(self._share, 0.0), 1.0)
        value = way.value(self._share)
        if value == number(self._lab.state, self._field):
            return
        new = self._state_with(value, way)
        if new is not None and new != self._lab.state:
            self._refused = False
            self._go_to(new)

    def _go_to(self, new: LabState) -> None:
        self._stepping = self._waiting = True
        try:
            lead_on(self._lab, new, self._before)
        finally:
            self._stepping = False

    def _state_with(self, value: Number, way: Track) -> LabState | None:
        """The state with a value of the number, or with the nearest that is possible; None where none is near."""
        try:
            return self._lab.state.change(self._wish(value))
        except FieldError as error:
            refusal = error
        for near in sorted(self._remedies(refusal, way), key=lambda other: abs(other - value)):
            try:
                return self._lab.state.change(self._wish(near))
            except FieldError:
                continue
        if not self._refused:
            self._refused = True
            if not self._has_way(way):
                self.stop()
                self._lab.failed.emit(refusal)
        return None

    def _wish(self, value: Number) -> dict[str, Any]:
        """The change that sets the number, and brings back spots as far as there is room for them again."""
        wish = dict(changes(self._field, value))
        if self._field == "length":
            wish |= {name: min(spot, int(value) - 1) for name, spot in self._spots.items()}
        return wish

    def _remedies(self, error: FieldError, way: Track) -> list[Number]:
        """Values of the number that a refusal proposes."""
        found: list[Number] = []
        group, _, name = self._field.rpartition(".")
        for fix in error.fixes:
            inner = fix.changes.get(group, {}) if group else fix.changes
            if len(fix.changes) == 1 and len(inner) == 1 and isinstance(inner.get(name), int | float):
                found.append(inner[name])
        return [value for value in found if way.low <= value <= way.high]

    def _has_way(self, way: Track) -> bool:
        """Whether the number can be anything but what it is."""
        now = number(self._lab.state, self._field)
        values = {way.value(place / STEPS) for place in range(STEPS + 1)} - {now}
        return any(self._is_possible(value) for value in values)

    def _is_possible(self, value: Number) -> bool:
        try:
            self._lab.state.change(self._wish(value))
        except FieldError:
            return False
        return True

    def _track(self) -> Track:
        return track(self._lab.state, self._field, *self._ends)

    def _find_place(self, way: Track) -> None:
        """Stand where the number is now."""
        self._lost = False
        now = number(self._lab.state, self._field)
        self._share = way.share(way.low if now is None else now)

    def _keep_spots(self, state: LabState) -> None:
        self._spots = {name: getattr(state, name) for name in SPOTS}

    # -- from the model

    @Slot(object, object)
    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        if self._stepping:
            return
        if not self._lab.strokes.leaping and (old.scheme, old.experiment) == (new.scheme, new.experiment):
            self._latest = moved(old, new) or self._latest
        if number(old, self._field) != number(new, self._field):
            self._lost = True
        self._refused = False
        for name in SPOTS:
            if getattr(old, name) != getattr(new, name):
                self._spots[name] = getattr(new, name)

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: object) -> None:
        self._waiting = False

    @Slot(object)
    def _on_lab_broke(self, error: Exception) -> None:
        self.stop()

    @Slot(int)
    def _on_stack_index_changed(self, index: int) -> None:
        if not self.playing or self._stepping:
            return
        stack = self._lab.undo_stack
        redone = self._ahead is not None and stack.command(index - 1) is self._ahead
        if stack.canRedo() or redone:
            self._end()
