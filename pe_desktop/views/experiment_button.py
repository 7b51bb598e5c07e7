"""A small button that lists the experiments."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from pe_desktop.core.experiment import every_experiment
from pe_desktop.views.statistic_button import ARROW


class ExperimentButton(QToolButton):
    """Offers every experiment; the menu is filled when it is first opened.

    Signals
    -------
    chosen(str)
        Id of the experiment picked by hand.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choose_experiment")
        self.setText(f"Choose {ARROW}")
        self.setToolTip("Choose another experiment")
        self.setAccessibleName("Choose another experiment")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.choices = QMenu(self)
        self.choices.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._actions: dict[str, QAction] = {}
        self._shown = ""
        self._group.triggered.connect(self._on_group_triggered)
        self.clicked.connect(self._on_clicked)

    def action(self, name: str) -> QAction:
        """The entry of the menu that chooses an experiment."""
        self._fill()
        return self._actions[name]

    def set_shown(self, name: str) -> None:
        """Say which experiment is in force."""
        self._shown = name

    def _fill(self) -> None:
        if self._actions:
            return
        for kind in every_experiment():
            action = self.choices.addAction(kind.title)
            action.setToolTip(kind.question)
            action.setCheckable(True)
            self._group.addAction(action)
            self._actions[kind.id] = action

    @Slot()
    def _on_clicked(self) -> None:
        """Open the menu below, the entry in force marked for the arrow keys."""
        self._fill()
        if self._shown in self._actions:
            self._actions[self._shown].setChecked(True)
            self.choices.setActiveAction(self._actions[self._shown])
        self.choices.popup(self.mapToGlobal(self.rect().bottomLeft()))

    @Slot(QAction)
    def _on_group_triggered(self, action: QAction) -> None:
        self.chosen.emit(next(name for name, each in self._actions.items() if each is action))
