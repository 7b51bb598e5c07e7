"""Left padding: positions counted by slot, or from the mask so that the pads do not count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.attention import mean_gap, toy_attention
from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import BarPlate, Experiment, ExperimentPart, Figure, HeatPlate, register
from pe_desktop.core.experiments.cells import cells
from pe_desktop.core.experiments.few_words import MOST, few_words
from pe_desktop.core.numerals import count_rows, whole
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.scheme import Float, Scheme, build, parameter
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

Index = NDArray[np.intp]
OTHERS = ("none", "integer", "sinusoidal", "learned", "rope", "alibi", "t5")
SHOWN_SLOTS = 24  # that a strip has room for
ROUNDING = 1e-9  # of the length of an output: what a shift of exact differences may leave
MOST_PADS = 64


@dataclass(frozen=True)
class Change:
    """Mean L2 change of the real words' outputs, ids from the slot and from the mask, and whether the former counts."""

    id: str
    title: str
    slot: float
    mask: float
    harmed: bool


@register
@dataclass(frozen=True, kw_only=True)
class Padding(Experiment):
    """The sentence with pads before it, all of them masked; only the positions of the words may differ.

    A masked key has no weight, so pads change nothing but the ids of the words: attention over the words alone, at
    those ids, is what a padded batch computes for them.
    """

    pads: int = parameter(
        "Pads on the left",
        int,
        3,
        minimum=0,
        maximum=MOST_PADS,
        unit="tokens",
        help="Padding tokens before the first word, as a batch of unequal sentences has; attention does not see them.",
        source="transformers: padding_side left, position_ids = attention_mask.cumsum(-1) - 1",
    )

    id: ClassVar[str] = "padding"
    title: ClassVar[str] = "Left padding"
    question: ClassVar[str] = "Whom does padding on the left harm?"
    source: ClassVar[str] = (
        "transformers (GPT-2: position_ids from the attention mask); OPT counts from the mask itself"
    )
    fields: ClassVar[tuple[str, ...]] = ("built", "sentence", "causal", "head", "seed")

    def cost(self, state: LabState) -> int:
        """Three heads of attention for each scheme in the list; two multiplications take no longer than one step."""
        n = min(len(state.words_that_count), MOST)
        return 3 * (1 + len(OTHERS)) * (n * n * 2 + n * 64 * 3) * state.dimension // 2

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        if not state.words:
            return self.refusal("There is no word to pad: type a sentence.")
        last = state.built.last_position
        room = MOST if last is None else last + 1 - self.pads
        if room < 1:
            return self.refusal(
                f"With {_pads(self.pads)} the first word stands in slot {self.pads}, but the table of "
                f"{state.built.title} has {count_rows((last or 0) + 1)}: use fewer pads, or lengthen it."
            )
        words, note = few_words(state, room)
        changes, left_out = self._changes(state, words)
        plates = self._strip(words), _bars(changes)
        point = f"head {state.head}{', causal' if state.causal else ''}; pads are masked; toy words and weights"
        return self.part(point, self._sentence(changes) + left_out + note, plates, _figures(changes, len(words)))

    def _mask(self, words: int) -> Index:
        """1 for each word, 0 for each pad, shape (pads + words,)."""
        return np.repeat(np.array([0, 1], dtype=np.intp), [self.pads, words])

    def _ids(self, words: int) -> tuple[Index, Index]:
        """Position of every slot: the slot itself, and the number of words before it (−1 at pads)."""
        mask = self._mask(words)
        return np.arange(len(mask)), np.cumsum(mask) - 1

    def _changes(self, state: LabState, words: tuple[str, ...]) -> tuple[list[Change], str]:
        """What padding does to each scheme, the current one first; and what to say of one that cannot be."""
        schemes, left_out = _schemes(state)
        changes = []
        with task("Padding the sentence"):
            for number, scheme in enumerate(schemes):
                checkpoint(number / len(schemes))
                changes.append(self._change(state, scheme, words))
        return changes, left_out

    def _change(self, state: LabState, scheme: Scheme, words: tuple[str, ...]) -> Change:
        head, slots = min(state.head, (scheme.heads or state.heads) - 1), np.arange(len(words))
        by_slot, by_mask = (ids[self.pads :] for ids in self._ids(len(words)))
        before, slot, mask = (
            toy_attention(scheme, words, at, seed=state.seed, head=head, causal=state.causal)[1].outputs
            for at in (slots, by_slot, by_mask)
        )
        moved = mean_gap(before, slot, slots)
        size = float(np.linalg.norm(before, axis=1).mean())
        return Change(scheme.id, scheme.title, moved, mean_gap(before, mask, slots), moved > ROUNDING * max(size, 1.0))

    def _strip(self, words: tuple[str, ...]) -> HeatPlate:
        """The mask and both ids of every slot."""
        by_slot, by_mask = self._ids(len(words))
        rows = np.stack([self._mask(len(words)), by_slot, by_mask])[:, :SHOWN_SLOTS].astype(np.float64)
        tokens = ("<pad>",) * self.pads + words
        cut = f"the first {SHOWN_SLOTS} of {len(tokens)} slots" if len(tokens) > SHOWN_SLOTS else ""
        return HeatPlate(
            "Position ids",
            cells(rows),
            -1.0,
            max(2.0, float(rows.max())),
            column_name="token",
            row_labels=("mask", "ids by slot", "ids by mask"),
            column_labels=tokens[:SHOWN_SLOTS],
            digits=0,
            note=cut,
        )

    def _sentence(self, changes: list[Change]) -> str:
        own = changes[0]
        if not self.pads:
            return "Without a pad both ways of counting give the same ids: nothing changes."
        harmed = [each.title for each in changes if each.harmed]
        safe = [each.title for each in changes if not each.harmed]
        first = (
            f"With {_pads(self.pads)}, ids by slot move the outputs of {own.title} by {gap_text(own.slot)}, ids by the "
            f"mask by {gap_text(own.mask)}."
        )
        parts = [f"Harmed by the shift: {_listed(harmed)}"] if harmed else []
        parts += [f"not harmed: {_listed(safe)}"] if safe else []
        return f"{first} {'; '.join(parts)}."


