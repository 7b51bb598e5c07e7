"""The patches of an image, coloured by their similarity to the inspected spot, and the axis each pair reads."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsItem, QGraphicsLineItem, QGraphicsRectItem, QGraphicsSimpleTextItem, QWidget

from pe_desktop.core.part_grid import Cell, GridPart
from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.theme import Theme
from pe_desktop.views.axes import ColourBar
from pe_desktop.views.grid_items import AxisLanes, PatchLabels, outline
from pe_desktop.views.guides import Frame
from pe_desktop.views.letters import Letters
from pe_desktop.views.panel import Panel
from pe_desktop.views.plot import Plot
from pe_desktop.views.plotting import (
    VOID,
    Bytes,
    StepImage,
    font,
    ink_on,
    minus,
    sequential_steps,
    sequential_table,
    short_text,
)

LEAST_GRID = 48.0  # pixels of height below which the words around the patches give way
LEAST_SIDE = 40.0  # of a picture with few columns or rows
MOST_STRETCH = 2.0
WHOLE_CELL = 4.0
BELOW = 8.0


class GridView(Panel):
    """Draws a :class:`GridPart`."""

    part_name = "grid"
    name = "Grid of patches"
    is_pane = True

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, Plot(), parent)
        scene = self.plot.scene()
        self.image, self.labels, self.lanes, self.bar = StepImage(), PatchLabels(), AxisLanes(), ColourBar()
        self.spot, self.key, self.pair_line = QGraphicsRectItem(), QGraphicsRectItem(), QGraphicsLineItem()
        self.before, self.after = QGraphicsSimpleTextItem(), QGraphicsSimpleTextItem()
        items: tuple[QGraphicsItem, ...] = (
            self.image,
            self.labels,
            self.key,
            self.spot,
            self.lanes,
            self.pair_line,
            self.bar,
            self.before,
            self.after,
        )
        for z, item in enumerate(items):
            item.setZValue(z)
            item.setVisible(False)
            scene.addItem(item)
        self.cursor_frame = Frame(scene, 20)
        self._letters = Letters()
        self._dark = np.zeros(256, dtype=np.bool_)
        self._cell = (1.0, 1.0)
        self._rect = QRectF()
        self.plot.set_margins(0, 2, 0, 2)
        self.plot.take_keys((Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down))
        self.plot.key_pressed.connect(self._on_plot_key_pressed)
        self.set_theme(theme)

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        table = sequential_table(theme)
        self._dark = ink_on(table)
        self.image.set_table(table)
        self.bar.set_theme(theme, table)
        for piece in (self.labels, self.lanes):
            piece.set_theme(theme)
        small = font(theme.small)
        self._letters.set_font(small)
        for text in (self.before, self.after):
            text.setFont(small)
            text.setBrush(QColor(theme.muted))
        self.spot.setPen(outline(theme.query, 2.5 * theme.pen))
        self.key.setPen(outline(theme.key, 2.5 * theme.pen))
        self.pair_line.setPen(outline(theme.text, theme.pen))
        self.cursor_frame.set_look(QColor("#16191D"), QColor("#FFFFFF"), theme.pen)

    def _draw(self, part: GridPart, before: GridPart | None) -> None:
        self._lay_out(part)
        steps = self._steps(part)
        self.image.set_steps(steps)
        self.image.setRect(self._rect)
        self._draw_labels(part, steps)
        self.bar.set_texts(end_texts(part.low, part.high))
        self._place_marks(part)
        if before is None or before.shape != part.shape or before.axis_names != part.axis_names:
            self._announce_size()

    @staticmethod
    def _steps(part: GridPart) -> Bytes:
        steps = sequential_steps(part.values - np.float32(part.low), part.high - part.low)
        steps[~part.held] = VOID
        return steps

    def _line(self) -> float:
        return float(self._letters.metrics.height())

    def _slot(self, part: GridPart) -> tuple[QRectF, bool]:
        """Room for the patches in scene pixels, and whether words stand above and below them."""
        slot = self.plot.area.adjusted(0, 0, -self._bar_room, -self._lanes_height(part) - BELOW)
        line = self._line() + 2
        worded = slot.adjusted(0, line if part.before else 0, 0, -line if part.after else 0)
        wordy = worded.height() >= LEAST_GRID
        return worded if wordy else slot, wordy

    @property
    def _bar_room(self) -> float:
        return 8.0 + ColourBar.WIDTH + 4.0 + self._letters.width("−0.0888") + 4.0

    def _lanes_height(self, part: GridPart) -> float:
        """Height of the lanes with their caption, or without it where the patches need the room."""
        full = self.lanes.height_of(len(part.axis_names))
        tight = self.plot.area.height() - full - BELOW < LEAST_GRID
        return self.lanes.lane * len(part.axis_names) if tight else full

    def _lay_out(self, part: GridPart) -> None:
        area = self.plot.area
        slot, wordy = self._slot(part)
        rows, columns = part.values.shape
        self._cell = cell_size(slot, rows, columns)
        self._rect = QRectF(round(slot.left()), round(slot.top()), self._cell[0] * columns, self._cell[1] * rows)
        self.bar.set_rect(QRectF(self._rect.right() + 8, self._rect.top(), self._bar_room - 8, self._rect.height()))
        height = self._lanes_height(part)
        lanes = QRectF(area.left(), area.bottom() - height, area.width(), height)
        self.lanes.set_axes(part.axis_names, part.axis_notes, part.pair_axis, lanes)
        self._place_words(self.before, part.before if wordy else (), self._rect.top() - self._line() - 2)
        self._place_words(self.after, part.after if wordy else (), self._rect.bottom() + 2)
        for item in (self.image, self.lanes, self.bar):
            item.setVisible(True)

    def _place_words(self, item: QGraphicsSimpleTextItem, texts: tuple[str, ...], top: float) -> None:
        """Write the longest of some texts that fits."""
        text = next((text for text in texts if self._letters.width(text) <= self.plot.area.width()), "")
        item.setVisible(bool(text))
        if text:
            item.setText(text)
            item.setPos(self._rect.left(), round(top))

    def _draw_labels(self, part: GridPart, steps: Bytes) -> None:
        shown = self.labels.fits(part.labels, self._cell)
        self.labels.setVisible(shown)
        if shown:
            dark = self._dark[steps[part.held]].tolist()
            self.labels.set_labels(part.labels, self._rect, self._cell, dark)

    def _place_marks(self, part: GridPart) -> None:
        for item, cell, drawn in ((self.key, part.key, 0.0), (self.spot, part.spot, self.theme.pen)):
            item.setVisible(cell is not None)
            if cell is not None:
                # The query's outline lies within the key's where both are on one patch.
                inset = drawn if part.spot == part.key else 0.0
                item.setRect(self._rect_of(cell).adjusted(inset, inset, -inset, -inset))

    def _rect_of(self, cell: Cell) -> QRectF:
        """Where a patch is; in a picture of means, the cell it is part of, at least so large that it can be seen."""
        width, height = self._cell
        row, column = cell[0] // self._part.row_step, cell[1] // self._part.column_step
        rect = QRectF(self._rect.left() + column * width, self._rect.top() + row * height, width, height)
        wider, higher = (max(0.0, 6.0 - side) / 2 for side in (width, height))
        return rect.adjusted(-wider, -higher, wider, higher)

    def _lay_out_anew(self) -> None:
        self._draw(self._part, self._part)

    def _show_cursor(self, cursor: Cursor) -> None:
        if not self._drawn:
            return
        cell = None if cursor.position is None else self._patch(cursor.position)
        if cell is None:
            self.cursor_frame.hide()
        else:
            self.cursor_frame.place(self._rect_of(cell))
        pair = cursor.pair
        shown = pair is not None and 0 <= pair < len(self._part.pair_axis)
        self.pair_line.setVisible(shown)
        if shown and pair is not None:
            at, bar = round(self.lanes.middle_of(pair)) + 0.5, self.lanes.bar
            self.pair_line.setLine(at, bar.top(), at, bar.bottom())

    def _on_emptied(self, empty: bool) -> None:
        if empty:
            self.cursor_frame.hide()

    def _announce_size(self) -> None:
        if not self.isVisible() or self._part is None or self._part.kind != "grid":
            return
        slot, _ = self._slot(self._part)
        ratio = self.devicePixelRatioF()
        self.lab.set_viewport(grid=(max(1, int(slot.height() * ratio)), max(1, int(slot.width() * ratio))))

    # The mouse and the keys -------------------------------------------------------------------------------

    def _patch(self, position: int) -> Cell | None:
        part = self._part
        inside = position - part.first
        return divmod(inside, part.shape[1]) if 0 <= inside < part.patches else None

    def _token_at(self, place: QPointF) -> int | None:
        """The token whose patch is under the mouse; in a picture of means the one in the middle of the cell."""
        part = self._part
        if not self._drawn or not self._rect.contains(place):
            return None
        rows, columns = part.shape
        row = int((place.y() - self._rect.top()) / self._cell[1]) * part.row_step + part.row_step // 2
        column = int((place.x() - self._rect.left()) / self._cell[0]) * part.column_step + part.column_step // 2
        inside = min(row, rows - 1) * columns + min(column, columns - 1)
        return part.first + inside if inside < part.patches else None

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        if not self._drawn:
            return
        token, pair = self._token_at(place), self.lanes.pair_at(place)
        if token is not None:
            self.lab.set_cursor(Cursor(view=self.part_name, position=token))
        elif pair is not None:
            self.lab.set_cursor(Cursor(view=self.part_name, pair=pair))
        elif self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    @Slot(QPointF)
    def _on_plot_clicked(self, place: QPointF) -> None:
        token = self._token_at(place)
        if token is not None:
            self.lab.request(position=token)

    @Slot(int)
    def _on_plot_key_pressed(self, key: int) -> None:
        if not self._drawn:
            return
        row = self._part.shape[1]
        steps: dict[int, int] = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -row,
            Qt.Key.Key_Down: row,
        }
        state = self.lab.state
        self.lab.request(position=min(max(state.position + steps[key], 0), state.length - 1))


def end_texts(low: float, high: float) -> tuple[str, ...]:
    """The ends of the colour bar, from the top, with as many digits as tell them apart; one text where none do."""
    texts = short_text(high), short_text(low)
    for digits in (4, 5):
        if texts[0] == texts[1]:
            texts = minus(f"{high:.{digits}f}"), minus(f"{low:.{digits}f}")
    return texts if texts[0] != texts[1] else (short_text(high),)


def cell_size(slot: QRectF, rows: int, columns: int) -> tuple[float, float]:
    """Width and height of a cell: nearly square, in whole pixels where there are enough, never too thin to be seen."""
    width, height = slot.width() / columns, slot.height() / rows
    pitch = min(width, height)
    width = min(width, max(pitch * MOST_STRETCH, LEAST_SIDE / columns))
    height = min(height, max(pitch * MOST_STRETCH, LEAST_SIDE / rows))
    whole = [float(int(side)) if side >= WHOLE_CELL else side for side in (width, height)]
    return whole[0], whole[1]
