"""Laying out at once what has changed its height.

Left to itself Qt passes a new height up one layout in each turn of the event loop and paints in between: rows
nested three deep are seen squeezed into each other for a moment, and in a picture taken then for good.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QScrollArea, QWidget


def settle(area: QScrollArea) -> None:
    """Give the widget in a resizable scroll area, and all in it, the height they now ask for."""
    content = area.widget()
    if content is not None:
        _activate(content)
    QCoreApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))


def _activate(widget: QWidget) -> None:
    layout = widget.layout()
    if layout is None:  # a control: what is inside it is its own affair
        return
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isHidden():
            _activate(child)
    layout.activate()
