"""Several views in one place, one of them visible."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.panel import Panel


class Tabs(QWidget):
    """A bar of names and the view that is chosen; hidden views are not computed."""

    def __init__(self, name: str, panels: Sequence[tuple[str, Panel]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"tabs_{name}")
        self.bar, self._stack = QTabBar(self), QStackedWidget(self)
        self.bar.setObjectName(f"tab_bar_{name}")
        self.bar.setAccessibleName("Views")
        self.bar.setDocumentMode(True)
        self.bar.setDrawBase(False)
        self.bar.setExpanding(False)
        self.bar.setUsesScrollButtons(True)
        self._panels = tuple(panel for _, panel in panels)
        for title, panel in panels:
            self.bar.addTab(title)
            self._stack.addWidget(panel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._stack, 1)
        self.bar.currentChanged.connect(self._on_bar_current_changed)

    def show_panel(self, panel: Panel) -> None:
        """Bring a view to the front."""
        if panel in self._panels:
            self.bar.setCurrentIndex(self._panels.index(panel))

    @property
    def current(self) -> Panel:
        """The view in front."""
        return self._panels[self._stack.currentIndex()]

    def set_theme(self, theme: Theme) -> None:
        """Take the type size; the colours come with the palette."""
        small = QFont(self.font())
        small.setPointSizeF(theme.small)
        self.bar.setFont(small)

    @Slot(int)
    def _on_bar_current_changed(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
