"""A field for a typed number that commits on Enter or on leaving, and reverts on Esc."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from pe_desktop.controls.look import GRID, HALF, Look
from pe_desktop.controls.typed import Typed

_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
# The frame and QLineEdit's own margins, at both sides.
_PADDING = GRID + HALF
_PAGES = {Qt.Key.Key_PageUp: 1, Qt.Key.Key_PageDown: -1}


class NumberEdit(Typed, QLineEdit):
    """The typed number of a row.

    Signals
    -------
    committed : str
        The text, when Enter is pressed or the focus leaves a changed text.
    cancelled
        Esc on a changed or refused text.
    stepped, paged : int
        Arrow and Page keys, -1 or +1.
    """

    committed = Signal(str)
    cancelled = Signal()
    stepped = Signal(int)
    paged = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._hints: tuple[str, ...] = ("",)

    def draft(self) -> str:
        """See :meth:`Typed.draft`."""
        return self.text()

    def write(self, text: str) -> None:
        """See :meth:`Typed.write`."""
        self.setText(text)
        # The leading digits matter most when the text is too long.
        self.setCursorPosition(0)

    def select_all(self) -> None:
        """See :meth:`Typed.select_all`."""
        self.selectAll()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        super().set_look(look)
        self.setFixedWidth(look.number_width)
        self._hint()

    def show_hint(self, *texts: str) -> None:
        """Show, where nothing is typed, the first of some texts that is not cut; else the last."""
        if texts != self._hints:
            self._hints = texts
            self._hint()

    def _hint(self) -> None:
        room, metrics = self.maximumWidth() - _PADDING, self.fontMetrics()
        fits = (text for text in self._hints if metrics.horizontalAdvance(text) <= room)
        self.setPlaceholderText(next(fits, self._hints[-1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in _PAGES:
            self.paged.emit(_PAGES[key])
        else:
            super().keyPressEvent(event)
