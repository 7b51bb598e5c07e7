"""The similarity curve: how like the inspected spot every position is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QWidget

from pe_desktop.core.part_curve import value_at
from pe_desktop.core.parts import NO_CURSOR, Cursor, CurvePart, Snapshot, Viewport
from pe_desktop.theme import Theme
from pe_desktop.views.guides import Guide, Hatch, Tag
from pe_desktop.views.heat_plane import LEAST_CELLS, NOTCH_FACTOR, ZOOM_KEYS
from pe_desktop.views.letters import Letters
from pe_desktop.views.panel import Panel
from pe_desktop.views.plot import Range, RangedPlot, held, span, window, zoomed
from pe_desktop.views.plotting import faded, font, minus, real_texts, short_text, spaced_ticks, ticks
from pe_desktop.views.spectrum_items import Entry, Legend

MOST_OTHERS = 24
KEYS: dict[int, int] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class SimilarityView(Panel):
    """Draws a :class:`CurvePart`; its range of positions is the matrix's range of rows.

    A position p is at x = p, and the range of rows (a, b) is [a - 0.5, b - 0.5].
    """

    part_name = "similarity"
    name = "Similarity curve"

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, RangedPlot(downwards=False), parent)
        scene, box = self.plot.scene(), self.plot.box
        self.others = pg.PlotCurveItem(skipFiniteCheck=True)
        self.curve = pg.PlotCurveItem(skipFiniteCheck=True)
        self.second = pg.PlotCurveItem(skipFiniteCheck=True)  # of the scheme that is compared with
        for item in (self.others, self.curve, self.second):
            box.addItem(item, ignoreBounds=True)
        self.legend = Legend()
        scene.addItem(self.legend)
        self.zero = Guide(scene, upright=False, z=-200)
        self.hatch = Hatch(scene, 10, "no vector")
        self.spot_line, self.spot_tag = Guide(scene, upright=True, z=20), Tag(scene, 21)
        self.cursor_line, self.cursor_tag = Guide(scene, upright=True, z=30), Tag(scene, 31)
        self._letters = Letters()
        self._axis_key: Any = None
        self._before_click: int | None = None
        self.plot.take_keys((*KEYS, *ZOOM_KEYS, Qt.Key.Key_0))
        self.plot.dragged.connect(self._on_plot_dragged)
        self.plot.wheeled.connect(self._on_plot_wheeled)
        self.plot.double_clicked.connect(self._on_plot_double_clicked)
        self.plot.key_pressed.connect(self._on_plot_key_pressed)
        lab.viewport_changed.connect(self._on_lab_viewport_changed)
        self.set_theme(theme)

    # Drawing ----------------------------------------------------------------------------------------------

    def _part_of(self, snapshot: Snapshot) -> Any:
        compared = snapshot.part("compare")
        return snapshot.part(self.part_name) if compared is None else compared.curve

    def _is_empty(self, part: CurvePart) -> bool:
        return not len(part.x) and part.spot >= part.defined

    def _restyle(self, theme: Theme) -> None:
        thin = theme.pen <= 1.0
        self.curve.setPen(QPen(QColor(theme.text), 0 if thin else theme.pen))
        self.curve.opts["pen"].setCosmetic(True)
        self.others.setPen(QPen(faded(theme.muted, 0.45), 0))
        dashed = QPen(QColor(theme.other), 0 if thin else theme.pen, Qt.PenStyle.DashLine)
        dashed.setCosmetic(True)
        self.second.setPen(dashed)
        self.legend.set_theme(theme)
        panel, small = QColor(theme.panel), font(theme.small)
        self.zero.set_pen(QPen(QColor(theme.line)))
        self.hatch.set_look(faded(theme.muted, 0.6), panel, QColor(theme.muted), small)
        for line, tag, ground, ink in (
            (self.spot_line, self.spot_tag, QColor(theme.query), QColor("white")),
            (self.cursor_line, self.cursor_tag, QColor(theme.text), panel),
        ):
            line.set_pen(QPen(ground, theme.pen))
            tag.set_look(ground, ink, small)
        self._letters.set_font(small)
        self._set_margins(())
        self._axis_key = None

    def _set_margins(self, texts: Sequence[str]) -> None:
        # Wide enough for nearly all numbers, so that the curve seldom changes its width.
        left = self.plot.left_axis.margin(("−0.125", "−100k", "−0.0M", *texts))
        width = max(self.plot.width() - left - 14, 1.0)
        self.legend.set_entries(self._entries(width))
        above = self.legend.height_for(width)
        self.legend.set_rect(QRectF(left, 0, width, max(above, 1.0)))
        self.plot.set_margins(left, max(6, round(above) + 4), 14, round(self._letters.metrics.height() + 8))

    def _draw(self, part: CurvePart, before: CurvePart | None) -> None:
        self._draw_curve(part)
        if before is None or before.others is not part.others:
            self._draw_others(part)
        if before is None or before.second is not part.second or before.names != part.names:
            self._draw_second(part)
        same = before is not None and before.length == part.length
        rows = self.lab.viewport.rows if same or before is None else None
        self.plot.set_range(self._x_range(part, rows), _open(part.y_range))
        self._draw_axes()
        self._place_marks()
        if rows is None:
            self.lab.set_viewport(rows=None)

    def _draw_curve(self, part: CurvePart) -> None:
        _set_line(self.curve, part, smooth=self.theme.pen <= 1.0)

    def _draw_second(self, part: CurvePart) -> None:
        """Draw the curve of the scheme that is compared with, and say above which is which."""
        if part.second is None:
            self.second.setData(np.empty(0), np.empty(0))
        else:
            _set_line(self.second, part.second, smooth=self.theme.pen <= 1.0)
        self._set_margins(())
        self._axis_key = None

    def _entries(self, width: float) -> tuple[Entry, ...]:
        """What the legend says in a width: which curve is whose, by name where one row has room for that."""
        part = self._part
        if part is None or part.second is None:
            return ()
        signs = 2 * (Legend.STROKE + Legend.GAP) + Legend.BETWEEN
        named = signs + sum(map(self._letters.width, part.names)) <= width
        first, second = part.names if named else ("A", "B")
        return Entry(first, self.theme.text), Entry(second, self.theme.other, dashed=True)

    def _draw_others(self, part: CurvePart) -> None:
        if not part.others:
            self.others.setData(np.empty(0), np.empty(0))
            return
        # A fan of many heads reads the same with every fifth line and would cost five times as much.
        step = -(-len(part.others) // MOST_OTHERS)
        shown = part.others[::step]
        connect = np.ones((len(shown), len(part.x)), dtype=np.int32)
        connect[:, -1] = 0
        self.others.setData(np.tile(part.x, len(shown)), np.concatenate(shown), connect=connect.ravel())

    def _draw_axes(self) -> None:
        part, plot = self._part, self.plot
        key = (plot.x_range, plot.y_range, plot.area, part.y_label)
        if key == self._axis_key:
            return
        low, high = plot.y_range
        rows = min(4, plot.area.height() / (2.0 * self._letters.metrics.height()))
        values, step = ticks(low, high, rows, whole=False)
        texts = real_texts(values, step)
        # Another margin makes another area, and a call from there; the numbers depend on its height alone.
        self._set_margins(texts)
        area = plot.area
        self._axis_key = (plot.x_range, plot.y_range, area, part.y_label)
        labels = [(plot.y_pixel(value), text) for value, text in zip(values, texts, strict=True)]
        plot.left_axis.set_labels(labels, part.y_label)
        low, high = plot.x_range
        across = spaced_ticks(low, high, area.width(), 36.0, self._letters.width)
        plot.bottom_axis.set_labels([(plot.x_pixel(v), text) for v, text in across], "position")

    def _place_marks(self) -> None:
        part, plot = self._part, self.plot
        area = plot.area
        self.zero.place(plot.y_pixel(0.0), area)
        if part.defined < part.length:
            self.hatch.set_words(part.hatch)
            left, right = plot.x_pixel(part.defined - 0.5), plot.x_pixel(part.length - 0.5)
            self.hatch.place(QRectF(left, area.top(), right - left, area.height()), area)
        else:
            self.hatch.hide()
        value = "no vector" if part.spot_value is None else short_text(part.spot_value)
        self._mark(self.spot_line, self.spot_tag, part.spot, f"spot {part.spot:,}: {value}", 0.0)

    def _mark(self, line: Guide, tag: Tag, position: int, text: str, drop: float) -> None:
        pixel = self.plot.x_pixel(position)
        line.place(pixel, self.plot.area)
        if line.at is None:
            tag.hide()
            return
        tag.set_text(text)
        # Right of its line, or left of it where that is outside, so that the peak stays in sight.
        left = pixel + 4 if pixel + 4 + tag.width <= self.plot.area.right() else pixel - 3 - tag.width
        tag.place(left, self.plot.area.top() + drop, self.plot.area)

    def _show_cursor(self, cursor: Cursor) -> None:
        part, position = self._part, cursor.position
        if not self._drawn or position is None or not 0 <= position < part.length or not len(part.x):
            self.cursor_line.hide()
            self.cursor_tag.hide()
            return
        text = f"{position:,}: {self._value_text(part, position)}"
        if self._letters.width(text) + 10 > self.plot.area.width():  # the range gives way to the value
            text = text.split("  (")[0]
        self._mark(self.cursor_line, self.cursor_tag, position, text, self.spot_tag.height + 3)

    def _value_text(self, part: CurvePart, position: int) -> str:
        """The value at the very position, and the range of its pixel column where that covers several."""
        if position >= part.defined:
            return part.hatch
        at, covered = part.point_of(position) or (0, 0)
        if covered == 1 and part.low[at] == part.high[at]:
            return _exact_text(float(part.low[at]))
        value = value_at(self.lab.snapshot.state, position)
        if value is None:
            return part.hatch
        if not covered or not part.exact:
            return _exact_text(value)
        low, high = short_text(float(part.low[at])), short_text(float(part.high[at]))
        return f"{_exact_text(value)}  (column {low if low == high else f'{low} … {high}'})"

    # The window on the data -------------------------------------------------------------------------------

    @staticmethod
    def _x_range(part: CurvePart, rows: Range | None) -> Range:
        """The x range of some rows."""
        low, high = span(rows, part.length)
        return low - 0.5, high - 0.5

    def _look_at(self, x: Range) -> None:
        if self.plot.set_range(x, self.plot.y_range):
            self._redraw_frame()
            self.lab.set_viewport(rows=window((x[0] + 0.5, x[1] + 0.5), self._part.length))

    def _redraw_frame(self) -> None:
        self._draw_axes()
        self._place_marks()
        self._show_cursor(self.lab.cursor)
        self.plot.refresh()

    @Slot(object)
    def _on_lab_viewport_changed(self, viewport: Viewport) -> None:
        if not self._drawn or not self.isVisible():
            return
        if self.plot.set_range(self._x_range(self._part, viewport.rows), self.plot.y_range):
            self._redraw_frame()

    def _announce_size(self) -> None:
        width = round(self.plot.area.width() * self.devicePixelRatioF()) if self.isVisible() else 0
        self.lab.set_viewport(curve=width)

    # The mouse --------------------------------------------------------------------------------------------

    def _lay_out_anew(self) -> None:
        self._draw_axes()
        self._place_marks()

    def _position_at(self, place: QPointF) -> int | None:
        if not self._drawn or not self.plot.area.contains(place):
            return None
        position = round(self.plot.x_value(place.x()))
        return position if 0 <= position < self._part.length else None

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        position = self._position_at(place)
        if position is not None:
            self.lab.set_cursor(Cursor(view=self.part_name, position=position))
        elif self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    @Slot(QPointF)
    def _on_plot_clicked(self, place: QPointF) -> None:
        position = self._position_at(place)
        if position is not None:
            self._before_click = self.lab.state.position
            self.lab.request(position=position)

    @Slot(QPointF)
    def _on_plot_double_clicked(self, place: QPointF) -> None:
        # As in the matrix: the first of the two clicks was not meant.
        if self._before_click is not None:
            self.lab.request(position=self._before_click)
            self._before_click = None
        if self._drawn:
            self._look_at(self._x_range(self._part, None))

    @Slot(QPointF)
    def _on_plot_dragged(self, moved: QPointF) -> None:
        if self._drawn:
            low, high = self.plot.x_range
            shift = moved.x() / self.plot.area.width() * (high - low)
            self._look_at(held(low - shift, high - low, self._x_range(self._part, None)))

    @Slot(QPointF, float)
    def _on_plot_wheeled(self, place: QPointF, notches: float) -> None:
        if self._drawn:
            self._zoom(self.plot.x_value(place.x()), NOTCH_FACTOR**notches)

    def _zoom(self, anchor: float, factor: float) -> None:
        whole = self._x_range(self._part, None)
        self._look_at(zoomed(self.plot.x_range, whole, anchor, factor, LEAST_CELLS))

    @Slot(int)
    def _on_plot_key_pressed(self, key: int) -> None:
        if not self._drawn:
            return
        if key in KEYS:
            self.lab.request(position=min(max(self.lab.state.position + KEYS[key], 0), self._part.length - 1))
        elif key in ZOOM_KEYS:
            self._zoom(sum(self.plot.x_range) / 2, ZOOM_KEYS[key])
        else:
            self._look_at(self._x_range(self._part, None))


def _set_line(item: pg.PlotCurveItem, part: CurvePart, *, smooth: bool) -> None:
    if part.low is part.high:
        item.setData(part.x, part.low, antialias=smooth)
    else:
        # Smoothing hundreds of upright strokes costs time and shows nothing.
        item.setData(*band(part.x, part.low, part.high), antialias=False)


def band(
    x: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One line that runs up and down through every (low, high), as x and y of shape (2n,)."""
    y = np.empty(2 * len(x))
    y[0::4], y[1::4] = low[0::2], high[0::2]
    y[2::4], y[3::4] = high[1::2], low[1::2]
    return np.repeat(x, 2), y


def _exact_text(value: float) -> str:
    """A value with a digit more than in :func:`short_text`, where that is no power of ten."""
    return minus(f"{value:.4g}") if 1e-3 <= abs(value) < 100.0 else short_text(value)


def _open(y_range: tuple[float, float]) -> tuple[float, float]:
    """A range of y that is never empty, whatever the part says."""
    low, high = y_range
    return (low, high) if high > low else (low - 1.0, high + 1.0)
