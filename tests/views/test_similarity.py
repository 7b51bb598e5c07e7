import dataclasses

import numpy as np
import pytest

from pe_desktop.core import similarity
from pe_desktop.core.part_curve import curve_part
from pe_desktop.core.parts import Cursor
from pe_desktop.theme import LIGHT, PROJECTOR
from pe_desktop.views import MatrixView, SimilarityView
from pe_desktop.views.similarity import MOST_OTHERS, band


@pytest.fixture
def view(lab, make, show):
    view = show(SimilarityView(lab, LIGHT))
    lab.show(similarity=make.curve())
    return view


def test_the_curve_is_the_parts_points(view, lab):
    x, y = view.curve.getData()
    assert (x == lab.snapshot.similarity.x).all()
    assert (y == lab.snapshot.similarity.low).all()
    assert view.curve.opts["antialias"]


def test_the_spot_line_stands_at_the_spot_with_its_value(view):
    assert view.spot_line.at == pytest.approx(view.plot.x_pixel(12), abs=1)
    assert view.spot_tag.text == "spot 12: 1"


def test_lowest_and_highest_are_drawn_as_one_line_through_both(view, lab, make):
    part = make.curve(low=np.full(128, -0.5), high=np.full(128, 0.5))
    lab.show(similarity=part)
    x, y = view.curve.getData()
    assert len(x) == 256
    assert not view.curve.opts["antialias"]
    assert sorted(y[:2].tolist()) == [-0.5, 0.5]


def test_a_band_of_an_odd_number_of_points_passes_through_every_end():
    x, y = band(np.arange(3.0), np.array([0.0, 1.0, 2.0]), np.array([10.0, 11.0, 12.0]))
    assert x.tolist() == [0, 0, 1, 1, 2, 2]
    assert y.tolist() == [0, 10, 11, 1, 2, 12]


def test_companions_are_one_item_and_not_joined(view, lab, make):
    others = tuple(np.full(128, -float(head)) for head in range(7))
    lab.show(similarity=make.curve(others=others, y_range=(-8.0, 0.1)))
    assert len(view.others.getData()[0]) == 7 * 128
    assert np.flatnonzero(view.others.opts["connect"] == 0).tolist() == [128 * k - 1 for k in range(1, 8)]
    lab.show(similarity=make.curve())
    assert len(view.others.getData()[0]) == 0


def test_very_many_companions_are_thinned(view, lab, make):
    lab.show(similarity=make.curve(others=tuple(np.zeros(128) for _ in range(127))))
    assert len(view.others.getData()[0]) <= MOST_OTHERS * 128


def test_positions_without_a_vector_are_hatched(view, lab, make):
    lab.show(similarity=make.curve(defined=100))
    assert view.hatch.rect.left() == pytest.approx(view.plot.x_pixel(99.5))
    assert view.hatch.text == "no vector"


def test_a_spot_without_a_vector_shows_the_sentence(view, lab, make):
    none = np.zeros(0)
    part = make.curve(x=none, low=none, high=none, spot=120, spot_value=None, defined=100, sentence="No vector.")
    lab.show(similarity=part)
    assert view.message.isVisible()
    assert view.message.text == "No vector."


def test_a_click_inspects_the_position(view, lab, mouse_on):
    mouse_on(view.plot).click(view.plot.x_pixel(90), 100)
    assert lab.requests == [{"position": 90}]


def test_a_double_click_shows_everything_and_leaves_the_spot(view, lab, mouse_on):
    mouse = mouse_on(view.plot)
    mouse.wheel(view.plot.x_pixel(64), 100, 5)
    assert lab.viewport.rows is not None
    mouse.double_click(300, 100)
    assert lab.viewport.rows is None
    assert lab.state.position == 12


def test_hovering_names_the_value_at_the_position(view, lab, mouse_on):
    mouse_on(view.plot).hover(view.plot.x_pixel(42), 100)
    assert lab.cursor == Cursor(view="similarity", position=42)
    assert view.cursor_tag.text == "42: 0.5403"
    assert view.cursor_line.at == pytest.approx(view.plot.x_pixel(42), abs=1)


def test_the_two_tags_never_cover_each_other(view, lab):
    lab.set_cursor(Cursor(view="matrix", position=13))
    assert not view.spot_tag.rect.intersects(view.cursor_tag.rect)
    lab.set_cursor(Cursor(view="matrix", position=127))
    assert view.cursor_tag.rect.right() <= view.plot.area.right()


def columns(make, **changes):
    """A part whose points are columns of 50, 50 and 28 positions."""
    ends = {"low": np.array([0.1, 0.2, 0.3]), "high": np.array([0.4, 0.5, 0.6])}
    edges = np.array([0, 50, 100, 128])
    return make.curve(x=(edges[:-1] + edges[1:] - 1) / 2, edges=edges, **(ends | changes))


def test_hovering_a_column_names_the_value_of_the_very_position_and_the_range(view, lab, make, mouse_on):
    lab.show(similarity=columns(make))
    mouse_on(view.plot).hover(view.plot.x_pixel(99), 100)
    value = similarity.gap_curve(lab.state.built, 99 - lab.state.position, 1, 1)[0]
    assert lab.cursor.position == 99
    assert view.cursor_tag.text == f"99: {value:.4g}  (column 0.2 … 0.5)"
    mouse_on(view.plot).hover(view.plot.x_pixel(100), 100)
    assert view.cursor_tag.text.startswith("100: ")
    assert view.cursor_tag.text.endswith("(column 0.3 … 0.6)")


