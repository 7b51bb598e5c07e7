"""Mean, lowest or highest in the matrix and the scores: the numbers, the words, and what stands in meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core import part_matrix, part_scores
from pe_desktop.core.called_off import called_off
from pe_desktop.core.extremes import window_extremes
from pe_desktop.core.formula import formula
from pe_desktop.core.part_compare import ONLY_MEANS
from pe_desktop.core.parts import Cursor, Viewport, Window
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.score_extremes import score_extremes
from pe_desktop.core.snapshot import compute, is_cheap, is_complete
from pe_desktop.core.state import LabState
from pe_desktop.core.statistic import (
    HIGHEST,
    LOWEST,
    MEAN,
    extreme_cost,
    score_extreme_cost,
    score_refusal,
    shown_statistic,
)
from tests.core.strategies import LAST, fitting, plain

SMALL = LabState().change({"length": 2000, "dimension": 200})
LONG = LabState().change({"length": LAST + 1, "dimension": 8192})


def view(statistic, **more):
    return Viewport(**{"statistic": statistic, "score_statistic": statistic, "shown": frozenset({"scores"}), **more})


@pytest.mark.parametrize("side", ["matrix", "scores"])
def test_the_picture_holds_the_extremes_of_the_blocks_of_the_means(side):
    made = {each: compute(SMALL, view(each)).part(side) for each in (MEAN, LOWEST, HIGHEST)}
    mean, low, high = (made[each] for each in (MEAN, LOWEST, HIGHEST))
    assert (low.rows, low.columns) == (mean.rows, mean.columns) == (high.rows, high.columns)
    assert [each.statistic for each in (mean, low, high)] == [MEAN, LOWEST, HIGHEST]
    extremes = window_extremes if side == "matrix" else score_extremes
    for part, expected in zip((low, high), extremes(SMALL.built, low.rows, low.columns), strict=True):
        assert np.array_equal(part.values, expected)
        assert part.exact
        assert not part.values.flags.writeable
    rounding = 1e-5 * mean.scale
    assert (low.values <= mean.values + rounding).all()
    assert (mean.values <= high.values + rounding).all()


def test_the_words_say_what_is_shown():
    viewport = view(LOWEST, rows=(0, 1000), columns=(0, 171), matrix=(100, 10), scores=(100, 50))
    snapshot = compute(SMALL, viewport)
    assert snapshot.matrix.pixel == "lowest of 10 positions × 17.2 dimensions"
    assert snapshot.part("scores").pixel == "lowest of 20 queries × 40 keys"
    here = formula(snapshot, Cursor(view="matrix", position=3, column=4))
    assert here.endswith("   (1 of 10 × 17.2 cells, the lowest of which the picture shows here)")
    here = formula(snapshot, Cursor(view="scores", position=3, column=4))
    assert here.endswith("   (1 of 20 × 40 pairs, the lowest is shown)")
    means = compute(SMALL, view(MEAN, rows=(0, 1000), columns=(0, 171), matrix=(100, 10), scores=(100, 50)))
    assert "averages here" in formula(means, Cursor(view="matrix", position=3, column=4))
    assert "averaged here" in formula(means, Cursor(view="scores", position=3, column=4))


def test_single_cells_are_what_they_are():
    snapshot = compute(LabState(), view(HIGHEST))
    assert snapshot.matrix.statistic == MEAN
    assert snapshot.matrix.pixel == "each cell is 1 position × 1 dimension"
    assert snapshot.part("scores").pixel == "each cell is 1 query × 1 key"
    assert is_cheap(LabState(), view(HIGHEST))
    assert shown_statistic(Window((0, 10), (0, 10), 10, 10), LOWEST) == MEAN
    assert shown_statistic(Window((0, 11), (0, 10), 10, 10), LOWEST) == LOWEST


def test_another_statistic_is_another_picture_and_the_spot_is_not():
    first = compute(SMALL, view(LOWEST))
    second = compute(SMALL, view(HIGHEST), previous=first)
    assert second.matrix is not first.matrix
    assert second.similarity is first.similarity
    moved = compute(SMALL.change({"position": 99}), view(HIGHEST), previous=second)
    assert moved.matrix.values is second.matrix.values
    assert moved.matrix.spot_row == 99
    assert moved.matrix.statistic == HIGHEST


@pytest.mark.parametrize("side", ["matrix", "scores"])
def test_means_stand_in_for_what_does_not_fit_a_frame(side):
    viewport = view(LOWEST)
    state = LONG.change({"params": {"base": {"matrix": 9000.0, "scores": 8000.0}[side]}})  # nothing is known of it
    assert not is_cheap(state, viewport)
    quick = compute(state, viewport, full=False)
    part = quick.part(side)
    assert not part.exact
    assert not is_complete(quick)
    if side == "matrix":
        assert part.statistic == MEAN
        assert part.pixel.endswith("; lowest follows…")
        assert called_off(quick).part(side).pixel.endswith("; the lowest is not computed")
    full = compute(state, viewport, previous=quick).part(side)
    assert full.exact
    assert full.statistic == LOWEST
    assert "follows" not in full.pixel
    assert full.values.min() < 0


def test_coarser_extremes_stand_in_where_they_fit_a_frame():
    state = LabState().change({"length": 4096, "dimension": 500})
    viewport = view(LOWEST, matrix=(400, 400))
    assert part_matrix.matrix_cost(state, viewport) > part_matrix.MATRIX_CELLS
    part = compute(state, viewport, full=False).matrix
    assert part.statistic == LOWEST
    assert not part.exact
    assert part.values.shape == (100, 100)
    assert part.pixel == "lowest of 41 positions × 5 dimensions"


def test_the_known_means_stand_in_while_extremes_of_the_scores_are_worked_out():
    state = LabState().change({"length": LAST + 1})
    means = compute(state, view(MEAN)).part("scores")
    part = part_scores.scores_part(state.change({"position": 5}), view(LOWEST), False)
    assert part.statistic in (MEAN, LOWEST)
    if part.statistic == MEAN:
        assert part.values is means.values
        assert part.pixel.endswith("; lowest follows…")


def test_what_cannot_be_worked_out_is_shown_as_means_and_said_to_be():
    state = LabState().change({"scheme": "mrope", "length": LAST + 1})
    viewport = view(LOWEST)
    window = part_scores.scores_window(state, viewport)
    assert "depends on more than the gap" in score_refusal(state.built, window)
    part = part_scores.scores_part(state, viewport)
    assert part.exact
    assert part.statistic == MEAN
    assert part.pixel.startswith("mean of")
    assert "These are means. A score of M-RoPE depends on more than the gap here" in part.sentence
    near = view(LOWEST, score_rows=(0, 3000), score_columns=(0, 3000))
    assert part_scores.scores_part(state, near).statistic == LOWEST


def test_only_means_have_a_difference():
    state = SMALL.change({"compare": "sinusoidal", "compare_params": {"base": 500.0}})
    found = compute(state, view(LOWEST)).compare
    assert found.matrix.statistic == found.scores.statistic == LOWEST
    assert found.matrix_difference.kind == found.scores_difference.kind == "nothing"
    assert found.matrix_difference.sentence == found.scores_difference.sentence == ONLY_MEANS
    assert not found.matrix_difference.single
    again = compute(state, view(MEAN), previous=compute(state, view(LOWEST))).compare
    assert again.matrix_difference.values.size
    assert again.scores_difference.values.size
    cells = state.change({"length": 64, "dimension": 16})
    assert compute(cells, view(LOWEST)).compare.matrix_difference.values.size


def test_a_faint_picture_is_not_called_an_average():
    state = LabState().change({"length": LAST + 1, "dimension": 8192})
    slow = {"columns": (8180, 8192), "rows": (0, 2000)}
    assert "averages" not in compute(state, view(LOWEST, **slow)).matrix.sentence


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_costs_grow_with_pixels_and_are_told_for_every_scheme(name):
    scheme = plain(name, fitting(name, 64), LAST + 1)
    for cost in (extreme_cost, score_extreme_cost):
        few, many = (cost(scheme, Window((0, 500_000), (0, 64), side, side)) for side in (5, 50))
        assert 0 <= few <= many


@pytest.mark.parametrize(("name", "params"), [("learned", {"trained_length": 4096}), ("transformer_xl", {})])
def test_the_colours_reach_the_highest_cell(name, params):
    state = LabState().change({"scheme": name, "length": 4096, "dimension": 512, "params": params})
    part = part_matrix.matrix_part(state, Viewport(statistic="highest"))
    assert part.scale >= np.abs(part.values).max()
