"""What a snapshot says of the parts that nobody works out any more."""

from __future__ import annotations

import dataclasses
from typing import Any

from pe_desktop.core.parts import Light, Readout, Snapshot

WAITING = "…"  # stands for a number that is being worked out
NOT_COMPUTED = "not computed"
# What parts say of work that goes on, and what is true once it was called off.
PHRASES = (
    ("the exact range is being computed…", "the exact range is not computed"),
    ("exact means follow…", "exact means are not computed"),
    ("more samples follow…", "more samples are not computed"),
    ("lowest follows…", "the lowest is not computed"),
    ("highest follows…", "the highest is not computed"),
    ("computing more…", "more is not computed"),
    ("computing…", NOT_COMPUTED),
    ("Computing the attention of ", "Not computed: the attention of "),
    ("Comparing ", "Not compared: "),
    ("Being computed.", "Not computed."),
    ("Doing the experiment", "The experiment was called off"),
    ("Looking for ", "Not looked for: "),
)
FIELDS = ("sentence", "point", "pixel", "text", "note", "number", "evidence", "figures")


def called_off(snapshot: Snapshot) -> Snapshot:
    """The same snapshot with true words on every part that is not exact: its work has ended before its end.

    Pictures and numbers stay the objects they are. Nothing is to be computed from such a snapshot: its parts would
    be taken for ones still being worked out.
    """
    names = [field.name for field in dataclasses.fields(snapshot) if hasattr(getattr(snapshot, field.name), "exact")]
    parts = {name: _retold(getattr(snapshot, name)) for name in names}
    panes = {name: _retold(part) for name, part in snapshot.panes.items()}
    return dataclasses.replace(snapshot, panes=panes, **parts)


def _retold(part: Any) -> Any:
    """A part, or a line or part within one, with its words retold; those of an exact one are true as they are."""
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return part
    exact = getattr(part, "exact", False)
    changes = {}
    for field in dataclasses.fields(part):
        old = getattr(part, field.name)
        new = old if exact and field.name in FIELDS else _value(field.name, old)
        if new is not old:
            changes[field.name] = new
    return dataclasses.replace(part, **changes) if changes else part


def _value(name: str, old: Any) -> Any:
    if name in FIELDS:
        return _words(old)
    if hasattr(old, "exact"):
        return _retold(old)
    if isinstance(old, tuple) and old and all(isinstance(each, Readout | Light) for each in old):
        new = tuple(_retold(each) for each in old)
        return old if all(a is b for a, b in zip(old, new, strict=True)) else new
    return old


def _words(old: Any) -> Any:
    """A text, or a tuple of texts (ever deeper), retold; the same object where there is nothing to retell."""
    if isinstance(old, tuple):
        new = tuple(_words(each) for each in old)
        return old if new == old else new
    if not isinstance(old, str) or not old:
        return old
    if old == WAITING:
        return NOT_COMPUTED
    text = old
    for before, after in PHRASES:
        text = text.replace(before, after)
    return old if text == old else text.removesuffix("…") + "." * text.endswith("…")
