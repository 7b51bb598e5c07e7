"""The precision pane: its picture against every cell, its numbers, its words, and what is left out at first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.blocks import blocks, whole_blocks
from pe_desktop.core.formula import formula
from pe_desktop.core.part_precision import PANE, precision_formula, precision_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.precision import PRESETS, Formats, library_frequencies, pipeline
from pe_desktop.core.precision_picture import PictureCase, error_picture, farthest, sample_positions
from pe_desktop.core.rounding import rounded
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import ALL, plain, ropes

SHOWN = Viewport(shown=frozenset({"precision"}))


def state(**changes):
    return LabState().change({"scheme": "rope", "precision": {"preset": "bf16_positions"}} | changes)


def part_of(changed, full=True, **viewport):
    return precision_part(changed, Viewport(**viewport), full)


def figures(part):
    return {names[0]: texts[0] for names, texts in part.figures}


# The picture


def test_small_pictures_are_every_cells_error():
    made = state(dimension=16, length=300)
    part = part_of(made)
    errors = pipeline(made.built, made.precision.formats).errors(np.arange(300.0))
    assert part.values.shape == (300, 8)
    assert np.array_equal(part.values, errors.astype(np.float32))
    assert part.pixel == "each cell is 1 position × 1 pair"
    assert not part.values.flags.writeable


@given(ropes(64, st.integers(2, 3000)), st.sampled_from([formats for _, _, formats in PRESETS]), st.integers(1, 40))
@settings(max_examples=60)
def test_a_cell_is_never_more_than_the_largest_of_its_block_and_at_least_its_last(scheme, formats, pixels):
    line, pairs = pipeline(scheme, formats), scheme.rotary_width // 2
    rows = blocks((0, scheme.length), pixels, scheme.length, whole=True)
    columns = blocks((0, pairs), 5, pairs, whole=True)
    made = error_picture(PictureCase(line, rows, columns, 4))
    every = line.errors(np.arange(scheme.length, dtype=float)).astype(np.float32)
    starts = np.arange(0, scheme.length, rows.cells)
    largest = np.maximum.reduceat(every, starts, axis=0)
    largest = np.maximum.reduceat(largest, np.arange(0, pairs, columns.cells), axis=1)
    assert (made <= largest).all()
    if rows.step <= 4 and columns.step <= 2:
        assert np.array_equal(made, largest)
    lasts = (rows.starts + rows.counts - 1).astype(int)
    assert (made >= every[lasts][:, :: columns.cells]).all()


@given(st.integers(0, 60_000), st.integers(1, 5000), st.sampled_from(["bfloat16", "float16"]))
def test_the_farthest_position_is_the_farthest(first, count, name):
    last = first + count - 1
    if count > 1 and int(np.log2(max(first, 1))) != int(np.log2(last)):
        first = 2 ** int(np.log2(last))  # one octave
    places = np.arange(first, last + 1.0)
    off = np.abs(rounded(places, name) - places)
    found = farthest(np.array([float(first)]), np.array([float(last)]), name)[0]
    assert first <= found <= last
    assert off[int(found) - first] == off.max()


def test_samples_lie_in_their_blocks_and_are_all_of_a_small_one():
    rows = whole_blocks(10, 7, 100)
    samples = sample_positions(rows, 4, "bfloat16")
    ends = rows.starts + rows.counts
    assert (samples >= rows.starts[:, None]).all()
    assert (samples < ends[:, None]).all()
    assert np.array_equal(samples, np.floor(samples))
    assert np.array_equal(sample_positions(whole_blocks(10, 3, 19), 3, "float64"), np.arange(10.0, 19.0).reshape(3, 3))


def test_blocks_are_said():
    part = part_of(state(length=1 << 20, dimension=8192), rows=None, precision=(100, 100))
    assert part.pixel == "each cell: the largest of 8 samples from 10,486 positions × 41 pairs"
    part = part_of(state(length=300), precision=(100, 100))
    assert part.pixel == "each cell: the largest of 3 positions × 1 pair"


def test_a_window_is_evaluated_exactly():
    made = state(length=1 << 20)
    part = part_of(made, rows=(600_000, 600_040), precision_pairs=(3, 9))
    assert (part.rows.first, part.columns.first, part.rows.step, part.columns.step) == (600_000, 3, 1, 1)
    line = pipeline(made.built, made.precision.formats)
    expected = line.errors(np.arange(600_000.0, 600_040.0))[:, 3:9]
    assert np.array_equal(part.values, expected.astype(np.float32))
    stale = part_of(made, precision_pairs=(100, 200))  # of a wider scheme
    assert stale.values.shape[1] >= 1


def test_past_float16_everything_is_infinite():
    part = part_of(state(length=1 << 17, precision={"preset": "float16_everything"}))
    assert part.finite_rows == 65_520
    assert np.isinf(part.values[-1]).all()
    assert np.isfinite(part.values[0]).all()
    assert "infinite from 65,520 on" in part.sentence


# Numbers and words


def test_the_numbers_of_bf16_positions():
    part = part_of(state(length=1000))
    assert part.first_bad == 257
    assert figures(part) == {
        "First bad position": "257",
        "Distinct positions": "769 of 4,096",
        "Different rows": "769 of 4,096",
        "First collisions": "256 = 257; 259 = 260 = 261; 263 = 264 = 265; …",
    }
    assert part.sentence == (
        "First off by more than 0.001: position 257, pair 0 (0.859); near 4,095 one bfloat16 stands for 16."
    )


def test_nothing_bad_and_no_collision():
    part = part_of(state(precision={"preset": "library"}))
    assert part.first_bad is None
    assert figures(part)["First bad position"] == "none"
    assert figures(part)["First collisions"] == "none below 4,096"
    assert part.sentence == "None of 128 positions is off by more than 0.001."


def test_rows_that_collide_though_positions_do_not_are_told():
    part = part_of(state(precision={"preset": "library", "angles": "bfloat16"}))
    assert figures(part)["Distinct positions"] == "4,096 of 4,096"
    assert figures(part)["Different rows"] == "3,844 of 4,096"
    assert "4,096 position numbers stay apart, yet only 3,844 rows differ" in part.sentence


def test_rows_are_counted_as_far_as_that_is_cheap_and_said():
    part = part_of(state(dimension=8192, precision={"preset": "bf16_positions", "count": 1 << 20}))
    assert figures(part)["Distinct positions"] == "1,793 of 1,048,576"
    assert figures(part)["Different rows"] == "897 of 8,192"
    assert "rows differ" not in part.sentence
    part = part_of(state(dimension=8192, precision={"preset": "library", "count": 1 << 20}))
    assert figures(part)["Different rows"] == "8,192 of 8,192"
    assert "rows differ" not in part.sentence


def test_schemes_of_several_axes_are_rounded_coordinate_by_coordinate():
    made = state(scheme="axial", length=6000, params={}, dimension=64)
    line = pipeline(made.built, made.precision.formats)
    part = part_of(made, precision=(6000, 100))
    coordinates = made.built.coordinates(np.arange(6000.0))
    frequencies = library_frequencies(made.built)
    angles = rounded(rounded(coordinates, "bfloat16")[:, made.built.pair_axis()] * frequencies, "float32")
    exact = made.built.angles(np.arange(6000.0))
    off = np.maximum(np.abs(rounded(np.cos(angles), "float32") - np.cos(exact)), np.abs(np.sin(angles) - np.sin(exact)))
    assert np.abs(part.values - off).max() <= 1e-7
    assert line.axes.tolist() == made.built.pair_axis().tolist()
    places = len(np.unique(rounded(coordinates[:4096], "bfloat16"), axis=0))
    assert figures(part)["Distinct positions"] == f"{places:,} of 4,096"
    assert "First collisions" not in figures(part)
    assert part.first_bad == int(np.flatnonzero((off > 1e-3).any(axis=1))[0])
    assert not PANE.is_quick(made.change({"params": {"base": 11_000.0}}), SHOWN)
    assert figures(part_of(made.change({"params": {"base": 12_000.0}}), full=False))["Distinct positions"] == "…"


def test_texts_have_ever_shorter_forms():
    for changes in ({}, {"precision": {"preset": "library", "count": 2}}):
        for names, texts in part_of(state(**changes)).figures:
            for forms in (names, texts):
                lengths = [len(form) for form in forms]
                assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize("name", ALL)
def test_every_scheme_is_drawn_or_explained(name):
    changed = LabState().change({"scheme": name})
    assert part_of(changed).kind == "text"
    part = part_of(changed.change({"precision": {"preset": "library"}}))
    turns = name in ("sinusoidal", "rope") or part.kind == "errors"
    assert part.kind == ("errors" if turns else "text")
    assert part.sentence.endswith(".")
    assert part.exact
    if turns:
        assert "choose “bf16 positions” or “Library (float32)”" in part_of(changed).sentence


def test_extremes_make_sense():
    for changes in ({"length": 2, "dimension": 2}, {"length": 1 << 20, "dimension": 2}):
        for name, _, formats in PRESETS[1:]:
            part = part_of(state(**changes, precision={"preset": name, "count": 1 << 16}))
            assert part.shape == (changes["length"], 1)
            assert part.values.shape[1] == 1
            assert np.isfinite(part.values).all() == (formats.positions != "float16" or part.finite_rows == 2)


# The pane in a snapshot


def test_only_what_fits_a_frame_is_made_at_first():
    made = state(length=1 << 20, dimension=8192, params={"base": 10_007.0})
    assert not PANE.is_quick(made, SHOWN)
    quick = compute(made, SHOWN, full=False)
    part = quick.part("precision")
    assert not part.exact
    assert part.values.size <= 1 << 15
    assert figures(part)["First bad position"] == figures(part)["Different rows"] == "…"
    assert figures(part)["Distinct positions"] == "769 of 4,096"
    full = compute(made, SHOWN, previous=quick)
    assert full.part("precision").exact
    assert full.part("precision").first_bad == 257
    # From now on all is known, and so a frame has it whole.
    assert PANE.is_quick(made, SHOWN)
    moved = compute(made.change({"position": 500_000}), SHOWN, previous=full, full=False)
    assert moved.part("precision").exact
    assert moved.part("precision").values is full.part("precision").values
    assert moved.part("precision").position == 500_000


def test_a_small_one_is_quick_and_a_hidden_one_is_not_made():
    assert PANE.is_quick(state(), SHOWN)
    assert compute(state(), Viewport()).part("precision") is None
    assert PANE.key(state(), SHOWN) == PANE.key(state(), SHOWN)
    assert PANE.key(state(), SHOWN) != PANE.key(state(precision={"tolerance": 0.5}), SHOWN)


# The formula strip


def test_the_formula_tells_every_stage():
    snapshot = compute(state(length=1000), SHOWN)
    cursor = Cursor(view="precision", position=257, pair=0)
    text = formula(snapshot, cursor)
    assert text == (
        "position 257, pair 0: 256 (bfloat16) × 1 (float32) = 256 (float32), exactly 257;  "
        "cos −0.0398 for 0.8193, sin −0.9992 for −0.5734: off by 0.859"
    )
    error = float(pipeline(snapshot.scheme, snapshot.state.precision.formats).errors(np.array([257.0]))[0, 0])
    assert f"off by {error:.3g}" in text
    assert (f"{np.cos(257):.4f}", f"{abs(np.sin(257)):.4f}") == ("0.8193", "0.5734")


def test_the_formula_of_no_number_and_of_float64():
    gone = compute(state(length=1 << 17, precision={"preset": "float16_everything"}), SHOWN)
    text = formula(gone, Cursor(view="precision", position=100_000, pair=0))
    assert "∞ (float16)" in text
    assert text.endswith("no number is left")
    exact = compute(state(precision={"preset": "exact"}), SHOWN)
    text = formula(exact, Cursor(view="precision", position=3, pair=1))
    assert "float" not in text
    assert text.endswith("off by 0")
    none = compute(LabState().change({"scheme": "alibi"}), SHOWN)
    assert precision_formula(none, Cursor(view="precision", position=3, pair=1)) == ""
    assert precision_formula(exact, Cursor(view="precision", position=3)) == ""


def test_formats_of_a_pipeline_are_those_of_the_state():
    made = state()
    assert made.precision.formats == Formats("bfloat16", "float32", "float32", "float32")
    assert pipeline(plain("rope"), made.precision.formats) == pipeline(made.built, made.precision.formats)
