"""The encoding matrix: positions downwards, dimensions (or keys) across."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsScene

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import Theme
from pe_desktop.views.compared_plane import ComparedPlane
from pe_desktop.views.guides import Frame, Tag
from pe_desktop.views.plotting import faded, font


class MatrixView(ComparedPlane):
    """The picture of the encoding, the inspected row outlined."""

    part_name = "matrix"
    name = "Encoding matrix"
    steps: Mapping[int, tuple[str, int]] = {Qt.Key.Key_Up: ("position", -1), Qt.Key.Key_Down: ("position", 1)}

    def _add_marks(self, scene: QGraphicsScene) -> None:
        self.spot, self.spot_tag = Frame(scene, 20), Tag(scene, 21)

    def _restyle(self, theme: Theme) -> None:
        super()._restyle(theme)
        self.spot.set_look(QColor(theme.text), faded(theme.panel, 0.75), theme.pen)
        self.spot_tag.set_look(QColor(theme.query), QColor("white"), font(theme.small))

    def _place_marks(self) -> None:
        self._hatch_rows()
        self._frame_row(self.spot, self.spot_tag, self._part.spot_row, "row")

    def _asked(self, row: int, column: int) -> dict[str, int]:
        asked = {"position": row}
        if self._part.kind == "bias":
            asked["key_position"] = column
        return asked

    def _column_of(self, cursor: Cursor) -> int | None:
        # A column of the scores is a key, which this picture shows of a bias only.
        return None if cursor.view == "scores" and self._part.kind != "bias" else cursor.column
