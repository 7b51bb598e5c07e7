"""Added or concatenated: how much of words and positions a linear read-out finds in their sum."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.draws import normals
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, Line, LinePlate, register
from pe_desktop.core.experiments.read_out import Pairs, Shares, read_out
from pe_desktop.core.numerals import short, whole
from pe_desktop.core.scheme import Acts, Float, parameter
from pe_desktop.core.schemes.sinusoidal import Sinusoidal
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

WIDTHS = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
STEP = 8  # so that half of a width suits every added scheme
ENOUGH = 0.99


@dataclass(frozen=True)
class AtWidth:
    """What one width came to; ``overlap`` and ``subspace`` are defined in :class:`Added`."""

    width: int
    overlap: float
    subspace: float
    sum: Shares
    concatenated: Shares


@register
@dataclass(frozen=True, kw_only=True)
class Added(Experiment):
    """Toy words and the scheme's position rows, added in d dimensions or side by side in two halves of d/2.

    ``overlap`` is the mean \\|cos\\| between a word and a position row; two random directions have √(2/(πd)) for large
    d. ``subspace`` is the share of the rows' squared length that lies in the space the words span (the mean of the
    squared cosine to it, longer rows counting more); chance is min(1, words/d). Both follow from the angles between
    random subspaces, as in Vershynin 2018, High-Dimensional Probability, sections 3.3 and 5.3. Rows of zeros have no
    direction and are left out.
    """

    words: int = parameter(
        "Words",
        int,
        32,
        minimum=8,
        maximum=128,
        logarithmic=True,
        help="Words of the toy vocabulary: random vectors with standard normal entries.",
        source="stand-in of this app; a real embedding is trained",
    )
    positions: int = parameter(
        "Positions",
        int,
        32,
        minimum=8,
        maximum=128,
        logarithmic=True,
        unit="positions",
        help="The first positions of the scheme; each meets every word.",
        source="an experiment of this app",
    )
    seed: int = parameter(
        "Vocabulary seed",
        int,
        0,
        minimum=0,
        maximum=999_999,
        help="Seed of the toy vocabulary.",
        source="stand-in of this app",
    )

    id: ClassVar[str] = "added"
    title: ClassVar[str] = "Added or concatenated"
    question: ClassVar[str] = "Does adding the position spoil the word?"
    source: ClassVar[str] = "Vaswani et al. 2017, section 3.5 (the sum); read-outs by least squares are of this app"
    fields: ClassVar[tuple[str, ...]] = ("built",)

    def cost(self, state: LabState) -> int:
        """Steps of the factorisations, and one per pair and class."""
        both = self.words + self.positions
        factoring = sum(both * width * min(both, width) for width in WIDTHS)
        return 2 * (factoring + len(WIDTHS) * self.words * self.positions * both)

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        scheme, note = _adding(state)
        count, fewer = self._positions(state, scheme)
        if count < 2:
            return self.refusal(
                f"Two positions are needed to tell them apart, and the table of {scheme.title} has 1 row: lengthen it."
            )
        used = min(max(state.dimension // STEP * STEP, WIDTHS[0]), WIDTHS[-1])
        widths = sorted({*WIDTHS, used})
        words = normals(f"added words {self.seed}", self.words * WIDTHS[-1]).reshape(self.words, WIDTHS[-1])
        pairs, found = Pairs(self.words, count), []
        with task("Reading words and positions out"):
            for number, width in enumerate(widths):
                checkpoint(number / len(widths))
                found.append(_at_width(scheme, words, pairs, width))
        here = found[widths.index(used)]
        point = f"{self.words} random words, {count} positions of {scheme.title}; a quarter held out"
        said = _sentence(here) + note + fewer + _rounded(state, used)
        return self.part(point, said, self._plates(found, used), self._figures(here, found))

    def _positions(self, state: LabState, scheme: Additive) -> tuple[int, str]:
        last = scheme.last_position
        room = state.length if last is None else min(state.length, last + 1)
        if room >= self.positions:
            return self.positions, ""
        return room, f" There are only {room} positions here."

    def _plates(self, found: list[AtWidth], used: int) -> tuple[LinePlate, ...]:
        widths = np.array([each.width for each in found], dtype=np.float64)

        def line(name: str, values: list[float], role: str) -> Line:
            return Line(name, widths, np.array(values), role, dots=role != "faint")

        overlap = LinePlate(
            "Overlap of words and positions",
            (
                line("|cos|, word and position", [each.overlap for each in found], "main"),
                line("|cos| by chance, √(2/πd)", [_chance(each.width) for each in found], "faint"),
                line("rows in the words' space", [each.subspace for each in found], "other"),
            ),
            "width d",
            "share",
            x_log=True,
            x_whole=True,
            y_range=(0.0, 1.0),
            marks=((float(used), f"d = {used}"),),
        )
        right = LinePlate(
            "Both read out right",
            (
                line("from the sum", [each.sum.both for each in found], "main"),
                line("from two halves", [each.concatenated.both for each in found], "other"),
            ),
            "width d",
            "share right",
            x_log=True,
            x_whole=True,
            y_range=(0.0, 1.0),
            marks=((float(used), f"d = {used}"),),
        )
        return overlap, right

    def _figures(self, here: AtWidth, found: list[AtWidth]) -> tuple[Figure, ...]:
        width, known = here.width, min(1.0, self.words / here.width)
        inside = "Share of the rows' squared length that lies in the space the words span."
        held = "Share of the held-out pairs whose word or position a least-squares read-out finds."
        shares = [
            Figure(f"{what}_right_{way}", f"{label} right, {way}", value, _percent(value), held)
            for way, each in (("sum", here.sum), ("concatenated", here.concatenated))
            for what, label, value in (("word", "Word", each.word), ("position", "Position", each.position))
        ]
        return (
            Figure("overlap", "|cos|, word and position", here.overlap, short(here.overlap)),
            Figure("overlap_chance", "|cos| by chance", _chance(width), short(_chance(width)), "√(2/(πd))"),
            *shares,
            _needed("width_needed", "Width needed, sum", found, [each.sum for each in found]),
            _needed("width_needed_concatenated", "Width needed, halves", found, [each.concatenated for each in found]),
            Figure("subspace", "Rows in the words' space", here.subspace, short(here.subspace), inside),
            Figure("subspace_chance", "The same by chance", known, short(known), "words/d, at most 1"),
            Figure("width", "Width", float(width), whole(width), "The model dimension as a multiple of 8, 8 to 512."),
        )


def _adding(state: LabState) -> tuple[Additive, str]:
    """The scheme if it adds rows, else the standard sinusoidal one, and what to say then."""
    scheme = state.built
    if isinstance(scheme, Additive) and scheme.acts is Acts.ADDED:
        return scheme, ""
    standard = Sinusoidal(dimension=WIDTHS[-1], length=state.length)
    return standard, f" {scheme.title} adds nothing: the rows are those of {standard.title}, base 10,000."


def _rows(scheme: Additive, width: int, count: int) -> Float:
    return dataclasses.replace(scheme, dimension=width).encode(np.arange(count, dtype=np.float64))


def _at_width(scheme: Additive, words: Float, pairs: Pairs, width: int) -> AtWidth:
    known, rows = words[:, :width], _rows(scheme, width, pairs.positions)
    half = width // 2
    beside = np.zeros((len(words) + pairs.positions, width))
    beside[: len(words), :half] = words[:, :half]
    beside[len(words) :, half:] = _rows(scheme, half, pairs.positions)
    return AtWidth(
        width, *_overlap(known, rows), read_out(np.concatenate([known, rows]), pairs), read_out(beside, pairs)
    )


def _overlap(words: Float, rows: Float) -> tuple[float, float]:
    """Mean \\|cos\\| between words and rows, and the share of the rows inside the words' space."""
    rows = rows[np.linalg.norm(rows, axis=1) > 0.0]
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = words / np.linalg.norm(words, axis=1, keepdims=True) @ units.T
    scaled = rows / np.linalg.norm(rows)  # integers and shares of a length are of any size
    inside = scaled @ np.linalg.qr(words.T)[0]
    return float(np.abs(cosines).mean()), float(min(1.0, (inside**2).sum()))


def _chance(width: int) -> float:
    return math.sqrt(2.0 / (math.pi * width))


def _needed(name: str, label: str, found: list[AtWidth], shares: list[Shares]) -> Figure:
    about = f"Smallest width of the sweep at which both are right in {ENOUGH:.0%} of the held-out pairs.".replace(
        "%", " %"
    )
    width = next((each.width for each, share in zip(found, shares, strict=True) if share.both >= ENOUGH), None)
    if width is None:
        return Figure(name, label, None, f"none up to {WIDTHS[-1]}", about)
    return Figure(name, label, float(width), whole(width), about)


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f} %" if 0.0 < share < 1.0 else f"{100.0 * share:.0f} %"


def _sentence(here: AtWidth) -> str:
    return (
        f"At width {here.width} words and positions have |cos| {short(here.overlap)} (chance "
        f"{short(_chance(here.width))}). A linear read-out gets {_percent(here.sum.word)} of words and "
        f"{_percent(here.sum.position)} of positions right from new sums, {_percent(here.concatenated.word)} and "
        f"{_percent(here.concatenated.position)} from two halves."
    )


def _rounded(state: LabState, used: int) -> str:
    return "" if used == state.dimension else f" Dimension {whole(state.dimension)} is looked at as width {used}."
