import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import LIGHT, PROJECTOR
from pe_desktop.views import RotationView
from pe_desktop.views.dials import arrange, spirals, tips


@pytest.fixture
def view(lab, make, show):
    view = show(RotationView(lab, LIGHT))
    lab.show(rotation=make.rotation())
    return view


def test_hands_point_where_the_part_says(view, lab):
    grid = view._grid
    for line, hand, centre in zip(view.hands.query_lines, lab.snapshot.rotation.query, grid.centres, strict=True):
        assert (line.x1(), line.y1()) == tuple(centre)
        assert line.dx() == pytest.approx(hand.real * grid.radius)
        assert line.dy() == pytest.approx(-hand.imag * grid.radius)


def test_the_legend_names_both_positions_and_the_gap(view):
    assert view.legend.texts == ("m = 12", "n = 20", "gap 8")


@pytest.mark.parametrize("count", [1, 2, 7, 31, 32])
@pytest.mark.parametrize("size", [(536, 280), (326, 180), (900, 60), (60, 900)])
def test_dials_lie_within_the_area_and_apart_from_each_other(count, size):
    area = QRectF(0, 0, *size)
    grid = arrange(count, area, 15.0)
    x, y = grid.centres.T
    assert (x - grid.radius >= -1).all()
    assert (x + grid.radius <= size[0] + 1).all()
    assert (y - grid.radius >= -1).all()
    assert len(grid.centres) == count
    away = np.hypot(x[:, None] - x, y[:, None] - y) + np.eye(count) * 1e9
    assert away.min() >= 2 * grid.radius


def test_labels_give_way_where_they_would_overlap(lab, make, show):
    wide = show(RotationView(lab, LIGHT), 1400, 400)
    narrow = show(RotationView(lab, PROJECTOR), 350, 300)
    lab.show(rotation=make.rotation(count=32))
    assert wide.labels.texts[3] == "3 · λ 6.28"
    assert narrow.labels.texts[3] == "3"


def test_a_label_is_whole_or_the_number_of_the_pair(lab, make, show):
    view = show(RotationView(lab, LIGHT), 1400, 400)
    lab.show(rotation=make.rotation(count=32))
    seen = set()
    for width in range(1400, 400, -20):
        view.resize(width, 400)
        QApplication.processEvents()
        seen.add(view.labels.texts[11])
    assert seen == {"11", "11 · λ 6.28"}


def test_a_turn_of_many_rounds_is_drawn_with_at_most_two(make):
    part = make.rotation(arc=np.array([0.0, 1.0, 7.0, -1e6, 1e6, 0.5, 0.5, 0.5]))
    grid = arrange(8, QRectF(0, 0, 500, 300), 15.0)
    x, y = spirals(part, grid)
    assert len(x) == len(y) == 7
    assert len(spirals(make.rotation(arc=None), grid)[0]) == 0


def test_an_arc_runs_from_the_key_to_the_query(make):
    part = make.rotation()
    grid = arrange(8, QRectF(0, 0, 500, 300), 15.0)
    (x, y), centre = spirals(part, grid), grid.centres[2]
    start, end = (x[2, 0], y[2, 0]), (x[2, -1], y[2, -1])
    for point, hand in ((start, part.key[2]), (end, part.query[2])):
        angle = np.arctan2(-(point[1] - centre[1]), point[0] - centre[0])
        assert np.exp(1j * angle) == pytest.approx(hand / abs(hand), abs=1e-6)


def test_a_hand_far_beyond_the_rim_is_cut_short():
    grid = arrange(1, QRectF(0, 0, 200, 200), 15.0)
    end = tips(np.array([50.0 + 0j]), grid)[0]
    assert end[0] - grid.centres[0, 0] == pytest.approx(1.12 * grid.radius)


def test_text_instead_of_dials(view, lab, make):
    none = np.zeros(0)
    lab.show(
        rotation=make.rotation(
            kind="text",
            pairs=none.astype(int),
            labels=(),
            query=none + 0j,
            key=none + 0j,
            arc=None,
            sentence="No turn.",
        )
    )
    assert view.message.isVisible()
    assert not view.legend.isVisible()
    view.resize(400, 300)
    lab.show(rotation=make.rotation())
    assert view.legend.isVisible()
    assert len(view.hands.query_lines) == 8


