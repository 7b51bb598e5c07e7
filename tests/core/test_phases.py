"""Sines and cosines of large angles against exact fractions and against numpy's."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.phases import angles_of, cos_sin32, reduced, turns_in_steps, turns_of
from tests.core.strategies import LAST

TURN = 2 * Fraction(3141592653589793238462643383279502884197, 10**39)
frequencies = st.lists(st.floats(0.0, 3.0), min_size=1, max_size=6).map(np.array)


@given(st.floats(-1e7, 1e7))
def test_an_angle_less_whole_turns_keeps_its_digits(angle):
    found = float(reduced(np.array([angle]))[0])
    assert abs(found) <= math.pi + 1e-9
    left = (Fraction(angle) - Fraction(found)) / TURN
    assert abs(left - round(left)) * TURN < 5e-16


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_turns_are_cosine_and_sine(angles):
    found = turns_of(np.array(angles))
    assert found.dtype == np.complex128
    assert np.abs(found.real - np.cos(angles)).max() < 1e-15
    assert np.abs(found.imag - np.sin(angles)).max() < 1e-15


@given(frequencies, st.lists(st.integers(-LAST, LAST), min_size=1, max_size=5))
def test_angles_and_float32_waves_near_a_million(each, positions):
    angles = np.multiply.outer(np.array(positions, dtype=float), each)
    assert np.abs(np.cos(angles_of(positions, each)) - np.cos(angles)).max() < 1e-15
    cos, sin = cos_sin32(np.array(positions), each)
    assert cos.dtype == sin.dtype == np.float32
    assert np.abs(cos - np.cos(angles)).max() < 3e-7
    assert np.abs(sin - np.sin(angles)).max() < 3e-7


@given(frequencies, st.integers(-LAST, LAST), st.integers(-3000, 3000), st.integers(1, 400))
def test_steps_turn_by_the_same_angle(each, start, step, count):
    found = turns_in_steps(each, start, step, count)
    angles = np.multiply.outer(start + step * np.arange(float(count)), each)
    # An angle of a million steps is rounded to 2e-10 rad, and so is that of each turn.
    assert np.abs(found - np.exp(1j * angles)).max() < 1e-9 + count * 2e-12


def test_steps_carry_a_factor():
    each, factors = np.array([0.1, 0.7, 2.0]), np.array([2.0, 1j, -0.5])
    found = turns_in_steps(each, 5, 3, 20, factors)
    assert found == pytest.approx(factors * turns_in_steps(each, 5, 3, 20), abs=1e-13)
