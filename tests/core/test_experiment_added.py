"""Added against concatenated: overlap and read-outs by their definitions, for every scheme."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.draws import normals
from pe_desktop.core.experiment import QUICK
from pe_desktop.core.experiments.added import WIDTHS
from pe_desktop.core.scheme import build
from pe_desktop.core.work import Cancelled, watched
from tests.core.experiment_states import a_state, changes, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL

SMALL = {"words": 8, "positions": 8}
ADDED = ("integer", "normalized", "sinusoidal", "learned", "sincos2d")
RIGHT = ("word_right_sum", "position_right_sum", "word_right_concatenated", "position_right_concatenated")
sizes = st.fixed_dictionaries(
    {"words": st.integers(8, 12), "positions": st.integers(8, 12), "seed": st.integers(0, 99)}
)


def vocabulary(count, width, seed=0):
    return normals(f"added words {seed}", count * 512).reshape(count, 512)[:, :width]


@pytest.mark.parametrize("scheme", ADDED)
@pytest.mark.parametrize("dimension", [16, 64, 512])
def test_overlap_by_its_definition(scheme, dimension):
    part = run(a_state("added", scheme, {"words": 12, "positions": 10}, dimension=dimension))
    words, rows = vocabulary(12, dimension), build(scheme, {}, dimension, 128).encode(range(10))
    cosines = [
        abs(word @ row) / (np.linalg.norm(word) * np.linalg.norm(row)) for word in words for row in rows if row.any()
    ]
    assert value(part, "overlap") == pytest.approx(np.mean(cosines), rel=1e-12)
    assert value(part, "overlap_chance") == pytest.approx(math.sqrt(2 / (math.pi * dimension)), rel=1e-12)
    inside = words.T @ np.linalg.pinv(words.T) @ rows.T
    assert value(part, "subspace") == pytest.approx((inside**2).sum() / (rows**2).sum(), rel=1e-9)
    assert value(part, "subspace_chance") == min(1.0, 12 / dimension)


@pytest.mark.parametrize("dimension", [64, 128, 512])
def test_random_rows_overlap_by_chance(dimension):
    part = run(a_state("added", "learned", {"words": 64, "positions": 64}, dimension=dimension))
    assert value(part, "overlap") == pytest.approx(value(part, "overlap_chance"), rel=0.05)
    assert value(part, "subspace") == pytest.approx(value(part, "subspace_chance"), rel=0.05)


def test_nearly_orthogonal_and_both_are_read_out():
    """Claim 18: in a wide space position and content hardly overlap, and a linear read-out recovers both."""
    wide = run(a_state("added", dimension=512))
    assert value(wide, "overlap") < 0.05
    assert value(wide, "subspace") < 0.1
    assert [value(wide, name) for name in RIGHT] == [1.0] * 4
    narrow = run(a_state("added", dimension=8))
    assert value(narrow, "overlap") > 0.25
    assert value(narrow, "subspace") == pytest.approx(1.0)
    assert value(narrow, "position_right_sum") < 0.1


def test_the_sum_needs_half_the_width_of_two_halves():
    part = run(a_state("added"))
    assert [value(part, name) for name in RIGHT] == [1.0, 1.0, 1.0, 0.9375]
    assert (value(part, "width_needed"), value(part, "width_needed_concatenated")) == (48, 96)
    assert part.sentence == (
        "At width 64 words and positions have |cos| 0.102 (chance 0.100). A linear read-out gets 100 % of words and "
        "100 % of positions right from new sums, 100 % and 93.8 % from two halves."
    )
    overlap, right = part.plates
    assert [line.x.tolist() for plate in part.plates for line in plate.lines] == [list(WIDTHS)] * 5
    assert overlap.marks == right.marks == ((64.0, "d = 64"),)
    sums, halves = (line.y for line in right.lines)
    needed = [WIDTHS[int(np.argmax(line >= 0.99))] for line in (sums, halves)]
    assert needed == [48, 96]


@given(states("added", sizes, st.integers(40, 600)))
@settings(max_examples=30)
def test_independent_rows_are_always_found_in_the_sum(state):
    """Words and rows that are linearly independent are told apart whatever they are added to."""
    state = state.change({"scheme": "learned", "length": 128})
    part = run(state)
    assert value(part, "word_right_sum") == value(part, "position_right_sum") == 1.0
    assert value(part, "width_needed") <= 32


@pytest.mark.parametrize("scheme", ["integer", "normalized"])
def test_a_wrong_scheme_loses_the_position(scheme):
    """Rows along one line: the word is found, no position is, at any width, added or not."""
    part = run(a_state("added", scheme, dimension=128))
    assert value(part, "word_right_sum") == 1.0
    assert value(part, "position_right_sum") < 0.1
    assert value(part, "position_right_concatenated") < 0.1
    for name in ("width_needed", "width_needed_concatenated"):
        figure = part.figure(name)
        assert (figure.value, figure.text) == (None, "none up to 512")


@pytest.mark.parametrize("scheme", [name for name in ALL if name not in ADDED])
def test_a_scheme_that_adds_nothing_shows_the_standard_rows(scheme):
    part, standard = (run(a_state("added", name, SMALL)) for name in (scheme, "sinusoidal"))
    assert part.figures == standard.figures
    assert "adds nothing: the rows are those of Sinusoidal, base 10,000." in part.sentence
    assert "adds nothing" not in standard.sentence


@pytest.mark.parametrize(
    ("dimension", "width"), [(2, 8), (7, 8), (10, 8), (64, 64), (100, 96), (513, 512), (8192, 512)]
)
def test_the_width_in_use(dimension, width):
    part = run(a_state("added", "learned", SMALL, dimension=dimension))
    assert value(part, "width") == width
    assert part.plates[0].marks == ((float(width), f"d = {width}"),)
    assert (f"Dimension {dimension:,} is looked at as width {width}." in part.sentence) == (width != dimension)


def test_a_width_between_those_of_the_sweep_joins_them():
    part = run(a_state("added", params=SMALL, dimension=80))
    assert part.plates[1].lines[0].x.tolist() == sorted([*WIDTHS, 80])


def test_fewer_positions_than_asked_for():
    short = run(a_state("added", length=2))
    assert "There are only 2 positions here." in short.sentence
    table = a_state("added", "learned").change({"params": {"trained_length": 5}})
    assert "There are only 5 positions here." in run(table).sentence
    one = run(table.change({"params": {"trained_length": 1}}))
    assert one.kind == "text"
    assert one.sentence == (
        "Two positions are needed to tell them apart, and the table of Learned has 1 row: lengthen it."
    )


@given(states("added", sizes))
@settings(max_examples=30)
def test_every_state_has_an_answer(state):
    part = run(state)
    if part.kind == "text":
        assert "1 row" in part.sentence
        return
    for name in (*RIGHT, "overlap", "subspace", "overlap_chance", "subspace_chance"):
        assert 0.0 <= value(part, name) <= 1.0
    for plate in part.plates:
        for line in plate.lines:
            assert 0.0 <= line.y.min() <= line.y.max() <= 1.0


@given(states("added", sizes), changes())
@settings(max_examples=20)
def test_nothing_that_matters_is_missing_from_the_key(state, change):
    same_where_keys_agree(state, change)


def test_seed_and_vocabulary_matter():
    part = run(a_state("added", params=SMALL))
    assert run(a_state("added", params=SMALL | {"seed": 1})).figures != part.figures
    assert run(a_state("added", params=SMALL | {"words": 9})).figures != part.figures


def test_it_takes_longer_than_a_frame_and_can_be_called_off():
    state, stop = a_state("added"), threading.Event()
    assert state.built_experiment.cost(state) > QUICK
    stop.set()
    with watched(stop), pytest.raises(Cancelled):
        run(state)
