"""M-RoPE and 2-D RoPE: sections, prompts, and scores that depend on the step along each axis alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Viewport
from pe_desktop.core.properties import relative, rotation_residual
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import build
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState

MILLION = 1 << 20
sides = st.integers(1, 9)


@st.composite
def prompts(draw):
    return {
        "text_before": draw(st.integers(0, 12)),
        "image_rows": draw(sides),
        "image_columns": draw(sides),
        "frames": draw(st.integers(1, 12)),
        "text_after": draw(st.sampled_from(["maximum", "qwen2_vl"])),
    }


def walk(prompt, length):
    """Coordinates token by token."""
    start, rows, columns = prompt["text_before"], prompt["image_rows"], prompt["image_columns"]
    found = [[p] * 3 for p in range(start)]
    for frame in range(prompt["frames"]):
        found += [[start + frame, start + row, start + column] for row in range(rows) for column in range(columns)]
    largest = max(max(each) for each in found[start:])
    at = largest + 1 if prompt["text_after"] == "maximum" else start + max(rows, columns)
    found += [[at + k] * 3 for k in range(max(0, length - len(found)))]
    return found[:length]


@given(prompts(), st.integers(2, 900))
def test_coordinates_and_rope_delta_token_by_token(prompt, length):
    scheme = build("mrope", prompt, 16, length)
    expected = walk(prompt, length)
    assert scheme.coordinates(range(length)).tolist() == expected
    assert scheme.rope_delta == max(map(max, expected)) + 1 - length


@given(st.integers(1, 200), st.booleans(), st.sampled_from(["thw", "hwt"]))
def test_derived_sections_are_valid_at_any_width(pairs, interleaved, order):
    params = {"interleaved": interleaved, "order": order}
    scheme = build("mrope", params, 2 * pairs, 64)
    sections = scheme.effective()["sections"]
    assert sum(sections) == pairs
    given_back = build("mrope", params | {"sections": sections}, 2 * pairs, 64)
    assert np.array_equal(given_back.pair_axis(), scheme.pair_axis())
    counts = np.bincount(scheme.pair_axis(), minlength=3)
    assert counts.tolist() == [sections[scheme.section_axes.index(name)] for name in scheme.axes]


def test_the_shares_are_those_of_the_models():
    for params, sections in (
        ({}, (16, 24, 24)),
        ({"interleaved": True}, (24, 20, 20)),
        ({"order": "hwt"}, (22, 22, 20)),
    ):
        assert build("mrope", params, 128, 64).effective()["sections"] == sections


def test_the_three_arrangements():
    def axes(**params):
        return "".join("thw"[axis] for axis in build("mrope", params, 24, 64).pair_axis())

    assert axes(sections=[3, 4, 5]) == "ttthhhhwwwww"
    assert axes(sections=[6, 3, 3], interleaved=True) == "thwthwthwttt"
    assert axes(sections=[6, 4, 2], interleaved=True) == "thwthwthttht"
    assert axes(sections=[5, 4, 3], order="hwt") == "hwhwhwhwhttt"


@pytest.mark.parametrize(
    ("params", "words", "nearest"),
    [
        ({"sections": [8, 12, 13]}, "sum to 33, but there are 32 pairs", [8, 12, 12]),
        ({"sections": [16, 24, 24]}, "sum to 64, but there are 32 pairs", [8, 12, 12]),
        ({"sections": [8, 24]}, "has 2 numbers; it must have three, for t, h, w", [8, 12, 12]),
        ({"sections": [0, 0, 0]}, "sum to 0", [8, 12, 12]),
        ({"sections": [32]}, "has 1 number;", [8, 12, 12]),
        ({"sections": [8, 14, 10], "interleaved": True}, "h can have at most 11 and w at most 10 of 32", [11, 11, 10]),
        ({"sections": [11, 10, 11], "interleaved": True}, "w at most 10", [12, 10, 10]),
        ({"sections": [12, 10, 10], "order": "hwt"}, "equally many pairs or h one more", [11, 11, 10]),
        ({"sections": [10, 11, 11], "order": "hwt"}, "h and w take turns", [11, 10, 11]),
        ({"sections": [16, 24, 25], "rotary_dimension": 32}, "16 pairs (rotary width 32 / 2)", [4, 6, 6]),
    ],
)
def test_refused_sections_and_the_nearest_valid_ones(params, words, nearest):
    with pytest.raises(FieldError) as refused:
        build("mrope", params, 64, 128)
    assert words in refused.value.message
    assert refused.value.field == "sections"
    fix = refused.value.fixes[0].changes["params"]
    assert fix == {"sections": nearest}
    assert build("mrope", params | fix, 64, 128).effective()["sections"] == tuple(nearest)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=4), st.integers(1, 60), st.booleans(), st.booleans())
def test_every_refusal_has_a_way_out(sections, pairs, interleaved, ernie):
    params = {"sections": sections, "interleaved": interleaved, "order": "hwt" if ernie else "thw"}
    try:
        build("mrope", params, 2 * pairs, 64)
    except FieldError as error:
        fixed = build("mrope", params | error.fixes[0].changes["params"], 2 * pairs, 64)
        assert sum(fixed.sections) == pairs


@pytest.mark.parametrize(
    ("name", "dimension", "nearest"),
    [
        ("axial", 66, [64, 68]),
        ("axial", 2, [4]),
        ("sincos2d", 8191, [8188, 8192]),
        ("mrope", 7, [6, 8]),
        ("xpos", 3, [2, 4]),
    ],
)
def test_widths_that_do_not_fit(name, dimension, nearest):
    with pytest.raises(FieldError) as refused:
        build(name, {}, dimension, 64)
    assert refused.value.field == "dimension"
    assert [fix.changes["dimension"] for fix in refused.value.fixes] == nearest
    assert all(f"{each:,}" in refused.value.message for each in nearest)


def test_text_alone_is_plain_rope():
    params = {"text_before": 500, "rotary_dimension": 48, "base": 5e5}
    mrope = build("mrope", params, 64, 500)
    rope = build("rope", {"rotary_dimension": 48, "base": 5e5}, 64, 500)
    assert np.array_equal(mrope.angles(range(500)), rope.angles(range(500)))
    assert mrope.rope_delta == 0
    assert np.abs(mrope.profile(40, np.arange(500.0)) - rope.profile(40, np.arange(500.0))).max() < 1e-12
    assert relative(mrope).holds is True


@given(prompts(), st.integers(0, 400), st.integers(2, 24).map(lambda half: 2 * half))
def test_the_profile_is_that_of_the_angles(prompt, spot, dimension):
    scheme = build("mrope", prompt | {"rotary_dimension": dimension}, dimension + 3, 400)
    positions = np.arange(400.0)
    expected = Rotary.profile(scheme, spot, positions)
    assert np.abs(scheme.profile(spot, positions) - expected).max() < 1e-12
    some = np.array([399.0, 0.0, 17.0, 17.0])
    assert np.abs(scheme.profile(spot, some) - expected[some.astype(int)]).max() < 1e-12


def test_the_profile_far_out():
    scheme = build("axial", {"grid_columns": 1000}, 64, MILLION)
    positions = np.arange(MILLION - 3000.0, MILLION)
    assert np.abs(scheme.profile(5, positions) - Rotary.profile(scheme, 5, positions)).max() < 1e-9


@given(sides, st.data())
def test_equal_steps_give_equal_scores(columns, data):
    scheme = build("axial", {"grid_columns": columns}, 8, 400)
    row, column = data.draw(st.integers(0, 9)), data.draw(st.integers(0, columns - 1))
    down, across = data.draw(st.integers(0, 9)), data.draw(st.integers(0, columns - 1 - column))
    here, origin = (
        scheme.profile(at, np.array([at + down * columns + across]))[0] for at in (row * columns + column, 0)
    )
    assert here == pytest.approx(origin, abs=1e-12)


def test_a_spread_of_positions_does_not_overlook_the_ends_of_rows():
    """1,024 columns and probes at multiples of 69,905: none of them near the end of a row."""
    scheme = build("axial", {"grid_columns": 1024}, 64, MILLION)
    assert relative(scheme).holds is False
    assert rotation_residual(scheme, 8) > 0.1
    assert rotation_residual(scheme, 1024) < 1e-6
    assert relative(build("axial", {"grid_columns": 1024}, 64, 1024)).holds is True


def test_words_of_a_prompt():
    def notes(**changes):
        length = changes.pop("length", 128)
        return build("mrope", changes, 64, length).notes()

    assert notes() == ("rope_delta −56: 128 tokens reach position 71 only.",)
    assert notes(length=20) == ("The sequence ends early: it holds only 12 of the 64 patches.",)
    assert notes(length=8)[0].startswith("The sequence ends early: it holds none")
    assert notes(text_before=127, image_rows=1, image_columns=1) == ()
    late = notes(frames=12, image_rows=2, image_columns=2, text_after="qwen2_vl")
    assert late[1] == "Text after the video starts at 10, below its last t 19 (as transformers' qwen2_vl does)."


@pytest.mark.parametrize("name", ["mrope", "axial"])
def test_dials_turn_by_the_step_along_their_axis(name):
    part = compute(LabState().change({"scheme": name, "position": 13, "key_position": 40}), Viewport())
    scheme, dials = part.scheme, part.rotation
    steps = (scheme.coordinates([13]) - scheme.coordinates([40]))[0]
    assert np.abs(dials.arc - (steps[scheme.pair_axis()] * scheme.inv_freq())).max() < 1e-12
    assert np.abs(dials.query * np.conj(dials.key) - np.exp(1j * dials.arc)).max() < 1e-12
    assert all(
        f"{name} {step:.0f}".replace("-", "−") in dials.sentence for name, step in zip(scheme.axes, steps, strict=True)
    )
    assert "arc" not in dials.shift_note
    assert compute(LabState().change({"scheme": "rope"}), Viewport()).rotation.shift_note.endswith("so does every arc")


def test_the_curve_names_its_neighbours():
    scheme = build("mrope", {}, 64, 128)
    sentence = compute(LabState().change({"scheme": "mrope", "position": 20}), Viewport()).similarity.sentence
    right, down = scheme.profile(20, np.array([21.0, 28.0]))
    assert f"one patch right (21) {right:.2f}, one down (28) {down:.2f}." in sentence
    edge = compute(LabState().change({"scheme": "mrope", "position": 15}), Viewport()).similarity.sentence
    assert "right" not in edge
    assert "one down (23)" in edge
    tall = {"scheme": "axial", "params": {"grid_columns": 1}}
    assert "one down (13)" in compute(LabState().change(tall), Viewport()).similarity.sentence


@pytest.mark.parametrize("name", ["mrope", "axial", "sincos2d"])
def test_a_long_curve_is_exact_and_its_stand_in_lies_within(name):
    params = {"grid_columns": 700} if name != "mrope" else {"image_rows": 300, "image_columns": 400}
    state = LabState().change(
        {"scheme": name, "length": 300_000, "position": 150_000, "dimension": 8, "params": params}
    )
    quick, full = (compute(state, Viewport(curve=200), full=full).similarity for full in (False, True))
    assert not quick.exact
    assert full.exact
    scheme, block = state.built, int(full.x[7] - (full.x[1] - full.x[0]) / 2 + 0.5)
    width = round(full.x[1] - full.x[0])
    every = scheme.likeness(150_000, np.arange(block, block + width, dtype=float))
    assert (full.low[7], full.high[7]) == (pytest.approx(every.min(), abs=1e-9), pytest.approx(every.max(), abs=1e-9))
    assert (quick.low >= full.low - 1e-9).all()
    assert (quick.high <= full.high + 1e-9).all()
