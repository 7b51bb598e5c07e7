"""The second scheme (B): which, with which parameters, and the verdict on A and B."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from pe_desktop.controls.look import Look, tint
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import ChoiceRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.catalogue import grouped
from pe_desktop.core.parametric import Parametric
from pe_desktop.core.parts import ComparePart
from pe_desktop.core.state import LABELS, LabState
from pe_desktop.core.state_params import B_PARAMS

OFF = "Nothing"


class ComparePanel(ParameterPanel):
    """The section of the scheme that is compared with, folded until there is one."""

    lead = 2  # the choice and the verdict stand before the parameters

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(requests, parent, name=B_PARAMS, group=B_PARAMS)
        self.choice = ChoiceRow("compare", "Scheme B", parent=self.body)
        self.choice.setToolTip(
            tooltip("A second scheme of the same dimension and length. Views show it dashed, beside A, or as A − B.")
        )
        self.choice.add_choice("", OFF)
        for group in grouped().values():
            self.choice.add_separator()
            for scheme in group:
                self.choice.add_choice(scheme.id, scheme.title, tooltip(scheme.summary))
        self.choice.asked.connect(requests.ask)
        self.choice.fix_chosen.connect(requests.ask_fix)
        self._verdict = QLabel(self.body)
        self._verdict.setObjectName("compare_verdict")
        self._verdict.setAccessibleName("Verdict on A and B")
        self._verdict.setWordWrap(True)
        self._verdict.hide()
        self.rows.insertWidget(0, self.choice)
        self.rows.insertWidget(1, self._verdict)
        self._show_nothing()
        self.header.setChecked(False)

    def heading(self, owner: Parametric) -> str:
        """The section's title, the same for every scheme; its name stands below, or beside while folded."""
        return LABELS["compare"]

    def show_state(self, state: LabState) -> None:
        """Show the second scheme of a state."""
        self.choice.set_value(state.compare)
        if state.built_b is None:
            self._show_nothing()
        else:
            self.show_parameters(state.built_b, state.compare_params.get(state.compare, {}), state.dimension)
            self.set_title(LABELS["compare"], state.built_b.title)

    def show_verdict(self, part: ComparePart | None) -> bool:
        """Show what the comparison came to, and B's remarks; True if either is another than before."""
        changed = self.show_notes(() if part is None else part.notes)
        text = "" if part is None else part.sentence
        if text == self._verdict.text():
            return changed
        self._verdict.setText(text)
        self._verdict.setVisible(bool(text))
        return True

    def focus_widgets(self) -> list[QWidget]:
        header, *rows = super().focus_widgets()
        return [header, *self.choice.focus_widgets(), *rows]

    def set_look(self, look: Look) -> None:
        super().set_look(look)
        self.choice.set_look(look)
        self._verdict.setFont(look.body)
        tint(self._verdict, QPalette.ColorRole.WindowText, look.theme.text)

    def _show_nothing(self) -> None:
        """No second scheme: neither rows nor remarks."""
        shown = bool(self.field_rows())
        self.clear_rows()
        self.set_title(LABELS["compare"], OFF.lower())
        if shown:
            self.rebuilt.emit()
