"""Which controls are in sight: all of them, or those that a lesson needs; and which widget has a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QPushButton, QScrollArea, QSizePolicy, QWidget

from pe_desktop.controls.attention_panel import AttentionPanel
from pe_desktop.controls.compare_panel import ComparePanel
from pe_desktop.controls.experiment_panel import ExperimentPanel
from pe_desktop.controls.look import GRID, HALF, Look
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.precision_panel import PrecisionPanel
from pe_desktop.controls.properties_panel import PropertiesPanel
from pe_desktop.controls.readouts_panel import ReadoutsPanel
from pe_desktop.controls.rows import FieldRow
from pe_desktop.controls.section import Section
from pe_desktop.controls.sentence_panel import SentencePanel
from pe_desktop.controls.settling import settle

# Names of a lesson that are no rows of their own, and the widgets that stand for them.
SENTENCE_WIDGETS = {"sentence": "sentence", "swap": "swap_row", "swap_words": "swap_choice"}
Part = FieldRow | SentencePanel | Section


class Focus(QObject):
    """Hides the parts of the dock, and rows of its sections, that are not named.

    Parameters
    ----------
    scroll : QScrollArea
        Holds the parts in a column.
    parts : sequence
        The rows and sections, in order.

    Signals
    -------
    all_asked
        A person wants to see everything again.
    """

    all_asked = Signal()

    def __init__(self, scroll: QScrollArea, parts: Sequence[Part]) -> None:
        super().__init__(scroll)
        self._scroll, self._parts = scroll, tuple(parts)
        self._names: frozenset[str] | None = None
        self._kept: frozenset[str] = frozenset()
        self._folded: dict[Section, bool] = {}  # as a person left them
        self._seen: dict[QWidget, bool] = {}
        self.button = QPushButton("Show all controls")
        self.button.setObjectName("show_all_controls")
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self._on_button_clicked)
        self.button.hide()
        column = self._column
        column.insertWidget(column.count() - 1, self.button)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.button.setFont(look.body)

    @property
    def names(self) -> frozenset[str] | None:
        """What is shown, None while everything is."""
        return self._names

    def show_only(self, names: frozenset[str] | None) -> None:
        """Show nothing but what has one of these names; None: everything, folded as it was."""
        if names != self._names:
            self._names = names
            self.button.setVisible(names is not None)
            self.apply()
            self._fold()

    def keep(self, names: frozenset[str]) -> None:
        """Show these too while not everything is shown."""
        if names != self._kept:
            self._kept = names
            self.apply()
            self._fold()

    def apply(self) -> None:
        """Show and hide, also what was made since."""
        if self._names is None and not self._seen:
            return
        self._seen = {}
        for part in self._parts:
            self._show_part(part)
        self._close_gaps()
        if self._names is None:
            self._seen = {}
        settle(self._scroll)

    def hides(self, widget: QWidget) -> bool:
        """Whether a widget of the dock is out of sight because of its name."""
        above: QWidget | None = widget
        while above is not None and self._seen.get(above, True):
            above = above.parentWidget()
        return above is not None

    def find(self, name: str) -> QWidget | None:
        """The row, line or light of a name, None if there is none now."""
        own: dict[str, QWidget] = {}
        for part in self._parts:
            for key, widget in self._named(part).items():
                own.setdefault(key, widget)
        return own.get(name)

    def bring_into_sight(self, name: str) -> QWidget | None:
        """Find a widget, unfold its section and scroll to it."""
        widget = self.find(name)
        if widget is None:
            return None
        for part in self._parts:
            if isinstance(part, Section) and (part is widget or part.isAncestorOf(widget)):
                part.unfold()
        settle(self._scroll)
        self._scroll.ensureWidgetVisible(widget, 0, 2 * GRID)
        return widget

    # -- names

    def _named(self, part: Part) -> Mapping[str, QWidget]:
        if isinstance(part, FieldRow):
            return {part.field: part}
        if isinstance(part, SentencePanel):
            found = {name: part.findChild(QWidget, widget) for name, widget in SENTENCE_WIDGETS.items()}
            return {name: widget for name, widget in found.items() if widget is not None}
        if isinstance(part, ComparePanel):
            return {"compare": part.choice}
        if isinstance(part, ExperimentPanel):
            return {"experiment": part.choice, **part.field_rows()}
        if isinstance(part, PrecisionPanel):
            return {"precision": part, **part.field_rows()}
        if isinstance(part, AttentionPanel | ParameterPanel):
            return dict(part.field_rows())
        assert isinstance(part, ReadoutsPanel | PropertiesPanel)
        return dict(part.lines())

    def _wants(self, *names: str) -> bool:
        return self._names is None or any(name in self._names or name in self._kept for name in names)

    # -- showing

    def _show_part(self, part: Part) -> None:
        named = self._named(part)
        whole = isinstance(part, FieldRow | ComparePanel)
        wanted = self._wants(*named)
        self._show(part, wanted)
        if whole or not wanted:
            return
        # The name of the section itself stands for all of it.
        everything = (isinstance(part, PrecisionPanel) and self._wants("precision")) or (
            isinstance(part, ExperimentPanel) and self._wants("experiment")
        )
        for name, widget in named.items():
            if widget is not part:
                self._show(widget, everything or self._wants(name))
        if isinstance(part, ReadoutsPanel):
            for name, line in part.lines().items():
                line.note.setVisible(self._wants(name) and bool(line.note.text()))

    def _show(self, widget: QWidget, shown: bool) -> None:
        self._seen[widget] = shown
        if widget.isHidden() == shown:
            widget.setVisible(shown)

    def _fold(self) -> None:
        """Unfold what is shown, or fold everything as a person had left it."""
        sections = [part for part in self._parts if isinstance(part, Section)]
        if self._names is None:
            for section, folded in self._folded.items():
                section.header.setChecked(not folded)
            self._folded = {}
            return
        for section in sections:
            self._folded.setdefault(section, not section.header.isChecked())
            if self._seen[section]:
                section.unfold()

    @property
    def _column(self) -> QBoxLayout:
        content = self._scroll.widget()
        column = content.layout() if content is not None else None
        assert isinstance(column, QBoxLayout)
        return column

    def _close_gaps(self) -> None:
        """Take the space above a section away with it."""
        column = self._column
        for place in range(1, column.count()):
            before, item = column.itemAt(place - 1), column.itemAt(place)
            assert before is not None
            assert item is not None
            spacer, widget = before.spacerItem(), item.widget()
            if spacer is not None and widget in self._seen:
                height = HALF if self._seen[widget] else 0
                spacer.changeSize(0, height, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        column.invalidate()

    @Slot()
    def _on_button_clicked(self) -> None:
        self.show_only(None)
        self.all_asked.emit()
