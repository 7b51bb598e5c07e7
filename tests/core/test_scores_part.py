"""The part of the scores: its picture in full or coarser, when a frame holds it, and what it does not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.part_scores import COARSER, scores_are_quick, scores_part, scores_window
from pe_desktop.core.parts import Viewport
from pe_desktop.core.sampling import bias_picture
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import score_means, shows_scale
from pe_desktop.core.snapshot import compute, is_cheap
from pe_desktop.core.state import LabState
from tests.core.score_cases import brute_force
from tests.core.strategies import ALL, LAST, alibis

START = LabState()
SHOWN = frozenset({"scores"})


@pytest.mark.parametrize("name", ALL)
def test_the_part_holds_the_means_in_single_precision(name):
    state = START.change({"scheme": name, "length": 300, "head": 2})
    viewport = Viewport(score_rows=(20, 250), score_columns=(3, 280), scores=(40, 70), shown=SHOWN)
    part = compute(state, viewport).part("scores")
    if name == "none":
        assert (part.kind, part.values.size) == ("nothing", 0)
        return
    scheme = state.built
    assert part.values.dtype == np.float32
    assert part.values.flags.c_contiguous
    assert not part.values.flags.writeable
    rows, columns = part.rows, part.columns
    if isinstance(scheme, ScoreBias):
        expected = bias_picture(scheme, scores_window(state, viewport), 2, False).values
    else:
        expected = np.nan_to_num(brute_force(scheme, rows, columns))
    assert part.values.shape == (40, 70)
    assert np.abs(part.values - expected).max() <= 1e-5 * part.scale
    assert (rows.start, columns.start) == (20.0, 3.0)
    assert rows.end >= 250.0
    assert columns.end >= 280.0


@settings(max_examples=20)
@given(alibis(), st.data())
def test_a_bias_is_a_picture_of_itself(scheme, data):
    state = START.change({"scheme": "alibi", "length": scheme.length, "params": scheme.effective()})
    head = data.draw(st.integers(0, scheme.heads - 1))
    part = scores_part(state.change({"head": head}), Viewport(scores=(2 * scheme.length, 2 * scheme.length)))
    every = range(scheme.length)
    assert np.abs(part.values - state.built.bias(every, every)[head]).max() <= 1e-6 * part.scale
    assert part.is_matrix


class TestParts:
    def test_a_hidden_pane_is_not_made(self):
        assert compute(START).part("scores") is None
        assert compute(START, Viewport(shown=SHOWN, scores=(0, 0))).part("scores").values.size == 0

    @pytest.mark.parametrize("name", ALL)
    def test_moved_query_and_key_keep_the_picture(self, name):
        viewport = Viewport(shown=SHOWN)
        first = compute(START.change({"scheme": name}), viewport)
        second = compute(first.state.change({"position": 30, "key_position": 3}), viewport, previous=first)
        before, after = first.part("scores"), second.part("scores")
        assert after is not before
        assert after.values is before.values
        assert (after.spot_row, after.key_column) == (30, 3)

    @pytest.mark.parametrize("changes", [{"swap": True}, {"sentence": "a b"}, {"seed": 3}, {"head": 2}])
    def test_what_it_does_not_depend_on_leaves_it_alone(self, changes):
        viewport = Viewport(shown=SHOWN)
        first = compute(START, viewport)
        assert compute(START.change(changes), viewport, previous=first).part("scores") is first.part("scores")

    def test_two_schemes_in_turn_keep_their_pictures(self):
        states = [START.change({"scheme": name, "length": 999}) for name in ("rope", "sinusoidal")]
        first = [scores_part(state, Viewport()).values for state in states]
        assert all(scores_part(state, Viewport()).values is each for state, each in zip(states, first, strict=True))

    def test_the_mask_is_told(self):
        assert scores_part(START, Viewport()).upper == ""
        part = scores_part(START.change({"causal": True}), Viewport())
        assert part.upper == "masked"
        assert part.sentence.endswith("Later keys are masked.")
        assert scores_part(START.change({"scheme": "xpos"}), Viewport()).upper == "masked"

    def test_rows_and_columns_past_the_table(self):
        state = START.change({"scheme": "learned", "length": 700, "position": 600, "params": {"trained_length": 300}})
        part = scores_part(state, Viewport(scores=(700, 700)))
        assert part.defined_rows == 300
        assert np.abs(part.values[:300, :300]).max(axis=0).min() > 0
        assert not part.values[300:].any()
        assert not part.values[:, 300:].any()
        assert part.sentence == "Position 600 has no vector, so no score: the table has 300 rows."

    @pytest.mark.parametrize("name", ALL)
    @pytest.mark.parametrize("dimension", [2, 64, 8192])
    @pytest.mark.parametrize("length", [2, 3, LAST + 1])
    def test_extremes(self, name, dimension, length):
        try:
            state = START.change({"scheme": name, "dimension": dimension, "length": length})
        except FieldError:  # a scheme that needs more dimensions than 2
            assert dimension == 2
            return
        viewport = Viewport(scores=(60, 80), shown=SHOWN)
        part = scores_part(state, viewport, scores_are_quick(state, viewport))
        assert np.isfinite(part.values).all()
        assert part.scale > 0
        assert part.sentence.endswith((".", "zoom in."))


class TestQuick:
    WIDE = START.change({"scheme": "mrope", "length": LAST + 1, "dimension": 8192})
    VIEWPORT = Viewport(shown=SHOWN)

    def test_a_coarser_picture_of_exact_means(self):
        assert not scores_are_quick(self.WIDE, self.VIEWPORT)
        quick, full = (scores_part(self.WIDE, self.VIEWPORT, whole) for whole in (False, True))
        assert (quick.exact, full.exact) == (False, True)
        assert COARSER[0] * 0.9 * full.rows.step < quick.rows.step <= 1.1 * COARSER[-1] * full.rows.step
        means = score_means(self.WIDE.built, quick.rows, quick.columns)
        assert np.abs(quick.values - means).max() <= 1e-5 * quick.scale
        assert scores_are_quick(self.WIDE, self.VIEWPORT)  # now that it is known

    @pytest.mark.parametrize("name", [name for name in ALL if name != "none"])
    @pytest.mark.parametrize("rows", [None, (3e5, 301_000.5), (9e5, 9e5 + 4000)])
    @pytest.mark.parametrize("columns", [None, (3e5, 301_100.5)])
    def test_no_pane_stays_blank(self, name, rows, columns):
        """Whatever the window, some picture fits a frame."""
        state = START.change({"scheme": name, "length": LAST + 1, "dimension": 8192})
        viewport = Viewport(shown=SHOWN, score_rows=rows, score_columns=columns)
        assert scores_part(state, viewport, False).values.size > 0

    @pytest.mark.parametrize("name", ["integer", "normalized", "sinusoidal", "rope"])
    def test_what_depends_on_the_gap_is_drawn_in_full_at_once(self, name):
        state = START.change({"scheme": name, "length": LAST + 1, "dimension": 8192})
        viewport = Viewport(shown=SHOWN, scores=(300, 330))
        assert scores_are_quick(state, viewport)
        near = Viewport(shown=SHOWN, scores=(300, 330), score_rows=(3e5, 301e3), score_columns=(3e5, 301.1e3))
        assert scores_are_quick(state.change({"dimension": 8190}), near)

    def test_of_a_table_that_no_frame_can_draw_a_few_pairs_are_shown(self):
        state = START.change({"scheme": "learned", "dimension": 8192, "length": 5000})
        state = state.change({"params": {"trained_length": 4000}})
        part = scores_part(state, Viewport(shown=SHOWN, score_rows=(70, 5000)), False)
        assert not part.exact
        assert part.pixel == "each cell is 1 pair of 128 queries × 128 keys; exact means follow…"
        queries, keys = part.rows.starts, part.columns.starts
        some = queries[queries < 4000], keys[keys < 4000]
        expected = state.built.encode(some[0]) @ state.built.encode(some[1]).T
        assert min(expected.shape) > 10
        assert np.abs(part.values[: len(some[0]), : len(some[1])] - expected).max() <= 1e-5 * part.scale
        assert not part.values[len(some[0]) :].any()
        assert not part.values[:, len(some[1]) :].any()

    def test_a_query_temperature_that_no_frame_can_follow_is_left_out_meanwhile(self):
        state = START.change({"scheme": "rope", "length": LAST + 1, "dimension": 8192})
        warm = state.change({"params": {"temperature": "llama4", "temperature_length": 24}})
        viewport = Viewport(shown=SHOWN, scores=(300, 330))
        part = scores_part(warm, viewport, False)
        assert not part.exact
        assert "before the query temperature" in part.sentence
        assert np.array_equal(part.values, score_means(state.built, part.rows, part.columns).astype(np.float32))
        milder = state.change({"params": {"temperature": "llama4"}})
        assert "before" not in scores_part(milder, viewport, False).sentence

    def test_a_shown_pane_decides_what_is_cheap(self):
        state = START.change({"scheme": "rope", "length": LAST + 1, "dimension": 64})
        state = state.change({"params": {"temperature": "llama4"}})
        other = Viewport(curve=4, rows=(0, 5), matrix=(4, 4))
        assert is_cheap(START, self.VIEWPORT)
        assert scores_are_quick(state, self.VIEWPORT)
        assert not scores_are_quick(state.change({"dimension": 8192}), other)

    def test_a_temperature_too_restless_for_blocks_is_left_out_and_said_to_be(self):
        params = {"temperature": "llama4", "temperature_length": 1, "temperature_strength": 1.0}
        state = START.change({"scheme": "rope", "length": LAST + 1, "params": params})
        viewport = Viewport(scores=(20, 30))
        part = scores_part(state, viewport)
        assert not shows_scale(state.built, part.rows, part.columns)
        assert "before the query temperature" in part.sentence
        calm = START.change({"scheme": "rope", "length": LAST + 1})
        assert np.array_equal(part.values, scores_part(calm, viewport).values)
        near = scores_part(state, Viewport(scores=(20, 30), score_rows=(0, 500), score_columns=(0, 500)))
        assert "before the query temperature" not in near.sentence
