"""The five classic tests, done in the window with mouse and keyboard, and read off what it shows."""

from __future__ import annotations

import numpy as np
import pytest


def curve(person) -> np.ndarray:
    part = person.lab.snapshot.similarity
    assert np.array_equal(part.low, part.high)
    return part.low


def test_swap_without_encoding_is_the_same_input(person):
    person.choose("scheme", "None")
    person.tick("swap")
    assert person.readout("input_gap") == "0.000"
    assert "same input" in person.note("input_gap")
    assert person.readout("output_gap") == "0.000"
    person.choose("scheme", "Sinusoidal")
    # Two of five words move between rows 1 and 4 of the encoding: 2 |PE(1) - PE(4)| / 5.
    frequencies = 10000.0 ** (-np.arange(32) / 32)
    expected = 2 * np.sqrt(2 * (32 - np.cos(3 * frequencies).sum())) / 5
    assert person.number("input_gap") == pytest.approx(expected, abs=5e-4)
    assert person.note("input_gap") != ""


def test_left_columns_stripe_and_right_ones_are_almost_flat(person):
    person.type("dimension", "64")
    picture = person.lab.snapshot.matrix.values
    assert picture.shape == (128, 64)
    changes = (np.diff(np.signbit(picture), axis=0)).sum(axis=0)
    assert changes[0] == changes[1] == 40 or abs(int(changes[0]) - 40) <= 1  # 127 / pi sign changes
    assert changes[62] == changes[63] == 0
    steps = np.abs(np.diff(picture, axis=0)).max(axis=0)
    assert steps[0] > 0.8
    assert steps[62] < 1e-3
    assert steps[63] < 1e-3
    shown = person.window.panels["matrix"].image.image
    assert shown.shape == (128, 64)
    assert len(np.unique(shown[:, 0])) > 60
    assert len(np.unique(shown[:, 63])) == 1


def test_curve_peaks_at_the_spot_and_keeps_its_shape(person):
    assert person.lab.state.position == 12
    before = curve(person)
    assert int(np.argmax(before)) == 12
    assert before[12] == pytest.approx(1.0, abs=1e-12)
    assert np.all(np.diff(before[12:17]) < 0)
    assert np.all(np.diff(before[8:13]) > 0)
    assert person.sentence("similarity").startswith("Peak at spot 12")
    person.drag("position", 0.5)
    spot = person.lab.state.position
    assert spot > 40
    after = curve(person)
    assert int(np.argmax(after)) == spot
    shift = spot - 12
    assert np.allclose(after[shift:], before[: 128 - shift], atol=1e-12)
    assert person.sentence("similarity").startswith(f"Peak at spot {spot}")


def test_raw_integers_grow_and_sinusoids_do_not(person):
    person.choose("scheme", "Raw integer spot")
    seen = []
    for share in (0.2, 0.5, 0.9, 1.0):
        person.drag("position", share)
        seen.append(person.number("largest_value"))
        assert seen[-1] == person.lab.state.position
    assert seen == sorted(seen)
    assert seen[0] < seen[1] < seen[2] < seen[3] == 127
    person.type("length", "100000")
    person.drag("position", 1.0)
    assert person.number("largest_value") == 99_999
    person.choose("scheme", "Sinusoidal")
    for share in (0.0, 0.3, 0.7, 1.0):
        person.drag("position", share)
        assert person.number("largest_value") <= 1.0


def test_every_row_of_position_over_length_moves(person):
    person.choose("scheme", "Spot / length")
    before = person.lab.snapshot.matrix.values[:, 0].copy()
    assert np.allclose(before, np.arange(128) / 128, atol=1e-7)
    value = person.number("largest_value")
    person.type("length", "256")
    after = person.lab.snapshot.matrix.values[:, 0]
    assert np.all(after[1:128] < before[1:128])
    assert np.allclose(after[:128], np.arange(128) / 256, atol=1e-7)
    assert person.number("largest_value") == pytest.approx(value / 2, abs=1e-3)


def test_a_million_positions(person, qtbot):
    ticks = []
    person.drag("length", 1.0)
    assert person.lab.state.length == 1_048_576
    part = person.lab.snapshot.matrix
    assert (part.rows.start, part.rows.end) == (0, 1_048_576)
    assert np.abs(part.values).max() <= 1.0
    for share in (0.1, 0.6, 1.0):
        person.drag("position", share)
        assert person.number("largest_value") <= 1.0
        ticks.append(person.lab.state.position)
    assert ticks[-1] == 1_048_575
    distance = float(person.readout("closest_pair").split()[0])
    assert distance == pytest.approx(1.472, abs=5e-4)
    lights = {light.name: light for light in person.lab.snapshot.readouts.properties}
    assert lights["unique"].holds is True
    assert lights["bounded"].holds is True
