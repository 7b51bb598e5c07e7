"""The spread at one gap, with its short cuts, against the rows, scores and biases themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import spread
from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.lengths import at_length
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.spread import gap_spread
from tests.core.strategies import LAST, any_scheme, plain, xposes


def looked_at(scheme):
    """Every product, score or bias at the spots that are looked at, one by one."""
    count = defined_rows(scheme)
    gaps = [gap for gap in spread.GAPS if gap < count - 1]
    if not gaps:
        return None
    most = max(4, min(spread.SPOTS, spread.CELLS // scheme.dimension))
    values = []
    for gap in gaps:
        spots = np.linspace(0, count - 1 - gap, min(most, count - gap)).round()
        if isinstance(scheme, Gridded):
            spots = np.union1d(spots, scheme.seams(count - 1 - gap))
        pairs = [(spot, spot + gap) for spot in spots]
        if isinstance(scheme, Rotary):
            values.append([[rotary_score(scheme, key, query) for key, query in pairs]])
        elif isinstance(scheme, Additive):
            values.append([[float(np.prod(scheme.encode(pair), axis=0).sum()) for pair in pairs]])
        else:
            values.append(np.array([scheme.bias([m], [n])[:, 0, 0] for m, n in pairs]).T)
            values.append(np.array([scheme.bias([n], [m])[:, 0, 0] for m, n in pairs]).T)
    largest = max(np.abs(each).max() for each in values)
    return max(np.std(each, axis=1).max() for each in values) / largest if largest else None


def rotary_score(scheme, key, query):
    """The real part of the sum over the pairs of e^(0.3 i pair) turned by what separates query and key."""
    turns = scheme.angles([query])[0] - scheme.angles([key])[0]
    faded = scheme.damping(np.array([query - key]))[0]
    score = (np.cos(0.3 * np.arange(len(turns)) + turns) * faded).sum()
    return float(score * scheme.query_scale([query])[0])


@settings(max_examples=70)
@given(st.one_of(any_scheme(24), xposes()))
def test_short_cuts_change_nothing(scheme):
    found, expected = gap_spread(scheme), looked_at(scheme)
    if expected is None:
        assert found is None
    else:
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("name", "odd"), [("sinusoidal", 0), ("rope", 0), ("xpos", 0), ("sinusoidal", 1)])
def test_at_the_longest_sequence(name, odd):
    scheme = plain(name, 64 + odd, LAST + 1)
    assert gap_spread(scheme) == pytest.approx(looked_at(scheme), rel=1e-6, abs=1e-9)
    assert (gap_spread(scheme) == 0.0) == (not odd)


def test_past_the_end_of_a_table_the_length_changes_nothing():
    scheme = plain("learned", 8, 5000, trained_length=40)
    assert not gap_spread.knows(scheme)
    first = gap_spread(scheme)
    assert gap_spread.knows(at_length(scheme, 40))
    assert gap_spread.knows(at_length(scheme, LAST))
    assert not gap_spread.knows(at_length(scheme, 39))
    assert gap_spread(at_length(scheme, 41)) is first
