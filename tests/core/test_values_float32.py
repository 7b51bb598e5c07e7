"""Values in float32: equal to the library's, and refused where no library computes so."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.errors import FieldError
from pe_desktop.core.rounding import rounded
from pe_desktop.core.values import answer
from pe_desktop.core.values_float32 import WHAT
from tests.core.rope_cases import CASES, golden_vectors, request, rope
from tests.core.strategies import ALL, attempt

WITH_TABLE = [case for case in CASES if case["evaluations"][0]["inv_freq"] is not None]
by_case = pytest.mark.parametrize("case", WITH_TABLE, ids=lambda case: case["id"])
SLACK = 1.0 + 1e-12


def ask(name="rope", what="inv_freq", **more):
    return answer({"scheme": name, "what": what, "arithmetic": "float32", **more})


@by_case
def test_frequencies_cosines_and_sines_are_the_librarys(case):
    for evaluation in case["evaluations"]:
        length, places = evaluation["seq_len"], np.array(evaluation["positions"], dtype=float)
        ours = request(case, "inv_freq", length, arithmetic="float32")
        theirs = rounded(evaluation["inv_freq"], "float32")
        assert (np.abs(ours - theirs) <= 3e-7 * theirs).all()
        # Where the frequency has the library's bits, so has the angle at any position; else it is off by a step.
        allowed = evaluation["attention_factor"] * np.outer(places, 2.5 * np.abs(ours - theirs)) + 2.6e-7
        assert allowed[:, ours == theirs].max() == 2.6e-7
        for what in ("cos", "sin"):
            found = request(case, what, length, positions=places.tolist(), arithmetic="float32")
            assert np.array_equal(rounded(found, "float32"), found)
            assert (np.abs(found - np.array(evaluation[what])) <= allowed).all()


@by_case
def test_rotated_vectors_and_scores_are_the_librarys(case):
    query, key = golden_vectors(case["head_dim"])
    places = case["rotated"]["positions"]
    length, more = case["rotated"]["seq_len"], {"vectors": query.tolist(), "positions": places}
    found = request(case, "rotate", length, arithmetic="float32", **more)
    assert np.abs(found - np.array(case["rotated"]["q"])).max() <= 3e-4
    for series in case["scores"]["series"]:
        at, queries = series["key_position"], [series["key_position"] + offset for offset in series["offsets"]]
        more = {"q": query.tolist(), "k": key.tolist(), "positions": queries, "key_positions": [at]}
        found = request(case, "scores", case["scores"]["seq_len"], arithmetic="float32", **more)
        assert np.abs(found[:, 0] - series["q_dot_k"]).max() <= 3e-3


def test_plain_rope_is_far_closer_to_the_library_than_float64_is():
    case = next(case for case in CASES if case["id"] == "llama-2-7b")
    evaluation, places = case["evaluations"][0], case["evaluations"][0]["positions"]
    off = {
        arithmetic: np.abs(
            request(case, "cos", positions=places, arithmetic=arithmetic) - np.array(evaluation["cos"])
        ).max()
        for arithmetic in ("float64", "float32")
    }
    assert off["float32"] <= 2e-7 < 1e-3 < off["float64"]
    query, _ = golden_vectors(128)
    more = {"vectors": query.tolist(), "positions": case["rotated"]["positions"]}
    assert np.abs(request(case, "rotate", arithmetic="float32", **more) - case["rotated"]["q"]).max() <= 3e-7


def test_a_vector_is_turned_operation_by_operation():
    case = next(case for case in CASES if case["id"] == "llama-2-7b")
    query, _ = golden_vectors(128)
    cos, sin = (request(case, what, positions=[777], arithmetic="float32")[0] for what in ("cos", "sin"))
    cos, sin, vector = (np.concatenate([cos, cos]), np.concatenate([sin, sin]), query)
    halves = np.concatenate([-vector[64:], vector[:64]])
    expected = (vector.astype(np.float32) * cos.astype(np.float32)) + (
        halves.astype(np.float32) * sin.astype(np.float32)
    )
    found = request(case, "rotate", vectors=query.tolist(), positions=[777], arithmetic="float32")
    assert np.array_equal(found[0], expected)


def test_wavelength_and_angles():
    frequencies = ask()["values"]
    assert np.array_equal(ask(what="wavelength")["values"], rounded(2 * np.pi / frequencies, "float32"))
    angles = ask(what="angles", positions=[100_000])["values"]
    assert np.array_equal(angles[0], rounded(100_000 * frequencies, "float32"))
    assert np.array_equal(ask("sinusoidal")["values"], rounded(ask("sinusoidal")["values"], "float32"))


def test_the_answer_says_so_only_where_it_is_not_float64():
    assert ask()["arithmetic"] == "float32"
    assert "arithmetic" not in answer({"scheme": "rope", "what": "inv_freq"})
    assert "arithmetic" not in answer({"scheme": "rope", "what": "inv_freq", "arithmetic": "float64"})
    assert rope(CASES[0]).dimension == 128


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"arithmetic": "bfloat16"}, "is 'bfloat16'; it must be float64 or float32"),
        ({"arithmetic": ["float32"]}, "it must be float64 or float32"),
        ({"what": "encoding"}, "'encoding' is computed in float64 only; in float32 there are inv_freq, wavelength"),
        ({"what": "similarity"}, "computed in float64 only"),
        ({"scheme": "alibi", "what": "cos"}, "'alibi' has no angles"),
        ({"scheme": "learned", "what": "inv_freq"}, "'learned' has no angles"),
        ({"scheme": "sinusoidal", "what": "rotate", "vectors": [0.0] * 64}, "unlike 'sinusoidal'"),
    ],
)
def test_refusals(fields, words):
    with pytest.raises(FieldError) as refused:
        answer({"scheme": "rope", "what": "inv_freq", "arithmetic": "float32"} | fields)
    assert refused.value.field == "arithmetic"
    assert words in refused.value.message


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("name", ALL)
def test_every_scheme_answers_near_float64_or_refuses(name, what):
    ones = [1.0] * 64
    fields = {"scheme": name, "what": what, "positions": [0, 5], "q": ones, "k": ones, "vectors": [ones]}
    result, refusal = attempt(answer, fields | {"arithmetic": "float32"})
    if refusal is not None:
        assert refusal.field in ("arithmetic", "what")
        return
    found, exact = result["values"], answer(fields)["values"]
    assert np.abs(found - exact).max() <= 1e-5 * max(1.0, np.abs(exact).max())
