"""Rotation keeps lengths, scores depend on the gap alone, layouts are permutations of one another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import build
from pe_desktop.core.score_extremes import score_extremes
from pe_desktop.core.score_window import score_means
from pe_desktop.core.similarity import gap_curve
from tests.core.strategies import LAST, bases, plain, positions, ropes

seeds = st.integers(0, 2**31)


def vectors(seed, count, width):
    return np.random.default_rng(seed).standard_normal((count, width))


@given(ropes(), st.lists(positions, min_size=1, max_size=6), seeds)
def test_rotation_keeps_norms_and_what_does_not_rotate(scheme, asked, seed):
    before = vectors(seed, len(asked), scheme.dimension)
    kept = before.copy()
    after = scheme.rotate(before, asked)
    assert np.array_equal(before, kept)
    assert np.abs(np.linalg.norm(after, axis=1) - np.linalg.norm(before, axis=1)).max() < 1e-12
    first, second = scheme.pairs()
    sizes = [np.hypot(rows[:, first], rows[:, second]) for rows in (before, after)]
    assert np.abs(sizes[0] - sizes[1]).max() < 1e-12
    width = scheme.rotary_width
    assert sorted([*first, *second]) == list(range(width))
    assert np.array_equal(after[:, width:], before[:, width:])


@given(ropes(), st.integers(-5000, 5000), st.integers(5000, 100_000), st.integers(0, 100_000), seeds)
def test_scores_depend_on_the_gap_alone(scheme, gap, at, shift, seed):
    query, key = vectors(seed, 2, scheme.dimension)
    scores = [
        (scheme.rotate(query[None], [n + gap]) @ scheme.rotate(key[None], [n]).T).item() for n in (at, at + shift)
    ]
    # An angle of 2e5 rad is known to 3e-11.
    assert scores[0] == pytest.approx(scores[1], abs=1e-8)


@given(ropes(), positions, seeds)
def test_a_rotated_pair_is_a_complex_product(scheme, p, seed):
    vector = vectors(seed, 1, scheme.dimension)
    first, second = scheme.pairs()
    turned = scheme.rotate(vector, [p])[0]
    expected = (vector[0, first] + 1j * vector[0, second]) * np.exp(1j * p * scheme.inv_freq())
    assert np.abs(turned[first] + 1j * turned[second] - expected).max() < 1e-12


@given(st.integers(1, 20), bases, positions, seeds)
def test_layouts_are_permutations_of_one_another(half, base, p, seed):
    inter = build("rope", {"base": base, "layout": "interleaved"}, 2 * half, 64)
    halves = build("rope", {"base": base}, 2 * half, 64)
    vector = vectors(seed, 1, 2 * half)
    order = np.concatenate([np.arange(0, 2 * half, 2), np.arange(1, 2 * half, 2)])
    assert np.array_equal(inter.rotate(vector, [p])[:, order], halves.rotate(vector[:, order], [p]))


def test_position_0_changes_nothing():
    vector = vectors(3, 1, 64)
    assert np.array_equal(plain("rope").rotate(vector, [0]), vector)


@pytest.mark.parametrize("asked", [[0, 1, 2], [2, 0], [LAST, LAST - 1, 5]])
def test_angles_are_a_function_of_position(asked):
    scheme = plain("rope", 32)
    together = scheme.angles(asked)
    assert np.array_equal(together, np.concatenate([scheme.angles([p]) for p in asked]))
    assert np.array_equal(together, np.outer(asked, scheme.inv_freq()))


def test_partial_width_has_exponents_over_the_width():
    scheme = plain("rope", 80, rotary_dimension=32)
    assert np.allclose(scheme.inv_freq(), 10000.0 ** (-np.arange(16) / 16), rtol=1e-14)
    assert scheme.effective()["rotary_dimension"] == 32
    assert scheme.notes() == ("Only the first 32 of 80 dimensions rotate; 48 carry no position.",)
    whole = plain("rope", 80)
    assert whole.effective()["rotary_dimension"] == 80
    assert whole.notes() == ()
    assert whole.softmax_scale == scheme.softmax_scale == pytest.approx(1 / math.sqrt(80), abs=1e-15)


def test_an_odd_dimension_works_with_an_even_width():
    scheme = plain("rope", 65, rotary_dimension=64)
    assert len(scheme.inv_freq()) == 32


@pytest.mark.parametrize(
    ("dimension", "width", "field", "fixes"),
    [
        (65, None, "dimension", [{"dimension": 64}, {"dimension": 66}]),
        (
            64,
            33,
            "rotary_dimension",
            [{"params": {"rotary_dimension": 32}}, {"params": {"rotary_dimension": 34}}],
        ),
        (64, 66, "rotary_dimension", [{"params": {"rotary_dimension": 64}}]),
        (3, None, "dimension", [{"dimension": 2}, {"dimension": 4}]),
    ],
)
def test_refusals_offer_the_nearest_widths(dimension, width, field, fixes):
    with pytest.raises(FieldError) as refused:
        build("rope", {"rotary_dimension": width}, dimension, 128)
    assert refused.value.field == field
    assert [dict(fix.changes) for fix in refused.value.fixes] == fixes
    assert str(width or dimension) in refused.value.message


@pytest.mark.parametrize("params", [{}, {"extension": "yarn", "factor": 40.0, "original_length": 4096}])
@pytest.mark.parametrize("rotary", [10, 32, 64])
def test_scores_over_that_at_gap_0_are_those_of_the_rotated_vectors(params, rotary):
    """With an attention factor the dimensions that do not rotate weigh less."""
    scheme = build("rope", {"rotary_dimension": rotary, **params}, 64, 500)
    ones, at = np.ones((500, 64)), np.arange(500.0)
    scores = scheme.scores(ones[:1], ones, np.array([20.0]), at)[0]
    expected = scores / scores[20]
    assert np.abs(scheme.profile(20, at) - expected).max() < 1e-12
    assert np.abs(gap_curve(scheme, -20, 1, 500) - expected).max() < 1e-9
    rows, columns = whole_blocks(20, 1, 21), whole_blocks(0, 1, 500)
    assert np.abs(score_means(scheme, rows, columns)[0] - expected).max() < 1e-9
    low, high = score_extremes(scheme, rows, columns)
    assert np.abs(low[0] - expected).max() < 1e-5
    assert np.abs(high[0] - expected).max() < 1e-5
