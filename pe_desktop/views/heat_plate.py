"""A plane of cells of an experiment: labels at its sides, numbers in its cells, a legend of its colours below."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from pe_desktop.core.experiment import HeatPlate
from pe_desktop.core.parts import Float32
from pe_desktop.theme import Theme
from pe_desktop.views.heatmap import strongest
from pe_desktop.views.plate import PlateItem, aspects, is_square
from pe_desktop.views.plotting import (
    Bytes,
    diverging_steps,
    diverging_table,
    ink_on,
    minus,
    sequential_steps,
    sequential_table,
    short_text,
    ticks,
    whole_text,
)
from pe_desktop.views.words import chosen

GAP = 5.0
ROW_SHARE, COLUMN_SHARE = 0.4, 0.33  # of width and height, for labels at most
WHOLE_CELL = 4.0
LEGEND = (24.0, 60.0)  # least and most width of the bar of colours
LEAST_MARK = 4.0
DARK_INK, LIGHT_INK = "#16191D", "#FFFFFF"


class HeatPlateItem(PlateItem):
    """Paints a :class:`HeatPlate`."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = QRectF()
        self.legend = QRectF()
        self._table: Bytes = np.zeros((256, 3), dtype=np.uint8)
        self._steps: Bytes = np.zeros((1, 1), dtype=np.uint8)
        self._numbers: list[tuple[QRectF, str, bool]] = []

    @property
    def plate(self) -> HeatPlate:
        """What is shown."""
        assert isinstance(self._plate, HeatPlate)
        return self._plate

    @property
    def diverging(self) -> bool:
        """Whether colours run either side of 0."""
        return self.plate.low == -self.plate.high and self.plate.high > 0

    @property
    def pitch(self) -> tuple[float, float]:
        """Width and height of a cell, pixels."""
        rows, columns = self.plate.values.shape
        return self.cells.width() / columns, self.cells.height() / rows

    @property
    def blocks(self) -> tuple[int, int] | None:
        """Cells that share a pixel (down, across) at most, None where every cell has pixels of its own."""
        width, height = self.pitch
        return None if min(width, height) >= 1.0 else (math.ceil(1 / min(height, 1.0)), math.ceil(1 / min(width, 1.0)))

    @property
    def numbers(self) -> list[str]:
        """The numbers written into the cells, row by row."""
        return [text for _, text, _ in self._numbers]

    @property
    def note(self) -> str:
        own = self.plate.note
        if self.blocks is None:
            return own
        down, across = self.blocks
        pooled = f"each pixel: strongest of up to {down} × {across} cells"
        return f"{pooled} · {own}" if own else pooled

    # Layout -----------------------------------------------------------------------------------------------

    def _lay_out(self, inner: QRectF) -> None:
        plate = self.plate
        self._table = diverging_table(self.theme) if self.diverging else sequential_table(self.theme)
        below = self.line + GAP
        upright = self._lay_out_cells(inner.adjusted(0, 0, 0, -below))
        self._write_rows(inner)
        self._write_columns(inner, upright)
        numbered = 0.0 if plate.column_labels else self.line
        self._lay_out_legend(QRectF(inner.left(), self.cells.bottom() + numbered + GAP, inner.width(), self.line))
        self._colour()
        self._lay_out_numbers()

    def _row_texts(self) -> tuple[str, ...]:
        plate = self.plate
        if plate.row_labels:
            return plate.row_labels
        last = plate.first_row + plate.values.shape[0] - 1
        return (f"{plate.first_row:,}", f"{last:,}")

    def _lay_out_cells(self, inner: QRectF) -> bool:
        """Share a rectangle between labels and cells; whether the labels of columns stand upright."""
        plate = self.plate
        rows, columns = plate.values.shape
        left = self.longest(self._row_texts(), ROW_SHARE * inner.width()) + GAP
        width = max(inner.width() - left, 8.0)
        longest = self.longest(plate.column_labels, COLUMN_SHARE * inner.height()) if plate.column_labels else 0.0
        whole = self.longest(plate.column_labels)
        for upright in (False, True):
            cut = upright and longest < min(whole, 2 * self.line)  # to nothing that can be read
            top = 0.0 if cut or not plate.column_labels else (longest if upright else self.line) + GAP
            bottom = 0.0 if plate.column_labels else self.line
            height = max(inner.height() - top - bottom, 8.0)
            wide, high = self._stretched(width, height)
            if upright or not plate.column_labels or whole + GAP <= wide / columns or self._are_short(whole):
                break
        wide, high = (_whole(wide, columns), _whole(high, rows))
        self.cells = QRectF(round(inner.left() + left), round(inner.top() + top), wide, high)
        return upright and bool(plate.column_labels)

    def _stretched(self, width: float, height: float) -> tuple[float, float]:
        """The cells' share of a room, neither too wide nor too high for what they are."""
        if not is_square(self.plate):
            return width, height
        least, most = aspects(self.plate)
        return min(width, most * height), min(height, width / least)

    def _are_short(self, longest: float) -> bool:
        """Whether labels are better left out here and there than turned."""
        return longest <= 1.4 * self.line

    def _write_rows(self, inner: QRectF) -> None:
        plate, height = self.plate, self.pitch[1]
        room = self.cells.left() - GAP - inner.left()
        count = plate.values.shape[0]
        if plate.row_labels:
            # Letters are a little lower than a line; labels may stand that close.
            marked = [row for row, _ in plate.marked]
            slots = chosen(count, height, 0.85 * self.line, marked)
            labels = [(slot, plate.row_labels[slot]) for slot in slots]
        else:
            labels = _numbered(plate.first_row, count, self.cells.height() / (1.6 * self.line))
        for slot, text in labels:
            top = self.cells.top() + (slot + 0.5) * height - self.line / 2
            top = min(max(top, inner.top() - 2), self.cells.bottom() + 2 - self.line) if height < self.line else top
            self.write(text, inner.left(), top, room, align=1.0, colour=self._label_colour(plate.row_labels))

    def _label_colour(self, labels: Sequence[str]) -> str:
        return self.theme.text if labels else self.theme.muted

    def _write_columns(self, inner: QRectF, upright: bool) -> None:
        plate, width = self.plate, self.pitch[0]
        count = plate.values.shape[1]
        marked = [column for _, column in plate.marked]
        colour = self._label_colour(plate.column_labels)
        if upright:
            bottom = self.cells.top() - GAP + 1
            for slot in chosen(count, width, 0.85 * self.line, marked):
                middle = self.cells.left() + (slot + 0.5) * width
                self.write_upright(plate.column_labels[slot], middle, bottom, bottom - inner.top() + 1, colour)
            return
        if plate.column_labels:
            widest = self.longest(plate.column_labels)
            slots = chosen(count, width, 0.0 if widest + GAP <= width else widest + GAP, marked)
            labels = [(slot, plate.column_labels[slot]) for slot in slots]
            top = self.cells.top() - GAP + 1 - self.line
        else:
            widest = self.longest((f"{plate.first_column + count - 1:,}",))
            labels = _numbered(plate.first_column, count, self.cells.width() / (widest + 16))
            top = self.cells.bottom() + 1
        for slot, text in labels:
            own = self.width_of(text)
            left = self.cells.left() + (slot + 0.5) * width - own / 2
            left = max(min(left, self._rect.right() - own - 1), inner.left())
            self.write(text, left, top, own + 1, colour=colour)

    def _lay_out_legend(self, strip: QRectF) -> None:
        """The bar of colours with its ends, and before it what rows and columns are."""
        plate = self.plate
        low, high = short_text(plate.low), short_text(plate.high)
        texts = self.width_of(low) + self.width_of(high) + 2 * GAP + 2
        caption = self._caption(strip.width() - texts - LEGEND[0] - 2 * GAP)
        bar = min(max(strip.width() - texts - self.width_of(caption) - 4 * GAP, LEGEND[0]), LEGEND[1])
        bar = max(min(bar, strip.width() - texts), LEAST_MARK)
        right = min(max(self.cells.right(), strip.left() + texts + bar), strip.right())
        left = right - texts - bar
        if self.width_of(caption) + 3 * GAP > left - strip.left():
            left = max(strip.right() - texts - bar, strip.left())
        self.write(low, left, strip.top(), self.width_of(low) + 1)
        self.legend = QRectF(left + self.width_of(low) + GAP, strip.top() + strip.height() / 2 - 4, bar, 8.0)
        self.write(high, self.legend.right() + GAP, strip.top(), strip.right() - self.legend.right() - GAP)
        start = max(min(self.cells.left(), left - 2 * GAP - self.width_of(caption)), strip.left())
        self.write(caption, start, strip.top(), left - GAP - start)

    def _caption(self, room: float) -> str:
        """What rows and columns are, as far as there is room for it."""
        rows, columns = self.plate.row_name, self.plate.column_name
        down, across = f"↓ {rows}" if rows else "", f"→ {columns}" if columns else ""
        forms = (f"{down}   {across}".strip(), f"{down} {across}".replace("↓ ", "↓").replace("→ ", "→").strip())
        return next((form for form in forms if self.width_of(form) <= room), "")

    # Cells ------------------------------------------------------------------------------------------------

    def _pooled(self) -> Float32:
        if self.blocks is None:
            return self.plate.values
        return strongest(self.plate.values, int(self.cells.height()), int(self.cells.width()))

    def _colour(self) -> None:
        plate, values = self.plate, self._pooled()
        if self.diverging:
            self._steps = diverging_steps(values, plate.high)
        else:
            self._steps = sequential_steps(values - np.float32(plate.low), plate.high - plate.low)

    def _lay_out_numbers(self) -> None:
        self._numbers = []
        plate, (width, height) = self.plate, self.pitch
        if plate.digits is None or height < self.line:
            return
        if width < self.width_of("0." + "0" * plate.digits) + 4:
            return
        texts = [[_decimals(value, plate.digits) for value in row] for row in plate.values.tolist()]
        if self.longest(text for row in texts for text in row) + 4 > width:
            return
        dark = ink_on(self._table)[self._steps].tolist()
        for row, (line, inks) in enumerate(zip(texts, dark, strict=True)):
            for column, (text, is_dark) in enumerate(zip(line, inks, strict=True)):
                self._numbers.append((self._cell(row, column), text, is_dark))

    def _cell(self, row: int, column: int) -> QRectF:
        width, height = self.pitch
        return QRectF(self.cells.left() + column * width, self.cells.top() + row * height, width, height)

    def found_at(self, place: QPointF) -> tuple[int, int] | None:
        if not self.cells.contains(place):
            return None
        # Where cells share a pixel, the one whose colour it has.
        rows, columns = self.plate.values.shape
        down = _block(place.y() - self.cells.top(), self.cells.height(), rows)
        across = _block(place.x() - self.cells.left(), self.cells.width(), columns)
        some = np.abs(self.plate.values[down, across])
        row, column = np.unravel_index(int(some.argmax()), some.shape)
        return down.start + int(row), across.start + int(column)

    def mark_of(self, row: int, column: int) -> QRectF | None:
        rows, columns = self.plate.values.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        rect = self._cell(row, column)
        wider, higher = (max(0.0, LEAST_MARK - side) / 2 for side in (rect.width(), rect.height()))
        return rect.adjusted(-wider, -higher, wider, higher)

    # Drawing ----------------------------------------------------------------------------------------------

    def draw_picture(self, painter: QPainter) -> None:
        self._draw_image(painter, self._steps, self.cells)
        bar = np.arange(1, 256, dtype=np.uint8)[None, :]
        self._draw_image(painter, bar, self.legend)
        painter.setFont(self._plain.font)
        for is_dark, colour in ((True, DARK_INK), (False, LIGHT_INK)):
            painter.setPen(self.ink(colour))
            for rect, text, dark in self._numbers:
                if dark is is_dark:
                    left = rect.center().x() - self.width_of(text) / 2
                    self._plain.write(painter, left, rect.center().y() - self.line / 2, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, column in self.plate.marked:
            place = self.mark_of(row, column)
            if place is not None:
                self._draw_ring(painter, place)

    def _draw_image(self, painter: QPainter, steps: Bytes, rect: QRectF) -> None:
        red, green, blue = self._table.T.astype(np.uint32)
        pixels = np.ascontiguousarray((0xFF000000 | red << 16 | green << 8 | blue)[steps])
        height, width = pixels.shape
        # QImage does not own the pixels; they live until the end of this function.
        painter.drawImage(rect, QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32))

    def _draw_ring(self, painter: QPainter, rect: QRectF) -> None:
        """A round outline with a halo, so that it shows on every colour."""
        inside = rect.adjusted(1.5, 1.5, -1.5, -1.5) if min(rect.width(), rect.height()) > 8 else rect
        radius = min(inside.width(), inside.height()) / 3
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((LIGHT_INK, 2.0 * self.theme.pen + 2.0), (DARK_INK, 1.5 * self.theme.pen)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRoundedRect(inside, radius, radius)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._table = sequential_table(theme)


def _block(at: float, length: float, cells: int) -> slice:
    """The cells under a place, pixels from the first: one, or where they outnumber pixels those that share it."""
    count = min(cells, int(length))
    block = min(int(at / length * count), count - 1)
    return slice(block * cells // count, (block + 1) * cells // count)


def _whole(side: float, count: int) -> float:
    """A side in whole pixels per cell where there are enough of them, so that all cells are equally large."""
    return float(int(side / count) * count if side / count >= WHOLE_CELL else max(int(side), 1))


def _numbered(first: int, count: int, most: float) -> list[tuple[int, str]]:
    """(slot, text) of numbers beside rows or columns that count from `first`."""
    if count == 1:
        return [(0, f"{first:,}")]
    values, step = ticks(first, first + count - 1, max(most, 1.0), whole=True)
    return [(round(value) - first, whole_text(value, step)) for value in values]


def _decimals(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return minus(text if float(text) != 0.0 else f"{0:.{digits}f}")
