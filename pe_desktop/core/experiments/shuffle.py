"""The shuffle: the same words in another order, with positions that stay with the slots or travel with the words."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.attention import Result, toy_attention
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, HeatPlate, register
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.scheme import Float
from pe_desktop.core.state import LabState


@register
class Shuffle(Experiment):
    """Permute the words of the sentence; see what each word's output becomes."""

    id = "shuffle"
    title = "Shuffle"
    question = "Does a word get another output when the words come in another order?"
    source = "Vaswani et al. 2017"
    fields = ("built", "sentence", "causal", "head", "seed")

    def run(self, state: LabState) -> ExperimentPart:
        words = state.words_that_count
        if len(words) < 2:
            return self.refusal("Two words are needed to shuffle: type a longer sentence.")
        order = np.arange(len(words))[::-1]
        _, before = self._attend(state, words, np.arange(len(words)))
        _, stay = self._attend(state, tuple(words[slot] for slot in order), np.arange(len(words)))
        change = float(np.abs(before.outputs[order] - stay.outputs).max())
        plate = HeatPlate("Before", before.weights.astype(np.float32), 0.0, 1.0, "query", "key", words, words)
        figure = Figure("change_staying", "Positions stay with the slots", change, gap_text(change))
        return self.part("", "", (plate,), (figure,))

    def _attend(self, state: LabState, words: tuple[str, ...], places: np.ndarray) -> tuple[Float, Result]:
        options = {"seed": state.seed, "head": state.head, "causal": state.causal}
        return toy_attention(state.built, words, places, **options)
