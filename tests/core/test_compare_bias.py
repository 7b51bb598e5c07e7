"""Two biases: equal, equal after the softmax (with or without a causal mask), or different."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.compare import compare
from pe_desktop.core.compare_bias import bias_places
from tests.core.strategies import LAST, plain

CONVENTIONS = ("distance", "signed", "last_row", "key_index")


def weights(scheme, length, *, causal):
    """Attention weights of every head if all products q·k are 0, shape (heads, L, L)."""
    scores = scheme.bias(range(length), range(length))
    if causal:
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True)


@pytest.mark.parametrize("mine", CONVENTIONS)
@pytest.mark.parametrize("other", CONVENTIONS)
@pytest.mark.parametrize("length", [40, LAST + 1])
def test_conventions_of_alibi(mine, other, length):
    found = compare(plain("alibi", 64, length, convention=mine), plain("alibi", 64, length, convention=other), [0, 5])
    assert found.verdict == ("same" if mine == other else "equal_after_softmax")
    short = [plain("alibi", 64, 40, convention=name) for name in (mine, other)]
    at_sight = [np.abs(np.subtract(*(weights(s, 40, causal=causal) for s in short))).max() for causal in (False, True)]
    assert at_sight[1] < 1e-12
    if mine != other:
        # Only where the whole row differs by one number are the weights equal without a mask.
        assert ("whole row" in found.sentence) == (at_sight[0] < 1e-12)
        assert ("causal" in found.sentence) == (at_sight[0] > 1e-12)
        rows = [s.bias(range(40), range(40)) for s in short]
        if length == 40:
            assert found.largest_difference == np.abs(rows[0] - rows[1]).max()
            differing = np.flatnonzero((rows[0] != rows[1]).any(axis=(0, 2)))
            assert found.first_position == differing[0]
            assert found.differences == tuple(np.abs(rows[0] - rows[1]).max(axis=(0, 2))[[0, 5]])


@given(st.integers(1, 6), st.floats(1.0, 12.0), st.floats(1.0, 12.0), st.integers(2, 40))
def test_slopes_against_a_table(heads, mine, other, length):
    a = plain("alibi", 8, length, heads=heads, max_bias=mine)
    b = plain("alibi", 8, length, heads=heads, max_bias=other)
    found = compare(a, b)
    gap = np.abs(a.bias(range(length), range(length)) - b.bias(range(length), range(length)))
    if np.abs(a.slopes() / b.slopes() - 1).max() > 1e-8:
        assert found.verdict == "different"
        assert found.largest_difference == gap.max()
        assert gap[int(found.where.removeprefix("head "))].max() == gap.max()
        assert found.first_position == 0


def test_a_function_of_the_offset_is_the_same_at_any_length():
    found = compare(plain("t5", 64, LAST + 1), plain("t5", 64, LAST + 1, max_distance=128))
    assert found.verdict == "same"
    # From the 32-bucket table to another maximum distance, the first distances are counted one by one all the same.
    found = compare(plain("t5", 64, 2000), plain("t5", 64, 2000, max_distance=300))
    assert (found.verdict, found.first_position) == ("different", 0)


def test_equal_functions_of_different_schemes():
    power = plain("kerple", 8, 60, variant="power", r1=0.5, r2=1.0, heads=1)
    alibi = plain("alibi", 8, 60, heads=1, max_bias=1.0)
    assert np.allclose(power.bias(range(60), range(60)), alibi.bias(range(60), range(60)), rtol=0, atol=1e-12)
    assert compare(power, alibi).verdict == "same"


def test_heads_are_counted():
    found = compare(plain("alibi"), plain("alibi", heads=12), [3])
    assert (found.verdict, found.where, found.differences) == ("different", "heads", (None,))


def test_a_bias_on_unscaled_scores_is_another():
    """T5 does not divide q·k by √D, so even without any bias its scores would be others."""
    assert plain("t5").softmax_scale == 1.0
    found = compare(plain("t5", heads=1), plain("alibi", heads=1))
    assert found.verdict == "different"


def test_terms_that_depend_on_the_words():
    found = compare(plain("shaw"), plain("shaw", left=32))
    assert (found.verdict, found.first_position) == ("different", 33)  # the first query with a key 33 places before it
    assert "with fixed queries and keys" in found.sentence
    assert compare(plain("shaw", 64, 30), plain("shaw", 64, 30, left=32)).verdict == "same"
    assert compare(plain("transformer_xl"), plain("transformer_xl", seed=1)).verdict == "different"


@given(st.integers(2, LAST + 1), st.integers(1, 256), st.sampled_from([0, 2, 64, 8192]))
def test_places_of_a_long_sequence(total, heads, dimension):
    places = bias_places(total, heads, dimension)
    assert places[0] == 0
    assert places[-1] == total - 1
    assert np.all(np.diff(places) >= 1)
    assert len(places) ** 2 * heads <= 3 * (1 << 22)
    if len(places) == total:
        assert np.array_equal(places, np.arange(total))
