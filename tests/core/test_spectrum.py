"""The spectrum: wavelengths against the lengths, what an extension did, bases, switches, stale keys, and biases."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.extension import BLENDED, DIVIDED, KEPT
from pe_desktop.core.formula import formula
from pe_desktop.core.part_spectrum import modes_of, spectrum_part, turning_of
from pe_desktop.core.parts import NO_CURSOR, Cursor, Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.snapshot import compute
from pe_desktop.core.spectrum_chart import Turning, around, runs
from pe_desktop.core.spectrum_words import readings, turning_sentence
from pe_desktop.core.state import LabState
from tests.core.golden import read
from tests.core.spectra import DYNAMIC, LONG, SHOWN, line, part_of
from tests.core.strategies import ALL, any_scheme, attempt

LLAMA = {"extension": "llama3", "factor": 8.0, "base": 500_000.0, "trained_length": 131_072, "original_length": 8192}
EXTENSIONS = ("none", "linear", "ntk", "dynamic", "yarn", "longrope", "llama3", "proportional")
MODES = ("wavelengths", "base", "switch", "cache")


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
