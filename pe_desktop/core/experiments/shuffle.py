"""The shuffle: the same words in another order, with positions that stay with the slots or travel with the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import sentence
from pe_desktop.core.attention import Result, toy_attention
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, HeatPlate, register
from pe_desktop.core.experiments.cells import cells
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, parameter
from pe_desktop.core.sentence import MOST_WORDS
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

Index = NDArray[np.intp]
ROUNDING = 1e-13  # of the largest score times the largest output: what a sum in another order may differ by


@dataclass(frozen=True, eq=False)
class Runs:
    """Attention before, with positions that stay and that travel, each put back into the order of the words before.

    ``limit`` is what rounding alone may change.
    """

    before: Result
    staying: Result
    travelling: Result
    limit: float

    def change(self, after: Result) -> float:
        """Largest absolute difference of any word's output from before."""
        return float(np.abs(after.outputs - self.before.outputs).max())

    def weight_change(self, after: Result) -> float:
        """The same of any attention weight."""
        return float(np.abs(after.weights - self.before.weights).max())


@register
@dataclass(frozen=True, kw_only=True)
class Shuffle(Experiment):
    """Put the words into another order; see what each word's attention and output become."""

    order: tuple[int, ...] | None = parameter(
        "Order",
        tuple,
        None,
        items=int,
        minimum=0,
        maximum=MOST_WORDS - 1,
        derived="the words from last to first",
        help="Which word comes first, second, …: every word number from 0 once, such as [3, 0, 4, 1, 2].",
        source="a permutation of the words, as in attention's permutation equivariance",
    )

    id: ClassVar[str] = "shuffle"
    title: ClassVar[str] = "Shuffle"
    question: ClassVar[str] = "Does a word get another output when the words come in another order?"
    source: ClassVar[str] = "Vaswani et al. 2017; Lee et al. 2019 (Set Transformer: permutation equivariance)"
    fields: ClassVar[tuple[str, ...]] = ("built", "sentence", "causal", "head", "seed")

    def validate(self) -> None:
        """Refuse an order that leaves out a word or has one twice."""
        if self.order is None:
            return
        count = len(self.order)
        missing = [slot for slot in range(count) if slot not in set(self.order)]
        if missing:
            have = f"Order has {count} numbers but no {missing[0]}" if count > 1 else f"Order is {self.order[0]} alone"
            raise FieldError(
                "order",
                f"{have}; it must hold the number of every word, counted from 0, once, such as 3, 0, 4, 1, 2.",
                (Fix("Last to first", {"experiment_params": {"order": None}}),),
            )

    def cost(self, state: LabState) -> int:
        """Three times the multiplications of one head, of which two take no longer than one step."""
        n = len(state.words_that_count)
        return 3 * (n * n * 2 + n * 64 * 3) * state.dimension // 2

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        words = state.words_that_count
        if len(words) < 2:
            return self.refusal(_why_not(state, len(words)))
        order, note = self._fitted(len(words))
        with task("Shuffling the words"):
            runs = _attend(state, words, order)
        stays = tuple(words[slot] for slot in order) == words
        says = _sentence(state, runs, bool((order == np.arange(len(words))[::-1]).all()))
        says = f"The words read the same in this order. {says}" if stays else says
        point = f"head {state.head}{', causal' if state.causal else ''}; toy: random words and weights"
        return self.part(point, says + note + _left_out(state, len(words)), _plates(words, runs), _figures(runs))

    def _fitted(self, count: int) -> tuple[Index, str]:
        """The order of a sentence of `count` words, and what to say where another number of words was ordered."""
        if self.order is None:
            return np.arange(count)[::-1], ""
        given = len(self.order)
        order = [slot for slot in self.order if slot < count] + list(range(given, count))
        if given == count:
            return np.array(order), ""
        if given < count:
            kept = f"the last {count - given} stay" if count - given > 1 else "the last one stays"
            return np.array(order), f" The order names {given} of the {count} words; {kept} in place."
        return np.array(order), f" The order names {given} words; the numbers past {count - 1} are left out."


