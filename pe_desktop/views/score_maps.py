"""Scores of a stale cache, the right ones, and what one is off from the other: three square maps in a row."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QGraphicsScene

from pe_desktop.core.spectrum_chart import SpectrumPart
from pe_desktop.theme import Theme
from pe_desktop.views.heatmap import Heatmap
from pe_desktop.views.plotting import diverging_steps, diverging_table, font, short_text

BETWEEN = 14.0
TITLES = (("Cached keys", "Cached"), ("Recomputed", "Right"), ("Difference", "Off by"))


class ScoreMaps:
    """Three heatmaps without words at their sides."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.maps = tuple(Heatmap(scene) for _ in TITLES)
        self._line = 12.0

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._line = QFontMetricsF(font(theme.small, bold=True)).height()
        for item in self.maps:
            item.set_theme(theme, diverging_table(theme), theme.muted)

    def show(self, part: SpectrumPart, area: QRectF) -> None:
        """Show the maps of a part within an area."""
        width = (area.width() - 2 * BETWEEN) / len(self.maps)
        height = min(area.height(), width + 2 * self._line + 2)
        top = area.top() + (area.height() - height) / 2
        words = ("",) * len(part.positions)
        off = float(np.abs(part.maps[-1]).max())
        for index, (item, values) in enumerate(zip(self.maps, part.maps, strict=True)):
            left = area.left() + index * (width + BETWEEN)
            item.place(QRectF(left, top, width, height), words, (), title=True, longest=0.0, reach=left + width)
            scale = off if index == len(self.maps) - 1 else 1.0
            item.set_values(diverging_steps(values, scale), None)
            long, short = TITLES[index]
            item.set_title(f"{long}  ±{short_text(scale)}", f"{short} ±{short_text(scale)}", short)

    def hide(self) -> None:
        """Take them off the picture."""
        for item in self.maps:
            item.hide()

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """(query, key) under a point, None outside."""
        for item in self.maps:
            cell = item.layout.cell_at(point) if item.layout is not None and item.shown else None
            if cell is not None:
                return cell
        return None

    def point(self, query: int | None, key: int | None) -> None:
        """Outline one cell in every map, or none."""
        for item in self.maps:
            item.point(query, key)
