"""Every line of the dock has its height, from the first moment on; the scroll bar takes care of the rest."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSlider,
    QWidget,
)

from pe_desktop.controls.value_line import FittingLabel
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES

# Contents of the dock in windows of 1024 x 768 and 1440 x 900.
SIZES = ((320, 716), (320, 848))


def pieces(dock) -> list[QWidget]:
    """Everything with words on it that can be seen or scrolled to."""
    kinds = (QLabel, QAbstractButton, QLineEdit, QComboBox, QSlider)
    found = [widget for kind in kinds for widget in dock.findChildren(kind)]
    return [widget for widget in found if widget.isVisibleTo(dock)]


def place(widget, dock) -> QRect:
    return QRect(widget.mapTo(dock, widget.rect().topLeft()), widget.size())


def faults(dock) -> list[str]:
    """What overlaps or is cut."""
    content = dock.findChild(QScrollArea).widget()
    shown = pieces(content)
    places = [place(widget, content) for widget in shown]
    found = [
        f"{a.objectName() or a.text()!r} over {b.objectName() or b.text()!r}"
        for (a, r), (b, s) in itertools.combinations(zip(shown, places, strict=True), 2)
        if r.intersects(s) and not a.isAncestorOf(b) and not b.isAncestorOf(a)
    ]
    for widget, rect in zip(shown, places, strict=True):
        if isinstance(widget, QLabel):
            low = widget.fontMetrics().height()
            needed = widget.heightForWidth(widget.width()) if widget.wordWrap() else low
            if rect.height() < needed:
                found.append(f"{widget.text()!r} is {rect.height()} high and needs {needed}")
            across = widget.fontMetrics().horizontalAdvance(widget.text())
            if not widget.wordWrap() and not isinstance(widget, FittingLabel) and rect.width() < across:
                found.append(f"{widget.text()!r} is cut")
        elif rect.height() < widget.sizeHint().height():
            found.append(f"{widget.objectName()} is squeezed")
    return found


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("scheme", REGISTRY)
def test_no_line_is_squeezed_or_overlapped(dock, lab, scheme, theme, size):
    dock.set_theme(theme)
    dock.resize(max(size[0], dock.sizeHint().width()), size[1])
    QApplication.processEvents()
    lab.put(scheme=scheme, swap=True)
    lab.show()
    assert faults(dock) == []
    QApplication.processEvents()
    assert faults(dock) == []


def test_a_refusal_and_a_fold_take_their_room_at_once(dock, lab):
    lab.show()
    lab.put(dimension=63, scheme="rope")
    assert faults(dock) == []
    for name in ("attention_header", "readouts_header", "attention_header"):
        dock.findChild(QAbstractButton, name).click()
        assert faults(dock) == []


def test_smaller_type_makes_lower_rows_again(dock, lab):
    lab.show()
    before = {piece: piece.height() for piece in pieces(dock) if isinstance(piece, QComboBox | QLineEdit)}
    dock.set_theme(PROJECTOR)
    QApplication.processEvents()
    assert all(piece.height() > height for piece, height in before.items())
    dock.set_theme(LIGHT)
    QApplication.processEvents()
    assert {piece: piece.height() for piece in before} == before
