"""The grid pane: exact cells at any size, marks, runs of text, axes of the pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pe_desktop.core.schemes  # noqa: F401  (registers every scheme)
from pe_desktop.core.formula import formula
from pe_desktop.core.part_grid import PANE, grid_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState


def part_of(viewport=None, **changes):
    return grid_part(LabState().change(changes), viewport or Viewport())


@pytest.mark.parametrize("scheme", ["mrope", "axial", "sincos2d"])
def test_every_cell_is_the_similarity_of_its_patch(scheme):
    part = part_of(scheme=scheme, position=40, key_position=20)
    made = LabState().change({"scheme": scheme, "position": 40, "key_position": 20}).built
    rows, columns = part.shape
    tokens = part.first + np.arange(rows * columns)
    expected = made.likeness(40, tokens.astype(float)).reshape(rows, columns)
    assert np.abs(part.values - expected).max() < 1e-6
    assert (part.low, part.high) == (part.values.min(), part.values.max())
    for cell, position in ((part.spot, 40), (part.key, 20)):
        assert part.first + cell[0] * columns + cell[1] == position
    at = made.coordinates(tokens)
    assert list(part.labels) == [",".join(f"{value:.0f}" for value in row) for row in at.tolist()]
    assert part.held.all()


@settings(max_examples=40)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 12), st.integers(1, 12), st.integers(0, 300))
def test_blocks_are_means(rows, columns, high, wide, spot):
    params = {"image_rows": rows, "image_columns": columns, "text_before": 3}
    length = 3 + rows * columns + 5
    changes = {
        "scheme": "mrope",
        "length": length,
        "dimension": 12,
        "params": params,
        "position": min(spot, length - 1),
    }
    part = part_of(Viewport(grid=(high, wide)), **changes)
    single = part_of(Viewport(grid=(40, 40)), **changes)
    assert single.values.shape == (rows, columns)
    assert part.values.shape[0] <= high
    assert part.values.shape[1] <= wide
    for (i, j), value in np.ndenumerate(part.values):
        down = slice(i * part.row_step, (i + 1) * part.row_step)
        across = slice(j * part.column_step, (j + 1) * part.column_step)
        assert value == pytest.approx(single.values[down, across].mean(), abs=1e-6)


def test_a_grid_of_a_million_patches():
    params = {"grid_columns": 1024}
    part = part_of(scheme="axial", length=1 << 20, params=params, position=300_000, key_position=300_000 + 1024)
    assert part.shape == (1024, 1024)
    assert (part.row_step, part.column_step) == (5, 5)
    assert part.labels == ()
    assert part.point == "mean of 5 × 5 patches"
    assert part.spot == divmod(300_000, 1024)
    scheme = LabState().change({"scheme": "axial", "length": 1 << 20, "params": params}).built
    tokens = (100 * 5 + np.arange(5))[:, None] * 1024 + 7 * 5 + np.arange(5)
    assert part.values[100, 7] == pytest.approx(scheme.likeness(300_000, tokens.ravel().astype(float)).mean(), abs=1e-6)


def test_patches_that_the_sequence_does_not_reach():
    part = part_of(scheme="mrope", length=20, position=12, key_position=3)
    assert part.patches == 12
    assert int(part.held.sum()) == 12
    assert part.held[1].tolist() == [True] * 4 + [False] * 4
    assert (part.spot, part.key) == ((0, 4), None)
    assert part.after == ()
    ragged = part_of(scheme="axial", length=100, params={"grid_columns": 24})
    assert (ragged.shape, int(ragged.held.sum())) == ((5, 24), 100)
    short = part_of(scheme="axial", length=10, params={"grid_columns": 24}, position=4, key_position=9)
    assert short.shape == (1, 10)


def test_no_patch_at_all():
    part = part_of(scheme="mrope", length=8, position=3, key_position=2)
    assert part.kind == "text"
    assert part.sentence.startswith("No patch is in sight: the 8 tokens before the image fill the sequence of 8.")


def test_the_frame_of_the_spot_else_of_the_key():
    params = {"frames": 5, "image_rows": 3, "image_columns": 4, "text_before": 10}
    for position, key, frame in ((10 + 2 * 12 + 5, 0, 2), (3, 10 + 4 * 12, 4), (3, 5, 0), (75, 74, 0)):
        part = part_of(scheme="mrope", params=params, position=position, key_position=key)
        assert part.first == 10 + 12 * frame
        assert part.title.startswith(f"Frame {frame + 1} of 5")
    assert part_of(scheme="mrope", params=params, position=34).labels[0] == "12,10,10"


@pytest.mark.parametrize(
    ("position", "key", "said"),
    [
        (10, 21, ""),
        (10, 10, ""),
        (10, 22, " Not marked: key 22 is in frame 2."),
        (69, 10, " Not marked: key 10 is in frame 1."),
        (10, 9, " Not marked: key 9 is text."),
        (9, 69, " Not marked: query 9 is text."),
        (9, 70, " Not marked: both are text."),
        (9, 9, " Not marked: query 9 is text."),
    ],
)
def test_what_is_not_marked_is_said(position, key, said):
    """Five frames of 12 patches, from token 10 on: a mark has its place in one frame alone."""
    params = {"frames": 5, "image_rows": 3, "image_columns": 4, "text_before": 10}
    part = part_of(scheme="mrope", params=params, position=position, key_position=key)
    _, _, after = part.sentence.partition("The cells reach from ")
    assert after.partition(".")[0]
    assert ("Not marked" in part.sentence) == bool(said)
    assert part.sentence.endswith(said)


def test_coordinates_of_text_are_one_number():
    scheme = LabState().change({"scheme": "mrope"}).built
    assert [scheme.place(position) for position in (3, 8, 72)] == ["t = h = w = 3", "t 8, h 8, w 8", "t = h = w = 16"]
    assert scheme.describe(3, 0).startswith("Token 3: t = h = w = 3. ")


def test_a_class_token_is_not_marked():
    class_token = {"scheme": "sincos2d", "params": {"class_token": True}}
    key = part_of(**class_token, position=5, key_position=0)
    assert key.sentence.endswith(" Not marked: spot 0 is the class token.")
    spot = part_of(**class_token, position=0, key_position=5)
    assert spot.sentence == "Spot 0 is the class token, a row of zeros: its similarity to every patch is 0."


def test_runs_of_text_around_the_patches():
    part = part_of(scheme="mrope")
    assert part.before[0] == "text, tokens 0 – 7: t = h = w = 0 – 7"
    assert part.after[0] == "text, tokens 72 – 127: t = h = w = 16 – 71"
    assert part_of(scheme="mrope", length=73, params={"text_before": 0}).before == ()
    one = part_of(scheme="mrope", length=74, params={"text_before": 1})
    assert one.before[0] == "text, token 0: t = h = w = 0"
    assert one.after[0] == "text, tokens 65 – 73: t = h = w = 9 – 17"
    cls = part_of(scheme="sincos2d", params={"class_token": True})
    assert cls.before[0] == "class token 0: a row of zeros"
    assert cls.after == part_of(scheme="axial").before == ()


def test_the_spot_on_a_class_token():
    part = part_of(scheme="sincos2d", params={"class_token": True}, position=0)
    assert not part.values.any()
    assert part.spot is None
    assert "similarity to every patch is 0" in part.sentence


def test_axes_of_the_pairs():
    part = part_of(scheme="mrope", params={"sections": [0, 12, 20]})
    assert part.axis_names == ("t", "h", "w")
    assert part.axis_notes[0] == ("no pair",)
    assert part.axis_notes[1] == ("12 pairs, λ 6.28 – 149 steps", "12 pairs, λ 6.28 – 149", "12 pairs")
    assert np.bincount(part.pair_axis, minlength=3).tolist() == [0, 12, 20]
    assert 2 * np.pi * 10000 ** (22 / 64) == pytest.approx(149, abs=0.5)


@pytest.mark.parametrize("scheme", list(REGISTRY))
def test_every_scheme_has_a_grid_or_says_why_not(scheme):
    part = part_of(scheme=scheme)
    several = scheme in ("mrope", "axial", "sincos2d")
    assert part.kind == ("grid" if several else "text")
    if not several:
        assert part.sentence.endswith("there is no grid.")
        assert ("one coordinate per token" in part.sentence) == (scheme not in ("none",) and "key" not in part.sentence)


def test_the_pane_is_made_while_shown_and_kept_while_nothing_changes():
    state, viewport = LabState().change({"scheme": "axial"}), Viewport(shown=frozenset({"grid"}))
    first = compute(state, viewport)
    assert PANE.is_quick(state, viewport)
    assert compute(state.change({"seed": 3}), viewport, previous=first).panes["grid"] is first.panes["grid"]
    assert compute(state.change({"position": 3}), viewport, previous=first).panes["grid"] is not first.panes["grid"]
    assert "grid" not in compute(state, Viewport()).panes
    assert not first.panes["grid"].values.flags.writeable


def test_formulas_of_patches_and_pairs():
    part = compute(LabState().change({"scheme": "mrope", "position": 12, "key_position": 20}), Viewport())
    text = formula(part, Cursor(view="grid", position=30))
    assert text.startswith("token 30 = 8 + 2 × 8 + 6 → t 8, h 10, w 14;")
    assert "Σcos(2·θ) over w" in text
    assert float(text.rsplit("= ", 1)[1]) == pytest.approx(part.scheme.profile(12, np.array([30.0]))[0], abs=5e-5)
    assert formula(part, Cursor(view="grid", position=3)).startswith("token 3 → t = h = w = 3;")
    pair = formula(part, Cursor(view="grid", pair=9))
    assert "pair 9 reads h" in pair
    assert "(h of m − h of n)·θ = (8 − 9)" in pair
    video = {"scheme": "mrope", "params": {"frames": 3, "image_rows": 2, "image_columns": 3}}
    assert formula(compute(LabState().change(video), Viewport()), Cursor(view="grid", position=21)).startswith(
        "token 21 = 8 + 2 × 6 + 0 × 3 + 1 → t 10, h 8, w 9;"
    )


def test_the_sentence_quotes_the_numbers():
    part = part_of(scheme="mrope", position=12, key_position=20)
    scheme = LabState().change({"scheme": "mrope"}).built
    value = scheme.profile(12, np.array([20.0]))[0]
    assert f"key 20 (t 8, h 9, w 12): score {value:.4f} of that at gap 0" in part.sentence
    assert part.sentence.endswith(f"The cells reach from {part.low:.3f} to {part.high:.3f}.")
    alike = part_of(scheme="mrope", params={"image_rows": 1, "image_columns": 1}, position=8, key_position=8)
    assert alike.sentence == "Query 8 is at t 8, h 8, w 8. All cells are 1.000."
