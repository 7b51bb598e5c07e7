"""The table of read-outs."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from pe_desktop.controls.look import HALF, Look, tint
from pe_desktop.controls.section import Section
from pe_desktop.controls.texts import tooltip
from pe_desktop.controls.value_line import ValueLine
from pe_desktop.core.parts import Readout

WAITING = "computing…"


class ReadoutLine(ValueLine):
    """One read-out; its note stands below it."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(f"readout_{name}", parent)
        self.note = QLabel(parent)
        self.note.setObjectName(f"readout_{name}_note")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(0, 0, 0, HALF)
        self.note.hide()
        self._shown: Readout | None = None

    def show_readout(self, readout: Readout) -> None:
        """Show a number; only what differs is touched."""
        old, self._shown = self._shown, readout
        if old is None or old.label != readout.label:
            self.label.setText(readout.label)
            self.place()
        if old is None or old.text != readout.text:
            self.number.setText(readout.text)
            self.number.setAccessibleName(f"{readout.label}: {readout.text}")
        if old is None or old.tooltip != readout.tooltip:
            self.setToolTip(tooltip(readout.tooltip))
            self.number.setAccessibleDescription(readout.tooltip)
        if old is None or old.note != readout.note:
            self.note.setText(readout.note)
            self.note.setVisible(bool(readout.note))

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.note.setFont(look.small)
        tint(self.label, QPalette.ColorRole.WindowText, look.theme.muted)
        tint(self.note, QPalette.ColorRole.WindowText, look.theme.muted)


class ReadoutsPanel(Section):
    """The section of the read-outs: one line for each, the lines staying while the numbers change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("readouts", "Read-outs", parent)
        self._lines: dict[str, ReadoutLine] = {}
        self._shown: tuple[Readout, ...] = ()
        self._look: Look | None = None
        self._waiting = QLabel(WAITING, self.body)
        self.rows.addWidget(self._waiting)
        self.rows.setSpacing(0)

    def show_readouts(self, readouts: tuple[Readout, ...]) -> None:
        """Show the numbers of a snapshot."""
        if readouts is self._shown:
            return
        self._shown = readouts
        names = [readout.name for readout in readouts]
        if names != list(self._lines):
            self._rebuild(names)
        for readout in readouts:
            self._lines[readout.name].show_readout(readout)

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._look = look
        tint(self._waiting, QPalette.ColorRole.WindowText, look.theme.muted)
        for line in self._lines.values():
            line.set_look(look)

    def _rebuild(self, names: list[str]) -> None:
        for line in self._lines.values():
            for widget in (line, line.note):
                self.rows.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        self._lines = {name: ReadoutLine(name, self.body) for name in names}
        for line in self._lines.values():
            self.rows.addWidget(line)
            self.rows.addWidget(line.note)
            if self._look is not None:
                line.set_look(self._look)
        self._waiting.setVisible(not names)
