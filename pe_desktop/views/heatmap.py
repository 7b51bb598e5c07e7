"""One heatmap of word against word: cells, words, numbers, and outlines."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem, QGraphicsScene, QGraphicsSimpleTextItem

from pe_desktop.core.parts import Float32
from pe_desktop.theme import Theme
from pe_desktop.views.guides import Frame
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import VOID, Bytes, StepImage, font, ink_on
from pe_desktop.views.words import Layout, WordLabels, lay_out

MOST_NUMBERED = 8
BELOW_TITLE = 6.0  # pixels between the title of a map and the words of its columns


class CellNumbers(QGraphicsItem):
    """The weights written into their cells, dark on light colours and light on dark ones."""

    def __init__(self) -> None:
        super().__init__()
        self._rect = QRectF()
        self._letters = Letters()
        self.texts: list[tuple[float, float, str, bool]] = []

    def set_font(self, face: QFont) -> None:
        """Take a font."""
        self._letters.set_font(face)

    def fits(self, layout: Layout) -> bool:
        """Whether two decimals fit into the cells."""
        metrics = self._letters.metrics
        width, height = layout.pitch
        return width >= metrics.horizontalAdvance("−0.00") + 4 and height >= metrics.height()

    def set_numbers(self, layout: Layout, texts: list[list[str]], dark: NDArray[np.bool_]) -> None:
        """Write `texts` into the cells; `dark` (n, n) says where the ink is dark."""
        if layout.cells != self._rect:
            self.prepareGeometryChange()
            self._rect = QRectF(layout.cells)
        width, height = layout.pitch
        left, top = layout.cells.left(), layout.cells.top() + (height - self._letters.metrics.height()) / 2
        self.texts = [
            (left + (key + 0.5) * width - self._letters.width(text) / 2, top + query * height, text, is_dark)
            for query, (row, inks) in enumerate(zip(texts, dark.tolist(), strict=True))
            for key, (text, is_dark) in enumerate(zip(row, inks, strict=True))
        ]

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        painter.setFont(self._letters.font)
        for is_dark, colour in ((True, "#16191D"), (False, "#FFFFFF")):
            painter.setPen(QColor(colour))
            for left, top, text, dark in self.texts:
                if dark is is_dark and text:
                    self._letters.write(painter, left, top, text)


class Heatmap:
    """The items of one map, placed together."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.image = StepImage()
        self.words, self.numbers = WordLabels(), CellNumbers()
        self.title = QGraphicsSimpleTextItem()
        self.row, self.column = QGraphicsRectItem(), QGraphicsRectItem()
        self.cursor = Frame(scene, 5)
        self.layout: Layout | None = None
        self._slot = QRectF()
        self._reach = 0.0
        self._moved = True
        self._texts: list[list[str]] | None = None
        self._items: list[QGraphicsItem] = [self.image, self.words, self.numbers, self.title, self.row, self.column]
        for z, item in enumerate(self._items):
            item.setZValue(z * 0.5)
            scene.addItem(item)
        # Its ground lies under the cells as well.
        self.words.setZValue(-1)
        self._dark = np.zeros(256, dtype=np.bool_)
        self.hide()

    @property
    def shown(self) -> bool:
        """Whether it is on the picture."""
        return self.image.isVisible()

    def set_theme(self, theme: Theme, table: Bytes, title: str) -> None:
        """Take colours, the colour table (256, 3) and the colour of the title."""
        self._dark, self._moved = ink_on(table), True
        self.image.set_table(table)
        self.words.set_theme(theme)
        self.numbers.set_font(font(theme.small))
        self.title.setFont(font(theme.small, bold=True))
        self.title.setBrush(QColor(title))
        self.row.setPen(_outline(theme.query, theme.pen))
        self.column.setPen(_outline(theme.key, theme.pen))
        self.cursor.set_look(QColor("#16191D"), QColor("#FFFFFF"), theme.pen)

    def place(
        self,
        slot: QRectF,
        words: tuple[str, ...],
        marked: tuple[int, ...],
        *,
        title: bool,
        longest: float,
        reach: float,
    ) -> None:
        """Lay out words and cells within a slot.

        `longest` is the width in pixels that words may need; the title may extend to `reach`, beyond the slot.
        """
        line = QFontMetricsF(self.title.font()).height()
        inner = slot.adjusted(0, line + BELOW_TITLE if title else 0, 0, 0)
        self.layout = lay_out(inner, longest, line, len(words))
        self.words.set_words(words, marked, self.layout, inner)
        self._slot, self._reach = QRectF(slot), reach
        self._moved = True
        for item in self._items[:3]:
            item.setVisible(True)
        self.title.setVisible(title)
        self._place_image()

    def set_title(self, *texts: str) -> None:
        """Write above the cells the first of some texts that has room, the last one shortened if none has."""
        metrics, room = QFontMetricsF(self.title.font()), self._reach - self._slot.left()
        text = next((text for text in texts if metrics.horizontalAdvance(text) <= room), "")
        text = text or metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, room)
        if text != self.title.text():
            self.title.setText(text)
        if self.layout is not None:
            furthest = self._reach - self.title.boundingRect().width()
            left = max(min(self.layout.cells.left(), furthest), self._slot.left())
            self.title.setPos(math.floor(left), self._slot.top())

    def _place_image(self) -> None:
        if self.layout is not None and self.image.image is not None:
            self.image.setRect(self.layout.cells)

    @property
    def blocks(self) -> tuple[int, int] | None:
        """Cells that share a pixel (down, across) at most, None where every cell has pixels of its own."""
        assert self.layout is not None
        width, height = self.layout.pitch
        return None if min(width, height) >= 1.0 else (math.ceil(1 / height), math.ceil(1 / width))

    def pooled(self, values: Float32) -> Float32:
        """The strongest of the cells under each pixel (its sign kept), where cells outnumber pixels.

        Qt would draw every n-th cell and lose the strong links that a long sentence is looked at for.
        """
        if self.blocks is None:
            return values
        assert self.layout is not None
        return strongest(values, int(self.layout.cells.height()), int(self.layout.cells.width()))

    def set_values(self, steps: Bytes, texts: list[list[str]] | None) -> None:
        """Show cells given as steps (n, n) of the table, with numbers in them where they fit."""
        old = self.image.image
        same = old is not None and old.shape == steps.shape and bool((old == steps).all())
        if same and texts == self._texts and not self._moved:
            return
        self._texts, self._moved = texts, False
        self.image.set_steps(steps)
        if old is None or old.shape != steps.shape:
            self._place_image()
        assert self.layout is not None
        if texts is not None and self.numbers.fits(self.layout):
            self.numbers.set_numbers(self.layout, texts, self._dark[steps])
            self.numbers.setVisible(True)
        else:
            self.numbers.setVisible(False)

    def mark(self, query: int | None, key: int | None) -> None:
        """Outline the row of the query and the column of the key; None takes an outline away."""
        layout = self.layout
        for item, slot, across in ((self.row, query, True), (self.column, key, False)):
            if slot is None or layout is None or not self.shown or not 0 <= slot < layout.count:
                item.setVisible(False)
                continue
            item.setRect(_inset(strip(layout, slot, row=across)))
            item.setVisible(True)

    def point(self, query: int | None, key: int | None) -> None:
        """Outline what the cursor is on: a cell, or a whole row where it names only the query."""
        layout = self.layout
        if query is None or layout is None or not self.shown or not 0 <= query < layout.count:
            self.cursor.hide()
            return
        if key is None or not 0 <= key < layout.count:
            self.cursor.place(_inset(strip(layout, query, row=True)))
        else:
            self.cursor.place(_inset(layout.cell(query, key)))

    def hide(self) -> None:
        """Take it off the picture."""
        for item in self._items:
            item.setVisible(False)
        self.cursor.hide()


