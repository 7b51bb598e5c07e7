"""The one door from the controls to the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from pe_desktop.core.errors import Fix


class Requests(QObject):
    """Pass changes on to the lab and tell whether it took them.

    Signals
    -------
    accepted, refused
        After each request; on ``refused`` controls go back to the model's values.
    mending
        Before the request of a remedy.
    """

    mending = Signal()
    accepted = Signal()
    refused = Signal()

    def __init__(self, lab: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._asking: dict[str, Any] = {}
        self._wanted: dict[str, Any] = {}

    @Slot(object)
    def ask(self, changes: Mapping[str, Any]) -> None:
        """Request changes."""
        self._asking = dict(changes)
        taken = self._lab.request(**changes)
        self._asking = {}
        (self.accepted if taken else self.refused).emit()

    @property
    def asked(self) -> list[tuple[str, str]]:
        """What the change now on its way is about: group (``params``, or empty) and name of each field."""
        found: list[tuple[str, str]] = []
        for name, value in self._asking.items():
            found += [(name, inner) for inner in value] if isinstance(value, Mapping) else [("", name)]
        return found

    def note_refusal(self) -> None:
        """Remember, while the lab reports a refusal, what was asked for (nothing, if others asked)."""
        self._wanted = self._asking

    @Slot(object)
    def ask_fix(self, fix: Fix) -> None:
        """Request the change that was refused together with its remedy.

        Choosing RoPE at dimension 63 is refused; "Use 64" then means RoPE with 64.
        """
        changes = dict(self._wanted)
        for name, value in fix.changes.items():
            both = isinstance(value, Mapping) and name in changes
            changes[name] = {**changes[name], **value} if both else value
        self.mending.emit()
        self.ask(changes)

    @Slot()
    def begin_drag(self) -> None:
        """Start of changes that are one entry of the undo history."""
        self._lab.begin_drag()

    @Slot()
    def end_drag(self) -> None:
        """End of such changes."""
        self._lab.end_drag()
