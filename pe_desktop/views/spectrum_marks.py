"""Marks on the spectrum: lines of reference with their tags, shaded pairs, pairs that stand still, and the cursor."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from pe_desktop.core.spectrum_chart import Level, SpectrumPart
from pe_desktop.core.spectrum_words import readings
from pe_desktop.theme import Theme
from pe_desktop.views.guides import PAD, Guide, Hatch, Tag
from pe_desktop.views.letters import Letters
from pe_desktop.views.plot import RangedPlot
from pe_desktop.views.plotting import faded, font

MOST_LEVELS = 3
MOST_TRIES = 4
CLEAR = 3.0  # pixels that a tag keeps from a curve, about half a dot
SAMPLES = 33  # of a curve under a tag
LEAST_LABEL, WIDEST_LABEL, WIDEST_CURSOR = 0.45, 0.6, 0.9  # of the width of the plot
DARK_INK = "#16191D"  # on the colour of the trained length, which is light in every theme


class Marks:
    """What is laid over (and under) the curves of a plot."""

    def __init__(self, plot: RangedPlot) -> None:
        scene = plot.scene()
        self._plot = plot
        self.shade = QGraphicsPathItem()
        self.shade.setPen(QPen(Qt.PenStyle.NoPen))
        self.shade.setZValue(-200)
        scene.addItem(self.shade)
        self.hatch = Hatch(scene, 10, "not turning")
        # As many as a picture has, level and upright ones of each, with a tag.
        self.levels = {up: [Guide(scene, upright=up, z=-150) for _ in range(MOST_LEVELS)] for up in (False, True)}
        self.tags = [Tag(scene, 20) for _ in range(MOST_LEVELS)]
        self.shade_tag = Tag(scene, 20)
        self.cursor_line, self.cursor_tag = Guide(scene, upright=True, z=30), Tag(scene, 31)
        self._letters = Letters()
        self._taken: list[QRectF] = []

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._theme = theme
        small, panel, muted = font(theme.small), QColor(theme.panel), QColor(theme.muted)
        self._letters.set_font(small)
        self.shade.setBrush(faded(theme.trained, 0.16))
        self.hatch.set_look(faded(theme.muted, 0.6), panel, muted, small)
        self.shade_tag.set_look(panel, muted, small)
        self.cursor_line.set_pen(QPen(QColor(theme.text), theme.pen))
        self.cursor_tag.set_look(QColor(theme.text), panel, small)

    def hide(self) -> None:
        """Take all of them off the picture."""
        self.shade.setPath(QPainterPath())
        marks: tuple[Guide | Tag | Hatch, ...] = (*self.levels[False], *self.levels[True], *self.tags)
        for mark in (*marks, self.shade_tag, self.hatch, self.cursor_line, self.cursor_tag):
            mark.hide()

    def place(self, part: SpectrumPart) -> None:
        """Put the marks of a part in place for the plot's present ranges."""
        self._taken.clear()
        self._draw_levels(part)
        self._draw_shade(part)

    def point(self, part: SpectrumPart, place: int | None) -> None:
        """Put the cursor at a place on the x axis (a pair, a head, a length or a distance), None: nowhere."""
        plot, area = self._plot, self._plot.area
        self.cursor_line.hide()
        self.cursor_tag.hide()
        if place is None or (part.x.log and place < 1):
            return
        pixel = plot.x_pixel(math.log10(place) if part.x.log else place)
        self.cursor_line.place(pixel, area)
        if self.cursor_line.at is None:
            return
        self._choose_text(self.cursor_tag, readings(part, place), area.width() * WIDEST_CURSOR)
        # The lower right is where no curve runs.
        corner = QPointF(_beside(self.cursor_tag, pixel, area), area.bottom() - 2 - self.cursor_tag.height)
        if not _place_free(self.cursor_tag, corner, -1.0, area, list(self._taken)):
            self.cursor_tag.place(corner.x(), corner.y(), area)

    def _draw_levels(self, part: SpectrumPart) -> None:
        for guide in (*self.levels[False], *self.levels[True]):
            guide.hide()
        # The highest first: its words stand above its line, those of the others below theirs.
        ordered = sorted(part.levels, key=_from_above)[:MOST_LEVELS]
        for place, level in enumerate(ordered):
            self._draw_level(part, level, self.tags[place], self.levels[level.upright][place], above=not place)
        for tag in self.tags[len(ordered) :]:
            tag.hide()

    def _draw_level(self, part: SpectrumPart, level: Level, tag: Tag, guide: Guide, *, above: bool) -> None:
        theme, plot = self._theme, self._plot
        area = plot.area
        trained = level.role == "trained"
        ground = QColor(theme.trained if trained else theme.accent if level.role == "chosen" else theme.muted)
        guide.set_pen(QPen(ground, theme.pen))
        tag.set_look(ground, QColor(DARK_INK) if trained else QColor(theme.panel), font(theme.small))
        self._choose_text(tag, level.texts, area.width() * WIDEST_LABEL)
        if level.upright:
            pixel = plot.x_pixel(level.at)
            guide.place(pixel, area)
            corners = [(QPointF(_beside(tag, pixel, area), area.top()), 1.0)]
        else:
            pixel = plot.y_pixel(level.at)
            guide.place(pixel, area)
            upper, lower = (pixel - tag.height - 1, -1.0), (pixel + 2, 1.0)
            ends = (area.left() + 2, area.right() - tag.width - 2)
            order = (upper, lower) if above else (lower, upper)
            corners = [(QPointF(end, top), step) for top, step in order for end in ends]
        if not self._place_clear(part, tag, corners):
            _place_free(tag, *corners[0], area, self._taken)

    def _place_clear(self, part: SpectrumPart, tag: Tag, corners: list[tuple[QPointF, float]]) -> bool:
        """Place a tag at the first corner, or as few steps from one as possible, where it hides neither tag nor curve.

        Where there is none the answer is False.
        """
        area = self._plot.area
        for attempt in range(MOST_TRIES):
            for corner, step in corners:
                top = corner.y() + attempt * step * (tag.height + 1)
                rect = QRectF(round(corner.x()), round(top), tag.width, tag.height)
                taken = any(rect.intersects(other) for other in self._taken)
                if not taken and area.contains(rect) and not self._hides(part, rect):
                    tag.place(corner.x(), top, area)
                    self._taken.append(tag.rect)
                    return True
        return False

    def _hides(self, part: SpectrumPart, rect: QRectF) -> bool:
        """Whether a rectangle lies on a curve or on one of its points."""
        plot, rect = self._plot, rect.adjusted(-CLEAR, -CLEAR, CLEAR, CLEAR)
        left, right = plot.x_value(rect.left()), plot.x_value(rect.right())
        low, high = plot.y_value(rect.bottom()), plot.y_value(rect.top())
        for line in part.series:
            x, y = line.x, line.y
            if bool(((x >= left) & (x <= right) & (y >= low) & (y <= high)).any()):
                return True
            if line.joined and len(x) > 1:
                across = np.linspace(max(left, x[0]), min(right, x[-1]), SAMPLES)
                between = np.interp(across, x, y)
                if across[0] <= across[-1] and bool(((between >= low) & (between <= high)).any()):
                    return True
        return False

    def _choose_text(self, tag: Tag, texts: tuple[str, ...], room: float) -> None:
        """The longest of some texts that fits."""
        tag.set_text(next((text for text in texts if self._letters.width(text) + 2 * PAD <= room), texts[-1]))

    def _draw_shade(self, part: SpectrumPart) -> None:
        area, path = self._plot.area, QPainterPath()
        bands = [self._band(run) for run in part.shaded]
        for band in bands:
            path.addRect(band)
        self.shade.setPath(path)
        if bands:
            room = max(bands[-1].width(), area.width() * LEAST_LABEL)
            self._choose_text(self.shade_tag, part.shade_texts, room)
            corner = QPointF(bands[-1].right() - self.shade_tag.width - 2, area.bottom() - self.shade_tag.height - 2)
            _place_free(self.shade_tag, corner, -1.0, area, self._taken)
        else:
            self.shade_tag.hide()
        if part.still:
            self.hatch.place(self._band((part.still[0][0], part.still[-1][1])), area)
        else:
            self.hatch.hide()

    def _band(self, run: tuple[int, int]) -> QRectF:
        left, right = self._plot.x_pixel(run[0] - 0.5), self._plot.x_pixel(run[1] + 0.5)
        return QRectF(left, self._plot.area.top(), right - left, self._plot.area.height())


def _from_above(level: Level) -> tuple[bool, float]:
    return level.upright, -level.at


def _beside(tag: Tag, pixel: float, area: QRectF) -> float:
    """Left edge of a tag right of an upright line, or left of it where that is outside."""
    return pixel + 4 if pixel + 4 + tag.width <= area.right() else pixel - 3 - tag.width


def _place_free(tag: Tag, corner: QPointF, step: float, area: QRectF, taken: list[QRectF]) -> bool:
    """Place a tag at a corner, or a few steps (in heights of the tag, downwards) on where it would cover another.

    Where all of these are taken it is hidden, and the answer is False.
    """
    for attempt in range(MOST_TRIES):
        tag.place(corner.x(), corner.y() + attempt * step * (tag.height + 1), area)
        if not any(tag.rect.intersects(other) for other in taken):
            taken.append(tag.rect)
            return True
    tag.hide()
    return False
