"""The precision view: colours, marks, numbers, and the mouse."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from pe_desktop.core.part_precision import PrecisionPart, precision_part
from pe_desktop.core.parts import NO_CURSOR, Cursor, Viewport
from pe_desktop.core.state import LabState
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views.colours import power_steps
from pe_desktop.views.figures import Figures
from pe_desktop.views.plotting import VOID
from pe_desktop.views.precision import PrecisionView

SIZES = ((560, 400), (350, 300), (300, 250))


def part(**changes) -> PrecisionPart:
    plain = {"scheme": "rope", "length": 1000, "precision": {"preset": "bf16_positions"}}
    return precision_part(LabState().change(plain | changes), Viewport())


@pytest.fixture
def view(lab, show):
    lab.state = lab.state.change({"length": 1000})
    view = show(PrecisionView(lab, LIGHT))
    lab.show(precision=part())
    return view


def test_the_colours_are_powers_of_ten():
    errors = np.array([[0.0, 1e-9, 1e-8, 1e-4, 1.0, 2.0, np.inf]], dtype=np.float32)
    assert power_steps(errors).tolist() == [[1, 1, 1, 128, 255, 255, VOID]]
    assert np.array_equal(np.sort(power_steps(np.logspace(-9, 1, 300))), power_steps(np.logspace(-9, 1, 300)))


def test_the_picture_and_its_bar(view, lab):
    shown = lab.snapshot.precision
    assert np.array_equal(view.image.image, power_steps(shown.values))
    assert view.bar.texts == ("1", "10⁻²", "10⁻⁴", "10⁻⁶", "10⁻⁸")
    assert (view.plot.x_range, view.plot.y_range) == ((0.0, 32.0), (0.0, 1000.0))
    assert (view.plot.left_axis.name, view.plot.bottom_axis.name) == ("position", "pair")
    assert view.header.note == shown.pixel


def test_spot_key_and_the_first_bad_position_are_marked(view, lab):
    lab.show(precision=part(position=700, key_position=800))
    plot = view.plot
    for frame, tag, row, text in (
        (view.spot, view.spot_tag, 700, "spot 700"),
        (view.key, view.key_tag, 800, "key 800"),
    ):
        assert frame.rect.center().y() == pytest.approx(plot.y_pixel(row + 0.5), abs=1.5)
        assert tag.text == text
    assert view.bad_line.at == pytest.approx(plot.y_pixel(257), abs=1)
    assert view.bad_tag.text == "first bad 257"
    lab.show(precision=part(position=700, precision={"preset": "library"}))
    assert view.bad_line.at is None
    assert view.bad_tag.text == ""


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("spots", [(12, 20), (12, 12), (0, 1_000_000), (1_048_575, 1_048_574)])
def test_names_of_marks_never_lie_on_each_other(lab, show, theme, size, spots):
    view = show(PrecisionView(lab, theme), *size)
    lab.show(precision=part(length=1 << 20, dimension=8, position=spots[0], key_position=spots[1]))
    tags = [tag for tag in (view.spot_tag, view.key_tag, view.bad_tag) if tag.text]
    assert not any(a.rect.intersects(b.rect) for a, b in itertools.combinations(tags, 2))
    assert view.spot_tag.text or view.plot.area.width() < view.spot_tag.width


def test_infinite_positions_are_hatched(view, lab):
    lab.show(precision=part(length=1 << 17, precision={"preset": "float16_everything"}))
    assert view.infinite.text == "infinite"
    assert view.infinite.rect.top() == pytest.approx(view.plot.y_pixel(65_520))
    assert view.image.image[-1].max() == VOID
    lab.show(precision=part())
    assert view.infinite.rect is None


def test_nothing_to_see_is_said(view, lab):
    lab.show(precision=part(precision={}))
    lab.show(precision=part(precision={"preset": "exact"}))
    assert view.message.isVisible()
    assert "choose “bf16 positions”" in view.message.text
    assert not view.plot.isVisible()
    assert not view.figures.isVisible()
    lab.show(precision=part())
    assert view.figures.isVisible()
    assert view.figures.figures["Distinct positions"] == "769 of 4,096"


def test_a_new_spot_keeps_the_image(view, lab):
    pixels = view.image.image
    lab.show(precision=dataclasses.replace(lab.snapshot.precision, position=400))
    assert view.image.image is pixels
    assert view.spot_tag.text == "spot 400"


def test_the_mouse_inspects_zooms_and_goes_back(view, lab, mouse_on):
    plot, mouse = view.plot, mouse_on(view.plot)
    x, y = plot.x_pixel(5.5), plot.y_pixel(300.5)
    mouse.hover(x, y)
    assert lab.cursor.view == "precision"
    assert lab.cursor.pair == 5
    assert abs(lab.cursor.position - 300) <= 3
    assert lab.cursor.column is None
    mouse.click(x, y)
    assert lab.requests == [{"position": lab.cursor.position}]
    mouse.wheel(x, y, 3)
    assert lab.viewport.rows[0] > 0
    assert lab.viewport.precision_pairs is not None
    mouse.double_click(x, y)
    assert (lab.viewport.rows, lab.viewport.precision_pairs) == (None, None)
    assert lab.state.position == lab.requests[0]["position"]
    QTest.mouseMove(view, QPoint(1, 1))
    plot.left.emit()
    assert lab.cursor == NO_CURSOR


def test_keys_move_the_spot(view, lab):
    view.plot.setFocus()
    QTest.keyClick(view.plot, Qt.Key.Key_Down)
    QTest.keyClick(view.plot, Qt.Key.Key_Plus)
    assert lab.requests == [{"position": 13}]
    assert lab.viewport.rows is not None


def test_the_cursor_of_other_views_is_followed(view, lab):
    lab.set_cursor(Cursor(view="matrix", position=600, column=3, pair=7))
    assert view.row_line.at == pytest.approx(view.plot.y_pixel(600.5), abs=1)
    assert view.column_line.at == pytest.approx(view.plot.x_pixel(7.5), abs=1)
    lab.set_cursor(Cursor(view="scores", position=600, column=3))
    assert view.column_line.at is None


def test_it_is_made_only_while_it_is_visible(view, lab):
    assert lab.viewport.shown == {"precision"}
    assert lab.viewport.precision == (round(view.plot.area.height()), round(view.plot.area.width()))
    view.hide()
    assert lab.viewport.shown == frozenset()
    assert lab.viewport.precision == (0, 0)


# The row of numbers


@pytest.fixture
def figures(qtbot):
    made = Figures()
    qtbot.addWidget(made)
    made.set_theme(LIGHT)
    made.set_figures(part().figures)
    made.show()
    return made


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("width", [276, 326, 536, 700, 1300])
@pytest.mark.parametrize("preset", ["bf16_positions", "float16_everything", "library"])
def test_numbers_are_whole_and_apart(figures, theme, width, preset):
    figures.set_theme(theme)
    figures.set_figures(part(precision={"preset": preset, "count": 1_048_576}).figures)
    figures.resize(width, figures.heightForWidth(width))
    shown = figures.shown
    tops = [place.top() for place, _, _ in shown]
    assert [tops.count(top) for top in sorted(set(tops))] in ([4], [2, 2])
    for (names, texts), (place, name, text) in zip(figures._figures, shown, strict=True):
        assert name in names
        assert text in texts
        assert figures._names.width(name) <= place.width() + 1
        assert figures._texts.width(text) <= place.width() + 1
        assert 0 <= place.left() <= place.right() <= width + 1
        assert place.bottom() <= figures.height()
    assert not any(a[0].intersects(b[0]) for a, b in itertools.combinations(shown, 2))


def test_shortened_numbers_are_told_whole(figures):
    def told(width):
        figures.resize(width, figures.heightForWidth(width))
        QApplication.sendEvent(figures, QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint()))
        QToolTip.hideText()
        return figures.toolTip()

    assert told(1300) == ""
    assert "First collisions: 256 = 257; 259 = 260 = 261" in told(276)
    figures.set_theme(PROJECTOR)
    assert "Distinct positions: 769 of 4,096" in told(276)


def test_other_numbers_move_nothing(figures):
    height = figures.heightForWidth(560)
    figures.set_figures(part(precision={"preset": "library"}).figures)
    assert figures.heightForWidth(560) == height
    assert figures.figures["First collisions"] == "none below 4,096"
