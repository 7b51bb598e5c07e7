"""The table of read-outs."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from pe_desktop.controls.look import HALF, Look, tint
from pe_desktop.controls.section import Section
from pe_desktop.controls.value_line import ValueLine
from pe_desktop.core.parts import Readout

COMPUTING = "computing…"


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

    def show_readout(self, readout: Readout) -> bool:
        """Show a number; only what differs is touched. True if the note below needs another height."""
        old, self._shown = self._shown, readout
        if old is None or old.label != readout.label:
            self.label.setText(readout.label)
            self.place()
        if old is None or old.text != readout.text:
            self.number.setText(readout.text)
            self.number.setAccessibleName(f"{readout.label}: {readout.text}")
        if old is None or old.tooltip != readout.tooltip:
            self.tip = readout.tooltip
            self.number.setAccessibleDescription(readout.tooltip)
        if (old.note if old is not None else "") == readout.note:
            return False
        self.note.setText(readout.note)
        self.note.setVisible(bool(readout.note))
        return True

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.note.setFont(look.small)
        tint(self.label, QPalette.ColorRole.WindowText, look.theme.muted)
        tint(self.note, QPalette.ColorRole.WindowText, look.theme.muted)


class ReadoutsPanel(Section):
    """The section of the read-outs: one line for each, the lines staying while the numbers change.

    Signals
    -------
    compute_asked
        The button was pressed that stands in the header while some are not computed because work was called off.
    """

    compute_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("readouts", "Read-outs", parent)
        self._lines: dict[str, ReadoutLine] = {}
        self._shown: tuple[Readout, ...] = ()
        self._look: Look | None = None
        self._waiting = QLabel(COMPUTING, self.body)
        self.rows.addWidget(self._waiting)
        self.rows.setSpacing(0)
        # Over the header and in no layout: it comes and goes without moving anything.
        self._compute = QToolButton(self)
        self._compute.setObjectName("readouts_compute")
        self._compute.setText("Compute")
        self._compute.setAccessibleName("Compute what was called off")
        self._compute.setToolTip("Work out what was called off")
        self._compute.setAutoRaise(True)
        self._compute.clicked.connect(self.compute_asked)
        self._compute.hide()

    def lines(self) -> Mapping[str, ReadoutLine]:
        """The line of each read-out."""
        return self._lines

    def show_stopped(self, stopped: bool) -> None:
        """Offer to work out what was called off, or not."""
        self._compute.setVisible(stopped)

    def focus_widgets(self) -> list[QWidget]:
        return [*super().focus_widgets(), self._compute]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        size, height = self._compute.sizeHint(), self.header.sizeHint().height()
        self._compute.setGeometry(self.width() - size.width(), 0, size.width(), height)

    def show_readouts(self, readouts: tuple[Readout, ...]) -> bool:
        """Show the numbers of a snapshot; True if the section needs another height."""
        if readouts is self._shown:
            return False
        self._shown = readouts
        names = [readout.name for readout in readouts]
        higher = names != list(self._lines)
        if higher:
            self._rebuild(names)
        for readout in readouts:
            higher |= self._lines[readout.name].show_readout(readout)
        return higher

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._look = look
        tint(self._waiting, QPalette.ColorRole.WindowText, look.theme.muted)
        self._compute.setFont(look.small)
        tint(self._compute, QPalette.ColorRole.ButtonText, look.theme.accent)
        self._place()
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
            # A layout shows what it is given only later, and counts it as nothing until then.
            line.show()
        self._waiting.setVisible(not names)
