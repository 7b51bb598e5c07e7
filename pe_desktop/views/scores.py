"""The scores: queries downwards, keys across, what position alone makes of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsScene

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import Theme
from pe_desktop.views.compared_plane import ComparedPlane
from pe_desktop.views.guides import Frame, Hatch, Shade, Tag
from pe_desktop.views.plot import outlined
from pe_desktop.views.plotting import faded, font

MOST_STEPS = 300  # of the staircase beside the diagonal; more are no longer told from a line


class ScoresView(ComparedPlane):
    """The picture of the scores, the chosen query and key outlined; a click chooses both."""

    part_name = "scores"
    name = "Position scores"
    is_pane = True
    row_field, column_field, size_field = "score_rows", "score_columns", "scores"
    statistic_field = "score_statistic"
    steps: Mapping[int, tuple[str, int]] = {
        Qt.Key.Key_Up: ("position", -1),
        Qt.Key.Key_Down: ("position", 1),
        Qt.Key.Key_Left: ("key_position", -1),
        Qt.Key.Key_Right: ("key_position", 1),
    }

    def _add_marks(self, scene: QGraphicsScene) -> None:
        self.spot, self.spot_tag = Frame(scene, 20), Tag(scene, 21)
        self.key, self.key_tag = Frame(scene, 20), Tag(scene, 21)
        self.column_hatch = Hatch(scene, 10, "no vector")
        self.upper = Shade(scene, 9)

    def _restyle(self, theme: Theme) -> None:
        super()._restyle(theme)
        panel, small, lines = QColor(theme.panel), font(theme.small), faded(theme.muted, 0.6)
        for frame, tag, colour in ((self.spot, self.spot_tag, theme.query), (self.key, self.key_tag, theme.key)):
            frame.set_look(QColor(theme.text), faded(theme.panel, 0.75), theme.pen)
            tag.set_look(QColor(colour), QColor("white"), small)
        self.column_hatch.set_look(lines, panel, QColor(theme.muted), small)
        self.upper.set_look(lines, faded(theme.panel, 0.6), panel, QColor(theme.muted), small)

    def _place_marks(self) -> None:
        self._hatch_rows()
        self._hatch_columns()
        self._shade_upper()
        self._frame_row(self.spot, self.spot_tag, self._part.spot_row, "query")
        self._frame_key()

    def _hatch_columns(self) -> None:
        """Hatch the keys past the end of a table, beside the queries that have a vector."""
        part, plot, area = self._part, self.plot, self.plot.area
        columns = part.shape[1]
        if part.defined_rows >= columns:
            self.column_hatch.hide()
            return
        left, right = plot.x_pixel(part.defined_rows), plot.x_pixel(columns)
        bottom = min(plot.y_pixel(part.defined_rows), area.bottom())
        self.column_hatch.place(QRectF(left, area.top(), right - left, bottom - area.top()), area)

    def _shade_upper(self) -> None:
        """Shade the keys that come after their query, where something is the matter with them."""
        part, plot, area = self._part, self.plot, self.plot.area
        if not part.upper:
            self.upper.hide()
            return
        low, high = plot.y_range
        first, last = int(low), -int(-high // 1)
        few = last - first <= MOST_STEPS
        queries = np.arange(first, last + 1.0) if few else np.linspace(low, high, MOST_STEPS + 1)
        right = min(plot.x_pixel(part.defined_rows), area.right())
        bottom = min(plot.y_pixel(part.defined_rows), area.bottom())
        edges = np.clip([plot.y_pixel(query) for query in queries], area.top(), bottom)
        lefts = np.clip([plot.x_pixel(query + 1.0) for query in queries[:-1]], area.left(), max(right, area.left()))
        self.upper.place(edges, lefts, right, part.upper)

    def _frame_key(self) -> None:
        """Outline the key's column, and name it at the top, clear of the name of the query."""
        plot, area, key, tag = self.plot, self.plot.area, self._part.key_column, self.key_tag
        edges = outlined(plot.x_pixel(key), plot.x_pixel(key + 1), area.left(), area.right())
        if edges is None:
            self.key.hide()
            tag.hide()
            return
        self.key.place(QRectF(edges[0] - 0.5, area.top() - 0.5, edges[1] - edges[0], area.height()))
        middle = (plot.x_pixel(key) + plot.x_pixel(key + 1)) / 2
        for text in (f"key {key:,}", f"{key:,}"):
            tag.set_text(text)
            if tag.width <= area.width():
                tag.place(middle - tag.width / 2, area.top(), area)
                if self.spot_tag.text and self.spot_tag.rect.intersects(tag.rect):
                    tag.place(middle - tag.width / 2, self.spot_tag.rect.bottom() + 1, area)
                return
        tag.hide()

    def _asked(self, row: int, column: int) -> dict[str, int]:
        return {"position": row, "key_position": column}

    def _column_of(self, cursor: Cursor) -> int | None:
        # A column of the matrix is a dimension, unless it shows a bias.
        same = cursor.view == "scores" or (cursor.view == "matrix" and self._part.is_matrix)
        return cursor.column if same else None
