"""The surface a view draws on: a pyqtgraph scene in widget pixels, and the mouse on it."""

from __future__ import annotations

from collections.abc import Iterable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.axes import Axis

Range = tuple[float, float]
NOTCH = 120.0


class Plot(pg.GraphicsView):
    """A scene whose units are widget pixels, with a plot area inside margins.

    pyqtgraph's own mouse handling asks every item on every move; a view here has one meaning for each gesture,
    so the surface reports gestures and the view acts.
    """

    clicked = Signal(QPointF)  # pressed and released in place, scene pixels
    double_clicked = Signal(QPointF)
    dragged = Signal(QPointF)  # movement since the last report, pixels
    drag_ended = Signal()
    wheeled = Signal(QPointF, float)  # place, notches away from the user
    hovered = Signal(QPointF)
    left = Signal()
    resized = Signal()
    key_pressed = Signal(int)  # a Qt.Key
    focus_changed = Signal(bool)  # whether it is now in focus by the Tab key

    _area = QRectF()
    _margins = (0.0, 0.0, 0.0, 0.0)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, useOpenGL=False)
        self.setCentralItem(None)
        # One colour is filled faster than it is copied, and no item draws beyond its rectangle.
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setOptimizationFlag(self.OptimizationFlag.DontAdjustForAntialiasing)
        # Qt learns of changed items only in the next turn of the event loop, when the words around the plot have
        # been painted already, and would paint the window a second time; so whoever changes items calls refresh().
        self.setViewportUpdateMode(self.ViewportUpdateMode.NoViewportUpdate)
        # The scene's own ground covers everything.
        self.viewport().setAutoFillBackground(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(120, 80)
        # Only a plot that does something with keys stops the Tab key.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._keys: frozenset[int] = frozenset()
        self._pressed: QPointF | None = None
        self._dragging = False

    def take_keys(self, keys: Iterable[int]) -> None:
        """Report these keys (Qt.Key, without modifiers) while in focus."""
        self._keys = frozenset(keys)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def area(self) -> QRectF:
        """The plot area inside the margins, whole scene pixels."""
        return QRectF(self._area)

    def set_margins(self, left: float, top: float, right: float, bottom: float) -> None:
        """Set the room around the plot area, in pixels."""
        if (left, top, right, bottom) != self._margins:
            self._margins = (left, top, right, bottom)
            self._settle()

    def set_theme(self, theme: Theme) -> None:
        """Take the ground colour."""
        self.setBackground(QColor(theme.panel))
        self.refresh()

    def refresh(self) -> None:
        """Paint the scene anew in the coming frame, once however often this is called."""
        self.viewport().update()

    def _settle(self) -> None:
        left, top, right, bottom = self._margins
        width, height = max(self.width() - left - right, 1.0), max(self.height() - top - bottom, 1.0)
        self._area = QRectF(left, top, width, height)
        self._place_children()
        self.resized.emit()

    def _place_children(self) -> None:
        """Put what fills the plot area or its margins in place; for subclasses."""

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:
            self._settle()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed, self._dragging = event.position(), False
            event.accept()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed is None:
            self.hovered.emit(place)
            return
        moved = place - self._pressed
        if self._dragging or moved.manhattanLength() >= QApplication.startDragDistance():
            self._dragging, self._pressed = True, place
            self.dragged.emit(moved)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            event.ignore()
            return
        was_click, self._pressed, self._dragging = not self._dragging, None, False
        if was_click:
            self.clicked.emit(event.position())
        else:
            self.drag_ended.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            # The release that follows belongs to the double click, not to another click.
            self._pressed = None
            self.double_clicked.emit(event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta().y() or event.angleDelta().x()
        if delta:
            self.wheeled.emit(event.position(), delta / NOTCH)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if plain and event.key() in self._keys:
            self.key_pressed.emit(event.key())
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)


class RangedPlot(Plot):
    """A plot with coordinates: a pyqtgraph ViewBox that shows x and y ranges, and two axes.

    The ViewBox carries the items and their transform; ranges are set from here only, never by auto-range.
    """

    def __init__(self, *, downwards: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._downwards = downwards
        self.box = pg.ViewBox(enableMouse=False, enableMenu=False, invertY=downwards, defaultPadding=0)
        self.box.disableAutoRange()
        self.addItem(self.box)
        self.left_axis, self.bottom_axis = Axis("left"), Axis("bottom")
        for axis in (self.left_axis, self.bottom_axis):
            self.scene().addItem(axis)
        self.x_range: Range = (0.0, 1.0)
        self.y_range: Range = (0.0, 1.0)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        super().set_theme(theme)
        self.left_axis.set_theme(theme)
        self.bottom_axis.set_theme(theme)

    def _place_children(self) -> None:
        area = self.area
        self.box.setGeometry(area)
        self.left_axis.set_rect(QRectF(0, area.top(), area.left(), area.height()))
        # The last tick label may stand half a label beyond the plot.
        reach = min(self.width() - area.right(), 24.0)
        self.bottom_axis.set_rect(
            QRectF(area.left() - 12, area.bottom(), area.width() + 12 + reach, self.height() - area.bottom())
        )

    def set_range(self, x: Range, y: Range) -> bool:
        """Show a range of data; whether that is a change."""
        if x == self.x_range and y == self.y_range:
            return False
        self.x_range, self.y_range = x, y
        self.box.setRange(xRange=x, yRange=y, padding=0, disableAutoRange=False)
        return True

    def x_pixel(self, x: float) -> float:
        """Scene pixel of a data coordinate."""
        low, high = self.x_range
        return self._area.left() + (x - low) / (high - low) * self._area.width()

    def y_pixel(self, y: float) -> float:
        """Scene pixel of a data coordinate."""
        low, high = self.y_range
        share = (y - low) / (high - low)
        return self._area.top() + (share if self._downwards else 1.0 - share) * self._area.height()

    def x_value(self, pixel: float) -> float:
        """Data coordinate of a scene pixel."""
        low, high = self.x_range
        return low + (pixel - self._area.left()) / self._area.width() * (high - low)

    def y_value(self, pixel: float) -> float:
        """Data coordinate of a scene pixel."""
        low, high = self.y_range
        share = (pixel - self._area.top()) / self._area.height()
        return low + (share if self._downwards else 1.0 - share) * (high - low)


def zoomed(shown: Range, whole: Range, anchor: float, factor: float, least: float) -> Range:
    """The range after zooming by `factor` about `anchor`, at least `least` wide, kept within `whole`."""
    span = (shown[1] - shown[0]) * factor
    span = min(max(span, min(least, whole[1] - whole[0])), whole[1] - whole[0])
    share = (anchor - shown[0]) / (shown[1] - shown[0])
    return held(anchor - share * span, span, whole)


def held(low: float, span: float, whole: Range) -> Range:
    """The range of a width that starts at `low`, moved to lie within `whole`."""
    if span >= (whole[1] - whole[0]) * (1.0 - 1e-12):
        return whole
    low = min(max(low, whole[0]), whole[1] - span)
    return low, low + span


def window(shown: Range, count: int) -> Range | None:
    """The window of a range of edges, None if it is all of the cells."""
    return None if shown[0] <= 0.0 and shown[1] >= count else shown


def span(window: Range | None, count: int) -> Range:
    """The range of edges of a window on cells."""
    return (0.0, float(count)) if window is None else window


def outlined(first: float, last: float, low: float, high: float) -> Range | None:
    """Pixels that an outline around the pixels first .. last has within low .. high; None where that is out of sight.

    At least 3 wide, so that there is something to see of the cells between the lines.
    """
    middle, half = (first + last) / 2, max((last - first) / 2, 1.5)
    if not low <= middle <= high:
        return None
    return max(round(middle - half), low), min(round(middle + half), high)
