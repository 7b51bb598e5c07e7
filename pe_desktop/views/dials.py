"""Dials in one scene item: rims, arcs and hands of up to 32 rotated pairs, each kind in one call."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem

from pe_desktop.core.parts import RotationPart
from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import faded, font, regime_colours
from pe_desktop.views.still import StillItem

MARGIN = 4.0  # left free around each dial, its tips and its label
LONGEST_HAND = 1.12
TIP_SHARE, TIP_LEAST, TIP_MOST = 0.2, 3.0, 9.0  # diameter of a query's tip: share of the radius, and its bounds
KEY_TIP = 1.6  # how much larger a key's tip is
THICKEST = 1e5  # a radius no screen has
ARC_POINTS = 36
ARC_INNER, ARC_OUTER = 0.42, 0.62
TINT = 0.3
SHARE = np.linspace(0.0, 1.0, ARC_POINTS)


@dataclass(frozen=True)
class Grid:
    """Where the dials are: centres (k, 2) in scene pixels, their radius, how far hands and tips reach, the cell."""

    centres: NDArray[np.float64]
    radius: float
    reach: float
    columns: int
    cell: tuple[float, float]
    label_height: float


def tip_size(radius: float) -> float:
    """Diameter in pixels of the tip of a query's hand; that of a key is larger by KEY_TIP."""
    return min(max(radius * TIP_SHARE, TIP_LEAST), TIP_MOST)


def reach_of(radius: float, longest: float = 1.0) -> float:
    """Pixels from a centre to the outer edge of the largest tip, of hands up to `longest` radii."""
    return radius * longest + tip_size(radius) * KEY_TIP / 2


def longest_hand(part: RotationPart) -> float:
    """Radii to leave room for: one, or LONGEST_HAND where some hand reaches beyond its rim."""
    beyond = any(len(hands) and np.abs(hands).max() > 1.0 + 1e-6 for hands in (part.query, part.key))
    return LONGEST_HAND if beyond else 1.0


