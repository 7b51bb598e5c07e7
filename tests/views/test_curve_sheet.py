"""The sheet on which the expected curve is drawn: with the mouse, and by keys."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views import SimilarityView
from pe_desktop.views.curve_sheet import CurveSheet

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(lab, show, make):
    view = show(SimilarityView(lab, LIGHT))
    lab.show(similarity=make.curve())
    return view


@pytest.fixture
def sheet(view):
    sheet = CurveSheet(view, LIGHT)
    sheet.heard = 0
    sheet.drawn_changed.connect(lambda: setattr(sheet, "heard", sheet.heard + 1))
    sheet.cover()
    QApplication.processEvents()
    return sheet


def place(sheet, position, value):
    """Where a position and value are on the sheet."""
    corner = QPointF(sheet.plot.pos())
    return (corner + QPointF(sheet.plot.x_pixel(position), sheet.plot.y_pixel(value))).toPoint()


def draw(sheet, *points):
    """Draw through (position, value) with the button held, in as few moves as there are points."""
    first, *rest = (place(sheet, *point) for point in points)
    QTest.mousePress(sheet, LEFT, pos=first)
    for point in rest:
        QTest.mouseMove(sheet, point)
    QTest.mouseRelease(sheet, LEFT, pos=rest[-1] if rest else first)


def keys(sheet, *pressed):
    for key in pressed:
        QTest.keyClick(sheet, key)


def has_colour(image, colour, area):
    wanted = QColor(colour).rgb()
    places = ((x, y) for x in range(area.left(), area.right()) for y in range(area.top(), area.bottom()))
    return any(image.pixel(x, y) == wanted for x, y in places)


def test_a_stroke_of_the_mouse(sheet):
    draw(sheet, (20, 0.5), (60, -0.5))
    positions, values = sheet.drawing.points
    assert positions[0] == 20
    assert positions[-1] == 60
    assert len(positions) == 41
    pixel = (sheet.plot.y_range[1] - sheet.plot.y_range[0]) / sheet.area.height()
    assert np.allclose(values, np.linspace(0.5, -0.5, 41), atol=1.5 * pixel)
    assert sheet.heard >= 2


def test_drawing_over_replaces(sheet):
    draw(sheet, (0, 0.5), (127, 0.5))
    draw(sheet, (80, -0.5), (40, -0.5))
    positions, values = sheet.drawing.points
    assert len(positions) == 128
    assert (values[40:81] < -0.4).all()
    assert (values[:39] > 0.4).all()
    assert (values[82:] > 0.4).all()


def test_strokes_end_at_the_edges(sheet):
    QTest.mousePress(sheet, LEFT, pos=place(sheet, 100, 0.9))
    QTest.mouseMove(sheet, QPoint(sheet.width() + 200, -50))
    QTest.mouseRelease(sheet, LEFT, pos=QPoint(sheet.width() + 200, -50))
    positions, values = sheet.drawing.points
    assert positions[-1] == 127
    assert values.max() <= sheet.plot.y_range[1]


def test_only_the_left_button_draws_and_only_while_held(sheet):
    QTest.mouseClick(sheet, Qt.MouseButton.RightButton, pos=place(sheet, 30, 0.0))
    QTest.mouseMove(sheet, place(sheet, 60, 0.0))
    assert sheet.drawing.is_empty


def test_the_mouse_asks_the_lab_for_nothing(sheet, lab):
    draw(sheet, (20, 0.5), (60, -0.5))
    assert lab.requests == []
    assert lab.cursor.position is None


def test_the_mouse_leaves_the_keyboard_where_it_is(sheet):
    draw(sheet, (20, 0.5), (60, -0.5))
    assert not sheet.hasFocus()


def test_the_pen_of_the_keys(sheet):
    sheet.setFocus(Qt.FocusReason.TabFocusReason)
    assert sheet._pen[0] == 12  # at the spot
    keys(sheet, Qt.Key.Key_Left, Qt.Key.Key_Up)
    assert sheet.drawing.is_empty  # it is lifted
    keys(sheet, Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up)
    positions, values = sheet.drawing.points
    low, high = sheet.plot.y_range
    middle, step = (low + high) / 2, (high - low) / 40
    assert positions.tolist() == list(range(9, 16))
    assert values[:-1] == pytest.approx(middle + step)
    assert values[-1] == pytest.approx(middle + 3 * step)
    keys(sheet, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Right)
    assert sheet.drawing.points[0].tolist() == list(range(9, 16))


def test_the_whole_curve_by_keys(sheet):
    sheet.setFocus(Qt.FocusReason.TabFocusReason)
    keys(sheet, *[Qt.Key.Key_Left] * 60, Qt.Key.Key_Space, *[Qt.Key.Key_Right] * 60)
    assert sheet.drawing.points[0].tolist() == list(range(128))
    keys(sheet, *[Qt.Key.Key_Down] * 60)
    assert sheet.drawing.points[1][-1] == sheet.plot.y_range[0]


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_a_key_clears(sheet, key):
    draw(sheet, (20, 0.5), (60, -0.5))
    sheet.setFocus(Qt.FocusReason.TabFocusReason)
    keys(sheet, key)
    assert sheet.drawing.is_empty


def test_the_button_clears(sheet):
    button = sheet.findChild(QToolButton, "curve_sheet_clear")
    assert not button.isVisible()
    draw(sheet, (20, 0.5), (60, -0.5))
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert sheet.drawing.is_empty
    assert not button.isVisible()


def test_covering_again_begins_empty(sheet):
    draw(sheet, (20, 0.5), (60, -0.5))
    sheet.lift()
    assert not sheet.drawing.is_empty
    sheet.cover()
    assert sheet.drawing.is_empty


def test_it_draws_in_a_zoomed_window(sheet, lab):
    lab.set_viewport(rows=(40.0, 60.0))
    QApplication.processEvents()
    assert sheet.plot.x_range == (39.5, 59.5)
    draw(sheet, (42, 0.5), (58, 0.5))
    assert sheet.drawing.points[0].tolist() == list(range(42, 59))


def test_the_axes_are_those_of_the_view(sheet, view):
    assert sheet.area.size() == view.plot.area.size()
    assert sheet.area.topLeft() == view.plot.area.topLeft() + QPointF(view.plot.pos())
    strip = view.plot.geometry()
    strip.setRight(int(sheet.area.left()) - 3)
    covered = sheet.grab(strip).toImage()
    sheet.lift()
    open_ = view.grab(strip).toImage()
    alike = sum(
        covered.pixel(x, y) == open_.pixel(x, y) for x in range(covered.width()) for y in range(covered.height())
    )
    assert alike > 0.97 * covered.width() * covered.height()


def test_the_curve_is_not_to_be_seen_and_the_drawing_is(sheet, view):
    area = sheet.area.toRect().adjusted(2, 2, -2, -2)
    blank = sheet.grab().toImage()
    assert not has_colour(blank, LIGHT.text, area)
    draw(sheet, (20, 0.0), (60, 0.0))
    assert has_colour(sheet.grab().toImage(), LIGHT.accent, area)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(560, 400), (300, 240)])
def test_in_every_theme(lab, show, make, theme, size):
    view = show(SimilarityView(lab, theme), *size)
    lab.show(similarity=make.curve())
    sheet = CurveSheet(view, theme)
    sheet.cover()
    QApplication.processEvents()
    draw(sheet, (20, 0.5), (60, -0.5))
    image = sheet.grab().toImage()
    assert has_colour(image, theme.panel, view.rect())
    assert has_colour(image, theme.accent, sheet.area.toRect())


def test_a_change_of_theme(sheet, view):
    view.set_theme(PROJECTOR)
    sheet.set_theme(PROJECTOR)
    QApplication.processEvents()
    draw(sheet, (20, 0.5), (60, -0.5))
    assert sheet.drawing.points[0].tolist() == list(range(20, 61))


def test_a_shorter_sequence_cuts_the_drawing(sheet, lab, make):
    draw(sheet, (20, 0.5), (60, -0.5))
    lab.request(length=40)
    lab.show(similarity=make.curve(length=40))
    assert sheet.drawing.points[0].tolist() == list(range(20, 40))
    draw(sheet, (30, 0.5), (39, 0.5))


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_name_of_the_spot_is_read_on_its_colour_over_any_line(sheet, lab, make, theme):
    sheet.set_theme(theme)
    lab.show(similarity=make.curve(y_range=(-30.0, 1.0)))
    QApplication.processEvents()
    zero = place(sheet, 12, 0.0)
    image = sheet.grab().toImage()
    row = QRect(zero.x() + 4, zero.y() - 1, 12, 3)
    assert 2 < zero.y() - sheet.area.top() < 14
    assert has_colour(image, theme.query, row)
    assert not has_colour(image, theme.line, row)
    tag = QRect(row.left(), int(sheet.area.top()) + 3, 20, 14)
    assert has_colour(image, "white", tag)
