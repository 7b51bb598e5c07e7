"""Norms: how long the vectors of the words are beside those of the positions that are added to them."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, Line, LinePlate, register
from pe_desktop.core.experiments.cells import thinned
from pe_desktop.core.numerals import count_rows, short, whole
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import DIMENSION_RANGE, Acts, Float, Scheme, parameter
from pe_desktop.core.sentence import word_vectors
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

MOST_POINTS, FEWEST_POINTS = 400, 64
CELLS = 1 << 18
LOGARITHMIC = 50.0  # largest over smallest length from which on the axis is logarithmic
ROOM = 1.15  # of the largest length: where a linear axis ends
SWAMPS, DROWNS = 5.0, 0.2  # times the words' length: from here on one outweighs the other
SCALES = (
    ("unit_norm", "1/√d entries"),
    ("unit_entries", "Unit entries"),
    ("bert", "0.02 entries (BERT, GPT-2)"),
)


@register
@dataclass(frozen=True, kw_only=True)
class Norms(Experiment):
    """Measure the vectors that are added up: those of the words and those of the positions."""

    embedding_scale: str = parameter(
        "Word vectors",
        str,
        "unit_norm",
        choices=SCALES,
        help="Standard deviation of a word vector's entries as a model starts with: 1/√d makes it about 1 long.",
        source="Vaswani et al. 2017 (tensor2tensor: d^-0.5); PyTorch nn.Embedding: 1; BERT, GPT-2: 0.02",
    )
    multiply: bool = parameter(
        "Multiply by √d",
        bool,
        False,
        help="Multiply word vectors by √d before the position is added, as the first Transformer does.",
        source="Vaswani et al. 2017, section 3.4",
    )

    id: ClassVar[str] = "norms"
    title: ClassVar[str] = "Norms"
    question: ClassVar[str] = "Does the position swamp the word that it is added to?"
    source: ClassVar[str] = "Vaswani et al. 2017, sections 3.4 and 3.5"
    fields: ClassVar[tuple[str, ...]] = ("built", "sentence", "seed", "position")

    def factor(self, dimension: int) -> float:
        """What a standard normal entry of a word vector is multiplied by, in a space of so many dimensions."""
        scale = {"unit_norm": 1.0 / math.sqrt(dimension), "unit_entries": 1.0, "bert": 0.02}[self.embedding_scale]
        return scale * (math.sqrt(dimension) if self.multiply else 1.0)

    def cost(self, state: LabState) -> int:
        """The rows that are measured, sines among them, and random numbers of those that have to be drawn."""
        scheme = state.built
        if not isinstance(scheme, Additive) or scheme.acts is not Acts.ADDED:
            return 0
        positions = _positions(scheme)
        drawn = _draws(scheme, positions)
        if scheme.last_position is not None:  # tables of other dimensions, from the first row of the spot's block on
            drawn += (_spot(state, scheme) % scheme.draw_step + 1) * 2 * DIMENSION_RANGE[1]
        words = len(state.words_that_count) * state.dimension
        return 5 * len(positions) * scheme.dimension + 3 * drawn + 10 * words

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        scheme = state.built
        if not isinstance(scheme, Additive) or scheme.acts is not Acts.ADDED:
            return self.refusal(_why_nothing(scheme))
        spot, last = _spot(state, scheme), defined_rows(scheme) - 1
        with task("Measuring the rows"):
            positions = _positions(scheme)
            lengths = _row_lengths(scheme, positions)
            here, end = _row_lengths(scheme, np.array([spot, last], dtype=np.float64))
            words = self._word_lengths(state)
            content = float(words.mean()) if len(words) else self.factor(scheme.dimension) * math.sqrt(scheme.dimension)
            over = self._over_dimensions(scheme, spot)
        found = Found(content, float(here), float(end), spot, last, bool(len(words)))
        plates = _over_positions(positions, lengths, words, found), over
        factor = short(self.factor(scheme.dimension), 4)
        return self.part(f"entries × {factor}", _sentence(state, found), plates, _figures(found))

    def _word_lengths(self, state: LabState) -> Float:
        words = state.words_that_count
        vectors = word_vectors(words, state.dimension, state.seed)
        return np.asarray(np.linalg.norm(vectors, axis=1) * self.factor(state.dimension))

    def _over_dimensions(self, scheme: Additive, spot: int) -> LinePlate:
        """Lengths in spaces of 2 … 8192 dimensions: of standard normal words in the mean, of the row at `spot`."""
        sizes, rows = [], []
        powers = {1 << power for power in range(1, 14)}
        for size in sorted(powers | {scheme.dimension}):
            checkpoint()
            try:
                other = dataclasses.replace(scheme, dimension=size)
            except FieldError:
                continue  # a dimension that this scheme cannot have
            sizes.append(float(size))
            rows.append(float(_row_lengths(other, np.array([float(spot)]))[0]))
        words = np.array([self.factor(int(size)) * math.sqrt(size) for size in sizes])
        lines, note = _two_lines(np.array(sizes), np.array(rows), np.array(sizes), words)
        return LinePlate(
            f"In other dimensions, position {whole(spot)}",
            lines,
            "model dimension",
            "length (L2)",
            x_log=True,
            y_log=_is_wide(rows, words),
            x_whole=True,
            marks=((float(scheme.dimension), f"d = {whole(scheme.dimension)}"),),
            note=f"words: root mean square{'; ' + note if note else ''}",
        )


@dataclass(frozen=True)
class Found:
    """Length of the words (mean), of the row at the inspected `spot` and of the `last`; ``typed``: of a sentence."""

    content: float
    here: float
    end: float
    spot: int
    last: int
    typed: bool


def _why_nothing(scheme: Scheme) -> str:
    if scheme.acts is Acts.NOTHING:
        return (
            "Nothing is added to the words, so there is no position vector to measure: choose a scheme that adds one."
        )
    how = "turns queries and keys" if scheme.acts is Acts.ROTARY else "adds a number to each score"
    return f"{scheme.title} {how} and adds nothing to the words: choose a scheme that adds vectors, such as Sinusoidal."


def _spot(state: LabState, scheme: Scheme) -> int:
    """The inspected position, or the last one that has a row."""
    return min(state.position, defined_rows(scheme) - 1)


def _positions(scheme: Scheme) -> Float:
    points = min(MOST_POINTS, max(FEWEST_POINTS, CELLS // scheme.dimension))
    return thinned(defined_rows(scheme), points)


def _draws(scheme: Additive, positions: Float) -> int:
    """Random numbers to be drawn for rows at rising `positions` (n,); the last one of a block draws those before it."""
    last_of_block = {int(position) // scheme.draw_step: int(position) for position in positions}
    return sum(scheme.draw_cost(position, 1) for position in last_of_block.values())


def _row_lengths(scheme: Additive, positions: Float) -> Float:
    """Length (L2) of the rows at `positions` (n,), shape (n,), in strips that can be called off."""
    height = max(1, CELLS // scheme.dimension)
    strips = []
    for first in range(0, len(positions), height):
        checkpoint()
        strips.append(np.linalg.norm(scheme.encode(positions[first : first + height]), axis=1))
    return np.concatenate(strips)


def _two_lines(x: Float, rows: Float, x_words: Float, words: Float) -> tuple[tuple[Line, ...], str]:
    """Position and words, and a note: lengths of 0 have no place on a logarithmic axis and are left out there."""
    content, note = Line("words", x_words, words, "other"), ""
    if _is_wide(rows, words) and not rows.all():
        x, rows, note = x[rows > 0], rows[rows > 0], "rows of length 0 are left out"
    return ((Line("position", x, rows, "main"),) if len(x) else ()) + (content,), note


def _is_wide(*lengths: Float | list[float]) -> bool:
    """Whether lengths differ so much that a linear axis would hide the smaller ones."""
    each = np.concatenate([np.asarray(values, dtype=np.float64) for values in lengths])
    each = each[each > 0]
    return bool(len(each) and each.max() > LOGARITHMIC * each.min())


def _over_positions(positions: Float, lengths: Float, words: Float, found: Found) -> LinePlate:
    mean = np.full(2, found.content)
    log = _is_wide(lengths, mean)
    lines, note = _two_lines(positions, lengths, positions[[0, -1]], mean)
    if found.typed:
        lines = (*lines, Line("each word", np.arange(len(words), dtype=np.float64), words, "faint", dots=True))
    return LinePlate(
        "Along the sequence",
        lines,
        "position",
        "length (L2)",
        y_log=log,
        x_whole=True,
        y_range=None if log else (0.0, ROOM * max(float(line.y.max()) for line in lines)),
        marks=((float(found.spot), "inspected"),),
        note=note,
    )


def _figures(found: Found) -> tuple[Figure, ...]:
    ratio, ratio_end = found.here / found.content, found.end / found.content
    spot, last = f"row {whole(found.spot)}", f"row {whole(found.last)}"
    whose = "of the sentence's words" if found.typed else "to be expected of a word"
    numbers = (
        ("content_norm", "Length of words", found.content, f"Mean length (L2) {whose}, scaled."),
        ("position_norm", f"Length of {spot}", found.here, "Length (L2) of the encoding at the inspected spot."),
        ("position_norm_end", f"Length of {last}", found.end, "Length (L2) of the encoding's last row."),
        ("ratio", f"{spot.capitalize()} over words", ratio, "How many times as long as a word."),
        ("ratio_end", f"{last.capitalize()} over words", ratio_end, "How many times as long as a word."),
    )
    same = found.spot == found.last
    return tuple(
        Figure(name, label, value, short(value), about, not (same and name in ("position_norm_end", "ratio_end")))
        for name, label, value, about in numbers
    )


def _sentence(state: LabState, found: Found) -> str:
    ratio = found.end / found.content
    words = f"the words {short(found.content)} on average" if found.typed else f"a word about {short(found.content)}"
    says = f"At position {whole(found.spot)} the position vector is {short(found.here)} long, {words}; "
    says += f"at the last, {whole(found.last)}, it has {short(ratio)} times their length"
    if ratio >= SWAMPS:
        verdict = ": the position swamps the words."
    elif ratio <= DROWNS:
        verdict = ": the words swamp the position."
    else:
        verdict = ": neither swamps the other."
    rows = defined_rows(state.built)
    return says + verdict + ("" if rows == state.length else f" The table ends there, after {count_rows(rows)}.")
