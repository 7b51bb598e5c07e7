"""Relative attention of the libraries, and the rows that learned tables are read at."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.attention import softmax
from pe_desktop.core.errors import FieldError
from pe_desktop.core.schemes.shaw import shaw_bias
from pe_desktop.core.schemes.transformer_xl import relative_rows, relative_scores
from pe_desktop.core.table_rows import RULES, rows_used
from tests.core.golden import gap, read, versions

GOLDEN = read("relative.json")
THEIRS = versions("relative.json", "transformers")
ALLOWED = 1e-6


@pytest.mark.parametrize("case", GOLDEN["shaw"], ids=lambda case: case["id"])
def test_shaw(case, golden_record):
    expected = np.array(case["bias_scaled"])
    sizes = expected.shape[1], case["left"], case["right"], case["scaling"]
    found = shaw_bias(np.array(case["q"]), np.array(case["table"]), *sizes)
    assert golden_record("Shaw relative bias", THEIRS, gap(found, expected), ALLOWED) <= 1


@pytest.mark.parametrize("case", GOLDEN["transformer_xl"], ids=lambda case: case["id"])
class TestTransformerXL:
    def test_rows(self, case, golden_record):
        rows = np.array(case["relative_encoding"]["rows"])
        found = relative_rows(np.array(case["relative_encoding"]["offsets"]), rows.shape[1])
        assert golden_record("Transformer-XL rows", THEIRS, gap(found, rows), ALLOWED) <= 1

    def test_attention(self, case, golden_record):
        """Of the rows for offsets L … -(L - 1) the attention reads those of query minus key, -(L - 1) … L - 1."""
        q, k, projected, u, v = (np.array(case[name]) for name in ("q", "k", "k_rel_projected", "u_bias", "v_bias"))
        offsets = np.array(case["relative_encoding"]["offsets"])
        rising = np.argsort(offsets)
        read_rows = projected[rising][offsets[rising] > -len(k)]
        for head, expected in enumerate(np.moveaxis(np.array(case["attention_probabilities"]), 2, 0)):
            scores = relative_scores(q[:, head], k[:, head], read_rows[:, head], u[head], v[head], case["scale"])
            found = softmax(scores)
            assert golden_record("Transformer-XL attention", THEIRS, gap(found, expected), ALLOWED) <= 1

    def test_the_offset_is_query_minus_key(self, case):
        offsets = np.array(case["offset_used_at_query_key"])
        assert np.array_equal(offsets, np.subtract.outer(np.arange(len(offsets)), np.arange(len(offsets))))


@pytest.mark.parametrize("case", GOLDEN["conformer"], ids=lambda case: case["id"])
def test_conformer_rows(case, golden_record):
    rows = np.array(case["rows_interleaved"])
    found = relative_rows(np.array(case["offsets_query_minus_key"]), rows.shape[1], layout="interleaved")
    assert golden_record("Conformer relative rows", THEIRS, gap(found, rows), ALLOWED) <= 1


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("roberta", "roberta_padding_idx_1"),
        ("m2m100", "m2m100_padding_idx_1"),
        ("opt", "opt_offset_2_from_mask"),
        ("bart", "bart_offset_2"),
    ],
)
def test_rows_that_learned_tables_are_read_at(rule, key, golden_record):
    case = GOLDEN["learned_positions"]
    found = rows_used(case["attention_mask"], rule)
    assert golden_record("Rows of learned tables", THEIRS, gap(found, case[key]), 0.0) <= 1


def test_rows_without_regard_to_padding():
    assert rows_used([[0, 0, 1, 1]], "gpt2").tolist() == rows_used([[0, 0, 1, 1]], "bert").tolist() == [[0, 1, 2, 3]]
    assert rows_used([1, 1, 0], "roberta", padding_row=0).tolist() == [1, 2, 0]
    assert all(rows_used(np.ones((2, 3)), rule).dtype == np.int64 for rule in RULES)


def test_an_unknown_rule():
    with pytest.raises(FieldError, match="it must be one of gpt2") as refused:
        rows_used([1], "t5")
    assert refused.value.field == "rule"
