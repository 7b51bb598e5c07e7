"""What one snapshot can take over from the one before."""

from __future__ import annotations

from typing import Any

from pe_desktop.core.parts import Snapshot


class Reuse:
    """Parts of the previous snapshot, given out where their key is the same.

    Parameters
    ----------
    previous : Snapshot or None
    full : bool
        Whether parts that are not exact are to be made anew.
    """

    def __init__(self, previous: Snapshot | None, full: bool) -> None:
        self.previous = previous
        self._full = full
        self.keys: dict[str, tuple[object, ...]] = {}

    def get(self, name: str, key: tuple[object, ...]) -> Any:
        """The part of a name (see :meth:`Snapshot.part`) if it was made from an equal key; else None."""
        if not self.same(name, key) or self.previous is None:
            return None
        part = self.previous.part(name)
        return part if getattr(part, "exact", True) or not self._full else None

    def same(self, name: str, key: tuple[object, ...]) -> bool:
        """Note a key under a name; whether the previous snapshot had noted an equal one."""
        self.keys[name] = key
        return self.previous is not None and self.previous.keys.get(name) == key
