"""ALiBi slopes and biases of the libraries."""

from __future__ import annotations

import numpy as np
import pytest

from pe_desktop.core.attention import softmax
from pe_desktop.core.rounding import to_bfloat16
from pe_desktop.core.scheme import build
from pe_desktop.core.schemes.alibi import alibi_slopes
from pe_desktop.core.values import answer
from tests.core.golden import gap, read, versions, worst

GOLDEN = read("alibi.json")
TOY = GOLDEN["toy_bias_4_heads_6_keys"]
EXACT, FLOAT32 = 1e-12, 1e-6
THEIRS = versions("alibi.json", "transformers", "x-transformers")


def test_there_are_85_head_counts():
    counts = [case["heads"] for case in GOLDEN["slopes"]]
    assert len(counts) == len(set(counts)) == 85
    assert (min(counts), max(counts)) == (1, 127)


@pytest.mark.parametrize("case", GOLDEN["slopes"], ids=lambda case: str(case["heads"]))
def test_slopes(case, golden_record):
    heads, theirs = case["heads"], np.array(case["slopes"])
    found = alibi_slopes(heads)
    assert found.shape == (heads,)
    assert golden_record("ALiBi slopes", THEIRS[1:], gap(found, theirs) / theirs, EXACT, relative=True) <= 1
    request = {"scheme": "alibi", "params": {"heads": heads}, "what": "slopes"}
    assert np.array_equal(answer(request)["values"], found)


@pytest.mark.parametrize("heads", ["32", "12"])
def test_another_largest_exponent(heads, golden_record):
    theirs = np.array(GOLDEN["mpt_alibi_bias_max_16"][heads])
    found = build("alibi", {"heads": int(heads), "max_bias": 16}, 64, 128).slopes()
    difference = gap(found, theirs) / theirs
    assert golden_record("ALiBi slopes, float32 libraries", THEIRS[:1], difference, FLOAT32, relative=True) <= 1


def test_toy_bias_in_our_convention(golden_record):
    """x-transformers, like the lab: minus slope times distance."""
    found = build("alibi", {"heads": 4}, 64, 6).bias(range(6), range(6))
    assert golden_record("ALiBi bias", THEIRS[1:], gap(found, TOY["x-transformers"]), FLOAT32) <= 1


@pytest.mark.parametrize("library", ["bloom", "mpt", "falcon"])
def test_toy_bias_in_other_conventions_is_the_same_after_softmax(library):
    """They add slope x key position, up to a constant per row, which a causal row does not feel."""
    ours = build("alibi", {"heads": 4}, 64, 6).bias(range(6), range(6))
    scores = np.random.default_rng(7).standard_normal((6, 6))
    theirs = np.array(TOY[library])
    assert theirs.shape == (4, 6)
    for head in range(4):
        found = softmax(scores + ours[head], causal=True)
        expected = softmax(scores + theirs[head][None, :], causal=True)
        assert worst(found, expected) <= 1e-12
        # Not so for a row that sees later keys: there the conventions differ.
        assert worst(softmax(scores + ours[head]), softmax(scores + theirs[head][None, :])) > 1e-3


@pytest.mark.parametrize(
    ("library", "convention"), [("bloom", "key_index"), ("falcon", "key_index"), ("mpt", "last_row")]
)
def test_toy_bias_in_each_convention(library, convention, golden_record):
    """The same for every query: the libraries add one row to all of them."""
    found = build("alibi", {"heads": 4, "convention": convention}, 64, 6).bias(range(6), range(6))
    expected = np.repeat(np.array(TOY[library])[:, None, :], 6, axis=1)
    assert golden_record("ALiBi bias", THEIRS[:1], gap(found, expected), FLOAT32) <= 1


def test_the_papers_formula_is_that_of_x_transformers_up_to_the_diagonal():
    signed = build("alibi", {"heads": 4, "convention": "signed"}, 64, 6).bias(range(6), range(6))
    theirs = np.array(TOY["x-transformers"])
    rows, columns = np.tril_indices(6)
    assert worst(signed[:, rows, columns], theirs[:, rows, columns]) <= FLOAT32
    assert worst(signed[:, columns, rows], -theirs[:, columns, rows]) <= FLOAT32


@pytest.mark.parametrize("heads", ["8", "12", "32", "71"])
def test_falcon_rounds_the_same_slopes_to_bfloat16(heads, golden_record):
    """The file holds eight decimals of numbers that have eight bits."""
    theirs = np.array(GOLDEN["falcon_bf16_slopes"][heads])
    found = build("alibi", {"heads": int(heads), "slope_precision": "bfloat16"}, 64, 128).slopes()
    assert np.array_equal(found, to_bfloat16(theirs))
    assert golden_record("ALiBi slopes in bfloat16", THEIRS[:1], gap(found, theirs) / theirs, 1e-7, relative=True) <= 1


def test_falcon_divides_the_step_by_the_root_of_the_head_width(golden_record):
    step = GOLDEN["falcon_logit_step"]
    params = {"heads": step["heads"], "convention": "key_index", "before_scaling": True, "slope_precision": "bfloat16"}
    scheme = build("alibi", params, step["head_dim"], 6)
    assert worst(scheme.steps(), step["slope_over_sqrt_head_dim"]) <= EXACT
    steps = np.diff(scheme.bias([5], [4, 5])[:, 0])[:, 0]
    assert worst(steps, scheme.steps()) <= EXACT
    assert golden_record("ALiBi step of Falcon", THEIRS[:1], gap(steps, step["sdpa"]), FLOAT32) <= 1
    assert worst(2 * steps, step["eager"]) <= FLOAT32  # its eager path adds the bias twice
