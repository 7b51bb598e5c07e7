"""What is said to be the same at two lengths is."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.lengths import alike, at_length, settled, whole_table
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scans import rows_of
from tests.core.strategies import ALL, any_scheme, plain


@settings(max_examples=80)
@given(any_scheme(16), st.integers(2, 900), st.data())
def test_rows_that_are_alike_are_equal(scheme, other, data):
    longer = at_length(scheme, other)
    last = min(defined_rows(scheme), defined_rows(longer)) - 1
    positions = np.array(data.draw(st.lists(st.integers(0, last), min_size=1, max_size=6)), dtype=float)
    if not alike(scheme, longer, positions):
        return
    rows = rows_of(scheme, positions), rows_of(longer, positions)
    if rows[0] is None:
        assert np.array_equal(scheme.bias(positions, positions), longer.bias(positions, positions))
        return
    assert np.array_equal(*rows)
    assert not isinstance(scheme, Rotary) or scheme.amplitude == longer.amplitude


@pytest.mark.parametrize(
    "name", ["sinusoidal", "learned", "sincos2d", "rope", "axial", "t5", "kerple", "transformer_xl"]
)
def test_these_need_not_be_looked_at(name):
    assert alike(plain(name, 64, 100), plain(name, 64, 5000), np.arange(100.0))


def test_these_are_not_alike():
    positions = np.arange(100.0)
    dynamic = {"extension": "dynamic", "trained_length": 128}
    assert not alike(plain("normalized", 8, 100), plain("normalized", 8, 200), positions)
    assert not alike(plain("rope", 64, 100, **dynamic), plain("rope", 64, 200, **dynamic), positions)
    assert alike(plain("rope", 64, 100, **dynamic), plain("rope", 64, 128, **dynamic), positions)


def test_past_its_end_a_table_is_settled():
    scheme = plain("learned", 8, 1000, trained_length=300)
    assert settled(scheme) == settled(at_length(scheme, 1 << 20)) == at_length(scheme, 300)
    assert settled(at_length(scheme, 120)) == at_length(scheme, 120)
    assert whole_table(at_length(scheme, 120)) == at_length(scheme, 300)
    single = plain("learned", 8, 1000, trained_length=1)
    assert settled(single).length == 2
    for name in sorted(set(ALL) - {"learned"}):
        assert settled(plain(name)) == plain(name)
    assert dataclasses.replace(scheme, length=5) == at_length(scheme, 5)
