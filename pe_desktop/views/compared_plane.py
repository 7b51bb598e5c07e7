"""A plane of cells: the mean, lowest or highest of what a pixel covers; and B, or A − B, while B is compared with."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QToolButton

from pe_desktop.core.parts import Cursor, Snapshot, Viewport
from pe_desktop.theme import Theme
from pe_desktop.views.heat_plane import HeatPlane
from pe_desktop.views.plotting import font
from pe_desktop.views.statistic_button import StatisticButton

# Name, text and tip of each picture, and what follows the name of the part it is in a comparison ("": A's own part).
MODES = (
    ("a", "A", "Show A, the scheme that the controls describe"),
    ("b", "B", "Show B, the scheme that is compared with"),
    ("difference", "A − B", "Show what is left of A without B; the colours fit the difference"),
)
PIECES = {"b": "compare.{}", "difference": "compare.{}_difference"}


class ComparedPlane(HeatPlane):
    """A plane with a button for each of A, B and A − B; the buttons are there while something is compared.

    Another button chooses what a pixel shows of several cells; it is there while pixels cover several.
    """

    statistic_field = "statistic"

    def _build(self) -> None:
        super()._build()
        self.statistic = StatisticButton(self)
        self.statistic.setVisible(False)
        self.statistic.chosen.connect(self._on_statistic_chosen)
        self._buttons.addWidget(self.statistic)
        self.mode = "a"
        self._comparing = False
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        for name, text, tip in MODES:
            button = self.add_button(text, tip, checkable=True)
            button.setObjectName(f"show_{name}")
            button.setVisible(False)
            self._group.addButton(button)
            self.buttons[name] = button
        self.buttons[self.mode].setChecked(True)
        self._group.buttonClicked.connect(self._on_group_button_clicked)

    def _restyle(self, theme: Theme) -> None:
        super()._restyle(theme)
        for button in (self.statistic, *self.buttons.values()):
            button.setFont(font(theme.small))

    def _set_words(self, part: Any, empty: bool) -> None:
        super()._set_words(part, empty)
        self.statistic.set_shown(getattr(self.lab.viewport, self.statistic_field))
        if (part.values.size or part.exact) and self.statistic.isHidden() != part.single:
            self.statistic.setHidden(part.single)

    def _part_of(self, snapshot: Snapshot) -> Any:
        self._set_comparing(snapshot.part("compare") is not None)
        name = PIECES.get(self.mode, "{}") if self._comparing else "{}"
        # While a pane comes into sight, its own part is there before B's.
        return snapshot.part(name.format(self.part_name)) or snapshot.part(self.part_name)

    def _set_comparing(self, comparing: bool) -> None:
        if comparing != self._comparing:
            self._comparing = comparing
            self.statistic.setEnabled(not comparing or self.mode != "difference")
            for button in self.buttons.values():
                button.setVisible(comparing)

    def _cursor_at(self, row: int, column: int) -> Cursor:
        return dataclasses.replace(super()._cursor_at(row, column), sentence=self.mode if self._comparing else "a")

    @Slot(object)
    def _on_lab_viewport_changed(self, viewport: Viewport) -> None:
        super()._on_lab_viewport_changed(viewport)
        self.statistic.set_shown(getattr(viewport, self.statistic_field))

    @Slot(str)
    def _on_statistic_chosen(self, name: str) -> None:
        self.lab.set_viewport(**{self.statistic_field: name})

    @Slot(QAbstractButton)
    def _on_group_button_clicked(self, button: QAbstractButton) -> None:
        self.mode = next(name for name, each in self.buttons.items() if each is button)
        # A difference is one of means.
        self.statistic.setEnabled(self.mode != "difference")
        if self.mode == "difference":
            self.lab.set_viewport(**{self.statistic_field: "mean"})
        if self.lab.snapshot is not None:
            self._take(self._part_of(self.lab.snapshot))
