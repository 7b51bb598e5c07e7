"""What must hold for every way to stretch RoPE, whatever its parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pe_desktop.core import extension as ways
from pe_desktop.core.errors import FieldError
from pe_desktop.core.part_rotation import rotation_part
from pe_desktop.core.properties import steady
from pe_desktop.core.scheme import build, scheme_class
from pe_desktop.core.state import LabState
from tests.core.strategies import STRETCHING, bases, factors, positions, stretched


def rope(dimension=128, length=128, **params):
    return build("rope", params, dimension, length)


@given(stretched())
def test_every_number_is_finite_and_no_pair_gets_faster(scheme):
    found, before = scheme.inv_freq(), scheme.plain_inv_freq()
    assert found.shape == before.shape == (scheme.rotary_width // 2,)
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert (found <= before * (1 + 1e-12)).all()
    assert math.isfinite(scheme.amplitude)
    assert math.isfinite(scheme.softmax_scale)
    assert set(scheme.regime()) <= {ways.KEPT, ways.BLENDED, ways.DIVIDED}
    assert all("nan" not in note and "inf" not in note for note in scheme.notes())


@given(stretched())
def test_a_kept_pair_is_as_before_and_a_divided_one_is_not_faster_than_by_the_factor(scheme):
    found, before, regime = scheme.inv_freq(), scheme.plain_inv_freq(), scheme.regime()
    turning = found > 0
    kept = (regime == ways.KEPT) & turning
    assert np.allclose(found[kept], before[kept], rtol=1e-12)
    if scheme.extension in ("linear", "yarn", "llama3"):
        divided = regime == ways.DIVIDED
        assert np.allclose(found[divided] * scheme.factor, before[divided], rtol=1e-12)


@given(stretched(STRETCHING, st.just(1.0)))
def test_factor_1_is_the_identity(scheme):
    assume(scheme.short_factor is None and scheme.long_factor is None)
    # Dynamic NTK with factor 1 is not idle past the trained length: its ratio is then length / trained length.
    assume(scheme.extension != "dynamic" or scheme.length <= scheme.trained_length)
    assert np.allclose(scheme.inv_freq(), scheme.plain_inv_freq(), rtol=1e-12)
    if scheme.attention_factor is None:
        assert scheme.amplitude == 1.0
    assert scheme.softmax_scale == pytest.approx(1 / math.sqrt(scheme.dimension), rel=1e-12)


@given(stretched(), positions, st.integers(0, 2**31))
def test_rotation_multiplies_norms_by_the_attention_factor(scheme, p, seed):
    vector = np.random.default_rng(seed).standard_normal((1, scheme.dimension))
    turned = scheme.rotate(vector, [p])
    assert np.linalg.norm(turned) == pytest.approx(scheme.amplitude * np.linalg.norm(vector), rel=1e-12)


@given(stretched(), st.integers(-500, 500), st.integers(500, 5000), st.integers(0, 5000), st.integers(0, 2**31))
def test_scores_depend_on_the_gap_alone(scheme, gap, at, shift, seed):
    query, key = np.random.default_rng(seed).standard_normal((2, 1, scheme.dimension))
    scores = [(scheme.rotate(query, [n + gap]) @ scheme.rotate(key, [n]).T).item() for n in (at, at + shift)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-8)


@given(st.integers(2, 64), bases, factors)
def test_the_fixed_ntk_base_keeps_the_first_pair_and_divides_the_last_by_the_factor(half, base, factor):
    scheme = rope(2 * half, base=base, extension="ntk", factor=factor)
    ratio = scheme.plain_inv_freq() / scheme.inv_freq()
    assert ratio[0] == 1.0
    assert ratio[-1] == pytest.approx(factor, rel=1e-9)
    assert scheme.effective_base == pytest.approx(base * factor ** (half / (half - 1)), rel=1e-12)


@pytest.mark.parametrize("extension", ["ntk", "dynamic"])
def test_a_single_pair_has_no_base_to_raise(extension):
    scheme = rope(2, 100_000, extension=extension, factor=8.0)
    assert scheme.inv_freq().tolist() == [1.0]
    assert scheme.effective_base == 10000.0


def test_alpha_takes_the_place_of_the_factor_under_both_names():
    given_alpha = [rope(length=8192, extension=name, alpha=1000.0, factor=3.0) for name in ("ntk", "dynamic")]
    expected = rope(extension="ntk", factor=1000.0).inv_freq()
    assert all(np.array_equal(scheme.inv_freq(), expected) for scheme in given_alpha)


class TestDynamic:
    @given(st.integers(2, 4096))
    def test_within_the_trained_length_it_is_plain(self, length):
        scheme = rope(length=length, extension="dynamic", factor=8.0)
        assert np.array_equal(scheme.inv_freq(), scheme.plain_inv_freq())
        assert f"length {length:,} does not exceed the trained 4,096" in scheme.notes()[0]

    def test_it_starts_gently_and_follows_the_length(self):
        bases_at = [rope(length=n, extension="dynamic", factor=2.0).effective_base for n in (4096, 4097, 8192, 16384)]
        assert bases_at[0] == 10000.0
        assert bases_at == sorted(bases_at)
        assert bases_at[1] / bases_at[0] < 1.001
        assert bases_at[2] == pytest.approx(10000.0 * 3.0 ** (128 / 126))

    def test_the_longest_length_freezes_it_until_a_shorter_one_comes(self):
        frozen = [rope(length=n, extension="dynamic", factor=2.0, longest_length=16384) for n in (4095, 4096, 8192)]
        at_longest = rope(length=16384, extension="dynamic", factor=2.0).inv_freq()
        assert np.array_equal(frozen[0].inv_freq(), frozen[0].plain_inv_freq())
        assert np.array_equal(frozen[1].inv_freq(), at_longest)
        assert np.array_equal(frozen[2].inv_freq(), at_longest)


class TestYarn:
    def ramp(self, **params):
        return ways.yarn_range(rope(extension="yarn", factor=4.0, **params).settings)

    def test_the_ramp_of_the_paper_for_llama_2(self):
        """c(ρ) = r ln(N / 2πρ) / (2 ln b): 20.94… and 45.03… for r = 128, b = 10000, N = 4096."""
        assert self.ramp() == (20, 46)
        low, high = self.ramp(truncate=False)
        assert low == pytest.approx(128 * math.log(4096 / (64 * math.pi)) / (2 * math.log(10000)), rel=1e-14)
        assert high == pytest.approx(128 * math.log(4096 / (2 * math.pi)) / (2 * math.log(10000)), rel=1e-14)

    def test_it_is_clamped_at_both_ends(self):
        """The library clamps the low end at 0 only and the high end at r - 1 only; either may then pass the other."""
        assert self.ramp(trained_length=100)[0] == 0.0
        assert self.ramp(base=10.0, trained_length=1_000_000)[1] == 127.0
        short, long = {"trained_length": 2}, {"base": 1.1, "trained_length": 1_000_000}
        assert self.ramp(**short) == (0.0, -7)
        assert self.ramp(**long)[0] > self.ramp(**long)[1] == 127.0
        regimes = [set(rope(extension="yarn", factor=4.0, **params).regime()) for params in (short, long)]
        assert regimes == [{ways.KEPT}, {ways.DIVIDED}]
        assert "out of order (0 > -7)" in rope(extension="yarn", factor=4.0, **short).notes()[1]

    def test_equal_betas_make_a_step(self):
        low, high = self.ramp(beta_fast=7.0, beta_slow=7.0, truncate=False)
        assert high - low == pytest.approx(0.001)
        regime = rope(extension="yarn", factor=4.0, beta_fast=7.0, beta_slow=7.0, truncate=False).regime()
        assert set(regime) == {ways.KEPT, ways.DIVIDED}
        assert (np.diff(regime) >= 0).all()

    def test_a_beta_of_0_means_the_default(self):
        assert self.ramp(beta_fast=0.0, beta_slow=0.0) == self.ramp()

    @pytest.mark.parametrize(
        ("given_params", "expected"),
        [
            ({}, 0.1 * math.log(40) + 1),
            ({"mscale": 0.5}, 0.1 * math.log(40) + 1),
            ({"mscale_all_dim": 0.5}, 0.1 * math.log(40) + 1),
            ({"mscale": 0.0, "mscale_all_dim": 1.0}, 0.1 * math.log(40) + 1),
            ({"mscale": 1.0, "mscale_all_dim": 1.0}, 1.0),
            ({"mscale": 1.0, "mscale_all_dim": 0.5}, (0.1 * math.log(40) + 1) / (0.05 * math.log(40) + 1)),
            ({"mscale": 1.0, "mscale_all_dim": 0.5, "attention_factor": 1.25}, 1.25),
            ({"attention_factor": 0.0}, 0.0),
        ],
    )
    def test_the_precedence_of_the_attention_factor(self, given_params, expected):
        scheme = rope(extension="yarn", factor=40.0, **given_params)
        assert scheme.amplitude == pytest.approx(expected, rel=1e-15)

    def test_the_softmax_correction_is_a_number_of_its_own(self):
        given_params = {"extension": "yarn", "factor": 40.0, "mscale": 0.707, "mscale_all_dim": 0.707}
        scheme = rope(64, score_dimension=192, **given_params)
        square = (0.0707 * math.log(40) + 1) ** 2
        assert scheme.softmax_correction_factor == pytest.approx(square, rel=1e-15)
        assert scheme.softmax_scale == pytest.approx(square / math.sqrt(192), rel=1e-15)
        without = rope(64, score_dimension=192, softmax_correction=False, **given_params)
        assert without.softmax_scale == pytest.approx(1 / math.sqrt(192), rel=1e-15)

    def test_a_missing_factor_is_the_ratio_of_the_lengths(self):
        scheme = rope(extension="yarn", trained_length=32768, original_length=8192)
        assert np.array_equal(scheme.inv_freq(), rope(extension="yarn", factor=4.0, original_length=8192).inv_freq())
        assert scheme.effective()["factor"] == 4.0
        assert rope(extension="yarn", trained_length=32768).amplitude == 1.0

    def test_a_missing_original_length_is_the_trained_one(self):
        scheme = rope(extension="yarn", factor=4.0, trained_length=32768)
        assert np.array_equal(scheme.inv_freq(), rope(extension="yarn", factor=4.0, original_length=32768).inv_freq())


class TestLongRope:
    SHORT, LONG = [1.0 + 0.1 * i for i in range(64)], [1.0 + i for i in range(64)]

    def scheme(self, length, **more):
        lists = {"short_factor": self.SHORT, "long_factor": self.LONG}
        return rope(length=length, extension="longrope", trained_length=131072, original_length=4096, **lists, **more)

    def test_the_switch(self):
        at, past = self.scheme(4096), self.scheme(4097)
        assert np.allclose(at.plain_inv_freq() / at.inv_freq(), self.SHORT, rtol=1e-14)
        assert np.allclose(past.plain_inv_freq() / past.inv_freq(), self.LONG, rtol=1e-14)
        assert at.amplitude == past.amplitude == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)), rel=1e-15)

    def test_a_given_attention_factor_wins(self):
        assert self.scheme(5000, attention_factor=1.5).amplitude == 1.5
        assert self.scheme(5000, factor=1.0).amplitude == 1.0

    @pytest.mark.parametrize("name", ["short_factor", "long_factor"])
    @pytest.mark.parametrize("length", [128, 8192])
    def test_a_list_of_the_wrong_length_says_which_is_needed_and_why(self, name, length):
        with pytest.raises(FieldError) as refused:
            rope(96, length, extension="longrope", **{name: [1.0] * 32})
        assert refused.value.field == name
        label = {"short_factor": "Short list", "long_factor": "Long list"}[name]
        needed = "it needs 48, one a pair (rotary width 96 / 2)."
        assert refused.value.message == f"{label} ({name}) has 32 numbers; {needed}"
        assert [dict(fix.changes) for fix in refused.value.fixes] == [{"dimension": 64}, {"params": {name: None}}]

    def test_a_list_of_another_extension_is_not_judged(self):
        assert rope(96, extension="yarn", factor=4.0, short_factor=[1.0] * 3).short_factor == (1.0,) * 3


class TestLlama3:
    def test_blend(self):
        scheme = rope(length=128, base=500000.0, extension="llama3", factor=8.0, original_length=8192)
        before, found = scheme.plain_inv_freq(), scheme.inv_freq()
        turns = 8192 * before / (2 * math.pi)
        between = (turns > 1) & (turns < 4)
        assert between.any()
        share = (turns[between] - 1) / 3
        assert np.allclose(found[between], before[between] * (share + (1 - share) / 8), rtol=1e-14)
        assert np.array_equal(found[turns > 4], before[turns > 4])
        assert np.allclose(found[turns < 1] * 8, before[turns < 1], rtol=1e-15)

    @pytest.mark.parametrize("high", [2.0, 1.0])
    def test_equal_or_crossed_factors_make_a_step_at_the_low_one(self, high):
        scheme = rope(extension="llama3", factor=8.0, low_freq_factor=2.0, high_freq_factor=high)
        turns = 4096 * scheme.plain_inv_freq() / (2 * math.pi)
        assert np.array_equal(scheme.regime() == ways.DIVIDED, turns < 2.0)
        assert set(scheme.regime()) == {ways.KEPT, ways.DIVIDED}
        assert any("the ramp is a step" in note for note in scheme.notes())


@given(st.floats(0, 1), st.integers(1, 100))
def test_proportional_turns_a_share_of_the_pairs_with_exponents_over_the_head(share, half):
    scheme = rope(2 * half, extension="proportional", rotary_fraction=share)
    turning = int(share * 2 * half // 2)
    expected = np.where(np.arange(half) < turning, 10000.0 ** (-np.arange(half) / half), 0.0)
    assert np.allclose(scheme.inv_freq(), expected, rtol=1e-14, atol=0)
    assert scheme.factor is None
    assert scheme.effective()["factor"] == 1.0


@pytest.mark.parametrize(
    ("params", "field", "words"),
    [
        ({"factor": 0.5}, "factor", "Factor is 0.5; it must lie between 1 and"),
        ({"base": 1.0}, "base", "is 1; it must lie between 1.001 and"),
        ({"base": -3}, "base", "is -3;"),
        ({"extension": "su"}, "extension", "one of none, linear, ntk, dynamic, yarn, longrope, llama3, proportional"),
        ({"original_length": 0}, "original_length", "Original length is 0;"),
        ({"long_factor": [0.0] * 64}, "long_factor", "Long list, number 1, is 0;"),
        ({"long_factor": "1, two, 3"}, "long_factor", "Long list, number 2, is 'two', which is not a number"),
        ({"long_factor": True}, "long_factor", "it must be a list of numbers"),
        ({"long_factor": []}, "long_factor", "it must be a list of numbers"),
        ({"rotary_fraction": 1.5}, "rotary_fraction", "between 0 and 1"),
    ],
)
def test_refusals_name_field_and_numbers(params, field, words):
    with pytest.raises(FieldError) as refused:
        rope(**params)
    assert refused.value.field == field
    assert words in refused.value.message


def test_every_way_is_a_choice_and_every_parameter_of_it_says_where_it_comes_from():
    rows = {about.name: about for about in scheme_class("rope").parameters()}
    assert [name for name, _ in rows["extension"].choices] == list(ways.EXTENSIONS)
    assert all(about.source and about.help for about in rows.values())
    for name in STRETCHING:
        scheme = rope(extension=name)
        assert {"base", "extension", "factor"} <= set(scheme.effective())
        assert ("beta_fast" in scheme.effective()) == (name == "yarn")


def test_the_dials_know_what_became_of_their_pairs():
    state = LabState().change({"scheme": "rope", "params": {"extension": "yarn", "factor": 8.0}})
    part = rotation_part(state)
    assert np.array_equal(part.regime, state.built.regime()[part.pairs])
    kept, blended, divided = np.bincount(state.built.regime())
    assert part.point == f"all 32 pairs; {kept} kept, {blended} blended, {divided} divided"
    unstretched = rotation_part(state.change({"params": {"factor": 1.0}}))
    assert unstretched.regime is None
    assert unstretched.point == "all 32 pairs"


@given(stretched())
def test_what_is_echoed_gives_the_same_numbers_again(scheme):
    again = build("rope", scheme.effective(), scheme.dimension, scheme.length)
    assert np.array_equal(again.inv_freq(), scheme.inv_freq())
    assert again.amplitude == scheme.amplitude
    assert again.softmax_scale == scheme.softmax_scale
    assert again.effective() == scheme.effective()


@pytest.mark.parametrize("extension", STRETCHING[:2] + STRETCHING[3:])
def test_a_factor_below_1_is_refused_where_it_follows_from_the_lengths(extension):
    with pytest.raises(FieldError, match=r"2,048 / 4,096 = 0.5") as refused:
        rope(extension=extension, trained_length=2048, original_length=4096)
    assert refused.value.field == "original_length"
    assert rope(extension=extension, trained_length=2048, original_length=4096, factor=2.0).effective()["factor"] == 2.0


def test_a_dynamic_base_takes_no_notice_of_an_original_length():
    with_one = rope(length=8192, extension="dynamic", factor=2.0, original_length=16)
    assert np.array_equal(with_one.inv_freq(), rope(length=8192, extension="dynamic", factor=2.0).inv_freq())
    assert "original_length" not in with_one.effective()


@pytest.mark.parametrize(("length", "name"), [(128, "short_factor"), (8192, "long_factor")])
def test_a_stand_in_list_is_called_one(length, name):
    scheme = rope(length=length, extension="longrope", factor=4.0)
    assert "list (a stand-in) divides" in scheme.notes()[0]
    given_list = rope(length=length, extension="longrope", factor=4.0, **{name: [1.0] * 64})
    assert "stand-in" not in given_list.notes()[0]
    assert scheme.effective()["short_factor"] == (1.0,) * 64
    assert scheme.effective()["long_factor"][-1] == pytest.approx(4.0)


@pytest.mark.parametrize(("extension", "holds"), [("longrope", False), ("dynamic", False), ("yarn", True)])
@pytest.mark.parametrize("length", [2, 128, 4096, 8192, 1_048_576])
def test_a_switch_at_another_length_makes_rows_unsteady_too(extension, holds, length):
    assert steady(rope(length=length, extension=extension, factor=4.0)).holds is holds
