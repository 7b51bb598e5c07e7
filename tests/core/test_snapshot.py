"""One entry from a state to everything on screen; parts are kept while nothing they rest on has changed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.formula import formula
from pe_desktop.core.part_matrix import cell_count
from pe_desktop.core.parts import NO_CURSOR, Viewport
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.snapshot import compute, is_cheap
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, LAST, MULTIPLES, fitting
from tests.core.windows import shares

START = LabState()
PARTS = ("matrix", "similarity", "rotation", "attention", "readouts")


def kept(before, after):
    """Names of the parts that are the same objects."""
    return {name for name in PARTS if getattr(before, name) is getattr(after, name)}


def step(changes, start=START, viewport=None):
    first = compute(start)
    return first, compute(start.change(changes), viewport, previous=first)


def test_nothing_changed():
    first, second = step({})
    assert kept(first, second) == set(PARTS)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"position": 13}, {"attention"}),
        ({"key_position": 30}, {"matrix", "similarity", "attention"}),
        ({"head": 3}, {"matrix", "similarity", "rotation"}),
        ({"seed": 3}, {"matrix", "similarity", "rotation"}),
        ({"causal": True}, {"matrix", "similarity", "rotation"}),
        ({"sentence": "other words"}, {"matrix", "similarity", "rotation"}),
        ({"swap": True}, {"matrix", "similarity", "rotation"}),
        ({"dimension": 66}, set()),
        ({"params": {"base": 500}}, set()),
        ({"scheme": "rope"}, set()),
    ],
)
def test_what_is_kept(changes, expected):
    assert kept(*step(changes)) == expected


@pytest.mark.parametrize("name", ALL)
def test_a_moved_spot_keeps_the_picture(name):
    first, second = step({"position": 77}, START.change({"scheme": name}))
    assert second.matrix.values is first.matrix.values
    assert second.matrix.spot_row == 77
    assert second.state.position == 77
    if name == "integer":
        assert second.matrix.sentence.startswith("Row 77 is the number 77")


def test_the_head_of_a_bias_is_another_picture():
    first, second = step({"head": 3}, START.change({"scheme": "alibi"}))
    assert second.matrix is not first.matrix
    assert second.similarity is not first.similarity


def test_the_window_is_part_of_the_picture():
    first, second = step({}, viewport=Viewport(rows=(10, 20)))
    assert kept(first, second) == {"rotation", "attention", "readouts"}
    assert second.matrix.values.shape == (10, 64)
    assert second.similarity.x.tolist() == list(range(9, 21))  # one further on either side


def same(a, b):
    """Whether two parts show the same."""
    for field in dataclasses.fields(a):
        x, y = getattr(a, field.name), getattr(b, field.name)
        if isinstance(x, np.ndarray):
            if not np.array_equal(x, y):
                return False
        elif isinstance(x, tuple) and x and isinstance(x[0], np.ndarray):
            if not all(np.array_equal(p, q) for p, q in zip(x, y, strict=True)):
                return False
        elif x != y:
            return False
    return True


CHANGES = st.sampled_from(
    [
        *({"scheme": name} for name in ALL),
        *({"position": 0}, {"position": 40}, {"key_position": 7}, {"dimension": 32}, {"dimension": 64}),
        *({"length": 41}, {"length": 700}, {"head": 3}, {"head": 0}, {"swap": True}, {"swap": False}),
        *({"sentence": "a b c"}, {"sentence": ""}, {"causal": True}, {"seed": 4}, {"swap_words": (0, 2)}),
    ]
)


@settings(max_examples=60)
@given(st.lists(CHANGES, min_size=1, max_size=8))
def test_reuse_shows_what_a_fresh_start_shows(changes):
    from pe_desktop.core.errors import FieldError

    state, snapshot = START, compute(START)
    for change in changes:
        try:
            state = state.change(change)
        except FieldError:
            continue
        snapshot = compute(state, previous=snapshot)
    fresh = compute(state)
    for name in PARTS:
        assert same(getattr(snapshot, name), getattr(fresh, name)), name
    assert snapshot.notes == fresh.notes


def arrays(snapshot):
    for name in PARTS:
        for field in dataclasses.fields(getattr(snapshot, name)):
            value = getattr(getattr(snapshot, name), field.name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, np.ndarray):
                    yield f"{name}.{field.name}", one


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("full", [True, False])
def test_arrays_are_read_only_finite_and_whole(name, full):
    state = START.change({"scheme": name, "swap": True, "length": 5000})
    found = dict(arrays(compute(state, full=full)))
    assert {"matrix.values", "similarity.x", "attention.weights_a", "attention.weights_b"} <= set(found)
    for label, array in found.items():
        assert not array.flags.writeable, label
        assert np.isfinite(array).all(), label
    assert found["matrix.values"].dtype == np.float32
    assert found["matrix.values"].flags.c_contiguous
    assert found["attention.weights_a"].dtype == np.float32


def test_a_snapshot_carries_its_state_and_number():
    snapshot = compute(START, generation=7)
    assert (snapshot.state, snapshot.generation, snapshot.scheme) == (START, 7, START.built)


LARGE = START.change({"length": LAST + 1, "dimension": 1024})


class TestQuick:
    """What does not fit a frame is left out and said to be so; nothing wrong is shown."""

    def test_flags(self):
        quick = compute(LARGE, full=False)
        assert not is_cheap(LARGE, Viewport())
        assert not quick.similarity.exact
        assert "sampled" in quick.similarity.point
        assert not quick.readouts.exact
        waiting = {r.name: r for r in quick.readouts.readouts}
        assert (waiting["closest_pair"].value, waiting["closest_pair"].text) == (None, "computing…")
        assert quick.readouts.properties[1].holds is None

    def test_the_default_is_quick_and_complete(self):
        assert is_cheap(START, Viewport())
        quick = compute(START, full=False)
        assert all(getattr(getattr(quick, name), "exact", True) for name in PARTS)
        for name in PARTS:
            assert same(getattr(quick, name), getattr(compute(START), name))

    def test_a_coarser_picture_is_of_exact_means(self):
        state = START.change({"length": 20_000, "dimension": 8192})
        viewport = Viewport(matrix=(1400, 1600))  # of a large screen; on a small one the full picture fits a frame
        quick, full = compute(state, viewport, full=False), compute(state, viewport)
        assert (quick.matrix.exact, full.matrix.exact) == (False, True)
        assert quick.matrix.rows.step > full.matrix.rows.step
        down, across = shares(quick.matrix.rows, 20_000)[5], shares(quick.matrix.columns, 8192)[3]
        covered = np.flatnonzero(down)
        expected = down[covered] @ state.built.encode(covered) @ across
        assert quick.matrix.values[5, 3] == pytest.approx(expected, abs=1e-5)
        assert f"{cell_count(quick.matrix.rows.step)} positions" in quick.matrix.pixel

    def test_large_attention_is_announced(self):
        state = START.change({"sentence": "w " * 500, "dimension": 1024, "length": 1000})
        quick = compute(state, full=False)
        assert not quick.attention.exact
        assert "Computing the attention of 500 words" in quick.attention.sentence
        assert quick.attention.weights_a.size == 0
        assert not quick.readouts.exact

    @pytest.mark.parametrize("name", ALL)
    def test_a_full_one_replaces_what_was_left_out(self, name):
        state = START.change({"scheme": name, "length": 50_000, "sentence": "w v " * 150, "swap": True})
        quick = compute(state, full=False)
        full = compute(state, previous=quick)
        for part in PARTS:
            assert getattr(getattr(full, part), "exact", True)
            if getattr(getattr(quick, part), "exact", True):
                assert same(getattr(quick, part), getattr(full, part)), part

    def test_values_that_are_shown_are_those_of_the_full_one(self):
        quick, full = compute(LARGE, full=False), compute(LARGE)
        for before, after in zip(quick.readouts.readouts, full.readouts.readouts, strict=True):
            assert before.value is None or before.value == after.value
        for before, after in zip(quick.readouts.properties, full.readouts.properties, strict=True):
            assert before == after or before.number == "…"


class TestSizes:
    @pytest.mark.parametrize("name", ALL)
    @pytest.mark.parametrize("dimension", [2, 64, 8192])
    @pytest.mark.parametrize("length", [2, 3, LAST + 1])
    def test_extremes(self, name, dimension, length):
        dimension = fitting(name, dimension)
        state = START.change({"scheme": name, "dimension": dimension, "length": length, "swap": True})
        snapshot = compute(state, full=False)
        for part in PARTS[:4]:
            assert getattr(snapshot, part).sentence.endswith((".", "…"))
        assert formula(snapshot, NO_CURSOR)
        for label, array in arrays(snapshot):
            assert np.isfinite(array).all(), label

    @pytest.mark.parametrize("name", [name for name in ALL if name not in MULTIPLES])
    @pytest.mark.parametrize("dimension", [3, 65, 8191])
    def test_odd_dimensions(self, name, dimension):
        state = START.change({"scheme": name, "dimension": dimension})
        snapshot = compute(state)
        if name == "sinusoidal":
            assert f"Dimension {dimension} is odd" in snapshot.matrix.sentence

    def test_many_words(self):
        snapshot = compute(START.change({"sentence": "w " * 600, "length": 1000}))
        assert len(snapshot.attention.tokens_a) == 512
        assert "Only the first 512 words are shown; 88 more are left out." in snapshot.attention.sentence
        snapshot = compute(START.change({"sentence": "a b c d e", "length": 3}))
        assert snapshot.attention.tokens_a == ("a", "b", "c")
        assert "The last 2 words lie past the sequence length (3 positions)" in snapshot.attention.sentence

    @pytest.mark.parametrize(
        ("text", "said"),
        [("", "Type a sentence"), ("one", "One word can only attend to itself"), ("🙂 שלום", "Strongest link: “")],
    )
    def test_few_words(self, text, said):
        part = compute(START.change({"sentence": text, "swap": True, "swap_words": None})).attention
        if text == "🙂 שלום":
            assert part.tokens_b == ("שלום", "🙂")
        else:
            assert said in part.sentence
            assert part.tokens_b is None


def test_weights_of_both_sentences():
    part = compute(START.change({"swap": True, "causal": True})).attention
    assert (part.tokens_a, part.swapped) == (("The", "dog", "bit", "the", "man"), (1, 4))
    assert part.tokens_b == ("The", "man", "bit", "the", "dog")
    for weights in (part.weights_a, part.weights_b):
        assert weights.shape == (5, 5)
        assert np.abs(weights.sum(axis=1) - 1).max() < 1e-6
        assert np.array_equal(np.triu(weights, 1), np.zeros((5, 5)))


def test_rows_without_a_vector_are_marked():
    state = START.change({"scheme": "learned", "length": 1000, "params": {"trained_length": 300}})
    part = compute(state).matrix
    assert part.defined_rows == defined_rows(state.built) == 300
    assert part.shape == (1000, 64)
