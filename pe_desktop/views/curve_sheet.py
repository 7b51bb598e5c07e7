"""A sheet over the similarity view on which the expected curve is drawn."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolButton

from pe_desktop.theme import Theme
from pe_desktop.views.drawing import Drawing, drawn_path, drawn_pen
from pe_desktop.views.plot import RangedPlot
from pe_desktop.views.plotting import font
from pe_desktop.views.similarity import SimilarityView
from pe_desktop.views.veil import SIDE, Veil

HOW = "Draw the curve you expect. Keys: arrows move the pen, Space sets it down or lifts it, Delete clears."
TOUCHED = 3.0  # radius of the pen's tip, in pixels
ACROSS, UP = 48, 40  # steps of the arrow keys over the whole width and height
POINTS_A_PIXEL = 2
_MOVES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
_CLEARS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)


class CurveSheet(Veil):
    """Has the axes of the view below and its spot; the curve is drawn by the mouse or by a pen that keys move.

    Whether the mouse brings the keyboard here, too, is for the owner to say by its focus policy.

    Signals
    -------
    drawn_changed
    """

    drawn_changed = Signal()
    words = "Covered until you reveal. Draw the curve you expect."

    def __init__(self, panel: SimilarityView, theme: Theme) -> None:
        super().__init__(panel, theme)
        self.setObjectName("curve_sheet")
        self.setAccessibleDescription(HOW)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.drawing = Drawing()
        self._last: tuple[int, float] | None = None  # of the stroke of the mouse
        self._pen: tuple[int, float] = (0, 0.0)
        self._down = False
        self._clear = QToolButton(self)
        self._clear.setObjectName("curve_sheet_clear")
        self._clear.setText("Clear")
        self._clear.setToolTip("Take the drawing away")
        self._clear.setAutoRaise(True)
        self._clear.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._clear.clicked.connect(self.clear)
        panel.lab.snapshot_ready.connect(self._on_lab_changed)
        panel.lab.viewport_changed.connect(self._on_lab_changed)
        panel.plot.resized.connect(self._on_lab_changed)
        self.set_theme(theme)

    @property
    def plot(self) -> RangedPlot:
        """The plot below, whose axes are those of the sheet."""
        plot = self.panel.plot
        assert isinstance(plot, RangedPlot)
        return plot

    @property
    def area(self) -> QRectF:
        """Where the curve is drawn, in pixels of the sheet."""
        return self.plot.area.translated(QPointF(self.plot.pos()))

    def cover(self) -> None:
        """Lie over the view, empty."""
        self.drawing.clear(self.panel.lab.state.length)
        self._last, self._down = None, False
        low, high = self.plot.y_range
        self._pen = (self._held(self.panel.lab.state.position), (low + high) / 2)
        self._clear.hide()
        super().cover()

    @Slot()
    def clear(self) -> None:
        """Take the drawing away."""
        self.drawing.clear(self.panel.lab.state.length)
        self._changed()

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        super().set_theme(theme)
        self._clear.setFont(font(theme.small))
        self._place_button()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()

    def _place_button(self) -> None:
        line, size = self.top_line, self._clear.sizeHint()
        self._clear.setGeometry(line.right() - size.width(), line.top(), size.width(), line.height())

    @Slot()
    def _on_lab_changed(self) -> None:
        if not self.isHidden():
            self.drawing.fit(self.panel.lab.state.length)
            self._pen = (self._held(self._pen[0]), self._pen[1])
            self.update()

    def _changed(self) -> None:
        self._clear.setVisible(not self.drawing.is_empty)
        self.update()
        self.drawn_changed.emit()

    # -- strokes

    def _held(self, position: int) -> int:
        return min(max(position, 0), self.panel.lab.state.length - 1)

    def _point_at(self, place: QPointF) -> tuple[int, float]:
        """Position and value under the mouse, or nearest to it."""
        plot, (low, high) = self.plot, self.plot.y_range
        inner = place - QPointF(plot.pos())
        first, last = plot.x_range
        x = min(max(plot.x_value(inner.x()), first), last)
        return self._held(round(x)), min(max(plot.y_value(inner.y()), low), high)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.area.adjusted(-8, -8, 8, 8).contains(event.position()):
            self._last = self._point_at(event.position())
            self._stroke_to(self._last)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._last is not None:
            self._stroke_to(self._point_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._last = None

    def _stroke_to(self, point: tuple[int, float]) -> None:
        self.drawing.fit(self.panel.lab.state.length)
        before = self._last or point
        self.drawing.stroke((self._held(before[0]), before[1]), point)
        self._last = point
        self._changed()

    # -- keys

    def event(self, event: QEvent) -> bool:
        # Nor the window's Esc, nor the keys that go on in a lesson: here they draw.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_mine(event):
            event.accept()
            return True
        return super().event(event)

    @staticmethod
    def _is_mine(event: QKeyEvent) -> bool:
        mine = (*_MOVES, *_CLEARS, Qt.Key.Key_Space)
        return event.key() in mine and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if not self._is_mine(event):
            event.ignore()
        elif key in _CLEARS:
            self.clear()
        elif key == Qt.Key.Key_Space:
            self._down = not self._down
            self._draw_to(self._pen)
        else:
            self._draw_to(self._moved(*_MOVES[key]))

    def _moved(self, across: int, up: int) -> tuple[int, float]:
        (first, last), (low, high) = self.plot.x_range, self.plot.y_range
        step = max(1, round((last - first) / ACROSS))
        value = self._pen[1] + up * (high - low) / UP
        return self._held(self._pen[0] + across * step), min(max(value, low), high)

    def _draw_to(self, point: tuple[int, float]) -> None:
        if self._down:
            self.drawing.fit(self.panel.lab.state.length)
            self.drawing.stroke(self._pen, point)
        self._pen = point
        if self._down:
            self._changed()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._down = False
        self.update()

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.plot.isHidden():  # a sentence stands in its place
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_title(painter)
        self._paint_axes(painter)
        self._paint_how(painter)
        self._paint_drawing(painter)

    def _paint_axes(self, painter: QPainter) -> None:
        theme, area, plot = self.theme, self.area, self.plot
        painter.setPen(QPen(QColor(theme.line), theme.pen))
        painter.setBrush(QColor(theme.window))
        painter.drawRect(area)
        corner = QPointF(plot.pos())
        for axis in (plot.left_axis, plot.bottom_axis):
            painter.save()
            painter.translate(corner)
            axis.draw(painter)
            painter.restore()
        zero = corner.y() + plot.y_pixel(0.0)
        if area.top() < zero < area.bottom():
            painter.setPen(QPen(QColor(theme.line), theme.pen))
            painter.drawLine(QPointF(area.left(), zero), QPointF(area.right(), zero))
        self._paint_spot(painter)

    def _paint_spot(self, painter: QPainter) -> None:
        theme, area, spot = self.theme, self.area, self.panel.lab.state.position
        x = self.plot.pos().x() + self.plot.x_pixel(spot)
        if not area.left() <= x <= area.right():
            return
        painter.setPen(QPen(QColor(theme.query), theme.pen))
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        painter.setFont(font(theme.small))
        text = f"spot {spot:,}"
        width = painter.fontMetrics().horizontalAdvance(text) + 8
        left = x + 2 if x + 2 + width <= area.right() else x - 2 - width
        place = QRectF(left, area.top() + 2, width, painter.fontMetrics().height())
        painter.fillRect(place, QColor(theme.query))
        painter.setPen(QColor("white"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_how(self, painter: QPainter) -> None:
        below = self.panel.sentence.geometry()
        painter.setPen(QColor(self.theme.muted))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
        place = QRectF(SIDE, below.top(), self.width() - 2 * SIDE, below.height())
        for share in (1.0, 0.9, 0.8, 0.7):
            painter.setFont(font(share * self.theme.small))
            if painter.boundingRect(place, flags, HOW).height() <= place.height():
                break
        painter.drawText(place, flags, HOW)

    def _paint_drawing(self, painter: QPainter) -> None:
        plot, area = self.plot, self.area
        painter.setClipRect(area.adjusted(-TOUCHED, -TOUCHED, TOUCHED, TOUCHED))
        x, y = self.drawing.shown(*plot.x_range, int(area.width() * POINTS_A_PIXEL) + 1)
        corner = QPointF(plot.pos())
        painter.setPen(drawn_pen(self.theme))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if len(x):
            (first, last), (low, high) = plot.x_range, plot.y_range
            across = area.left() + (x - first) / (last - first) * area.width()
            down = area.bottom() - (y - low) / (high - low) * area.height()
            painter.drawPath(drawn_path(across, down))
        if self.hasFocus():
            tip = corner + QPointF(plot.x_pixel(self._pen[0]), plot.y_pixel(self._pen[1]))
            painter.setPen(QPen(QColor(self.theme.accent), max(2.0, self.theme.pen)))
            painter.setBrush(QColor(self.theme.accent if self._down else self.theme.panel))
            painter.drawEllipse(tip, 2 * TOUCHED, 2 * TOUCHED)
