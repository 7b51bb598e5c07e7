"""Buckets of the libraries: T5 (transformers, x-transformers, torchscale) and DeBERTa-v2."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.schemes.deberta import log_buckets
from pe_desktop.core.schemes.t5 import float32_differences
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions

GOLDEN = read("buckets.json")
DIRECTIONS = (("bidirectional", True), ("causal", False))


def ask(scheme, params, case):
    request = {"scheme": scheme, "params": params, "what": "buckets"}
    result = answer(request | {"offsets": f"{case['offset_first']}:{case['offset_last'] + 1}"})
    assert result["values"].dtype == np.int64
    return result["values"]


@pytest.mark.parametrize("case", GOLDEN["t5"], ids=lambda case: case["id"])
@pytest.mark.parametrize(("name", "both"), DIRECTIONS)
def test_t5(case, name, both, golden_record):
    params = {"buckets": case["num_buckets"], "max_distance": case["max_distance"], "bidirectional": both}
    found = ask("t5", params, case)
    libraries = versions("buckets.json", "transformers", "x-transformers", "torchscale")
    assert golden_record("T5 buckets", libraries, gap(found, case[name]), 0.0) <= 1


@pytest.mark.parametrize("case", GOLDEN["t5"], ids=lambda case: case["id"])
@pytest.mark.parametrize(("name", "both"), DIRECTIONS)
def test_where_exact_arithmetic_differs_from_float32(case, name, both):
    side = case["num_buckets"] // 2 if both else case["num_buckets"]
    near = [found for found in float32_differences(side, case["max_distance"]) if found[0] <= case["offset_last"]]
    assert near == [tuple(entry) for entry in case[f"exact_arithmetic_differs_at_{name}"]]


@pytest.mark.parametrize("case", GOLDEN["deberta_v2"], ids=lambda case: case["id"])
def test_deberta(case, golden_record):
    size, farthest = case["bucket_size"], case["max_position"]
    found = ask("deberta", {"size": size, "range": farthest}, case)
    assert (
        golden_record("DeBERTa-v2 buckets", versions("buckets.json", "transformers"), gap(found, case["bucket"]), 0.0)
        <= 1
    )
    offsets = np.arange(case["offset_first"], case["offset_last"] + 1.0)
    assert np.array_equal(log_buckets(offsets, size, farthest), case["bucket"])
