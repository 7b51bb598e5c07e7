"""Zooming and panning at random over any length: nothing breaks, and what is drawn is the mean of what it covers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.state import LabState
from tests.core.strategies import plain

SIZES = ((128, 64), (500, 31), (65_536, 4096), (1_048_576, 8192), (2, 2))
VIEWS = ("matrix", "similarity", "scores")
share = st.floats(0.0, 1.0, allow_subnormal=False)
wheel = st.tuples(st.just("wheel"), st.sampled_from(VIEWS), share, share, st.sampled_from([-9, -1, 1, 3, 8, 40]))
drag = st.tuples(st.just("drag"), st.sampled_from(VIEWS), share, share, st.integers(-300, 300))
keys = st.tuples(
    st.just("key"),
    st.sampled_from(VIEWS),
    share,
    share,
    st.sampled_from([Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0]),
)
everything = st.tuples(st.just("double click"), st.sampled_from(VIEWS), share, share, st.just(0))
resize = st.tuples(st.just("resize"), st.sampled_from(VIEWS), share, share, st.sampled_from([0, 1]))
gestures = st.lists(st.one_of(wheel, wheel, drag, keys, everything, resize), min_size=1, max_size=12)


def do(person, gesture) -> None:
    """One gesture, by events at the widget."""
    kind, name, across, down, amount = gesture
    plot = person.window.panels[name].plot
    area, target = plot.area, plot.viewport()
    # Somewhere on the plot or its axes.
    place = QPoint(int(across * (plot.width() - 1)), int(down * (plot.height() - 1)))
    if kind == "wheel":
        where = QPointF(place)
        event = QWheelEvent(
            where, QPointF(target.mapToGlobal(place)), QPoint(), QPoint(0, 120 * amount),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(target, event)
    elif kind == "drag":
        start = area.center().toPoint()
        QTest.mousePress(target, Qt.MouseButton.LeftButton, pos=start)
        for step in range(1, 4):
            QTest.mouseMove(target, start + QPoint(amount * step // 3, int(down * amount) * step // 3))
            QApplication.processEvents()
        QTest.mouseRelease(target, Qt.MouseButton.LeftButton, pos=start + QPoint(amount, int(down * amount)))
    elif kind == "key":
        plot.setFocus()
        QTest.keyClick(plot, amount)
    elif kind == "double click":
        QTest.mouseDClick(target, Qt.MouseButton.LeftButton, pos=area.center().toPoint())
        QTest.mouseRelease(target, Qt.MouseButton.LeftButton, pos=area.center().toPoint())
    else:
        person.window.resize(*((1440, 900), (1024, 768))[amount])
    QApplication.processEvents()


def check_ranges(person) -> None:
    """All views show the window the lab knows, within what there is and no smaller than a cell."""
    lab, panels = person.lab, person.window.panels
    length, columns = lab.state.length, lab.snapshot.matrix.shape[1]
    viewport = lab.viewport
    for plot, wanted in (
        (panels["matrix"].plot, ((viewport.columns, columns), (viewport.rows, length))),
        (panels["scores"].plot, ((viewport.score_columns, length), (viewport.score_rows, length))),
    ):
        for shown, (named, total) in zip((plot.x_range, plot.y_range), wanted, strict=True):
            assert shown == (named or (0.0, float(total)))
            assert 0.0 <= shown[0] < shown[1] <= total
            assert shown[1] - shown[0] >= min(1.0, total) * (1 - 1e-9)
    low, high = panels["similarity"].plot.x_range
    rows = viewport.rows or (0.0, float(length))
    assert (low + 0.5, high + 0.5) == pytest.approx(rows, abs=1e-9)


def check_means(person) -> None:
    """The picture is complete, lies over what it shows, and some of its cells are the mean of what they cover."""
    lab = person.lab
    part, scheme, panel = lab.snapshot.matrix, lab.snapshot.scheme, person.window.panels["matrix"]
    assert part.exact
    drawn = panel.image.mapRectToParent(panel.image.boundingRect())
    assert drawn.top() == pytest.approx(part.rows.start)
    assert drawn.height() == pytest.approx(part.rows.number * part.rows.step)
    (left, right), (top, bottom) = panel.plot.x_range, panel.plot.y_range
    assert part.columns.start <= left
    assert part.columns.end >= min(right, part.shape[1]) - 1e-6
    assert part.rows.start <= top
    assert part.rows.end >= min(bottom, part.shape[0]) - 1e-6
    for i, j in {
        (0, 0),
        (part.rows.number // 2, part.columns.number // 3),
        (part.rows.number - 1, part.columns.number - 1),
    }:
        spans = []
        for edges in (part.rows.edges[i : i + 2], part.columns.edges[j : j + 2]):
            cell = np.arange(np.floor(edges[0]), np.ceil(edges[1]))
            spans.append((cell, (np.minimum(cell + 1, edges[1]) - np.maximum(cell, edges[0])) / (edges[1] - edges[0])))
        (rows, down), (columns, across) = spans
        angles = np.multiply.outer(rows, 10000.0 ** (-2.0 * (columns // 2) / scheme.dimension))
        cells = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
        assert part.values[i, j] == pytest.approx(down @ cells @ across, abs=1e-5)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SIZES), gestures)
def test_wandering_at_random(person, size, made):
    length, dimension = size
    person.window.centre.bring_to_front("scores")
    person.window.resize(1440, 900)
    person.lab.replace(LabState().change({"length": length, "dimension": dimension}))
    for name in VIEWS:
        do(person, ("double click", name, 0.5, 0.5, 0))
    for gesture in made:
        do(person, gesture)
        check_ranges(person)
    person.settle()
    check_ranges(person)
    check_means(person)


def test_from_a_million_down_to_one_cell_and_back(person):
    """The promise: the wheel leads from everything to a single cell, every picture on the way exact."""
    length = 1_048_576
    person.window.centre.bring_to_front("scores")
    person.lab.replace(LabState().change({"length": length, "dimension": 8192}))
    person.settle()
    spans = []
    for step in range(12):
        part = person.lab.snapshot.matrix
        spans.append(part.rows.end - part.rows.start)
        check_means(person)
        do(person, ("wheel", "matrix", 0.45, 0.4, 8 if step < 8 else 10))
        person.settle()
        check_ranges(person)
    part = person.lab.snapshot.matrix
    assert spans == sorted(spans, reverse=True)
    assert spans[0] == length
    assert part.values.size <= 4
    assert "1 position × 1 dimension" in part.pixel
    scheme = plain("sinusoidal", 8192, length)
    assert part.values[0, 0] == pytest.approx(scheme.encode([part.rows.first])[0, part.columns.first], abs=1e-6)
    for _ in range(3):
        do(person, ("wheel", "matrix", 0.45, 0.4, -40))
    person.settle()
    assert (person.lab.viewport.rows, person.lab.viewport.columns) == (None, None)
    check_means(person)
