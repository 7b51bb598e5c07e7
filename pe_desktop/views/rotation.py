"""The dials: one hand for the query, one for the key, and the arc between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGraphicsEllipseItem, QHBoxLayout, QLabel, QSizePolicy, QSlider, QWidget

from pe_desktop.core.parts import NO_CURSOR, Cursor, RotationPart
from pe_desktop.theme import Theme
from pe_desktop.views.dials import DialLabels, Grid, Hands, Rims, arrange, longest_hand
from pe_desktop.views.letters import Letters
from pe_desktop.views.panel import Panel
from pe_desktop.views.plot import Plot
from pe_desktop.views.plotting import font

LEAST_SHIFT = 60  # pixels of width of the slider


class Legend(QWidget):
    """What the two colours stand for: "m = 12", "n = 20" on their colours, and the gap."""

    PAD, APART = 5.0, 6.0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAutoFillBackground(True)
        self._texts: tuple[str, str, str] = ("", "", "")
        self._letters = Letters()
        self._longest = "888"  # as wide as the largest number
        self._wanted = self._least = 0

    @property
    def shown(self) -> tuple[str, str, str]:
        """The words as they are painted: the gap gives way first, then the names, which the colours tell too."""
        m, n, gap = self._texts
        for words in ((m, n, gap), (m, n, "")):
            room = self.width() - 4 * self.PAD - self.APART * (2 if words[2] else 1)
            if sum(map(self._letters.width, words)) <= room:
                return words
        return m.removeprefix("m = "), n.removeprefix("n = "), ""

    @property
    def texts(self) -> tuple[str, str, str]:
        """The words on query colour, on key colour, and after them."""
        return self._texts

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._letters.set_font(font(theme.small))
        self._grounds, self._ink = (QColor(theme.query), QColor(theme.key)), QColor(theme.muted)
        self._resize()
        self.update()

    def set_words(self, m: int, n: int, length: int) -> None:
        """Show the two positions of a sequence of `length`; the room depends on the length alone."""
        texts = (f"m = {m:,}", f"n = {n:,}", f"gap {abs(m - n):,}")
        if len(f"{length:,}") != len(self._longest):
            self._longest = "".join("8" if sign.isdigit() else sign for sign in f"{length:,}")
            self._resize()
        if texts != self._texts:
            self._texts = texts
            self.update()

    def _resize(self) -> None:
        number = self._letters.width(self._longest)
        self._least = round(2 * number + 4 * self.PAD + self.APART) + 1
        self._wanted = round(3 * number + self._letters.width("m = n = gap ") + 4 * self.PAD + 20)
        self.setFixedHeight(round(self._letters.metrics.height()) + 4)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._wanted, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._letters.font)
        *boxed, rest = self.shown
        left = 0.0
        for text, ground in zip(boxed, self._grounds, strict=True):
            box = QRectF(left, 1, self._letters.width(text) + 2 * self.PAD, self.height() - 2)
            painter.fillRect(box, ground)
            painter.setPen(QColor("white"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            left = box.right() + self.APART
        painter.setPen(self._ink)
        place = QRectF(left, 1, self.width() - left, self.height() - 2)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, rest)
        painter.end()


class RotationView(Panel):
    """Draws a :class:`RotationPart`; its slider moves query and key together."""

    part_name = "rotation"
    name = "Rotation diagrams"

    def __init__(self, lab: Any, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(lab, theme, Plot(), parent)
        scene = self.plot.scene()
        self.rims, self.labels, self.hands, self.ring = Rims(), DialLabels(), Hands(), QGraphicsEllipseItem()
        self.ring.setVisible(False)
        for z, item in enumerate((self.rims, self.labels, self.hands, self.ring)):
            item.setZValue(z)
            scene.addItem(item)
        self._grid: Grid = arrange(1, self.plot.area, 0.0)
        self._arranged, self._longest = False, 1.0
        self._strip = QWidget(self)
        self.legend, self.shift = Legend(self._strip), QSlider(Qt.Orientation.Horizontal, self._strip)
        self._shift_label = QLabel("Shift both", self._strip)
        self._build_strip()
        self.plot.set_margins(0, 0, 0, 0)
        self.set_theme(theme)

    def _build_strip(self) -> None:
        self.shift.setAccessibleName("Shift both positions")
        self.shift.setMinimumWidth(LEAST_SHIFT)
        self._shift_label.setBuddy(self.shift)
        # The panel may be narrower than the strip wishes; other panels do not give way for it.
        self._strip.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self._strip)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.legend)
        row.addWidget(self._shift_label)
        row.addWidget(self.shift, 1)
        self._column.insertWidget(self._column.indexOf(self.sentence), self._strip)
        self.shift.sliderPressed.connect(self._on_shift_pressed)
        self.shift.sliderReleased.connect(self._on_shift_released)
        self.shift.valueChanged.connect(self._on_shift_changed)

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        for piece in (self.rims, self.labels, self.hands, self.legend):
            piece.set_theme(theme)
        self._shift_label.setFont(font(theme.small))
        pen = QPen(QColor(theme.accent), 2.0 * theme.pen)
        self.ring.setPen(pen)
        self._arranged = False

    def _on_emptied(self, empty: bool) -> None:
        self._strip.setVisible(not empty)

    def _draw(self, part: RotationPart, before: RotationPart | None) -> None:
        alike = before is not None and len(before.pairs) == len(part.pairs) and longest_hand(part) == self._longest
        if not (self._arranged and alike):
            self._arrange(part)
        if before is None or before.labels != part.labels:
            self.labels.set_labels(part.labels, tuple(str(pair) for pair in part.pairs.tolist()))
        self.rims.set_regime(part.regime)
        self.hands.set_hands(part, self._grid, self.plot.area)
        self._set_shift(part)
        self._fit_strip()

    def _arrange(self, part: RotationPart) -> None:
        height = QFontMetricsF(font(self.theme.small)).height() + 2
        self._longest = longest_hand(part)
        self._grid = arrange(len(part.pairs), self.plot.area, height, self._longest)
        self._arranged = True
        self.rims.set_grid(self._grid, self.plot.area)
        self.labels.set_grid(self._grid, self.plot.area)

    def _set_shift(self, part: RotationPart) -> None:
        if self.shift.toolTip() != part.shift_note:
            self.shift.setToolTip(part.shift_note)
        length = self.lab.state.length
        m, n = part.position, part.key_position
        self.legend.set_words(m, n, length)
        last = max(length - 1 - abs(m - n), 0)
        # Not a wish of the user: the slider follows the state.
        blocked = self.shift.blockSignals(True)
        if self.shift.maximum() != last:
            self.shift.setRange(0, last)
            self.shift.setPageStep(max(1, last // 20))
        self.shift.setValue(min(m, n))
        self.shift.blockSignals(blocked)

    def _show_cursor(self, cursor: Cursor) -> None:
        index = self._index_of(cursor.pair)
        if index is None:
            self.ring.setVisible(False)
            return
        x, y = self._grid.centres[index]
        radius = self._grid.radius + 1.5
        self.ring.setRect(x - radius, y - radius, 2 * radius, 2 * radius)
        self.ring.setVisible(True)

    def _index_of(self, pair: int | None) -> int | None:
        if pair is None or not self._drawn:
            return None
        found = np.flatnonzero(self._part.pairs == pair)
        return int(found[0]) if len(found) else None

    # The mouse and the slider -----------------------------------------------------------------------------

    def _lay_out_anew(self) -> None:
        self._fit_strip()
        self._arrange(self._part)
        self.hands.set_hands(self._part, self._grid, self.plot.area)

    def _fit_strip(self) -> None:
        # In a narrow panel the legend needs the room; the slider's tooltip and accessible name say what it does.
        wanted = self.legend.sizeHint().width() + self._shift_label.sizeHint().width() + LEAST_SHIFT + 16
        fits = self.plot.width() >= wanted
        if fits == self._shift_label.isHidden():
            self._shift_label.setVisible(fits)

    @Slot(QPointF)
    def _on_plot_hovered(self, place: QPointF) -> None:
        if not self._drawn:
            return
        away = np.hypot(self._grid.centres[:, 0] - place.x(), self._grid.centres[:, 1] - place.y())
        nearest = int(away.argmin()) if len(away) else 0
        if len(away) and away[nearest] <= self._grid.radius + 3:
            pair = int(self._part.pairs[nearest])
            self.lab.set_cursor(Cursor(view=self.part_name, pair=pair, position=self._part.position))
        elif self.lab.cursor.view == self.part_name:
            self.lab.set_cursor(NO_CURSOR)

    @Slot()
    def _on_shift_pressed(self) -> None:
        self.lab.begin_drag()

    @Slot()
    def _on_shift_released(self) -> None:
        self.lab.end_drag()

    @Slot(int)
    def _on_shift_changed(self, value: int) -> None:
        state = self.lab.state
        moved = value - min(state.position, state.key_position)
        if moved:
            self.lab.request(position=state.position + moved, key_position=state.key_position + moved)
