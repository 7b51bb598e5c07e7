"""What is read out before a scan is done: known answers, closed forms, and else that it is being computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import bias_rows
from pe_desktop.core.part_readouts import COMPUTING, readouts_part
from pe_desktop.core.part_rotation import WAITING
from pe_desktop.core.parts import Viewport
from pe_desktop.core.properties import bounded, steady
from pe_desktop.core.schemes import learned
from pe_desktop.core.snapshot import compute, is_cheap, is_complete
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST, any_scheme, plain

LARGE = LabState().change({"length": LAST + 1, "dimension": 8192})
TABLE = LARGE.change({"scheme": "learned", "position": 300, "key_position": 310})
VIEW = Viewport()


def waiting(state):
    part = compute(state, VIEW, full=False).readouts
    names = {r.name for r in part.readouts if r.text == COMPUTING}
    names |= {light.name for light in part.properties if light.number == "…"}
    assert all(r.value is None for r in part.readouts if r.text == COMPUTING)
    assert all(light.holds is None and light.evidence.endswith("…") for light in part.properties if light.number == "…")
    assert part.exact == (not names)
    return names


CLOSEST, WHOLE_TABLE = {"closest_pair", "unique"}, {"row_norm", "closest_pair", "unique", "gap_spread", "relative"}
EXPECTED = {
    "sinusoidal": CLOSEST,
    "sincos2d": CLOSEST,
    "rope": CLOSEST,
    "learned": WHOLE_TABLE | {"rotation_residual", "bounded"},
    "fire": {"largest_value"},
    "transformer_xl": {"largest_value"},
}


@pytest.mark.parametrize("name", ALL)
def test_at_the_largest_size(name):
    """All else has a closed form or takes no time."""
    state = LARGE.change({"scheme": name, "position": 300, "key_position": 310})
    assert waiting(state) == EXPECTED.get(name, set())
    assert name not in EXPECTED or not is_cheap(state, VIEW)


def test_an_unpaired_column_makes_norms_a_scan():
    assert waiting(LARGE.change({"dimension": 8191})) == CLOSEST | {"row_norm"}


def test_the_largest_bias_of_many_wide_heads_waits():
    state = LARGE.change({"scheme": "shaw", "params": {"heads": 17}})
    assert waiting(state) == {"bounded"}
    bounded(state.built)
    assert waiting(state.change({"length": 5000})) == set()


def test_a_table_that_was_searched_is_known_at_any_length():
    state = TABLE.change({"dimension": 64, "params": {"trained_length": 3000}})
    assert waiting(state) == CLOSEST | {"row_norm"}
    compute(state, VIEW)
    longer = state.change({"length": 5000})
    assert waiting(longer) == set()
    quick, full = compute(longer, VIEW, full=False), compute(longer, VIEW)
    assert [r.text for r in quick.readouts.readouts] == [r.text for r in full.readouts.readouts]
    assert quick.readouts.properties == full.readouts.properties
    assert waiting(longer.change({"length": 2999})) >= CLOSEST  # fewer rows than the table has


def test_a_quick_snapshot_draws_few_rows_of_a_table(monkeypatch):
    monkeypatch.setattr(learned, "_BLOCKS", learned._Blocks())
    state = TABLE.change({"length": 8192, "params": {"trained_length": 8192}})
    compute(state, Viewport(shown=frozenset({"scores", "spectrum"})), full=False)
    assert sum(block.drawn for block in learned._BLOCKS._kept.values()) < 512


def test_the_dials_wait_for_a_large_table_only():
    quick = compute(TABLE, VIEW, full=False).rotation
    assert (quick.sentence, quick.exact) == (WAITING, False)
    full = compute(TABLE, VIEW, previous=compute(TABLE, VIEW, full=False)).rotation
    assert full.exact
    assert full.sentence.startswith("No fixed rotation takes row p to row p + 10")
    assert np.array_equal(quick.query, full.query)
    assert np.array_equal(quick.key, full.key)
    assert compute(TABLE, VIEW, full=False).rotation.exact  # now it is known
    assert not is_complete(compute(TABLE.change({"key_position": 311}), VIEW, full=False))
    assert compute(TABLE.change({"dimension": 64}), VIEW, full=False).rotation.exact


@pytest.mark.parametrize("name", ["fire", "transformer_xl"])
def test_a_curve_along_all_keys_knows_the_largest_bias(name, monkeypatch):
    state = LabState().change({"scheme": name, "length": 100_000, "dimension": 1024, "position": 700})
    full = compute(state, VIEW)
    row = state.built, state.head, state.position, 0, state.length
    assert bias_rows.knows_range(*row)
    assert "largest_value" not in waiting(state)
    assert "largest_value" in waiting(state.change({"position": 701}))
    shown = next(r for r in full.readouts.readouts if r.name == "largest_value")
    every = np.abs(state.built.row(0, 700, 0, 100_000)).max()
    assert shown.value == pytest.approx(every, rel=1e-12)


@settings(max_examples=60)
@given(any_scheme(16), st.integers(0, 200))
def test_what_is_shown_at_once_is_what_the_scan_finds(scheme, key):
    params = {about.name: getattr(scheme, about.name) for about in scheme.parameters()}
    state = LabState().change({"dimension": scheme.dimension, "length": scheme.length})
    state = state.change({"scheme": scheme.id, "params": params, "key_position": min(key, scheme.length - 1)})
    attention = compute(state, VIEW).attention
    quick, full = (readouts_part(state, attention, each) for each in (False, True))
    for before, after in zip(quick.readouts, full.readouts, strict=True):
        assert before.text in (COMPUTING, after.text)
    for before, after in zip(quick.properties, full.properties, strict=True):
        assert before == after or before.number == "…"


@pytest.mark.parametrize("name", ALL)
def test_a_drag_of_the_length_leaves_what_does_not_depend_on_it(name):
    """Steady schemes are not looked at again: the light is decided by what their rows are made of."""
    for length in (100, 5000):
        light = steady(plain(name, 64, length))
        assert light.holds == (name not in ("normalized", "xpos", "mrope") or (name == "mrope" and light.holds))
