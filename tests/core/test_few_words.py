"""Which words a long experiment looks at, and what it says of the others."""

from __future__ import annotations

import pytest

from pe_desktop.core.experiments.few_words import few_words
from pe_desktop.core.state import LabState


def state_of(count, **fields):
    return LabState().change({"sentence": " ".join(f"w{number}" for number in range(count)), "length": 1000} | fields)


@pytest.mark.parametrize(
    ("count", "fields", "room", "kept", "note"),
    [
        (0, {}, 64, 0, ""),
        (5, {}, 64, 5, ""),
        (64, {}, 64, 64, ""),
        (65, {}, 64, 64, " Only the first 64 words of 65 take part."),
        (1200, {}, 500, 64, " Only the first 64 words of 1,200 take part."),
        (5, {"length": 2}, 64, 2, " Only the first 2 words of 5 take part."),
        (5, {}, 1, 1, " Only the first word of 5 takes part."),
        (5, {"scheme": "learned", "params": {"trained_length": 3}}, 64, 3, " Only the first 3 words of 5 take part."),
    ],
)
def test_the_first_words_that_fit(count, fields, room, kept, note):
    words, said = few_words(state_of(count, **fields), room)
    assert words == tuple(f"w{number}" for number in range(kept))
    assert said == note
