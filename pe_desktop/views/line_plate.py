"""Lines of an experiment over one axis, with their key, ticks and marks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from pe_desktop.core.experiment import Float64, Line, LinePlate
from pe_desktop.core.spectrum_chart import AxisRange
from pe_desktop.views.log_axis import Ticks, across_ticks, upward_ticks
from pe_desktop.views.plate import PlateItem
from pe_desktop.views.plate_key import Entry, Key, dot, patterns, pen_of
from pe_desktop.views.plotting import faded

GAP, TICK = 4.0, 4.0
BESIDE = 0.05  # of the range of values, free above and below the lines
MANY = 600  # points from which a line is drawn as thin as can be
LONG = 40.0  # heights of the plate that such a line climbs and falls
MOST_DOTS = 80
MARK_ROWS = 3
LEAST = 1e-300  # that has a logarithm
FAR = 2.0
ROOMY = 8  # lines of text
REACH = 40.0  # pixels from which a point is the one the mouse is on
MARKED = 4.5  # half a frame around a point


class LinePlateItem(PlateItem):
    """Paints a :class:`LinePlate`."""

    def __init__(self) -> None:
        super().__init__()
        self.key = Key()
        self.area = QRectF()
        self.x_axis = self.y_axis = AxisRange("", 0.0, 1.0)
        self._across: Ticks = []
        self._up: Ticks = []
        self._places: list[tuple[Float64, Float64]] = []  # of each line's points, scene pixels
        self._marks: list[float] = []
        self._roomy = True  # whether the name of the axis has a line to itself

    @property
    def plate(self) -> LinePlate:
        """What is shown."""
        assert isinstance(self._plate, LinePlate)
        return self._plate

    # Layout -----------------------------------------------------------------------------------------------

    def _lay_out(self, inner: QRectF) -> None:
        plate = self.plate
        self.x_axis, self.y_axis = _x_axis(plate), _y_axis(plate)
        top = inner.top() + self._lay_out_key(inner)
        room = QRectF(inner.left(), top, inner.width(), inner.bottom() - top)
        self._roomy = room.height() >= ROOMY * self.line
        below = (2 if self._roomy else 1) * self.line + TICK
        height = max(room.height() - below - 2, 8.0)
        self._up = upward_ticks(self.y_axis, self.y_axis.low, self.y_axis.high, max(height / (2 * self.line), 2))
        named = bool(plate.y_name) and height > 3 * self.line
        left = (self.line if named else 0.0) + self.longest(text for _, text in self._up) + GAP + TICK
        # Half a number may stand beyond the end of the axis.
        self.area = QRectF(
            round(inner.left() + left), round(top + 2), max(inner.width() - left - 8, 8.0), round(height)
        )
        self._places = [self._scene_of(line) for line in plate.lines]
        self._write_up(inner.left(), named)
        self._write_across(inner)
        self._write_marks()

    def _lay_out_key(self, inner: QRectF) -> float:
        lines = [line for line in self.plate.lines if line.name]
        if not lines or (len(self.plate.lines) == 1 and lines[0].name == self.plate.y_name):
            self.key.clear()
            return 0.0
        strokes = patterns([line.role for line in self.plate.lines])
        entries: dict[tuple[str, str], Entry] = {}
        for line, pattern in zip(self.plate.lines, strokes, strict=True):
            if line.name:
                entries.setdefault((line.name, line.role), Entry(line.name, line.role, pattern, line.dots))
        return self.key.lay_out(self, list(entries.values()), inner)

    def _x_pixel(self, x: Any) -> Any:
        axis = self.x_axis
        return self.area.left() + (x - axis.low) / (axis.high - axis.low) * self.area.width()

    def _y_pixel(self, y: Any) -> Any:
        axis = self.y_axis
        return self.area.bottom() - (y - axis.low) / (axis.high - axis.low) * self.area.height()

    def _scene_of(self, line: Line) -> tuple[Float64, Float64]:
        xs, ys = self._x_pixel(_drawn(line.x, self.plate.x_log)), self._y_pixel(_drawn(line.y, self.plate.y_log))
        # What is far outside is drawn just as far as nobody sees: dashes of endless lines would take ages.
        area, far = self.area, FAR * (self.area.width() + self.area.height())
        return (
            np.clip(xs, area.left() - far, area.right() + far),
            np.clip(ys, area.top() - far, area.bottom() + far),
        )

    def _write_up(self, left: float, named: bool) -> None:
        end = self.area.left() - GAP - TICK
        last = math.inf
        for value, text in self._up:
            top = float(self._y_pixel(value)) - self.line / 2
            top = min(max(top, self.area.top() - 2), self.area.bottom() - self.line / 2)
            if top + self.line <= last + 2:
                self.write(text, left, top, end - left, align=1.0)
                last = top
        if named:
            room = self.area.height() + self.line
            name = self.fitted(self.plate.y_name, room)
            bottom = min(self.area.center().y() + self.width_of(name) / 2, self.area.bottom() + self.line)
            self.write_upright(self.plate.y_name, left + self.line / 2, bottom, room)

    def _write_across(self, inner: QRectF) -> None:
        axis = self.x_axis
        self._across = across_ticks(axis, axis.low, axis.high, self.area.width(), self.width_of)
        top, end = self.area.bottom() + TICK, inner.left() - GAP
        numbers: list[tuple[float, float, str]] = []  # left, right, text
        for value, text in self._across:
            width = self.width_of(text)
            left = min(max(float(self._x_pixel(value)) - width / 2, inner.left()), inner.right() - width)
            if left > end + GAP:
                numbers.append((left, left + width, text))
                end = left + width
        if self._roomy:
            self.write(self.plate.x_name, inner.left(), top + self.line, inner.width(), align=1.0)
        else:
            numbers = self._with_name(numbers, top, inner)
        for left, right, text in numbers:
            self.write(text, left, top, right - left + 1)

    def _with_name(self, numbers: list[tuple[float, float, str]], top: float, inner: QRectF) -> list[Any]:
        """Write the name of the axis at the end of the line of its numbers; those that stay beside it, two at least."""
        for kept in range(len(numbers), 1, -1):
            room = inner.right() - numbers[kept - 1][1] - 2 * GAP
            if self.width_of(self.plate.x_name) <= room or kept == 2:
                self.write(self.plate.x_name, inner.right() - room, top, room, align=1.0)
                return numbers[:kept]
        return numbers

    def _write_marks(self) -> None:
        """Upright lines, each with its text in the first row where it meets no other."""
        self._marks = []
        taken: list[QRectF] = []
        for at, text in sorted(self.plate.marks):
            x = float(self._x_pixel(_drawn(at, self.plate.x_log))) if at > 0 or not self.plate.x_log else -1.0
            if not self.area.left() - 0.5 <= x <= self.area.right() + 0.5:
                continue
            self._marks.append(x)
            place = self._room_for(text, x, taken)
            if place is not None:
                taken.append(place)
                self.write(text, place.left(), place.top(), place.width(), colour=self.theme.text)

    def _room_for(self, text: str, x: float, taken: list[QRectF]) -> QRectF | None:
        """Beside an upright line, where no other text is, and no line of the plate either if that can be."""
        full = self.width_of(text) + 1
        return self._free(full, x, taken) or self._free(min(full, self.area.width() / 2), x, taken)

    def _free(self, width: float, x: float, taken: list[QRectF]) -> QRectF | None:
        rows = min(MARK_ROWS, int(self.area.height() / self.line))
        downwards = [self.area.top() + row * self.line for row in range(rows)]
        upwards = [self.area.bottom() - (row + 1) * self.line for row in range(rows)]
        free = [
            place
            for top in (*downwards, *upwards)
            for left in (x + GAP, x - GAP - width)
            if self._is_inside(place := QRectF(left, top, width, self.line))
            and not any(place.intersects(other) for other in taken)
        ]
        clear = (place for place in free if not any(_crosses(*line, place) for line in self._places))
        return next(clear, free[0] if free else None)

    def _is_inside(self, place: QRectF) -> bool:
        return self.area.left() <= place.left() and place.right() <= self.area.right() + 8

    # The mouse --------------------------------------------------------------------------------------------

    def found_at(self, place: QPointF) -> tuple[int, int] | None:
        if not self.area.adjusted(-REACH / 4, -REACH / 4, REACH / 4, REACH / 4).contains(place):
            return None
        found, least = None, math.inf
        for number, (xs, ys) in enumerate(self._places):
            # The point beside the mouse counts, and only then which line is nearer.
            distance = 4 * np.abs(xs - place.x()) + np.abs(ys - place.y()) if len(xs) else np.array([math.inf])
            nearest = int(distance.argmin())
            if distance[nearest] < least:
                found, least = (number, nearest), float(distance[nearest])
        return found

    def mark_of(self, row: int, column: int) -> QRectF | None:
        if not (0 <= row < len(self._places) and 0 <= column < len(self._places[row][0])):
            return None
        x, y = (float(side[column]) for side in self._places[row])
        if not self.area.adjusted(-1, -1, 1, 1).contains(QPointF(x, y)):
            return None
        return QRectF(x - MARKED, y - MARKED, 2 * MARKED, 2 * MARKED)

    # Drawing ----------------------------------------------------------------------------------------------

    def draw_picture(self, painter: QPainter) -> None:
        area = self.area
        painter.setPen(QPen(self.ink(self.theme.line), 1.0))
        for value, _ in self._up:
            y = math.floor(float(self._y_pixel(value))) + 0.5
            painter.drawLine(QPointF(area.left() - TICK, y), QPointF(area.right(), y))
        for value, _ in self._across:
            x = math.floor(float(self._x_pixel(value))) + 0.5
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + TICK))
        painter.drawLine(QPointF(area.left(), area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5))
        for x in self._marks:
            pen = QPen(self.ink(self.theme.muted), self.theme.pen)
            pen.setDashPattern([3.0, 3.0])
            painter.setPen(pen)
            painter.drawLine(QPointF(math.floor(x) + 0.5, area.top()), QPointF(math.floor(x) + 0.5, area.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.key.draw(painter, self.theme)
        painter.save()
        painter.setClipRect(area.adjusted(-3, -3, 3, 3))
        strokes = patterns([line.role for line in self.plate.lines])
        # The first line is the one that matters: it lies on top.
        for line, places, pattern in reversed(list(zip(self.plate.lines, self._places, strokes, strict=True))):
            self._draw_line(painter, line, *places, pattern)
        painter.restore()
        self._draw_grounds(painter)

    def _draw_line(self, painter: QPainter, line: Line, xs: Float64, ys: Float64, pattern: tuple[float, ...]) -> None:
        # A wide line that goes up and down all over the plate is costly, and only darkens it.
        fine = len(xs) > MANY or float(np.abs(np.diff(ys)).sum()) > LONG * self.area.height()
        pen = pen_of(line.role, pattern, self.theme, fine=fine)
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(*thinned(xs, ys), strict=True)]))
        if (line.dots and len(xs) <= MOST_DOTS) or len(xs) == 1:
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
                dot(painter, QPointF(x, y), pen.color(), self.theme)

    def _draw_grounds(self, painter: QPainter) -> None:
        """A veil under the texts of marks, so that lines do not run through them."""
        texts = {text for _, text in self.plate.marks}
        for word in self.words:
            if word.whole in texts and self.area.adjusted(0, 0, 9, 0).contains(word.rect):
                painter.fillRect(word.rect, faded(self.theme.panel, 0.8))


def _drawn(values: Any, log: bool) -> Any:
    """Values as they are drawn: logarithms to base 10 along a logarithmic axis, where 0 lies far below everything."""
    return np.log10(np.maximum(values, LEAST)) if log else values


def _ends(values: list[Float64], log: bool) -> tuple[float, float]:
    every = np.concatenate([np.zeros(0), *values])
    every = _drawn(every[every > 0], log) if log else every
    if not len(every):
        return 0.0, 1.0
    return float(every.min()), float(every.max())


def _x_axis(plate: LinePlate) -> AxisRange:
    low, high = _ends([line.x for line in plate.lines], plate.x_log)
    if high - low < 1e-12 * max(abs(high), 1.0):
        low, high = low - 0.5, high + 0.5
    return AxisRange(plate.x_name, low, high, log=plate.x_log, whole=plate.x_whole)


def _y_axis(plate: LinePlate) -> AxisRange:
    if plate.y_range is not None:
        low, high = (float(_drawn(end, plate.y_log)) for end in plate.y_range)
    else:
        low, high = _ends([line.y for line in plate.lines], plate.y_log)
        wider = BESIDE * (high - low)
        low, high = low - wider, high + wider
    if high - low < 1e-9 * max(abs(high), 1.0):
        half = 0.5 if plate.y_log or high == 0 else abs(high) / 2
        low, high = low - half, high + half
    return AxisRange(plate.y_name, low, high, log=plate.y_log)


def thinned(xs: Float64, ys: Float64) -> tuple[list[float], list[float]]:
    """A line in pixels (n,) with at most four points for each column of pixels: first, lowest, highest and last."""
    columns = np.floor(xs)
    starts = np.flatnonzero(np.concatenate(([True], columns[1:] != columns[:-1]))) if len(xs) else np.zeros(0, int)
    if len(xs) <= 4 * len(starts):
        return xs.tolist(), ys.tolist()
    ends = np.append(starts[1:], len(xs))
    kept = set(starts.tolist()) | set((ends - 1).tolist())
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        kept |= {start + int(ys[start:end].argmin()), start + int(ys[start:end].argmax())}
    order = sorted(kept)
    return xs[order].tolist(), ys[order].tolist()


def _crosses(xs: Float64, ys: Float64, place: QRectF) -> bool:
    """Whether a line from left to right runs through a rectangle."""
    if not len(xs) or xs[-1] < place.left() or xs[0] > place.right():
        return False
    inside = xs[(xs >= place.left()) & (xs <= place.right())]
    at = np.concatenate((np.linspace(max(place.left(), xs[0]), min(place.right(), xs[-1]), 9), inside))
    heights = np.interp(at, xs, ys)
    return bool((heights.min() <= place.bottom()) & (heights.max() >= place.top()))
