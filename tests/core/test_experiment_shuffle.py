"""The shuffle: figures against an evaluation of the formula in plain numpy, and against the golden numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import sentence
from pe_desktop.core.attention import project
from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import QUICK, build_experiment
from pe_desktop.core.experiments import shuffle
from pe_desktop.core.scheme import build
from tests.core.experiment_states import a_state, changes, matters, run, same_where_keys_agree, states, value
from tests.core.golden import read, worst
from tests.core.strategies import ALL

GOLDEN = read("shuffle_experiment.json")
ROUNDING = 1e-12
ORDER = [3, 0, 4, 1, 2]
BOTH = ("staying", "travelling")


def soft(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def attention(rows, weights):
    """softmax(QK^T / √d) V, shape (n, n) and (n, d)."""
    queries, keys, values = (rows @ weight for weight in weights)
    table = soft(queries @ keys.T / np.sqrt(rows.shape[1]))
    return table, table @ values


def in_numpy(words, encoding, weights, order):
    """The four figures: output and weight change with positions that stay and that travel; words are all different."""
    table, before = attention(words + encoding, weights)
    found = {}
    for name, rows in (("staying", words[order] + encoding), ("travelling", (words + encoding)[order])):
        moved, after = attention(rows, weights)
        found[f"change_{name}"] = np.abs(after - before[order]).max()
        found[f"weight_change_{name}"] = np.abs(moved - table[np.ix_(order, order)]).max()
    return found


def test_the_formula_gives_the_golden_numbers():
    generator = np.random.default_rng(0)
    for width in (8, 64):
        words = generator.standard_normal((5, width))
        weights = [generator.normal(0, 0.5, (width, width)) for _ in range(3)]
        encoding = np.zeros((5, 8)) if width == 8 else build("sinusoidal", {}, 64, 128).encode(range(5))
        found = in_numpy(words, encoding, weights, GOLDEN["permutation"])
        if width == 8:
            assert found["change_staying"] < ROUNDING
            table, outputs = attention(words, weights)
            assert worst(table, GOLDEN["without_encoding"]["attention"]) < ROUNDING
            assert worst(outputs, GOLDEN["without_encoding"]["output"]) < ROUNDING
    golden = GOLDEN["with_encoding"]
    assert found["change_staying"] == pytest.approx(golden["max_abs_difference_positions_stay_with_slots"], abs=1e-12)
    assert found["change_travelling"] < ROUNDING


@pytest.mark.parametrize(("scheme", "order"), [("sinusoidal", ORDER), ("sinusoidal", None), ("none", ORDER)])
def test_figures_are_those_of_the_formula(scheme, order):
    state = a_state("shuffle", scheme, {"order": order} if order else None)
    words = sentence.word_vectors(state.words, 64, 0)
    weights = [project(np.eye(64), 0, 0, which) for which in range(3)]
    encoding = build(scheme, {}, 64, 128).encode(range(5))
    expected = in_numpy(words, encoding, weights, order or [4, 3, 2, 1, 0])
    part = run(state)
    for name, number in expected.items():
        assert value(part, name) == pytest.approx(number, abs=ROUNDING)


def test_figures_of_the_golden_weights(monkeypatch):
    """The experiment itself with the weights and word vectors of the golden file gives its number."""
    generator = np.random.default_rng(0)
    for width in (8, 64):
        words = generator.standard_normal((5, width))
        weights = [generator.normal(0, 0.5, (width, width)) for _ in range(3)]
    spoken = ("The", "dog", "bit", "the", "man")

    def golden_head(scheme, given, positions, **_):
        rows = words[[spoken.index(word) for word in given]] + scheme.encode(positions)
        table, outputs = attention(rows, weights)
        return rows, shuffle.Result(table, table, outputs)

    monkeypatch.setattr(shuffle, "toy_attention", golden_head)
    part = run(a_state("shuffle", params={"order": GOLDEN["permutation"]}))
    golden = GOLDEN["with_encoding"]["max_abs_difference_positions_stay_with_slots"]
    assert value(part, "change_staying") == pytest.approx(golden, abs=ROUNDING)
    assert value(part, "change_travelling") < ROUNDING


def test_plates_are_put_back_so_that_equal_pictures_mean_no_change():
    part = run(a_state("shuffle", params={"order": ORDER}))
    before, staying, travelling = part.plates
    assert [plate.title for plate in part.plates] == [
        "Before",
        "Stay with slots",
        "Travel with words",
    ]
    words = ("The", "dog", "bit", "the", "man")
    for plate in part.plates:
        assert (plate.row_labels, plate.column_labels) == (words, words)
        assert (plate.low, plate.high) == (before.low, before.high)
        assert plate.values.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-6)
    assert travelling.values == pytest.approx(before.values, abs=1e-7)
    change = value(part, "weight_change_staying")
    assert np.abs(staying.values - before.values).max() == pytest.approx(change, abs=1e-6)
    assert change > 0.1
    assert (staying.note, travelling.note) == ("back in order", "back in order")
    assert part.sentence.endswith("none if they travel: attention is permutation-equivariant.")


@given(states("shuffle", st.fixed_dictionaries({"order": st.permutations(range(5)).map(list)})))
@settings(max_examples=60)
def test_positions_that_travel_change_nothing_without_a_mask(state):
    part = run(state)
    if part.kind == "text":
        assert len(state.words_that_count) < 2
        return
    scores = max(1.0, state.length if state.scheme == "integer" else 1.0) ** 2
    if state.causal:
        assert value(part, "change_travelling") >= 0
    else:
        assert value(part, "change_travelling") < 1e-11 * scores
        assert "even if they travel" not in part.sentence


@pytest.mark.parametrize("scheme", ALL)
def test_with_the_mask_even_travelling_matters(scheme):
    part = run(a_state("shuffle", scheme, {"order": ORDER}, causal=True))
    assert value(part, "change_travelling") > 0.01
    assert "mask goes by slot" in part.sentence


@pytest.mark.parametrize("scheme", [name for name in ALL if name != "none"])
def test_every_scheme_but_none_tells_orders_apart(scheme):
    part = run(a_state("shuffle", scheme, {"order": ORDER}))
    assert value(part, "change_staying") > 1e-3
    assert part.sentence.startswith(f"Outputs move by up to {value(part, 'change_staying'):.3f} if positions stay")
    assert "permutation-equivariant" in part.sentence


def test_without_positions_nothing_changes():
    part = run(a_state("shuffle", "none", {"order": ORDER}))
    assert all(value(part, f"{kind}change_{name}") < ROUNDING for kind in ("", "weight_") for name in BOTH)
    assert [figure.text for figure in part.figures] == ["0.000"] * 4
    assert part.sentence.startswith("No output moves, neither way: without positions")


def test_read_backwards_every_distance_is_kept():
    backwards = run(a_state("shuffle", "alibi"))
    assert value(backwards, "change_staying") < ROUNDING
    assert "as far apart as before" in backwards.sentence
    assert value(run(a_state("shuffle", "alibi", {"order": ORDER})), "change_staying") > 0.01


def test_a_sentence_that_reads_the_same_backwards():
    part = run(a_state("shuffle", sentence="dog bites dog"))
    assert part.sentence.startswith("The words read the same in this order.")
    assert [value(part, f"change_{name}") for name in BOTH] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("order", "missing"), [([0, 0, 1], 2), ([1, 2, 3], 0), ([5], 0), ([0, 2], 1), ("1 2 3", 0), ([0, 1, 511], 2)]
)
def test_what_is_no_order_is_refused_in_a_sentence(order, missing):
    with pytest.raises(FieldError) as refused:
        a_state("shuffle", params={"order": order})
    assert refused.value.field == "order"
    count = len(order) if isinstance(order, list) else 3
    have = f"Order has {count} numbers but no {missing}; " if count > 1 else "Order is 5 alone; "
    expected = "it must hold the number of every word, counted from 0, once, such as 3, 0, 4, 1, 2."
    assert refused.value.message == have + expected
    state = a_state("shuffle", params={"order": ORDER})
    assert state.change(refused.value.fixes[0].changes).built_experiment.order is None


def test_an_order_for_another_number_of_words():
    fewer = run(a_state("shuffle", params={"order": [1, 0]}))
    assert "The order names 2 of the 5 words; the last 3 stay in place." in fewer.sentence
    same = run(a_state("shuffle", params={"order": [1, 0, 2, 3, 4]}))
    assert fewer.figures == same.figures
    one = run(a_state("shuffle", params={"order": [1, 0, 2, 3]}))
    assert "the last one stays in place" in one.sentence
    more = run(a_state("shuffle", params={"order": [6, 1, 0, 5, 2, 3, 4]}))
    assert "The order names 7 words; the numbers past 4 are left out." in more.sentence
    assert more.figures == same.figures
    assert "order names" not in same.sentence


@pytest.mark.parametrize(
    ("fields", "start"),
    [
        ({"sentence": ""}, "Two words are needed to shuffle, and the sentence has no words"),
        ({"sentence": "alone"}, "Two words are needed to shuffle, and the sentence has one word"),
    ],
)
def test_too_few_words_are_refused(fields, start):
    part = run(a_state("shuffle", **fields))
    assert part.kind == "text"
    assert part.sentence.startswith(start)


def test_a_table_of_one_row_leaves_one_word():
    state = a_state("shuffle", "learned").change({"params": {"trained_length": 1}})
    assert run(state).sentence == "Two words are needed to shuffle, and the table of Learned has 1 row: lengthen it."


def test_more_words_than_take_part():
    many = " ".join(f"w{number}" for number in range(600))
    state = a_state("shuffle", dimension=8, length=4000, sentence=many)
    part = run(state)
    assert part.plates[0].values.shape == (512, 512)
    assert part.sentence.endswith("Only the first 512 words take part.")
    assert state.built_experiment.cost(state) > QUICK
    few = run(a_state("shuffle", dimension=8, length=3, sentence=many))
    assert few.sentence.endswith("Words past the end of the sequence (3 positions) take no part.")


def test_a_million_positions_and_the_widest_vectors():
    state = a_state("shuffle", "integer", dimension=8192, length=1_048_576, sentence="a b c")
    part = run(state)
    assert value(part, "change_travelling") < 1e-6
    assert "none if they travel" in part.sentence


def test_a_quick_sentence_is_worked_out_at_once():
    state = a_state("shuffle")
    assert state.built_experiment.cost(state) <= QUICK
    assert build_experiment("shuffle", {}).parameters()[0].derived == "the words from last to first"


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 3},
        {"head": 1},
        {"causal": True},
        {"sentence": "The man bit a dog"},
        {"scheme": "rope"},
        {"dimension": 32},
        {"length": 3},
        {"experiment_params": {"order": [1, 0, 2, 3, 4]}},
    ],
)
def test_a_change_that_matters_gives_another_outcome(change):
    matters(a_state("shuffle"), change)


@given(states("shuffle"), changes())
@settings(max_examples=60)
def test_what_matters_is_in_the_key(state, change):
    same_where_keys_agree(state, change)
