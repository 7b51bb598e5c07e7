"""Covering answers, and the curve a person draws instead."""

from __future__ import annotations

import numpy as np
import pytest
from pyqtgraph import PlotCurveItem
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pe_desktop.core.part_curve import value_at
from pe_desktop.theme import DARK
from pe_desktop.views.curve_sheet import CurveSheet
from pe_desktop.views.veil import WORDS, Veil


@pytest.fixture
def veils(person):
    veils = person.window.veils
    veils.heard = 0
    veils.drawn_changed.connect(lambda: setattr(veils, "heard", veils.heard + 1))
    return veils


def sheet(person):
    return person.find(CurveSheet, "curve_sheet")


def draw(person, *points):
    over = sheet(person)
    corner = QPointF(over.plot.pos())
    places = [(corner + QPointF(over.plot.x_pixel(x), over.plot.y_pixel(y))).toPoint() for x, y in points]
    QTest.mousePress(over, Qt.MouseButton.LeftButton, pos=places[0])
    for place in places[1:]:
        QTest.mouseMove(over, place)
    QTest.mouseRelease(over, Qt.MouseButton.LeftButton, pos=places[-1])


def line_shown(person):
    return any(item.isVisible() for item in _lines(person))


def _lines(person):
    view = person.window.panels["similarity"]
    lines = [item for item in view.plot.box.childGroup.childItems() if isinstance(item, PlotCurveItem)]
    return [item for item in lines if item not in (view.curve, view.others, view.second)]


def test_views_read_outs_and_lights(person, veils):
    person.tick("swap")
    veils.cover(("attention", "input_gap", "unique"))
    assert veils.covered == {"attention"}
    assert person.find(Veil, "attention_veil").size() == person.window.panels["attention"].size()
    assert person.sentence("attention") == WORDS
    assert person.readout("input_gap") == "?"
    assert not person.window.findChild(QWidget, "readout_input_gap_note").isVisible()
    assert person.find(QWidget, "light_unique").holds is None
    assert person.number("output_gap") > 0
    veils.uncover()
    assert veils.covered == frozenset()
    assert person.sentence("attention").startswith("Swapping")
    assert person.number("input_gap") > 0
    assert person.find(QWidget, "light_unique").holds


def test_another_cover_replaces_the_first(person, veils):
    veils.cover(("attention", "input_gap"))
    veils.cover(("matrix",))
    assert veils.covered == {"matrix"}
    assert person.readout("input_gap") != "?"


def test_a_view_in_a_tab_is_covered_when_it_comes_to_the_front(person, veils):
    veils.cover(("spectrum",))
    person.window.centre.bring_to_front("spectrum")
    person.settle()
    assert person.find(Veil, "spectrum_veil").isVisible()
    assert person.sentence("spectrum") == WORDS


def test_covered_while_the_lab_goes_on(person, veils):
    veils.cover(("similarity", "largest_value"))
    person.drag("position", 0.6)
    person.choose("scheme", "ALiBi")
    assert person.readout("largest_value") == "?"
    assert person.sentence("similarity") == WORDS
    veils.uncover()
    assert person.number("largest_value") > 1
    assert "spot" in person.sentence("similarity").lower() or "head" in person.sentence("similarity").lower()


def test_a_drawing_covers_the_curve_in_any_case(person, veils):
    veils.cover((), draw=True)
    assert veils.covered == {"similarity"}
    assert veils.drawn is None
    assert veils.misses() is None


def test_what_was_drawn(person, veils):
    veils.cover((), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    positions, values = veils.drawn
    assert positions.tolist() == list(range(20, 61))
    assert np.allclose(values, 0.5, atol=0.01)
    assert (positions.dtype, values.dtype) == (np.float64, np.float64)
    assert veils.heard > 0


def test_how_far_off_it_is(person, veils):
    veils.cover((), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    positions, values = veils.drawn
    state = person.lab.state
    expected = np.mean([abs(value_at(state, int(p)) - v) for p, v in zip(positions, values, strict=True)])
    assert veils.misses() == pytest.approx(expected)
    person.type("position", "100")
    assert veils.misses() != pytest.approx(expected)


def test_the_true_curve_misses_nothing(person, veils):
    veils.cover((), draw=True)
    drawing = sheet(person).drawing
    for place in range(128):
        value = value_at(person.lab.state, place)
        drawing.stroke((place, value), (place, value))
    assert veils.misses() == pytest.approx(0.0, abs=1e-12)


def test_a_long_drawing_is_compared_at_some_positions(person, veils):
    person.type("length", "100000")
    veils.cover((), draw=True)
    draw(person, (5_000, 0.5), (90_000, 0.5))
    assert len(veils.drawn[0]) > 80_000
    assert 0.0 < veils.misses() < 1.0


def test_revealed_it_stays_as_a_line(person, veils):
    veils.cover((), draw=True)
    assert not line_shown(person)
    draw(person, (20, 0.5), (60, 0.5))
    veils.uncover()
    assert veils.covered == frozenset()
    assert line_shown(person)
    assert veils.drawn is not None
    x, _ = next(item for item in _lines(person) if item.isVisible()).getData()
    assert x.tolist() == list(range(20, 61))


def test_the_line_takes_no_mouse_and_follows_the_zoom(person, veils):
    veils.cover((), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    veils.uncover()
    plot = person.window.panels["similarity"].plot
    (line,) = [item for item in _lines(person) if item.isVisible()]

    def pixels():
        return line.mapToScene(QPointF(40.0, 0.5))

    def close(where):
        return (where - QPointF(plot.x_pixel(40), plot.y_pixel(0.5))).manhattanLength() < 1.0

    assert close(pixels())
    person.lab.set_viewport(rows=(30.0, 70.0))
    person.settle()
    assert close(pixels())
    person.window.resize(1100, 800)
    person.settle()
    assert close(pixels())
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixels().toPoint() + QPoint(1, 0))
    person.settle()
    assert person.lab.state.position == 40


@pytest.mark.parametrize("way", ["uncover", "cover", "draw"])
def test_the_next_step_takes_the_line_away(person, veils, way):
    veils.cover((), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    veils.uncover()
    if way == "uncover":  # a step without a question
        veils.uncover()
    else:
        veils.cover(("matrix",), draw=way == "draw")
    assert not line_shown(person)
    assert veils.drawn is None


def test_revealed_without_a_drawing_there_is_no_line(person, veils):
    veils.cover((), draw=True)
    veils.uncover()
    assert not line_shown(person)
    assert veils.misses() is None


def test_themes(person, veils):
    veils.cover(("attention",), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    person.window.set_theme(DARK)
    person.settle()
    veil = person.find(Veil, "attention_veil")
    middle = veil.grab().toImage().pixelColor(veil.width() // 2, veil.height() * 3 // 4)
    assert middle.name() == DARK.window.lower()
    veils.uncover()
    assert line_shown(person)


def test_escape_clears_the_drawing_before_anything_else(person, veils):
    veils.cover((), draw=True)
    draw(person, (20, 0.5), (60, 0.5))
    person.window.player.play("key_position")
    over = sheet(person)
    over.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(over, Qt.Key.Key_Escape)
    assert veils.drawn is None
    assert person.window.player.playing
    person.window.player.stop()


def test_tab_comes_to_the_sheet(person, veils):
    veils.cover((), draw=True)
    over = sheet(person)
    person.find(QWidget, "light_goes_past_training").setFocus()
    for _ in range(60):
        if over.hasFocus():
            break
        QTest.keyClick(person.window.focusWidget(), Qt.Key.Key_Tab)
    assert over.hasFocus()
