"""Changing a checkpoint's layout: both projections permuted, head by head, or scores are silently wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.layouts import LAYOUTS, pair_columns, permutation, permute_heads
from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer

HALF, INTERLEAVED = (name for name, _ in LAYOUTS)
widths = st.integers(1, 24).map(lambda half: 2 * half)


def heads_of(weights, inputs, heads):
    """Queries or keys of every head, shape (heads, tokens, head width)."""
    return (inputs @ weights.T).reshape(len(inputs), heads, -1).swapaxes(0, 1)


def scores(layout, w_q, w_k, inputs, heads, key_heads):
    """Scores of every query head with the key head of its group, shape (heads, tokens, tokens)."""
    width = len(w_q) // heads
    scheme, at = build("rope", {"layout": layout}, width, 64), np.arange(len(inputs))
    queries = [scheme.rotate(each, at) for each in heads_of(w_q, inputs, heads)]
    keys = [scheme.rotate(each, at, key=True) for each in heads_of(w_k, inputs, key_heads)]
    return np.stack([queries[head] @ keys[head * key_heads // heads].T for head in range(heads)])


def projections(heads, key_heads, width, seed=0):
    rng = np.random.default_rng(seed)
    make = rng.standard_normal
    return make((heads * width, 20)), make((key_heads * width, 20)), make((6, 20))


def test_by_hand():
    assert permutation(6, 8, INTERLEAVED, HALF).tolist() == [0, 2, 4, 1, 3, 5, 6, 7]
    assert permutation(6, 6, HALF, INTERLEAVED).tolist() == [0, 3, 1, 4, 2, 5]
    assert permutation(6, 6, HALF, HALF).tolist() == [0, 1, 2, 3, 4, 5]


@given(widths, st.integers(0, 9))
def test_there_and_back(width, rest):
    there = permutation(width, width + rest, INTERLEAVED, HALF)
    back = permutation(width, width + rest, HALF, INTERLEAVED)
    assert np.array_equal(there[back], np.arange(width + rest))
    before = np.arange(100, 100 + width + rest)
    for target, source in zip(pair_columns(width, HALF), pair_columns(width, INTERLEAVED), strict=True):
        assert np.array_equal(before[there][target], before[source])


@given(st.sampled_from([(1, 1), (4, 4), (4, 2), (6, 1)]), st.integers(1, 8).map(lambda half: 2 * half))
def test_scores_stay_when_both_are_permuted(heads, width):
    w_q, w_k, inputs = projections(*heads, width)
    order = permutation(width, width, INTERLEAVED, HALF)
    before = scores(INTERLEAVED, w_q, w_k, inputs, *heads)
    new_q, new_k = permute_heads(w_q, heads[0], order), permute_heads(w_k, heads[1], order)
    assert np.abs(scores(HALF, new_q, new_k, inputs, *heads) - before).max() < 1e-10
    assert new_k.shape == w_k.shape


def test_one_alone_or_none_is_wrong_but_for_position_0():
    heads, width = (4, 2), 16
    w_q, w_k, inputs = projections(*heads, width)
    order = permutation(width, width, INTERLEAVED, HALF)
    right = scores(INTERLEAVED, w_q, w_k, inputs, *heads)
    one_alone = scores(HALF, permute_heads(w_q, heads[0], order), w_k, inputs, *heads)
    assert np.abs(one_alone - right).max() > 1.0
    none = scores(HALF, w_q, w_k, inputs, *heads)
    assert np.abs(none[:, 0, 0] - right[:, 0, 0]).max() < 1e-10
    assert np.abs(none[:, 1, 0] - right[:, 1, 0]).max() > 0.1
    # Norms do not tell: each rotated vector is as long as before.
    for layout in (HALF, INTERLEAVED):
        turned = build("rope", {"layout": layout}, 16, 8).rotate(inputs[:, :16], np.arange(6))
        assert np.allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(inputs[:, :16], axis=1), atol=1e-12)


def test_a_bias_is_permuted_like_its_rows():
    order = permutation(4, 4, INTERLEAVED, HALF)
    assert permute_heads(np.arange(8.0), 2, order).tolist() == [0, 2, 1, 3, 4, 6, 5, 7]


def test_rows_that_are_not_heads_are_refused():
    with pytest.raises(FieldError, match="has 12 rows, but 4 heads of 4 dimensions need 16"):
        permute_heads(np.zeros((12, 3)), 4, permutation(4, 4, INTERLEAVED, HALF))


@pytest.mark.parametrize("scheme", ["rope", "xpos", "mrope", "axial"])
@pytest.mark.parametrize("layout", [HALF, INTERLEAVED])
def test_on_request(scheme, layout):
    other = HALF if layout == INTERLEAVED else INTERLEAVED
    found = answer({"scheme": scheme, "params": {"layout": layout}, "dimension": 12, "what": "permutation"})
    assert found["values"].tolist() == permutation(12, 12, layout, other).tolist()
    assert found["unit"] == f"{other}[i] = {layout}[values[i]]"
