"""The spectrum: how fast each pair turns and what an extension made of it, or what a bias does with distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QButtonGroup, QWidget

from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.core.spectrum_chart import AxisRange, Series, SpectrumPart
from pe_desktop.core.spectrum_words import REGIMES
from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.log_axis import across_ticks, upward_ticks
from pe_desktop.views.panel import Panel
from pe_desktop.views.plotting import font, regime_colours
from pe_desktop.views.score_maps import ScoreMaps
from pe_desktop.views.spectrum_items import Dots, Entry, Legend, PairStrip, SpectrumPlot
from pe_desktop.views.spectrum_marks import Marks

BUTTONS = (
    ("wavelengths", "λ", "Wavelength of each pair"),
    ("base", "Base", "The base against the length of the sequence"),
    ("switch", "Switch", "How far each pair jumps when the sequence grows past the trained length"),
    ("cache", "Cache", "Scores with keys cached before the frequencies changed"),
)
ROLES = ("faint", "other", "main")  # in the order they are painted
PAIRED = ("wavelengths", "switch")  # pictures whose x is the number of a pair
KEYS: dict[int, int] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
LEAST_APART = 6.0  # pixels between two dots that are still told apart


class SpectrumView(Panel):
    """Draws a :class:`SpectrumPart`."""

    part_name = "spectrum"
    name = "Spectrum"
    is_pane = True

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, SpectrumPlot(downwards=False), parent)
        scene, box = self.plot.scene(), self.plot.box
        self.curves = {role: pg.PlotCurveItem(skipFiniteCheck=True) for role in ROLES}
        for curve in self.curves.values():
            box.addItem(curve, ignoreBounds=True)
        self.dots, self.strip, self.legend = Dots(), PairStrip(), Legend()
        for item in (self.strip, self.legend, self.dots):
            scene.addItem(item)
        self.marks, self.maps = Marks(self.plot), ScoreMaps(scene)
        self._letters = Letters()
        self._laying_out = False
        self.plot.take_keys(KEYS)
        self.plot.key_pressed.connect(self._on_plot_key_pressed)
        self._build_buttons()
        self.set_theme(theme)

    def _build_buttons(self) -> None:
        self._group = QButtonGroup(self)
        self.buttons = {}
        for name, text, tip in BUTTONS:
            button = self.add_button(text, tip, checkable=True)
            button.setObjectName(f"spectrum_{name}")
            button.setVisible(False)
            self._group.addButton(button)
            self.buttons[name] = button
        self._group.buttonClicked.connect(self._on_group_button_clicked)

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        small = font(theme.small)
        self._letters.set_font(small)
        self._pens = {
            "main": _pen(theme.text, theme.pen),
            "faint": _pen(theme.muted, theme.pen, dashed=True),
            "other": _pen(theme.other, theme.pen, dashed=True),
        }
        for role, curve in self.curves.items():
            curve.setPen(self._pens[role])
        self.dots.set_colour(QColor(theme.text))
        self.strip.set_colours((*regime_colours(theme), QColor(theme.line)))
        self.strip.set_ground(theme)
        self.legend.set_theme(theme)
        self.marks.set_theme(theme)
        self.maps.set_theme(theme)
        for button in self.buttons.values():
            button.setFont(small)

    def _set_words(self, part: SpectrumPart, empty: bool) -> None:
        wanted = part.kind if part.kind in part.modes else self.lab.viewport.spectrum
        for name, button in self.buttons.items():
            shown = name in part.modes and len(part.modes) > 1
            if button.isHidden() == shown:
                button.setVisible(shown)
            button.setChecked(name == wanted)
        super()._set_words(part, empty)

    def _draw(self, part: SpectrumPart, before: SpectrumPart | None) -> None:
        is_map = part.kind == "cache"
        if before is None or (before.kind == "cache") != is_map:
            for item in (*self.curves.values(), self.plot.left_axis, self.plot.bottom_axis, self.dots):
                item.setVisible(not is_map)
        if not is_map:
            self._draw_curves(part, before)
        self._lay_out(part)

    def _draw_curves(self, part: SpectrumPart, before: SpectrumPart | None) -> None:
        for role, curve in self.curves.items():
            line, old = _line_of(part, role), _line_of(before, role)
            if line is None or not line.joined:
                curve.setData(np.empty(0), np.empty(0))
            elif old is None or not (np.array_equal(line.x, old.x) and np.array_equal(line.y, old.y)):
                connect = np.ones(len(line.x), dtype=np.int32)
                connect[list(line.cuts)] = 0
                curve.setData(line.x, line.y, connect=connect if line.cuts else "all", antialias=self.theme.pen <= 1.0)

    def _lay_out(self, part: SpectrumPart) -> None:
        """Place everything for the plot's size; another margin, which reports another size, is set in here."""
        self._laying_out = True
        if part.kind == "cache":
            self.marks.hide()
            self.strip.setVisible(False)
            self.legend.setVisible(False)
            self.plot.set_margins(0, 2, 0, 2)
            self.maps.show(part, self.plot.area)
        else:
            self.maps.hide()
            self._lay_out_chart(part)
        self._laying_out = False

    def _lay_out_chart(self, part: SpectrumPart) -> None:
        plot = self.plot
        shown = part.turning is not None and (part.turning.regime is not None or bool(part.still))
        plot.strip_height = round(7.0 * self.theme.pen) if shown else 0
        self._draw_legend(part)
        self._set_frame([text for _, text in self._upward(part.y, max(plot.height() - 60.0, 1.0))])
        upward = self._upward(part.y, plot.area.height())
        wider = [text for _, text in upward]
        if plot.left_axis.margin(wider) > plot.area.left():  # the guess of the height made other ticks
            self._set_frame(wider)
            upward = self._upward(part.y, plot.area.height())
        area = plot.area
        plot.set_range((part.x.low, part.x.high), self._padded(part.y, area.height()))
        plot.left_axis.set_labels([(plot.y_pixel(v), text) for v, text in upward], part.y.label)
        low, high = plot.x_range
        across = across_ticks(part.x, low, high, area.width(), self._letters.width)
        plot.bottom_axis.set_labels([(plot.x_pixel(v), text) for v, text in across], part.x.label)
        self._draw_strip(part, shown)
        self._draw_dots(part)
        self.marks.place(part)

    def _set_frame(self, texts: list[str]) -> None:
        """Margins: numbers at the left, a legend above, a strip and numbers below."""
        plot, line = self.plot, self._letters.metrics.height()
        left = plot.left_axis.margin(("100k", "0.05", *texts))
        # Above the plot area; above the numbers as well where it would take several rows.
        start = left if self.legend.height_for(plot.width() - left - 14) <= line else 0.0
        height = self.legend.height_for(plot.width() - start - 14) if self.legend.isVisible() else 0.0
        strip = plot.strip_height + 3 if plot.strip_height else 0
        plot.set_margins(left, round(height) + 6, 14, round(line + 8 + strip))
        self.legend.set_rect(QRectF(start, 0, plot.width() - start - 14, max(height, 1.0)))

    def _upward(self, axis: AxisRange, height: float) -> list[tuple[float, str]]:
        """Ticks of the vertical axis in a plot area of some height."""
        rows = max(2.0, height / (2.2 * self._letters.metrics.height()))
        return upward_ticks(axis, *self._padded(axis, height), rows)

    def _padded(self, axis: AxisRange, height: float) -> tuple[float, float]:
        """The range with room for a tag above and below the data, in a plot area of some height."""
        pad = min(self._letters.metrics.height() + 6, height / 5)
        extra = (axis.high - axis.low) * pad / max(height - 2 * pad, 1.0)
        return axis.low - extra, axis.high + extra

    def _draw_legend(self, part: SpectrumPart) -> None:
        entries = []
        if len(part.series) > 1:
            for line in reversed(part.series):
                colour = self._pens[line.role].color().name()
                entries.append(Entry(line.label, colour, dashed=line.role != "main"))
        if part.turning is not None and part.turning.regime is not None:
            colours = regime_colours(self.theme)
            entries += [Entry(REGIMES[kind], colours[kind].name(), field=True) for kind in REGIMES]
        self.legend.set_entries(entries)
        self.legend.setVisible(bool(entries))

    def _draw_strip(self, part: SpectrumPart, shown: bool) -> None:
        self.strip.setVisible(shown)
        if shown and part.turning is not None:
            regime = part.turning.regime
            codes = np.zeros(len(part.turning.after), np.intp) if regime is None else regime.astype(np.intp)
            codes[part.turning.after == 0.0] = len(REGIMES)
            self.strip.set_codes(codes)
            self.strip.set_rect(self.plot.strip_rect)

    def _draw_dots(self, part: SpectrumPart) -> None:
        plot, line = self.plot, _line_of(part, "main")
        apart = plot.area.width() / (part.x.high - part.x.low)
        few = part.kind in PAIRED and apart >= LEAST_APART
        if line is None or not (few or not line.joined or len(line.x) < 3):
            self.dots.set_points(np.empty(0), np.empty(0), 1.0, plot.area)
            return
        (low, high), (bottom, top), area = plot.x_range, plot.y_range, plot.area
        x = area.left() + (line.x - low) / (high - low) * area.width()
        y = area.bottom() - (line.y - bottom) / (top - bottom) * area.height()
        size = 2.0 if apart < LEAST_APART else min(max(apart * 0.4, 3.0), 6.0) * self.theme.pen
        self.dots.set_points(x, y, size, area)

    def _show_cursor(self, cursor: Cursor) -> None:
        part = self._part
        own = cursor.view == self.part_name
        self.maps.point(cursor.query if own else None, cursor.key if own else None)
        place = None
        if self._drawn and part.kind in PAIRED:
            place = cursor.pair if cursor.pair is not None and cursor.pair <= part.x.high else None
        elif self._drawn and own and part.kind != "cache":
            place = cursor.place
        self.marks.point(part, place)

    # The mouse, the keys and the buttons ------------------------------------------------------------------

    def _lay_out_anew(self) -> None:
        if not self._laying_out:
            self._lay_out(self._part)

    def _on_emptied(self, empty: bool) -> None:
        if empty:
            self.maps.hide()

    @Slot(object)
    def _on_group_button_clicked(self, button: object) -> None:
        mode = next(name for name, each in self.buttons.items() if each is button)
        self.lab.set_viewport(spectrum=mode)

    def _place_at(self, point: QPointF) -> int | None:
        """What the x axis reads under the mouse: a pair, a head, a length or a distance; None outside."""
        part = self._part
        if not self._drawn or part.kind == "cache" or not self.plot.area.contains(point):
            return None
        x = self.plot.x_value(point.x())
        place = round(10.0**x) if part.x.log else round(x)
        if not part.x.log:
            return min(max(place, 0), int(part.x.high))
        line = part.series[-1].x
        return min(max(place, round(10.0 ** line[0])), round(10.0 ** line[-1]))

    @Slot(QPointF)
    def _on_plot_hovered(self, point: QPointF) -> None:
        place = self._place_at(point)
        cell = self.maps.cell_at(point) if self._drawn and self._part.kind == "cache" else None
        if cell is not None:
            self.lab.set_cursor(Cursor(view=self.part_name, query=cell[0], key=cell[1]))
        elif place is not None and self._part.kind in PAIRED:
            self.lab.set_cursor(Cursor(view=self.part_name, pair=place))
        elif place is not None:
            self.lab.set_cursor(Cursor(view=self.part_name, place=place))
        elif self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    @Slot(QPointF)
    def _on_plot_clicked(self, point: QPointF) -> None:
        place = self._place_at(point)
        if place is not None and self._part.kind == "slopes":
            self.lab.request(head=place)
        elif place is not None and self._part.kind == "base":
            self.lab.request(length=max(place, 2))

    @Slot(int)
    def _on_plot_key_pressed(self, key: int) -> None:
        """Move the cursor by a pair, a distance or a point of the line; where heads are across, choose the next."""
        part, step = self._part, KEYS[key]
        if not self._drawn or part.kind == "cache":
            return
        last, cursor = int(part.x.high), self.lab.cursor
        if part.kind == "slopes":
            self.lab.request(head=min(max(self.lab.state.head + step, 0), last))
        elif part.kind in PAIRED:
            pair = 0 if cursor.pair is None else min(max(cursor.pair + step, 0), last)
            self.lab.set_cursor(Cursor(view=self.part_name, pair=pair))
        else:
            place = cursor.place if cursor.view == self.part_name else None
            self.lab.set_cursor(Cursor(view=self.part_name, place=_next_place(part, place, step)))


def _pen(colour: str, width: float, *, dashed: bool = False) -> QPen:
    pen = QPen(QColor(colour), 0 if width <= 1.0 else width)
    pen.setCosmetic(True)
    if dashed:
        pen.setStyle(Qt.PenStyle.DashLine)
    return pen


def _next_place(part: SpectrumPart, place: int | None, step: int) -> int:
    """The place on the x axis a step from another, the first where there is none; along the points if it is a log."""
    if not part.x.log:
        return 0 if place is None else min(max(place + step, 0), int(part.x.high))
    points = np.unique(np.rint(10.0 ** part.series[-1].x).astype(np.int64))
    at = 0 if place is None else int(np.searchsorted(points, place, "right" if step > 0 else "left"))
    return int(points[min(max(at - (step < 0 and place is not None), 0), len(points) - 1)])


def _line_of(part: SpectrumPart | None, role: str) -> Series | None:
    lines = part.series if part is not None else ()
    return next((line for line in lines if line.role == role), None)
