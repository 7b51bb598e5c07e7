"""The grid of patches: what is drawn, what the mouse and the keys ask for, and that nothing is clipped."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from pe_desktop.core.part_grid import grid_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.theme import DARK, LIGHT, PROJECTOR, THEMES
from pe_desktop.views import GridView
from pe_desktop.views.grid import cell_size, end_texts
from pe_desktop.views.plotting import VOID

SIZES = ((560, 400), (330, 260), (420, 330))
EXTREMES = (
    {"scheme": "mrope"},
    {"scheme": "mrope", "params": {"frames": 9, "image_rows": 3, "image_columns": 40}},
    {"scheme": "axial", "length": 1 << 20, "params": {"grid_columns": 1024}},
    {"scheme": "axial", "length": 1 << 20, "params": {"grid_columns": 1}},
    {"scheme": "axial", "dimension": 4, "length": 2},
    {"scheme": "sincos2d", "dimension": 8192, "length": 197, "params": {"grid_columns": 14, "class_token": True}},
)


def hand_out(lab, viewport=None, **changes):
    lab.state = lab.state.change(changes)
    lab.show(grid=grid_part(lab.state, viewport or lab.viewport))
    return lab.snapshot.grid


@pytest.fixture
def view(lab, show):
    return show(GridView(lab, LIGHT))


def patch_at(view, row, column):
    return view._rect_of((row, column)).center()


def test_it_is_a_pane(lab, show):
    view = show(GridView(lab, LIGHT))
    assert lab.viewport.shown == {"grid"}
    view.hide()
    assert lab.viewport.shown == frozenset()


def test_patches_their_colours_and_marks(lab, view):
    part = hand_out(lab, scheme="mrope", position=40, key_position=20, params={"interleaved": True})
    assert view.image.image.shape == (8, 8)
    assert view.image.image[part.spot] == 255
    lowest = np.unravel_index(part.values.argmin(), part.values.shape)
    assert view.image.image[lowest] == 1
    assert view.bar.texts == ("1", f"{part.low:.3g}")
    assert view.labels.isVisible()
    assert view.labels.texts == list(part.labels)
    assert view._rect_of(part.spot) == view.spot.rect()
    assert view._rect_of(part.key) == view.key.rect()
    assert view.before.text().startswith("text, tokens 0 – 7")
    assert view.after.text().startswith("text, tokens 72 – 127")


def test_query_and_key_on_one_patch_are_both_seen(lab, view):
    hand_out(lab, scheme="mrope", position=20, key_position=20)
    assert view.key.rect().contains(view.spot.rect())
    assert view.key.rect() != view.spot.rect()


def test_marks_outside_the_frame_are_hidden(lab, view):
    hand_out(lab, scheme="mrope", position=3, key_position=20)
    assert not view.spot.isVisible()
    assert view.key.isVisible()


def test_patches_past_the_end_hold_no_value(lab, view):
    part = hand_out(lab, scheme="mrope", length=20, position=12)
    assert (view.image.image[~part.held] == VOID).all()
    assert (view.image.image[part.held] != VOID).all()
    assert len(view.labels.texts) == 12


def test_labels_vanish_where_they_have_no_room(lab, show):
    view = show(GridView(lab, PROJECTOR), 330, 300)
    part = hand_out(lab, scheme="mrope")
    assert part.labels
    assert not view.labels.isVisible()
    hand_out(lab, scheme="axial", length=1 << 20, params={"grid_columns": 1024})
    assert not view.labels.isVisible()


def test_hover_click_and_keys(lab, view, mouse_on):
    part = hand_out(lab, scheme="mrope", position=12)
    mouse, place = mouse_on(view.plot), patch_at(view, 2, 6)
    mouse.hover(place.x(), place.y())
    assert lab.cursor == Cursor(view="grid", position=part.first + 2 * 8 + 6)
    assert view.cursor_frame.rect == view._rect_of((2, 6))
    mouse.click(place.x(), place.y())
    assert lab.requests == [{"position": 30}]
    bar = view.lanes.bar
    mouse.hover(bar.left() + 9.5 / 32 * bar.width(), bar.top() + 5)
    assert lab.cursor == Cursor(view="grid", pair=9)
    assert view.pair_line.isVisible()
    assert abs(view.pair_line.line().x1() - view.lanes.middle_of(9)) <= 1
    mouse.hover(2, view.plot.height() - 1)
    assert lab.cursor.view == ""
    lab.requests.clear()
    for key, position in ((Qt.Key.Key_Right, 31), (Qt.Key.Key_Down, 39), (Qt.Key.Key_Up, 31), (Qt.Key.Key_Left, 30)):
        QTest.keyClick(view.plot, key)
        assert lab.requests.pop() == {"position": position}
    lab.state = lab.state.change({"position": 2})
    QTest.keyClick(view.plot, Qt.Key.Key_Up)
    assert lab.requests.pop() == {"position": 0}


def test_a_click_in_a_picture_of_means_asks_for_a_patch_of_that_cell(lab, view, mouse_on):
    params = {"grid_columns": 1000}
    part = hand_out(lab, Viewport(grid=(100, 100)), scheme="axial", length=1_000_000, params=params)
    place = view._rect.topLeft() + QPointF(7.5 * view._cell[0], 42.5 * view._cell[1])
    mouse_on(view.plot).click(place.x(), place.y())
    row, column = divmod(lab.requests[-1]["position"], 1000)
    assert (row // part.row_step, column // part.column_step) == (42, 7)


def test_the_cursor_of_another_view_is_shown(lab, view):
    hand_out(lab, scheme="mrope")
    lab.set_cursor(Cursor(view="matrix", position=8))
    assert view.cursor_frame.rect == view._rect_of((0, 0))
    lab.set_cursor(Cursor(view="matrix", position=100))
    assert view.cursor_frame.rect is None


def test_lanes_tell_the_share_of_the_pairs(lab, view):
    part = hand_out(lab, scheme="mrope", params={"interleaved": True})
    picture = view.grab().toImage()
    bar, lane = view.lanes.bar, view.lanes.lane
    corner = view.plot.mapTo(view, view.plot.rect().topLeft())
    for pair in (0, 1, 2, 9, 31):
        place = QPointF(view.lanes.middle_of(pair), bar.top() + (part.pair_axis[pair] + 0.5) * lane) + QPointF(corner)
        assert picture.pixelColor(place.toPoint()).name() == LIGHT.axes[part.pair_axis[pair]].lower()
        other = place + QPointF(0, lane if part.pair_axis[pair] < 2 else -lane)
        assert picture.pixelColor(other.toPoint()).name() == LIGHT.line.lower()


def test_other_schemes_say_why_there_is_no_grid(lab, view):
    hand_out(lab, scheme="mrope")
    hand_out(lab, scheme="rope")
    assert not view.message.isHidden()
    assert view.message.text == "This scheme knows one coordinate per token, its position: there is no grid."
    hand_out(lab, scheme="axial")
    assert view.message.isHidden()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("changes", EXTREMES, ids=range(len(EXTREMES)))
def test_nothing_lies_on_or_beyond_anything(lab, show, changes, size, theme):
    view = show(GridView(lab, theme), *size)
    hand_out(lab, **changes)
    hand_out(lab)  # with the size that it announced
    room = QRectF(view.plot.rect())
    lanes = QRectF(view.lanes.boundingRect())
    words = [item.sceneBoundingRect() for item in (view.before, view.after) if item.isVisible()]
    pieces = [view._rect, lanes, *words]
    for piece in (*pieces, view.bar.boundingRect()):
        assert room.adjusted(-1, -1, 1, 1).contains(piece)
    assert not any(a.adjusted(1, 1, -1, -1).intersects(b) for a, b in itertools.combinations(pieces, 2))
    assert view._rect.height() >= 12
    assert view._rect.width() >= 20
    text_room = view.bar.boundingRect().right() - view.bar.boundingRect().left() - view.bar.WIDTH - 4
    assert max(map(view._letters.width, view.bar.texts)) <= text_room
    notes = view.lanes.notes
    assert view.lanes.bar.width() >= 40
    assert view.lanes.bar.right() + max(map(view._letters.width, notes)) <= room.right()


def test_the_picture_fits_the_pixels_it_announces(lab, view):
    part = hand_out(lab, scheme="axial", length=1 << 20, params={"grid_columns": 1024})
    high, wide = lab.viewport.grid
    part = hand_out(lab)
    assert part.values.shape[0] <= high <= view.plot.height()
    assert part.values.shape[1] <= wide <= view.plot.width()
    assert min(view._cell) >= 1.0


@pytest.mark.parametrize(
    ("size", "rows", "columns", "expected"),
    [
        ((400, 240), 8, 8, (50, 30)),
        ((400, 240), 8, 16, (25, 30)),
        ((400, 240), 240, 1, (40, 1)),
        ((400, 240), 1, 400, (1, 40)),
        ((800, 100), 8, 8, (25, 12)),
    ],
)
def test_cells_are_nearly_square(size, rows, columns, expected):
    assert cell_size(QRectF(0, 0, *size), rows, columns) == expected


def test_the_ends_of_the_bar_are_told_apart():
    assert end_texts(-0.0842, 0.908) == ("0.908", "−0.0842")
    assert end_texts(0.99961, 1.0) == ("1.0000", "0.9996")
    assert end_texts(0.99998, 1.0) == ("1.00000", "0.99998")
    assert end_texts(1.0, 1.0) == ("1",)


def test_the_theme_changes_every_piece(lab, view):
    hand_out(lab, scheme="mrope")
    before = view.grab().toImage()
    view.set_theme(DARK)
    after = view.grab().toImage()
    assert before.pixelColor(2, 2) != after.pixelColor(2, 2)
    assert view.part is lab.snapshot.grid
