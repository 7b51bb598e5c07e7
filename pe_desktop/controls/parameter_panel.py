"""Rows for the parameters of whatever is chosen (a scheme, an experiment), built from their metadata alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from pe_desktop.controls.list_row import ListRow
from pe_desktop.controls.look import Look, tint
from pe_desktop.controls.parameter_rows import COLUMNS_UNIT, row_for
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import FieldRow
from pe_desktop.controls.section import Section
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.typed_row import TypedRow
from pe_desktop.core.parameter import Parameter
from pe_desktop.core.parametric import Parametric
from pe_desktop.core.state import LabState

MOST_NAMES = 6


class ParameterPanel(Section):
    """The section of a scheme's parameters.

    Only the parameters that play a part have a row to be seen. A row is made when it is first needed, once for each
    class, and then only hidden: making widgets anew costs a frame, and PySide never gives back a few references for
    each one made.

    A panel for something else of the state says which field its rows change (`group`), overrides :meth:`show_state`
    to call :meth:`show_parameters` with that, and :meth:`heading` if its title is to say more.

    Parameters
    ----------
    name : str
        Of the section; unique in the dock.
    group : str
        The field of the state that maps parameter names to values.

    Signals
    -------
    rebuilt
        The rows, or their heights, are others than before.
    refused : TypedRow, FieldError
        A typed text that cannot be a value.
    """

    rebuilt = Signal()
    refused = Signal(object, object)
    lead = 0  # widgets of a subclass that stand before the rows
    nothing = "This scheme has no parameters."

    def __init__(
        self, requests: Requests, parent: QWidget | None = None, *, name: str = "parameters", group: str = "params"
    ) -> None:
        super().__init__(name, "", parent)
        self.group = group
        self._requests = requests
        # Not its class: PySide takes a callable that is set on a widget for a new method and looks all methods up
        # anew, which never gives back a few references to None.
        self._owner: Parametric | None = None
        self._given: Mapping[str, Any] = {}
        self._rows: dict[str, FieldRow] = {}
        self._shown: dict[str, FieldRow] = {}
        self._made: dict[type[Parametric], dict[str, FieldRow]] = {}
        self._look: Look | None = None
        self._nothing = QLabel(self.nothing, self.body)
        self._notes = QLabel(self.body)
        self._notes.setObjectName(f"{name[:-1]}_notes")
        for label in (self._nothing, self._notes):
            label.setWordWrap(True)
            self.rows.addWidget(label)
        self._notes.hide()

    def field_rows(self) -> Mapping[str, FieldRow]:
        """The row of each parameter that plays a part."""
        return self._shown

    def heading(self, owner: Parametric) -> str:
        """The section's title for what has the parameters."""
        return owner.title

    def show_state(self, state: LabState) -> None:
        """Show the parameters of a state."""
        self.show_parameters(state.built, state.params.get(state.scheme, {}), state.dimension)

    def show_parameters(self, owner: Parametric, given: Mapping[str, Any], dimension: int) -> None:
        """Show the parameters of a scheme or an experiment.

        Parameters
        ----------
        owner : Parametric
        given : mapping
            The values that a person has chosen; all others are defaults.
        dimension : int
            Columns of the model: where a slider of columns ends.
        """
        self._given = given
        used = [about for about in owner.parameters() if owner.uses(about)]
        changed = self._turn_to(owner, used)
        effective = owner.effective()
        for about in used:
            row = self._rows[about.name]
            if isinstance(row, SliderRow) and about.unit == COLUMNS_UNIT:
                row.set_range(about.minimum, min(about.maximum, dimension))
            row.set_value(given.get(about.name, about.default), effective.get(about.name))
        if changed:
            names = [about.label.lower() for about in used]
            more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
            self.set_title(self.heading(owner), ", ".join(names[:MOST_NAMES]) + more)
            self.rebuilt.emit()

    def show_notes(self, notes: tuple[str, ...]) -> bool:
        """Show the remarks on the parameters; True if they are others than before."""
        text = "\n".join(notes)
        if text == self._notes.text():
            return False
        self._notes.setText(text)
        self._notes.setVisible(bool(text))
        return True

    def focus_widgets(self) -> list[QWidget]:
        # Hidden rows too: Tab passes them by, and when they appear they are in their place.
        rows = [widget for row in self._rows.values() for widget in row.focus_widgets()]
        return [*super().focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self._look = look
        for label in (self._nothing, self._notes):
            label.setFont(look.small)
            tint(label, QPalette.ColorRole.WindowText, look.theme.muted)
        for rows in self._made.values():
            for row in rows.values():
                row.set_look(look)

    def clear_rows(self) -> None:
        """Show nobody's rows or remarks."""
        for row in self._shown.values():
            row.hide()
        self._owner, self._rows, self._shown, self._given = None, {}, {}, {}
        self._nothing.hide()
        self.show_notes(())

    def _turn_to(self, owner: Parametric, used: list[Parameter]) -> bool:
        """Show the rows of the parameters in use, and no others; True if they are others than before."""
        kind, same = type(owner), type(owner) is type(self._owner)
        names = [about.name for about in used]
        self._owner = owner
        if same and names == list(self._shown):
            return False
        for name, row in self._shown.items():
            if not same or name not in names:
                row.hide()
        self._rows = self._complete(kind, names)
        self._shown = {name: self._rows[name] for name in names}
        for row in self._shown.values():
            if row.isHidden():
                row.show()
        self._nothing.setVisible(not names)
        return True

    def _complete(self, kind: type[Parametric], names: list[str]) -> dict[str, FieldRow]:
        """All rows made for a class, in order, after making those of `names` that are missing."""
        made, found, place = self._made.get(kind, {}), {}, self.lead
        for about in kind.parameters():
            row = made.get(about.name)
            if row is None and about.name in names:
                row = self._new_row(about)
                self.rows.insertWidget(place, row)
            if row is not None:
                found[about.name] = row
                place = self.rows.indexOf(row) + 1
        self._made[kind] = found
        return found

    def _new_row(self, about: Parameter) -> FieldRow:
        row = row_for(about, self.group, self.body)
        row.hide()
        row.asked.connect(self._on_row_asked)
        row.fix_chosen.connect(self._requests.ask_fix)
        if isinstance(row, TypedRow):
            row.refused.connect(self.refused)
        if isinstance(row, SliderRow):
            row.drag_started.connect(self._requests.begin_drag)
            row.drag_ended.connect(self._requests.end_drag)
        if isinstance(row, ListRow):
            row.grown.connect(self.rebuilt)
        if self._look is not None:
            row.set_look(self._look)
        return row

    @Slot(object)
    def _on_row_asked(self, changes: Mapping[str, Any]) -> None:
        """Pass a wish on, with the first values that a choice brings to parameters still at their default."""
        wanted = dict(changes[self.group])
        for about in self._owner.parameters() if self._owner is not None else ():
            for value, brought in about.brings:
                if about.name in changes[self.group] and wanted[about.name] == value:
                    wanted.update({name: first for name, first in brought if name not in self._given})
        self._requests.ask({self.group: wanted})
