"""A slider that jumps to the clicked place and leaves the meaning of steps to its row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from pe_desktop.controls.look import LEAST_SLIDER

_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1}
_PAGES = {Qt.Key.Key_PageUp: 1, Qt.Key.Key_PageDown: -1}
_ENDS = {Qt.Key.Key_Home: -1, Qt.Key.Key_End: 1}


class ValueSlider(QSlider):
    """A horizontal slider over places.

    Signals
    -------
    stepped, paged, sent_to_end : int
        Keys or wheel, -1 or +1; the places are too coarse to step by.
    reset_asked
        A double-click.
    drag_started, drag_ended
        Around a mouse drag, and around a key held down.
    """

    stepped = Signal(int)
    paged = Signal(int)
    sent_to_end = Signal(int)
    reset_asked = Signal()
    drag_started = Signal()
    drag_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        # Not WheelFocus: scrolling the dock must not pick up a slider on the way.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(LEAST_SLIDER)
        self._grip: float | None = None
        self._wheel = 0
        self._dragging = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        handle = self._handle()
        on_handle = handle.contains(event.position().toPoint())
        self._grip = event.position().x() - handle.center().x() if on_handle else 0.0
        self.setSliderDown(True)
        self._begin()
        if not on_handle:
            self._follow(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._follow(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._let_go()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        for keys, signal in ((_STEPS, self.stepped), (_PAGES, self.paged), (_ENDS, self.sent_to_end)):
            direction = keys.get(Qt.Key(event.key()))
            if direction is not None:
                self._begin()
                signal.emit(direction)
                return
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat() and self._grip is None:
            self._let_go()
        super().keyReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():
            event.ignore()
            return
        event.accept()
        # Touchpads send fractions of a notch.
        self._wheel += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._wheel / 120)
        self._wheel -= notches * 120
        for _ in range(abs(notches)):
            self.stepped.emit(1 if notches > 0 else -1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._let_go()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        # A slider taken away in mid-drag never sees the release.
        self._let_go()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.EnabledChange:
            self._let_go()
        super().changeEvent(event)

    def _begin(self) -> None:
        if not self._dragging:
            self._dragging = True
            self.drag_started.emit()

    def _let_go(self) -> None:
        self._grip = None
        self.setSliderDown(False)
        if self._dragging:
            self._dragging = False
            self.drag_ended.emit()

    def _handle(self) -> QRect:
        return self._part(QStyle.SubControl.SC_SliderHandle)

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)

    def _follow(self, where: QPointF) -> None:
        groove, handle = self._part(QStyle.SubControl.SC_SliderGroove), self._handle()
        room = groove.width() - handle.width()
        left = where.x() - (self._grip or 0.0) - handle.width() / 2 - groove.left()
        place = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), round(left), room)
        self.setValue(place)
