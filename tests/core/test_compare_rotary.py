"""Two rotary schemes: angles, factors, layouts, and the scores that come of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.compare import compare
from pe_desktop.core.verdict import TOLERANCE
from tests.core.strategies import LAST, bases, plain

DEEPSEEK = {"extension": "yarn", "factor": 40.0, "trained_length": 163_840, "original_length": 4096}


def vectors(rng, d, count=3):
    return rng.standard_normal((count, d))


def scaled_scores(scheme, queries, keys, m, n):
    """Scaled scores of every query at m with every key at n."""
    products = scheme.scores(queries, keys, np.full(len(queries), float(m)), np.full(len(keys), float(n)))
    return products * scheme.softmax_scale * scheme.query_scale([m])[0]


def hands(base, width, length):
    """Cosine and sine of p b^(-2i/r), side by side, from the formula."""
    angles = np.outer(np.arange(length), base ** (-2.0 * np.arange(width // 2) / width))
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


@given(st.integers(1, 10), bases, bases, st.integers(2, 90))
def test_angles_against_a_table(pairs, base, other, length):
    d = 2 * pairs
    found = compare(plain("rope", d, length, base=base), plain("rope", d, length, base=other), [0, length - 1])
    gap = np.abs(hands(base, d, length) - hands(other, d, length))
    beyond = np.flatnonzero(gap.max(axis=1) > TOLERANCE * 1.0000001)
    if found.first_position is None:
        assert gap.max() < 1.1 * TOLERANCE
        return
    assert found.verdict == "different"
    assert found.first_position == beyond[0]
    assert found.largest_difference == pytest.approx(gap.max(), abs=1e-12)
    pair = int(found.where.removeprefix("pair "))
    assert gap[:, [pair, pairs + pair]].max() == pytest.approx(gap.max(), abs=1e-12)
    assert found.differences == pytest.approx([0.0, gap[-1].max()], abs=1e-12)


@given(st.integers(2, 12), bases, st.integers(0, 1000), st.integers(0, 1000), st.sampled_from(["half", "interleaved"]))
def test_layouts_give_equal_scores_once_reordered(pairs, base, m, n, layout):
    d, rng = 2 * pairs, np.random.default_rng(pairs)
    other = "interleaved" if layout == "half" else "half"
    a, b = plain("rope", d, base=base, layout=layout), plain("rope", d, base=base, layout=other)
    found = compare(a, b)
    assert found.verdict == "reordered"
    assert found.first_position == 1
    order = list(found.permutation)
    q, k = vectors(rng, d), vectors(rng, d)
    mine, others = scaled_scores(a, q, k, m, n), scaled_scores(b, q[:, order], k[:, order], m, n)
    assert np.allclose(mine, others, rtol=0, atol=1e-9)
    assert "position 0 is right and scores are wrong from position 1 on" in found.sentence


def test_the_difference_of_layouts_is_that_of_the_matrices():
    a, b = plain("rope", 8), plain("rope", 8, layout="interleaved")
    found = compare(a, b, [0, 1, 7])
    for place, difference in zip([0, 1, 7], found.differences, strict=True):
        matrices = [scheme.rotate(np.eye(8), np.full(8, place)) for scheme in (a, b)]
        assert difference == pytest.approx(np.abs(matrices[0] - matrices[1]).max(), abs=1e-12)


def test_one_pair_has_one_layout():
    assert compare(plain("rope", 2), plain("rope", 2, layout="interleaved")).verdict == "same"


def test_reading_interleaved_and_writing_half_changes_no_score():
    a, b = plain("rope", layout="interleaved"), plain("rope", layout="interleaved_half")
    found = compare(a, b)
    assert (found.verdict, found.first_position) == ("reordered", None)
    rng = np.random.default_rng(1)
    q, k = vectors(rng, 64), vectors(rng, 64)
    assert np.allclose(scaled_scores(a, q, k, 9, 4), scaled_scores(b, q, k, 9, 4), rtol=0, atol=1e-12)
    turned = [scheme.rotate(q, [9, 9, 9]) for scheme in (a, b)]
    assert np.allclose(turned[1], turned[0][:, list(found.permutation)], rtol=0, atol=1e-12)


def test_still_pairs_are_dimensions_that_do_not_turn():
    """Proportional RoPE leaves pairs still; with the right base the others are those of a narrower RoPE."""
    narrow = plain("rope", base=100.0, rotary_dimension=32)
    wide = plain("rope", base=10000.0, extension="proportional", rotary_fraction=0.5)
    found = compare(narrow, wide)
    assert found.verdict == "reordered"
    rng = np.random.default_rng(2)
    q, k = vectors(rng, 64), vectors(rng, 64)
    order = list(found.permutation)
    mine, others = scaled_scores(narrow, q, k, 50, 3), scaled_scores(wide, q[:, order], k[:, order], 50, 3)
    assert np.allclose(mine, others, rtol=0, atol=1e-12)


def test_widths_that_differ():
    found = compare(plain("rope"), plain("rope", rotary_dimension=32))
    assert (found.verdict, found.first_position) == ("different", 1)
    assert compare(plain("rope"), plain("rope", extension="linear", factor=1.0)).verdict == "same"


def test_where_the_temperature_of_yarn_sits():
    """DeepSeek keeps cosines at 1 and scales the softmax; elsewhere the same factor multiplies cosines."""
    inside = plain("rope", **DEEPSEEK, mscale=1.0, mscale_all_dim=1.0)
    outside = plain("rope", **DEEPSEEK, softmax_correction=False)
    assert inside.amplitude == 1.0
    found = compare(inside, outside)
    assert (found.verdict, found.where) == ("equal_after_softmax", "attention factor")
    assert found.largest_difference == pytest.approx(0.1 * np.log(40.0), rel=1e-12)
    rng = np.random.default_rng(3)
    q, k = vectors(rng, 64), vectors(rng, 64)
    assert np.allclose(scaled_scores(inside, q, k, 70, 5), scaled_scores(outside, q, k, 70, 5), rtol=1e-12)


def test_dimensions_that_do_not_turn_are_scaled_by_the_softmax_alone():
    """Beside the 64 turning dimensions of DeepSeek stand 128 others, so the factor's place does matter there."""
    inside = plain("rope", **DEEPSEEK, mscale=1.0, mscale_all_dim=1.0, score_dimension=192)
    outside = plain("rope", **DEEPSEEK, softmax_correction=False, score_dimension=192)
    found = compare(inside, outside)
    assert (found.verdict, found.first_position) == ("different", 0)
    narrow = [plain("rope", **DEEPSEEK, rotary_dimension=32, mscale=1.0, mscale_all_dim=1.0)]
    narrow.append(plain("rope", **DEEPSEEK, rotary_dimension=32, softmax_correction=False))
    assert compare(*narrow).verdict == "different"


