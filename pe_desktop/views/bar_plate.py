"""Bars of an experiment lying beside their names, each with its value at the end."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from pe_desktop.core.experiment import BarPlate
from pe_desktop.views.plate import PlateItem
from pe_desktop.views.plate_key import Entry, Key, fill_bar
from pe_desktop.views.plotting import short_text
from pe_desktop.views.words import chosen

GAP = 6.0
NAME_SHARE = 0.4  # of the width, for names at most
THICKEST = 1.6  # bars, in heights of a line
FILLED = 0.8  # of a row's height that its bars take
LEAST_BAR = 2.0
LEAST_VALUED = 0.8  # of a line, a bar that has its value beside it


class BarPlateItem(PlateItem):
    """Paints a :class:`BarPlate`."""

    def __init__(self) -> None:
        super().__init__()
        self.key = Key()
        self.area = QRectF()
        self.bars: list[tuple[QRectF, int, int]] = []  # place, name, number within the group

    @property
    def plate(self) -> BarPlate:
        """What is shown."""
        assert isinstance(self._plate, BarPlate)
        return self._plate

    @property
    def _pitch(self) -> float:
        return self.area.height() / max(len(self.plate.names), 1)

    @property
    def _thickness(self) -> float:
        return FILLED * self._pitch / max(len(self.plate.bars), 1)

    @property
    def _valued(self) -> bool:
        """Whether each bar has room for its value beside it."""
        return self._thickness >= LEAST_VALUED * self.line

    # Layout -----------------------------------------------------------------------------------------------

    def _lay_out(self, inner: QRectF) -> None:
        plate = self.plate
        top = inner.top()
        self.key.clear()
        if len(plate.bars) > 1:
            entries = [Entry(name, role) for name, role in zip(plate.bars, plate.roles, strict=True)]
            top += self.key.lay_out(self, entries, inner)
        below = self.line + 2 if plate.value_name else 0.0
        texts = [[short_text(value) for value in row] for row in plate.values.tolist()]
        left = self.longest(plate.names, NAME_SHARE * inner.width()) + GAP
        right = self.longest(text for row in texts for text in row) + GAP
        count, group = max(len(plate.names), 1), max(len(plate.bars), 1)
        room = max(inner.bottom() - below - top, 8.0)
        height = min(room, count * group * THICKEST * self.line / FILLED)
        self.area = QRectF(inner.left() + left, top, max(inner.width() - left - right, 8.0), height)
        if plate.value_name:
            self._write_caption(inner)
        self._lay_out_bars(texts, inner)

    def _write_caption(self, inner: QRectF) -> None:
        """What the bars measure, and where they have no values beside them, what the longest one is."""
        forms = [self.plate.value_name]
        if not self._valued and self.plate.values.size:
            top = f"longest bar {short_text(float(self.plate.values.max()))}"
            forms = [f"{forms[0]}; {top}", top, top.replace(" bar", "")]
        text = next((form for form in forms if self.width_of(form) <= inner.width()), forms[-1])
        left = max(min(self.area.left(), inner.right() - self.width_of(text)), inner.left())
        self.write(text, left, self.area.bottom() + 2, inner.right() - left)

    def _lay_out_bars(self, texts: list[list[str]], inner: QRectF) -> None:
        plate, area, pitch = self.plate, self.area, self._pitch
        largest = float(plate.values.max()) if plate.values.size else 0.0
        thick = self._thickness
        self.bars = []
        room = area.left() - GAP - inner.left()
        for row in chosen(len(plate.names), pitch, 0.85 * self.line):
            top = area.top() + (row + 0.5) * pitch - self.line / 2
            self.write(plate.names[row], inner.left(), top, room, align=1.0, colour=self.theme.text)
        for row, values in enumerate(plate.values.tolist()):
            for bar, value in enumerate(values):
                top = area.top() + (row + (1 - FILLED) / 2) * pitch + bar * thick
                length = area.width() * value / largest if largest > 0 else 0.0
                gap = min(1.0, thick / 4)
                place = QRectF(area.left(), top, max(length, LEAST_BAR if value > 0 else 0.0), max(thick - gap, 1.0))
                self.bars.append((place, row, bar))
                if self._valued:
                    middle = place.center().y() - self.line / 2
                    self.write(texts[row][bar], place.right() + GAP - 2, middle, inner.right() - place.right())

    # The mouse --------------------------------------------------------------------------------------------

    def found_at(self, place: QPointF) -> tuple[int, int] | None:
        for rect, row, bar in self.bars:
            if rect.top() <= place.y() < rect.bottom() + 1 and self._rect.contains(place):
                return row, bar
        return None

    def mark_of(self, row: int, column: int) -> QRectF | None:
        place = next((rect for rect, name, bar in self.bars if (name, bar) == (row, column)), None)
        return None if place is None else place.adjusted(-1.5, -0.5, 1.5, 0.5)

    # Drawing ----------------------------------------------------------------------------------------------

    def draw_picture(self, painter: QPainter) -> None:
        self.key.draw(painter, self.theme)
        for place, _, bar in self.bars:
            fill_bar(painter, place, self.plate.roles[bar], self.theme)
        painter.setPen(QPen(self.ink(self.theme.line), self.theme.pen))
        left = self.area.left() - 0.5
        painter.drawLine(QPointF(left, self.area.top()), QPointF(left, self.area.bottom()))
