"""Left padding: what masked pads change, against attention over the padded sentence itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import sentence
from pe_desktop.core.attention import mean_gap, project, toy_attention
from pe_desktop.core.experiment import QUICK, BarPlate, HeatPlate
from pe_desktop.core.experiments.padding import OTHERS
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts
from pe_desktop.core.score_bias import ScoreBias
from tests.core.experiment_states import a_state, changes, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL

WORDS = ("The", "dog", "bit", "the", "man")
SEE_DIFFERENCES = ("none", "rope", "xpos", "alibi", "t5", "kerple", "shaw", "transformer_xl", "deberta")
ABSOLUTE = ("integer", "normalized", "sinusoidal", "learned", "sincos2d")
pads = st.fixed_dictionaries({"pads": st.integers(0, 64)})


def padded_outputs(scheme, words, pads, ids, causal):
    """Outputs of the words in a sentence that holds its pads, masked by −∞ as keys."""
    inputs = sentence.word_vectors(("<pad>",) * pads + words, scheme.dimension, 0)
    if scheme.acts is Acts.ADDED:
        inputs = inputs + scheme.encode(ids)
    queries, keys, values = (project(inputs, 0, 1, which) for which in range(3))
    queries = queries * scheme.query_scale(ids)[:, None]
    products = scheme.scores(queries, keys, ids, ids) if isinstance(scheme, Rotary) else queries @ keys.T
    scores = products * scheme.softmax_scale
    if isinstance(scheme, ScoreBias):
        scores = scores + scheme.attention_bias(queries, keys, ids, 1)
    scores[:, :pads] = -np.inf
    if causal:
        scores[np.triu(np.ones(scores.shape, dtype=bool), 1)] = -np.inf
    scores = scores[pads:]
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ values


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scheme", ALL)
def test_a_masked_pad_changes_nothing_but_the_ids(scheme, causal):
    """What the experiment leaves out, the pads themselves, has no part in the words' outputs."""
    built, pads = a_state("padding", scheme).built, 4
    ids = np.arange(pads + len(WORDS), dtype=np.float64)
    expected = padded_outputs(built, WORDS, pads, ids, causal)
    slots = np.arange(len(WORDS))
    found = toy_attention(built, WORDS, slots + pads, seed=0, head=1, causal=causal)[1].outputs
    assert np.abs(found - expected).max() < 1e-12 * max(1.0, np.abs(expected).max())
    part = run(a_state("padding", scheme, {"pads": pads}, causal=causal, head=1))
    before = toy_attention(built, WORDS, slots, seed=0, head=1, causal=causal)[1].outputs
    assert value(part, "change_slot") == pytest.approx(mean_gap(before, expected, slots), abs=1e-10)


@given(states("padding", pads), st.sampled_from(SEE_DIFFERENCES))
@settings(max_examples=60)
def test_schemes_that_see_differences_are_not_harmed(state, scheme):
    part = run(a_state("padding", scheme, dict(state.experiment_params.get("padding", {})), **fields_of(state)))
    if part.kind == "text":
        assert not state.words
        return
    assert value(part, "change_slot") < 1e-9
    assert value(part, "change_mask") == value(part, "harmed") == 0.0


def fields_of(state):
    names = ("dimension", "length", "sentence", "causal", "head", "seed")
    return {name: getattr(state, name) for name in names}


@pytest.mark.parametrize("count", [1, 3, 40])
@pytest.mark.parametrize("scheme", ABSOLUTE)
def test_absolute_schemes_are_harmed(scheme, count):
    part = run(a_state("padding", scheme, {"pads": count}))
    assert value(part, "change_slot") > 0.01
    assert (value(part, "change_mask"), value(part, "harmed")) == (0.0, 1.0)


@pytest.mark.parametrize("scheme", ABSOLUTE)
def test_one_word_moves_by_its_rows_difference(scheme):
    """One word attends to itself alone: its output is (word + row) W_v."""
    state = a_state("padding", scheme, {"pads": 5}, sentence="alone")
    rows = state.built.encode([0, 5])
    moved = np.linalg.norm(project(rows[1:] - rows[:1], 0, 0, 2))
    assert value(run(state), "change_slot") == pytest.approx(moved, rel=1e-12)


