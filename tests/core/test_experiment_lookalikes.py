"""Look-alikes: distances against rows written out in numpy, and the mirror of a lone sine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import QUICK
from tests.core.experiment_states import a_state, changes, matters, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL, sinusoidals

CHOICES = st.fixed_dictionaries({"positions": st.integers(8, 96), "pairs": st.none() | st.integers(1, 60)})
KINDS = ("sine", "both")


def distances(rows):
    return np.linalg.norm(rows[:, None] - rows[None], axis=2)


@given(sinusoidals(60), st.integers(8, 96), st.none() | st.integers(1, 40))
@settings(max_examples=40)
def test_distances_are_those_of_the_rows(scheme, positions, pairs):
    state = a_state("lookalikes", dimension=scheme.dimension, length=scheme.length)
    state = state.change({"params": {"base": scheme.base, "layout": scheme.layout}})
    state = state.change({"experiment_params": {"positions": positions, "pairs": pairs}})
    sine, cosine = (columns[:pairs] for columns in scheme.pairs())
    rows = scheme.encode(range(positions))
    part = run(state)
    assert value(part, "pairs") == len(sine)
    for plate, name, columns in zip(part.plates, KINDS, (sine, np.concatenate([sine, cosine])), strict=True):
        expected = distances(rows[:, columns])
        assert plate.values == pytest.approx(expected, abs=2e-6)
        apart = expected[np.triu_indices(positions, 1)]
        first, second = int(value(part, f"first_{name}")), int(value(part, f"second_{name}"))
        assert first < second
        assert value(part, f"closest_{name}") == pytest.approx(expected[first, second], abs=1e-9)
        assert value(part, f"closest_{name}") == pytest.approx(apart.min(), abs=1e-9)
        low, high = (int((apart < share * apart.mean()).sum()) for share in (0.1 - 1e-9, 0.1 + 1e-9))
        assert low <= value(part, f"alike_{name}") <= high
        if not value(part, "alike_sine"):
            assert plate.marked == ((first, second), (second, first))
        assert plate.note.startswith(f"{int(value(part, f'alike_{name}')):,} of ")
    assert part.plates[0].high == part.plates[1].high
    assert (part.figure("confused_sine").value is None) is (value(part, "alike_sine") == 0)


def test_one_sine_cannot_tell_a_position_from_its_mirror():
    """sin p = sin(21π − p): 11 and 55, whose sum is nearly 21π."""
    part = run(a_state("lookalikes", params={"pairs": 1}))
    assert (value(part, "first_sine"), value(part, "second_sine")) == (11, 55)
    assert value(part, "closest_sine") == pytest.approx(abs(np.sin(11) - np.sin(55)))
    assert value(part, "closest_sine") < 3e-4
    assert (value(part, "first_both"), value(part, "second_both")) == (0, 44)  # 44 is nearly 7 turns
    assert value(part, "closest_both") == pytest.approx(2 * np.sin(22 - 7 * np.pi))
    assert value(part, "alike_sine") > 5 * value(part, "alike_both")
    confused = int(value(part, "confused_first")), int(value(part, "confused_second"))
    assert confused == (0, 22)  # 22 is nearly 7 half turns, and cosine 1 becomes -1
    assert value(part, "confused_sine") == pytest.approx(abs(np.sin(22)))
    assert value(part, "confused_both") == pytest.approx(np.hypot(np.sin(22), np.cos(22) - 1))
    assert [plate.marked for plate in part.plates] == [((0, 22), (22, 0))] * 2
    assert "such as 0 and 22: 0.00885 apart, with cosines 2." in part.sentence
    assert part.sentence.endswith("A sine falls as it rose: 0 + 22 are 7.003 half turns, near an odd number.")


@given(st.integers(8, 96), st.integers(1, 4), st.floats(1.5, 100.0))
def test_the_confused_two_are_those_that_cosines_tell_apart_best(positions, pairs, base):
    state = a_state("lookalikes", params={"positions": positions, "pairs": pairs}).change({"params": {"base": base}})
    part = run(state)
    alone, both = (plate.values[np.triu_indices(positions, 1)] for plate in part.plates)
    alike = alone < 0.1 * alone.mean()
    if not value(part, "alike_sine"):
        return
    assert value(part, "confused_both") == pytest.approx(both[alike].max(), rel=1e-2)
    assert value(part, "confused_sine") <= 0.1 * alone.mean() * (1 + 1e-6)
    pair = int(value(part, "confused_first")), int(value(part, "confused_second"))
    assert part.plates[0].values[pair] == pytest.approx(value(part, "confused_sine"), abs=1e-6)


def test_a_slow_sine_is_mirrored_at_its_peak():
    """A frequency of π/32: sin(πp/32) is the same at p and 32 − p."""
    state = a_state("lookalikes", "rope", dimension=2, params={"positions": 32})
    state = state.change({"params": {"extension": "linear", "factor": 32 / np.pi}})
    part = run(state)
    first, second = value(part, "first_sine"), value(part, "second_sine")
    assert first + second == 32
    assert value(part, "closest_sine") < 1e-12
    mirrored = part.plates[0].values
    assert [mirrored[p, 32 - p] for p in range(1, 32)] == pytest.approx([0.0] * 31, abs=1e-6)
    assert part.plates[1].values[1, 31] > 1.9
    assert value(part, "confused_first") + value(part, "confused_second") == 32
    assert "are 1.000 half turns, near an odd number" in part.sentence
    assert value(part, "alike_both") < value(part, "alike_sine")


def test_whole_turns_apart():
    """The closest two of a lone fast sine among a few positions lie a whole turn apart."""
    state = a_state("lookalikes", "rope", dimension=2, params={"positions": 8})
    part = run(state.change({"params": {"extension": "linear", "factor": 7 / (2 * np.pi)}}))
    assert value(part, "second_both") - value(part, "first_both") == 7
    assert "(0, 7)" in part.figure("closest_both").text


def test_all_pairs_leave_no_look_alikes():
    part = run(a_state("lookalikes"))
    assert [value(part, f"alike_{name}") for name in KINDS] == [0, 0]
    assert value(part, "closest_sine") == pytest.approx(0.543, abs=5e-4)
    assert value(part, "closest_both") == pytest.approx(1.472, abs=5e-4)
    assert part.point.startswith("all 32 pairs of Sinusoidal")
    assert part.sentence == (
        "No two positions look alike: the closest by sines alone, 48 and 49, are 0.543 apart; with cosines the "
        "closest, 0 and 1, are 1.47 apart."
    )


def test_another_base_gives_other_figures():
    usual, other = run(a_state("lookalikes")), run(a_state("lookalikes").change({"params": {"base": 2.0}}))
    assert value(usual, "closest_both") != pytest.approx(value(other, "closest_both"), rel=0.1)


def test_more_pairs_than_there_are():
    part = run(a_state("lookalikes", params={"pairs": 4000}))
    assert value(part, "pairs") == 32
    assert part.figures == run(a_state("lookalikes")).figures
    assert run(a_state("lookalikes", params={"pairs": 3})).point.startswith("3 of 32 pairs")
    assert run(a_state("lookalikes", dimension=2)).point.startswith("the only pair")


@pytest.mark.parametrize("scheme", ALL)
def test_whose_pairs_they_are(scheme):
    part = run(a_state("lookalikes", scheme))
    own = scheme in ("sinusoidal", "rope", "xpos")
    assert ("standard sinusoidal" in part.point) is not own
    assert part.sentence.endswith("d = 64.") is not own
    assert value(part, "closest_both") == pytest.approx(value(run(a_state("lookalikes")), "closest_both"))


def test_positions_alike_to_the_last_digit_are_told_apart():
    """Rows of a very slow pair: the difference of two sines would lose all digits."""
    state = a_state("lookalikes", "rope", dimension=2, params={"positions": 8})
    state = state.change({"params": {"extension": "linear", "factor": 1024.0}})
    part = run(state)
    assert value(part, "closest_both") == pytest.approx(2 * np.sin(0.5 / 1024), rel=1e-12)
    assert part.plates[0].values[0, 0] == 0


@pytest.mark.parametrize(("name", "number"), [("positions", 7), ("positions", 97), ("pairs", 0), ("pairs", 4097)])
def test_what_is_out_of_range_is_refused(name, number):
    with pytest.raises(FieldError) as refused:
        a_state("lookalikes", params={name: number})
    assert refused.value.field == name


@given(states("lookalikes", CHOICES, st.integers(2, 96) | st.integers(8000, 8192)))
@settings(max_examples=25)
def test_cosines_never_bring_positions_nearer(state):
    part = run(state)
    alone, both = (plate.values for plate in part.plates)
    assert (both >= alone - 1e-5 * part.plates[0].high).all()
    assert value(part, "closest_both") >= value(part, "closest_sine") * (1 - 1e-9)
    assert alone == pytest.approx(alone.T)


def test_wide_encodings_are_left_for_later():
    wide = a_state("lookalikes", dimension=8192, params={"positions": 96})
    assert wide.built_experiment.cost(wide) > QUICK
    few = wide.change({"experiment_params": {"pairs": 64}})
    assert few.built_experiment.cost(few) <= QUICK


@pytest.mark.parametrize(
    "change",
    [
        {"dimension": 32},
        {"params": {"base": 500.0}},
        {"scheme": "alibi"},
        {"experiment_params": {"positions": 20}},
        {"experiment_params": {"pairs": 2}},
    ],
)
def test_a_change_that_matters_gives_another_outcome(change):
    matters(a_state("lookalikes"), change)


@given(states("lookalikes"), changes())
@settings(max_examples=60)
def test_what_matters_is_in_the_key(state, change):
    same_where_keys_agree(state, change)
