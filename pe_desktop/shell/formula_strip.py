"""The strip at the bottom: the formula of what the cursor is on, and whether work goes on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from pe_desktop.model.lab import Lab
from pe_desktop.theme import Theme

WORKING = "computing…"


class FormulaStrip(QWidget):
    """Shows :attr:`Lab.formula`, elided in the middle where the window is too narrow."""

    def __init__(self, lab: Lab, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lab = lab
        self._full = ""
        self.setObjectName("formula_strip")
        self._formula = QLabel()
        self._formula.setObjectName("formula")
        self._formula.setTextFormat(Qt.TextFormat.PlainText)
        self._formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._formula.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._work = QLabel()
        self._work.setObjectName("work")
        self._work.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 12, 4)
        row.addWidget(self._formula, 1)
        row.addWidget(self._work)
        lab.formula_changed.connect(self._on_lab_formula_changed)
        lab.busy_changed.connect(self._on_lab_busy_changed)
        self.set_theme(theme)

    @property
    def text(self) -> str:
        """The whole formula."""
        return self._full

    def set_theme(self, theme: Theme) -> None:
        """Take type size and colours."""
        font = QFont(self.font())
        font.setPointSizeF(theme.title)
        font.setFeature(QFont.Tag("tnum"), 1)
        self._formula.setFont(font)
        metrics = QFontMetrics(font)
        self._formula.setFixedHeight(metrics.height() + 4)
        self._work.setFixedWidth(metrics.horizontalAdvance(WORKING) + 8)
        self._work.setStyleSheet(f"color: {theme.muted}")
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide anew."""
        super().resizeEvent(event)
        self._show()

    def _on_lab_formula_changed(self, text: str) -> None:
        self._full = text
        self._show()

    def _on_lab_busy_changed(self, busy: bool) -> None:
        self._work.setText(WORKING if busy else "")

    def _show(self) -> None:
        metrics = self._formula.fontMetrics()
        shown = metrics.elidedText(self._full, Qt.TextElideMode.ElideMiddle, max(0, self._formula.width()))
        self._formula.setText(shown)
        self._formula.setToolTip(self._full if shown != self._full else "")
