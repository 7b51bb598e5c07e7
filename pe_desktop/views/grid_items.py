"""What the grid view draws beside its picture: coordinates on patches, and one lane per axis of the pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from pe_desktop.core.parts import Index
from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font
from pe_desktop.views.still import StillItem

PAD = 2.0
GAP = 6.0
LEAST_BAR = 60.0  # pixels that the lanes keep for themselves, whatever stands beside them
DARK_INK, LIGHT_INK = "#16191D", "#FFFFFF"


class PatchLabels(QGraphicsItem):
    """One short text in each cell, dark on light colours and light on dark ones."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._letters = Letters()
        self._places: list[tuple[float, float, str, bool]] = []

    @property
    def texts(self) -> list[str]:
        """The texts as they are painted, row by row."""
        return [text for _, _, text, _ in self._places]

    def set_theme(self, theme: Theme) -> None:
        """Take the type size."""
        self._letters.set_font(font(theme.small))

    def fits(self, texts: Sequence[str], cell: tuple[float, float]) -> bool:
        """Whether the longest text fits into a cell (width, height)."""
        widest = max(map(self._letters.width, texts), default=0.0)
        return bool(texts) and widest + 2 * PAD <= cell[0] and self._letters.metrics.height() <= cell[1]

    def set_labels(self, texts: Sequence[str], rect: QRectF, cell: tuple[float, float], dark: Sequence[bool]) -> None:
        """Write `texts` row by row into cells (width, height) of a rectangle; `dark` says where the ink is dark."""
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = QRectF(rect)
        width, height = cell
        columns = max(1, round(rect.width() / width))
        down = (height - self._letters.metrics.height()) / 2
        self._places = [
            (
                rect.left() + (place % columns + 0.5) * width - self._letters.width(text) / 2,
                rect.top() + place // columns * height + down,
                text,
                ink,
            )
            for place, (text, ink) in enumerate(zip(texts, dark, strict=True))
        ]

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        painter.setFont(self._letters.font)
        for is_dark, colour in ((True, DARK_INK), (False, LIGHT_INK)):
            painter.setPen(QColor(colour))
            for left, top, text, dark in self._places:
                if dark is is_dark:
                    self._letters.write(painter, left, top, text)


