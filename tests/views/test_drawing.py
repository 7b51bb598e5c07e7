"""A curve drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.theme import DARK, LIGHT
from pe_desktop.views import SimilarityView
from pe_desktop.views.drawing import Drawing, DrawnLine


@pytest.fixture
def drawing():
    drawing = Drawing()
    drawing.clear(100)
    return drawing


def test_a_stroke_fills_what_lies_between(drawing):
    drawing.stroke((10, 0.0), (14, 1.0))
    places, values = drawing.points
    assert places.tolist() == [10, 11, 12, 13, 14]
    assert values.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert (places.dtype, values.dtype) == (np.float64, np.float64)


def test_a_stroke_may_go_left(drawing):
    drawing.stroke((14, 1.0), (10, 0.0))
    assert drawing.points[1].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_drawing_over_replaces(drawing):
    drawing.stroke((0, 1.0), (99, 1.0))
    drawing.stroke((40, 0.0), (50, 0.0))
    values = drawing.points[1]
    assert (values[39:52] == [1.0, *[0.0] * 11, 1.0]).all()
    drawing.stroke((45, 0.5), (45, 0.7))
    assert drawing.points[1][45] == 0.7


def test_nothing_drawn(drawing):
    assert drawing.is_empty
    assert drawing.points is None
    drawing.stroke((3, 0.1), (3, 0.1))
    assert not drawing.is_empty
    drawing.clear(50)
    assert drawing.is_empty


def test_another_length_keeps_what_fits(drawing):
    drawing.stroke((0, 0.0), (99, 0.99))
    drawing.fit(10)
    assert drawing.points[0].tolist() == list(range(10))
    drawing.fit(200)
    assert drawing.points[0].tolist() == list(range(10))


def test_a_million_positions_are_shown_by_a_few():
    drawing = Drawing()
    drawing.clear(1 << 20)
    drawing.stroke((0, 0.0), ((1 << 20) - 1, 1.0))
    x, y = drawing.shown(-0.5, (1 << 20) - 0.5, 800)
    assert 800 <= len(x) <= 1700
    assert np.allclose(y, x / ((1 << 20) - 1))


def test_only_what_is_in_sight_is_shown(drawing):
    drawing.stroke((0, 0.0), (99, 0.99))
    x, _ = drawing.shown(19.5, 29.5, 1000)
    assert x[0] <= 20
    assert x[-1] >= 29
    assert len(x) <= 13


def test_the_line_breaks_where_nothing_was_drawn(lab, show, make):
    view = show(SimilarityView(lab, LIGHT))
    lab.show(similarity=make.curve())
    line = DrawnLine(view.plot, LIGHT)
    assert not line.is_shown
    before = view.grab().toImage()
    line.show((np.array([10.0, 11, 12, 60, 61]), np.array([0.0, 0.1, 0.2, 0.3, 0.4])))
    assert line.is_shown
    x, y = line._item.getData()
    assert np.isnan(y).sum() == 1
    assert x[~np.isnan(y)].tolist() == [10, 11, 12, 60, 61]
    assert view.grab().toImage() != before
    line.set_theme(DARK)
    line.hide()
    assert not line.is_shown
    assert view.grab().toImage() == before