def _schemes(state: LabState) -> tuple[list[Scheme], str]:
    """The current scheme, then the listed ones it is not; a sentence names one that the dimension does not allow."""
    schemes, missing = [state.built], []
    for name in OTHERS:
        if name == state.scheme:
            continue
        try:
            schemes.append(build(name, {}, state.dimension, state.length))
        except FieldError:  # of these RoPE alone, which needs pairs
            missing.append(name)
    if not missing:
        return schemes, ""
    return schemes, f" RoPE is left out: dimension {whole(state.dimension)} is odd, and it needs pairs."


def _bars(changes: list[Change]) -> BarPlate:
    values: Float = np.array([[each.slot, each.mask] for each in changes])
    values[values < ROUNDING] = 0.0  # noise of rounding is no bar
    return BarPlate(
        "Change of the words' outputs",
        tuple(each.title for each in changes),
        values,
        ("ids by slot", "ids by mask"),
        ("other", "main"),
        "mean L2 change",
        note="against no pads",
    )


def _figures(changes: list[Change], count: int) -> tuple[Figure, ...]:
    own = changes[0]
    about = "Mean L2 distance between a word's output with pads and without."
    figures = [
        Figure("change_slot", "Output change, ids by slot", own.slot, gap_text(own.slot), about),
        Figure("change_mask", "Output change, ids by mask", own.mask, gap_text(own.mask), about),
        Figure("harmed", "Harmed by the shift", float(own.harmed), _yes(own.harmed)),
        Figure("words", "Words", float(count), str(count)),
    ]
    for each in changes:
        if each.id in OTHERS:
            figures.append(Figure(f"harmed_{each.id}", f"{each.title} harmed", float(each.harmed), _yes(each.harmed)))
    return tuple(figures)


def _yes(so: bool) -> str:
    return "yes" if so else "no"


def _pads(count: int) -> str:
    return "1 pad" if count == 1 else f"{count} pads"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
