"""A lab that computes nothing, parts made by hand, and a mouse."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.parts import NO_CURSOR, AttentionPart, CurvePart, MatrixPart, RotationPart, Viewport
from pe_desktop.core.state import LabState

# The offscreen platform says so of every window with a least size, and of every tooltip.
OFFSCREEN_REMARKS = ("This plugin does not support propagateSizeHints", r"This plugin does not support raise\(\)")


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore(*OFFSCREEN_REMARKS))


class FakeSnapshot(SimpleNamespace):
    """Parts by name."""

    def part(self, name):
        return getattr(self, name, None)


class FakeLab(QObject):
    """The part of the lab's contract that views use; it writes down what it is asked."""

    state_changed = Signal(object, object)
    snapshot_ready = Signal(object)
    cursor_moved = Signal(object)
    viewport_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.state = LabState()
        self.snapshot = None
        self.cursor = NO_CURSOR
        self.viewport = Viewport()
        self.requests: list[dict] = []
        self.drags: list[str] = []

    def request(self, **changes) -> bool:
        self.requests.append(changes)
        self.state = self.state.change(changes)
        return True

    def begin_drag(self) -> None:
        self.drags.append("begin")

    def end_drag(self) -> None:
        self.drags.append("end")

    def set_cursor(self, cursor) -> None:
        if cursor != self.cursor:
            self.cursor = cursor
            self.cursor_moved.emit(cursor)

    def set_viewport(self, **changes) -> None:
        new = dataclasses.replace(self.viewport, **changes)
        if new != self.viewport:
            self.viewport = new
            self.viewport_changed.emit(new)

    def show(self, **parts) -> None:
        """Hand out a snapshot with some parts replaced."""
        old = vars(self.snapshot) if self.snapshot else {"state": self.state}
        self.snapshot = FakeSnapshot(**(old | parts))
        self.snapshot_ready.emit(self.snapshot)


@pytest.fixture
def lab(qapp):
    qapp.setStyle("Fusion")
    return FakeLab()


@pytest.fixture
def show(qtbot):
    """Show a view at a size and wait for its layout."""

    def shown(view, width=560, height=400):
        qtbot.addWidget(view)
        view.resize(width, height)
        with qtbot.waitExposed(view):
            view.show()
        QApplication.processEvents()
        return view

    return shown


@pytest.fixture
def make():
    """Parts of a plausible snapshot; keywords replace fields."""
    return SimpleNamespace(matrix=_matrix, curve=_curve, rotation=_rotation, attention=_attention)


def _matrix(**changes):
    rows, columns = changes.get("shape", (128, 64))
    if "values" not in changes:  # a table of a million rows takes seconds
        turns = np.arange(rows)[:, None] / 10.0 ** (np.arange(columns) * 4 / columns)
        changes = {**changes, "values": np.sin(turns).astype(np.float32)}
    part = MatrixPart(
        kind="encoding",
        values=changes["values"],
        rows=whole_blocks(0, 1, rows),
        columns=whole_blocks(0, 1, columns),
        shape=(rows, columns),
        scale=1.0,
        defined_rows=rows,
        spot_row=12,
        exact=True,
        title="Encoding matrix",
        pixel="each cell is 1 position × 1 dimension",
        sentence="All values lie between −1 and 1.",
        row_label="position",
        column_label="dimension",
    )
    return dataclasses.replace(part, **changes)


def _curve(**changes):
    length = changes.get("length", 128)
    x = np.arange(length, dtype=np.float64)
    values = np.cos((x - 12) / 30)
    part = CurvePart(
        kind="cosine",
        x=x,
        low=values,
        high=values,
        others=(),
        other_labels=(),
        y_range=(-1.0, 1.05),
        spot=12,
        spot_value=1.0,
        length=length,
        defined=length,
        exact=True,
        title="Similarity to spot 12",
        point="each point is 1 position",
        sentence="Peak at spot 12.",
        y_label="cosine similarity",
    )
    return dataclasses.replace(part, **changes)


def _rotation(count=8, **changes):
    pairs = np.arange(count)
    frequencies = 10.0 ** (-pairs / 2)
    part = RotationPart(
        kind="hands",
        pairs=pairs,
        pair_count=count,
        labels=tuple(f"{pair} · λ 6.28" for pair in pairs),
        query=np.exp(12j * frequencies),
        key=np.exp(20j * frequencies),
        arc=-8 * frequencies,
        position=12,
        key_position=20,
        title="Rotation",
        point=f"all {count} pairs",
        sentence="One fixed rotation.",
    )
    return dataclasses.replace(part, **changes)


def _attention(words="The dog bit the man", swapped=None, **changes):
    tokens = tuple(words.split())
    n = len(tokens)
    weights = np.arange(1, n * n + 1, dtype=np.float32).reshape(n, n)
    weights /= weights.sum(axis=1, keepdims=True)
    other = None
    if swapped:
        other = list(tokens)
        other[swapped[0]], other[swapped[1]] = other[swapped[1]], other[swapped[0]]
    part = AttentionPart(
        tokens_a=tokens,
        tokens_b=tuple(other) if other else None,
        weights_a=weights,
        weights_b=weights[:, ::-1].copy() if other else None,
        scores_a=np.log(weights),
        scores_b=np.log(weights[:, ::-1]),
        swapped=swapped,
        words_total=n,
        causal=False,
        head=0,
        heads=8,
        exact=True,
        title="Attention",
        pixel="head 0; toy: random words and weights; rows are queries",
        sentence="Strongest link." if n else "Type a sentence.",
        input_gap=None,
        output_gap=None,
        output_gap_travelling=None,
    )
    return dataclasses.replace(part, **changes)


class Mouse:
    """Real events on the viewport of a plot, in scene pixels."""

    def __init__(self, plot) -> None:
        self._port = plot.viewport()

    def _at(self, x, y):
        return QPoint(round(x), round(y))

    def click(self, x, y):
        QTest.mouseClick(self._port, Qt.MouseButton.LeftButton, pos=self._at(x, y))

    def double_click(self, x, y):
        """As a window system sends it: press, release, double click, release."""
        self.click(x, y)
        QTest.mouseDClick(self._port, Qt.MouseButton.LeftButton, pos=self._at(x, y))

    def hover(self, x, y):
        QTest.mouseMove(self._port, self._at(x, y))

    def drag(self, start, end):
        QTest.mousePress(self._port, Qt.MouseButton.LeftButton, pos=self._at(*start))
        steps = 5
        for step in range(1, steps + 1):
            place = [a + (b - a) * step / steps for a, b in zip(start, end, strict=True)]
            QTest.mouseMove(self._port, self._at(*place))
        QTest.mouseRelease(self._port, Qt.MouseButton.LeftButton, pos=self._at(*end))

    def wheel(self, x, y, notches):
        place = QPointF(x, y)
        event = QWheelEvent(
            place,
            self._port.mapToGlobal(place),
            QPoint(),
            QPoint(0, round(120 * notches)),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self._port, event)


@pytest.fixture
def mouse_on():
    return Mouse
