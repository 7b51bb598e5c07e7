"""A growing sequence: bases that follow it, the switch of lists, and keys cached before."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.part_spectrum import spectrum_is_quick, spectrum_part
from pe_desktop.core.parts import Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.spectrum_lengths import across, base_at, stale_scores
from pe_desktop.core.state import LabState
from tests.core.spectra import DYNAMIC, LONG, SHOWN, line, part_of


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
