"""Similarity of rows on a straight line against the rows themselves."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pe_desktop.core import similarity
from pe_desktop.core.additive import Additive
from tests.core.strategies import LAST, naives, plain


@dataclass(frozen=True, kw_only=True)
class Slanted(Additive):
    """Row p is start + p x step, any vectors."""

    start: tuple[float, ...]
    step: tuple[float, ...]

    @property
    def straight(self):
        return True

    def block_mean(self, starts, count, columns=slice(None)):
        middles = np.asarray(starts, dtype=float) + (count - 1) / 2
        return (np.array(self.start) + np.multiply.outer(middles, np.array(self.step)))[:, columns]

    def cell_formula(self, position, column):
        return ""


numbers = st.floats(-5, 5).map(lambda x: round(x, 3)) | st.integers(-3, 3).map(float)


@st.composite
def slanted(draw):
    """Lines anywhere; some pass through zero, at a position or between two."""
    size = draw(st.integers(2, 5))
    step = tuple(draw(st.lists(numbers, min_size=size, max_size=size)))
    if draw(st.booleans()):
        start = tuple(draw(st.lists(numbers, min_size=size, max_size=size)))
    else:
        through = draw(st.integers(-5, 205)) + draw(st.sampled_from([0.0, 0.5]))
        start = tuple(-through * each for each in step)
    return Slanted(dimension=size, length=200, start=start, step=step)


def by_rows(scheme, spot, positions):
    rows, row = scheme.encode(positions), scheme.encode([spot])[0]
    sizes = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    return np.divide(rows @ row, sizes, out=np.zeros(len(rows)), where=sizes > 0)


@settings(max_examples=80)
@given(st.one_of(slanted(), naives()), st.integers(0, 199), st.integers(1, 40))
def test_every_position_and_every_column(scheme, spot, pixels):
    spot = min(spot, scheme.length - 1)
    at = np.arange(scheme.length)
    # Where a row is nearly zero its direction is a rounding.
    sizes = np.linalg.norm(scheme.encode(at), axis=1)
    assume(((sizes == 0.0) | (sizes > 1e-9 * max(sizes.max(), 1e-9))).all())
    expected = by_rows(scheme, spot, at)
    found = similarity.row_similarity(scheme, spot, at.astype(float))
    assert np.abs(found - expected).max() < 1e-9
    made = similarity.curve(scheme, spot, (0, scheme.length), pixels, False)
    assert made.exact
    for column, (first, past) in enumerate(itertools.pairwise(made.edges.tolist())):
        assert made.low[column] == pytest.approx(found[first:past].min(), abs=1e-12)
        assert made.high[column] == pytest.approx(found[first:past].max(), abs=1e-12)


@pytest.mark.parametrize("name", ["integer", "normalized"])
@pytest.mark.parametrize("spot", [0, 1, 500_000, LAST])
def test_a_million_rows_through_zero(name, spot):
    scheme = plain(name, 8, LAST + 1)
    at = np.unique(np.random.default_rng(spot).integers(0, LAST + 1, 500))
    found = similarity.row_similarity(scheme, spot, at.astype(float))
    assert np.abs(found - by_rows(scheme, spot, at)).max() < 1e-12
    made = similarity.curve(scheme, spot, (0.5, LAST + 0.5), 430, True)
    assert made.high.max() == (0.0 if spot == 0 else 1.0)
    assert made.low.min() == 0.0


def test_rows_that_do_not_move():
    still = Slanted(dimension=2, length=50, start=(3.0, 4.0), step=(0.0, 0.0))
    assert similarity.row_similarity(still, 7, np.arange(50.0)).tolist() == pytest.approx([1.0] * 50)
    assert not similarity.row_similarity(plain("none"), 7, np.arange(50.0)).any()
