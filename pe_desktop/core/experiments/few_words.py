"""The words of the sentence that an experiment of many attentions looks at."""

from __future__ import annotations

from pe_desktop.core.numerals import whole
from pe_desktop.core.state import LabState

MOST = 64  # words, so that dozens of attentions over 8,192 dimensions take a second or two


def few_words(state: LabState, room: int = MOST) -> tuple[tuple[str, ...], str]:
    """The first words that have a position, at most `room` and at most :data:`MOST`.

    Parameters
    ----------
    state : LabState
    room : int
        How many may take part, 1 or more.

    Returns
    -------
    words : tuple of str
        Empty where the sentence has none.
    note : str
        A sentence about those left out, after a space; "" where all take part.
    """
    words = state.words_that_count[: min(room, MOST)]
    total = len(state.words)
    if len(words) == total:
        return words, ""
    if len(words) == 1:
        return words, f" Only the first word of {whole(total)} takes part."
    return words, f" Only the first {len(words)} words of {whole(total)} take part."
