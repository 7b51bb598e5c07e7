"""The rows of a learned table: the same numbers however they are asked for, and no more drawn than is needed."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.schemes import learned
from pe_desktop.core.schemes.learned import BLOCK
from tests.core.strategies import plain


@pytest.fixture(autouse=True)
def nothing_drawn(monkeypatch):
    monkeypatch.setattr(learned, "_BLOCKS", learned._Blocks())


def table(scheme):
    """All rows, each block of 64 from a generator of its own."""
    blocks = []
    for number in range(-(-scheme.trained_length // BLOCK)):
        generator = np.random.default_rng((scheme.seed, number, scheme.dimension))
        blocks.append(generator.standard_normal((BLOCK, scheme.dimension), dtype=np.float32))
    return np.concatenate(blocks)[: scheme.trained_length]


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(1, 300), st.integers(0, 50), st.data())
def test_rows_in_any_order(dimension, length, seed, data):
    scheme = plain("learned", dimension, 1000, trained_length=length, seed=seed)
    every = table(scheme)
    for _ in range(4):
        first = data.draw(st.integers(0, length - 1))
        count = data.draw(st.integers(1, length - first))
        assert np.array_equal(scheme.rows(first, count), every[first : first + count])
    at = data.draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=9))
    assert np.array_equal(scheme.encode(at), every[at].astype(np.float64))
    size = data.draw(st.integers(1, length))
    starts = np.array(data.draw(st.lists(st.integers(0, length - size), min_size=1, max_size=5)), dtype=float)
    means = np.array([every[int(start) : int(start) + size].mean(axis=0, dtype=np.float64) for start in starts])
    assert scheme.block_mean(starts, size) == pytest.approx(means, abs=1e-12)


def test_a_block_is_drawn_as_far_as_it_is_asked_for():
    scheme = plain("learned", 8, 1000, trained_length=300)
    assert scheme.draw_step == BLOCK
    assert scheme.draw_cost(0, 6) == 6 * 8
    assert scheme.draw_cost(70, 1) == 7 * 8  # those before it in its block come first
    assert scheme.draw_cost(60, 10) == (64 + 6) * 8
    scheme.encode([5, 70])
    assert scheme.draw_cost(0, 6) == 0
    assert scheme.draw_cost(70, 1) == 0
    assert scheme.draw_cost(0, 300) == (58 + 57 + 64 + 64 + 44) * 8
    scheme.rows(0, 300)
    assert scheme.draw_cost(0, 300) == 0
    assert plain("sinusoidal").draw_cost(0, 100) == 0
    assert plain("sinusoidal").draw_step == 1


def test_reading_a_long_table_does_not_push_out_the_rows_in_use(monkeypatch):
    monkeypatch.setattr(learned._Blocks, "LIMIT", 4 * BLOCK * 8)
    scheme = plain("learned", 8, 1000, trained_length=1000)
    scheme.encode([3, 700])
    rows = scheme.rows(0, 1000)
    assert np.array_equal(rows, table(scheme))
    assert scheme.draw_cost(0, 4) == scheme.draw_cost(700, 1) == 0
    assert scheme.draw_cost(128, 64) == 64 * 8
    for first in range(0, 1000, BLOCK):  # but those looked at one after the other do, the oldest first
        scheme.encode([first])
    assert scheme.draw_cost(0, 1) == 8
    assert learned._BLOCKS._cells == 4 * BLOCK * 8
    assert scheme.draw_cost(960, 1) == 0


def test_threads_draw_the_same_numbers():
    scheme = plain("learned", 64, 1000, trained_length=640)
    expected, found = table(scheme), {}

    def read(step):
        found[step] = np.concatenate([scheme.rows(row, 1) for row in range(0, 640, step)])

    threads = [threading.Thread(target=read, args=(step,)) for step in (1, 3, 7)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert all(np.array_equal(rows, expected[::step]) for step, rows in found.items())
    assert learned._BLOCKS._cells == 640 * 64


def test_rows_are_shared_and_cannot_be_written():
    rows = plain("learned", 8).rows(3, 4)
    assert not rows.flags.writeable
    assert plain("learned", 8).encode([3]).flags.writeable
