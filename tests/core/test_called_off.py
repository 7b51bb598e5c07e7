"""A snapshot whose work was called off says of nothing that it is still to come, and of nothing else than before."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from pe_desktop.core.called_off import NOT_COMPUTED, called_off
from pe_desktop.core.parts import Viewport
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, fitting

SHOWN = frozenset({"spectrum", "scores", "precision", "grid"})
# Words of work that goes on.
WAITING = re.compile(r"computing|computed…|follow…|^looking|^comparing|being computed", re.IGNORECASE)
STATES = [
    {"dimension": 8192, "length": 1_000_003, "sentence": "w v " * 200, "swap": True},
    {"dimension": 256, "length": 40_009, "compare": "rope"},
    {"dimension": 64, "length": 500_009, "compare": "learned", "compare_params": {"trained_length": 8192}},
]


def texts(thing, path=""):
    """Every text in a part with where it stands."""
    if isinstance(thing, str):
        yield path, thing
    elif isinstance(thing, tuple):
        for number, each in enumerate(thing):
            yield from texts(each, f"{path}[{number}]")
    elif dataclasses.is_dataclass(thing) and not hasattr(thing, "acts"):
        for field in dataclasses.fields(thing):
            yield from texts(getattr(thing, field.name), f"{path}.{field.name}")


def pieces(snapshot):
    always = ("matrix", "similarity", "rotation", "attention", "readouts", "compare")
    return {name: snapshot.part(name) for name in (*always, *snapshot.panes)}


def quick(changes, spectrum="wavelengths"):
    return compute(LabState().change(changes), Viewport(shown=SHOWN, spectrum=spectrum), full=False)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("changes", STATES, ids=["large", "compared", "long"])
@pytest.mark.parametrize("spectrum", ["wavelengths", "cache"])
def test_nothing_is_said_to_come(name, changes, spectrum):
    changes = {"scheme": name, **changes, "dimension": fitting(name, changes["dimension"])}
    before = quick(changes, spectrum)
    after = called_off(before)
    for part, told in pieces(after).items():
        for path, text in texts(told):
            assert not WAITING.search(text), f"{part}{path}: {text}"
            assert not text.endswith("…") or path.endswith("label"), f"{part}{path}: {text}"
    assert after.keys == before.keys
    assert (after.state, after.generation) == (before.state, before.generation)


def test_numbers_pictures_and_exact_parts_stay():
    before = quick(STATES[0])
    after = called_off(before)
    assert after.matrix.values is before.matrix.values
    assert after.rotation is before.rotation
    for part in pieces(after).values():
        for field in dataclasses.fields(part) if part is not None else ():
            value = getattr(part, field.name)
            assert not isinstance(value, np.ndarray) or value.dtype != object
    for old, new in zip(before.readouts.readouts, after.readouts.readouts, strict=True):
        assert (new.name, new.value) == (old.name, old.value)
        assert new.text == (NOT_COMPUTED if old.text == "computing…" else old.text)
    for old, new in zip(before.readouts.properties, after.readouts.properties, strict=True):
        assert new == old or (old.number == "…" and new.number == NOT_COMPUTED)
    exact = compute(LabState())
    again = called_off(exact)
    assert all(again.part(name) is part for name, part in pieces(exact).items())


def test_what_it_says():
    told = called_off(quick(STATES[0]))
    assert told.attention.sentence == "Not computed: the attention of 400 words."
    found = {light.name: light for light in told.readouts.properties}
    if not found["unique"].holds:
        assert found["unique"].evidence == "Not looked for: the closest two rows."
    assert not told.attention.exact


def test_the_words_of_a_person_stay_theirs():
    state = {"dimension": 64, "sentence": "Looking for computing… follow…", "length": 500_009}
    before = quick({**state, "scheme": "learned", "params": {"trained_length": 8192}})
    after = called_off(before)
    assert after.attention is before.attention
    assert "computing…" in after.attention.tokens_a
