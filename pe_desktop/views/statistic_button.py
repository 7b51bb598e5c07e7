"""A small button that says what a pixel shows of the cells it covers, and a menu to choose it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

ARROW = "▾"
CHOICES = (
    ("mean", "Mean", "The mean of the cells that a pixel covers"),
    ("lowest", "Lowest", "The lowest of the cells that a pixel covers, so that no trough is lost"),
    ("highest", "Highest", "The highest of the cells that a pixel covers, so that no crest is lost"),
)


class StatisticButton(QToolButton):
    """Shows the statistic in force and offers the others.

    Signals
    -------
    chosen(str)
        "mean", "lowest" or "highest", picked by hand.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statistic")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # Not the button's own menu: with that the style draws an arrow over the end of the text.
        self.choices = QMenu(self)
        self.choices.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._actions: dict[str, QAction] = {}
        for name, text, tip in CHOICES:
            action = self.choices.addAction(text)
            action.setToolTip(tip)
            action.setCheckable(True)
            self._group.addAction(action)
            self._actions[name] = action
        self._group.triggered.connect(self._on_group_triggered)
        self.clicked.connect(self._on_clicked)
        self._shown = ""
        self.set_shown("mean")

    def action(self, name: str) -> QAction:
        """The entry of the menu that chooses a statistic."""
        return self._actions[name]

    def set_shown(self, name: str) -> None:
        """Say that a statistic is in force."""
        if name == self._shown:
            return
        self._shown = name
        self._actions[name].setChecked(True)
        self.setAccessibleName(f"Each pixel shows the {name}")
        self.setToolTip(f"Each pixel shows the {name} of the cells it covers; choose the mean, lowest or highest")
        self.setText(f"{name} {ARROW}")

    @Slot()
    def _on_clicked(self) -> None:
        """Open the menu below, the entry in force marked for the arrow keys."""
        self.choices.setActiveAction(self._actions[self._shown])
        self.choices.popup(self.mapToGlobal(self.rect().bottomLeft()))

    @Slot(QAction)
    def _on_group_triggered(self, action: QAction) -> None:
        self.chosen.emit(next(name for name, each in self._actions.items() if each is action))
