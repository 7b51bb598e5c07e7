"""Norms: closed forms of both lengths, and which of them swamps the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import QUICK, build_experiment
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, scheme_class
from pe_desktop.core.sentence import word_vectors
from tests.core.experiment_states import a_state, changes, matters, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL

ADDED = [name for name in ALL if scheme_class(name).acts is Acts.ADDED]
SCALES = ("unit_norm", "unit_entries", "bert")
CHOICES = st.fixed_dictionaries({"embedding_scale": st.sampled_from(SCALES), "multiply": st.booleans()})


@pytest.mark.parametrize("dimension", [2, 64, 512, 8192])
@pytest.mark.parametrize("multiply", [False, True])
@pytest.mark.parametrize(("scale", "entry"), [("unit_norm", None), ("unit_entries", 1.0), ("bert", 0.02)])
def test_content_is_the_mean_length_of_the_words(dimension, multiply, scale, entry):
    state = a_state("norms", dimension=dimension, params={"embedding_scale": scale, "multiply": multiply})
    entry = (entry or dimension**-0.5) * (dimension**0.5 if multiply else 1)
    lengths = np.linalg.norm(word_vectors(state.words, dimension, 0) * entry, axis=1)
    part = run(state)
    assert value(part, "content_norm") == pytest.approx(lengths.mean())
    assert value(part, "ratio") == pytest.approx(np.sqrt(dimension / 2) / lengths.mean())
    words = [line for line in part.plates[0].lines if line.name == "each word"]
    assert words[0].y == pytest.approx(lengths)
    wide = next(line for line in part.plates[1].lines if line.name == "words")
    expected = [(entry / dimension**0.5 if multiply else entry)] * len(wide.x)
    if scale == "unit_norm":
        expected = wide.x**-0.5
    assert wide.y == pytest.approx(expected * wide.x ** (1.0 if multiply else 0.5))


def test_the_transformer_multiplies_so_that_neither_swamps():
    plain, multiplied = run(a_state("norms")), run(a_state("norms", params={"multiply": True}))
    assert value(plain, "position_norm") == pytest.approx(np.sqrt(32))
    assert value(plain, "ratio") > 5
    assert plain.sentence.endswith("the position swamps the words.")
    assert value(multiplied, "content_norm") == pytest.approx(8 * value(plain, "content_norm"))
    assert 0.5 < value(multiplied, "ratio") < 1
    assert multiplied.sentence.endswith("neither swamps the other.")
    assert (plain.point, multiplied.point) == ("entries × 0.1250", "entries × 1.0000")


@pytest.mark.parametrize(
    ("scheme", "length_at"),
    [
        ("sinusoidal", lambda p, length: np.sqrt(32)),
        ("sincos2d", lambda p, length: np.sqrt(32)),
        ("integer", lambda p, length: 8 * p),
        ("normalized", lambda p, length: 8 * p / length),
    ],
)
def test_lengths_of_rows(scheme, length_at):
    part = run(a_state("norms", scheme, position=12))
    assert value(part, "position_norm") == pytest.approx(length_at(12, 128))
    assert value(part, "position_norm_end") == pytest.approx(length_at(127, 128))
    assert value(part, "ratio_end") == pytest.approx(length_at(127, 128) / value(part, "content_norm"))
    rows = part.plates[0].lines[0]
    assert rows.y == pytest.approx([length_at(p, 128) for p in rows.x])
    assert rows.x[-1] == 127


def test_raw_integers_swamp_whatever_the_words_are():
    part = run(a_state("norms", "integer", {"embedding_scale": "unit_entries", "multiply": True}, length=1_048_576))
    assert value(part, "ratio_end") == pytest.approx(1_048_575 * 8 / value(part, "content_norm"))
    assert part.sentence.endswith("the position swamps the words.")
    plate = part.plates[0]
    assert plate.y_log
    assert plate.note == "rows of length 0 are left out"
    assert plate.lines[0].x[0] > 0


def test_words_swamp_small_positions():
    part = run(a_state("norms", "normalized", {"multiply": True, "embedding_scale": "unit_entries"}))
    assert value(part, "ratio_end") < 0.2
    assert part.sentence.endswith("the words swamp the position.")


@pytest.mark.parametrize(("scheme", "power", "factor"), [("sinusoidal", 0.5, 0.5), ("integer", 0.5, 144.0)])
def test_other_dimensions(scheme, power, factor):
    plate = run(a_state("norms", scheme, dimension=100, position=12)).plates[1]
    rows = plate.lines[0]
    assert rows.x.tolist() == sorted([*(2.0**power for power in range(1, 14)), 100.0])
    assert rows.y == pytest.approx((factor * rows.x) ** power)
    assert plate.marks == ((100.0, "d = 100"),)
    assert plate.x_log


def test_dimensions_that_a_scheme_cannot_have_are_left_out():
    state = a_state("norms").change({"params": {"layout": "tensor2tensor"}})
    assert run(state).plates[1].lines[0].x[0] == 4
    assert run(a_state("norms", "sincos2d")).plates[1].lines[0].x[0] == 4


def test_a_row_of_zeros_has_no_place_on_a_logarithmic_axis():
    part = run(a_state("norms", "integer", {"embedding_scale": "bert"}, position=0))
    assert value(part, "position_norm") == 0
    assert [line.name for line in part.plates[1].lines] == ["words"]
    assert part.plates[1].note.endswith("rows of length 0 are left out")


def test_a_table_ends():
    state = a_state("norms", "learned", length=4000, position=3000).change({"params": {"trained_length": 50}})
    part = run(state)
    rows = state.built.encode(range(50))
    assert value(part, "position_norm") == value(part, "position_norm_end")
    assert value(part, "position_norm_end") == pytest.approx(np.linalg.norm(rows[-1]))
    assert part.plates[0].lines[0].y == pytest.approx(np.linalg.norm(rows, axis=1))
    assert "At position 49" in part.sentence
    assert part.sentence.endswith("The table ends there, after 50 rows.")


def test_without_words_their_length_is_the_expected_one():
    part = run(a_state("norms", sentence="", params={"embedding_scale": "bert"}))
    assert value(part, "content_norm") == pytest.approx(0.16)
    assert [line.name for line in part.plates[0].lines] == ["position", "words"]
    assert "a word about 0.160" in part.sentence


@pytest.mark.parametrize("scheme", [name for name in ALL if name not in ADDED])
def test_schemes_that_add_nothing_are_refused(scheme):
    part = run(a_state("norms", scheme))
    assert part.kind == "text"
    assert "adds nothing to the words" in part.sentence or part.sentence.startswith("Nothing is added to the words")


def test_an_unknown_scale_is_refused():
    with pytest.raises(FieldError) as refused:
        build_experiment("norms", {"embedding_scale": "large"})
    assert refused.value.field == "embedding_scale"


@given(states("norms", CHOICES, st.integers(2, 96) | st.integers(8000, 8192), longest=100_000))
@settings(max_examples=40)
def test_figures_of_any_state(state):
    part = run(state)
    if state.scheme not in ADDED:
        assert part.kind == "text"
        return
    scheme, last = state.built, defined_rows(state.built) - 1
    ends = np.linalg.norm(scheme.encode([min(state.position, last), last]), axis=1)
    assert value(part, "position_norm") == pytest.approx(ends[0])
    assert value(part, "position_norm_end") == pytest.approx(ends[1])
    assert value(part, "ratio") == pytest.approx(ends[0] / value(part, "content_norm"))
    assert len(part.plates[0].lines[0].x) <= 400


def test_the_largest_table_is_left_for_later_and_the_usual_is_not():
    large = a_state("norms", "learned", dimension=8192, length=8192).change({"params": {"trained_length": 8192}})
    assert large.built_experiment.cost(large) > QUICK
    for scheme in ADDED:
        usual = a_state("norms", scheme)
        assert usual.built_experiment.cost(usual) <= QUICK
    widest = a_state("norms", dimension=8192, length=1_048_576)
    assert widest.built_experiment.cost(widest) <= QUICK


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 3},
        {"position": 40},
        {"sentence": "other words"},
        {"dimension": 32},
        {"length": 200},
        {"scheme": "integer"},
        {"experiment_params": {"multiply": True}},
        {"experiment_params": {"embedding_scale": "bert"}},
    ],
)
def test_a_change_that_matters_gives_another_outcome(change):
    matters(a_state("norms"), change)


@given(states("norms", longest=4000), changes())
@settings(max_examples=60)
def test_what_matters_is_in_the_key(state, change):
    same_where_keys_agree(state, change)
