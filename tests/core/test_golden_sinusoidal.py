"""Whole sinusoidal matrices of the libraries."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pe_desktop.core.scheme import build
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions, worst

MATRICES = read("sinusoidal.npz")
MADE_IN_FLOAT64, MADE_IN_FLOAT32 = 5e-8, 2e-5
THEIRS = versions("sinusoidal.npz", "transformers", "positional-encodings")
RULES = {
    "interleaved": ("interleaved", MADE_IN_FLOAT64),
    "concat": ("concatenated", MADE_IN_FLOAT64),
    "fairseq": ("tensor2tensor", MADE_IN_FLOAT32),
    "interleaved_pe": ("interleaved", MADE_IN_FLOAT32),
    "whisper": ("tensor2tensor", MADE_IN_FLOAT32),
}
CASES = [
    "interleaved_128x64",
    "concat_128x64",
    "fairseq_128x64",
    "interleaved_50x16",
    "concat_50x16",
    "fairseq_50x16",
    "interleaved_10x512",
    "concat_10x512",
    "fairseq_10x512",
    "interleaved_pe_128x64",
    "whisper_64x384",
]


def ours(name):
    """The same matrix from the core, and the tolerance."""
    rule, _, shape = name.rpartition("_")
    rows, dimension = map(int, shape.split("x"))
    layout, tolerance = RULES[rule]
    return build("sinusoidal", {"layout": layout}, dimension, rows).encode(range(rows)), tolerance


@pytest.mark.parametrize("name", CASES)
def test_matrix(name, golden_record):
    found, tolerance = ours(name)
    kind = "Sinusoidal matrices" + (", float32 libraries" if tolerance == MADE_IN_FLOAT32 else "")
    library = THEIRS[1:] if name.startswith("interleaved_pe") else THEIRS[:1]
    assert golden_record(kind, library, gap(found, MATRICES[name]), tolerance) <= 1


@pytest.mark.parametrize("name", CASES)
def test_matrix_by_request(name):
    rule, _, shape = name.rpartition("_")
    rows, dimension = map(int, shape.split("x"))
    layout, tolerance = RULES[rule]
    request = {"params": {"layout": layout}, "dimension": dimension, "length": rows, "what": "encoding"}
    assert worst(answer(request)["values"], MATRICES[name]) <= tolerance


def test_padding_row_is_all_that_fairseq_changes():
    found, tolerance = ours("fairseq_50x16")
    found = found.copy()
    found[1] = 0.0
    assert worst(found, MATRICES["fairseq_pad1_50x16"]) <= tolerance


def test_scaled_table_of_x_transformers():
    rows = build("sinusoidal", {"layout": "concatenated"}, 32, 20).encode(range(20)) * 32**-0.5
    assert worst(rows, MATRICES["xt_20x32_theta10000"]) <= MADE_IN_FLOAT32


def test_two_conventions_are_not_the_same_matrix():
    """A wrong layout must not pass: the matrices differ by far more than any tolerance here."""
    named = [MATRICES[f"{rule}_128x64"] for rule in ("interleaved", "concat", "fairseq")]
    for first in range(3):
        for second in range(first):
            assert np.abs(named[first] - named[second]).max() > 0.5


def test_every_matrix_of_the_file_is_accounted_for():
    used = {*CASES, "fairseq_pad1_50x16", "xt_20x32_theta10000"}
    two_dimensional = {"mae2d_7x5x64", "mae2d_cls_4x4x32", "pe2d_4x3x16"}
    assert used | two_dimensional | {"meta"} == set(MATRICES)
    assert "numpy" in json.loads(str(MATRICES["meta"]))["libraries"]
