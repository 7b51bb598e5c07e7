"""The views in their places: matrix over curve at the left, two rows of tabs at the right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.shell.formula_strip import FormulaStrip
from pe_desktop.shell.tabs import Tabs
from pe_desktop.theme import Theme
from pe_desktop.views.attention import AttentionView
from pe_desktop.views.experiment import ExperimentView
from pe_desktop.views.grid import GridView
from pe_desktop.views.matrix import MatrixView
from pe_desktop.views.panel import Panel
from pe_desktop.views.precision import PrecisionView
from pe_desktop.views.rotation import RotationView
from pe_desktop.views.scores import ScoresView
from pe_desktop.views.similarity import SimilarityView
from pe_desktop.views.spectrum import SpectrumView

GAP = 8
# The views that share a place, by name: the first is in front at the start.
UPPER: tuple[tuple[str, Callable[[Lab, Theme], Panel]], ...] = (
    ("Rotation", RotationView),
    ("Spectrum", SpectrumView),
    ("Grid", GridView),
    ("Precision", PrecisionView),
    ("Experiment", ExperimentView),
)
LOWER: tuple[tuple[str, Callable[[Lab, Theme], Panel]], ...] = (("Attention", AttentionView), ("Scores", ScoresView))


class Centre(QWidget):
    """What the main window shows beside its docks.

    ``panels`` holds every view by the name of its part.
    """

    def __init__(self, lab: Lab, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix, self.similarity = MatrixView(lab, theme), SimilarityView(lab, theme)
        upper = [(title, kind(lab, theme)) for title, kind in UPPER]
        lower = [(title, kind(lab, theme)) for title, kind in LOWER]
        self.tabs = (Tabs("upper", upper), Tabs("lower", lower))
        every = [self.matrix, self.similarity, *(panel for _, panel in (*upper, *lower))]
        self.panels: dict[str, Panel] = {panel.part_name: panel for panel in every}
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        for top, bottom in ((self.matrix, self.similarity), self.tabs):
            column = QSplitter(Qt.Orientation.Vertical)
            column.addWidget(top)
            column.addWidget(bottom)
            column.setSizes([560, 440])
            self._columns.addWidget(column)
        self._columns.setSizes([500, 500])
        for splitter in (self._columns, *self._columns.findChildren(QSplitter)):
            splitter.setHandleWidth(GAP)
            splitter.setChildrenCollapsible(False)
        self.strip = FormulaStrip(lab, theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP, GAP, GAP, 0)
        layout.setSpacing(0)
        layout.addWidget(self._columns, 1)
        layout.addWidget(self.strip)
        self._lab = lab
        self.show_experiment_of_start()

    @property
    def front(self) -> tuple[str, ...]:
        """Names of the views in front where several share a place."""
        return tuple(tabs.current.part_name for tabs in self.tabs)

    def bring_to_front(self, name: str) -> None:
        """Show the view of a name where it shares its place with others; a name there is not changes nothing."""
        panel = self.panels.get(name)
        for tabs in self.tabs:
            if panel is not None:
                tabs.show_panel(panel)

    @Slot()
    def show_experiment(self) -> None:
        """Show the Experiment view."""
        self.bring_to_front("experiment")

    def show_experiment_of_start(self) -> None:
        """Show the Experiment view where the state that the lab has names an experiment other than the first."""
        if self._lab.state.experiment != LabState.experiment:
            self.show_experiment()

    def set_theme(self, theme: Theme) -> None:
        """Restyle everything."""
        for panel in self.panels.values():
            panel.set_theme(theme)
        for tabs in self.tabs:
            tabs.set_theme(theme)
        self.strip.set_theme(theme)