def arrange(count: int, area: QRectF, label_height: float, longest: float = 1.0) -> Grid:
    """The grid with the largest dials for an area, each with a label below it and room for its tips beside the rim.

    `longest` is how many radii the hands reach, see :func:`longest_hand`.
    """
    width, height = area.width(), area.height()
    best, size = 1, -math.inf
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        diameter = min(width / columns - MARGIN, height / rows - label_height - MARGIN)
        if diameter > size + 0.5:
            best, size = columns, diameter
    rows = -(-count // best)
    best = -(-count // rows)  # fewer empty places at the same size
    cell = width / best, height / rows
    place = np.arange(count)
    centres = np.empty((count, 2))
    centres[:, 0] = area.left() + (place % best + 0.5) * cell[0]
    centres[:, 1] = area.top() + (place // best + 0.5) * cell[1] - label_height / 2
    # The reach is straight in the radius between the radii at which the tip stops growing.
    knots = [0.0, TIP_LEAST / TIP_SHARE, TIP_MOST / TIP_SHARE, THICKEST]
    fitting = float(np.interp(size / 2, [reach_of(knot, longest) for knot in knots], knots))
    radius = max(math.floor(fitting), 2.0)
    return Grid(np.round(centres), radius, reach_of(radius, longest), best, cell, label_height)


def tips(hands: NDArray[np.complex128], grid: Grid) -> NDArray[np.float64]:
    """Scene pixels (k, 2) of the ends of hands (k,); those far beyond the rim are cut short."""
    size = np.abs(hands)
    kept = hands * (np.minimum(size, LONGEST_HAND) / np.maximum(size, 1e-12))
    ends = grid.centres.copy()
    ends[:, 0] += kept.real * grid.radius
    ends[:, 1] -= kept.imag * grid.radius
    return ends


def spirals(part: RotationPart, grid: Grid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The turn from key to query of each dial that turns, as a spiral where it is more than one turn.

    Whole turns beyond the second are left out: they could not be told apart.

    Returns
    -------
    x, y : array (k, ARC_POINTS)
        Scene pixels; k is the number of dials whose arc can be seen.
    """
    if part.arc is None:
        return np.empty((0, ARC_POINTS)), np.empty((0, ARC_POINTS))
    turns = np.abs(part.arc) / (2 * np.pi)
    drawn = np.where(turns > 2, 1 + turns % 1, turns) * 2 * np.pi * np.sign(part.arc)
    shown = np.flatnonzero(np.abs(drawn) * grid.radius * ARC_INNER >= 1.0)
    angles = np.angle(part.key[shown])[:, None] + drawn[shown, None] * SHARE
    radii = grid.radius * (ARC_INNER + (ARC_OUTER - ARC_INNER) * SHARE)
    centres = grid.centres[shown]
    return centres[:, :1] + radii * np.cos(angles), centres[:, 1:] - radii * np.sin(angles)


def polygon(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPolygonF:
    """Points x (n,), y (n,) as Qt wants them, without a Python object for each."""
    made: QPolygonF = pg.functions.arrayToQPolygonF(x, y)
    return made


class Rims(StillItem):
    """Circles and their axes."""

    def __init__(self) -> None:
        super().__init__()
        self._grid: Grid | None = None
        self._pen, self._cross = QPen(), QPen()
        self._regime: NDArray[np.int8] | None = None
        self._colours: tuple[QColor, ...] = ()

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._colours = regime_colours(theme)
        self._pen, self._cross = QPen(QColor(theme.muted), 1.0), QPen(QColor(theme.line), 1.0)
        self.set_ground(theme)

    def set_grid(self, grid: Grid, rect: QRectF) -> None:
        """Take a layout; `rect` is the whole area."""
        self._grid = grid
        self.set_rect(rect)
        self.changed()

    def set_regime(self, regime: NDArray[np.int8] | None) -> None:
        """Tint each dial (k,) by what a length extension did to its pair; None tints none."""
        before, self._regime = self._regime, regime
        if not np.array_equal(() if before is None else before, () if regime is None else regime):
            self.changed()

    def draw(self, painter: QPainter) -> None:
        grid = self._grid
        if grid is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = grid.radius
        centres = [QPointF(x, y) for x, y in grid.centres.tolist()]
        self._tint(painter, centres, radius)
        painter.setPen(self._cross)
        painter.drawLines([QLineF(c.x() - radius, c.y(), c.x() + radius, c.y()) for c in centres])
        painter.drawLines([QLineF(c.x(), c.y() - radius, c.x(), c.y() + radius) for c in centres])
        painter.setPen(self._pen)
        for centre in centres:
            painter.drawEllipse(centre, radius, radius)

    def _tint(self, painter: QPainter, centres: list[QPointF], radius: float) -> None:
        if self._regime is None or len(self._regime) != len(centres):
            return
        painter.setPen(Qt.PenStyle.NoPen)
        for centre, kind in zip(centres, self._regime.tolist(), strict=True):
            painter.setBrush(faded(self._colours[kind], TINT))
            painter.drawEllipse(centre, radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)


class DialLabels(StillItem):
    """A short text below each dial."""

    def __init__(self) -> None:
        super().__init__()
        self._grid: Grid | None = None
        self._full: tuple[str, ...] = ()
        self._short: tuple[str, ...] = ()
        self._letters, self._ink = Letters(), QColor()
        self.texts: tuple[str, ...] = ()

    def set_theme(self, theme: Theme) -> None:
        """Take colour and type size."""
        self._letters.set_font(font(theme.small))
        self._ink = QColor(theme.muted)
        self.changed()

    def set_grid(self, grid: Grid, rect: QRectF) -> None:
        """Take a layout; `rect` is the whole area."""
        self._grid = grid
        self.set_rect(rect)
        self._choose()
        self.changed()

    def set_labels(self, full: tuple[str, ...], short: tuple[str, ...]) -> None:
        """Show the full labels, or the short ones where the full do not fit side by side."""
        if (full, short) != (self._full, self._short):
            self._full, self._short = full, short
            self._choose()

    def _choose(self) -> None:
        if self._grid is None:
            return
        room = self._grid.cell[0] - 6
        for texts in (self._full, self._short):
            # The longest text in letters is the widest but for a pixel or two, which the margin holds.
            if self._letters.width(max(texts, key=len, default="")) <= room:
                break
        else:
            # Not even the short ones: every second, third … dial of a row keeps its label.
            every = math.ceil(max(map(self._letters.width, texts), default=0.0) / max(room, 1.0))
            place = np.arange(len(texts)) % self._grid.columns
            texts = tuple(text if at % every == 0 else "" for text, at in zip(texts, place.tolist(), strict=True))
        # Wavelengths change in every frame of a drag, but the numbers of the pairs seldom do.
        if texts != self.texts:
            self.texts = texts
            self.changed()

    def draw(self, painter: QPainter) -> None:
        painter.setFont(self._letters.font)
        painter.setPen(self._ink)
        for place, text in self.places():
            self._letters.write(painter, place.left(), place.top(), text)

    def places(self) -> list[tuple[QRectF, str]]:
        """Where each text stands, in scene pixels: in the middle below its dial, but within the area."""
        grid, found = self._grid, []
        if grid is None:
            return []
        for (x, y), text in zip(grid.centres.tolist(), self.texts, strict=False):
            width = self._letters.width(text)
            left = max(min(x - width / 2, self._rect.right() - width), self._rect.left())
            found.append((QRectF(left, y + grid.reach + 1, width, grid.label_height), text))
        return found


class Hands(QGraphicsItem):
    """The moving part: arcs, key hands, query hands."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self.query_lines: list[QLineF] = []
        self.key_lines: list[QLineF] = []
        self.arcs: list[QPolygonF] = []
        # Kept from frame to frame with their memory as arrays: making a polygon takes longer than drawing it.
        self._spare: list[tuple[QPolygonF, NDArray[np.float64]]] = []
        self._query_tips, self._key_tips = QPolygonF(), QPolygonF()
        self._query, self._key, self._arc = QPen(), QPen(), QPen()
        self._tip = 5.0

    def set_theme(self, theme: Theme) -> None:
        """Take colours and widths."""
        self._query, self._key = QPen(QColor(theme.query), 1.5 * theme.pen), QPen(QColor(theme.key), 1.5 * theme.pen)
        self._arc = QPen(QColor(theme.muted), theme.pen)

    def set_hands(self, part: RotationPart, grid: Grid, rect: QRectF) -> None:
        """Turn the hands to a part."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = QRectF(rect)
        self._tip = tip_size(grid.radius)
        start = grid.centres.tolist()
        query, key = tips(part.query, grid), tips(part.key, grid)
        self.query_lines = [QLineF(*a, *b) for a, b in zip(start, query.tolist(), strict=True)]
        self.key_lines = [QLineF(*a, *b) for a, b in zip(start, key.tolist(), strict=True)]
        self._query_tips, self._key_tips = polygon(query[:, 0], query[:, 1]), polygon(key[:, 0], key[:, 1])
        self._set_arcs(*spirals(part, grid))

    def _set_arcs(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        while len(self._spare) < len(x):
            made = pg.functions.create_qpolygonf(ARC_POINTS)
            self._spare.append((made, pg.functions.ndarray_from_qpolygonf(made)))
        points = np.stack((x, y), axis=2)
        used = self._spare[: len(x)]
        for (_, memory), arc in zip(used, points, strict=True):
            memory[:] = arc
        self.arcs = [made for made, _ in used]

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._arc)
        for arc in self.arcs:
            painter.drawPolyline(arc)
        # The key lies below and has the larger tip, so that both are seen where they coincide.
        for lines, ends, pen, size in (
            (self.key_lines, self._key_tips, self._key, self._tip * KEY_TIP),
            (self.query_lines, self._query_tips, self._query, self._tip),
        ):
            painter.setPen(pen)
            painter.drawLines(lines)
            painter.setPen(QPen(pen.color(), size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(ends)
