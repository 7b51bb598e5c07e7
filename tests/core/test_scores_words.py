"""What is said about the scores: sentences, the pixel text and the formula strip."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.formula import formula
from pe_desktop.core.numerals import short
from pe_desktop.core.part_scores import scores_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.score_window import (
    score_at,
)
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST

START = LabState()
SHOWN = frozenset({"scores"})


class TestWords:
    @settings(max_examples=60)
    @given(st.sampled_from(ALL), st.integers(2, 300), st.data())
    def test_the_sentence_tells_the_score_and_what_it_says_of_others_is_true(self, name, length, data):
        m, n = data.draw(st.integers(0, length - 1)), data.draw(st.integers(0, length - 1))
        state = START.change({"scheme": name, "length": length, "position": m, "key_position": n, "head": 3})
        scheme, part = state.built, scores_part(state, Viewport(scores=(4, 4)))
        value = score_at(scheme, m, n, 3)
        if name == "none" or value is None:
            assert "nothing is added" in part.sentence or "no score" in part.sentence
            return
        assert re.search(
            rf"{m:,}.*{n:,}.*{re.escape(short(value))}|{re.escape(short(value))}.*{m:,}.*{n:,}", part.sentence
        )
        shifts = np.unique(np.linspace(-min(m, n), length - 1 - max(m, n), 12).round()).astype(int)
        others = [score_at(scheme, m + int(shift), n + int(shift), 3) for shift in shifts]
        spread = max(abs(each - value) for each in others if each is not None)
        if "it depends on the gap (" in part.sentence:
            assert spread <= 1e-5 * part.scale
        if "the same gap" in part.sentence:
            assert spread > 1e-7 * part.scale

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({}, "PE(12)·PE(20) = 22.414; it depends on the gap (−8) alone."),
            ({"scheme": "rope"}, "Query 12, key 20: 0.700 of the score at gap 0; it depends on the gap (−8) alone."),
            ({"scheme": "integer"}, "PE(12)·PE(20) = 15,360, but 967,232 at 119 and 127, the same gap."),
            ({"scheme": "alibi", "head": 3}, "Head 3 adds −0.500 at query 12, key 20; it depends on the gap (−8)"),
            ({"scheme": "none"}, "Flat: nothing is added, so position adds 0 to every score."),
            (
                {"scheme": "none", "params": {"temperature": "llama4", "temperature_length": 8}},
                "adds 0 to every score. The query temperature still multiplies all scores of a query.",
            ),
            ({"scheme": "xpos"}, "Key 20 comes after query 12 and has no score. xPos is for causal attention"),
            ({"dimension": 65}, "PE(12)·PE(20) = 22.280, but 2.0·10⁻⁴ more at 119 and 127, the same gap."),
            ({"length": 2, "position": 1, "key_position": 1}, "PE(1)·PE(1) = 32.000."),
        ],
    )
    def test_sentences(self, changes, said):
        assert said in scores_part(START.change(changes), Viewport()).sentence

    def test_a_blank_picture_says_why(self):
        state = START.change({"length": LAST + 1, "dimension": 4})
        assert scores_part(state, Viewport()).sentence.endswith(
            "Each cell averages over whole waves and is near 0: zoom in."
        )
        wide = scores_part(state.change({"dimension": 512}), Viewport())
        assert wide.sentence.endswith(
            "Away from the diagonal each cell averages over whole waves and is near 0: zoom in."
        )
        assert "zoom in" not in scores_part(state, Viewport(score_rows=(0, 500), score_columns=(0, 500))).sentence

    def test_blocks_are_told(self):
        assert scores_part(START, Viewport()).pixel == "each cell is 1 query × 1 key"
        part = scores_part(START, Viewport(scores=(64, 1)))
        assert part.pixel == "mean of 2 queries × 128 keys"
        cut = scores_part(START, Viewport(scores=(40, 30), score_rows=(0, 96), score_columns=(0, 93)))
        assert cut.pixel == "mean of 2.4 queries × 3.1 keys"


def hovered(state, query, key, viewport=None):
    snapshot = compute(state, viewport or Viewport(shown=SHOWN))
    return formula(snapshot, Cursor(view="scores", position=query, column=key))


class TestFormula:
    @settings(max_examples=60)
    @given(st.sampled_from([name for name in ALL if name != "none"]), st.integers(0, 127), st.integers(0, 127))
    def test_it_ends_with_the_score(self, name, query, key):
        state = START.change({"scheme": name, "head": 1})
        value = score_at(state.built, query, key, 1)
        text = hovered(state, query, key)
        if value is None:
            assert "no score" in text
        elif isinstance(state.built, Additive | Rotary):
            assert float(text.rsplit("= ", 1)[1].replace("−", "-")) == pytest.approx(value, rel=1e-5, abs=1e-12)
        else:
            assert text.replace("-", "−") == state.built.cell_formula(query, key, 1).replace("-", "−")

    def test_examples(self):
        assert hovered(START, 60, 30) == "PE(60)·PE(30) = Σ of 32 cos(30 × θ) = 17.0715"
        rope = START.change({"scheme": "rope", "params": {"rotary_dimension": 16}})
        assert hovered(rope, 5, 3) == "score(5, 3) / score at gap 0 = (2 Σ of 8 cos(2 × θ) + 48) / 64 = 0.949009"
        warm = START.change({"scheme": "rope", "params": {"temperature": "llama4", "temperature_length": 16}})
        assert " × 1.208 (query temperature) = " in hovered(warm, 126, 127)
        assert hovered(START.change({"causal": True}), 3, 5).endswith("(masked: the key comes after the query)")
        assert "masked" not in hovered(START.change({"causal": True}), 5, 5)
        assert hovered(START.change({"scheme": "none"}), 3, 5).endswith("position adds 0 to the score")

    def test_a_mean_is_told_from_its_cell(self):
        text = hovered(START, 3, 5, Viewport(shown=SHOWN, scores=(64, 32)))
        assert text.endswith("   (1 of 2 × 4 pairs averaged here)")
        cut = Viewport(shown=SHOWN, scores=(40, 30), score_rows=(0, 96), score_columns=(0, 93))
        assert hovered(START, 3, 5, cut).endswith("   (1 of 2.4 × 3.1 pairs averaged here)")

    def test_a_position_without_vector(self):
        state = START.change({"scheme": "learned", "length": 700})
        assert hovered(state, 3, 600).endswith("no score, position 600 has no vector")
