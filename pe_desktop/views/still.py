"""Scene items that rarely change: painted once, then copied."""

from __future__ import annotations

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
        self._pixmap: QPixmap | None = None

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
        self._pixmap = None
        self.update()

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: QWidget | None = None) -> None:
        if widget is None:
            self.draw(painter)
            return
        ratio = widget.devicePixelRatioF()
        if self._pixmap is None or self._pixmap.devicePixelRatio() != ratio:
            self._pixmap = self._painted(ratio)
        painter.drawPixmap(self._rect.topLeft(), self._pixmap)

    def _painted(self, ratio: float) -> QPixmap:
        size = (self._rect.size() * ratio).toSize()
        pixmap = QPixmap(max(size.width(), 1), max(size.height(), 1))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._ground)
        inner = QPainter(pixmap)
        inner.translate(-self._rect.topLeft())
        self.draw(inner)
        inner.end()
        return pixmap

    def draw(self, painter: QPainter) -> None:
        """Draw in scene pixels."""
        raise NotImplementedError
