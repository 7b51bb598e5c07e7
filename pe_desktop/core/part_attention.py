"""The attention part of a snapshot, with the swap experiment in it."""

from __future__ import annotations

import dataclasses

import numpy as np

from pe_desktop.core import sentence
from pe_desktop.core.attention import Result, mean_gap, toy_attention
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.numerals import short
from pe_desktop.core.parts import AttentionPart, Float32
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float
from pe_desktop.core.sentence import MOST_WORDS
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint

QUICK = 1 << 23  # multiplications that take no noticeable time
EMPTY: Float32 = np.zeros((0, 0), dtype=np.float32)
ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True)
class Experiment:
    """Which words take part, and where."""

    words: tuple[str, ...]
    pair: tuple[int, int] | None
    trouble: str


def experiment(state: LabState) -> Experiment:
    """The words that have a position and fit the panel, and the pair to exchange if there is one.

    Words past the sequence length, past the end of a table or past the 512th take no part.
    """
    words = state.words_that_count
    if not state.swap:
        return Experiment(words, None, "the swap is off")
    pair = state.swap_pair
    if pair is None:
        return Experiment(words, None, "there are no two words to exchange")
    if max(pair) >= len(words):
        return Experiment(words, None, f"word {max(pair)} lies past the {len(words)} words that take part")
    return Experiment(words, pair, "")


def attention_key(state: LabState) -> tuple[object, ...]:
    """What the attention depends on."""
    scheme = state.built
    return scheme, state.sentence, state.swap, state.swap_words, state.causal, state.head, state.seed


def attention_cost(state: LabState) -> int:
    """Rough number of multiplications."""
    n = len(experiment(state).words)
    return (n * n * 2 + n * 64 * 3) * state.dimension * (3 if state.swap else 1)


def attention_part(state: LabState, full: bool = True) -> AttentionPart:
    """Make the attention part; with `full` False a large one is left for later (``exact`` False)."""
    made = experiment(state)
    if not made.words:
        text = "Type a sentence to see who attends to whom." if not state.words else "No word has a position."
        return _part(state, made, EMPTY, text)
    if not full and attention_cost(state) > QUICK:
        return dataclasses.replace(
            _part(state, made, EMPTY, f"Computing the attention of {len(made.words)} words…"), exact=False
        )
    inputs, result = _run(state, made.words, np.arange(len(made.words)), outputs=made.pair is not None)
    weights = result.weights.astype(np.float32)
    part = dataclasses.replace(_part(state, made, weights, ""), scores_a=result.scores.astype(np.float32))
    if made.pair is None:
        link = _strongest(made.words, weights, state.causal)
        return dataclasses.replace(part, sentence=link + _left_out(state, made))
    return _with_swap(state, made, part, inputs, result)


def _run(
    state: LabState, words: tuple[str, ...], positions: np.ndarray, *, outputs: bool = True
) -> tuple[Float, Result]:
    seed, head, causal = state.seed, state.head, state.causal
    return toy_attention(state.built, words, positions, seed=seed, head=head, causal=causal, outputs=outputs)


def _with_swap(state: LabState, made: Experiment, part: AttentionPart, inputs: Float, result: Result) -> AttentionPart:
    assert made.pair is not None
    slots = np.arange(len(made.words))
    checkpoint(1 / 3)
    words_b = sentence.exchange(made.words, made.pair)
    home = sentence.match(made.words, words_b)
    inputs_b, result_b = _run(state, words_b, slots)
    # Each word keeps the position it has in A: position vectors travel with their words.
    carried = np.empty(len(slots), dtype=np.intp)
    carried[home] = slots
    checkpoint(2 / 3)
    _, result_travel = _run(state, words_b, carried)
    part = dataclasses.replace(
        part,
        tokens_b=words_b,
        weights_b=result_b.weights.astype(np.float32),
        scores_b=result_b.scores.astype(np.float32),
        swapped=made.pair,
        input_gap=mean_gap(inputs, inputs_b, home),
        output_gap=mean_gap(result.outputs, result_b.outputs, home),
        output_gap_travelling=mean_gap(result.outputs, result_travel.outputs, home),
    )
    return dataclasses.replace(part, sentence=_swap_sentence(state, part) + _left_out(state, made))


def _swap_sentence(state: LabState, part: AttentionPart) -> str:
    assert part.output_gap is not None
    assert part.input_gap is not None
    assert part.swapped is not None
    first, second = (part.tokens_a[slot] for slot in part.swapped)
    gap = gap_text(part.output_gap)
    if first == second:
        return f"The two chosen words are both “{first}”, so A and B are one sentence; output gap {gap}."
    if part.output_gap < ROUNDING:
        return f"Swapping “{first}” and “{second}” only permutes rows: each word keeps its output (gap {gap})."
    if state.built.acts is Acts.NOTHING and _has_temperature(state, len(part.tokens_a)):
        return f"Nothing is added, but the query temperature depends on the position: the outputs move by {gap}."
    if state.built.acts is Acts.NOTHING:
        return f"The mask alone tells A from B: with nothing added the outputs still move by {gap}."
    why = "though no input changed: order enters the scores" if part.input_gap == 0 else "as each has another position"
    return f"Swapping “{first}” and “{second}” moves the outputs by {gap}, {why}."


def _has_temperature(state: LabState, words: int) -> bool:
    return bool(np.any(state.built.query_scale(np.arange(float(words))) != 1.0))


def _strongest(words: tuple[str, ...], weights: Float32, causal: bool) -> str:
    if len(words) == 1:
        return "One word can only attend to itself: its weight is 1."
    first = 1 if causal else 0  # under the mask the first word has no choice
    query, key = np.unravel_index(int(np.argmax(weights[first:])), weights[first:].shape)
    query += first
    return f"Strongest link: “{words[query]}” attends to “{words[key]}” with {short(float(weights[query, key]), 2)}."


def _left_out(state: LabState, made: Experiment) -> str:
    missing = len(state.words) - len(made.words)
    if not missing:
        return ""
    if len(made.words) == MOST_WORDS:
        return f" Only the first {MOST_WORDS} words are shown; {missing:,} more are left out."
    why = "sequence length" if defined_rows(state.built) == state.length else "table"
    return f" The last {missing:,} words lie past the {why} ({len(made.words):,} positions) and take no part."


def _part(state: LabState, made: Experiment, weights: Float32, text: str) -> AttentionPart:
    weights.flags.writeable = False
    n = len(weights)
    return AttentionPart(
        tokens_a=made.words[:n] if n else (),
        tokens_b=None,
        weights_a=weights,
        weights_b=None,
        scores_a=EMPTY,
        scores_b=EMPTY,
        swapped=None,
        words_total=len(state.words),
        causal=state.causal,
        head=state.head,
        heads=state.heads,
        exact=True,
        title="Attention",
        pixel=f"head {state.head}{', causal' if state.causal else ''}; toy: random words and weights; rows are queries",
        sentence=text,
        input_gap=None,
        output_gap=None,
        output_gap_travelling=None,
    )
