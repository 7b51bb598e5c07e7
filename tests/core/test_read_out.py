"""The linear read-out against one fitted on every pair written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.draws import normals
from pe_desktop.core.experiments.read_out import Pairs, read_out


def parts_of(words, positions, width, seed=0):
    return normals(f"parts {seed}", (words + positions) * width).reshape(words + positions, width)


def by_every_pair(parts, pairs):
    """Shares of words and of positions found, from one row per pair."""
    word, position = (each.ravel() for each in np.indices(pairs.held.shape))
    rows = np.column_stack([parts[word] + parts[pairs.words + position], np.ones(len(word))])
    wanted = np.zeros((len(word), len(parts)))
    wanted[np.arange(len(word)), word] = wanted[np.arange(len(word)), pairs.words + position] = 1.0
    held = pairs.held.ravel()
    fitted = np.linalg.lstsq(rows[~held], wanted[~held], rcond=1e-9)[0]
    answers = rows[held] @ fitted
    right = answers[:, : pairs.words].argmax(axis=1) == word[held]
    place = answers[:, pairs.words :].argmax(axis=1) == position[held]
    return right.mean(), place.mean(), (right & place).mean()


@given(st.integers(8, 14), st.integers(2, 14), st.integers(1, 30), st.integers(0, 50))
@settings(max_examples=60)
def test_as_one_fitted_on_every_pair(words, positions, width, seed):
    parts, pairs = parts_of(words, positions, width, seed), Pairs(words, positions)
    found = read_out(parts, pairs)
    assert (found.word, found.position, found.both) == pytest.approx(by_every_pair(parts, pairs))


def test_a_quarter_is_held_out_and_every_word_and_position_is_seen():
    held = Pairs(16, 8).held
    assert held.mean() == 0.25
    assert (held.sum(axis=1) == 2).all()
    assert (held.sum(axis=0) == 4).all()
    assert (~Pairs(8, 2).held).any(axis=1).all()


@given(st.integers(8, 20), st.integers(2, 20), st.integers(0, 9))
def test_parts_that_are_independent_are_always_found(words, positions, seed):
    found = read_out(parts_of(words, positions, words + positions, seed), Pairs(words, positions))
    assert (found.word, found.position, found.both) == (1.0, 1.0, 1.0)


def test_what_is_not_in_the_vector_is_not_found():
    parts = parts_of(12, 12, 40)
    parts[12:] = 0.0
    found = read_out(parts, Pairs(12, 12))
    assert found.word == 1.0
    assert found.position == found.both == 0.0


def test_a_tie_is_no_answer():
    parts = parts_of(12, 12, 40)
    parts[1] = parts[0]  # words 0 and 1 cannot be told apart, though they are held out at other positions
    found = read_out(parts, Pairs(12, 12))
    assert found.word <= 10 / 12
