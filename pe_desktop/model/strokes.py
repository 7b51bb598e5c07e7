"""Which changes belong together, and whether more of them are about to come."""

from __future__ import annotations


class Strokes:
    """A person's drags, numbered, and whether something plays.

    Attributes
    ----------
    dragging : bool
        A person holds a slider or a key.
    playing : bool
        A number moves by itself; see :class:`pe_desktop.model.player.Player`.
    """

    def __init__(self) -> None:
        self._number = 0
        self.dragging = False
        self.playing = False

    @property
    def moving(self) -> bool:
        """Whether the next change is near, so that costly work had better wait."""
        return self.dragging or self.playing

    @property
    def current(self) -> int:
        """The number of the drag that goes on, 0 between drags."""
        return self._number if self.dragging else 0

    def begin(self) -> None:
        """A drag begins."""
        self._number += 1
        self.dragging = True
