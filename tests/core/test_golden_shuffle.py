"""The shuffle experiment in numbers, both variants."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.attention import attend
from pe_desktop.core.scheme import build
from tests.core.golden import gap, read, worst

GOLDEN = read("shuffle_experiment.json")
ORDER = GOLDEN["permutation"]
ROUNDING = 1e-12
THEIRS = ["numpy (float64)"]


@pytest.fixture
def drawn():
    """Embeddings and weights as the golden file describes them: first 8 wide, then 64."""
    generator = np.random.default_rng(0)

    def block(width):
        rows = generator.standard_normal((5, width))
        return rows, *(generator.normal(0, 0.5, (width, width)) for _ in range(3))

    return block(8), block(64)


def outputs(rows, weights):
    queries, keys, values = (rows @ weight for weight in weights)
    return attend(queries, keys, values, 1 / np.sqrt(rows.shape[1]))


def test_without_encoding(drawn, golden_record):
    rows, *weights = drawn[0]
    golden = GOLDEN["without_encoding"]
    result = outputs(rows, weights)
    assert golden_record("Attention weights", THEIRS, gap(result.weights, golden["attention"]), ROUNDING) <= 1
    assert golden_record("Attention outputs", THEIRS, gap(result.outputs, golden["output"]), ROUNDING) <= 1
    permuted = outputs(rows[ORDER], weights)
    assert worst(permuted.outputs, golden["output_after_permutation"]) <= ROUNDING
    assert worst(permuted.outputs, result.outputs[ORDER]) <= ROUNDING


def test_the_encoding_that_is_added():
    rows = build("sinusoidal", {}, 64, 128).encode([0, 1, 2, 3, 10, 50])
    assert worst(rows[:, :6], GOLDEN["sinusoidal_rows_0_1_2_3_10_50_first_6_dimensions"]) <= 1e-14


def test_with_encoding(drawn, golden_record):
    words, *weights = drawn[1]
    encoding = build("sinusoidal", {}, 64, 128).encode(range(5))
    golden = GOLDEN["with_encoding"]
    before = outputs(words + encoding, weights).outputs
    difference = gap(before[:, :4], golden["output_first_4_columns"])
    assert golden_record("Attention outputs", THEIRS, difference, ROUNDING) <= 1
    travel = outputs((words + encoding)[ORDER], weights).outputs
    stay = outputs(words[ORDER] + encoding, weights).outputs
    assert golden["max_abs_difference_positions_travel_with_tokens"] < ROUNDING
    assert worst(travel, before[ORDER]) <= ROUNDING
    assert worst(stay, before[ORDER]) == pytest.approx(
        golden["max_abs_difference_positions_stay_with_slots"], abs=ROUNDING
    )
