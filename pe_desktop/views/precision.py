"""What rounding does: errors of cosine and sine, positions downwards, pairs across, and the numbers above them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsScene

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import Theme
from pe_desktop.views.colours import PowersOfTen
from pe_desktop.views.figures import Figures
from pe_desktop.views.guides import Frame, Guide, Hatch, Tag
from pe_desktop.views.heat_plane import HeatPlane
from pe_desktop.views.plotting import faded, font


class PrecisionView(HeatPlane):
    """Draws a :class:`PrecisionPart`; a click inspects the position."""

    part_name = "precision"
    name = "Precision"
    is_pane = True
    row_field, column_field, size_field = "rows", "precision_pairs", "precision"
    colours = PowersOfTen()
    steps: Mapping[int, tuple[str, int]] = {Qt.Key.Key_Up: ("position", -1), Qt.Key.Key_Down: ("position", 1)}

    def _build(self) -> None:
        super()._build()
        self.figures = Figures(self)
        self._column.insertWidget(1, self.figures)

    def _add_marks(self, scene: QGraphicsScene) -> None:
        self.spot, self.spot_tag = Frame(scene, 20), Tag(scene, 22)
        self.key, self.key_tag = Frame(scene, 19), Tag(scene, 21)
        # Dark under dashed white: it shows on every colour of the picture.
        self.bad_ground, self.bad_line = Guide(scene, upright=False, z=17), Guide(scene, upright=False, z=18)
        self.bad_tag = Tag(scene, 21)
        self.infinite = Hatch(scene, 10, "infinite")

    # Drawing ----------------------------------------------------------------------------------------------

    def _restyle(self, theme: Theme) -> None:
        super()._restyle(theme)
        self.figures.set_theme(theme)
        panel, small = QColor(theme.panel), font(theme.small)
        for frame, tag, colour in ((self.spot, self.spot_tag, theme.query), (self.key, self.key_tag, theme.key)):
            frame.set_look(QColor(colour), faded(theme.panel, 0.75), theme.pen)
            tag.set_look(QColor(colour), QColor("white"), small)
        self.bad_ground.set_pen(QPen(QColor("black"), theme.pen))
        self.bad_line.set_pen(QPen(QColor("white"), theme.pen, Qt.PenStyle.DashLine))
        self.bad_tag.set_look(panel, QColor(theme.text), small)
        self.infinite.set_look(faded(theme.muted, 0.6), panel, QColor(theme.muted), small)

    def _draw(self, part: Any, before: Any) -> None:
        self.figures.set_figures(part.figures)
        super()._draw(part, before)

    def _on_emptied(self, empty: bool) -> None:
        self.figures.setVisible(not empty)

    def _place_marks(self) -> None:
        part, plot, area = self._part, self.plot, self.plot.area
        top, bottom = plot.y_pixel(part.finite_rows), plot.y_pixel(part.shape[0])
        self.infinite.place(QRectF(area.left(), top, area.width(), bottom - top), area)
        self._frame_row(self.spot, self.spot_tag, part.position, "spot")
        self._frame_row(self.key, self.key_tag, part.key_position, "key")
        self._make_room_for_key()
        self._mark_first_bad()

    def _make_room_for_key(self) -> None:
        """Move the name of the key to the left of the spot's where they would lie on each other."""
        spot, key, area = self.spot_tag, self.key_tag, self.plot.area
        if not (spot.text and key.text and spot.rect.intersects(key.rect)):
            return
        left = spot.rect.left() - key.width - 2
        if left < area.left():
            key.hide()
        else:
            key.place(left, key.rect.top(), area)

    def _mark_first_bad(self) -> None:
        first, plot, tag = self._part.first_bad, self.plot, self.bad_tag
        tag.hide()
        lines = (self.bad_ground, self.bad_line)
        if first is None:
            for line in lines:
                line.hide()
            return
        place, area = plot.y_pixel(first), plot.area
        for line in lines:
            line.place(place, area)
        if self.bad_line.at is None:
            return
        for text in (f"first bad {first:,}", f"{first:,}"):
            tag.set_text(text)
            if tag.width <= area.width() / 2:
                tag.place(area.left(), place - tag.height / 2, area)
                break
        if tag.text and any(other.text and other.rect.intersects(tag.rect) for other in (self.spot_tag, self.key_tag)):
            tag.hide()

    # The mouse --------------------------------------------------------------------------------------------

    def _asked(self, row: int, column: int) -> dict[str, int]:
        return {"position": row}

    def _cursor_at(self, row: int, column: int) -> Cursor:
        return Cursor(view=self.part_name, position=row, pair=column)

    def _column_of(self, cursor: Cursor) -> int | None:
        return cursor.pair