def test_figures_and_sentence_at_first():
    part = run(a_state("padding"))
    harmed = {name: value(part, f"harmed_{name}") for name in OTHERS}
    assert harmed == {
        "none": 0.0,
        "integer": 1.0,
        "sinusoidal": 1.0,
        "learned": 1.0,
        "rope": 0.0,
        "alibi": 0.0,
        "t5": 0.0,
    }
    assert part.sentence == (
        "With 3 pads, ids by slot move the outputs of Sinusoidal by 2.970, ids by the mask by 0.000. Harmed by the "
        "shift: Sinusoidal, Raw integer spot and Learned; not harmed: None, RoPE, ALiBi and T5 buckets."
    )
    assert value(part, "words") == 5
    bars = part.plates[1]
    assert isinstance(bars, BarPlate)
    assert bars.names == ("Sinusoidal", "None", "Raw integer spot", "Learned", "RoPE", "ALiBi", "T5 buckets")
    assert bars.values[0] == pytest.approx([value(part, "change_slot"), 0.0])
    assert not bars.values[[1, 4, 5, 6]].any()
    assert (bars.values[[0, 2, 3], 0] > 1.0).all()
    assert not bars.values[:, 1].any()


def test_a_scheme_beside_those_in_the_list_stands_first():
    part = run(a_state("padding", "kerple"))
    assert part.plates[1].names[0] == "KERPLE"
    assert len(part.plates[1].names) == 1 + len(OTHERS)


def test_the_strip_by_hand():
    strip = run(a_state("padding", params={"pads": 2}, sentence="a b c")).plates[0]
    assert isinstance(strip, HeatPlate)
    assert strip.row_labels == ("mask", "ids by slot", "ids by mask")
    assert strip.column_labels == ("<pad>", "<pad>", "a", "b", "c")
    assert strip.values.tolist() == [[0, 0, 1, 1, 1], [0, 1, 2, 3, 4], [-1, -1, 0, 1, 2]]
    assert strip.digits == 0
    wide = run(a_state("padding", params={"pads": 40})).plates[0]
    assert wide.values.shape == (3, 24)
    assert wide.note == "the first 24 of 45 slots"


def test_without_pads():
    part = run(a_state("padding", params={"pads": 0}))
    assert (value(part, "change_slot"), value(part, "harmed_integer")) == (0.0, 0.0)
    assert part.sentence.startswith("Without a pad both ways of counting give the same ids")


def test_a_table_that_ends():
    state = a_state("padding", "learned", {"pads": 64}).change({"params": {"trained_length": 66}})
    part = run(state)
    assert value(part, "words") == 2
    assert part.sentence.endswith("Only the first 2 words of 5 take part.")
    assert value(part, "change_slot") > 1.0
    refused = run(state.change({"params": {"trained_length": 64}}))
    assert refused.sentence == (
        "With 64 pads the first word stands in slot 64, but the table of Learned has 64 rows: use fewer pads, or "
        "lengthen it."
    )


def test_an_odd_dimension_has_no_rope():
    part = run(a_state("padding", "sinusoidal", dimension=63))
    assert part.figure("harmed_rope") is None
    assert part.sentence.endswith("RoPE is left out: dimension 63 is odd, and it needs pairs.")
    assert "RoPE" not in part.plates[1].names


def test_no_words_and_many():
    assert run(a_state("padding", sentence="")).sentence == "There is no word to pad: type a sentence."
    many = a_state("padding", dimension=512, length=4000, sentence=" ".join(f"w{number}" for number in range(512)))
    part = run(many)
    assert value(part, "words") == 64
    assert part.sentence.endswith("Only the first 64 words of 512 take part.")
    assert many.built_experiment.cost(many) > QUICK >= a_state("padding").built_experiment.cost(a_state("padding"))


def test_shifts_that_some_schemes_of_distances_feel():
    """The ids matter where a scheme looks at the position itself: computed, not assumed."""
    fire = a_state("padding", "fire").change({"params": {"threshold": 1.0}})
    assert value(run(fire), "harmed") == 1.0
    warm = {"temperature": "llama4", "temperature_length": 2, "temperature_strength": 1.0}
    assert value(run(a_state("padding", "rope").change({"params": warm})), "harmed") == 1.0
    axial = a_state("padding", "axial").change({"params": {"grid_columns": 4}})
    assert value(run(axial), "harmed") == 1.0


@pytest.mark.parametrize("scheme", ["integer", "rope", "fire"])
def test_the_widest_vectors_and_a_million_positions(scheme):
    many = " ".join(f"w{number}" for number in range(512))
    state = a_state("padding", scheme, {"pads": 64}, dimension=8192, length=1_048_576, sentence=many)
    part = run(state)
    assert value(part, "harmed") == (scheme == "integer")
    assert value(part, "change_mask") == 0.0


@given(states("padding", pads))
@settings(max_examples=40)
def test_every_state_has_an_answer(state):
    part = run(state)
    if part.kind == "text":
        assert not state.words
        return
    assert value(part, "change_mask") == 0.0
    assert value(part, "change_slot") >= 0.0
    assert value(part, "harmed") == (value(part, "change_slot") > 1e-6)


@given(states("padding", pads), changes())
@settings(max_examples=30)
def test_nothing_that_matters_is_missing_from_the_key(state, change):
    same_where_keys_agree(state, change)
