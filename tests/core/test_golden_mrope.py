"""M-RoPE, its position indices, and the 2-D rotary of a vision tower, as transformers computes them."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

GOLDEN = read("mrope.json")
TF = versions("mrope.json", "transformers")
CASES = GOLDEN["cases"]
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def params_of(case):
    config = case["config"]
    rope = config.get("rope_parameters", {}) | config.get("rope_scaling", {}) | {"base": config.get("rope_theta")}
    return {
        "base": float(rope["base"] or rope["rope_theta"]),
        "sections": rope["mrope_section"],
        "interleaved": rope.get("mrope_interleaved", False),
        "layout": case["pairing_of_columns"],
    }


def request(case, what, **more):
    return answer({"scheme": "mrope", "params": params_of(case), "dimension": 128, "what": what, **more})["values"]


def on_columns(scheme, each):
    """Something per pair as the library lays it out over its columns."""
    out = np.empty((*each.shape[:-1], 2 * each.shape[-1]))
    for where in scheme.pairs():
        out[..., where] = each
    return out


def test_the_selection():
    assert [params_of(case)["sections"] for case in CASES] == [[16, 24, 24], [24, 20, 20]]
    assert [params_of(case)["interleaved"] for case in CASES] == [False, True]


@by_case
def test_which_axis_each_column_reads(case):
    scheme = build("mrope", params_of(case), 128, 64)
    assert on_columns(scheme, request(case, "axis")).tolist() == case["column_axis"]


@by_case
def test_frequencies(case, golden_record):
    scheme = build("mrope", params_of(case), 128, 64)
    found = request(case, "inv_freq")
    for ours, theirs in ((found, "inv_freq"), (on_columns(scheme, found), "column_inv_freq")):
        difference = ours / np.array(case[theirs]) - 1
        assert golden_record("M-RoPE inverse frequencies", TF, difference, 5e-7, relative=True) <= 1


@by_case
@pytest.mark.parametrize("what", ["cos", "sin"])
def test_cosines_and_sines(case, what, golden_record):
    scheme = build("mrope", params_of(case), 128, 64)
    coordinates = np.array(case["positions_by_axis"]).T.tolist()
    found = request(case, what, coordinates=coordinates)
    difference = gap(on_columns(scheme, found), case[what])
    assert golden_record("M-RoPE cosines and sines", TF, difference, 2e-4) <= 1
    angles = scheme.angles_at(np.array(coordinates, dtype=float))
    assert np.array_equal(getattr(np, what)(angles), found)


@by_case
def test_the_other_convention_would_not_pass(case):
    params = params_of(case)
    other = build("mrope", params | {"interleaved": not params["interleaved"], "sections": None}, 128, 64)
    assert on_columns(other, other.pair_axis()).tolist() != case["column_axis"]


@pytest.mark.parametrize(
    ("name", "params", "length"),
    [
        ("positions", {"text_before": 3, "image_rows": 2, "image_columns": 3}, 13),
        ("positions_video", {"text_before": 2, "image_rows": 2, "image_columns": 2, "frames": 8}, 37),
    ],
)
def test_position_indices_of_a_prompt(name, params, length, golden_record):
    golden = GOLDEN[name]
    scheme = build("mrope", params | {"text_after": "qwen2_vl"}, 64, length)
    found = scheme.coordinates(range(length))
    difference = gap(found.T, [golden[axis] for axis in "thw"])
    assert golden_record("M-RoPE position indices", TF, difference, 0.0) <= 1
    assert golden_record("M-RoPE position indices", TF, scheme.rope_delta - golden["rope_delta"], 0.0) <= 1
    request = {"scheme": "mrope", "params": params | {"text_after": "qwen2_vl"}, "length": length}
    assert answer(request | {"what": "rope_delta"})["values"] == golden["rope_delta"]
    assert answer(request | {"what": "coordinates"})["values"].T.tolist() == [golden[axis] for axis in "thw"]


def test_the_papers_rule_differs_for_the_video_only():
    image = {"text_before": 3, "image_rows": 2, "image_columns": 3}
    assert build("mrope", image, 64, 13).coordinates(range(13)).T.tolist() == [GOLDEN["positions"][a] for a in "thw"]
    video = {"text_before": 2, "image_rows": 2, "image_columns": 2, "frames": 8}
    scheme = build("mrope", video, 64, 37)
    assert scheme.coordinates([34, 35, 36]).tolist() == [[10] * 3, [11] * 3, [12] * 3]
    assert scheme.rope_delta == 12 + 1 - 37


AXIAL = GOLDEN["axial"]


def axial(columns=64):
    return build("axial", {"grid_columns": columns}, 80, 4096)


def test_axial_frequencies_and_axes(golden_record):
    scheme = axial()
    difference = scheme.inv_freq()[:20] / np.array(AXIAL["inv_freq"]) - 1
    assert golden_record("Axial RoPE inverse frequencies", TF, difference, 5e-7, relative=True) <= 1
    assert np.array_equal(scheme.inv_freq()[:20], scheme.inv_freq()[20:])
    assert on_columns(scheme, scheme.pair_axis()).tolist() == AXIAL["column_axis"]


@pytest.mark.parametrize("what", ["cos", "sin"])
def test_axial_cosines_and_sines(what, golden_record):
    scheme = axial()
    request = {"scheme": "axial", "dimension": 80, "what": what, "coordinates": AXIAL["positions_h_w"]}
    tokens = [row * 64 + column for row, column in AXIAL["positions_h_w"]]
    for found in (answer(request)["values"], getattr(np, what)(scheme.angles(tokens))):
        difference = gap(on_columns(scheme, found), AXIAL[what])
        assert golden_record("Axial RoPE cosines and sines", TF, difference, 2e-4) <= 1
