"""The spectrum: wavelengths against the lengths, what an extension did, bases, switches, stale keys, and biases."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import spectrum_bias
from pe_desktop.core.extension import BLENDED, DIVIDED, KEPT
from pe_desktop.core.formula import formula
from pe_desktop.core.part_spectrum import modes_of, spectrum_is_quick, spectrum_part, turning_of
from pe_desktop.core.parts import NO_CURSOR, Cursor, Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.snapshot import compute
from pe_desktop.core.spectrum_bias import bias_part, spread
from pe_desktop.core.spectrum_chart import Turning, around, runs
from pe_desktop.core.spectrum_lengths import across, base_at, stale_scores
from pe_desktop.core.spectrum_words import readings, turning_sentence
from pe_desktop.core.state import LabState
from tests.core.golden import read
from tests.core.strategies import ALL, any_scheme, attempt

LLAMA = {"extension": "llama3", "factor": 8.0, "base": 500_000.0, "trained_length": 131_072, "original_length": 8192}
DYNAMIC = {"extension": "dynamic", "factor": 8.0}
LONG = {"extension": "longrope", "factor": 8.0}
EXTENSIONS = ("none", "linear", "ntk", "dynamic", "yarn", "longrope", "llama3", "proportional")
MODES = ("wavelengths", "base", "switch", "cache")
SHOWN = frozenset({"spectrum"})


def part_of(mode="wavelengths", *, full=True, scheme="rope", dimension=128, length=32_768, head=0, **params):
    state = LabState().change(
        {"scheme": scheme, "dimension": dimension, "length": length, "params": params, "head": head}
    )
    return spectrum_part(state, Viewport(spectrum=mode), full)


def line(part, role="main"):
    return next(each for each in part.series if each.role == role)


def last_number(text):
    found = re.findall(r"= ([−-]?[\d.,]+)", text)
    assert found, text
    return float(found[-1].replace("−", "-").replace(",", "").rstrip("."))


class TestWavelengths:
    def test_llama(self):
        part = part_of(**LLAMA)
        # A pair finishes a turn in 8,192 positions while 2π · 500000^(2i/128) ≤ 8192, that is up to i = 34.98.
        slow = 64 - math.ceil(64 * math.log(8192 / (2 * math.pi)) / math.log(500_000))
        assert slow == 29
        assert part.sentence == (
            "Pairs 0–28 kept, 29–34 blended, 35–63 divided by 8. "
            "29 of 64 pairs never finish a turn in 8,192 training positions."
        )
        assert part.shaded == ((35, 63),)
        assert part.shade_texts[0] == "29 pairs: no full turn"
        levels = {level.texts[0]: 10**level.at for level in part.levels}
        assert levels == {
            "trained length 8,192": pytest.approx(8192),
            "sequence length 32,768": pytest.approx(32_768),
        }

    def test_the_lines_are_the_wavelengths_of_the_reference_library(self):
        case = next(case for case in read("rope.json")["cases"] if case["id"] == "llama-3.1-8b")
        after = np.array(case["evaluations"][0]["inv_freq"])
        before = 500_000.0 ** (-np.arange(64) / 64)
        part = part_of(**LLAMA)
        assert 10 ** line(part).y == pytest.approx(2 * np.pi / after, rel=1e-6)
        assert 10 ** line(part, "faint").y == pytest.approx(2 * np.pi / before, rel=1e-12)
        assert part.x.low == -0.5
        assert part.x.high == 63.5
        assert line(part).x.tolist() == list(range(64))

    def test_without_an_extension_there_is_one_line(self):
        part = part_of()
        assert [each.role for each in part.series] == ["main"]
        assert part.turning.regime is None
        assert part.sentence.startswith("Wavelengths run from 6.28 to 54.4k positions.")

    def test_sinusoidal_is_measured_by_the_sequence(self):
        part = part_of(scheme="sinusoidal", dimension=64, length=128)
        assert [level.texts[0] for level in part.levels] == ["sequence length 128"]
        assert part.sentence.endswith("21 of 32 pairs never finish a turn in 128 positions.")
        longest = 2 * math.pi * 10_000 ** (62 / 64)
        assert 10 ** line(part).y[-1] == pytest.approx(longest)

    def test_pairs_that_do_not_turn_are_marked_and_not_drawn(self):
        part = part_of(extension="proportional", rotary_fraction=0.25)
        assert part.still == ((16, 63),)
        assert line(part).x.tolist() == list(range(16))
        assert "48 of 64 pairs do not turn." in part.sentence
        assert np.isfinite(line(part).y).all()

    def test_nothing_turns_at_all(self):
        part = part_of(extension="proportional", rotary_fraction=0.0, dimension=64)
        assert part.sentence == "None of the 32 pairs turns."
        assert part.still == ((0, 31),)
        assert part.y.low < part.y.high

    def test_both_lengths_may_be_one(self):
        part = part_of(length=4096)
        assert [level.texts[0] for level in part.levels] == ["trained length = sequence length 4,096"]

    @pytest.mark.parametrize(
        ("regime", "said"),
        [
            ([KEPT] * 4, "All 4 pairs are kept."),
            ([KEPT, BLENDED, BLENDED, DIVIDED], "Pair 0 kept, 1–2 blended, 3 divided by 2."),
            ([DIVIDED, KEPT, DIVIDED, KEPT, DIVIDED, KEPT], "Of 6 pairs 3 kept, 3 divided by 2."),
        ],
    )
    def test_what_became_of_the_pairs(self, regime, said):
        before = np.full(len(regime), 0.5)
        after = np.where(np.array(regime) == KEPT, 0.5, 0.25)
        turning = Turning(before, after, np.array(regime, dtype=np.int8), 1000, True)
        assert turning_sentence(turning).startswith(said)

    def test_divisors_that_differ_are_a_range(self):
        part = part_of(dimension=8, extension="longrope", factor=1.0, long_factor=[2, 4, 8, 1])
        assert part.sentence.startswith("Pairs 0–2 divided by 2 to 8, 3 kept.")

    def test_axes_of_a_grid_are_measured_by_their_own_steps(self):
        scheme = build("axial", {"grid_columns": 16}, 64, 100)
        turning = turning_of(scheme)
        assert dict(zip(turning.axes, turning.steps, strict=True)) == {"row": 7, "column": 16}
        reached = scheme.coordinates(np.arange(100.0)).max(axis=0) + 1
        assert reached.tolist() == list(turning.steps)
        assert turning.turns[0] == pytest.approx(7 / (2 * math.pi))
        assert turning.turns[16] == pytest.approx(16 / (2 * math.pi))
        part = spectrum_part(LabState().change({"scheme": "axial", "length": 100}), Viewport())
        assert line(part).cuts == (15,)

    @settings(max_examples=30)
    @given(st.integers(2, 3000), st.integers(1, 40))
    def test_steps_of_a_grid(self, length, columns):
        scheme = build("sincos2d", {"grid_columns": columns}, 16, length)
        reached = scheme.coordinates(np.arange(float(length))).max(axis=0) + 1
        assert reached.tolist() == list(turning_of(scheme).steps)

    def test_widest(self):
        part = part_of(dimension=8192, length=1_048_576, base=1e9, extension="yarn", factor=1e6)
        assert len(line(part).x) == 4096
        assert part.exact


class TestBase:
    @settings(max_examples=60)
    @given(
        st.integers(2, 1_048_576),
        st.integers(2, 1 << 21),
        st.floats(1.0, 1e4),
        st.sampled_from([2, 4, 64, 128]),
        st.none() | st.integers(2, 1 << 20),
    )
    def test_the_curve_is_the_base_of_the_scheme(self, length, trained, factor, dimension, longest):
        params = {**DYNAMIC, "factor": factor, "trained_length": trained, "longest_length": longest}
        scheme = build("rope", params, dimension, length)
        assert base_at(scheme, length, longest) == pytest.approx(scheme.effective_base, rel=1e-12)

    def test_both_curves(self):
        part = part_of("base", **DYNAMIC, longest_length=131_072)
        fresh, frozen = line(part), line(part, "faint")
        lengths = 10**fresh.x
        assert lengths[0] == pytest.approx(4096)
        assert lengths[-1] == pytest.approx(1_048_576)
        assert 10 ** fresh.y[0] == pytest.approx(10_000)
        assert 10 ** fresh.y[-1] == pytest.approx(10_000 * (8 * 256 - 7) ** (128 / 126))
        before = lengths < 131_000
        assert np.ptp(frozen.y[before]) == 0.0
        assert frozen.y[~before] == pytest.approx(fresh.y[~before])
        assert frozen.label == "after one of 131,072"

    def test_within_the_trained_length_the_base_stays(self):
        part = part_of("base", length=100, **DYNAMIC)
        assert len(part.series) == 1
        assert part.sentence.startswith("Up to the trained 4,096 positions the base stays 10,000; at 1,048,576 it is ")

    def test_below_the_trained_length_a_frozen_base_comes_back(self):
        part = part_of("base", length=100, **DYNAMIC, longest_length=100_000)
        assert part.sentence.startswith("Below the trained 4,096 the base is back at 10,000;")

    @pytest.mark.parametrize("trained", [2, 1_048_576, 1 << 30])
    @pytest.mark.parametrize("dimension", [2, 4, 8192])
    def test_extremes(self, trained, dimension):
        part = part_of("base", length=1_048_576, dimension=dimension, **DYNAMIC, trained_length=trained)
        assert part.kind == "base"
        assert all(np.isfinite(each.y).all() for each in part.series)
        assert part.y.low < part.y.high
        assert part.x.low < part.x.high


class TestSwitch:
    def test_the_jump_is_the_change_of_the_angle(self):
        part = part_of("switch", **LONG)
        scheme = build("rope", LONG, 128, 10)
        old, new = (dataclasses.replace(scheme, length=length).angles([4096])[0] for length in (4096, 4097))
        moved = line(part).x.astype(int)
        assert moved.tolist() == list(range(1, 64))  # the stand-in keeps pair 0
        assert 10 ** line(part).y == pytest.approx(np.abs(new - old)[moved])
        largest = int(np.abs(new - old).argmax())
        assert f"at 4,096 pair {largest} jumps most, by {np.abs(new - old).max():,.2f} rad" in part.sentence
        assert f"{(np.abs(new - old) > np.pi).sum()} of 64 pairs jump over half a turn" in part.sentence

    def test_equal_lists_change_nothing(self):
        part = part_of("switch", extension="longrope", factor=1.0)
        assert part.kind == "text"
        assert part.modes == ("wavelengths", "switch", "cache")
        assert part.sentence == "Both lists are the same, so nothing changes between length 4,096 and 4,097."

    def test_a_single_pair(self):
        part = part_of("switch", dimension=2, extension="longrope", factor=1.0, long_factor=[4])
        assert part.sentence == "Every position turns anew: at 4,096 pair 0 jumps by 3,072 rad (489 turns)."


class TestCache:
    @pytest.mark.parametrize(("params", "length"), [(LONG, 8000), (DYNAMIC, 8000), (DYNAMIC, 50)])
    def test_scores_are_products_of_rotated_vectors(self, params, length):
        scheme = build("rope", {**params, "rotary_dimension": 24}, 32, length)
        old, new = across(scheme)
        positions = np.array([0.0, 3.0, 1000.0, 4096.0])
        ones = np.ones((4, 32))
        queries, keys, cached = new.rotate(ones, positions), new.rotate(ones, positions), old.rotate(ones, positions)
        whole = float(queries[0] @ keys[0])
        stale, fresh = stale_scores(old, new, positions)
        assert stale == pytest.approx(queries @ cached.T / whole, abs=1e-6)
        assert fresh == pytest.approx(queries @ keys.T / whole, abs=1e-6)
        assert fresh.diagonal() == pytest.approx(1.0)

    def test_nothing_is_stale_where_nothing_changed(self):
        scheme = build("rope", {}, 16, 64)
        stale, fresh = stale_scores(scheme, scheme, np.arange(64.0))
        assert np.array_equal(stale, fresh)
        assert fresh[5] == pytest.approx(scheme.profile(5, np.arange(64.0)), abs=1e-6)

    def test_longrope_changes_at_the_switch(self):
        part = part_of("cache", **LONG)
        stale, fresh, difference = part.maps
        assert part.positions[0] == 0
        assert part.positions[-1] == 4096
        assert stale.shape == fresh.shape == (48, 48)
        assert np.array_equal(difference, stale - fresh)
        assert part.point.startswith("length 4,096 → 4,097")
        assert (
            f"off by up to {np.abs(difference).max():.2f}, {np.abs(difference).mean():.2f} on average" in part.sentence
        )
        assert part.sentence.endswith(f"position 4,096 with itself: {stale[-1, -1]:.2f}, not 1.")

    @pytest.mark.parametrize(("length", "later"), [(100, 8192), (32_768, 32_768)])
    def test_a_base_that_moved(self, length, later):
        part = part_of("cache", length=length, **DYNAMIC)
        base = build("rope", DYNAMIC, 128, later).effective_base
        assert part.point.startswith(f"length 4,096 → {later:,}")
        assert part.sentence.startswith(f"Keys at base 10,000, queries at {base:,.6g}:")

    def test_a_single_pair_has_no_base_to_move(self):
        assert part_of("cache", dimension=2, **DYNAMIC).sentence.endswith("no score changes.")

    def test_wide_heads_are_coarser_first(self):
        state = LabState().change({"scheme": "rope", "dimension": 4096, "params": LONG})
        viewport = Viewport(spectrum="cache", shown=SHOWN)
        assert not spectrum_is_quick(state, viewport)
        quick, full = (spectrum_part(state, viewport, full) for full in (False, True))
        assert (quick.exact, full.exact) == (False, True)
        assert len(quick.positions) < len(full.positions) == 48
        corner = quick.maps[0][-1, 0]
        assert corner == pytest.approx(full.maps[0][-1, 0], abs=1e-6)
        assert "computing" in quick.point


class TestBiases:
    def test_slopes(self):
        part = part_of(scheme="alibi", head=3)
        assert part.kind == "slopes"
        assert 10 ** line(part).y == pytest.approx(2.0 ** -np.arange(1, 9))
        assert [level.at for level in part.levels] == [3.0]
        assert part.sentence == (
            "Head 3 loses 0.0625 per position: a weight falls to 1/e in 16 positions; over the 8 heads in 2 to 256."
        )

    def test_buckets_of_t5(self):
        scheme = build("t5", {"bidirectional": False}, 64, 1024)
        part = bias_part(scheme, 0)
        assert part.kind == "buckets"
        # Causal T5 (32 buckets to 128): 0 … 15 each, the last from 113 on (ln(113/16)/ln(8) · 16 = 15.04).
        assert part.sentence.startswith(
            "Distances up to 15 have a bucket each, then they share; from 113 on all are in bucket 31"
        )
        steps = line(part)
        for distance in (1, 20, 64, 100, 700):
            at = int(np.searchsorted(steps.x, math.log10(distance) + 1e-9)) - 1
            assert steps.y[at] == scheme.bucket_of(np.array([-float(distance)]))[0]

    @pytest.mark.parametrize("first_look", [1, 4096])
    def test_a_clip(self, monkeypatch, first_look):
        monkeypatch.setattr(spectrum_bias, "FIRST_LOOK", first_look)
        part = bias_part(build("shaw", {"left": 900, "right": 3}, 64, 100_000), 0)
        assert part.sentence.startswith("Distances up to 899 have a bucket each, then they share; from 900 on")

    def test_the_bias_itself(self):
        scheme = build("kerple", {}, 64, 1000)
        part = bias_part(scheme, 2)
        distances = 10 ** line(part).x
        assert distances[0] == 1
        assert distances[-1] == pytest.approx(999)
        assert line(part).y == pytest.approx(scheme.bias([999], 999 - distances)[2, 0])

    def test_a_bias_that_takes_long_is_coarser_first(self):
        state = LabState().change({"scheme": "transformer_xl", "dimension": 2048, "length": 5000})
        viewport = Viewport(shown=SHOWN)
        assert not spectrum_is_quick(state, viewport)
        quick, full = (spectrum_part(state, viewport, full) for full in (False, True))
        assert (quick.exact, full.exact) == (False, True)
        few, all_of_them = line(quick), line(full)
        assert len(few.x) < 30 < len(all_of_them.x)
        assert few.x[[0, -1]].tolist() == all_of_them.x[[0, -1]].tolist()
        assert few.y == pytest.approx(all_of_them.y[np.isin(all_of_them.x, few.x)], abs=1e-9)
        assert quick.point.endswith("computing more…")

    @pytest.mark.parametrize("name", ["alibi", "t5", "kerple", "shaw", "fire", "deberta"])
    def test_a_sequence_of_two(self, name):
        part = bias_part(build(name, {}, 64, 2), 0)
        assert part.sentence.endswith(".")
        assert part.x.low < part.x.high
        assert all(np.isfinite(each.x).all() for each in part.series)

    @pytest.mark.parametrize("length", [2, 3, 65, 66, 1_048_576])
    def test_distances(self, length):
        distances = spread(length)
        assert distances[0] == 1
        assert distances[-1] == max(length - 1, 1)
        assert (np.diff(distances) > 0).all()
        assert len(distances) < 320


class TestFormula:
    def at(self, cursor, mode="wavelengths", **changes):
        state = LabState().change({"scheme": "rope", "dimension": 128, **changes})
        snapshot = compute(state, Viewport(shown=SHOWN, spectrum=mode))
        return formula(snapshot, dataclasses.replace(cursor, view="spectrum"))

    def test_a_pair(self):
        text = self.at(Cursor(pair=40), params=LLAMA)
        theta = 500_000.0 ** (-80 / 128)
        assert text.startswith(f"pair 40: θ = {theta:.6g} → {theta / 8:.6g} rad per position (÷ 8), λ = ")
        assert text.endswith("turns in training;  divided")
        turns = 8192 * theta / (2 * math.pi)
        assert f"= {turns:.3g} turns in training" in text

    def test_a_pair_that_stays(self):
        assert self.at(Cursor(pair=0), params=LLAMA).endswith("8,192 / 6.28 = 1,304 turns in training;  kept")
        still = self.at(Cursor(pair=60), params={"extension": "proportional"})
        assert still == "pair 60: θ = 0, does not turn at any position"

    def test_a_length(self):
        text = self.at(Cursor(place=40_000), "base", params=DYNAMIC)
        assert last_number(text) == pytest.approx(build("rope", DYNAMIC, 128, 40_000).effective_base, abs=1)
        assert self.at(Cursor(place=5), "base", params=DYNAMIC).startswith("length 5: base = 10,000 ")

    def test_a_jump(self):
        part = part_of("switch", **LONG)
        text = self.at(Cursor(pair=30), "switch", params=LONG)
        jump = 10 ** line(part).y[29]
        assert f"= {jump:.4f} rad" in text

    def test_a_cell(self):
        part = part_of("cache", **LONG)
        text = self.at(Cursor(query=30, key=12), "cache", params=LONG)
        assert f"with the cached key {part.maps[0][30, 12]:.4f}" in text.replace("−", "-")
        assert f"difference {part.maps[2][30, 12]:.4f}" in text.replace("−", "-")

    def test_a_head_and_a_distance(self):
        assert self.at(Cursor(place=2), scheme="alibi") == (
            "head 2: bias = −0.125 × distance;  exp(−1) at distance 1 / 0.125 = 8"
        )
        assert self.at(Cursor(place=3), scheme="t5", params={"bidirectional": False}) == (
            "distance 3: offset −3 in bucket 3, offset 3 in bucket 0"
        )
        assert self.at(Cursor(place=5), scheme="kerple") == build("kerple", {}, 128, 128).cell_formula(
            127, 122, 0
        ).replace("-", "−")

    @pytest.mark.parametrize("cursor", [Cursor(pair=999), Cursor(query=1, key=99), Cursor()])
    @pytest.mark.parametrize("mode", ["wavelengths", "switch", "cache"])
    def test_where_nothing_is_the_inspected_spot(self, cursor, mode):
        state = LabState().change({"scheme": "rope", "dimension": 128, "params": LONG})
        spot = formula(compute(state), NO_CURSOR)
        assert self.at(cursor, mode, params=LONG) == spot


class TestPane:
    def test_it_is_made_only_while_shown(self):
        state = LabState()
        assert compute(state).part("spectrum") is None
        assert compute(state, Viewport(shown=SHOWN)).part("spectrum").kind == "wavelengths"

    def test_it_is_kept_while_only_the_spot_moves(self):
        viewport = Viewport(shown=SHOWN)
        first = compute(LabState(), viewport)
        moved = compute(LabState(position=40), viewport, previous=first)
        longer = compute(LabState(length=200), viewport, previous=first)
        assert moved.part("spectrum") is first.part("spectrum")
        assert longer.part("spectrum") is not first.part("spectrum")

    def test_the_head_is_another_picture_of_a_bias_only(self):
        viewport = Viewport(shown=SHOWN)
        for name, same in (("alibi", False), ("rope", True)):
            first = compute(LabState(scheme=name), viewport)
            other = compute(LabState(scheme=name, head=3), viewport, previous=first)
            assert (other.part("spectrum") is first.part("spectrum")) is same

    def test_a_mode_that_a_scheme_has_not_got_is_the_first(self):
        part = part_of("base", **LONG)
        assert part.kind == "wavelengths"
        assert part.modes == ("wavelengths", "switch", "cache")
        assert modes_of(build("rope", {**DYNAMIC, "alpha": 50.0}, 64, 128)) == ("wavelengths",)

    def test_arrays_are_locked(self):
        for mode in MODES:
            part = compute(
                LabState().change({"scheme": "rope", "params": LONG}), Viewport(shown=SHOWN, spectrum=mode)
            ).part("spectrum")
            arrays = [array for each in part.series for array in (each.x, each.y)] + [*part.maps, part.positions]
            assert not any(array.flags.writeable for array in arrays)


@given(any_scheme(), st.sampled_from(MODES))
def test_any_scheme_has_a_true_spectrum(scheme, mode):
    check(scheme, mode)


@settings(max_examples=60)
@given(
    st.sampled_from(EXTENSIONS),
    st.sampled_from(MODES),
    st.integers(1, 40),
    st.sampled_from([2, 100, 4096, 1_048_576]),
    st.integers(2, 10_000),
    st.floats(1.0, 1000.0),
)
def test_any_extension_has_a_true_spectrum(extension, mode, pairs, length, trained, factor):
    params = {"extension": extension, "trained_length": trained}
    if extension != "none":
        params["factor"] = factor
    check(build("rope", params, 2 * pairs, length), mode)


def check(scheme, mode):
    state = LabState(scheme=scheme.id, dimension=scheme.dimension, length=scheme.length)
    state.__dict__["built"] = scheme
    part = spectrum_part(state, Viewport(spectrum=mode))
    assert part.sentence.endswith(".")
    for each in part.series:
        assert np.isfinite(each.x).all()
        assert np.isfinite(each.y).all()
        assert part.y.low - 1e-9 <= each.y.min(initial=np.inf)
        assert each.y.max(initial=-np.inf) <= part.y.high + 1e-9
    if part.turning is None:
        return
    turns, after = part.turning.turns, part.turning.after
    shaded = np.zeros(len(after), dtype=bool)
    for first, last in part.shaded:
        shaded[first : last + 1] = True
    assert np.array_equal(shaded, (turns < 1) & (after > 0))
    assert all(readings(part, pair)[0].startswith(f"pair {pair}") for pair in range(len(after)))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dimension", [2, 64, 8192])
@pytest.mark.parametrize("length", [2, 1_048_576])
def test_extremes(name, dimension, length):
    state, error = attempt(LabState().change, {"scheme": name, "dimension": dimension, "length": length})
    if error:  # some schemes need a multiple of 4
        assert (error.field, dimension) == ("dimension", 2)
    else:
        assert spectrum_part(state, Viewport()).sentence.endswith(".")


def test_runs():
    assert runs(np.array([True, False, True, True, False, True])) == ((0, 0), (2, 3), (5, 5))
    assert runs(np.zeros(3, dtype=bool)) == ()


def test_around():
    assert around((3.0, 1.0)) == (1.0, 3.0)
    assert around((2.0,)) == (1.5, 2.5)
