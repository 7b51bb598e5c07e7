"""xPos scores of three libraries."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

CASES = read("xpos.json")["cases"]
LIBRARIES = ("torchscale", "rotary-embedding-torch", "x-transformers")
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])


def length_of(case):
    return int(case["id"].split("-n")[1].split("-")[0])


def vectors(width):
    index = np.arange(width)
    query, key = np.cos(0.7 * index + 0.3), np.sin(0.4 * index + 1.1)
    return query.astype(np.float32).astype(np.float64), key.astype(np.float32).astype(np.float64)


def request(case, what, **more):
    params = {"scale_base": case["scale_base"], **more.pop("params", {})}
    return answer(
        {"scheme": "xpos", "params": params, "dimension": case["dim"], "length": length_of(case), "what": what, **more}
    )["values"]


def test_the_selection():
    assert [(case["dim"], length_of(case), case["layout"]) for case in CASES] == [
        (32, 65, "interleaved"),
        (64, 512, "interleaved"),
    ]


@by_case
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("key_at", [0, 3, 40])
def test_scores(case, library, key_at, golden_record):
    query, key = vectors(case["dim"])
    positions = [key_at + offset for offset in case["offsets_query_minus_key"]]
    found = request(case, "scores", q=query.tolist(), k=key.tolist(), positions=positions, key_positions=[key_at])
    difference = gap(found[:, 0], case[f"score_{library}"])
    assert golden_record("xPos scores", versions("xpos.json", library), difference, 1e-4) <= 1


@by_case
def test_zeta(case, golden_record):
    difference = gap(build("xpos", {}, case["dim"], 8).zeta(), case["zeta"])
    assert golden_record("xPos scales ζ", versions("xpos.json", "torchscale"), difference, 1e-7) <= 1


@by_case
@pytest.mark.parametrize(("library", "one_more"), [("torchscale", 1), ("rotary-embedding-torch", 0)])
def test_the_centre_of_each_library(case, library, one_more, golden_record):
    """An odd length is centred one position apart; scores do not show it."""
    query, _ = vectors(case["dim"])
    centre = (length_of(case) + one_more) // 2
    found = request(case, "rotate", vectors=query.tolist(), positions=[0], params={"centre": centre})
    difference = gap(found[0], case[f"q_row0_{library}"])
    assert golden_record("xPos queries", versions("xpos.json", library), difference, 1e-5) <= 1
    if not one_more:
        assert np.array_equal(found, request(case, "rotate", vectors=query.tolist(), positions=[0]))


@by_case
def test_without_the_damping_it_would_not_pass(case):
    query, key = vectors(case["dim"])
    rope = build("rope", {"layout": "interleaved"}, case["dim"], 8)
    offsets = np.array(case["offsets_query_minus_key"], dtype=float)
    plain = rope.scores(np.tile(query, (len(offsets), 1)), key[None], offsets, np.zeros(1))[:, 0]
    assert np.abs(plain - case["score_torchscale"]).max() > 0.1
