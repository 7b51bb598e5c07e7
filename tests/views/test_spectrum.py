"""The spectrum as a person sees and uses it: lines, levels, strip, labels, cursor, buttons; nothing overlaps."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.part_spectrum import spectrum_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.spectrum_chart import Series
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views.plotting import regime_colours
from pe_desktop.views.spectrum import SpectrumView

YARN = {"extension": "yarn", "factor": 8.0, "trained_length": 8192}
LONG = {"extension": "longrope", "factor": 8.0}
DYNAMIC = {"extension": "dynamic", "factor": 8.0}
SIZES = ((560, 400), (350, 300))


@pytest.fixture
def put(lab):
    """Give the view the spectrum of a state."""

    def given(mode="wavelengths", scheme="rope", dimension=128, length=32_768, head=0, **params):
        lab.state = LabState().change(
            {"scheme": scheme, "dimension": dimension, "length": length, "params": params, "head": head}
        )
        part = spectrum_part(lab.state, Viewport(spectrum=mode))
        lab.show(spectrum=part)
        return part

    return given


@pytest.fixture
def view(lab, show, put):
    view = show(SpectrumView(lab, LIGHT))
    put(**YARN)
    return view


def pixel(view, level):
    return view.plot.x_pixel(level.at) if level.upright else view.plot.y_pixel(level.at)


class TestPicture:
    def test_lines_are_those_of_the_part(self, view, put):
        part = put(**YARN)
        for each in part.series:
            x, y = view.curves[each.role].getData()
            assert np.array_equal(x, each.x)
            assert np.array_equal(y, each.y)
        assert len(view.curves["other"].getData()[0]) == 0
        assert view.curves["faint"].opts["pen"].style() is Qt.PenStyle.DashLine

    def test_a_second_scheme_is_drawn_dashed_in_its_colour(self, view, lab, put):
        part = put(**YARN)
        main = part.series[-1]
        lab.show(spectrum=_with(part, series=(*part.series, Series("other", "scheme B", main.x, main.y + 1))))
        assert len(view.curves["other"].getData()[0]) == 64
        assert view.curves["other"].opts["pen"].color() == QColor(LIGHT.other)
        assert view.curves["other"].opts["pen"].style() is Qt.PenStyle.DashLine
        assert "scheme B" in view.legend.texts

    def test_levels_are_where_their_lengths_are(self, view, put):
        part = put(**YARN)
        ordered = sorted(part.levels, key=lambda level: -level.at)
        for level, tag, guide in zip(ordered, view.marks.tags, view.marks.levels[False], strict=False):
            assert tag.text in level.texts
            assert guide.at == pytest.approx(pixel(view, level), abs=1)
        assert view.marks.tags[0].rect.bottom() <= view.marks.levels[False][0].at
        assert view.marks.tags[1].rect.top() >= view.marks.levels[False][1].at

    def test_the_trained_length_has_its_colour_in_every_theme(self, view):
        for theme in THEMES.values():
            view.set_theme(theme)
            assert view.marks.levels[False][1]._item.pen().color() == QColor(theme.trained)

    def test_the_shade_begins_with_the_first_pair_that_never_finishes_a_turn(self, view, put):
        part = put(**YARN)
        first = part.shaded[0][0]
        assert part.turning.turns[first] < 1 <= part.turning.turns[first - 1]
        rect = view.marks.shade.path().boundingRect()
        assert rect.left() == pytest.approx(view.plot.x_pixel(first - 0.5))
        assert rect.right() == pytest.approx(view.plot.area.right())
        assert view.marks.shade_tag.text == "14 pairs: no full turn"

    def test_the_strip_is_painted_in_three_steps_of_one_map(self, view, put):
        part = put(**YARN)
        assert np.array_equal(view.strip.codes, part.turning.regime)
        picture = view.plot.grab().toImage()
        middle = view.plot.strip_rect.center().y()
        for pair in (3, 35, 60):
            colour = picture.pixelColor(round(view.plot.x_pixel(pair)), round(middle))
            assert colour == regime_colours(LIGHT)[part.turning.regime[pair]]
        assert view.legend.texts == ("after YaRN", "before", "kept", "blended", "divided")

    def test_the_strip_lies_between_the_plot_and_its_numbers(self, view):
        strip = view.plot.strip_rect
        assert view.plot.area.bottom() < strip.top()
        assert strip.bottom() <= view.plot.bottom_axis.boundingRect().top()

    def test_without_an_extension_there_is_no_strip(self, view, put):
        put(scheme="sinusoidal")
        assert not view.strip.isVisible()
        assert not view.legend.isVisible()

    def test_pairs_that_stand_still_are_hatched(self, view, put):
        put(extension="proportional")
        assert view.marks.hatch.rect.left() == pytest.approx(view.plot.x_pixel(15.5))
        assert view.marks.hatch.text == "not turning"

    def test_axes_of_a_grid_are_not_joined(self, view, put):
        put(scheme="axial", dimension=64)
        connect = view.curves["main"].opts["connect"]
        assert np.flatnonzero(connect == 0).tolist() == [15]

    def test_dots_where_pairs_can_be_told_apart(self, view, put):
        put(dimension=64)
        assert view.dots.count == 32
        put(dimension=1024)
        assert view.dots.count == 0
        put(dimension=2)
        assert view.dots.count == 1

    def test_heads_are_dots(self, view, put):
        put(scheme="alibi", head=3)
        assert view.dots.count == 8
        assert view.marks.tags[0].text == "head 3: 0.0625"
        assert view.marks.levels[True][0].at == pytest.approx(view.plot.x_pixel(3), abs=1)

    def test_what_does_not_turn_says_so(self, view, put):
        put(scheme="none")
        assert view.message.isVisible()
        assert "no wavelength" in view.message.text
        put(**YARN)
        assert not view.message.isVisible()

    @pytest.mark.parametrize("size", SIZES)
    def test_another_size_moves_everything(self, view, put, size):
        part = put(**YARN)
        view.resize(*size)
        QApplication.processEvents()
        for level, guide in zip(sorted(part.levels, key=lambda each: -each.at), view.marks.levels[False], strict=False):
            assert guide.at == pytest.approx(pixel(view, level), abs=1)
        assert view.marks.shade.path().boundingRect().right() == pytest.approx(view.plot.area.right())

    def test_a_part_already_drawn_is_not_drawn_again(self, view, lab, monkeypatch):
        monkeypatch.setattr(view, "_draw", pytest.fail)
        lab.show(other=1)

    def test_equal_lines_are_not_set_again(self, view, put, monkeypatch):
        put(scheme="sinusoidal", length=100)
        monkeypatch.setattr(view.curves["main"], "setData", pytest.fail)
        put(scheme="sinusoidal", length=101)
        assert view.marks.tags[0].text == "sequence length 101"


class TestCursor:
    def test_hovering_names_the_pair(self, view, lab, mouse_on):
        mouse_on(view.plot).hover(view.plot.x_pixel(50) + 1, view.plot.area.center().y())
        assert lab.cursor == Cursor(view="spectrum", pair=50)
        assert view.marks.cursor_line.at == pytest.approx(view.plot.x_pixel(50), abs=1)
        turns = 8192 / (2 * math.pi * 10_000 ** (50 / 64))
        assert view.marks.cursor_tag.text == f"pair 50: λ 8.38k → 67k, {turns:.3g} turns"

    def test_leaving_takes_the_cursor_away(self, view, lab, mouse_on):
        mouse_on(view.plot).hover(view.plot.x_pixel(50), view.plot.area.center().y())
        mouse_on(view.plot).hover(2, 2)
        assert lab.cursor.pair is None
        assert view.marks.cursor_line.at is None
        assert view.marks.cursor_tag.text == ""

    def test_a_pair_of_another_view_is_shown(self, view, lab):
        lab.set_cursor(Cursor(view="rotation", pair=3, position=12))
        assert view.marks.cursor_tag.text.startswith(f"pair 3: λ {2 * math.pi * 10_000 ** (3 / 64):.3g}, ")
        lab.set_cursor(Cursor(view="rotation", pair=400, position=12))
        assert view.marks.cursor_line.at is None

    def test_a_pair_that_stands_still(self, view, lab, put):
        put(extension="proportional")
        lab.set_cursor(Cursor(view="rotation", pair=40))
        assert view.marks.cursor_tag.text == "pair 40 does not turn"

    @pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
    def test_hovering_a_length(self, view, lab, put, mouse_on, share):
        put("base", **DYNAMIC)
        area = view.plot.area
        mouse_on(view.plot).hover(round(area.left() + share * (area.width() - 1)), area.center().y())
        wanted = 4096 * 256 ** ((round(share * (area.width() - 1))) / area.width())
        assert lab.cursor.view == "spectrum"
        assert lab.cursor.place == pytest.approx(wanted, rel=0.02)
        assert view.marks.cursor_tag.text == f"length {lab.cursor.place:,}"

    def test_clicking_a_length_goes_there(self, view, lab, put, mouse_on):
        put("base", **DYNAMIC)
        mouse_on(view.plot).click(view.plot.x_pixel(math.log10(100_000)), view.plot.area.center().y())
        assert len(lab.requests) == 1
        assert lab.requests[0]["length"] == pytest.approx(100_000, rel=0.02)

    def test_clicking_a_head_chooses_it(self, view, lab, put, mouse_on):
        put(scheme="alibi")
        mouse_on(view.plot).click(view.plot.x_pixel(5), view.plot.area.center().y())
        assert lab.requests == [{"head": 5}]

    def test_clicking_a_pair_asks_for_nothing(self, view, lab, mouse_on):
        mouse_on(view.plot).click(view.plot.x_pixel(5), view.plot.area.center().y())
        assert lab.requests == []

    @pytest.mark.parametrize("length", [2, 3, 1000])
    def test_distances_end_with_the_sequence(self, view, lab, put, mouse_on, length):
        put(scheme="kerple", length=length, dimension=64)
        area = view.plot.area
        for x, wanted in ((area.left() + 1, 1), (area.right() - 1, length - 1)):
            mouse_on(view.plot).hover(x, area.center().y())
            assert lab.cursor.place == pytest.approx(wanted, rel=0.03)
        assert 1 <= lab.cursor.place <= length - 1

    def test_hovering_a_cell_outlines_it_in_all_maps(self, view, lab, put, mouse_on):
        put("cache", **LONG)
        cell = view.maps.maps[1].layout.cell(30, 12).center()
        mouse_on(view.plot).hover(cell.x(), cell.y())
        assert lab.cursor == Cursor(view="spectrum", query=30, key=12)
        for item in view.maps.maps:
            assert item.cursor.rect.center().x() == pytest.approx(item.layout.cell(30, 12).center().x(), abs=1)


class TestButtons:
    @pytest.mark.parametrize(
        ("params", "more"), [(YARN, []), (LONG, ["switch", "cache"]), (DYNAMIC, ["base", "cache"])]
    )
    def test_only_where_there_is_a_choice(self, view, put, params, more):
        put(**params)
        shown = [name for name, button in view.buttons.items() if not button.isHidden()]
        assert shown == (["wavelengths", *more] if more else [])

    def test_a_click_asks_for_the_picture(self, view, lab, put):
        put(**LONG)
        QTest.mouseClick(view.buttons["switch"], Qt.MouseButton.LeftButton)
        assert lab.viewport.spectrum == "switch"
        put("switch", **LONG)
        assert view.buttons["switch"].isChecked()
        assert view.header.title == "Switch"
        put("switch", **DYNAMIC)
        assert view.buttons["wavelengths"].isChecked()

    def test_equal_lists_still_let_one_go_back(self, view, put, lab):
        put(**LONG)
        lab.set_viewport(spectrum="switch")
        put("switch", extension="longrope", factor=1.0)
        assert view.message.isVisible()
        assert view.buttons["switch"].isChecked()
        assert view.buttons["wavelengths"].isVisible()

    def test_maps_and_lines_take_turns(self, view, put):
        part = put("cache", **LONG)
        assert not view.curves["main"].isVisible()
        assert not view.plot.left_axis.isVisible()
        assert all(item.shown for item in view.maps.maps)
        assert all(item.image.image.shape == part.maps[0].shape for item in view.maps.maps)
        assert view.marks.shade.path().isEmpty()
        assert all(tag.text == "" for tag in view.marks.tags)
        put(**LONG)
        assert view.curves["main"].isVisible()
        assert not any(item.shown for item in view.maps.maps)

    def test_maps_are_apart_and_within_the_plot(self, view, put):
        put("cache", **LONG)
        cells = [item.layout.cells for item in view.maps.maps]
        assert all(view.plot.area.contains(each) for each in cells)
        assert not any(a.intersects(b) for a, b in itertools.combinations(cells, 2))
        assert view.maps.maps[0].title.text() == "Cached keys  ±1"

    def test_the_real_lab_makes_it_only_while_shown(self, qapp, qtbot, show):
        lab = Lab(blocking=True)
        view = show(SpectrumView(lab, LIGHT))
        lab.request(scheme="rope", params=LONG)
        QApplication.processEvents()
        assert view.part.kind == "wavelengths"
        QTest.mouseClick(view.buttons["cache"], Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert view.part.kind == "cache"
        lab.set_cursor(Cursor(view="spectrum", query=3, key=5))
        assert "with the cached key" in lab.formula
        view.hide()
        QApplication.processEvents()
        assert lab.snapshot.part("spectrum") is None
        lab.close()


PICTURES = (
    {"scheme": "rope", **YARN},
    {"scheme": "rope", **YARN, "length": 8192},
    {"scheme": "rope", **YARN, "length": 8000},
    {"scheme": "rope", "length": 2},
    {"scheme": "rope", "dimension": 8192, "length": 1_048_576, "base": 1e9, "extension": "yarn", "factor": 1e6},
    {"scheme": "rope", "base": 1.1, "length": 2, "trained_length": 2},
    {"scheme": "mrope", "dimension": 64, "length": 700},
    {"scheme": "sinusoidal", "dimension": 2, "length": 2},
    {"scheme": "alibi", "head": 7},
    {"mode": "base", "scheme": "rope", **DYNAMIC},
    {"mode": "base", "scheme": "rope", **DYNAMIC, "longest_length": 1_000_000, "length": 4096},
    {"mode": "switch", "scheme": "rope", **LONG},
    {"scheme": "t5", "length": 1024, "dimension": 64},
    {"scheme": "kerple", "length": 1_048_576, "dimension": 64},
)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
def test_words_neither_overlap_nor_leave_the_plot(lab, show, put, size, theme):
    view = show(SpectrumView(lab, theme), *size)
    for picture in PICTURES:
        put(**picture)
        marks = view.marks
        rects = [tag.rect for tag in (*marks.tags, marks.shade_tag) if tag.text]
        assert not any(a.intersects(b) for a, b in itertools.combinations(rects, 2)), picture
        assert all(view.plot.area.adjusted(-1, -1, 1, 1).contains(rect) for rect in rects), picture
        assert len(view.plot.left_axis.labels) >= 2, picture
        legend = view.legend.places(view.legend.boundingRect().width())
        if view.legend.isVisible():
            room = QRectF(QPoint(0, 0), view.legend.boundingRect().size())
            assert all(room.adjusted(0, 0, 1, 1).contains(place) for place in legend), picture
            assert view.legend.boundingRect().bottom() <= view.plot.area.top(), picture
        lab.set_cursor(Cursor(view="spectrum", pair=1, place=1))
        lab.set_cursor(Cursor(view="spectrum", pair=0, place=2))
        if marks.cursor_tag.text:
            assert view.plot.area.adjusted(-1, -1, 1, 1).contains(marks.cursor_tag.rect), picture


@pytest.mark.parametrize("size", [*SIZES, (700, 500)])
@pytest.mark.parametrize("scheme", ["sinusoidal", "rope"])
@pytest.mark.parametrize("length", [16, 128, 1000, 32_768])
def test_the_tag_of_a_length_hides_no_point_of_the_line(lab, show, put, size, scheme, length):
    view = show(SpectrumView(lab, LIGHT), *size)
    for dimension in (32, 64, 128):
        part = put(scheme=scheme, dimension=dimension, length=length)
        tags = [tag for tag in view.marks.tags if tag.text]
        assert tags
        line = part.series[-1]
        points = [QPointF(view.plot.x_pixel(x), view.plot.y_pixel(y)) for x, y in zip(line.x, line.y, strict=True)]
        assert not [point for tag in tags for point in points if tag.rect.contains(point)], dimension


class TestKeys:
    def test_tab_stops_at_the_picture_and_arrows_move_the_cursor_by_a_pair(self, view, lab, put):
        put(**YARN)
        assert view.plot.focusPolicy() & Qt.FocusPolicy.TabFocus
        QTest.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=view.plot.area.center().toPoint())
        assert view.plot.hasFocus()
        lab.set_cursor(Cursor(view="matrix", pair=5))
        for key, pair in ((Qt.Key.Key_Right, 6), (Qt.Key.Key_Left, 5), (Qt.Key.Key_Left, 4)):
            QTest.keyClick(view.plot, key)
            assert (lab.cursor.view, lab.cursor.pair) == ("spectrum", pair)
        lab.set_cursor(Cursor(view="spectrum", pair=63))
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.cursor.pair == 63
        lab.set_cursor(Cursor())
        QTest.keyClick(view.plot, Qt.Key.Key_Left)
        assert lab.cursor.pair == 0

    def test_along_lengths_they_go_from_point_to_point(self, view, lab, put):
        part = put("base", **DYNAMIC)
        assert part.kind == "base"
        points = sorted({round(10.0**x) for x in part.series[-1].x})
        seen = []
        for _ in range(3):
            QTest.keyClick(view.plot, Qt.Key.Key_Right)
            seen.append(lab.cursor.place)
        assert seen == points[:3]
        QTest.keyClick(view.plot, Qt.Key.Key_Left)
        assert lab.cursor.place == points[1]
        lab.set_cursor(Cursor(view="spectrum", place=points[-1]))
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.cursor.place == points[-1]

    def test_among_slopes_they_choose_the_head(self, view, lab, put):
        assert put(scheme="alibi", head=2).kind == "slopes"
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.requests[-1] == {"head": 3}


SCHEMES = ("fire", "kerple", "alibi", "t5", "shaw", "deberta", "transformer_xl", "rope")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(700, 500), *SIZES, (327, 347)])
def test_the_vertical_axis_has_room_for_its_name(lab, show, put, size, theme):
    """Whatever ticks the final range has, also those of the padding below and above the data."""
    view = show(SpectrumView(lab, theme), *size)
    for scheme, length, head in itertools.product(SCHEMES, (2, 128, 4096), (0, 5)):
        part = put(scheme=scheme, dimension=64, length=length, head=head)
        axis = view.plot.left_axis
        assert axis.name == part.y.label != ""
        assert axis.margin(text for _, text in axis.labels) <= view.plot.area.left(), (scheme, length, head)


@pytest.mark.parametrize("picture", [each for each in PICTURES if each.get("dimension") != 8192])
def test_sentences_are_whole_in_a_small_window(lab, show, put, picture):
    view = show(SpectrumView(lab, PROJECTOR), 327, 347)  # at 1024 x 768
    put(**picture)
    assert view.sentence.cut == ""


def _with(part, **changes):
    return dataclasses.replace(part, **changes)