def test_factors_and_scales_are_named():
    stretched = plain("rope", extension="yarn", factor=4.0)
    flat = plain("rope", extension="yarn", factor=4.0, attention_factor=1.0)
    found = compare(stretched, flat)
    assert (found.verdict, found.where, found.first_position) == ("different", "attention factor", 0)
    assert found.largest_difference == pytest.approx(0.1 * np.log(4.0), rel=1e-12)
    found = compare(plain("rope"), plain("rope", score_dimension=128))
    assert (found.verdict, found.where) == ("different", "softmax scale")
    assert "0.125 in A and 0.08839 in B" in found.sentence


def test_an_extension_differs_at_its_slow_pairs():
    settings = {"base": 500_000.0, "trained_length": 131_072}
    a = plain("rope", 128, 131_072, **settings)
    b = plain("rope", 128, 131_072, **settings, extension="llama3", factor=8.0, original_length=8192)
    found = compare(a, b)
    pair = int(found.where.removeprefix("pair "))
    assert found.verdict == "different"
    assert a.inv_freq()[pair] != b.inv_freq()[pair]
    assert np.array_equal(a.inv_freq()[:28], b.inv_freq()[:28])
    assert found.first_position == 1


def test_dynamic_is_plain_up_to_the_trained_length():
    a = plain("rope", 64, 4096)
    assert compare(a, plain("rope", 64, 4096, extension="dynamic", factor=2.0)).verdict == "same"
    longer = plain("rope", 64, 4097, extension="dynamic", factor=2.0)
    assert compare(plain("rope", 64, 4097), longer).verdict == "different"


@pytest.mark.parametrize("length", [128, LAST + 1])
def test_the_centre_of_xpos_moves_vectors_but_no_score(length):
    found = compare(plain("xpos", 64, length), plain("xpos", 64, length, centre=0))
    assert found.verdict == "equal_after_softmax"
    assert compare(plain("xpos", 64, length), plain("xpos", 64, length, scale_base=600.0)).verdict == "different"
    assert compare(plain("xpos", 64, length), plain("rope", 64, length, layout="interleaved")).verdict == "different"
    layouts = compare(plain("xpos", 64, length), plain("xpos", 64, length, layout="half"))
    assert layouts.verdict == "reordered"


@pytest.mark.parametrize("positions", [[], [0, 1, 50]])
@pytest.mark.parametrize("centre", [None, 0, 100])
def test_angles_that_are_equal_are_not_said_to_differ(centre, positions):
    a = plain("xpos", 64, 128, centre=centre)
    for b in (plain("rope", 64, 128, layout="interleaved"), plain("xpos", 64, 128, scale_base=600.0, centre=centre)):
        found = compare(a, b, positions)
        assert ": angles are equal, but the factors on queries and keys differ by up to" in found.sentence
        assert found.verdict == "different"
    for b in (plain("rope", 64, 128, layout="interleaved", base=500.0), plain("xpos", 64, 128, base=500.0)):
        assert ": cosines and sines differ by up to" in compare(a, b, positions).sentence


def test_positions_beyond_float64_have_no_difference_to_tell():
    a, b = plain("xpos", 64, LAST + 1), plain("xpos", 64, LAST + 1, centre=64)
    assert compare(a, b, [0, LAST]).differences == (None, None)


def test_several_axes():
    """Eight tokens of text come first: up to the first patch all coordinates are the position."""
    found = compare(plain("mrope"), plain("rope"))
    assert (found.verdict, found.first_position) == ("different", 9)
    assert compare(plain("mrope"), plain("mrope", layout="interleaved")).verdict == "reordered"
    assert compare(plain("axial"), plain("axial", grid_columns=8)).first_position == 8
    # Two ways of counting on after an image agree while it has no more frames than rows and columns.
    assert compare(plain("mrope"), plain("mrope", text_after="qwen2_vl")).verdict == "same"
