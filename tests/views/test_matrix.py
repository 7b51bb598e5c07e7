import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pe_desktop.core.blocks import Blocks, whole_blocks
from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.theme import DARK, LIGHT
from pe_desktop.views import MatrixView
from pe_desktop.views.plotting import diverging_table


@pytest.fixture
def view(lab, make, show):
    view = show(MatrixView(lab, LIGHT))
    lab.show(matrix=make.matrix())
    return view


def place_of(view, row, column):
    return view.plot.x_pixel(column + 0.5), view.plot.y_pixel(row + 0.5)


def test_the_picture_is_the_parts_values_in_steps_of_a_symmetric_scale(view, lab, make):
    values = np.array([[-2.0, -1.0, 0.0], [1.0, 2.0, 9.0]], dtype=np.float32)
    lab.show(matrix=make.matrix(values=values, shape=(2, 3), scale=2.0, spot_row=0, defined_rows=2))
    assert view.image.image.tolist() == [[1, 65, 128], [192, 255, 255]]
    assert view.bar.texts == ("2", "0", "\u22122")


def test_zero_has_the_neutral_colour_of_each_theme():
    for theme in (LIGHT, DARK):
        assert "#{:02X}{:02X}{:02X}".format(*diverging_table(theme)[128]) == theme.neutral


def test_the_screen_shows_the_colour_of_the_cell(view, lab, make):
    values = np.zeros((2, 2), dtype=np.float32)
    values[0, 1] = 1.0
    lab.show(matrix=make.matrix(values=values, shape=(2, 2), spot_row=1, defined_rows=2))
    picture = view.plot.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()
    x, y = place_of(view, 0, 1)
    seen = picture.pixelColor(round(x * ratio), round(y * ratio))
    assert seen.getRgb()[:3] == tuple(diverging_table(LIGHT)[255])


def test_blocks_lie_over_the_cells_they_are_the_mean_of(view, lab, make):
    values = np.zeros((10, 8), dtype=np.float32)
    lab.show(
        matrix=make.matrix(
            values=values,
            shape=(1000, 64),
            rows=whole_blocks(100, 20, 300),
            columns=Blocks(8.5, 9, 2, 8, 64),
            defined_rows=1000,
        )
    )
    rect = view.image.mapRectToParent(view.image.boundingRect())
    assert (rect.left(), rect.top(), rect.width(), rect.height()) == (8.5, 100, 36, 200)


def test_a_part_already_drawn_is_not_drawn_again(view, lab, monkeypatch):
    drawn = []
    monkeypatch.setattr(view, "_draw", lambda part, before: drawn.append(part))
    lab.show()
    assert drawn == []


def test_a_new_spot_keeps_the_image(view, lab):
    pixels = view.image.image
    lab.show(matrix=dataclasses.replace(lab.snapshot.matrix, spot_row=40))
    assert view.image.image is pixels
    assert view.spot_tag.text == "row 40"
    assert view.spot.rect.center().y() == pytest.approx(view.plot.y_pixel(40.5), abs=1.5)


def test_rows_without_a_vector_are_hatched_and_labelled(view, lab, make):
    lab.show(matrix=make.matrix(defined_rows=64))
    assert view.hatch.rect.top() == pytest.approx(view.plot.y_pixel(64))
    assert view.hatch.rect.bottom() == pytest.approx(view.plot.area.bottom())
    assert view.hatch.text == "no vector"
    lab.show(matrix=make.matrix())
    assert view.hatch.rect is None


def test_nothing_to_draw_shows_the_sentence_instead(view, lab, make):
    lab.show(matrix=make.matrix(kind="nothing", sentence="Nothing is added."))
    assert view.message.isVisible()
    assert view.message.text == "Nothing is added."
    assert not view.plot.isVisible()
    assert view.accessibleDescription() == "Nothing is added."
    lab.show(matrix=make.matrix())
    assert view.plot.isVisible()
    assert not view.message.isVisible()


def test_a_click_inspects_the_row(view, lab, mouse_on):
    mouse_on(view.plot).click(*place_of(view, 70, 10))
    assert lab.requests == [{"position": 70}]


def test_a_click_in_a_bias_matrix_chooses_query_and_key(view, lab, make, mouse_on):
    lab.show(matrix=make.matrix(kind="bias", shape=(128, 128), values=np.zeros((128, 128), dtype=np.float32)))
    mouse_on(view.plot).click(*place_of(view, 70, 100))
    assert lab.requests == [{"position": 70, "key_position": 100}]


def test_a_click_beside_the_picture_does_nothing(view, lab, mouse_on):
    mouse_on(view.plot).click(2, 2)
    assert lab.requests == []


def test_the_wheel_zooms_about_the_mouse_and_says_so_to_the_lab(view, lab, mouse_on):
    x, y = place_of(view, 64, 32)
    mouse_on(view.plot).wheel(x, y, 3)
    first, last = lab.viewport.rows
    assert 0 < first < 64 < last < 128
    assert view.plot.y_value(y) == pytest.approx(64.5, abs=0.5)
    assert lab.viewport.columns is not None


def test_the_wheel_over_an_axis_zooms_that_axis_alone(view, lab, mouse_on):
    mouse_on(view.plot).wheel(5, view.plot.area.center().y(), 3)
    assert lab.viewport.rows is not None
    assert lab.viewport.columns is None


