"""xPos: scores depend on the gap and fade with it; nothing overflows, keys after the query have no score."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.attention import toy_attention
from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.formula import formula
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.score_window import score_means
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.core.values import answer

MILLION = 1 << 20
LENGTHS = st.integers(2, 200)


@st.composite
def xposes(draw, lengths=LENGTHS):
    dimension = draw(st.integers(2, 24))
    params = {
        "rotary_dimension": 2 * draw(st.integers(1, dimension // 2)),
        "scale_base": draw(st.floats(16, 5000)),
        "layout": draw(st.sampled_from(["half", "interleaved"])),
        "centre": draw(st.none() | st.integers(0, 300)),
    }
    return build("xpos", params, dimension, draw(lengths))


def score(scheme, query, key, at, key_at):
    """A score from the definition, one pair after the other."""
    first, second = scheme.pairs()
    q, k = query[first] + 1j * query[second], key[first] + 1j * key[second]
    turn = np.exp(1j * (at - key_at) * scheme.inv_freq()) * scheme.zeta() ** ((at - key_at) / scheme.scale_base)
    rest = np.delete(np.arange(scheme.dimension), np.concatenate([first, second]))
    return (q * np.conj(k) * turn).real.sum() + query[rest] @ key[rest]


@given(xposes(), st.lists(st.integers(0, 400), min_size=1, max_size=4), st.integers(0, 400), st.integers(0, 99))
def test_scores_by_the_definition(scheme, at, key_at, seed):
    query, key = np.random.default_rng(seed).standard_normal((2, scheme.dimension))
    found = scheme.scores(np.tile(query, (len(at), 1)), key[None], np.array(at, float), np.array([float(key_at)]))
    expected = [score(scheme, query, key, each, key_at) for each in at]
    scale = max(1.0, float(np.abs(expected).max()))
    assert np.abs(found[:, 0] - expected).max() <= 1e-9 * scale
    slowly = scheme._scores_by_gap(
        np.tile(query, (len(at), 1)), key[None], np.array(at, float), np.array([float(key_at)])
    )
    assert np.abs(slowly - found).max() <= 1e-9 * scale


@given(xposes(), st.integers(0, 150), st.integers(0, 150))
def test_rotated_vectors_make_the_same_score(scheme, at, key_at):
    query, key = np.cos(np.arange(scheme.dimension)), np.sin(np.arange(scheme.dimension) + 1)
    turned = scheme.rotate(query[None], [at])[0] @ scheme.rotate(key[None], [key_at], key=True)[0]
    expected = score(scheme, query, key, at, key_at)
    assert turned == pytest.approx(expected, rel=1e-9, abs=1e-9 * max(1.0, abs(expected)))


@given(xposes(), st.integers(0, 199))
def test_the_profile_is_the_score_of_ones(scheme, spot):
    positions = np.arange(200.0)
    found = scheme.profile(spot, positions)
    assert np.isnan(found[spot + 1 :]).all()
    ones = np.ones(scheme.dimension)
    expected = [score(scheme, ones, ones, spot, at) / scheme.dimension for at in range(spot + 1)]
    assert np.abs(found[: spot + 1] - expected).max() < 1e-12
    assert found[spot] == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=30)
@given(xposes(st.integers(2, 50)), st.integers(1, 20), st.integers(1, 20))
def test_block_means_leave_later_keys_out(scheme, high, wide):
    length = scheme.length
    every = np.stack([scheme.profile(spot, np.arange(float(length))) for spot in range(length)])
    rows, columns = np.arange(0.0, length, high), np.arange(0.0, length, wide)
    found = score_means(scheme, whole_blocks(0, high, length), whole_blocks(0, wide, length))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a mean of nothing
        expected = [
            [np.nanmean(every[int(row) : int(row) + high, int(column) : int(column) + wide]) for column in columns]
            for row in rows
        ]
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    assert np.nanmax(np.abs(found - expected)) < 1e-11


@settings(max_examples=60)
@given(xposes(), st.integers(0, MILLION - 1), st.integers(1, 900), st.integers(3, 3000), st.booleans())
def test_pairs_left_out_of_the_profile_had_faded(scheme, first, step, count, backwards):
    """Equally spaced positions, of which far ones are sums of fewer pairs, against every pair."""
    positions = first + step * np.arange(float(count))
    spot = int(positions[-1]) + first % 1000
    found = scheme.profile(spot, positions[::-1] if backwards else positions)
    some = np.unique(np.linspace(0, count - 1, 40).round().astype(int))
    gaps = spot - (positions[::-1] if backwards else positions)[some]
    pairs = np.exp(np.multiply.outer(gaps, scheme.rates())).real.sum(axis=1)
    expected = (2.0 * pairs + scheme.dimension - scheme.rotary_width) / scheme.dimension
    assert np.abs(found[some] - expected).max() < 5e-9


def test_the_profile_of_the_widest_head_over_a_million_keys():
    scheme = build("xpos", {"rotary_dimension": 4096}, 8192, MILLION)
    at = np.array([0, 1, 1000, 20_000, 400_000, 700_000, MILLION - 2, MILLION - 1])
    found = np.concatenate(
        [scheme.profile(MILLION - 1, np.arange(float(low), float(low + 65_536))) for low in range(0, MILLION, 65_536)]
    )
    pairs = np.exp(np.multiply.outer(MILLION - 1.0 - at, scheme.rates())).real.sum(axis=1)
    assert np.abs(found[at] - (2.0 * pairs + 4096) / 8192).max() < 1e-6


def test_nothing_overflows_at_a_million():
    scheme = build("xpos", {"scale_base": 16.0}, 64, MILLION)
    spots = np.arange(0.0, MILLION, 997)
    with np.errstate(all="raise", under="ignore"):
        found = scheme.profile(MILLION - 1, np.append(spots, MILLION - 1.0))
        blocks = score_means(scheme, *[whole_blocks(0, MILLION // 64, MILLION)] * 2)
        far = scheme.scores(
            np.ones((1, 64)), np.ones((2, 64)), np.array([MILLION - 1.0]), np.array([0.0, MILLION - 1.0])
        )[0]
    assert np.isfinite(found).all()
    assert found[-1] == pytest.approx(1.0)
    assert np.abs(found[:-1]).max() < 1.0
    assert np.array_equal(np.isnan(blocks), np.triu(np.ones((64, 64), bool), 1))
    assert far[1] == pytest.approx(64.0)
    assert far[0] == 0.0


def test_vectors_beyond_float64_are_refused():
    scheme = build("xpos", {}, 64, MILLION)
    for position, key in ((0, True), (MILLION - 1, False)):
        with pytest.raises(
            FieldError, match=rf"At position {position:,} xPos scales a \w+ by up to 10\^−?5\d\d"
        ) as refused:
            scheme.rotate(np.ones((1, 64)), [position], key=key)
        moved = build("xpos", refused.value.fixes[0].changes["params"], 64, MILLION)
        assert np.allclose(
            moved.rotate(np.ones((1, 64)), [position], key=key),
            build("rope", {"layout": "interleaved"}, 64, 8).rotate(np.ones((1, 64)), [position]),
        )


def test_the_centre_changes_vectors_and_no_score():
    ones, at = np.ones((2, 8)), np.array([3.0, 9.0])
    here, there = build("xpos", {"centre": 0}, 8, 50), build("xpos", {"centre": 40}, 8, 50)
    assert np.abs(here.rotate(ones, at) - there.rotate(ones, at)).max() > 1e-3
    assert np.allclose(here.scores(ones, ones, at, at), there.scores(ones, ones, at, at), atol=1e-13)
    assert build("xpos", {}, 8, 51).effective()["centre"] == 25


def test_attention_is_the_same_at_any_length():
    words = ["the", "dog", "bit", "the", "man"]
    made = [
        toy_attention(build("xpos", {}, 64, length), words, np.arange(5), seed=0, head=0, causal=True)[1].weights
        for length in (8, 128, MILLION)
    ]
    assert np.abs(made[1] - made[0]).max() < 1e-12
    assert np.abs(made[2] - made[0]).max() < 1e-12
    rope = toy_attention(
        build("rope", {"layout": "interleaved"}, 64, 8), words, np.arange(5), seed=0, head=0, causal=True
    )
    assert 1e-4 < np.abs(rope[1].weights - made[0]).max() < 0.1


def shown(**changes):
    return compute(LabState().change({"scheme": "xpos", **changes}), Viewport())


def test_the_curve_stops_at_the_query():
    part = shown(position=70).similarity
    assert part.x[-1] == 70
    assert part.defined == 71
    assert part.hatch == "masked"
    assert part.sentence.endswith("xPos is for causal attention: keys after the query are masked.")
    assert shown(position=127).similarity.hatch == "no vector"
    assert "Only spot 0 itself has a score" in shown(position=0).similarity.sentence


def test_a_window_of_later_keys_is_empty_and_says_so():
    part = compute(LabState().change({"scheme": "xpos"}), Viewport(rows=(50, 90))).similarity
    assert (len(part.x), part.defined, part.hatch) == (0, 13, "masked")
    assert part.sentence.startswith("Only keys after the query at 12 are in view.")


@pytest.mark.parametrize("spot", [0, 1, 400_000, MILLION - 1])
def test_the_sampled_curve_lies_within_the_exact_one(spot):
    state = LabState().change({"scheme": "xpos", "length": MILLION, "position": spot, "dimension": 8})
    quick, full = (compute(state, Viewport(curve=300), full=full).similarity for full in (False, True))
    assert np.array_equal(quick.x, full.x)
    assert (quick.low >= full.low - 1e-12).all()
    assert (quick.high <= full.high + 1e-12).all()
    assert quick.high.max() == pytest.approx(1.0)


def test_words_say_what_is_scaled_and_masked():
    part = shown(position=20, key_position=12)
    assert "a gap of 512 leaves 0.286 to 0.978 of a pair" in part.matrix.sentence
    assert "of this pair's score 0.9806 is left" in formula(part, Cursor(view="rotation", pair=0))
    assert float((0.4 / 1.4) ** (8 / 512)) == pytest.approx(0.9806, abs=5e-5)
    assert "masked" in formula(part, Cursor(view="similarity", position=21))
    assert "= 1.0000" in formula(part, Cursor(view="similarity", position=20))
    assert any("10^557" in note for note in shown(length=MILLION).notes)
    bounded = part.readouts.properties[0]
    assert (bounded.holds, bounded.number) == (False, "10⁵⁵⁷")


def test_similarity_on_request_ends_at_the_query():
    found = answer({"scheme": "xpos", "what": "similarity", "position": 9, "positions": "0:10"})["values"]
    assert found[9] == pytest.approx(1.0)
    with pytest.raises(FieldError, match="Position 10 is after the query at 9") as refused:
        answer({"scheme": "xpos", "what": "similarity", "position": 9, "positions": "0:11"})
    assert refused.value.field == "positions"


def test_far_too_many_scores_far_apart_are_refused():
    request = {"scheme": "xpos", "dimension": 128, "what": "scores", "q": [1.0] * 128, "k": [1.0] * 128}
    with pytest.raises(FieldError, match="ask for fewer positions"):
        answer(request | {"positions": "0:4000", "key_positions": "1000000:1004000"})
