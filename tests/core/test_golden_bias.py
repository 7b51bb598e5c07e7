"""KERPLE and FIRE against mpmath, and the query temperature against transformers."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.schemes.fire import fire_ratio
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

GOLDEN = read("bias_computed.json")
KERPLE = [case for case in GOLDEN["computed"] if case["kind"] == "KERPLE"]
FIRE = [case for case in GOLDEN["computed"] if case["kind"] != "KERPLE"]
COMPUTED = versions("bias_computed.json", "mpmath")
EXACT, FLOAT32 = 1e-12, 1e-6


def test_every_entry_is_tested():
    assert (len(KERPLE), len(FIRE)) == (2, 1)


@pytest.mark.parametrize("case", KERPLE, ids=lambda case: f"{case['r1']}-{case['r2']}")
@pytest.mark.parametrize("variant", ["log", "power"])
def test_kerple(case, variant, golden_record):
    params = {"variant": variant, "r1": case["r1"], "r2": case["r2"]}
    request = {"scheme": "kerple", "params": params, "what": "bias", "positions": [0]}
    values = answer(request | {"key_positions": case["distances"]})["values"]
    expected = np.array(case[variant])
    for head, found in enumerate(values[:, 0]):  # head h has half of what the head before it has
        difference = gap(found, expected / 2**head) / np.maximum(1.0, np.abs(expected))
        assert golden_record("KERPLE bias", COMPUTED, difference, EXACT, relative=True) <= 1


@pytest.mark.parametrize("case", FIRE, ids=lambda case: str(case["c"]))
def test_fire_ratio(case, golden_record):
    scheme = build("fire", {"c": case["c"], "threshold": case["L"]}, 64, 64)
    for query in case["query_index_from_1"]:
        expected = np.array(case["ratio"][str(query)])
        found = scheme.ratio([query - 1], range(query))[0]
        assert golden_record("FIRE ratio", COMPUTED, gap(found, expected), EXACT) <= 1
        plain = fire_ratio(np.array(query - 1.0), np.arange(query), case["c"], case["L"])
        assert np.array_equal(plain, found)


@pytest.mark.parametrize(
    ("key", "params"),
    [
        (
            "ministral3_beta0.1_orig16384",
            {"temperature": "ministral3", "temperature_strength": 0.1, "temperature_length": 16384},
        ),
        (
            "llama4_scale0.1_floor8192",
            {"temperature": "llama4", "temperature_strength": 0.1, "temperature_length": 8192},
        ),
    ],
)
@pytest.mark.parametrize("scheme", ["none", "rope"])
def test_query_temperature(key, params, scheme, golden_record):
    case = GOLDEN["query_temperature"]
    request = {"scheme": scheme, "params": params, "what": "query_scale", "positions": case["positions"]}
    result = answer(request)
    difference = gap(result["values"], case[key])
    libraries = versions("bias_computed.json", "transformers")
    assert golden_record("Query temperature", libraries, difference, FLOAT32) <= 1
    assert result["unit"] == "factor on the query"
