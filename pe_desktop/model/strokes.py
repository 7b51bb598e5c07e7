"""Which changes belong together, and whether more of them are about to come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Strokes:
    """A person's drags, numbered, and whether something plays.

    Attributes
    ----------
    dragging : bool
        A person holds a slider or a key.
    playing : bool
        A number moves by itself; see :class:`pe_desktop.model.player.Player`.
    leaping : bool
        The state just becomes a whole other one: nobody moved its numbers.
    """

    def __init__(self) -> None:
        self._number = 0
        self.dragging = False
        self.playing = False
        self.leaping = False

    @property
    def moving(self) -> bool:
        """Whether the next change is near, so that costly work had better wait."""
        return self.dragging or self.playing

    @property
    def current(self) -> int:
        """The number of the drag that goes on, 0 between drags."""
        return self._number if self.dragging else 0

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """Go to a whole other state, in which nothing plays on."""
        self.playing, self.leaping = False, True
        try:
            yield
        finally:
            self.leaping = False

    def begin(self) -> None:
        """A drag begins."""
        self._number += 1
        self.dragging = True
