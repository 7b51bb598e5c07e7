"""A black screen over the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPalette
from PySide6.QtWidgets import QWidget

from pe_desktop.theme import BLANK


class Blank(QWidget):
    """Covers its parent while shown; a click takes it away."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("blank")
        self.setAccessibleName("Blank screen; press B to go on")
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, QColor(BLANK))
        self.setPalette(palette)
        self.setAutoFillBackground(True)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()
        parent.installEventFilter(self)

    def cover(self) -> None:
        """Make everything black."""
        self._fit()
        self.show()
        self.raise_()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the parent."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._fit()
        return False

    def _fit(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
