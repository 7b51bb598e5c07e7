"""Every line of the dock has its height, from the first moment on; the scroll bar takes care of the rest."""

from __future__ import annotations

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
EXTENSION = [about.name for about in REGISTRY["rope"].parameters()].index("extension")
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
    found = []
    from_top = sorted(zip(shown, places, strict=True), key=lambda pair: pair[1].top())
    for number, (a, r) in enumerate(from_top):
        for b, s in from_top[number + 1 :]:
            if s.top() > r.bottom():
                break
            if r.intersects(s) and not a.isAncestorOf(b) and not b.isAncestorOf(a):
                found.append(f"{a.objectName() or a.text()!r} over {b.objectName() or b.text()!r}")
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
def test_no_line_is_squeezed_or_overlapped(dock, lab, theme, size):
    dock.set_theme(theme)
    dock.resize(max(size[0], dock.sizeHint().width()), size[1])
    QApplication.processEvents()
    for scheme in REGISTRY:
        lab.put(scheme=scheme, swap=True)
        lab.show()
        assert (scheme, faults(dock)) == (scheme, [])
        QApplication.processEvents()
        assert (scheme, faults(dock)) == (scheme, [])


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_rows_that_come_and_go_settle_at_once(dock, lab, theme):
    dock.set_theme(theme)
    dock.resize(max(320, dock.sizeHint().width()), 716)
    QApplication.processEvents()
    lab.put(scheme="rope", dimension=96)
    lab.show()
    for extension, _ in REGISTRY["rope"].parameters()[EXTENSION].choices:
        lab.put(params={"extension": extension, "factor": 4.0})
        lab.show()
        assert faults(dock) == []
    lab.put(params={"extension": "longrope", "short_factor": (1.25,) * 48})
    for name in ("param_short_factor_button", "param_long_factor_button", "param_short_factor_button"):
        dock.findChild(QAbstractButton, name).click()
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