def _attend(state: LabState, words: tuple[str, ...], order: Index) -> Runs:
    slots = np.arange(len(words))
    moved = tuple(words[slot] for slot in order)
    home = sentence.match(words, moved)
    carried = np.empty_like(home)
    carried[home] = slots
    before = _head(state, words, slots)
    checkpoint(1 / 3)
    staying = _head(state, moved, slots)
    checkpoint(2 / 3)
    travelling = _head(state, moved, carried)
    sizes = [max(1.0, float(np.abs(values).max())) for values in (before.scores, before.outputs)]
    limit = ROUNDING * sizes[0] * sizes[1] * max(len(words), 64)
    return Runs(before, _put_back(staying, home), _put_back(travelling, home), limit)


def _head(state: LabState, words: Sequence[str], positions: Index) -> Result:
    seed, head, causal = state.seed, state.head, state.causal
    return toy_attention(state.built, words, positions, seed=seed, head=head, causal=causal)[1]


def _put_back(result: Result, home: Index) -> Result:
    """Rows and columns by the words before, of which word i now stands in slot home[i]."""
    both = np.ix_(home, home)
    return Result(result.scores[both], result.weights[both], result.outputs[home])


def _plates(words: tuple[str, ...], runs: Runs) -> tuple[HeatPlate, ...]:
    back = "back in order"
    shown = (
        ("Before", runs.before, ""),
        ("Stay with slots", runs.staying, back),
        ("Travel with words", runs.travelling, back),
    )
    high = max(float(result.weights.max()) for _, result, _ in shown)
    return tuple(_plate(title, result.weights, high, words, note) for title, result, note in shown)


def _plate(title: str, weights: Float, high: float, words: tuple[str, ...], note: str) -> HeatPlate:
    return HeatPlate(title, cells(weights), 0.0, high, "query", "key", words, words, digits=2, note=note)


def _figures(runs: Runs) -> tuple[Figure, ...]:
    both = (("staying", "positions stay", runs.staying), ("travelling", "positions travel", runs.travelling))
    figures = []
    about = "Largest absolute difference of any word's output, words matched by identity."
    for name, label, after in both:
        change = runs.change(after)
        figures.append(Figure(f"change_{name}", f"Change, {label}", change, gap_text(change), about))
    about = "Largest absolute difference of any attention weight, both words matched by identity."
    for name, label, after in both:
        weight = runs.weight_change(after)
        figures.append(Figure(f"weight_change_{name}", f"Of weights, {label}", weight, gap_text(weight), about))
    return tuple(figures)


def _sentence(state: LabState, runs: Runs, is_reversed: bool) -> str:
    stay, travel = runs.change(runs.staying), runs.change(runs.travelling)
    moves, travels = stay > runs.limit, travel > runs.limit
    if travels:  # no scheme does this without the mask: see tests/core/test_experiment_shuffle.py
        return (
            f"Outputs move by up to {gap_text(stay)} if positions stay and {gap_text(travel)} even if they travel: "
            "the causal mask goes by slot, so a word sees others than before."
        )
    if moves:
        return (
            f"Outputs move by up to {gap_text(stay)} if positions stay with the slots; none if they travel: attention "
            "is permutation-equivariant."
        )
    if state.built.acts is Acts.NOTHING:
        return "No output moves, neither way: without positions only the order of the rows differs."
    if is_reversed and state.built.acts is Acts.BIAS:
        return (
            f"No output moves, neither way: read backwards, any two words are as far apart as before, and "
            f"{state.built.title} goes by the distance here. Try another order."
        )
    return "No output moves, neither way: equal pictures mean that nothing changed."


def _why_not(state: LabState, count: int) -> str:
    if len(state.words) > count:
        return f"Two words are needed to shuffle, and the table of {state.built.title} has 1 row: lengthen it."
    have = "one word" if count else "no words"
    return f"Two words are needed to shuffle, and the sentence has {have}: type more."


def _left_out(state: LabState, count: int) -> str:
    missing = len(state.words) - count
    if not missing:
        return ""
    if count == MOST_WORDS:
        return f" Only the first {MOST_WORDS} words take part."
    where = "sequence" if defined_rows(state.built) == state.length else "table"
    return f" Words past the end of the {where} ({count} positions) take no part."
