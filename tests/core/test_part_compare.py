"""What a snapshot shows of the scheme that is compared with."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core import compare as comparing
from pe_desktop.core.formula import formula
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.snapshot import compute, is_cheap
from pe_desktop.core.state import LabState
from tests.core.windows import shares

START = LabState()
SCORES = Viewport(shown=frozenset({"scores"}))


@pytest.fixture(autouse=True)
def no_verdicts():
    """What another test has compared would be known at once."""
    comparing._verdict.cache_clear()


def state(scheme="sinusoidal", other="sinusoidal", params=None, **changes):
    return START.change({"scheme": scheme, **changes}).change({"compare": other, "compare_params": params or {}})


def both(changed):
    """A's and B's rows of the whole matrix."""
    rows = range(changed.length)
    return changed.built.encode(rows), changed.built_b.encode(rows)


def test_nothing_is_made_while_nothing_is_compared():
    assert compute(START).compare is None


def test_the_verdict_is_that_of_the_core():
    changed = state(params={"base": 500.0})
    made, found = compute(changed).compare, comparing.compare(changed.built, changed.built_b)
    assert (made.verdict, made.sentence, made.exact) == (found.verdict, found.sentence, True)
    assert (made.title_a, made.title_b) == ("Sinusoidal", "Sinusoidal")


@pytest.mark.parametrize(
    "changed",
    [
        state(params={"base": 500.0}),
        state(params={"layout": "concatenated"}, length=3000, dimension=130),
        state("learned", "sinusoidal", length=1000),
        state("integer", "normalized", length=5000, dimension=7),
    ],
)
def test_the_difference_of_matrices_is_the_mean_of_differences(changed):
    viewport = Viewport(matrix=(90, 40))
    snapshot = compute(changed, viewport)
    part, own = snapshot.compare.matrix_difference, snapshot.matrix
    defined = part.defined_rows
    rows = np.arange(defined)
    cells = changed.built.encode(rows) - changed.built_b.encode(rows)
    means = shares(own.rows.cut(defined), defined) @ cells @ shares(own.columns, cells.shape[1]).T
    whole = int((own.rows.edges[1:] <= defined).sum())
    scale = np.abs(cells).max()
    assert np.allclose(part.values[:whole], means[:whole], rtol=0, atol=2e-6 * scale)
    assert part.scale == pytest.approx(np.abs(part.values).max())
    assert (part.values.flags.writeable, part.exact) == (False, True)
    assert part.title == "A − B: Encoding matrix"


def test_rows_without_a_vector_are_no_difference():
    part = compute(state("sinusoidal", "learned", length=1024)).compare.matrix_difference
    assert part.defined_rows == 512
    assert not part.values[-(len(part.values) // 2) + 1 :].any()


def test_equal_pictures_say_so():
    part = compute(state("rope", "rope", {"factor": 1.0, "extension": "linear"})).compare.matrix_difference
    assert part.sentence == "A − B is 0, up to rounding, in all cells shown."
    assert part.scale == 1.0
    assert not part.values.any()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (state("sinusoidal", "rope"), "A's matrix holds values added to the embedding, B's cosines and sines"),
        (state("alibi", "rope"), "A's matrix holds what is added to scores, B's cosines and sines"),
        (state("none", "none"), "Neither A nor B adds anything"),
        (state("rope", "rope", {"rotary_dimension": 32}), "64 columns and B's 32"),
    ],
)
def test_where_there_is_no_difference_to_draw(changed, words):
    part = compute(changed, SCORES).compare.matrix_difference
    assert (part.kind, part.values.size) == ("nothing", 0)
    assert words in part.sentence
    assert part.sentence.endswith("there is no difference to draw.")


def test_the_curve_of_b_is_that_of_b_alone():
    changed = state("rope", "rope", {"base": 500.0}, position=30)
    viewport = Viewport(rows=(10, 90), curve=200)
    made = compute(changed, viewport).compare
    alone = compute(START.change({"scheme": "rope", "params": {"base": 500.0}, "position": 30}), viewport).similarity
    assert np.array_equal(made.curve.second.low, alone.low)
    assert np.array_equal(made.curve.second.x, alone.x)
    assert made.curve.names == ("A: RoPE", "B: RoPE")
    assert made.curve.y_range[0] <= min(made.curve.low.min(), alone.low.min())


def test_curves_that_share_no_axis():
    for changed in (state("sinusoidal", "alibi"), state("alibi", "sinusoidal"), state("none", "t5")):
        made = compute(changed).compare
        assert made.curve.second is None
        assert made.curve.sentence.endswith("they share no axis, so B is not drawn.")
        assert made.curve.sentence.startswith(compute(changed.change({"compare": ""})).similarity.sentence)
    assert compute(state("sinusoidal", "rope")).compare.curve.second is not None
    assert compute(state("alibi", "kerple")).compare.curve.second.kind == "bias"


def test_a_spot_that_b_has_no_vector_for():
    made = compute(state("sinusoidal", "learned", length=1000, position=700)).compare
    assert made.curve.second is None
    assert "B: Spot 700 has no vector" in made.curve.sentence
    assert made.curve.hatch == "no vector"


def test_a_head_that_b_has_not():
    changed = START.change({"scheme": "alibi", "params": {"heads": 16}, "head": 15}).change({"compare": "alibi"})
    assert changed.as_b.head == 7
    assert compute(changed).compare.similarity.title.endswith("head 7")


@pytest.mark.parametrize(("scheme", "other"), [("learned", "sinusoidal"), ("sinusoidal", "learned")])
def test_the_difference_of_scores_in_the_blocks_of_a(scheme, other):
    """A table and waves cut a long sequence into different blocks; B's scores are made anew in those of A."""
    changed = state(scheme, other, {"trained_length": 8192} if other == "learned" else {}, length=1777)
    changed = changed.change({"params": {"trained_length": 8192}}) if scheme == "learned" else changed
    snapshot = compute(changed, Viewport(scores=(37, 53), shown=frozenset({"scores"})))
    part, own = snapshot.compare.scores_difference, snapshot.part("scores")
    assert part.values.shape == own.values.shape
    a, b = both(changed)
    scores = a @ a.T - b @ b.T
    for row, column in ((0, 0), (3, 40), (len(part.values) - 1, 0), (20, 5)):
        mean = shares(own.rows, 1777)[row] @ scores @ shares(own.columns, 1777)[column]
        assert part.values[row, column] == pytest.approx(mean, abs=1e-5 * np.abs(scores).max())