def test_zoom_ends_at_one_cell_and_out_at_everything(view, lab, mouse_on):
    x, y = place_of(view, 64, 32)
    for _ in range(40):
        mouse_on(view.plot).wheel(x, y, 1)
    for low, high in (view.plot.x_range, view.plot.y_range):
        assert high - low == pytest.approx(1)
    assert lab.viewport.rows == view.plot.y_range
    for _ in range(60):
        mouse_on(view.plot).wheel(x, y, -1)
    assert (lab.viewport.rows, lab.viewport.columns) == (None, None)
    assert view.plot.y_range == (0, 128)


def test_a_drag_pans_within_the_data_and_is_no_click(view, lab, mouse_on):
    mouse = mouse_on(view.plot)
    x, y = place_of(view, 64, 32)
    mouse.wheel(x, y, 4)
    low, high = view.plot.y_range
    mouse.drag((x, y), (x, y - 40))
    assert view.plot.y_range[0] > low
    assert view.plot.y_range[1] - view.plot.y_range[0] == pytest.approx(high - low)
    for _ in range(20):
        mouse.drag((x, y), (x, y - 80))
    assert view.plot.y_range[1] == pytest.approx(128)
    assert lab.requests == []


def test_a_double_click_shows_everything_and_leaves_the_spot(view, lab, mouse_on):
    mouse = mouse_on(view.plot)
    x, y = place_of(view, 64, 32)
    mouse.wheel(x, y, 4)
    mouse.double_click(x, y)
    assert (lab.viewport.rows, lab.viewport.columns) == (None, None)
    assert lab.state.position == 12


def test_another_number_of_rows_shows_all_rows_and_keeps_the_columns(view, lab, make, mouse_on):
    mouse_on(view.plot).wheel(*place_of(view, 64, 32), 4)
    columns = view.plot.x_range
    lab.show(matrix=make.matrix(shape=(300, 64), defined_rows=300))
    assert view.plot.y_range == (0, 300)
    assert view.plot.x_range == columns
    assert lab.viewport.rows is None


def test_rows_chosen_in_another_view_are_followed(view, lab):
    lab.set_viewport(rows=(20, 60))
    assert view.plot.y_range == (20, 60)


def test_hovering_sets_the_cursor_and_leaving_takes_it_away(view, lab, mouse_on):
    mouse_on(view.plot).hover(*place_of(view, 70, 10))
    assert lab.cursor == Cursor(view="matrix", position=70, column=10)
    assert view.row_tag.text == "70"
    assert view.column_tag.text == "10"
    view.plot.left.emit()
    assert lab.cursor == NO_CURSOR
    assert view.row_line.at is None


def test_the_cursor_moves_lines_and_nothing_else(view, lab, monkeypatch):
    monkeypatch.setattr(view, "_draw", pytest.fail)
    monkeypatch.setattr(view.image, "setImage", pytest.fail)
    lab.set_cursor(Cursor(view="similarity", position=99))
    assert view.row_line.at == pytest.approx(view.plot.y_pixel(99.5), abs=1)
    assert view.column_line.at is None


def test_the_lab_is_told_the_pixels_and_zero_while_hidden(view, lab):
    ratio, area = view.devicePixelRatioF(), view.plot.area
    assert lab.viewport.matrix == (round(area.height() * ratio), round(area.width() * ratio))
    view.hide()
    assert lab.viewport.matrix == (0, 0)
    view.show()
    assert lab.viewport.matrix[0] > 100


def test_a_hidden_view_draws_nothing_and_catches_up(view, lab, make):
    view.hide()
    part = make.matrix(spot_row=50)
    lab.show(matrix=part)
    assert view.part is not part
    view.show()
    assert view.part is part
    assert view.spot_tag.text == "row 50"


def test_a_part_made_for_a_hidden_view_has_no_cells(view, lab, make):
    lab.show(matrix=make.matrix(values=np.zeros((0, 0), dtype=np.float32)))
    assert not view.image.isVisible()


def test_keys_move_the_spot_and_zoom(view, lab):
    QTest.keyClick(view.plot, Qt.Key.Key_Down)
    QTest.keyClick(view.plot, Qt.Key.Key_Plus)
    assert lab.requests == [{"position": 13}]
    assert lab.viewport.rows is not None
    QTest.keyClick(view.plot, Qt.Key.Key_0)
    assert lab.viewport.rows is None


@pytest.mark.parametrize("length", [2, 128, 1_048_576])
def test_axis_labels_do_not_overlap_and_name_the_cells(view, lab, make, length):
    values = np.zeros((min(length, 300), 64), dtype=np.float32)
    step = -(-length // 300)
    rows = whole_blocks(0, step, length)
    lab.show(matrix=make.matrix(shape=(length, 64), values=values, rows=rows, defined_rows=length, spot_row=0))
    labels = view.plot.left_axis.labels
    assert labels[0] == (pytest.approx(view.plot.y_pixel(0.5)), "0")
    places = [place for place, _ in labels]
    assert len(places) >= 2
    assert min(np.diff(places)) > 15


def test_a_theme_recolours_the_same_steps(view):
    before = view.image.image.copy()
    view.set_theme(DARK)
    assert (view.image.image == before).all()
    view.plot.viewport().grab()
    assert view.image.qimage.pixel(0, 0) & 0xFFFFFF == int(DARK.neutral[1:], 16)
