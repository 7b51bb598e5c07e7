"""Look-alikes: which positions a row of sines confuses, and what the cosines add."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, HeatPlate, register
from pe_desktop.core.experiments.cells import cells
from pe_desktop.core.experiments.sines import Sines, sines_of
from pe_desktop.core.numerals import significant, whole
from pe_desktop.core.phases import reduced
from pe_desktop.core.scheme import Float, parameter
from pe_desktop.core.state import LabState

MOST_PAIRS = 4096
NEAR = 0.1  # of the mean distance: closer than this counts as alike
HALF_TURN = 0.05  # half turns that a sum of angles may be off and still be called a whole number of them


@dataclass(frozen=True, eq=False)
class Likeness:
    """``distances`` (n, n) between the rows of positions, their closest two and how many pairs of them are alike."""

    distances: Float
    first: int
    second: int
    alike: int

    @property
    def closest(self) -> float:
        """Distance of the closest two."""
        return float(self.distances[self.first, self.second])


@register
@dataclass(frozen=True, kw_only=True)
class Lookalikes(Experiment):
    """Measure how far apart the rows of any two positions are, with sines alone and with cosines beside them."""

    positions: int = parameter(
        "Positions compared",
        int,
        64,
        minimum=8,
        maximum=96,
        unit="positions",
        help="Every two positions from 0 on are compared.",
        source="any number; 64 fit the picture",
    )
    pairs: int | None = parameter(
        "Pairs used",
        int,
        None,
        minimum=1,
        maximum=MOST_PAIRS,
        unit="pairs",
        logarithmic=True,
        derived="all pairs",
        help="Only so many of the fastest pairs; with one, a sine alone cannot tell p from half a turn less p.",
        source="Vaswani et al. 2017 use all",
    )

    id: ClassVar[str] = "lookalikes"
    title: ClassVar[str] = "Look-alikes"
    question: ClassVar[str] = "Which positions look alike to sines, and why are there cosines too?"
    source: ClassVar[str] = "Vaswani et al. 2017, section 3.5, for the pairs"
    fields: ClassVar[tuple[str, ...]] = ("built",)

    def cost(self, state: LabState) -> int:
        """Two tables of sines over pairs, and their product."""
        pairs = min(self.pairs or MOST_PAIRS, max(1, state.dimension // 2))
        return 3 * self.positions * pairs * (10 + self.positions // 32)

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        sines = sines_of(state.built)
        frequencies = sines.frequencies[: self.pairs]
        alone, both = _distances(frequencies, self.positions)
        found = _likeness(alone), _likeness(both)
        high = max(float(alone.max()), float(both.max()))
        confused = _confused(*found)
        titles = ("Sines alone", "Sines and cosines")
        plates = tuple(_plate(title, each, high, confused) for title, each in zip(titles, found, strict=True))
        used, owned = len(frequencies), len(sines.frequencies)
        which = f"all {whole(used)} pairs" if used == owned else f"{whole(used)} of {whole(owned)} pairs"
        point = f"{'the only pair' if owned == 1 else which} of {sines.owner}; distance of rows, 0: alike"
        return self.part(point, _sentence(sines, frequencies, found, confused), plates, _figures(found, confused, used))


def _distances(frequencies: Float, count: int) -> tuple[Float, Float]:
    """Distances between the rows of positions 0 … count − 1, of sines and of sines and cosines, each (count, count).

    sin a − sin b is 2 cos((a + b) / 2) sin((a − b) / 2), so that no digit is lost between rows that are alike; with
    the cosine the squares add up to 4 sin²((a − b) / 2).
    """
    position = np.arange(count)
    total, gap = position[:, None] + position, np.abs(position[:, None] - position)
    halves = np.multiply.outer(np.arange(2 * count - 1) / 2.0, frequencies)
    chords = 4.0 * np.sin(reduced(halves[:count])) ** 2
    alone = np.cos(reduced(halves)) ** 2 @ chords.T
    return np.sqrt(alone[total, gap]), np.sqrt(chords.sum(axis=1)[gap])


def _likeness(distances: Float) -> Likeness:
    first, second = np.triu_indices(len(distances), 1)
    each = distances[first, second]
    closest = int(each.argmin())
    alike = int((each < NEAR * each.mean()).sum())
    return Likeness(distances, int(first[closest]), int(second[closest]), alike)


def _confused(alone: Likeness, both: Likeness) -> tuple[int, int] | None:
    """The positions alike to sines alone that the cosines tell apart best; None where no two are alike."""
    first, second = np.triu_indices(len(alone.distances), 1)
    each = alone.distances[first, second]
    apart = np.where(each < NEAR * each.mean(), both.distances[first, second], -1.0)
    best = int(apart.argmax())
    return (int(first[best]), int(second[best])) if apart[best] > 0 else None


def _plate(title: str, found: Likeness, high: float, marked: tuple[int, int] | None) -> HeatPlate:
    count = len(found.distances)
    pair = marked or (found.first, found.second)
    return HeatPlate(
        title,
        cells(found.distances),
        0.0,
        high,
        "position",
        "position",
        marked=(pair, pair[::-1]),
        note=f"{whole(found.alike)} of {whole(count * (count - 1) // 2)} pairs alike",
    )


def _figures(found: tuple[Likeness, Likeness], confused: tuple[int, int] | None, used: int) -> tuple[Figure, ...]:
    each = tuple(zip(("sine", "both"), ("sines alone", "with cosines"), found, strict=True))
    figures = []
    for name, label, rows in each:
        text, pair = significant(rows.closest), f"{rows.first}, {rows.second}"
        about = f"Distance (L2) of the two closest rows, those of positions {pair}."
        figures.append(Figure(f"closest_{name}", f"Closest, {label}", rows.closest, f"{text}  ({pair})", about))
    about = "Pairs of positions closer than a tenth of the mean distance."
    for name, label, rows in each:
        figures.append(Figure(f"alike_{name}", f"Alike, {label}", float(rows.alike), whole(rows.alike), about))
        for which, position in (("first", rows.first), ("second", rows.second)):
            title = f"{which.capitalize()} position, {label}"
            figures.append(Figure(f"{which}_{name}", title, float(position), str(position), shown=False))
    figures += _confusion(found, confused)
    return (*figures, Figure("pairs", "Pairs used", float(used), whole(used), shown=False))


def _confusion(found: tuple[Likeness, Likeness], confused: tuple[int, int] | None) -> list[Figure]:
    """The positions of :func:`_confused` and how far apart they are, with sines alone and with both."""
    names = ("confused_first", "confused_second", "confused_sine", "confused_both")
    if confused is None:
        return [Figure(name, "Confused by sines", None, "no two positions are alike", shown=False) for name in names]
    about = "Of the positions alike to sines alone, the two that cosines tell apart best; distance (L2)."
    pair = f"{confused[0]} and {confused[1]}"
    labels = ("Confused: first", "Confused: second", f"{pair}, sines alone", f"{pair}, with cosines")
    values = (*map(float, confused), *(float(each.distances[confused]) for each in found))
    texts = (*map(str, confused), *map(significant, values[2:]))
    shown = (False, False, True, True)
    return [
        Figure(name, label, value, text, about, is_shown)
        for name, label, value, text, is_shown in zip(names, labels, values, texts, shown, strict=True)
    ]


def _sentence(
    sines: Sines, frequencies: Float, found: tuple[Likeness, Likeness], confused: tuple[int, int] | None
) -> str:
    alone, both = found
    closest = f"the closest, {both.first} and {both.second}, are {significant(both.closest)} apart"
    if confused is None:
        says = (
            f"No two positions look alike: the closest by sines alone, {alone.first} and {alone.second}, are "
            f"{significant(alone.closest)} apart; with cosines {closest}."
        )
    else:
        near, far = (significant(float(each.distances[confused])) for each in found)
        says = (
            f"Sines alone: {_are(alone.alike)} nearly the same, such as {confused[0]} and {confused[1]}: {near} apart, "
            f"with cosines {far}. With cosines {_are(both.alike)}."
        )
        if len(frequencies) == 1:
            says += _why(float(frequencies[0]), confused)
    return says + (f" {sines.note}" if sines.note else "")


def _are(count: int) -> str:
    return "1 pair is" if count == 1 else f"{whole(count) if count else 'no'} pairs are"


def _why(frequency: float, pair: tuple[int, int]) -> str:
    """Why one sine has nearly the same value at both positions: mirrored at its peak, or whole turns apart."""
    halves = sum(pair) * frequency / np.pi
    if abs(halves - round(halves)) < HALF_TURN and round(halves) % 2:
        return f" A sine falls as it rose: {pair[0]} + {pair[1]} are {halves:.3f} half turns, near an odd number."
    turns = (pair[1] - pair[0]) * frequency / (2 * np.pi)
    if round(turns) and abs(turns - round(turns)) < HALF_TURN:
        return f" They lie {turns:.3f} turns apart, which no single pair can tell: slower pairs can."
    return ""
