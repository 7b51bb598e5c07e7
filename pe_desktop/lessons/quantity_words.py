"""Quantities of the sentence: attention weights, and what becomes of a word that stands alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pe_desktop.core import sentence
from pe_desktop.core.attention import Result, toy_attention
from pe_desktop.core.part_attention import experiment
from pe_desktop.core.scheme import Float
from pe_desktop.core.state import LabState
from pe_desktop.lessons import quantity_checks as checks


def attention(state: LabState, words: tuple[str, ...], positions: list[int]) -> tuple[Float, Result]:
    """Inputs and result of the toy attention of the state over words (n,) at positions (n,)."""
    seed, head, causal = state.seed, state.head, state.causal
    places = np.array(positions, dtype=np.intp)
    return toy_attention(state.built, words, places, seed=seed, head=head, causal=causal)


def lone(state: LabState, position: float) -> tuple[Float, Float]:
    """Input and output (1, d) of a sentence that is the first word alone, at a position.

    Raises
    ------
    FieldError
        If there is no word, or no vector at the position.
    """
    words = state.words_that_count
    if not words:
        raise checks.refuse("The sentence has no word that takes part; type one.")
    inputs, result = attention(state, words[:1], [checks.row(position, state.built)])
    return inputs, result.outputs


def _weight_of(state: LabState, words: tuple[str, ...], query: float, key: float) -> float:
    slots = [checks.index(each, len(words), "Word", "words that take part") for each in (query, key)]
    return float(attention(state, words, list(range(len(words))))[1].weights[slots[0], slots[1]])


def _weight(state: LabState, query: float, key: float) -> float:
    return _weight_of(state, experiment(state).words, query, key)


def _weight_b(state: LabState, query: float, key: float) -> float:
    made = experiment(state)
    if made.pair is None:
        raise checks.refuse(f"There is no sentence B, since {made.trouble}; set swap = true.")
    return _weight_of(state, sentence.exchange(made.words, made.pair), query, key)


def _lone_output_change(state: LabState, position: float) -> float:
    here, there = (lone(state, at)[1] for at in (0, position))
    return float(np.linalg.norm(here - there))


CALLS: dict[str, Callable[..., float]] = {
    "weight": _weight,
    "weight_b": _weight_b,
    "lone_output_change": _lone_output_change,
}