def masked(steps: Bytes) -> Bytes:
    """Steps (h, w) with every key after its query marked as holding no value."""
    height, width = steps.shape
    first_key = np.arange(width) / width
    last_query = np.arange(1, height + 1) / height
    steps[first_key[None, :] >= last_query[:, None] - 1e-9] = VOID
    return steps


def strongest(values: Float32, height: int, width: int) -> Float32:
    """The strongest cell (its sign kept) of each block of a plane (h, w) that has so many pixels and more cells."""
    rows, columns = _edges(values.shape[0], height), _edges(values.shape[1], width)
    high = np.maximum.reduceat(np.maximum.reduceat(values, rows, axis=0), columns, axis=1)
    low = np.minimum.reduceat(np.minimum.reduceat(values, rows, axis=0), columns, axis=1)
    return np.where(high >= -low, high, low)


def _edges(cells: int, pixels: int) -> NDArray[np.intp]:
    """First cell of each block when cells share pixels, shape (min(cells, pixels),)."""
    return np.arange(0, min(cells, pixels)) * cells // min(cells, pixels)


def number_texts(values: NDArray[np.float32], *, causal: bool) -> list[list[str]] | None:
    """Two decimals for each cell, "" for masked ones; None for more words than can be read."""
    if len(values) > MOST_NUMBERED:
        return None
    return [
        ["" if causal and key > query else _two(value) for key, value in enumerate(row)]
        for query, row in enumerate(values.tolist())
    ]


def _two(value: float) -> str:
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "\u2212")


def strip(layout: Layout, slot: int, *, row: bool) -> QRectF:
    """Rectangle of a whole row or column."""
    if row:
        return layout.cell(slot, 0).united(layout.cell(slot, layout.count - 1))
    return layout.cell(0, slot).united(layout.cell(layout.count - 1, slot))


def _inset(rect: QRectF) -> QRectF:
    return rect.adjusted(0.5, 0.5, -0.5, -0.5) if min(rect.width(), rect.height()) > 3 else rect


def _outline(colour: str, width: float) -> QPen:
    pen = QPen(QColor(colour), 2.0 * width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen
