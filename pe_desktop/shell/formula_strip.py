"""The strip at the bottom: the formula of what the cursor is on, and how far the work is that takes long."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QFont, QFontMetrics, QHelpEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from pe_desktop.model.lab import Lab
from pe_desktop.model.runner import Progress
from pe_desktop.shell.progress_line import ProgressLine
from pe_desktop.theme import Theme

SIDE, TOP = 12, 4
SMALLEST = 0.75  # of the small type: a whole formula in fine print says more than a torn one
WIDEST_WORK = 0.45  # of the strip, so that the formula keeps most of it


class FormulaLabel(QLabel):
    """A line whose text can be selected while the mouse is over it.

    A label that can always be selected keeps a document, which costs ten times as much to change, and is painted
    twice for each change.
    """

    def enterEvent(self, event: QEnterEvent) -> None:
        """Let the text be selected."""
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Back to plain text, unless some of it is selected."""
        if not self.hasSelectedText():
            self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        super().leaveEvent(event)


class FormulaStrip(QWidget):
    """Shows :attr:`Lab.formula`, elided in the middle where the window is too narrow.

    While work takes long its progress stands at the right, where the formula rarely reaches. Both have fixed sizes and
    are placed by hand: a layout would lay the whole window out anew with each text.
    """

    def __init__(self, lab: Lab, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._full = ""
        self._covered = False
        self._fonts: list[QFont] = []
        self._font: QFont | None = None
        self.setObjectName("formula_strip")
        self._formula = FormulaLabel(self)
        self._formula.setObjectName("formula")
        self._formula.setTextFormat(Qt.TextFormat.PlainText)
        # With a ground of its own, or Qt would paint the window below it first.
        self._formula.setAutoFillBackground(True)
        self._work = ProgressLine(lab, theme, self)
        lab.formula_changed.connect(self._on_lab_formula_changed)
        lab.progress_changed.connect(self._on_lab_progress_changed)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The whole formula."""
        return self._full

    def cover(self, covered: bool) -> None:
        """Show nothing while a view is covered, since a formula with its numbers may be the answer."""
        self._covered = covered
        self._on_lab_formula_changed(self._lab.formula)

    def set_theme(self, theme: Theme) -> None:
        """Take type size and colours."""
        self._fonts = []
        for size in (theme.title, theme.body, theme.small, SMALLEST * theme.small):
            font = QFont(self.font())
            font.setPointSizeF(size)
            font.setFeature(QFont.Tag("tnum"), 1)
            self._fonts.append(font)
        self._work.set_theme(theme)
        self.setFixedHeight(QFontMetrics(self._fonts[0]).height() + 4 + 2 * TOP)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide anew."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """Tell the whole formula where it is shortened; only now, as it changes with every frame of a drag."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._full if self._formula.text() != self._full else "", self)
            return True
        return super().event(event)

    def _place(self) -> None:
        height = self.height() - 2 * TOP
        work = min(self._work.sizeHint().width(), int(WIDEST_WORK * self.width()))
        left = max(self.width() - SIDE - work, SIDE)
        self._work.setFixedSize(work, height)
        self._work.move(left, TOP)
        end = self.width() if self._work.isHidden() else left
        self._formula.setFixedSize(max(end - 2 * SIDE, 0), height)
        self._formula.move(SIDE, TOP)
        self._show()

    def _on_lab_formula_changed(self, text: str) -> None:
        self._full = "" if self._covered else text
        self._show()

    def _on_lab_progress_changed(self, progress: Progress | None) -> None:
        if self._work.show_progress(progress):
            self._place()

    def _show(self) -> None:
        """Write the formula in the largest type that holds it; only where none does is its middle left out."""
        room = max(0, self._formula.width())
        font = next((f for f in self._fonts if QFontMetrics(f).horizontalAdvance(self._full) <= room), self._fonts[-1])
        if font is not self._font:
            self._font = font
            self._formula.setFont(font)
        shown = QFontMetrics(font).elidedText(self._full, Qt.TextElideMode.ElideMiddle, room)
        if shown != self._formula.text():
            self._formula.setText(shown)
