"""How far transformers' float32 cosines and sines are off, by base, width and position, and what makes them so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pe_desktop.core.precision import Formats, library_frequencies, pipeline
from pe_desktop.core.rounding import rounded
from tests.core.golden import gap, read, versions
from tests.core.strategies import plain

GOLDEN = read("precision.json")
THEIRS = versions("precision.json", "transformers", "torch")
FLOAT32 = Formats("float32", "float32", "float32", "float32")
# The library's cosine is within 0.6 of a float32 step below 1, ours within 0.5. Besides half of the last printed digit,
# that may tell them apart: by one or two tenths of a step, or by half a step where they round to different sides.
TENTH, HALF = 2.0**-24 / 10.0, 2.0**-25
by_row = pytest.mark.parametrize("row", GOLDEN["rows"], ids=lambda row: f"{row['base']:g}-{row['head_dim']}")


def half_digit(value):
    """Half of the third significant digit."""
    return 0.5 * 10.0 ** (math.floor(math.log10(value)) - 2)


def lines(row):
    """In float32 throughout, and with float32 frequencies only."""
    scheme = plain("rope", row["head_dim"], 1 << 20, base=row["base"])
    return pipeline(scheme, FLOAT32), pipeline(scheme, Formats(frequencies="float32"))


def test_the_collection():
    assert len(GOLDEN["rows"]) == 6
    assert all(len(row["by_position"]) == 9 for row in GOLDEN["rows"])


@by_row
def test_the_library_is_off_by_just_what_was_measured(row, golden_record):
    line, _ = lines(row)
    for entry in row["by_position"]:
        errors = line.errors(np.array([float(entry["position"])]))[0]
        difference, printed = errors.max() - entry["vs_float64"], half_digit(entry["vs_float64"])
        assert golden_record("Errors of float32 RoPE", THEIRS, difference, printed + TENTH) <= 1
        if entry["position"] > 1:  # at position 1 all pairs are off by the last bit, one like another
            assert errors.argmax() == entry["worst_pair"]


@by_row
def test_the_share_of_angle_and_cosine(row, golden_record):
    line, only_frequencies = lines(row)
    for entry in row["by_position"]:
        at = line.coordinates(np.array([float(entry["position"])]))
        found = line.differences(line.angles(at), only_frequencies.angles(at)).max()
        theirs = entry["vs_float64_using_library_inv_freq"]
        name = "Errors of float32 RoPE, frequencies aside"
        assert golden_record(name, THEIRS, found - theirs, half_digit(theirs) + HALF) <= 1


@by_row
def test_the_share_of_the_cosine_alone(row, golden_record):
    line, _ = lines(row)
    for entry in row["by_position"]:
        angles = line.angles(line.coordinates(np.array([float(entry["position"])])))
        found, theirs = line.differences(angles, angles).max(), entry["vs_float32_angle_using_library_inv_freq"]
        assert found <= HALF
        assert theirs <= 1.2 * HALF
        name = "Errors of float32 RoPE, cosine and sine alone"
        assert golden_record(name, THEIRS, found - theirs, half_digit(theirs) + 2.0 * TENTH) <= 1


@by_row
def test_library_frequencies_are_as_far_off_as_was_measured(row, golden_record):
    scheme = plain("rope", row["head_dim"], base=row["base"])
    relative = np.abs(library_frequencies(scheme) / scheme.inv_freq() - 1).max()
    difference = relative - row["max_relative_error_inv_freq"]
    assert golden_record("Relative errors of float32 inverse frequencies", THEIRS, difference, 1e-15) <= 1


@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_positions_are_rounded_as_the_library_rounds_them(name, golden_record):
    rounding = GOLDEN["position_rounding"]
    difference = gap(rounded(rounding["positions"], name), rounding[f"as_{name}"])
    assert golden_record("Rounded positions", THEIRS[1:], difference, 0.0) <= 1
