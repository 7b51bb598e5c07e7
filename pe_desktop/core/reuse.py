"""What one snapshot can take over from the one before."""

from __future__ import annotations

from typing import Any

from pe_desktop.core.parts import Snapshot
from pe_desktop.core.stage import Stage, Stages


class Reuse:
    """Parts of the previous snapshot, given out where their key is the same.

    Parameters
    ----------
    previous : Snapshot or None
    full : collection of Stage
        Stages whose parts are to be made anew where they are not exact.
    """

    def __init__(self, previous: Snapshot | None, full: Stages) -> None:
        self.previous = previous
        self.full = full
        self.keys: dict[str, tuple[object, ...]] = {}

    def get(self, name: str, key: tuple[object, ...], stage: Stage) -> Any:
        """The part of a name (see :meth:`Snapshot.part`) if it was made from an equal key; else None."""
        if not self.same(name, key) or self.previous is None:
            return None
        part = self.previous.part(name)
        return part if getattr(part, "exact", True) or stage not in self.full else None

    def same(self, name: str, key: tuple[object, ...]) -> bool:
        """Note a key under a name; whether the previous snapshot had noted an equal one."""
        self.keys[name] = key
        return self.previous is not None and self.previous.keys.get(name) == key
