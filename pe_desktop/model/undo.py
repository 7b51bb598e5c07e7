"""Undo: one entry per change, and one for a whole drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from pe_desktop.core.scheme import Scheme
from pe_desktop.core.state import LABELS, LabState

if TYPE_CHECKING:
    from pe_desktop.model.lab import Lab


class StateChange(QUndoCommand):
    """From one state to another.

    Changes of the same `stroke` (a drag, or a run of typing into one field) extend one entry. Qt's own merging is
    not used: PySide never gives back a command that was merged into another, nor the states it holds.
    """

    def __init__(self, lab: Lab, old: LabState, new: LabState, stroke: int) -> None:
        super().__init__(describe(old, new))
        self._lab = lab
        self.old = old
        self.new = new
        self.stroke = stroke

    def id(self) -> int:
        """No merging; said here, since PySide loses a reference to None whenever it finds a virtual not overridden."""
        return -1

    def extend(self, new: LabState) -> None:
        """Lead to a later state of the same stroke."""
        self.new = new
        self.setText(describe(self.old, new))
        self.setObsolete(new == self.old)

    def redo(self) -> None:
        """Go to the new state."""
        self._lab.apply(self.new)

    def undo(self) -> None:
        """Go back to the old state."""
        self._lab.apply(self.old)


def record(lab: Lab, old: LabState, new: LabState, stroke: int) -> None:
    """Make a change an entry of the lab's undo stack, or the new end of its last entry where both are one stroke."""
    stack = lab.undo_stack
    last = stack.command(stack.index() - 1) if stroke and not stack.canRedo() else None
    if not isinstance(last, StateChange) or last.stroke != stroke:
        stack.push(StateChange(lab, old, new, stroke))
        return
    _extend(lab, last, new)
    if last.isObsolete():
        stack.undo()  # undoes nothing, but drops the entry


def lead_on(lab: Lab, new: LabState, before: QUndoCommand | None) -> None:
    """Go to a state as a part of the last entry, whatever that changed, so that each entry begins where one ends.

    Parameters
    ----------
    lab : Lab
    new : LabState
    before : QUndoCommand or None
        The last entry when the sweep began, None where there was none; it is left alone, and a new one made.
    """
    stack = lab.undo_stack
    last = stack.command(stack.index() - 1)
    if stack.canRedo() or last is before or not isinstance(last, StateChange):
        stack.push(StateChange(lab, lab.state, new, 0))
    else:
        _extend(lab, last, new)


def drop_empty(lab: Lab, before: QUndoCommand | None) -> None:
    """Drop the last entry if it changes nothing after all and is not `before`."""
    stack = lab.undo_stack
    last = stack.command(stack.index() - 1)
    if last is not None and last is not before and last.isObsolete():
        stack.undo()


def _extend(lab: Lab, last: StateChange, new: LabState) -> None:
    text = last.text()
    last.extend(new)
    last.redo()
    if not last.isObsolete() and last.text() != text:
        lab.undo_stack.undoTextChanged.emit(last.text())


def describe(old: LabState, new: LabState) -> str:
    """What changed, for the undo menu."""
    changed = [label for name, label in LABELS.items() if getattr(old, name) != getattr(new, name)]
    if not changed:
        changed = _parameters_changed(old.built, new.built)
    if not changed and old.built_b is not None and new.built_b is not None:
        changed = [f"B: {label}" for label in _parameters_changed(old.built_b, new.built_b)]
    return ", ".join(changed[:2]) + ("…" if len(changed) > 2 else "")


def _parameters_changed(old: Scheme, new: Scheme) -> list[str]:
    before, after = old.effective(), new.effective()
    return [about.label for about in new.parameters() if before.get(about.name) != after.get(about.name)]
