"""What a hand does to a widget, as the events that Qt would deliver."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QSlider, QStyle, QStyleOptionSlider, QWidget

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NOTCH = 120  # eighths of a degree


def wheel(widget: QWidget, place: QPointF, notches: int) -> None:
    """Turn the wheel over a place; away from the user is positive."""
    event = QWheelEvent(
        place,
        widget.mapToGlobal(place),
        QPoint(),
        QPoint(0, NOTCH * notches),
        NONE,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def press(widget: QWidget, place: QPointF) -> None:
    """Press the left button."""
    _mouse(widget, QEvent.Type.MouseButtonPress, place, LEFT, LEFT)


def move(widget: QWidget, place: QPointF, *, held: bool) -> None:
    """Move the mouse, with the left button held or not."""
    _mouse(widget, QEvent.Type.MouseMove, place, NONE, LEFT if held else NONE)


def release(widget: QWidget, place: QPointF) -> None:
    """Release the left button."""
    _mouse(widget, QEvent.Type.MouseButtonRelease, place, LEFT, NONE)


def double_click(widget: QWidget, place: QPointF) -> None:
    """Click twice: Qt delivers the second press as a double click."""
    press(widget, place)
    release(widget, place)
    _mouse(widget, QEvent.Type.MouseButtonDblClick, place, LEFT, LEFT)
    release(widget, place)


def take_handle(slider: QSlider) -> None:
    """Press on the handle of a slider, which does not move it."""
    press(slider, _handle(slider))


def let_handle_go(slider: QSlider) -> None:
    """Release the handle where it is."""
    release(slider, _handle(slider))


def _handle(slider: QSlider) -> QPointF:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return QPointF(slider.style().subControlRect(control, option, part, slider).center())


def _mouse(widget: QWidget, kind: QEvent.Type, place: QPointF, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    event = QMouseEvent(kind, place, widget.mapToGlobal(place), button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)
