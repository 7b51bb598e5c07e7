"""RoPE of 39 configurations of real models, as transformers computes it in float32."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import build
from tests.core.golden import gap, versions, worst
from tests.core.rope_cases import CASES, GOLDEN, golden_vectors, params_of, request, rope

TF = versions("rope.json", "transformers")
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def test_the_collection():
    assert len(CASES) == 39
    kinds = {params_of(case)["extension"] for case in CASES}
    assert kinds == {"none", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional"}
    assert {params_of(case)["layout"] for case in CASES} == {"half", "interleaved", "interleaved_half"}
    assert [case["id"] for case in CASES if case["evaluations"][0]["inv_freq"] is None] == ["gpt-j-6b"]
    without_scale = {case["id"] for case in CASES if case["softmax_scale"] is None}
    assert without_scale == {"gemma-4.full_attention", "gemma-4.sliding_attention"}
    partial = {case["id"] for case in CASES if case["rotary_dim"] < case["head_dim"]}
    assert partial == {"phi-2", "gpt-neox-20b", "pythia-6.9b", "gpt-j-6b", "stablelm-3b-4e1t", "glm-4-9b"}


@by_case
def test_inverse_frequencies(case, golden_record):
    for evaluation in case["evaluations"]:
        found = request(case, "inv_freq", evaluation["seq_len"])
        theirs = evaluation["inv_freq"]
        assert found.shape == (case["rotary_dim"] // 2,)
        if theirs is None:  # GPT-J keeps a table only; its angles at position 1 are the frequencies
            theirs = np.arctan2(evaluation["sin"][1], evaluation["cos"][1])
            assert evaluation["positions"][1] == 1
            assert worst(found, theirs) <= 5e-7 * 1.0 + 2e-7  # as for cosines and sines at position 1
            continue
        theirs = np.array(theirs)
        assert np.array_equal(found == 0, theirs == 0)
        turning = theirs != 0
        difference = found[turning] / theirs[turning] - 1
        assert golden_record("RoPE inverse frequencies", TF, difference, 5e-7, relative=True) <= 1


@by_case
def test_factor_and_scale(case, golden_record):
    for evaluation in case["evaluations"]:
        factor = request(case, "attention_factor", evaluation["seq_len"])
        difference = float(factor) - evaluation["attention_factor"]
        assert golden_record("RoPE attention factors", TF, difference, 1e-12) <= 1
        if case["softmax_scale"] is not None:
            scale = request(case, "softmax_scale", evaluation["seq_len"])
            assert golden_record("RoPE softmax scales", TF, float(scale) - case["softmax_scale"], 1e-12) <= 1


@by_case
@pytest.mark.parametrize("what", ["cos", "sin"])
def test_cosines_and_sines(case, what, golden_record):
    for evaluation in case["evaluations"]:
        positions = evaluation["positions"]
        found = request(case, what, evaluation["seq_len"], positions=positions)
        allowed = 5e-7 * np.outer(positions, rope(case, evaluation["seq_len"]).inv_freq()) + 2e-7
        difference = gap(found, evaluation[what])
        allowed *= evaluation["attention_factor"]
        assert golden_record("RoPE cosines and sines in float64", TF, difference, allowed) <= 1


@by_case
@pytest.mark.parametrize("what", ["cos", "sin"])
def test_cosines_and_sines_with_the_librarys_rounding(case, what, golden_record):
    """Asked for in float32, pairs whose frequency has the library's bits agree to 2e-7 at all positions."""
    for evaluation in case["evaluations"]:
        if evaluation["inv_freq"] is None:
            continue
        length, positions = evaluation["seq_len"], evaluation["positions"]
        frequencies = request(case, "inv_freq", length, arithmetic="float32")
        same = frequencies == rounded(evaluation["inv_freq"], "float32")
        assert np.count_nonzero(~same) <= 3
        found = request(case, what, length, positions=positions, arithmetic="float32")
        difference = gap(found, evaluation[what])[:, same]
        name = "RoPE cosines and sines in float32, frequency bits equal"
        assert golden_record(name, TF, difference, 2e-7) <= 1


