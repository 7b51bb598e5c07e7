import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views import RotationView
from pe_desktop.views.dials import KEY_TIP, LONGEST_HAND, arrange, longest_hand, reach_of, spirals, tip_size, tips


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


ROUND = np.exp(2j * np.pi * np.arange(32) / 8)


@pytest.mark.parametrize("longest", [1.0, 1.1, 50.0])
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(1400, 900), (1000, 700), (560, 400), (326, 330), (300, 250), (900, 200)])
def test_no_tip_leaves_the_area_or_touches_a_label_or_another_dial(lab, make, show, size, theme, longest):
    """Hands in eight directions, so that each dial of a row and column has one that reaches to its neighbour."""
    view = show(RotationView(lab, theme), *size)
    pairs = np.arange(32)
    labels = tuple(f"{pair} · λ 6.28" for pair in pairs)
    lab.show(rotation=make.rotation(32, pairs=pairs, labels=labels))  # the room follows the hands
    for turn in range(8):
        hands = longest * np.roll(ROUND, turn)
        lab.show(rotation=make.rotation(32, pairs=pairs, labels=labels, query=hands, key=hands[::-1]))
        grid = view._grid
        room = QRectF(view.plot.area)
        assert grid.reach >= grid.radius
        places = [place for place, text in view.labels.places() if text]
        for lines, across in (
            (view.hands.query_lines, view.hands._tip),
            (view.hands.key_lines, view.hands._tip * KEY_TIP),
        ):
            for line in lines:
                tip = QRectF(line.x2() - across / 2, line.y2() - across / 2, across, across)
                assert room.contains(tip)
                assert not any(tip.intersects(place) for place in places)
                others = grid.centres[(grid.centres != [line.x1(), line.y1()]).any(axis=1)]
                away = np.hypot(others[:, 0] - line.x2(), others[:, 1] - line.y2())
                assert away.min() >= grid.radius + across / 2


def test_a_tip_at_the_right_edge_is_painted_whole(lab, make, show):
    """Every pixel column of the tip of the last dial of a row has ink, as many as its diameter."""
    view = show(RotationView(lab, LIGHT), 1000, 700)
    hands = np.ones(32, dtype=complex)
    lab.show(rotation=make.rotation(32, query=hands, key=hands, arc=None))
    last = view.hands.key_lines[view._grid.columns - 1]
    picture, ink = view.plot.grab().toImage(), QColor(LIGHT.key).name()
    across = view.hands._tip * KEY_TIP
    row = [picture.pixelColor(x, round(last.y2() + across / 4)).name() for x in range(picture.width())]
    inked = [x for x, colour in enumerate(row) if colour == ink and x > last.x1()]
    assert min(inked) < last.x2() < max(inked)
    assert last.x2() - min(inked) == pytest.approx(max(inked) - last.x2(), abs=1.5)
    assert max(inked) + 1 < picture.width()


@pytest.mark.parametrize("longest", [1.0, LONGEST_HAND])
@pytest.mark.parametrize("size", [30, 43, 64, 90, 131, 400, 2000])
def test_the_radius_is_the_largest_whose_tips_fit(size, longest):
    grid = arrange(1, QRectF(0, 0, size, size), 0.0, longest)
    assert grid.reach == reach_of(grid.radius, longest)
    assert grid.reach <= (size - 4) / 2 < reach_of(grid.radius + 1, longest)
    assert reach_of(grid.radius, longest) - longest * grid.radius == pytest.approx(tip_size(grid.radius) * KEY_TIP / 2)


def test_room_beyond_the_rim_only_where_a_hand_needs_it(view, lab, make):
    usual = view._grid.radius
    part = make.rotation()
    long = make.rotation(query=1.2 * part.query)
    assert (longest_hand(part), longest_hand(long)) == (1.0, LONGEST_HAND)
    lab.show(rotation=long)
    assert view._grid.radius < usual
    lab.show(rotation=make.rotation())
    assert view._grid.radius == usual


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


def test_the_slider_has_its_name_beside_it_where_both_have_room(lab, make, show):
    view = show(RotationView(lab, LIGHT), 372, 435)
    lab.show(rotation=make.rotation())
    QApplication.processEvents()
    assert view._shift_label.isVisible()
    assert view.shift.width() >= 60
    assert view._shift_label.geometry().right() < view.shift.geometry().left()
