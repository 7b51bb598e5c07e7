"""The views of a step alone in the centre, and everything back in its place afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from pe_desktop.shell.centre import Centre
from pe_desktop.views.panel import Panel

WIDE = 1.25  # width to height of a centre in which two views stand side by side


class Stage:
    """Shows one or two views of the centre as large as it is.

    Parameters
    ----------
    centre : Centre
    """

    def __init__(self, centre: Centre) -> None:
        self._centre = centre
        columns = centre.findChild(QSplitter, options=Qt.FindChildOption.FindDirectChildrenOnly)
        assert columns is not None
        self._columns = columns.findChildren(QSplitter, options=Qt.FindChildOption.FindDirectChildrenOnly)
        self._splitters = [columns, *self._columns]
        bars: list[QWidget] = [tabs.bar for tabs in centre.tabs]
        self._places: list[QWidget] = [centre.matrix, centre.similarity, *centre.tabs, *bars, *self._columns]
        self._shown: list[Panel] = []
        self._kept: tuple[list[QByteArray], list[bool], tuple[str, ...]] | None = None

    def show(self, names: Sequence[str]) -> None:
        """Show the views of these names and no others; with none, all in their places."""
        if self._kept is None:
            states = [splitter.saveState() for splitter in self._splitters]
            self._kept = states, [place.isHidden() for place in self._places], self._centre.front
        panels = self._shown = [self._centre.panels[name] for name in names if name in self._centre.panels]
        if not panels:
            self._put_back()
            return
        for view in (self._centre.matrix, self._centre.similarity):
            view.setVisible(view in panels)
        for tabs in self._centre.tabs:
            mine = [panel for panel in panels if tabs.isAncestorOf(panel)]
            tabs.setVisible(bool(mine))
            # Two that share a place: the first is in front, and the names lead to the other.
            tabs.bar.setVisible(len(mine) > 1)
            for panel in mine[:1]:
                tabs.show_panel(panel)
        for column in self._columns:
            column.setVisible(any(column.isAncestorOf(panel) for panel in panels))
        self.divide()

    def restore(self) -> None:
        """Put everything back where it was before the first :meth:`show`."""
        if self._kept is None:
            return
        self._shown = []
        self._put_back()
        for name in self._kept[2]:
            self._centre.bring_to_front(name)
        self._kept = None

    def _put_back(self) -> None:
        assert self._kept is not None
        states, hidden, _ = self._kept
        for place, was_hidden in zip(self._places, hidden, strict=True):
            place.setVisible(not was_hidden)
        for splitter, state in zip(self._splitters, states, strict=True):
            splitter.restoreState(state)

    def divide(self) -> None:
        """Give the views shown alone an equal share, beside each other where there is more width than height."""
        centre = self._centre
        if not self._shown:
            return
        wide = centre.width() > WIDE * centre.height()
        across = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        for splitter in self._splitters:
            inside = [panel for panel in self._shown if splitter.isAncestorOf(panel)]
            if len(inside) == 2:
                splitter.setOrientation(across)
            splitter.setSizes([1000] * splitter.count())
