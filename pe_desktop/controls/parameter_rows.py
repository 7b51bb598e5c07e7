"""The row that fits a parameter, made from its metadata alone."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtWidgets import QWidget

from pe_desktop.controls.list_row import ListRow
from pe_desktop.controls.rows import CheckRow, ChoiceRow, FieldRow
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.controls.texts import tooltip
from pe_desktop.core.parameter import Parameter

# A parameter measured in these counts columns of the model: there are no more than the model
# has, and a slider stops at whole pairs of them.
COLUMNS_UNIT = "dimensions"
FAR = 1e9
LIST_HINT = (
    "Numbers between commas, spaces or semicolons, or JSON; a dot is the decimal mark. The arrow, or the key ↓, shows "
    "all of them; Enter takes them over."
)


def row_for(about: Parameter, group: str, parent: QWidget | None = None) -> FieldRow:
    """The row that fits a parameter's kind; its requests change the state's field `group`."""
    row = _row_for(about, group, parent)
    row.setToolTip(_explain(about))
    return row


def _row_for(about: Parameter, group: str, parent: QWidget | None) -> FieldRow:
    if about.choices:
        choice = ChoiceRow(about.name, about.label, group=group, parent=parent)
        for value, words in about.choices:
            choice.add_choice(value, words)
        return choice
    if about.kind is bool:
        return CheckRow(about.name, about.label, group=group, parent=parent)
    if about.kind is tuple:
        return ListRow(
            about.name, about.label, about.check, about.default, derived=about.derived, group=group, parent=parent
        )
    return SliderRow(
        about.name,
        about.label,
        scale_for(about),
        about.default,
        group=group,
        optional=bool(about.derived),
        parent=parent,
    )


def scale_for(about: Parameter) -> Scale:
    """The slider's range for a parameter; one without an upper end gets a far one (typing goes beyond)."""
    number: Any = int if about.kind is int else float
    low, high = about.slider or (about.minimum, about.maximum)
    if not math.isfinite(high):
        high = FAR if about.logarithmic else max(10.0, 10 * abs(about.default or 0))
    if about.unit == COLUMNS_UNIT and about.kind is int:
        return Scale(int(low), int(high), True, about.logarithmic, even=True)
    most = about.maximum if about.kind is float or not math.isfinite(about.maximum) else int(about.maximum)
    return Scale(
        number(low), number(high), about.kind is int, about.logarithmic, least=number(about.minimum), most=most
    )


def _explain(about: Parameter) -> str:
    unit = f"Unit: {about.unit}." if about.unit else ""
    derived = f"Empty: {about.derived}." if about.derived else ""
    source = f"Source: {about.source}." if about.source else ""
    return tooltip(about.help, LIST_HINT if about.kind is tuple else "", unit, derived, source)
