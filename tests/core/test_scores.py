"""The scores: every block is the mean of the scores of the pairs it covers, and the words tell the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.part_scores import COARSER, scores_are_quick, scores_part, scores_scale
from pe_desktop.core.parts import Viewport, Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import (
    MOST_PARTS,
    commensurate,
    score_blocks,
    score_cost,
    score_means,
    shows_scale,
)
from pe_desktop.core.snapshot import compute, is_cheap
from pe_desktop.core.state import LabState
from tests.core.strategies import (
    ALL,
    LAST,
    alibis,
    axials,
    learneds,
    mropes,
    naives,
    plain,
    ropes,
    sincos2ds,
    sinusoidals,
    stretched,
    xposes,
)
from tests.core.windows import ranges, shares

START = LabState()
SHOWN = frozenset({"scores"})


def every_score(scheme, queries, keys):
    """The score of each pair (m, n), pair by pair; NaN where there is none."""
    rows, columns = (np.asarray(each, dtype=np.float64) for each in (queries, keys))
    if isinstance(scheme, Rotary) and scheme.causal_only:
        scores = np.array([scheme.profile(int(query), columns) for query in rows])
    elif isinstance(scheme, Rotary):
        ones = [np.ones((len(each), scheme.dimension)) for each in (rows, columns)]
        scores = scheme.scores(*ones, rows, columns) / scheme.dimension
    else:
        defined, scores = defined_rows(scheme), np.full((len(rows), len(columns)), np.nan)
        had = [each[each < defined] for each in (rows, columns)]
        scores[: len(had[0]), : len(had[1])] = scheme.encode(had[0]) @ scheme.encode(had[1]).T
    return scores * scheme.query_scale(rows)[:, None]


def brute_force(scheme, rows, columns):
    """Means over each rectangle of the pairs in it that have a score, shares of cells counted; NaN where none has."""
    cells = every_score(scheme, range(rows.first, rows.last), range(columns.first, columns.last))
    some = np.isfinite(cells)
    down, across = (shares(span, span.last, span.first) for span in (rows, columns))
    totals, counts = (down @ each @ across.T for each in (np.where(some, cells, 0.0), some.astype(np.float64)))
    touched = (down > 0).astype(float) @ some.astype(np.float64) @ (across > 0).astype(float).T > 0
    return np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=touched)


def assert_means(scheme, window, tolerance=1e-9):
    rows, columns = score_blocks(scheme, window)
    assert_exact(scheme, rows, columns, tolerance)


def assert_exact(scheme, rows, columns, tolerance=1e-9):
    means, expected = score_means(scheme, rows, columns), brute_force(scheme, rows, columns)
    assert means.shape == (rows.number, columns.number)
    assert means.dtype == np.float64
    assert np.array_equal(np.isnan(means), np.isnan(expected))
    if np.isfinite(expected).any():
        assert np.nanmax(np.abs(means - expected)) <= tolerance * scores_scale(scheme, 0)


def windows(data, length, most=60):
    ranges_of = [data.draw(ranges(length)) for _ in range(2)]
    return Window(*ranges_of, data.draw(st.integers(1, most)), data.draw(st.integers(1, most)))


@st.composite
def tempered(draw):
    """RoPE with a query temperature that changes at any distance."""
    params = {
        "temperature": draw(st.sampled_from(("llama4", "ministral3"))),
        "temperature_length": draw(st.integers(1, 60)),
        "temperature_strength": draw(st.floats(0.0, 3.0)),
    }
    return plain("rope", 2 * draw(st.integers(1, 8)), draw(st.integers(2, 300)), **params)


LENGTHS = st.integers(2, 400)
SCHEMES = st.one_of(
    sinusoidals(),
    ropes(),
    stretched(lengths=LENGTHS),
    xposes(),
    learneds(),
    naives(),
    sincos2ds(),
    axials(),
    mropes(),
    tempered(),
)


@settings(max_examples=150)
@given(SCHEMES, st.data())
def test_every_block_is_the_mean_of_its_pairs(scheme, data):
    assert_means(scheme, windows(data, scheme.length))


@pytest.mark.parametrize("name", [name for name in ALL if not isinstance(plain(name), ScoreBias)])
@pytest.mark.parametrize("window", [((0, 96), (0, 96), 96, 96), ((0, 96), (0, 96), 7, 11), ((13, 60), (31, 90), 5, 50)])
def test_every_scheme(name, window):
    assert_means(plain(name, 64, 96), Window(*window))


FAR = ((LAST - 95, LAST + 1), (0, 90), (LAST - 50, LAST + 1))


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "integer", "normalized", "xpos", "sincos2d"])
@pytest.mark.parametrize("rows", FAR)
@pytest.mark.parametrize("columns", FAR)
@pytest.mark.parametrize("pixels", [(100, 100), (9, 7), (100, 7)])
def test_near_a_million(name, rows, columns, pixels):
    assert_means(plain(name, 16, LAST + 1), Window(rows, columns, *pixels))


@pytest.mark.parametrize("dimension", [3, 15, 16])
@pytest.mark.parametrize("layout", ["interleaved", "tensor2tensor"])
def test_a_column_without_partner_counts(dimension, layout):
    if layout == "tensor2tensor" and dimension < 4:
        layout = "concatenated"
    scheme = plain("sinusoidal", dimension, LAST + 1, layout=layout)
    for rows in FAR:
        assert_means(scheme, Window(rows, (LAST - 80, LAST + 1), 20, 13))


@pytest.mark.parametrize("temperature_length", [1, 8192, 500_000, LAST + 1])
def test_query_temperature_near_a_million(temperature_length):
    scheme = plain("rope", 8, LAST + 1, temperature="llama4", temperature_length=temperature_length)
    assert_means(scheme, Window((LAST - 200, LAST + 1), (0, 60), 20, 7))
    assert_means(scheme, Window((8000, 8300), (0, 60), 20, 60))


def test_whole_pictures_of_the_longest_sequence_against_sums_in_closed_form():
    """One mean over everything is |Σ exp(i w p)|² / L², which no block knows of."""
    scheme = plain("sinusoidal", 16, LAST + 1)
    rows, columns = score_blocks(scheme, Window((0, LAST + 1), (0, LAST + 1), 33, 45))
    means = score_means(scheme, rows, columns)
    frequencies = scheme.frequencies()
    waves = np.exp(1j * frequencies * (LAST + 1)) - 1.0
    expected = float((np.abs(waves / (np.exp(1j * frequencies) - 1.0)) ** 2).sum()) / (LAST + 1.0) ** 2
    found = float(rows.counts @ means @ columns.counts) / (LAST + 1.0) ** 2
    assert found == pytest.approx(expected, abs=1e-9 * 8)


@given(st.integers(1, LAST), st.integers(1, LAST))
@example(2913, 2185)
@example(1, LAST)
def test_block_sizes_get_a_common_measure_for_little(first, second):
    made = commensurate(first, second)
    assert made[0] >= first
    assert made[1] >= second
    assert min(made) // math.gcd(*made) <= MOST_PARTS
    assert made[0] * made[1] <= (1 + 1 / MOST_PARTS) ** 2 * first * second + max(made)
    assert commensurate(second, first) == made[::-1]


def test_a_million_by_8192_is_a_few_thousand_sums():
    for name in ("sinusoidal", "rope"):
        scheme = plain(name, 8192, LAST + 1)
        blocks = score_blocks(scheme, Window((0, LAST + 1), (0, LAST + 1), 330, 430))
        assert blocks[0].number * blocks[1].number > 300 * 400
        assert score_cost(scheme, *blocks) < 1 << 20  # 8,192 x 760 sines would be six times that


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
    rows = Blocks(part.row_start, part.row_step, min(part.row_start + part.values.shape[0] * part.row_step, 300))
    columns = Blocks(
        part.column_start, part.column_step, min(part.column_start + part.values.shape[1] * part.column_step, 300)
    )
    if isinstance(scheme, ScoreBias):
        expected = scheme.block_bias(2, rows.starts, rows.counts, columns.starts, columns.counts)
    else:
        expected = np.nan_to_num(brute_force(scheme, rows, columns))
    assert np.abs(part.values - expected).max() <= 1e-5 * part.scale
    assert (rows.start, rows.stop) <= (20, 300)
    assert rows.stop >= 250


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
    WIDE = START.change({"length": LAST + 1, "dimension": 8192})
    VIEWPORT = Viewport(shown=SHOWN)

    def test_a_coarser_picture_of_exact_means(self):
        assert not scores_are_quick(self.WIDE, self.VIEWPORT)
        quick, full = (scores_part(self.WIDE, self.VIEWPORT, whole) for whole in (False, True))
        assert (quick.exact, full.exact) == (False, True)
        assert full.row_step < quick.row_step <= 1.1 * COARSER[0] * full.row_step
        rows, columns = Blocks(0, quick.row_step, LAST + 1), Blocks(0, quick.column_step, LAST + 1)
        assert np.abs(quick.values - score_means(self.WIDE.built, rows, columns)).max() <= 1e-5 * quick.scale
        assert scores_are_quick(self.WIDE, self.VIEWPORT)  # now that it is known

    def test_what_no_frame_can_hold_is_announced(self):
        state = START.change({"scheme": "learned", "dimension": 8192, "length": 4000})
        state = state.change({"params": {"trained_length": 4000}})
        part = scores_part(state, self.VIEWPORT, False)
        assert (part.exact, part.values.size, part.pixel) == (False, 0, "computing…")

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
        assert not shows_scale(state.built, Blocks(0, part.row_step, LAST + 1))
        assert "before the query temperature" in part.sentence
        calm = START.change({"scheme": "rope", "length": LAST + 1})
        assert np.array_equal(part.values, scores_part(calm, viewport).values)
        near = scores_part(state, Viewport(scores=(20, 30), score_rows=(0, 500), score_columns=(0, 500)))
        assert "before the query temperature" not in near.sentence
