"""Sentences and lights that once were false or misleading in some corner; each stays true for its whole kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.formula import formula, pair_of
from pe_desktop.core.part_matrix import cell_count
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.properties import bounded, hands, rotation_residual
from pe_desktop.core.scheme import build
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState

START = LabState()


def shown(**changes):
    return compute(START.change(changes), Viewport(matrix=(360, 480), curve=480))


@settings(max_examples=25)
@given(st.integers(1, 3000), st.integers(2, 24), st.integers(0, 9), st.integers(2, 5000))
def test_a_table_is_bounded_by_its_own_largest_value(rows, dimension, seed, length):
    scheme = build("learned", {"trained_length": rows, "seed": seed}, dimension, length)
    light = bounded(scheme)
    assert light.holds is True
    assert light.number == f"{np.abs(scheme.encode(range(rows))).max():.3f}"


@pytest.mark.parametrize(("rows", "said"), [(1, "the table has 1 row"), (2, "the table has 2 rows")])
def test_a_table_of_one_row_has_no_rows(rows, said):
    changes = {"scheme": "learned", "params": {"trained_length": rows}, "position": 5, "key_position": 9}
    made = shown(**changes)
    scheme = START.change(changes).built
    cells = [Cursor(view=view, position=5, column=3, query=5, key=9) for view in ("matrix", "similarity", "scores")]
    with pytest.raises(FieldError) as refused:
        scheme.rows(0, 3)
    texts = [made.similarity.sentence, scheme.notes()[0], scheme.notes()[1], str(refused.value), scheme.describe(5, 0)]
    texts += [formula(made, cell) for cell in cells]
    assert sum(said.removeprefix("the ") in text for text in texts) >= 5
    assert any(f"{rows} rows" in text for text in texts) == (rows > 1)


@settings(max_examples=25)
@given(st.integers(30, 600), st.integers(2, 16), st.integers(1, 20))
def test_the_residual_of_a_table_is_that_of_all_its_rows(rows, dimension, gap):
    scheme = build("learned", {"trained_length": rows}, dimension, rows)
    every = hands(scheme, np.arange(rows, dtype=float))
    before, after = every[:-gap], every[gap:]
    turn = (after * before.conj()).sum(axis=0)
    worst = np.abs(after - turn / np.abs(turn) * before).max()
    assert rotation_residual(scheme, gap) == pytest.approx(worst, rel=1e-12)


def test_an_odd_dimension_speaks_of_paired_columns_only():
    assert "the paired columns of any row p" in shown(dimension=7).rotation.sentence
    assert "takes any row p" in shown(dimension=8).rotation.sentence


def test_the_light_names_the_product_it_judges():
    for scheme in ("integer", "normalized", "sinusoidal", "learned"):
        relative = shown(scheme=scheme).readouts.properties[3]
        assert relative.name == "relative"
        assert "the product row·row" in relative.evidence
        assert "similarity" not in relative.evidence


@pytest.mark.parametrize(
    "changes",
    [
        {"sentence": " ".join(f"w{i}" for i in range(500))},
        {"scheme": "learned", "params": {"trained_length": 3}},
        {"length": 3},
    ],
)
def test_the_swap_nobody_chose_is_one_that_can_be_made(changes):
    part = shown(swap=True, **changes).attention
    assert part.swapped is not None
    assert max(part.swapped) < len(part.tokens_a)
    assert part.input_gap > 0


def test_a_bias_is_said_to_be_shown_before_the_mask():
    masked, open_ = shown(scheme="alibi", causal=True), shown(scheme="alibi")
    assert masked.matrix.sentence.endswith("Shown before the causal mask.")
    assert "before the causal mask" in masked.similarity.sentence
    assert "mask" not in open_.matrix.sentence + open_.similarity.sentence


@pytest.mark.parametrize("seed", range(6))
def test_the_strongest_link_under_a_mask_is_one_that_had_a_choice(seed):
    part = shown(causal=True, seed=seed).attention
    query, key = np.unravel_index(np.argmax(part.weights_a[1:]), part.weights_a[1:].shape)
    assert f"“{part.tokens_a[query + 1]}” attends to “{part.tokens_a[key]}”" in part.sentence


def test_a_turn_keeps_its_sign_and_its_degrees():
    text = formula(shown(scheme="rope"), Cursor(view="rotation", pair=11))
    angle = (12 - 20) * 10000.0 ** (-22 / 64)
    assert f"{angle:.4f} rad".replace("-", "−") in text
    assert text.endswith(f"= {np.degrees(angle):.1f}°".replace("-", "−"))
    assert "-" not in text


def test_a_curve_that_comes_back_does_not_fall():
    assert "is back at 0.99 at a gap of 25" in shown(dimension=2).similarity.sentence
    assert "falls to 0.63 at a gap of 25" in shown().similarity.sentence


def test_the_formula_of_a_cell_in_a_mean_says_so():
    cursor = Cursor(view="matrix", position=640_796, column=29)
    part = shown(length=1 << 20, dimension=1024)
    text = formula(part, cursor)
    steps = (cell_count(each.step) for each in (part.matrix.rows, part.matrix.columns))
    assert f"1 of the {' × '.join(steps)} cells" in text
    assert "cells" not in formula(shown(), Cursor(view="matrix", position=3, column=2))


def test_a_blank_picture_says_why_whatever_the_spot():
    for spot in (0, 500_000):
        blank = shown(length=1 << 20, dimension=2, position=spot)
        assert np.abs(blank.matrix.values).max() < 0.05
        assert "averages over whole waves" in blank.matrix.sentence
    moved = compute(START.change({"length": 1 << 20, "dimension": 2, "position": 7}), previous=blank)
    assert "averages over whole waves" in moved.matrix.sentence
    assert "averages" not in shown(length=1 << 20).matrix.sentence


def test_an_attention_weight_is_shown_with_its_score():
    part = shown(scheme="rope")
    scores = part.attention.scores_a.astype(float)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.allclose(weights, part.attention.weights_a, atol=1e-5)
    text = formula(part, Cursor(view="attention", query=1, key=4))
    assert f"= {scores[1, 4]:.3f};".replace("-", "−") in text
    assert text.endswith(f"= {part.attention.weights_a[1, 4]:.4f}")


@pytest.mark.parametrize(
    ("name", "params", "dimension", "pairs"),
    [
        ("sinusoidal", {}, 6, [0, 0, 1, 1, 2, 2]),
        ("sinusoidal", {"layout": "concatenated"}, 6, [0, 1, 2, 0, 1, 2]),
        ("sinusoidal", {}, 5, [0, 0, 1, 1, None]),
        ("rope", {}, 6, [0, 1, 2, 0, 1, 2]),
        ("rope", {"layout": "interleaved"}, 6, [0, 0, 1, 1, 2, 2]),
        ("alibi", {}, 4, [None] * 4),
        ("none", {}, 4, [None] * 4),
    ],
)
def test_the_dial_of_a_column(name, params, dimension, pairs):
    scheme = build(name, params, dimension, 16)
    assert [pair_of(scheme, column) for column in range(dimension)] == pairs


def test_a_query_temperature_is_no_mask():
    """It alone tells the two orders apart where its factor changes within the sentence."""
    changes = {"scheme": "none", "swap": True, "params": {"temperature": "llama4", "temperature_length": 1}}
    found = shown(**changes)
    assert "the query temperature depends on the position" in found.attention.sentence
    assert found.attention.output_gap > 0.01
    assert found.rotation.sentence == "Nothing rotates: the query at 12 is only multiplied by 1.2639."
    assert found.matrix.sentence.endswith("The query temperature multiplies the query at position 127 by 1.4860.")
    text = formula(found, Cursor(view="attention", query=3, key=1))
    assert "q·k / √64 × 1.161 = " in text
    slow = shown(scheme="none", swap=True, params={"temperature": "llama4"})
    assert "only permutes rows" in slow.attention.sentence


@pytest.mark.parametrize(
    ("changes", "score"),
    [
        ({"scheme": "t5"}, "q·k + bias"),
        ({"scheme": "alibi"}, "q·k / √64 + bias"),
        ({"scheme": "deberta"}, "q·k / √(3 × 64) + bias"),
        ({"scheme": "deberta", "params": {"terms": "c2p"}}, "q·k / √(2 × 64) + bias"),
    ],
)
def test_a_score_is_written_as_it_is_scaled(changes, score):
    assert f": {score} = " in formula(shown(**changes), Cursor(view="attention", query=1, key=0))


def test_samples_are_not_called_means():
    whole = {"scheme": "fire", "length": 1 << 20}
    assert shown(**whole).matrix.pixel == "each cell is sampled: 16 or more of 2,913 queries × 2,185 keys"
    quick = compute(START.change(whole), full=False).matrix
    assert not quick.exact
    assert quick.pixel.endswith("; more samples follow…")
    far = {"scheme": "t5", "params": {"max_distance": 1 << 20}}
    quick = compute(START.change(whole | far), full=False).matrix
    assert "is the middle one of" in quick.pixel
    assert quick.pixel.endswith("; exact means follow…")
    assert not quick.exact
    assert "mean of 2,913 queries × 2,185 keys" in shown(**(whole | far)).matrix.pixel
    quick = compute(START.change(whole | {"scheme": "kerple"}), full=False).matrix
    assert quick.pixel == "mean of 5,826 queries × 4,370 keys"
    assert not quick.exact
    assert "zoom in" in shown(**(whole | {"scheme": "transformer_xl", "dimension": 2})).matrix.sentence


def test_words_that_cannot_be_seen_are_no_words():
    assert START.change({"sentence": "a \u200b \u200d b\u200d"}).words == ("a", "b\u200d")


def test_no_sentence_counts_one_as_many():
    assert "1 carries no position" in shown(scheme="rope", dimension=3, params={"rotary_dimension": 2}).matrix.sentence
    assert "1 positions" not in shown(length=2).similarity.sentence
    assert "beyond" not in shown(scheme="normalized", length=1 << 20).matrix.sentence
    assert "2,097,152" not in shown(scheme="normalized", length=1 << 20).matrix.sentence


@pytest.mark.parametrize("scheme", ["integer", "normalized"])
@pytest.mark.parametrize("length", [128, 1 << 20])
@pytest.mark.parametrize("spot", [1, 2, 12, 100])
def test_rows_on_one_line_have_no_peak_but_a_zero(scheme, length, spot):
    sentence = shown(scheme=scheme, length=length, position=spot).similarity.sentence
    assert sentence.startswith("Every row but row 0 (all zeros) points the same way")


@settings(max_examples=40)
@given(st.integers(0, 255), st.integers(2, 256))
def test_the_range_of_a_tables_curve_leaves_out_the_spot_alone(spot, length):
    spot = min(spot, length - 1)
    sentence = shown(scheme="learned", length=length, position=spot).similarity.sentence
    rows = build("learned", {}, 64, length).encode(range(length))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    others = np.delete(rows @ rows[spot], spot)
    low, high = (f"{value:.2f}".replace("-", "−") for value in (others.min(), others.max()))
    assert sentence.endswith(f"between {low} and {high}.")


def test_only_waves_average_away():
    for dimension in (64, 8192):
        assert "waves" not in shown(scheme="learned", length=1 << 20, dimension=dimension).matrix.sentence
    assert "waves" in shown(scheme="rope", length=1 << 20, dimension=2).matrix.sentence


def test_row_zero_of_position_over_length_stays():
    for length in (128, 1 << 20):
        sentence = shown(scheme="normalized", length=length, position=0).matrix.sentence
        assert "at any length" in sentence
        assert "smaller" not in sentence


def test_a_curve_that_has_not_fallen_does_not_fall():
    partial = {"rotary_dimension": 2}
    assert "is back at 1.00 at a gap of 25" in shown(scheme="rope", params=partial).similarity.sentence
    assert "is still 1.00 at a gap of 25" in shown(scheme="rope", dimension=512, params=partial).similarity.sentence
