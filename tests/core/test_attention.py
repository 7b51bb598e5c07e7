"""Softmax, masks, the toy attention, and what the order of words does to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import attention
from pe_desktop.core.attention import attend, mean_gap, project, softmax, toy_attention
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.sentence import exchange, match, word_vectors
from tests.core.strategies import ALL, any_scheme, plain

words_lists = st.lists(st.sampled_from(["the", "dog", "bit", "man", "🙂", "שלום"]), min_size=1, max_size=9)
heads = st.integers(0, 7)


def run(scheme, words, positions=None, *, causal=False, head=0, seed=0):
    slots = np.arange(len(words)) if positions is None else positions
    return toy_attention(scheme, words, slots, seed=seed, head=head, causal=causal)


@given(st.integers(1, 12), st.booleans(), st.floats(0, 300), st.integers(0, 2**31))
def test_softmax_rows_sum_to_1(n, causal, size, seed):
    scores = np.random.default_rng(seed).standard_normal((n, n)) * size
    weights = softmax(scores, causal)
    assert np.abs(weights.sum(axis=1) - 1).max() < 1e-12
    assert (weights >= 0).all()
    if causal:
        assert np.array_equal(np.triu(weights, 1), np.zeros((n, n)))
        assert weights[0, 0] == 1.0
    seen = np.tril(np.ones((n, n))) if causal else np.ones((n, n))
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True)) * seen
    usable = shifted.sum(axis=1) > 1e-200
    expected = shifted[usable] / shifted[usable].sum(axis=1, keepdims=True)
    assert np.abs(weights[usable] - expected).max(initial=0) < 1e-12


def test_attend_by_hand():
    result = attend(np.array([[1.0, 0.0]]), np.array([[np.log(3.0), 0.0]]), np.array([[5.0, 7.0]]), 1.0)
    assert (result.weights.item(), result.outputs.tolist()) == (1.0, [[5.0, 7.0]])
    rows = np.array([[1.0], [1.0]])
    keys = np.array([[0.0], [np.log(3.0)]])
    result = attend(rows, keys, np.array([[0.0], [1.0]]), 1.0)
    assert result.outputs.ravel() == pytest.approx([0.75, 0.75], abs=1e-15)
    result = attend(rows, keys, np.array([[0.0], [1.0]]), 1.0, np.array([[0.0, 0.0], [np.log(3.0), 0.0]]))
    assert result.outputs.ravel() == pytest.approx([0.75, 0.5], abs=1e-15)


@given(words_lists, st.randoms(use_true_random=False), heads, st.integers(0, 99))
def test_without_encoding_attention_is_permutation_equivariant(words, random, head, seed):
    order = list(range(len(words)))
    random.shuffle(order)
    scheme = plain("none")
    _, before = run(scheme, words, head=head, seed=seed)
    _, after = run(scheme, [words[i] for i in order], head=head, seed=seed)
    assert np.abs(after.outputs - before.outputs[order]).max() < 1e-9
    assert np.abs(after.weights - before.weights[np.ix_(order, order)]).max() < 1e-9


@given(any_scheme(), words_lists, st.randoms(use_true_random=False))
def test_positions_that_travel_with_their_words_change_nothing(scheme, words, random):
    words = words[: defined_rows(scheme)]
    order = list(range(len(words)))
    random.shuffle(order)
    _, before = run(scheme, words)
    _, after = run(scheme, [words[i] for i in order], np.array(order))
    assert np.abs(after.outputs - before.outputs[order]).max() < 1e-9 * max(1.0, np.abs(before.outputs).max())


@pytest.mark.parametrize("name", [name for name in ALL if name != "none"])
def test_positions_that_stay_with_their_slots_do_change_something(name):
    words_a = ["the", "dog", "bit", "a", "man"]
    words_b = exchange(words_a, (1, 4))
    home = match(words_a, words_b)
    _, a = run(plain(name), words_a)
    _, b = run(plain(name), words_b)
    assert mean_gap(a.outputs, b.outputs, home) > 0.01


def test_a_causal_mask_alone_lets_order_in():
    words_a = ["the", "dog", "bit", "a", "man"]
    words_b = exchange(words_a, (1, 4))
    home = match(words_a, words_b)
    _, a = run(plain("none"), words_a, causal=True)
    _, b = run(plain("none"), words_b, causal=True)
    assert mean_gap(a.outputs, b.outputs, home) > 0.1
    assert np.array_equal(np.triu(a.weights, 1), np.zeros((5, 5)))


@given(any_scheme(), words_lists, heads, st.booleans())
def test_toy_attention_weights(scheme, words, head, causal):
    words = words[: defined_rows(scheme)]
    head = head % (scheme.heads or 8)
    inputs, result = run(scheme, words, causal=causal, head=head)
    assert inputs.shape == result.outputs.shape == (len(words), scheme.dimension)
    assert np.abs(result.weights.sum(axis=1) - 1).max() < 1e-12
    plain_inputs = word_vectors(words, scheme.dimension, 0)
    if scheme.acts.value == "added":
        assert np.array_equal(inputs, plain_inputs + scheme.encode(range(len(words))))
    else:
        assert np.array_equal(inputs, plain_inputs)


@pytest.mark.parametrize("name", ["rope", "alibi", "none"])
def test_scores_are_what_they_should_be(name):
    """Weights from the projections by hand: rotated, biased, or as they are; the values are not rotated."""
    words, scheme = ["the", "dog", "bit"], plain(name, 32)
    inputs, result = run(scheme, words, head=3)
    queries, keys, values = (project(inputs, 0, 3, which) for which in range(3))
    if name == "rope":
        queries, keys = scheme.rotate(queries, range(3)), scheme.rotate(keys, range(3))
    scores = queries @ keys.T / np.sqrt(32)
    if name == "alibi":
        scores = scores + scheme.bias(range(3), range(3))[3]
    assert np.abs(result.weights - softmax(scores)).max() < 1e-12
    assert np.abs(result.outputs - softmax(scores) @ values).max() < 1e-12


@pytest.mark.parametrize("width", [2, 63, 64, 65, 128, 200])
def test_projection_is_linear_and_block_diagonal(width):
    rows = np.random.default_rng(0).standard_normal((4, width))
    found = project(rows, 5, 1, 2)
    matrix = project(np.eye(width), 5, 1, 2)
    assert np.abs(found - rows @ matrix).max() < 1e-12
    blocks = np.arange(width) // attention.TILE
    assert np.array_equal(matrix[blocks[:, None] != blocks[None, :]], np.zeros((blocks[:, None] != blocks).sum()))
    assert np.abs(matrix).max() > 0
    assert not np.allclose(found, project(rows, 5, 2, 2))


def test_projections_differ_by_seed_head_and_use():
    rows = np.ones((1, 64))
    made = [project(rows, *which) for which in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert len({row.tobytes() for row in made}) == 4


def test_mean_gap():
    rows = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert mean_gap(rows, rows[::-1], np.array([1, 0])) == 0.0
    assert mean_gap(rows, rows, np.array([1, 0])) == 5.0