@by_case
def test_inverse_frequencies_in_float32(case, golden_record):
    for evaluation in case["evaluations"]:
        if evaluation["inv_freq"] is None:
            continue
        found = request(case, "inv_freq", evaluation["seq_len"], arithmetic="float32")
        theirs = np.array(evaluation["inv_freq"])
        assert np.array_equal(found == 0, theirs == 0)
        difference = found[theirs != 0] / theirs[theirs != 0] - 1
        assert golden_record("RoPE inverse frequencies in float32", TF, difference, 5e-7, relative=True) <= 1


@by_case
def test_rotated_vectors(case, golden_record):
    query, _ = golden_vectors(case["head_dim"])
    positions = case["rotated"]["positions"]
    assert max(positions) <= 1000
    found = request(case, "rotate", case["rotated"]["seq_len"], vectors=query.tolist(), positions=positions)
    assert golden_record("RoPE rotated vectors", TF, gap(found, case["rotated"]["q"]), 3e-4) <= 1
    passed = np.tile(query[case["rotary_dim"] :], (len(positions), 1))
    assert np.array_equal(found[:, case["rotary_dim"] :], passed)


@by_case
def test_the_other_layout_would_not_pass(case):
    other = {"half": "interleaved"}.get(case["layout_in"], "half")
    query, _ = golden_vectors(case["head_dim"])
    params = params_of(case) | {"layout": other}
    scheme = build("rope", params, case["head_dim"], case["rotated"]["seq_len"])
    turned = scheme.rotate(query[None].repeat(2, 0), [0, 1])
    theirs = np.array(case["rotated"]["q"][:2])
    assert case["rotated"]["positions"][:2] == [0, 1]
    if case["layout_in"] == case["layout_out"]:
        assert worst(turned[0], theirs[0]) <= 3e-4  # position 0 is right in any layout
    assert worst(turned[1], theirs[1]) > 0.1


@by_case
def test_scores(case, golden_record):
    query, key = golden_vectors(case["head_dim"])
    assert case["scores"]["series"]
    for series in case["scores"]["series"]:
        at = series["key_position"]
        queries = [at + offset for offset in series["offsets"]]
        assert max(queries) <= 1777
        more = {"q": query.tolist(), "k": key.tolist(), "positions": queries, "key_positions": [at]}
        found = request(case, "scores", case["scores"]["seq_len"], **more)
        assert golden_record("RoPE scores", TF, gap(found[:, 0], series["q_dot_k"]), 3e-3) <= 1


@pytest.mark.parametrize("entry", GOLDEN["ntk_aware_fixed"], ids=lambda entry: entry["id"])
@pytest.mark.parametrize("library", ["rotary-embedding-torch", "x-transformers"])
def test_the_fixed_ntk_base(entry, library, golden_record):
    params = {"base": entry["base"], "extension": "ntk", "factor": entry["scale"]}
    difference = build("rope", params, entry["dim"], 128).inv_freq() / np.array(entry[library]) - 1
    libraries = versions("rope.json", library)
    assert golden_record("NTK-aware inverse frequencies", libraries, difference, 5e-7, relative=True) <= 1


def test_the_history_of_a_dynamic_module(golden_record):
    """A stateful library is reproduced call by call with the longest length it has seen since the last reset."""
    entry = GOLDEN["dynamic_history"]
    config, longest = entry["config"], 0
    trained = config["max_position_embeddings"]
    for call in entry["history"]:
        longest = 0 if call["seq_len"] < trained else max(longest, call["seq_len"])
        params = {"base": config["rope_theta"], "extension": "dynamic", "trained_length": trained}
        params |= {"factor": config["rope_scaling"]["factor"], "longest_length": longest or None}
        found = build("rope", params, config["hidden_size"] // config["num_attention_heads"], call["seq_len"])
        difference = found.inv_freq()[1] / call["inv_freq_1"] - 1
        assert golden_record("Dynamic NTK, call by call", TF, difference, 5e-7, relative=True) <= 1
        if longest:
            assert call["cached_len"] == longest


def test_position_interpolation(golden_record):
    entry = GOLDEN["position_interpolation"]
    query, _ = golden_vectors(entry["dim"])
    params = {"extension": "linear", "factor": entry["factor"], "layout": entry["layout"]}
    scheme = build("rope", params, entry["dim"], 128)
    found = scheme.rotate(query[None].repeat(len(entry["positions"]), 0), entry["positions"])
    libraries = versions("rope.json", entry["library"])
    assert golden_record("RoPE rotated vectors", libraries, gap(found, entry["rotated_q"]), 3e-4) <= 1
