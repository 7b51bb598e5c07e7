"""How far the worker is: what it does in words, a slim bar below them, and a button that calls it off."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QToolButton, QWidget

from pe_desktop.model.runner import Progress
from pe_desktop.theme import Theme

UNNAMED = "Working"
LONGEST = "Looking for rounding errors… 100 %"  # the line keeps the width of this, whatever it says
BAR, GAP = 3, 8


class ProgressLine(QWidget):
    """Shown only while there is something to wait for; takes :class:`Progress` and asks `lab` to stop.

    Its pieces are placed by hand: a layout would lay the window out anew with each text.
    """

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progress")
        self._progress = Progress("", None)
        self._words = QLabel(self)
        self._words.setObjectName("progress_words")
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._bar = QProgressBar(self)
        self._bar.setObjectName("progress_bar")
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 100)
        self._cancel = QToolButton(self)
        self._cancel.setObjectName("progress_cancel")
        self._cancel.setText("Cancel")
        self._cancel.setAutoRaise(True)
        self._cancel.setToolTip("Call off what is being worked out (Esc); what is on screen stays")
        self._cancel.clicked.connect(lab.stop)
        self.hide()
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """What the line says, whether or not there is room for all of it."""
        return f"{self._progress.words or UNNAMED}…{self._percent}"

    @property
    def _percent(self) -> str:
        return "" if self._progress.share is None else f" {int(100 * self._progress.share)} %"

    def show_progress(self, progress: Progress | None) -> bool:
        """Show how far work is, or nothing for None; True if the line has come or gone."""
        shown = progress is not None
        if progress is not None and progress != self._progress:
            self._progress = progress
            self._bar.setValue(int(100 * (progress.share or 0.0)))
            for widget in (self, self._bar):
                widget.setAccessibleName(self.text)
            self._write()
        changed = shown == self.isHidden()
        if changed:
            self.setVisible(shown)
        return changed

    def _write(self) -> None:
        """Where there is no room for all the words, some go, never the number."""
        metrics, room = QFontMetrics(self._words.font()), self._words.width()
        text = self.text
        if metrics.horizontalAdvance(text) > room:
            left = room - metrics.horizontalAdvance(self._percent)
            text = metrics.elidedText(self._progress.words, Qt.TextElideMode.ElideRight, left) + self._percent
        self._words.setText(text)

    def set_theme(self, theme: Theme) -> None:
        """Take type size and colours."""
        small = QFont(self.font())
        small.setPointSizeF(theme.small)
        small.setFeature(QFont.Tag("tnum"), 1)
        for widget in (self._words, self._cancel):
            widget.setFont(small)
        self._words.setStyleSheet(f"color: {theme.muted}")
        self._bar.setStyleSheet(
            f"QProgressBar {{ background: {theme.line}; border: none; border-radius: 1px; }}"
            f"QProgressBar::chunk {{ background: {theme.accent}; border-radius: 1px; }}"
        )
        self._place()

    def sizeHint(self) -> QSize:
        """Room for the longest words."""
        metrics = QFontMetrics(self._words.font())
        return QSize(metrics.horizontalAdvance(LONGEST) + GAP + self._cancel.sizeHint().width(), metrics.height() + BAR)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the pieces anew."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        button = self._cancel.sizeHint()
        height = min(button.height(), self.height())
        left = max(self.width() - button.width(), 0)
        self._cancel.setGeometry(left, (self.height() - height) // 2, button.width(), height)
        room = max(left - GAP, 0)
        self._words.setGeometry(0, 0, room, max(self.height() - BAR - 1, 0))
        self._bar.setGeometry(0, max(self.height() - BAR, 0), room, BAR)
        self._write()
