"""Undo: one entry per change, and one for a whole drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from pe_desktop.core.state import LABELS, LabState

if TYPE_CHECKING:
    from pe_desktop.model.lab import Lab

COMMAND_ID = 1


class StateChange(QUndoCommand):
    """From one state to another.

    Commands with the same `stroke` (a drag, or a run of typing into one field) merge into one entry.
    """

    def __init__(self, lab: Lab, old: LabState, new: LabState, stroke: int) -> None:
        super().__init__(describe(old, new))
        self._lab = lab
        self.old = old
        self.new = new
        self._stroke = stroke

    def id(self) -> int:
        """Commands of one id may merge."""
        return COMMAND_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Merge a later command of the same stroke into this one."""
        if not isinstance(other, StateChange) or not self._stroke or other._stroke != self._stroke:
            return False
        self.new = other.new
        self.setText(describe(self.old, self.new))
        self.setObsolete(self.new == self.old)
        return True

    def redo(self) -> None:
        """Go to the new state."""
        self._lab.apply(self.new)

    def undo(self) -> None:
        """Go back to the old state."""
        self._lab.apply(self.old)


def describe(old: LabState, new: LabState) -> str:
    """What changed, for the undo menu."""
    changed = [label for name, label in LABELS.items() if getattr(old, name) != getattr(new, name)]
    if not changed:
        before, after = old.built.effective(), new.built.effective()
        changed = [about.label for about in new.built.parameters() if before[about.name] != after[about.name]]
    return ", ".join(changed[:2]) + ("…" if len(changed) > 2 else "")
