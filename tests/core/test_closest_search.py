"""The two closest rows of a table against all pairs, in small bands and tiles."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import closest_search
from pe_desktop.core.closest_search import closest_pair
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import plain


def nearest(rows):
    squares = ((rows[:, None] - rows[None]) ** 2).sum(axis=-1)
    squares[np.tril_indices(len(rows))] = np.inf
    return np.unravel_index(squares.argmin(), squares.shape)


@pytest.fixture
def narrow(monkeypatch):
    """Several bands, of several tiles each, even of a few hundred rows."""
    monkeypatch.setattr(closest_search, "BAND_CELLS", 640)
    monkeypatch.setattr(closest_search, "TILE_CELLS", 2048)
    monkeypatch.setattr(closest_search, "AGAIN_CELLS", 16)


@settings(max_examples=40)
@given(st.integers(2, 20), st.integers(2, 300), st.integers(0, 99))
def test_the_closest_two(dimension, count, seed):
    scheme = plain("learned", dimension, 500, trained_length=300, seed=seed)
    assert closest_pair(scheme, count) == nearest(scheme.encode(range(count)))


@pytest.mark.parametrize("count", [2, 63, 64, 65, 200, 300])
def test_in_bands_and_tiles(narrow, count):
    scheme = plain("learned", 10, 500, trained_length=300)
    assert closest_pair(scheme, count) == nearest(scheme.encode(range(count)))


class Repeated:
    """A table some rows of which are the same."""

    dimension, draw_step = 3, 1

    def __init__(self, rows):
        self._rows = np.asarray(rows, dtype=np.float32)

    def rows(self, first, count):
        return self._rows[first : first + count]


def test_of_equal_pairs_the_first(narrow):
    rows = np.arange(600.0).reshape(200, 3)
    rows[150], rows[170], rows[40] = rows[7], rows[7], rows[199]
    assert closest_pair(Repeated(rows), 200) == (7, 150)
    assert closest_pair(Repeated(np.ones((130, 3))), 130) == (0, 1)


def test_progress_rises_from_0_to_1(narrow):
    shares = []
    with watched(threading.Event(), shares.append):
        closest_pair(plain("learned", 10, 500, trained_length=300), 300)
    assert len(shares) >= 10
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert all(0.0 < after - before < 0.2 for before, after in pairwise(shares))


def test_it_can_be_called_off_at_every_step(narrow):
    stop, threads = threading.Event(), threading.active_count()
    seen = []

    def step(share):
        seen.append(share)
        if len(seen) == 5:
            stop.set()

    with watched(stop, step), pytest.raises(Cancelled):
        closest_pair(plain("learned", 10, 500, trained_length=300), 300)
    assert len(seen) == 5
    assert threading.active_count() == threads


def test_trouble_on_the_other_core_is_told(narrow):
    class Broken(Repeated):
        def rows(self, first, count):
            if first >= 96:
                raise ValueError("no such rows")
            return super().rows(first, count)

    with pytest.raises(ValueError, match="no such rows"):
        closest_pair(Broken(np.arange(600.0).reshape(200, 3)), 200)
