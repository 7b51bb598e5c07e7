"""The toolbar: all its actions can be seen at any width; their words go where there is no room for them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QToolBar


class ActionBar(QToolBar):
    """Signs with words beside them, as far as there is room; the signs stay and have tooltips.

    Parameters
    ----------
    icon_size : int
        Pixels.
    """

    def __init__(self, icon_size: int) -> None:
        super().__init__("Actions")
        self.setObjectName("actions_bar")
        self.setMovable(False)
        self.setIconSize(QSize(icon_size, icon_size))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._worded: tuple[QAction, ...] = ()
        self._fitting = False
        self._seen: object = None

    def keep_words(self, *actions: QAction) -> None:
        """Say which actions have words, those that keep them longest first; all others are signs alone."""
        self._worded = actions
        for action in actions:
            action.changed.connect(self._on_action_changed)
        for action in self.actions():
            if action not in actions:
                action.setPriority(QAction.Priority.LowPriority)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give words back, or take them away."""
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _on_action_changed(self) -> None:
        """Other words may be longer: those of undo say what would be undone."""
        self._fit()

    def _fit(self) -> None:
        # An action tells of every change of its own, priority included; most change nothing here.
        present = self.actions()  # at the end of the program some actions go before others
        seen = (self.width(), self.font().pointSizeF(), *((action.text(), action.isVisible()) for action in present))
        if self._fitting or seen == self._seen:
            return
        self._fitting, self._seen = True, seen
        worded = [action for action in self._worded if action in present]
        for action in worded:
            action.setPriority(QAction.Priority.NormalPriority)
        for action in reversed(worded):
            if self.sizeHint().width() <= self.width():
                break
            action.setPriority(QAction.Priority.LowPriority)
        self._fitting = False
