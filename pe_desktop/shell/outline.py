"""A thin line around a widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from pe_desktop.theme import Theme

LEAST = 2.0  # pixels of the line
BESIDE = 0  # pixels between the widget and the line: lines of read-outs have no more
ROUND = 5.0
MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Outline(QWidget):
    """Stands around another widget and goes with it; only the line itself is ever painted, and takes no mouse.

    It is a neighbour of the widget, or of one above it, so that what scrolls and cuts the widget does so with the line.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        self.setObjectName("outline")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    @property
    def target(self) -> QWidget | None:
        """What it stands around."""
        return self._target

    def surround(self, target: QWidget, ground: QWidget) -> None:
        """Stand around a widget.

        Parameters
        ----------
        target : QWidget
        ground : QWidget
            One above it in which there is room around it.
        """
        self.leave()
        self._target = target
        ground = _scrolled(target, ground)
        if self.parentWidget() is not ground:
            self.setParent(ground)
        above = target
        while above is not ground:
            self._watched.append(above)
            above.installEventFilter(self)
            parent = above.parentWidget()
            if parent is None:
                break
            above = parent
        target.destroyed.connect(self._on_target_destroyed)
        self._place()

    def leave(self) -> None:
        """Stand around nothing."""
        for widget in self._watched:
            if isValid(widget):  # of a window that goes, some are gone already
                widget.removeEventFilter(self)
        if self._target is not None:
            self._target.destroyed.disconnect(self._on_target_destroyed)
        self._watched, self._target = [], None
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take colour and width."""
        self._theme = theme
        self._place()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go where the widget goes."""
        if event.type() in MOVES:
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.accent), self._width))
        half = self._width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), ROUND, ROUND)

    @property
    def _width(self) -> float:
        return max(LEAST, 1.5 * self._theme.pen)

    def _place(self) -> None:
        target, ground = self._target, self.parentWidget()
        if target is None or ground is None or not target.isVisibleTo(ground):
            self.hide()
            return
        reach = round(self._width) + BESIDE
        place = QRect(target.mapTo(ground, QPoint(0, 0)), target.size())
        place = place.adjusted(-reach, -reach, reach, reach) & ground.rect()
        if place != self.geometry():
            self.setGeometry(place)
            # Without its inside it is never painted anew with what changes there.
            inside = self.rect().adjusted(reach, reach, -reach, -reach)
            self.setMask(QRegion(self.rect()) - QRegion(inside))
        if self.isHidden():
            self.show()
            self.raise_()

    @Slot()
    def _on_target_destroyed(self) -> None:
        self._target = None
        self.leave()


def _scrolled(target: QWidget, ground: QWidget) -> QWidget:
    """What scrolls with a widget, where something below `ground` does."""
    above: QWidget | None = target.parentWidget()
    while above is not None and above is not ground:
        viewport = above.parentWidget()
        if viewport is not None and isinstance(viewport.parentWidget(), QScrollArea):
            return above
        above = viewport
    return ground
