"""RoPE of 23 real models, as transformers computes it in float32."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer
from tests.core.golden import read, worst

GOLDEN = read("rope_plain.json")
CASES = GOLDEN["cases"]
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def base_of(case):
    """The base in the model's configuration; GPT-J has it hard-wired."""
    return float(case.get("effective_rope_parameters", {"rope_theta": 10000.0})["rope_theta"])


def rope(case):
    params = {"base": base_of(case), "layout": case["layout_in"], "rotary_dimension": case["rotary_dim"]}
    return build("rope", params, case["head_dim"], 131072)


def request(case, what, **more):
    scheme = rope(case)
    return answer(
        {"scheme": "rope", "params": scheme.effective(), "dimension": scheme.dimension, "length": 131072}
        | {"what": what, **more}
    )["values"]


def golden_vectors(width):
    index = np.arange(width)
    query, key = np.cos(0.7 * index + 0.3), np.sin(0.4 * index + 1.1)
    return query.astype(np.float32).astype(np.float64), key.astype(np.float32).astype(np.float64)


def test_the_selection():
    assert len(CASES) == 23
    assert {case["layout_in"] for case in CASES} == {"half", "interleaved"}
    assert all(case["layout_in"] == case["layout_out"] for case in CASES)
    assert [case["id"] for case in CASES if case["evaluations"][0]["inv_freq"] is None] == ["gpt-j-6b"]
    assert [case["id"] for case in CASES if case["softmax_scale"] is None] == ["gemma-4.sliding_attention"]
    partial = {case["id"] for case in CASES if case["rotary_dim"] < case["head_dim"]}
    assert partial == {"phi-2", "gpt-neox-20b", "pythia-6.9b", "gpt-j-6b", "stablelm-3b-4e1t", "glm-4-9b"}


@by_case
def test_inverse_frequencies(case):
    found = request(case, "inv_freq")
    assert found.shape == (case["rotary_dim"] // 2,)
    for evaluation in case["evaluations"]:
        theirs = evaluation["inv_freq"]
        if theirs is None:  # GPT-J keeps a table only; its angles at position 1 are the frequencies
            theirs = np.arctan2(evaluation["sin"][1], evaluation["cos"][1])
            assert evaluation["positions"][1] == 1
            assert worst(found, theirs) <= 5e-7 * 1.0 + 2e-7  # as for cosines and sines at position 1
        else:
            assert (np.abs(found - theirs) / np.array(theirs)).max() <= 5e-7


@by_case
def test_factor_and_scale(case):
    for evaluation in case["evaluations"]:
        assert abs(float(request(case, "attention_factor")) - evaluation["attention_factor"]) <= 1e-12
    if case["softmax_scale"] is not None:
        assert abs(float(request(case, "softmax_scale")) - case["softmax_scale"]) <= 1e-12


@by_case
@pytest.mark.parametrize("what", ["cos", "sin"])
def test_cosines_and_sines(case, what):
    for evaluation in case["evaluations"]:
        positions = evaluation["positions"]
        found = request(case, what, positions=positions)
        allowed = 5e-7 * np.outer(positions, rope(case).inv_freq()) + 2e-7
        theirs = np.array(evaluation[what])
        assert found.shape == theirs.shape
        assert (np.abs(found - theirs) / (evaluation["attention_factor"] * allowed)).max() <= 1.0


@by_case
@pytest.mark.parametrize("what", ["cos", "sin"])
def test_cosines_and_sines_with_the_librarys_rounding(case, what):
    """The library rounds frequency and angle to float32; done the same way, all positions agree to 2e-7."""
    for evaluation in case["evaluations"]:
        if evaluation["inv_freq"] is None:
            continue
        frequencies = np.array(evaluation["inv_freq"], dtype=np.float32)
        assert (np.abs(rope(case).inv_freq() / frequencies - 1)).max() <= 5e-7
        angles = np.outer(np.array(evaluation["positions"], dtype=np.float32), frequencies)
        assert angles.dtype == np.float32
        assert worst(getattr(np, what)(angles.astype(np.float64)), evaluation[what]) <= 2e-7


@by_case
def test_rotated_vectors(case):
    query, _ = golden_vectors(case["head_dim"])
    positions = case["rotated"]["positions"]
    assert max(positions) <= 1000
    found = request(case, "rotate", vectors=query.tolist(), positions=positions)
    assert worst(found, case["rotated"]["q"]) <= 3e-4
    passed = np.tile(query[case["rotary_dim"] :], (len(positions), 1))
    assert np.array_equal(found[:, case["rotary_dim"] :], passed)


@by_case
def test_the_other_layout_would_not_pass(case):
    other = {"half": "interleaved", "interleaved": "half"}[case["layout_in"]]
    query, _ = golden_vectors(case["head_dim"])
    params = rope(case).effective() | {"layout": other}
    turned = build("rope", params, case["head_dim"], 2048).rotate(query[None].repeat(2, 0), [0, 1])
    theirs = np.array(case["rotated"]["q"][:2])
    assert case["rotated"]["positions"][:2] == [0, 1]
    assert worst(turned[0], theirs[0]) <= 3e-4  # position 0 is right in any layout
    assert worst(turned[1], theirs[1]) > 0.1


@by_case
def test_scores(case):
    query, key = golden_vectors(case["head_dim"])
    assert case["scores"]["series"]
    for series in case["scores"]["series"]:
        at = series["key_position"]
        queries = [at + offset for offset in series["offsets"]]
        assert max(queries) <= 1777
        found = request(case, "scores", q=query.tolist(), k=key.tolist(), positions=queries, key_positions=[at])
        assert worst(found[:, 0], series["q_dot_k"]) <= 3e-3
