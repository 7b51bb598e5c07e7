"""Scene items that rarely change: painted once, then copied."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QWidget

from pe_desktop.theme import Theme


class StillItem(QGraphicsItem):
    """An item kept as a picture between its changes, over the plain ground or with nothing behind it.

    Qt asks a neighbour of a changing item to paint itself too; copying pixels is then all it costs. Qt's own item
    cache would do the same, but would also put pixels instead of lines and letters into exported drawings. Here an
    export, which has no widget, is painted directly.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._ground = QColor(Qt.GlobalColor.transparent)
        self._pixmap = QPixmap()
        self._stale = True

    def set_ground(self, theme: Theme) -> None:
        """Take the colour behind the item: an opaque picture is copied faster and its letters are smoother."""
        self._ground = QColor(theme.panel)
        self.changed()

    def set_rect(self, rect: QRectF) -> None:
        """Take a place, in scene pixels."""
        rect = QRectF(rect.toAlignedRect())
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
            self.changed()

    def changed(self) -> None:
        """Paint anew when next shown."""
        self._stale = True

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: QWidget | None = None) -> None:
        if widget is None:
            self.draw(painter)
            return
        ratio = widget.devicePixelRatioF()
        if self._rect.isEmpty():
            return
        if self._stale or self._pixmap.devicePixelRatio() != ratio:
            self._paint_picture(ratio)
        size = self._rect.size()
        source = QRectF(0, 0, size.width() * ratio, size.height() * ratio)
        painter.drawPixmap(self._rect, self._pixmap, source)

    def _paint_picture(self, ratio: float) -> None:
        self._stale = False
        width, height = math.ceil(self._rect.width() * ratio), math.ceil(self._rect.height() * ratio)
        old = self._pixmap
        if width > old.width() or height > old.height() or old.devicePixelRatio() != ratio:
            # Kept and only ever enlarged: PySide leaves five references to None behind for each pixmap painted on,
            # and the soak test watches that count.
            self._pixmap = QPixmap(max(width, old.width()), max(height, old.height()))
            self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(self._ground)
        inner = QPainter(self._pixmap)
        inner.translate(-self._rect.topLeft())
        self.draw(inner)
        inner.end()

    def draw(self, painter: QPainter) -> None:
        """Draw in scene pixels."""
        raise NotImplementedError