def test_hovering_a_dial_names_its_pair_and_rings_it(view, lab, mouse_on):
    x, y = view._grid.centres[5]
    mouse_on(view.plot).hover(x + 3, y)
    assert lab.cursor == Cursor(view="rotation", pair=5, position=12)
    assert view.ring.isVisible()
    assert view.ring.rect().center().x() == pytest.approx(x)
    view.plot.left.emit()
    assert not view.ring.isVisible()


def test_the_cursor_rings_a_pair_only_where_it_names_one(view, lab):
    lab.set_cursor(Cursor(view="matrix", position=3, column=4))
    assert not view.ring.isVisible()
    lab.set_cursor(Cursor(view="matrix", position=3, column=4, pair=2))
    assert view.ring.isVisible()
    lab.set_cursor(Cursor(view="matrix", position=3, column=4, pair=999))
    assert not view.ring.isVisible()


def test_the_pair_under_the_mouse_in_the_matrix_is_ringed_where_it_has_a_dial(view, lab, make):
    pairs = np.array([0, 3, 6, 9, 12, 15, 18, 21])
    lab.show(rotation=make.rotation(8, pairs=pairs, pair_count=22))
    lab.set_cursor(Cursor(view="matrix", position=3, column=18, pair=9))
    assert view.ring.isVisible()
    middle = view.ring.rect().center()
    assert (middle.x(), middle.y()) == pytest.approx(tuple(view._grid.centres[3]))
    lab.set_cursor(Cursor(view="matrix", position=3, column=20, pair=10))
    assert not view.ring.isVisible()
    # Another choice of pairs has a dial for it.
    lab.show(rotation=make.rotation(8, pairs=np.arange(10, 18), pair_count=22))
    assert view.ring.isVisible()
    assert view.ring.rect().center().x() == pytest.approx(view._grid.centres[0, 0])


def test_the_slider_keeps_both_positions_in_the_sequence(view):
    assert view.shift.minimum() == 0
    assert view.shift.maximum() == 128 - 1 - 8
    assert view.shift.value() == 12


def test_dragging_the_slider_moves_both_and_brackets_the_drag(view, lab):
    option = QStyleOptionSlider()
    view.shift.initStyleOption(option)
    handle = view.shift.style().subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, view.shift
    )
    QTest.mousePress(view.shift, Qt.MouseButton.LeftButton, pos=handle.center())
    QTest.mouseMove(view.shift, handle.center() + handle.center() * 0.5)
    QTest.mouseRelease(view.shift, Qt.MouseButton.LeftButton, pos=handle.center())
    assert lab.drags == ["begin", "end"]
    assert lab.requests
    assert all(asked["key_position"] - asked["position"] == 8 for asked in lab.requests)


def test_keys_on_the_slider_move_both_by_one(view, lab):
    QTest.keyClick(view.shift, Qt.Key.Key_Right)
    assert lab.requests == [{"position": 13, "key_position": 21}]


def test_following_the_state_asks_for_nothing(view, lab, make):
    lab.state = lab.state.change({"position": 50, "key_position": 58})
    lab.show(rotation=make.rotation(position=50, key_position=58))
    assert view.shift.value() == 50
    assert lab.requests == []


def test_a_part_already_drawn_is_not_drawn_again(view, lab, monkeypatch):
    monkeypatch.setattr(view.hands, "set_hands", pytest.fail)
    lab.show(other=1)


def test_dials_are_tinted_by_what_an_extension_did_to_their_pair(view, lab, make):
    """Kept, blended and divided look different, alike among themselves; without an extension none is tinted."""
    plain = view.plot.grab().toImage()
    lab.show(rotation=make.rotation(regime=np.array([0, 0, 0, 1, 1, 2, 2, 2], dtype=np.int8)))
    tinted = view.plot.grab().toImage()
    off = view._grid.radius * 0.6  # below and left of the centre, where no hand, arc or axis is drawn

    def ground(image, x, y):
        return image.pixelColor(round(x - off), round(y + off)).name()

    centres = view._grid.centres.tolist()
    assert {ground(plain, x, y) for x, y in centres} == {QColor(view.theme.panel).name()}
    grounds = [ground(tinted, x, y) for x, y in centres]
    assert len(set(grounds)) == 3
    assert grounds[0] == grounds[1] == grounds[2]
    assert grounds[3] == grounds[4]
    assert grounds[5] == grounds[6] == grounds[7]
    lab.show(rotation=make.rotation())
    assert ground(view.plot.grab().toImage(), *centres[7]) == QColor(view.theme.panel).name()
