"""The spectrum as a person sees and uses it: lines, levels, strip, labels, cursor, buttons; nothing overlaps."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from pe_desktop.core.part_spectrum import spectrum_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.spectrum_chart import Series
from pe_desktop.core.state import LabState
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views.plotting import regime_colours
from pe_desktop.views.spectrum import SpectrumView

YARN = {"extension": "yarn", "factor": 8.0, "trained_length": 8192}
LONG = {"extension": "longrope", "factor": 8.0}
DYNAMIC = {"extension": "dynamic", "factor": 8.0}
SIZES = ((560, 400), (350, 300))
SCHEMES = ("fire", "kerple", "alibi", "t5", "shaw", "deberta", "transformer_xl", "rope")
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
