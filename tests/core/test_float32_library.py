"""How many float32 frequencies have transformers' bits, and what the others do to cosines and sines."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.extension import EXTENSIONS
from pe_desktop.core.extension_float32 import STEPS, power_series, stretched_frequencies
from pe_desktop.core.precision import library_frequencies
from pe_desktop.core.rounding import rounded
from tests.core.rope_cases import CASES, params_of, request
from tests.core.strategies import plain

# Of each way to stretch, over all evaluations: pairs that differ in bits, pairs, most that one evaluation has, and the
# largest difference of a cosine or sine. A pair a bit off is off by position x bit, so by most where models are long.
MEASURED = {
    "none": (10, 1286, 1, 2.2e-4),
    "linear": (1, 256, 1, 3.6e-7),
    "dynamic": (15, 704, 3, 7.9e-3),
    "yarn": (4, 224, 2, 1.1e-3),
    "longrope": (5, 240, 1, 1.8e-5),
    "llama3": (0, 96, 0, 9e-8),
    "proportional": (1, 256, 1, 2.0e-3),
}


def evaluations(kind):
    for case in CASES:
        if params_of(case)["extension"] == kind:
            yield from ((case, each) for each in case["evaluations"] if each["inv_freq"] is not None)


def test_every_way_is_measured():
    assert set(STEPS) == set(EXTENSIONS)
    assert set(EXTENSIONS) - set(MEASURED) == {"ntk"}  # no model has it; see the alpha of a dynamic one
    assert sum(each[0] for each in MEASURED.values()) == 36
    assert sum(each[1] for each in MEASURED.values()) == 3062


@pytest.mark.parametrize("kind", MEASURED)
def test_bits_and_differences(kind):
    differ, pairs, at_most, most = MEASURED[kind]
    found, count, worst = [], 0, 0.0
    for case, evaluation in evaluations(kind):
        length, theirs = evaluation["seq_len"], rounded(evaluation["inv_freq"], "float32")
        ours = request(case, "inv_freq", length, arithmetic="float32")
        found.append(np.count_nonzero(ours != theirs))
        count += len(theirs)
        for what in ("cos", "sin"):
            values = request(case, what, length, positions=evaluation["positions"], arithmetic="float32")
            worst = max(worst, np.abs(values - np.array(evaluation[what])).max())
    assert count == pairs
    assert sum(found) <= differ
    assert max(found) <= at_most
    assert worst <= most


def test_rounding_once_would_miss_far_more():
    missed = defaultdict(int)
    for kind in MEASURED:
        for case, evaluation in evaluations(kind):
            once = rounded(request(case, "inv_freq", evaluation["seq_len"]), "float32")
            missed[kind] += np.count_nonzero(once != rounded(evaluation["inv_freq"], "float32"))
    assert all(missed[kind] > 10 * max(1, differ) for kind, (differ, *_) in MEASURED.items())


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("dimension", [2, 4, 64, 8192])
@pytest.mark.parametrize("length", [2, 1 << 20])
def test_all_ways_are_near_float64(extension, dimension, length):
    scheme = plain("rope", dimension, length, extension=extension, factor=8.0, original_length=1024)
    found = library_frequencies(scheme)
    assert found.dtype == np.float64
    assert np.array_equal(rounded(found, "float32"), found)
    assert np.array_equal(found == 0, scheme.inv_freq() == 0)
    assert np.allclose(found, scheme.inv_freq(), rtol=2e-6, atol=0.0)


@given(
    st.sampled_from(sorted(EXTENSIONS)),
    st.floats(1.5, 1e9),
    st.floats(1.0, 1e6),
    st.integers(2, 1 << 20),
    st.floats(0.0, 1e6),
    st.floats(0.0, 1e6),
)
def test_no_setting_gives_other_than_numbers(extension, base, factor, length, low, high):
    more = {"low_freq_factor": low, "high_freq_factor": high, "beta_slow": low, "beta_fast": high}
    settings = plain("rope", 16, length, extension=extension).settings
    settings = dataclasses.replace(settings, base=base, factor=factor, original_length=512, **more)
    found = stretched_frequencies(extension, settings)
    assert np.isfinite(found).all()
    assert (found >= 0.0).all()


def test_a_dynamic_base_with_alpha_is_the_fixed_one():
    dynamic = plain("rope", 64, 1 << 16, extension="dynamic", alpha=1000.0)
    fixed = plain("rope", 64, 1 << 16, extension="ntk", alpha=1000.0)
    assert np.array_equal(library_frequencies(dynamic), library_frequencies(fixed))
    again = plain("rope", 64, base=float(fixed.effective_base))
    assert np.array_equal(library_frequencies(fixed), library_frequencies(again))


def test_a_power_is_the_nearest_float32():
    powers = power_series(10000.0, 64, 32)
    assert powers.dtype == np.float32
    exponents = (np.arange(0, 64, 2) / 64).astype(np.float32)
    assert np.array_equal(powers, (10000.0 ** exponents.astype(np.float64)).astype(np.float32))