class AxisLanes(StillItem):
    """One lane per axis: its name, a mark at every pair that reads it, and how many there are."""

    def __init__(self) -> None:
        super().__init__()
        self._letters, self._bold = Letters(), Letters()
        self._ink, self._muted, self._line = QColor(), QColor(), QColor()
        self._colours: tuple[QColor, ...] = ()
        self._names: tuple[str, ...] = ()
        self._notes: tuple[tuple[str, ...], ...] = ()
        self._axis: Index = np.zeros(0, dtype=np.intp)
        self._images: list[QImage] = []
        self._pixels: list[NDArray[np.uint32]] = []

    @property
    def bar(self) -> QRectF:
        """Where the marks are: pairs from the left to the right, over all lanes."""
        left = self._rect.left() + max(map(self._bold.width, self._names), default=0.0) + self._box + 2 * GAP
        width = max(self._rect.right() - self._note_width() - GAP - left, 1.0)
        return QRectF(round(left), self._rect.top(), round(width), self.lane * len(self._names))

    @property
    def lane(self) -> float:
        """Height of a lane in pixels."""
        return round(self._letters.metrics.height() + 3)

    @property
    def notes(self) -> list[str]:
        """The texts beside the lanes as they are painted."""
        level = self._level()
        return ["" if level is None else each[min(level, len(each) - 1)] for each in self._notes]

    @property
    def caption(self) -> str:
        """What the ends of the lanes are."""
        last = len(self._axis) - 1
        return f"pairs 0 – {last:,}" if last > 0 else "pair 0"

    @property
    def _box(self) -> float:
        return round(0.6 * self._letters.metrics.height())

    def height_of(self, axes: int) -> float:
        """Height that lanes and caption of a number of axes need."""
        return self.lane * axes + self._letters.metrics.height()

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._letters.set_font(font(theme.small))
        self._bold.set_font(font(theme.small, bold=True))
        self._ink, self._muted, self._line = QColor(theme.text), QColor(theme.muted), QColor(theme.line)
        self._colours = tuple(map(QColor, theme.axes))
        self.set_ground(theme)

    def set_axes(self, names: tuple[str, ...], notes: tuple[tuple[str, ...], ...], axis: Index, rect: QRectF) -> None:
        """Show which of the named axes each pair (k,) reads, within a rectangle."""
        if names == self._names and notes == self._notes and axis is self._axis and rect == self._rect:
            return
        self._names, self._notes, self._axis = names, notes, axis
        self.set_rect(rect)
        self.changed()

    def pair_at(self, place: QPointF) -> int | None:
        """The pair under a place, None beside the lanes."""
        bar = self.bar
        if not self._names or not bar.contains(place):
            return None
        return min(int((place.x() - bar.left()) / bar.width() * len(self._axis)), len(self._axis) - 1)

    def middle_of(self, pair: int) -> float:
        """Where a pair is marked, in scene pixels from the left."""
        bar = self.bar
        return bar.left() + (pair + 0.5) / len(self._axis) * bar.width()

    def _level(self) -> int | None:
        """The longest kind of note that leaves the lanes their room; None if none does."""
        names = max(map(self._bold.width, self._names), default=0.0) + self._box + 2 * GAP
        for level in range(max(map(len, self._notes), default=0)):
            widest = max(self._letters.width(each[min(level, len(each) - 1)]) for each in self._notes)
            if self._rect.width() - names - widest - 2 * GAP >= max(LEAST_BAR, self._rect.width() * 0.3):
                return level
        return None

    def _note_width(self) -> float:
        return max(map(self._letters.width, self.notes), default=0.0) + GAP

    def draw(self, painter: QPainter) -> None:
        bar, lane, letters = self.bar, self.lane, self._letters
        text_top = (lane - letters.metrics.height()) / 2
        self._images, self._pixels = [], []
        for number, (name, note) in enumerate(zip(self._names, self.notes, strict=True)):
            top, colour = self._rect.top() + number * lane, self._colours[number]
            box = QRectF(self._rect.left(), top + (lane - self._box) / 2, self._box, self._box)
            painter.fillRect(box.toAlignedRect(), colour)
            painter.setFont(self._bold.font)
            painter.setPen(self._ink)
            self._bold.write(painter, box.right() + GAP, top + text_top, name)
            painter.drawImage(QRectF(bar.left(), top + 2, bar.width(), lane - 4), self._marks(number, colour))
            painter.setFont(letters.font)
            painter.setPen(self._muted)
            letters.write(painter, bar.right() + GAP, top + text_top, note)
        if self._rect.height() >= self.height_of(len(self._names)) - 1:
            painter.setFont(letters.font)
            painter.setPen(self._muted)
            letters.write(painter, bar.left(), bar.bottom(), self.caption)

    def _marks(self, number: int, colour: QColor) -> QImage:
        """A row of pixels: the axis's colour by the share of the pairs under each pixel that read it."""
        width, pairs = max(1, round(self.bar.width())), len(self._axis)
        reads = np.concatenate([[0.0], np.cumsum(self._axis == number)])
        ends = np.interp(np.linspace(0.0, pairs, width + 1), np.arange(pairs + 1), reads)
        share = (np.diff(ends) * width / pairs)[:, None]
        ground, ink = (
            np.array([each.red(), each.green(), each.blue()], dtype=np.float64) for each in (self._line, colour)
        )
        red, green, blue = np.rint(ground + share * (ink - ground)).astype(np.uint32).T
        pixels = 0xFF000000 | red << 16 | green << 8 | blue
        self._pixels.append(pixels)  # the image does not own them
        self._images.append(QImage(pixels.data, width, 1, 4 * width, QImage.Format.Format_RGB32))
        return self._images[-1]


def outline(colour: str, width: float) -> QPen:
    """A pen for the outline of a patch."""
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen
