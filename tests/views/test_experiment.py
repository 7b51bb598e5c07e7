"""The experiment view: plates of every kind, their words and colours, the mouse and the menu."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.experiment import every_experiment
from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.theme import DARK, LIGHT, PROJECTOR
from pe_desktop.views.experiment import ExperimentView
from pe_desktop.views.line_plate import thinned
from pe_desktop.views.plate import arranged
from pe_desktop.views.plate_key import PATTERNS, patterns
from pe_desktop.views.plotting import diverging_steps, diverging_table, sequential_table
from tests.views.plates import bars, experiment, heat, line, lines, waves


@pytest.fixture
def view(lab, show):
    return show(ExperimentView(lab, LIGHT), 720, 460)


def texts(item):
    return [word.text for word in item.words]


def colour_at(view, place):
    """The colour of the picture at a place of the plot."""
    return view.plot.grab().toImage().pixelColor(place.toPoint())


# Planes of cells


def test_cells_have_the_colours_of_their_values(view, lab):
    lab.show(experiment=experiment(heat(digits=None), waves(title="Waves")))
    weights, sines = view.plates
    table = sequential_table(LIGHT)
    for (row, column), step in (((0, 0), 0.04), ((4, 4), 1.0)):
        want = table[int(step * 254 + 1.5)]
        got = colour_at(view, weights.mark_of(row, column).center())
        assert [got.red(), got.green(), got.blue()] == want.tolist()
    values = sines.plate.values
    want = diverging_table(LIGHT)[diverging_steps(values, 1.0)[12, 20]]
    got = colour_at(view, sines.mark_of(12, 20).center())
    assert [got.red(), got.green(), got.blue()] == want.tolist()
    assert (weights.diverging, sines.diverging) == (False, True)


def test_rows_run_downwards_and_labels_stand_beside_them(view, lab):
    lab.show(experiment=experiment(heat()))
    (item,) = view.plates
    tops = [word.rect.center().y() for word in item.words if word.rect.right() <= item.cells.left()]
    assert tops == sorted(tops)
    assert tops[0] == pytest.approx(item.mark_of(0, 0).center().y(), abs=1.5)
    assert tops[-1] == pytest.approx(item.mark_of(4, 0).center().y(), abs=1.5)
    assert texts(item).count("dog") == 2


def test_numbered_rows_count_from_their_first(view, lab):
    lab.show(experiment=experiment(waves(first_row=1000, first_column=5)))
    (item,) = view.plates
    shown = texts(item)
    assert "1,000" in shown
    assert "1,060" in shown
    assert "10" in shown
    word = next(word for word in item.words if word.text == "1,020")
    assert word.rect.center().y() == pytest.approx(item.mark_of(20, 0).center().y(), abs=1.5)


def test_numbers_stand_in_cells_that_have_the_room(view, lab):
    lab.show(experiment=experiment(heat(digits=2)))
    (item,) = view.plates
    assert item.numbers[:2] == ["0.04", "0.08"]
    assert item.numbers[-1] == "1.00"
    lab.show(experiment=experiment(heat(40, digits=2)))
    assert view.plates[0].numbers == []
    lab.show(experiment=experiment(heat(digits=0, values=-heat().values / 3, low=-1.0)))
    assert set(view.plates[0].numbers) == {"0"}


def test_the_legend_tells_the_ends_and_what_rows_and_columns_are(view, lab):
    lab.show(experiment=experiment(waves(high=0.5, low=-0.5)))
    shown = texts(view.plates[0])
    assert {"−0.5", "0.5", "↓ position   → pair"} <= set(shown)


def test_marked_cells_are_ringed(view, lab):
    lab.show(experiment=experiment(heat(values=np.zeros((5, 5), np.float32), marked=((1, 3),))))
    (item,) = view.plates
    picture = view.plot.grab().toImage()

    def colours(rect):
        rows, columns = range(int(rect.top()), int(rect.bottom())), range(int(rect.left()), int(rect.right()))
        return {picture.pixelColor(x, y).name() for y in rows for x in columns}

    assert len(colours(item.mark_of(2, 2))) == 1
    assert {"#ffffff", "#16191d"} <= colours(item.mark_of(1, 3))


def test_where_cells_outnumber_pixels_the_strongest_is_shown_and_told(view, lab, mouse_on):
    values = np.zeros((600, 4000), np.float32)
    values[301, 2001] = -1.0
    lab.show(experiment=experiment(waves(title="W", values=values)))
    (item,) = view.plates
    down, across = np.ceil(600 / item.cells.height()), np.ceil(4000 / item.cells.width())
    assert item.note == f"each pixel: strongest of up to {down:.0f} × {across:.0f} cells"
    assert item.note in texts(item)
    assert item._steps.min() == 1
    place = item.mark_of(301, 2001).center()
    mouse_on(view.plot).hover(place.x(), place.y())
    assert lab.cursor.plate == (0, 301, 2001)


# Lines


def test_lines_run_through_their_points(view, lab):
    lab.show(experiment=experiment(lines(x_log=False, y_range=None, marks=())))
    (item,) = view.plates
    xs, ys = item._places[0]
    assert (xs[0], xs[-1]) == (pytest.approx(item.area.left()), pytest.approx(item.area.right()))
    # From −0.05 to 1.05: 5 % of the range is free below and above.
    assert item.area.bottom() - ys[0] == pytest.approx(0.06 / 1.1 * item.area.height(), rel=0.01)
    middle = colour_at(view, QRectF(xs[30], ys[30], 0, 0).center())
    assert middle.lightness() < 120


def test_a_logarithmic_axis_has_its_ticks_where_they_belong(view, lab):
    lab.show(experiment=experiment(lines(marks=())))
    (item,) = view.plates
    tick = next(word for word in item.words if word.text == "10")
    assert tick.rect.center().x() == pytest.approx((item.area.left() + item.area.right()) / 2, abs=1.5)
    assert {"dimension", "share", "0", "1.0"} <= set(texts(item))


def test_every_role_has_strokes_of_its_own(view, lab):
    solid = [role for role in PATTERNS if not PATTERNS[role]]
    assert solid == ["main", "faint"]  # told apart by width and the neighbour of the ground
    assert len(set(PATTERNS.values())) == len(PATTERNS) - 1
    twice = patterns(["main", "main", "other", "faint", "faint"])
    assert len(set(twice[:3])) == 3
    assert twice[3] == twice[4]


def test_the_key_names_each_line_once(view, lab):
    x = np.arange(3.0)
    many = [line("each word", "faint", np.sin, x) for _ in range(5)]
    lab.show(experiment=experiment(lines(lines=(line("mean", "main", np.cos, x), *many), x_log=False, marks=())))
    (item,) = view.plates
    assert texts(item).count("each word") == 1
    assert [entry.name for _, entry in item.key.places] == ["mean", "each word"]


def test_a_long_key_says_what_it_leaves_out(view, lab):
    many = tuple(line(f"a line of a very long name, number {k}", "main", np.sin) for k in range(30))
    lab.show(experiment=experiment(lines(lines=many)))
    (item,) = view.plates
    shown = len(item.key.places)
    assert 1 <= shown < 30
    assert f"… {30 - shown} more" in texts(item)


def test_marks_stand_beside_their_line_and_apart(view, lab):
    lab.show(experiment=experiment(lines()))
    (item,) = view.plates
    words = {word.text: word.rect for word in item.words if word.text in ("d = 64", "trained")}
    assert len(words) == 2
    assert not words["d = 64"].intersects(words["trained"])
    want = item.area.left() + np.log10(64) / 2 * item.area.width()
    assert item._marks[0] == pytest.approx(want, abs=0.5)
    lab.show(experiment=experiment(lines(marks=((1e6, "far away"), (-1.0, "nowhere")))))
    assert view.plates[0]._marks == []
    assert "far away" not in texts(view.plates[0])


@pytest.mark.parametrize(
    "some",
    [
        (),
        (line("one point", "main", np.cos, np.array([3.0])),),
        (line("flat", "main", lambda x: 0 * x),),
        (line("huge", "main", lambda x: 0 * x + 1e300),),
        (line("", "other", np.sin, np.zeros(0)),),
        (line("zeros", "main", lambda x: np.where(x > 50, 0.0, x)),),
        (line("all zeros", "main", lambda x: 0 * x),),
    ],
)
@pytest.mark.parametrize("log", [False, True])
def test_lines_of_no_extent_and_zeros_are_drawn_all_the_same(view, lab, some, log):
    lab.show(experiment=experiment(lines(lines=some, x_log=False, y_range=None, y_log=log)))
    (item,) = view.plates
    assert item.y_axis.high > item.y_axis.low
    assert item.x_axis.high > item.x_axis.low
    assert not view.plot.grab().isNull()


def test_thinning_keeps_every_peak():
    x = np.linspace(0, 50, 20_001)
    y = np.zeros(20_001)
    y[7_777], y[12_345] = 5.0, -3.0
    xs, ys = thinned(x, y)
    assert len(xs) <= 4 * 51
    assert (max(ys), min(ys)) == (5.0, -3.0)
    assert xs == sorted(xs)
    assert thinned(x[:10], y[:10]) == (x[:1].tolist() + x[9:10].tolist(), [0.0, 0.0])


# Bars


def test_bars_are_as_long_as_their_values(view, lab):
    lab.show(experiment=experiment(bars()))
    (item,) = view.plates
    lengths = {(name, bar): rect.width() for rect, name, bar in item.bars}
    assert lengths[1, 0] == pytest.approx(2 * lengths[0, 0])
    assert lengths[1, 0] == pytest.approx(item.area.width())
    assert lengths[2, 0] == 0.0
    shown = texts(item)
    assert shown.count("0") == 3
    assert {"0.4", "0.8", "0.2", "change", "by slot", "by mask", "learned"} <= set(shown)


def test_only_zeros_are_no_bars(view, lab):
    lab.show(experiment=experiment(bars(values=np.zeros((3, 2)))))
    (item,) = view.plates
    assert {rect.width() for rect, _, _ in item.bars} == {0.0}
    assert texts(item).count("0") == 6


def test_bars_without_room_for_values_tell_the_longest(view, lab):
    names = tuple(f"scheme {k}" for k in range(60))
    values = np.linspace(0, 3.5, 120).reshape(60, 2)
    lab.show(experiment=experiment(bars(names=names, values=values)))
    (item,) = view.plates
    assert "change; longest bar 3.5" in texts(item)
    assert len(item.bars) == 120


# The panel around them


def test_the_words_around_the_plates(view, lab):
    lab.show(experiment=experiment(heat()))
    assert (view.header.title, view.header.note) == ("Shuffle", "words in reverse order")
    assert view.figures.figures == {"Largest change": "0.934", "… travelling": "0.000"}
    assert view.sentence.text == view.accessibleDescription() == "Outputs change by 0.934."
    lab.show(experiment=experiment(heat(), figures=()))
    assert not view.figures.isVisible()


def test_a_refusal_is_a_sentence(view, lab):
    lab.show(experiment=experiment(heat()))
    lab.show(experiment=experiment(kind="text", sentence="Two words are needed."))
    assert view.message.isVisible()
    assert view.message.text == "Two words are needed."
    assert not view.plot.isVisible()
    assert not view.figures.isVisible()
    assert view.choose.isVisible()
    lab.show(experiment=experiment(heat()))
    assert view.plot.isVisible()
    assert view.figures.isVisible()


def test_the_last_picture_stays_until_the_next_is_there(view, lab):
    first = experiment(heat())
    lab.show(experiment=first)
    waiting = experiment(kind="text", sentence="Doing the experiment…", exact=False)
    lab.show(experiment=waiting)
    assert view.plot.isVisible()
    assert view.sentence.text == "Doing the experiment…"
    lab.show(experiment=first)
    assert view.sentence.text == "Outputs change by 0.934."
    # Of another experiment there is nothing to keep.
    lab.show(experiment=dataclasses.replace(waiting, id="norms"))
    assert view.message.text == "Doing the experiment…"


def test_only_a_new_plate_is_laid_out_anew(view, lab):
    one, two = heat(title="A"), lines()
    lab.show(experiment=experiment(one, two))
    before = [item.words for item in view.plates]
    lab.show(experiment=experiment(one, lines(title="Others")))
    assert view.plates[0].words is before[0]
    assert view.plates[1].words is not before[1]


def test_items_are_kept_for_the_next_experiment(view, lab):
    lab.show(experiment=experiment(heat(), heat(), bars()))
    first, second, third = view.plates
    lab.show(experiment=experiment(lines(), heat()))
    assert view.plates[1] is first
    assert not any(item.isVisible() for item in (second, third))
    lab.show(experiment=experiment(bars(), heat(), heat()))
    assert view.plates == [third, first, second]
    assert all(item.isVisible() for item in view.plates)


def test_another_theme_draws_anew(view, lab):
    lab.show(experiment=experiment(heat(values=np.zeros((5, 5), np.float32), low=-1.0)))
    light = colour_at(view, view.plates[0].mark_of(2, 2).center())
    view.set_theme(DARK)
    dark = colour_at(view, view.plates[0].mark_of(2, 2).center())
    assert (light.name(), dark.name()) == (LIGHT.neutral.lower(), DARK.neutral.lower())
    view.set_theme(PROJECTOR)
    assert view.plates[0].line > 15


def test_it_is_made_only_while_it_is_visible(view, lab):
    assert lab.viewport.shown == {"experiment"}
    view.hide()
    assert lab.viewport.shown == frozenset()


@pytest.mark.parametrize(("size", "rows"), [((900, 300), 1), ((300, 900), 3), ((500, 500), 2)])
def test_plates_take_as_many_rows_as_make_them_largest(size, rows):
    plates = [heat(), heat(), heat()]
    area = QRectF(0, 0, *size)
    slots = arranged(plates, area, 14)
    assert len({slot.top() for slot in slots}) == rows
    assert all(area.contains(slot) for slot in slots)
    assert not any(a.intersects(b) for n, a in enumerate(slots) for b in slots[:n])


# The mouse


@pytest.mark.parametrize(
    ("plate", "place"), [(heat(), (1, 3)), (waves(), (40, 3)), (lines(), (1, 20)), (bars(), (1, 1)), (bars(), (2, 0))]
)
def test_hovering_sets_the_cursor_and_frames_what_is_under_it(view, lab, mouse_on, plate, place):
    lab.show(experiment=experiment(heat(), plate))
    item = view.plates[1]
    at = item.mark_of(*place).center()
    mouse_on(view.plot).hover(at.x(), at.y())
    assert lab.cursor == Cursor(view="experiment", plate=(1, *place))
    assert view.cursor_frame.rect == item.mark_of(*place)
    mouse_on(view.plot).click(at.x(), at.y())
    assert lab.requests == []
    mouse_on(view.plot).hover(1, view.plot.height() - 1)
    assert view.cursor_frame.rect is None or lab.cursor.plate is not None
    QApplication.sendEvent(view.plot, QEvent(QEvent.Type.Leave))
    assert lab.cursor == NO_CURSOR
    assert view.cursor_frame.rect is None


def test_a_cursor_of_a_plate_there_is_not_frames_nothing(view, lab):
    lab.show(experiment=experiment(heat(), lines(), bars()))
    for place in ((5, 0, 0), (0, 9, 0), (1, 3, 0), (1, 0, 100), (2, 3, 0)):
        lab.set_cursor(Cursor(view="experiment", plate=place))
        assert view.cursor_frame.rect is None
    lab.set_cursor(Cursor(view="matrix", position=3))
    assert view.cursor_frame.rect is None


def test_a_shortened_text_is_told_under_the_mouse(view, lab, mouse_on):
    title = "A title that is much longer than any plate is wide, " * 4
    lab.show(experiment=experiment(heat(title=title), bars(names=("supercalifragilisticexpialidocious" * 3, "b", "c"))))
    word = next(word for word in view.plates[0].words if word.whole == title)
    mouse_on(view.plot).hover(word.rect.center().x(), word.rect.center().y())
    assert view.plot.viewport().toolTip() == title
    word = next(word for word in view.plates[1].words if word.whole.startswith("super"))
    assert word.text.endswith("…")
    mouse_on(view.plot).hover(word.rect.center().x(), word.rect.center().y())
    assert view.plot.viewport().toolTip() == word.whole
    mouse_on(view.plot).hover(*view.plates[0].cells.center().toTuple())
    assert view.plot.viewport().toolTip() == ""


def test_a_figure_says_what_it_means(view, lab):
    lab.show(experiment=experiment(heat()))
    place = view.figures.shown[1][0].center().toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, place, view.figures.mapToGlobal(place))
    QApplication.sendEvent(view.figures, event)
    assert view.figures.toolTip() == "If positions travel with the words."


# The menu

GRAB = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")


@GRAB
def test_the_menu_offers_every_experiment(view, lab):
    lab.show(experiment=experiment(heat(), id="norms"))
    QTest.mouseClick(view.choose, Qt.MouseButton.LeftButton)
    menu = view.choose.choices
    assert menu.isVisible()
    kinds = every_experiment()
    assert [action.text() for action in menu.actions()] == [kind.title for kind in kinds]
    assert [action.toolTip() for action in menu.actions()] == [kind.question for kind in kinds]
    assert [action.isChecked() for action in menu.actions()] == [kind.id == "norms" for kind in kinds]
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(view.choose.action("turn")).center())
    assert lab.requests == [{"experiment": "turn"}]


@GRAB
def test_the_menu_by_keyboard(view, lab):
    lab.show(experiment=experiment(heat()))
    view.choose.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view.choose, Qt.Key.Key_Space)
    menu = view.choose.choices
    assert menu.activeAction() is view.choose.action("shuffle")
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert lab.requests == [{"experiment": every_experiment()[1].id}]


# The row of figures where there are many


@pytest.mark.parametrize("width", [280, 430, 700])
def test_figures_without_room_are_counted_and_told(view, width):
    figures = view.figures
    entries = [((f"A figure of some length, {k}",), (f"{k}.000",)) for k in range(12)]
    figures.set_figures(entries, [f"about {k}" for k in range(12)])
    figures.resize(width, figures.heightForWidth(width))
    shown = figures.shown
    places = [place for place, _, _ in shown]
    assert all(place.right() <= width and place.bottom() <= figures.height() for place in places)
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[:n])
    assert shown[-1][1] == f"… {12 - (len(shown) - 1)} more"
    place = QPoint(*places[-1].center().toPoint().toTuple())
    QApplication.sendEvent(figures, QHelpEvent(QEvent.Type.ToolTip, place, figures.mapToGlobal(place)))
    assert figures.toolTip().count("\n") == 11 + 1
    assert "A figure of some length, 11: 11.000" in figures.toolTip()


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR])
@pytest.mark.parametrize("height", [226, 235, 300])
def test_nothing_lies_over_the_sentence_of_a_low_panel(lab, show, theme, height):
    view = show(ExperimentView(lab, theme), 327, height)
    lab.show(experiment=experiment(heat(), heat(), heat()))
    QApplication.processEvents()
    assert view.plot.geometry().bottom() < view.sentence.geometry().top()
    assert view.sentence.geometry().bottom() < height


def test_figures_come_back_with_the_height(lab, show):
    view = show(ExperimentView(lab, PROJECTOR), 327, 226)
    lab.show(experiment=experiment(heat()))
    assert not view.figures.isVisible()
    view.resize(327, 400)
    QApplication.processEvents()
    assert view.figures.isVisible()
