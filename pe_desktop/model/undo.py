"""Undo: one entry per change, and one for a whole drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QUndoCommand

from pe_desktop.core.scheme import Scheme
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
        changed = _parameters_changed(old.built, new.built)
    if not changed and old.built_b is not None and new.built_b is not None:
        changed = [f"B: {label}" for label in _parameters_changed(old.built_b, new.built_b)]
    return ", ".join(changed[:2]) + ("…" if len(changed) > 2 else "")


def _parameters_changed(old: Scheme, new: Scheme) -> list[str]:
    before, after = old.effective(), new.effective()
    return [about.label for about in new.parameters() if before.get(about.name) != after.get(about.name)]