def test_one_pixel_of_a_million_positions_tells_one_position_and_all_it_covers(view, lab, mouse_on):
    lab.state = lab.state.change({"length": 1_048_576, "position": 500_000})
    part = curve_part(lab.state, lab.viewport)
    lab.show(state=lab.state, similarity=part)
    mouse_on(view.plot).hover(view.plot.area.center().x() + 61, 100)
    at, covered = part.point_of(lab.cursor.position)
    assert covered > 1000
    value = similarity.gap_curve(lab.state.built, lab.cursor.position - 500_000, 1, 1)[0]
    assert part.low[at] - 1e-6 <= value <= part.high[at] + 1e-6
    found = view.cursor_tag.text.replace("\u2212", "-")
    shown = f"{lab.cursor.position:,}: {value:.4g}  (column {part.low[at]:.3g} … {part.high[at]:.3g})"
    assert found == shown


def test_the_range_of_a_flat_column_is_one_number(view, lab, make, mouse_on):
    same = np.array([0.1, 0.25, 0.3])
    lab.show(similarity=columns(make, low=same, high=same))
    mouse_on(view.plot).hover(view.plot.x_pixel(60), 100)
    assert view.cursor_tag.text.endswith("(column 0.25)")


def test_a_sampled_range_is_not_named(view, lab, make, mouse_on):
    lab.show(similarity=columns(make, exact=False))
    mouse_on(view.plot).hover(view.plot.x_pixel(60), 100)
    assert view.cursor_tag.text == f"60: {similarity.gap_curve(lab.state.built, 48, 1, 1)[0]:.4g}"


def test_between_points_of_single_positions_the_value_is_worked_out(view, lab, make):
    """As of a bias that bends at the query only, whose line passes through one key of each pixel column."""
    lab.state = lab.state.change({"scheme": "alibi", "head": 2})
    x = np.array([0.0, 50.0, 100.0])
    lab.show(similarity=make.curve(x=x, low=x, high=x, kind="bias"), state=lab.state)
    lab.set_cursor(Cursor(view="matrix", position=60))
    assert view.cursor_tag.text == f"60: \u2212{48 * 2.0**-3:g}"


def test_where_nothing_is_the_cursor_says_why(view, lab, make, mouse_on):
    lab.show(similarity=make.curve(defined=100, hatch="masked"))
    mouse_on(view.plot).hover(view.plot.x_pixel(110), 100)
    assert view.cursor_tag.text == "110: masked"


def test_the_note_says_that_a_curve_is_sampled(view, lab, make):
    lab.show(similarity=make.curve(exact=False, point="sampled: every 8th position"))
    assert view.header.note == "sampled: every 8th position"


def test_rows_of_the_matrix_and_positions_of_the_curve_share_one_range(lab, make, show, mouse_on):
    matrix, curve = show(MatrixView(lab, LIGHT)), show(SimilarityView(lab, LIGHT))
    lab.show(matrix=make.matrix(), similarity=make.curve())
    mouse_on(curve.plot).wheel(curve.plot.x_pixel(64), 100, 4)
    first, last = lab.viewport.rows
    assert matrix.plot.y_range == (first, last)
    low, high = curve.plot.x_range
    assert first <= low + 0.5
    assert high + 0.5 <= last
    mouse_on(matrix.plot).double_click(*[matrix.plot.area.center().x(), matrix.plot.area.center().y()])
    assert curve.plot.x_range == (-0.5, 127.5)


def test_a_zoom_keeps_its_fractions_when_the_next_snapshot_comes(view, lab, make, mouse_on):
    mouse_on(view.plot).wheel(view.plot.x_pixel(61), 100, 3)
    shown = view.plot.x_range
    lab.show(similarity=make.curve())
    assert view.plot.x_range == shown


def test_another_length_shows_all_of_it(view, lab, make, mouse_on):
    mouse_on(view.plot).wheel(view.plot.x_pixel(61), 100, 3)
    lab.show(similarity=make.curve(length=40))
    assert view.plot.x_range == (-0.5, 39.5)
    assert lab.viewport.rows is None


def test_a_part_already_drawn_is_not_drawn_again(view, lab, monkeypatch):
    monkeypatch.setattr(view.curve, "setData", pytest.fail)
    lab.show(other=1)


def test_the_width_is_announced_and_zero_while_hidden(view, lab):
    assert lab.viewport.curve == round(view.plot.area.width() * view.devicePixelRatioF())
    view.hide()
    assert lab.viewport.curve == 0


def test_thick_lines_are_not_smoothed(view):
    view.set_theme(PROJECTOR)
    assert not view.curve.opts["antialias"]
    assert view.curve.opts["pen"].isCosmetic()


def test_a_flat_y_range_is_opened(view, lab, make):
    lab.show(similarity=dataclasses.replace(make.curve(), y_range=(0.0, 0.0)))
    assert view.plot.y_range == (-1.0, 1.0)
