"""What lies over a view until its answer is revealed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.panel import Panel
from pe_desktop.views.plotting import font

WORDS = "Covered until you reveal: what do you expect?"
SIDE, TOP = 12, 6  # of a panel's contents, in pixels
ROUND = 6.0


class Veil(QWidget):
    """A calm ground over all of a view: plot, note, buttons and sentence, for eyes, mouse, keys and screen readers.

    Made once for a view and then shown and hidden.

    Parameters
    ----------
    panel : Panel
    theme : Theme
    """

    words = WORDS

    def __init__(self, panel: Panel, theme: Theme) -> None:
        super().__init__(panel)
        self.panel = panel
        self.theme = theme
        self._put_aside: list[QWidget] = []
        self.setObjectName(f"{panel.part_name}_veil")
        self.setAccessibleName(f"{panel.name}. {self.words}")
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setAutoFillBackground(True)
        self.hide()

    def cover(self) -> None:
        """Lie over the view."""
        if not self.isHidden():
            return
        self.panel.cover(self.words)
        # Neither Tab nor a click may reach what lies below.
        children = self.panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        self._put_aside = [child for child in children if child is not self and child.isEnabled()]
        for child in self._put_aside:
            child.setEnabled(False)
        self.panel.installEventFilter(self)
        self.setGeometry(self.panel.rect())
        self.show()
        self.raise_()

    def lift(self) -> None:
        """Give the view back."""
        if self.isHidden():
            return
        self.panel.removeEventFilter(self)
        self.hide()
        for child in self._put_aside:
            child.setEnabled(True)
        self._put_aside = []
        self.panel.cover("")

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        self.theme = theme
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the view."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self.panel.rect())
        return False

    @property
    def top_line(self) -> QRect:
        """Where the title stands, in pixels."""
        return QRect(SIDE, TOP, self.width() - 2 * SIDE, self.panel.header.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_title(painter)
        theme, line = self.theme, self.top_line
        ground = QRectF(SIDE, line.bottom() + 4, line.width(), self.height() - line.bottom() - 4 - SIDE)
        painter.setPen(QPen(QColor(theme.line), theme.pen))
        painter.setBrush(QColor(theme.window))
        painter.drawRoundedRect(ground, ROUND, ROUND)
        painter.setPen(QColor(theme.muted))
        painter.setFont(font(theme.body))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(ground.adjusted(SIDE, TOP, -SIDE, -TOP), int(flags), self.words)

    def paint_title(self, painter: QPainter) -> None:
        """Write which view it is."""
        painter.setPen(QColor(self.theme.text))
        painter.setFont(font(self.theme.title, bold=True))
        painter.drawText(self.top_line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.panel.name)
