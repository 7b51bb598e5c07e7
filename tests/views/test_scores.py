import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.parts import NO_CURSOR, Cursor, ScoresPart
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.theme import DARK, LIGHT, THEMES
from pe_desktop.views import MatrixView, ScoresView


def scores(length=128, **changes):
    gaps = np.arange(length)[:, None] - np.arange(length)
    part = ScoresPart(
        kind="scores",
        values=np.cos(gaps / 30.0).astype(np.float32),
        rows=whole_blocks(0, 1, length),
        columns=whole_blocks(0, 1, length),
        shape=(length, length),
        scale=1.0,
        defined_rows=length,
        spot_row=12,
        exact=True,
        title="Position scores",
        pixel="each cell is 1 query × 1 key",
        sentence="It depends on the gap alone.",
        row_label="query",
        column_label="key",
        key_column=20,
        upper="",
        is_matrix=False,
    )
    return dataclasses.replace(part, **changes)


@pytest.fixture
def view(lab, show):
    view = show(ScoresView(lab, LIGHT))
    lab.show(scores=scores())
    return view


def place_of(view, row, column):
    return view.plot.x_pixel(column + 0.5), view.plot.y_pixel(row + 0.5)


def test_a_click_chooses_query_and_key(view, lab, mouse_on):
    mouse_on(view.plot).click(*place_of(view, 70, 100))
    assert lab.requests == [{"position": 70, "key_position": 100}]


def test_a_double_click_shows_everything_and_leaves_both_positions(view, lab, mouse_on):
    mouse = mouse_on(view.plot)
    x, y = place_of(view, 70, 100)
    mouse.wheel(x, y, 4)
    mouse.double_click(x, y)
    assert (lab.viewport.score_rows, lab.viewport.score_columns) == (None, None)
    assert (lab.state.position, lab.state.key_position) == (12, 20)


def test_arrow_keys_move_the_query_and_the_key(view, lab):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(view.plot, key)
    assert lab.requests == [{"position": 13}, {"position": 12}, {"key_position": 21}, {"key_position": 20}]
    lab.state = lab.state.change({"position": 0, "key_position": 127})
    QTest.keyClick(view.plot, Qt.Key.Key_Up)
    QTest.keyClick(view.plot, Qt.Key.Key_Right)
    assert (lab.state.position, lab.state.key_position) == (0, 127)


def test_zoom_and_pan_are_those_of_the_scores_alone(view, lab, mouse_on):
    mouse = mouse_on(view.plot)
    x, y = place_of(view, 64, 32)
    mouse.wheel(x, y, 4)
    assert lab.viewport.score_rows is not None
    assert lab.viewport.score_columns is not None
    assert (lab.viewport.rows, lab.viewport.columns) == (None, None)
    before = lab.viewport.score_rows
    mouse.drag((x, y), (x, y - 60))
    assert lab.viewport.score_rows[0] > before[0]
    QTest.keyClick(view.plot, Qt.Key.Key_0)
    assert lab.viewport.score_rows is None


def test_another_length_shows_all_of_it(view, lab, mouse_on):
    mouse_on(view.plot).wheel(*place_of(view, 64, 32), 4)
    lab.show(scores=scores(300))
    assert (view.plot.x_range, view.plot.y_range) == ((0, 300), (0, 300))
    assert (lab.viewport.score_rows, lab.viewport.score_columns) == (None, None)


def test_it_is_computed_while_shown_and_told_its_pixels(view, lab):
    ratio, area = view.devicePixelRatioF(), view.plot.area
    assert lab.viewport.shown == {"scores"}
    assert lab.viewport.scores == (round(area.height() * ratio), round(area.width() * ratio))
    view.hide()
    assert lab.viewport.shown == frozenset()
    assert lab.viewport.scores == (0, 0)


def test_query_and_key_are_outlined_and_named(view):
    x, y = place_of(view, 12, 20)
    assert view.spot.rect.center().y() == pytest.approx(y, abs=1.5)
    assert view.spot.rect.width() == view.plot.area.width()
    assert view.key.rect.center().x() == pytest.approx(x, abs=1.5)
    assert view.key.rect.height() == view.plot.area.height()
    assert (view.spot_tag.text, view.key_tag.text) == ("query 12", "key 20")


