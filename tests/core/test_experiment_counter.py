"""The binary counter: bits as Python counts them, sines as the scheme gives them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import QUICK
from pe_desktop.core.scheme import build
from tests.core.experiment_states import a_state, changes, matters, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL, sinusoidals

OWN = ("sinusoidal", "rope", "xpos")
POSITIONS = st.fixed_dictionaries({"positions": st.integers(8, 64)})


@given(states("counter", POSITIONS, st.integers(2, 200) | st.integers(8100, 8192)))
@settings(max_examples=60)
def test_bits_and_their_flips(state):
    count = state.built_experiment.positions
    part = run(state)
    bits, sines = part.plates
    for position, row in enumerate(bits.values):
        assert "".join(f"{bit:.0f}" for bit in reversed(row)) == f"{position:0{bits.values.shape[1]}b}"
    assert value(part, "bits") == len(f"{count - 1:b}")
    assert value(part, "flips_fastest") == count - 1
    assert value(part, "flips_slowest") == 1
    assert value(part, "ratio_bits") == 2
    assert bits.column_labels == tuple(str(2**bit) for bit in range(bits.values.shape[1]))
    assert sines.values.shape[0] == count
    assert sines.values[0] == pytest.approx(0.0)


@given(sinusoidals(300))
@settings(max_examples=50)
def test_sines_are_the_columns_of_the_scheme_from_fast_to_slow(scheme):
    state = a_state("counter", "sinusoidal", dimension=scheme.dimension, length=scheme.length)
    state = state.change({"params": {"base": scheme.base, "layout": scheme.layout}})
    part = run(state)
    columns = scheme.pairs()[0]
    chosen = np.unique(np.linspace(0, len(columns) - 1, min(32, len(columns))).round()).astype(int)
    assert part.plates[1].values == pytest.approx(scheme.encode(range(16))[:, columns[chosen]], abs=1e-6)
    assert part.plates[1].title == "Sines, Sinusoidal"
    assert "standard" not in part.sentence
    if len(columns) > 1:
        pairs = len(columns) - 1
        wide = scheme.base ** (1 / pairs if scheme.layout == "tensor2tensor" else 2 / scheme.dimension)
        assert value(part, "ratio_pairs") == pytest.approx(wide)
    assert value(part, "wavelength_fastest") == pytest.approx(2 * np.pi)
    steps = np.abs(np.diff(scheme.encode(range(16))[:, columns], axis=0)).max(axis=0)
    assert value(part, "step_fastest") == pytest.approx(steps[0], abs=1e-12)
    assert value(part, "step_slowest") == pytest.approx(steps[-1], abs=1e-12)


def test_numbers_of_the_usual_encoding():
    part = run(a_state("counter"))
    assert value(part, "ratio_pairs") == pytest.approx(10000 ** (2 / 64))
    assert value(part, "wavelength_slowest") == pytest.approx(2 * np.pi * 10000 ** (62 / 64))
    assert part.sentence == (
        "The bit worth 1 flips at each of 15 steps, the bit worth 8 only once. Sines count smoothly: each takes 1.334 "
        "times as long as the one before (bits: 2)."
    )


def test_another_base_gives_other_figures():
    part = run(a_state("counter").change({"params": {"base": 100.0}}))
    assert value(part, "ratio_pairs") == pytest.approx(100 ** (2 / 64))
    assert value(part, "ratio_pairs") != pytest.approx(value(run(a_state("counter")), "ratio_pairs"), rel=0.1)


def test_one_pair_has_no_ratio():
    part = run(a_state("counter", dimension=2))
    assert part.figure("ratio_pairs").value is None
    assert part.figure("ratio_pairs").text == "–"
    assert part.sentence.endswith("The only sine moves smoothly where a bit jumps; it repeats every 6.28 positions.")
    assert part.plates[1].note == "the only sine"


def test_stretched_pairs_have_a_mean_ratio():
    state = a_state("counter", "rope").change({"params": {"extension": "yarn", "factor": 8.0, "trained_length": 64}})
    part, frequencies = run(state), np.sort(state.built.inv_freq())[::-1]
    expected = np.exp(np.diff(-np.log(frequencies)).mean())
    assert value(part, "ratio_pairs") == pytest.approx(expected)
    assert "each takes on average" in part.sentence


def test_pairs_that_do_not_turn_are_left_out():
    state = a_state("counter", "rope").change({"params": {"extension": "proportional", "rotary_fraction": 0.25}})
    turning = state.built.inv_freq()
    turning = turning[turning > 0]
    part = run(state)
    assert part.plates[1].values.shape[1] == len(turning) < 32
    assert part.plates[1].title == "Sines, RoPE"
    still = run(state.change({"params": {"rotary_fraction": 0.0}}))
    assert "The scheme RoPE has no pair that turns" in still.sentence


@pytest.mark.parametrize("scheme", ALL)
def test_whose_sines_they_are(scheme):
    part = run(a_state("counter", scheme))
    if scheme in OWN:
        assert "standard" not in part.sentence + part.plates[1].title
        return
    assert part.plates[1].title == "Sines, standard sinusoidal"
    assert part.sentence.endswith("turns with the position alone: shown is standard sinusoidal, d = 64.")
    columns = build("sinusoidal", {}, 64, 128).encode(range(16))[:, ::2]
    assert part.plates[1].values == pytest.approx(columns, abs=1e-6)


def test_wide_encodings_show_a_spread_of_columns():
    part = run(a_state("counter", dimension=8192))
    assert part.plates[1].values.shape == (16, 32)
    assert part.plates[1].note == "fastest first; 32 of 4,096 sines"
    state = a_state("counter", dimension=8192, params={"positions": 64})
    assert state.built_experiment.cost(state) <= QUICK


@pytest.mark.parametrize("positions", [7, 65, 12.5])
def test_positions_out_of_range_are_refused(positions):
    with pytest.raises(FieldError) as refused:
        a_state("counter", params={"positions": positions})
    assert refused.value.field == "positions"


@pytest.mark.parametrize(
    "change",
    [
        {"dimension": 32},
        {"params": {"base": 500.0}},
        {"scheme": "alibi"},
        {"experiment_params": {"positions": 20}},
    ],
)
def test_a_change_that_matters_gives_another_outcome(change):
    matters(a_state("counter"), change)


@given(states("counter"), changes())
@settings(max_examples=60)
def test_what_matters_is_in_the_key(state, change):
    same_where_keys_agree(state, change)
