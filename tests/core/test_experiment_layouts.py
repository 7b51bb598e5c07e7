"""Mixed layouts: scores against rotations written out as complex numbers."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.draws import normals
from pe_desktop.core.experiment import QUICK
from pe_desktop.core.scheme import build
from pe_desktop.core.work import Cancelled, watched
from tests.core.experiment_states import a_state, changes, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL

ROTARY = ("rope", "xpos", "mrope", "axial")
params = st.fixed_dictionaries(
    {
        "pair": st.integers(0, 999),
        "like": st.floats(0, 1),
        "moves": st.sampled_from(("both", "query")),
        "positions": st.integers(16, 64),
    }
)


def turned(vector, angles, layout):
    """A vector with each pair turned by its angle, the pairs (i, i + d/2) or (2i, 2i + 1)."""
    half = len(vector) // 2
    z = vector[:half] + 1j * vector[half:] if layout == "half" else vector[::2] + 1j * vector[1::2]
    z = z * np.exp(1j * angles)
    return np.concatenate([z.real, z.imag]) if layout == "half" else np.column_stack([z.real, z.imag]).ravel()


def pair_of(number, like, dimension):
    query, other = (normals(f"layouts {name} {number}", dimension) for name in ("query", "key"))
    return query, like * query + np.sqrt(1 - like**2) * other


@pytest.mark.parametrize("moves", ["both", "query"])
@pytest.mark.parametrize("like", [1.0, 0.6, 0.0])
@pytest.mark.parametrize(("own", "other"), [("half", "interleaved"), ("interleaved", "half")])
def test_scores_by_complex_numbers(own, other, like, moves):
    state = a_state("layouts", "rope", {"moves": moves, "like": like, "pair": 7}, dimension=24)
    part = run(state.change({"params": {"layout": own}}))
    query, key = pair_of(7, like, 24)
    frequencies = 10000.0 ** (-np.arange(12) / 12)
    right, mixed = np.empty(128), np.empty(128)
    for p in range(128):
        turned_key = turned(key, (p if moves == "both" else 0) * frequencies, own)
        right[p] = turned(query, p * frequencies, own) @ turned_key / np.sqrt(24)
        mixed[p] = turned(query, p * frequencies, other) @ turned_key / np.sqrt(24)
    lines = part.plates[0].lines
    assert lines[0].y == pytest.approx(right, abs=1e-12)
    assert lines[1].y == pytest.approx(mixed, abs=1e-12)
    off = np.abs(mixed - right)
    assert part.plates[1].lines[0].y == pytest.approx(off, abs=1e-12)
    limit = 0.01 * np.linalg.norm(query) * np.linalg.norm(key) / np.sqrt(24)
    assert part.plates[1].lines[1].y == pytest.approx(np.full(128, limit))
    assert value(part, "score_at_0") == pytest.approx(query @ key / np.sqrt(24))
    assert value(part, "difference_max") == pytest.approx(off.max())
    assert value(part, "first_wrong") == np.flatnonzero(off > limit)[0]
    assert f"key {own}, query {other}" in part.point


@pytest.mark.parametrize("moves", ["both", "query"])
@pytest.mark.parametrize("scheme", ROTARY)
def test_right_at_position_0_and_wrong_later(scheme, moves):
    """Claim 19: mixed schemes; position 0 cannot reveal it."""
    part = run(a_state("layouts", scheme, {"moves": moves}, dimension=128))
    assert value(part, "difference_at_0") < 1e-12
    assert value(part, "difference_max") > 0.05 * value(part, "score_at_0")
    assert value(part, "first_wrong") > 0
    assert part.plates[1].marks == ((value(part, "first_wrong"), f"wrong from {value(part, 'first_wrong'):.0f}"),)


@pytest.mark.parametrize("scheme", ROTARY)
def test_moving_both_leaves_the_right_score_alone(scheme):
    part = run(a_state("layouts", scheme))
    right, mixed = (line.y for line in part.plates[0].lines)
    assert np.ptp(right) < 1e-12 * right[0]
    assert np.ptp(mixed) > 0.5 * right[0]


def test_the_sentence_has_the_numbers():
    part = run(a_state("layouts", "rope"))
    assert part.sentence == (
        "At position 0 the mixed score is right (8.972); at position 1 it first goes wrong, and at 115 it is "
        "off by 9.945."
    )
    assert [value(part, name) for name in ("first_wrong", "score_at_0")] == [1, pytest.approx(8.972, abs=5e-4)]


@given(states("layouts", params))
@settings(max_examples=80)
def test_every_state_has_an_answer(state):
    part = run(state)
    if part.kind == "text":
        assert state.dimension % 2
        return
    size = np.linalg.norm(normals(f"layouts query {state.built_experiment.pair}", state.dimension))
    assert value(part, "difference_at_0") < 1e-12 * size**2
    assert value(part, "difference_permuted") < 1e-10 * size**2
    lines = [line for plate in part.plates for line in plate.lines]
    assert {len(line.x) for line in lines} == {min(state.length, state.built_experiment.positions)}


@pytest.mark.parametrize("scheme", [name for name in ALL if name not in ROTARY])
def test_a_scheme_without_pairs_shows_standard_rope(scheme):
    part, rope = (run(a_state("layouts", name)) for name in (scheme, "rope"))
    assert part.figures == rope.figures
    assert part.sentence.endswith("has no pairs to lay out: this is standard RoPE, base 10,000.")
    assert "standard RoPE" not in rope.sentence


@pytest.mark.parametrize("scheme", ["alibi", "sinusoidal", "none"])
def test_an_odd_dimension_has_no_pairs_to_stand_in(scheme):
    state = a_state("layouts", scheme, dimension=63)
    assert run(state).sentence == (
        f"{state.built.title} has no pairs to lay out, and RoPE cannot stand in for it, because dimension 63 is odd: "
        "use an even dimension."
    )


def test_an_odd_dimension_whose_first_62_rotate():
    part = run(a_state("layouts", "sinusoidal", dimension=63).change({"scheme": "rope", "params": SIXTY_TWO}))
    assert value(part, "difference_at_0") < 1e-12
    assert value(part, "difference_permuted") < 1e-12
    assert value(part, "difference_max") > 1.0


SIXTY_TWO = {"rotary_dimension": 62}


def test_one_pair_has_one_layout():
    part = run(a_state("layouts", "rope", dimension=2))
    assert part.sentence == "With one pair both layouts are the same: every score is right."
    assert value(part, "difference_max") == 0.0
    assert (part.figure("first_wrong").value, part.figure("first_wrong").text) == (None, "none of 128")
    assert part.plates[1].marks == ()


def test_angles_too_small_to_be_wrong():
    still = {"base": 1e15, "extension": "linear", "factor": 1e6}
    part = run(a_state("layouts", "rope", dimension=4).change({"params": still}))
    assert part.figure("first_wrong").value is None
    assert part.sentence.startswith("At none of 128 positions is the mixed score off by more than 1 % of |q||k|")


def test_read_interleaved_and_written_as_halves_counts_as_interleaved():
    state = a_state("layouts", "rope")
    both, one = (run(state.change({"params": {"layout": name}})) for name in ("interleaved_half", "interleaved"))
    assert both.figures == one.figures
    assert "score as interleaved ones" in both.sentence


def test_xpos_is_taken_about_position_0():
    state = a_state("layouts", "xpos", {"moves": "query"}, length=1_048_576)
    part = run(state)
    assert "about the centre 0" in part.sentence
    own = build("xpos", {"centre": 0}, 64, 1_048_576)
    query, key = pair_of(0, 1.0, 64)
    right = own.scores(query[None], key[None], np.array([100.0]), np.array([0.0]))[0, 0] / 8
    assert part.plates[0].lines[0].y[100] == pytest.approx(right)
    centred = run(state.change({"params": {"centre": 0}}))
    assert centred.figures == part.figures
    assert "centre" not in centred.sentence


def test_base_matters():
    fast, slow = (run(a_state("layouts", "rope").change({"params": {"base": base}})) for base in (10.0, 1e6))
    assert value(fast, "difference_max") != pytest.approx(value(slow, "difference_max"), abs=1e-3)


def test_it_can_be_called_off_where_it_takes_long():
    state, stop = a_state("layouts", "rope", dimension=8192), threading.Event()
    assert state.built_experiment.cost(state) > QUICK >= a_state("layouts").built_experiment.cost(a_state("layouts"))
    stop.set()
    with watched(stop), pytest.raises(Cancelled):
        run(state)


@given(states("layouts", params), changes())
@settings(max_examples=30)
def test_nothing_that_matters_is_missing_from_the_key(state, change):
    same_where_keys_agree(state, change)