def test_what_is_out_of_sight_is_not_outlined(view, lab):
    lab.set_viewport(score_rows=(40, 60), score_columns=(60, 90))
    assert (view.spot.rect, view.key.rect) == (None, None)
    assert (view.spot_tag.text, view.key_tag.text) == ("", "")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(560, 400), (330, 260)])
@pytest.mark.parametrize("length", [2, 128, 1_048_576])
def test_the_names_of_query_and_key_stay_apart_and_inside(lab, show, size, theme, length):
    view = show(ScoresView(lab, theme), *size)
    ends = sorted({0, length // 2, length - 1})
    for query, key in itertools.product(ends, ends):
        values = np.zeros((2, 2), dtype=np.float32)
        half = whole_blocks(0, -(-length // 2), length)
        part = scores(2, values=values, shape=(length, length), rows=half, columns=half, defined_rows=length)
        lab.show(scores=dataclasses.replace(part, spot_row=query, key_column=key))
        tags = [tag for tag in (view.spot_tag, view.key_tag) if tag.text]
        area = view.plot.area.adjusted(-1, -1, 1, 1)
        assert all(area.contains(tag.rect) for tag in tags)
        assert len(tags) < 2 or not tags[0].rect.intersects(tags[1].rect)
        assert len(tags) == 2 or size[0] < 400


def test_positions_without_vector_are_hatched_both_ways(view, lab):
    lab.show(scores=scores(defined_rows=64))
    area, plot = view.plot.area, view.plot
    assert view.hatch.rect == QRectF(area.left(), plot.y_pixel(64), area.width(), area.bottom() - plot.y_pixel(64))
    assert view.column_hatch.rect.left() == pytest.approx(plot.x_pixel(64))
    assert view.column_hatch.rect.bottom() == pytest.approx(plot.y_pixel(64))
    assert view.column_hatch.text == "no vector"
    lab.set_viewport(score_rows=(0, 10), score_columns=(0, 10))
    assert (view.hatch.rect, view.column_hatch.rect) == (None, None)
    lab.show(scores=scores())
    assert view.column_hatch.rect is None


def covered(view, row, column):
    outline = view.upper.outline
    return outline is not None and outline.containsPoint(QPointF(*place_of(view, row, column)), Qt.FillRule.OddEvenFill)


@pytest.mark.parametrize("window", [None, (40, 52), (3, 90)])
def test_masked_keys_are_shaded_to_the_cell(view, lab, window):
    lab.show(scores=scores(upper="masked"))
    lab.set_viewport(score_rows=window, score_columns=window)
    first, last = window or (0, 128)
    for row, column in itertools.product(range(first, last, 3), range(first, last)):
        assert covered(view, row, column) == (column > row)
    assert view.upper.text == "masked"


def test_far_from_the_diagonal_all_or_nothing_is_shaded(view, lab):
    lab.show(scores=scores(upper="masked"))
    lab.set_viewport(score_rows=(0, 30), score_columns=(60, 90))
    assert view.upper.outline.boundingRect() == view.plot.area
    assert view.upper.text == "masked"
    lab.set_viewport(score_rows=(60, 90), score_columns=(0, 30))
    assert view.upper.outline is None
    assert view.upper.text == ""


def test_the_shade_of_a_million_follows_the_diagonal(view, lab):
    length = 1_048_576
    half = whole_blocks(0, length // 2, length)
    part = scores(2, shape=(length, length), rows=half, columns=half, defined_rows=length)
    lab.show(scores=dataclasses.replace(part, upper="masked", values=np.zeros((2, 2), dtype=np.float32)))
    step = length / view.plot.area.width()
    for row in range(10_000, length - 10_000, 50_000):
        assert covered(view, row, row + 3 * step)
        assert not covered(view, row, row - 3 * step)
    assert view.upper.outline.count() < 1000


def test_the_shade_ends_with_the_table(view, lab):
    lab.show(scores=scores(upper="masked", defined_rows=64))
    assert covered(view, 10, 60)
    assert not covered(view, 10, 70)
    assert not covered(view, 70, 100)


def test_the_veil_is_seen_on_screen(view, lab):
    plain = view.plot.viewport().grab().toImage()
    lab.show(scores=scores(upper="masked"))
    veiled = view.plot.viewport().grab().toImage()
    ratio = plain.devicePixelRatio()
    above, below = ([round(part * ratio) for part in place_of(view, *cell)] for cell in ((30, 90), (90, 30)))
    assert plain.pixelColor(*above) != veiled.pixelColor(*above)
    assert plain.pixelColor(*below) == veiled.pixelColor(*below)


def test_hovering_sets_the_cursor_to_query_and_key(view, lab, mouse_on):
    mouse_on(view.plot).hover(*place_of(view, 70, 10))
    assert lab.cursor == Cursor(view="scores", position=70, column=10)
    assert (view.row_tag.text, view.column_tag.text) == ("70", "10")
    view.plot.left.emit()
    assert lab.cursor == NO_CURSOR


def test_a_dimension_is_no_key(view, lab):
    lab.set_cursor(Cursor(view="matrix", position=70, column=10))
    assert view.row_line.at == pytest.approx(view.plot.y_pixel(70.5), abs=1)
    assert view.column_line.at is None
    lab.show(scores=scores(is_matrix=True))
    assert view.column_line.at == pytest.approx(view.plot.x_pixel(10.5), abs=1)


def test_a_key_is_no_dimension(lab, make, show):
    matrix = show(MatrixView(lab, LIGHT))
    lab.show(matrix=make.matrix())
    lab.set_cursor(Cursor(view="scores", position=70, column=10))
    assert matrix.row_line.at is not None
    assert matrix.column_line.at is None
    values = np.zeros((128, 128), dtype=np.float32)
    lab.show(matrix=make.matrix(kind="bias", shape=(128, 128), values=values))
    assert matrix.column_line.at is not None


def test_nothing_to_draw_shows_the_sentence_instead(view, lab):
    lab.show(scores=scores(kind="nothing", values=np.zeros((0, 0), dtype=np.float32), sentence="Flat."))
    assert view.message.text == "Flat."
    assert not view.plot.isVisible()
    assert view.accessibleDescription() == "Flat."


def test_an_announced_picture_leaves_axes_and_marks(view, lab):
    lab.show(scores=scores(values=np.zeros((0, 0), dtype=np.float32), exact=False, pixel="computing…"))
    assert view.plot.isVisible()
    assert not view.image.isVisible()
    assert view.spot_tag.text == "query 12"
    assert view.header.note == "computing…"


def test_a_moved_key_keeps_the_image(view, lab):
    pixels = view.image.image
    lab.show(scores=dataclasses.replace(view.part, key_column=90))
    assert view.image.image is pixels
    assert view.key_tag.text == "key 90"


def test_a_theme_recolours_the_marks(view):
    view.set_theme(DARK)
    assert view.image.image is not None
    assert view.spot_tag.text == "query 12"


SITUATIONS = {
    "two": {"length": 2, "dimension": 2, "position": 1},
    "million": {"length": 1_048_576, "dimension": 64, "position": 400_000, "causal": True},
    "table": {"scheme": "learned", "length": 1000, "position": 900, "causal": True},
    "rope": {"scheme": "rope"},
    "bias": {"scheme": "alibi", "head": 3},
    "none": {"scheme": "none"},
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_situation_is_drawn_or_explained(show, situation):
    lab = Lab(LabState().change(SITUATIONS[situation]), blocking=True)
    view = show(ScoresView(lab, LIGHT))
    lab.flush()
    for theme in THEMES.values():
        view.set_theme(theme)
        for size in ((560, 400), (330, 260)):
            view.resize(*size)
            QApplication.processEvents()
            view.grab()
            assert view.sentence.cut == ""
    assert view.header.title == "Position scores"
    assert view.plot.isVisible() != view.message.isVisible()
    assert view.plot.isVisible() == (situation != "none")
    lab.close()
