"""What a snapshot says in terms of B, the scheme that is compared with, and of one cell of A − B."""

from __future__ import annotations

import dataclasses

from pe_desktop.core.numerals import short
from pe_desktop.core.parts import Cursor, Snapshot, Window
from pe_desktop.core.sampling import defined_rows, picture, shape_of
from pe_desktop.core.scheme import Acts
from pe_desktop.core.score_window import score_at

DIGITS = 4


def snapshot_of_b(snapshot: Snapshot) -> Snapshot:
    """The snapshot in which B takes the place of A, as far as formulas of matrix and scores look at it."""
    compared = snapshot.compare
    assert compared is not None
    state = snapshot.state.as_b
    panes = {**snapshot.panes, "scores": compared.scores}
    return dataclasses.replace(
        snapshot, state=state, scheme=state.built, matrix=compared.matrix, panes=panes, compare=None
    )


def difference_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """One cell of A − B, both values filled in."""
    part = snapshot.part(cursor.view)
    row, column = cursor.position or 0, cursor.column or 0
    where = f"{part.row_label} {row:,}, {part.column_label} {column:,}"
    values = []
    for name, each in (("A", snapshot), ("B", snapshot_of_b(snapshot))):
        value = _value(each, cursor.view, row, column)
        if value is None:
            return f"A − B at {where}: {name} has no value there"
        values.append(value)
    subtracted = f"({short(values[1], DIGITS)})" if values[1] < 0 else short(values[1], DIGITS)
    return f"A − B at {where}: {short(values[0], DIGITS)} − {subtracted} = {short(values[0] - values[1], DIGITS)}"


def _value(snapshot: Snapshot, view: str, row: int, column: int) -> float | None:
    scheme, head = snapshot.scheme, snapshot.state.head
    if view == "scores":
        return None if scheme.acts is Acts.NOTHING else score_at(scheme, row, column, head)
    if row >= defined_rows(scheme) or column >= shape_of(scheme)[1]:
        return None
    cell = Window((row, row + 1), (column, column + 1), 1, 1)
    return float(picture(scheme, cell, head).values[0, 0])
