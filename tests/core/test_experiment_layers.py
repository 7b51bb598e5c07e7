"""Rows added at every layer or once: the toy stack against one written out in plain numpy."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import sentence
from pe_desktop.core.attention import project
from pe_desktop.core.experiment import QUICK
from pe_desktop.core.scheme import build
from pe_desktop.core.work import Cancelled, watched
from tests.core.experiment_states import a_state, changes, run, same_where_keys_agree, states, value
from tests.core.strategies import ALL

ADDED = ("integer", "normalized", "sinusoidal", "learned", "sincos2d")
SILENT = tuple(name for name in ALL if name not in ADDED)
FIGURES = ("content_once", "content_every", "position_once", "position_every")
stacks = st.fixed_dictionaries({"layers": st.integers(2, 6), "normalise": st.booleans()})


def mean_cosine(first, second):
    """Of rows that have a direction."""
    found = [a @ b / (np.linalg.norm(a) * np.linalg.norm(b)) for a, b in zip(first, second, strict=True) if b.any()]
    return np.mean(found)


def stack(embeddings, rows, layers, *, every, normalise, causal):
    """Content and position after 0 … layers layers, by the formulas of one layer."""
    x, content, position = embeddings + rows, [], []
    for layer in range(layers + 1):
        content.append(mean_cosine(x, embeddings))
        position.append(mean_cosine(x, rows))
        if layer and every:
            x = x + rows
        queries, keys, values = (x @ project(np.eye(x.shape[1]), 1_000_000 * layer, 0, which) for which in range(3))
        scores = queries @ keys.T / np.sqrt(x.shape[1])
        if causal:
            scores[np.triu(np.ones(scores.shape, dtype=bool), 1)] = -np.inf
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        x = x + weights / weights.sum(axis=1, keepdims=True) @ values / np.sqrt(layers)
        if normalise:
            x = x / np.sqrt((x**2).mean(axis=1, keepdims=True))
    return np.array(content), np.array(position)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize("scheme", ADDED)
def test_lines_are_those_of_the_formula(scheme, normalise, causal):
    state = a_state("layers", scheme, {"layers": 5, "normalise": normalise}, causal=causal, dimension=48)
    words, rows = sentence.word_vectors(state.words, 48, 0), build(scheme, {}, 48, 128).encode(range(5))
    content, position = run(state).plates
    for line, every in ((0, False), (1, True)):
        expected = stack(words, rows, 5, every=every, normalise=normalise, causal=causal)
        for plate, numbers in zip((content, position), expected, strict=True):
            assert plate.lines[line].x.tolist() == [0, 1, 2, 3, 4, 5]
            assert plate.lines[line].y == pytest.approx(numbers, abs=1e-9)


def test_figures_are_the_last_points():
    part = run(a_state("layers"))
    ends = [float(line.y[-1]) for plate in part.plates for line in plate.lines]
    assert [value(part, name) for name in FIGURES] == ends
    assert len(part.plates[0].lines[0].y) == 13


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("scheme", ["integer", "sinusoidal", "learned", "sincos2d"])
def test_added_at_every_layer_the_position_swamps_the_content(scheme, seed):
    """Claim 19: one of the mistakes."""
    part = run(a_state("layers", scheme, seed=seed))
    assert value(part, "position_every") > 0.85 > value(part, "position_once")
    assert abs(value(part, "content_every")) < 0.15 < value(part, "content_once")
    assert part.sentence.endswith("if at every layer: the position swamps the content.")


def test_the_sentence_has_the_numbers():
    part = run(a_state("layers"))
    assert part.sentence == (
        "Cosine with embedding and row after 12 layers: 0.559 and 0.492 if added once, −0.028 and 0.951 if at every "
        "layer: the position swamps the content."
    )


def test_rows_too_small_to_matter_swamp_nothing():
    """The sentence follows the numbers: rows p / L of a million positions leave the words as they are."""
    part = run(a_state("layers", "normalized", length=1_048_576))
    assert value(part, "content_every") == pytest.approx(value(part, "content_once"), abs=1e-3)
    assert part.sentence.endswith("here the position does not grow at the content's cost.")
    some = run(a_state("layers", "normalized"))
    assert some.sentence.endswith("the position grows at the cost of the content.")


@pytest.mark.parametrize("scheme", SILENT)
def test_where_nothing_is_added_no_position_piles_up(scheme):
    part = run(a_state("layers", scheme))
    for name in ("position_once", "position_every"):
        assert part.figure(name).value is None
        assert part.figure(name).text == "nothing is added"
    assert len(part.plates) == 1
    assert [line.name for line in part.plates[0].lines] == ["in the first layer", "in every layer"]
    assert value(part, "content_every") > 0.6
    differs = value(part, "content_every") != value(part, "content_once")
    assert differs == (scheme != "none")
    assert ("piles up" in part.sentence) == (scheme != "none")
    assert ("Nothing is added" in part.sentence) == (scheme == "none")


@pytest.mark.parametrize("scheme", [name for name in SILENT if name != "none"])
def test_in_the_first_layer_both_ways_are_one(scheme):
    first, every = run(a_state("layers", scheme)).plates[0].lines
    assert first.y[:2].tolist() == every.y[:2].tolist()
    assert first.y[2:].tolist() != every.y[2:].tolist()
    assert first.y[0] == pytest.approx(1.0)


def test_scaling_a_vector_keeps_its_direction():
    plain, scaled = (run(a_state("layers", params={"normalise": so})).plates for so in (False, True))
    for one, other in zip(plain, scaled, strict=True):
        for line, same in zip(one.lines, other.lines, strict=True):
            assert line.y[:2] == pytest.approx(same.y[:2], abs=1e-12)
            assert line.y[-1] != pytest.approx(same.y[-1], abs=1e-3)


def test_rows_of_zeros_have_no_direction():
    refused = run(a_state("layers", "integer", sentence="alone"))
    assert refused.sentence == (
        "Raw integer spot adds zeros to these words, which have no direction: type a longer sentence."
    )
    two = run(a_state("layers", "integer", sentence="not alone"))
    embedding = sentence.word_vectors(["alone"], 64, 0)[0]
    expected = (embedding + 1) @ np.ones(64) / (np.linalg.norm(embedding + 1) * 8)
    assert two.plates[1].lines[0].y[0] == pytest.approx(expected, rel=1e-12)


def test_no_words_and_many():
    refused = run(a_state("layers", sentence=""))
    assert refused.sentence == "There is no word to send through the layers: type a sentence."
    many = a_state("layers", params={"layers": 2}, length=999, sentence=" ".join(f"w{each}" for each in range(512)))
    assert run(many).sentence.endswith("Only the first 64 words of 512 take part.")
    assert "means over 64 words" in run(many).point
    assert "means over 1 word;" in run(a_state("layers", sentence="alone")).point


def test_it_can_be_called_off_where_it_takes_long():
    state, stop = a_state("layers", params={"layers": 48}, dimension=512), threading.Event()
    assert state.built_experiment.cost(state) > QUICK >= a_state("layers").built_experiment.cost(a_state("layers"))
    stop.set()
    with watched(stop), pytest.raises(Cancelled):
        run(state)


@pytest.mark.parametrize("scheme", ["integer", "xpos"])
def test_the_widest_vectors_and_a_million_positions(scheme):
    many = " ".join(f"w{number}" for number in range(512))
    part = run(a_state("layers", scheme, {"layers": 2}, dimension=8192, length=1_048_576, sentence=many))
    added = scheme == "integer"
    assert (part.figure("position_every").value is not None) == added
    assert (value(part, "content_once") > 0.9) != added  # integers bury the words from the start


@given(states("layers", stacks))
@settings(max_examples=50)
def test_every_state_has_an_answer(state):
    part = run(state)
    if part.kind == "text":
        assert not state.words or state.scheme in ADDED
        return
    for plate in part.plates:
        for line in plate.lines:
            assert np.abs(line.y).max() <= 1 + 1e-12


@pytest.mark.parametrize("scheme", ALL)
def test_deep_stacks_of_long_sentences_stay_finite(scheme):
    words = " ".join(f"w{each}" for each in range(64))
    part = run(a_state("layers", scheme, {"layers": 48, "normalise": False}, dimension=4, length=900, sentence=words))
    assert part.kind == "plates"


@given(states("layers", stacks), changes())
@settings(max_examples=30)
def test_nothing_that_matters_is_missing_from_the_key(state, change):
    same_where_keys_agree(state, change)