def test_scores_are_made_only_while_they_are_shown():
    changed = state(params={"base": 500.0})
    assert compute(changed).compare.scores is None
    made = compute(changed, SCORES).compare
    assert made.scores.title == "B: Position scores"
    assert made.scores_difference.exact
    made = compute(state("sinusoidal", "rope"), SCORES).compare
    assert made.scores_difference.kind == "nothing"
    assert "A's score is a product of rows, B's score is a share" in made.scores_difference.sentence


def test_quick_first_complete_soon():
    changed = state("rope", "rope", {"base": 500.0}, length=500_000)
    assert not is_cheap(changed, Viewport())
    quick = compute(changed, full=False)
    assert (quick.compare.verdict, quick.compare.exact) == ("", False)
    assert quick.compare.sentence == "Comparing A with B…"
    done = compute(changed, previous=quick)
    assert (done.compare.verdict, done.compare.exact) == ("different", True)
    assert "at the 65,536 of 500,000 positions looked at" in done.compare.sentence
    moved = compute(changed.change({"position": 99}), previous=done, full=False)
    assert moved.compare.sentence == done.compare.sentence  # only the spot has moved
    assert moved.compare.matrix.values is done.compare.matrix.values
    assert moved.compare.matrix.spot_row == moved.compare.matrix_difference.spot_row == 99


def test_small_states_are_cheap():
    assert is_cheap(state(params={"base": 500.0}), SCORES)


def test_what_depends_on_nothing_that_changed_is_the_same_object():
    changed = state("rope", "rope", {"base": 500.0})
    first = compute(changed, SCORES)
    again = compute(changed.change({"sentence": "other words", "swap": True}), SCORES, previous=first)
    assert again.compare is first.compare
    other = compute(changed.change({"compare_params": {"base": 600.0}}), SCORES, previous=first)
    assert other.matrix is first.matrix
    assert other.similarity is first.similarity
    assert other.compare.matrix is not first.compare.matrix
    zoomed = compute(changed, Viewport(rows=(0, 50), curve=0, shown=SCORES.shown), previous=first)
    assert zoomed.compare.scores is first.compare.scores


def test_the_other_wavelengths():
    viewport = Viewport(shown=frozenset({"spectrum"}))
    part = compute(state("rope", "rope", {"base": 500_000.0}, dimension=128), viewport).part("spectrum")
    other = next(line for line in part.series if line.role == "other")
    assert np.allclose(other.y, np.log10(2 * np.pi * 500_000.0 ** (2 * np.arange(64) / 128)))
    assert other.label == "B: RoPE"
    assert part.y.high >= other.y.max()
    assert part.sentence.endswith("B (dashed): 6.28 to 2.56M positions.")
    wider = compute(state("rope", "rope", params={"rotary_dimension": 128}, dimension=128), viewport).part("spectrum")
    assert wider.x.high == 63.5
    assert compute(state("sinusoidal", "alibi"), viewport).part("spectrum").sentence.endswith("B has no wavelength.")


# The formula of what is under the cursor ----------------------------------------------------------------------------


def test_formulas_of_b():
    snapshot = compute(state(params={"base": 500.0}), SCORES)
    alone = compute(START.change({"params": {"base": 500.0}}), SCORES)
    for view in ("matrix", "scores"):
        cursor = Cursor(view=view, position=9, column=5)
        assert formula(snapshot, Cursor(view=view, position=9, column=5, sentence="b")) == "B: " + formula(
            alone, cursor
        )
        assert formula(snapshot, cursor) != formula(alone, cursor)


def test_formula_of_a_difference():
    changed = state(params={"base": 500.0})
    snapshot = compute(changed, SCORES)
    a, b = both(changed)
    text = formula(snapshot, Cursor(view="matrix", position=9, column=6, sentence="difference"))
    assert text.startswith("A − B at position 9, dimension 6: ")
    assert text.endswith(f" = {a[9, 6] - b[9, 6]:.4f}".replace("-", "−"))
    text = formula(snapshot, Cursor(view="scores", position=9, column=60, sentence="difference"))
    assert text.endswith(f" = {a[9] @ a[60] - b[9] @ b[60]:.4f}".replace("-", "−"))
    ended = compute(state("sinusoidal", "learned", length=1000))
    text = formula(ended, Cursor(view="matrix", position=900, column=6, sentence="difference"))
    assert text == "A − B at position 900, dimension 6: B has no value there"
