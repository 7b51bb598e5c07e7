"""The fixed rotation: one matrix R_k takes row p to row p + k, for every p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.experiment import (
    Experiment,
    ExperimentPart,
    Figure,
    HeatPlate,
    Line,
    LinePlate,
    register,
)
from pe_desktop.core.experiments.cells import cells, thinned
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numerals import count_rows, short, significant, whole
from pe_desktop.core.phases import turns_of
from pe_desktop.core.properties import hands, residual_positions
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scans import table_cost
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

Complex = NDArray[np.complex128]
MOST_POINTS = 200
FEWEST_POINTS = 16
CELLS = 1 << 17  # pairs x positions looked at where the rotation is known beforehand
SHOWN_PAIRS = 8
FLOOR = 1e-18  # stands for 0 on a logarithmic axis
NOISE = 1e-6


@dataclass(frozen=True, eq=False)
class Turned:
    """``turn`` (pairs,) is R_k, one number of size 1 per pair, cosine + i sine; ``known``: in closed form, not fitted.

    ``misses`` (n,) are the largest distances |R_k · pair of row p − pair of row p + k| at ``positions`` (n,);
    ``angles`` (fastest, slowest pair) in rad, whole turns included where they are known.
    """

    turn: Complex
    known: bool
    positions: Float
    misses: Float
    angles: tuple[float, float]

    @property
    def residual(self) -> float:
        """The largest miss."""
        return float(self.misses.max())


@register
@dataclass(frozen=True, kw_only=True)
class Turn(Experiment):
    """Look for one rotation that takes every row to the row some positions on."""

    id: ClassVar[str] = "turn"
    title: ClassVar[str] = "Fixed rotation"
    question: ClassVar[str] = "Is the row k positions on always the same rotation of this row?"
    source: ClassVar[str] = "Vaswani et al. 2017, section 3.5: PE(p + k) is a linear function of PE(p)"
    fields: ClassVar[tuple[str, ...]] = ("built", "position", "key_position")

    def cost(self, state: LabState) -> int:
        """Sines of every pair at every position looked at and at its partner, and the rows of a table."""
        scheme = state.built
        if not _turns(scheme):
            return 0
        last = defined_rows(scheme) - 1
        known = _frequencies(scheme) is not None
        count = _points(scheme.dimension // 2) if known else len(residual_positions(scheme, last))
        return 10 * count * scheme.dimension + table_cost(scheme)

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        scheme, gap = state.built, abs(state.key_position - state.position)
        if not _turns(scheme):
            return self.refusal(_why_nothing(scheme))
        rows = defined_rows(scheme)
        if gap >= rows:
            return self.refusal(
                f"No position has a partner {whole(gap)} further on: the table has {count_rows(rows)}. "
                "Move the key position nearer."
            )
        with task("Turning rows"):
            turned = _turned(scheme, gap, rows - 1)
        start = state.position if state.position + gap < rows else 0
        plates = _matrix(scheme, turned, gap), _strips(scheme, turned, start, gap), _line(turned, gap)
        return self.part(f"k = {whole(gap)}", _sentence(scheme, turned, gap), plates, _figures(turned, gap))


def _turns(scheme: Scheme) -> bool:
    return not isinstance(scheme, ScoreBias) and scheme.acts is not Acts.NOTHING


def _why_nothing(scheme: Scheme) -> str:
    if scheme.acts is Acts.NOTHING:
        return "Nothing is added, so there are no rows that could be turned into each other."
    return f"{scheme.title} adds a number to each score and has no rows that could be turned into each other."


def _frequencies(scheme: Scheme) -> Float | None:
    """Frequency of each pair (pairs,) where row p + k is row p turned by k x frequency; else None."""
    if isinstance(scheme, Gridded):
        return None
    if isinstance(scheme, Rotary):
        return scheme.inv_freq()
    return scheme.frequencies() if isinstance(scheme, Additive) else None


def _points(pairs: int) -> int:
    """How many positions are looked at where the rotation is known beforehand."""
    return min(MOST_POINTS, max(FEWEST_POINTS, CELLS // max(pairs, 1)))


def _turned(scheme: Scheme, gap: int, last: int) -> Turned:
    frequencies = _frequencies(scheme)
    if frequencies is not None:
        positions, turn = thinned(last - gap + 1, _points(len(frequencies))), turns_of(gap * frequencies)
    else:
        positions = residual_positions(scheme, last)
        positions = positions[positions + gap <= last]
    before, after = hands(scheme, positions), hands(scheme, positions + gap)
    checkpoint()
    if frequencies is None:
        turn = _best(before, after)
    misses = np.abs(after - turn * before).max(axis=1)
    if frequencies is None:
        angles = np.angle(turn)
        return Turned(turn, False, positions, misses, (float(angles[0]), float(angles[-1])))
    return Turned(turn, True, positions, misses, (gap * float(frequencies.max()), gap * float(frequencies.min())))


def _best(before: Complex, after: Complex) -> Complex:
    """The rotation of each pair that comes closest to taking `before` to `after`, both (n, pairs), shape (pairs,)."""
    turn = np.sum(after * np.conj(before), axis=0)
    size = np.abs(turn)
    return np.asarray(np.divide(turn, size, out=np.ones_like(turn), where=size > 0))


def _names(scheme: Scheme, pairs: int) -> tuple[str, ...]:
    """The two columns of each pair, in the order of the matrix."""
    if isinstance(scheme, Rotary):
        return tuple(f"{name} {pair}" for pair in range(pairs) for name in ("cos", "sin"))
    if isinstance(scheme, Additive) and (scheme.frequencies() is not None or isinstance(scheme, Gridded)):
        return tuple(f"{name} {pair}" for pair in range(pairs) for name in ("sin", "cos"))
    assert isinstance(scheme, Additive)
    return tuple(str(column) for pair in zip(*scheme.pairs(), strict=True) for column in pair)[: 2 * pairs]


def _matrix(scheme: Scheme, turned: Turned, gap: int) -> HeatPlate:
    """Blocks along the diagonal: [[c, s], [-s, c]] for (sine, cosine), [[c, -s], [s, c]] for (cosine, sine)."""
    count, shown = len(turned.turn), min(SHOWN_PAIRS, len(turned.turn))
    values = np.zeros((2 * shown, 2 * shown))
    first = 2 * np.arange(shown)
    cosine, sine = turned.turn.real[:shown], turned.turn.imag[:shown]
    sign = -1.0 if isinstance(scheme, Rotary) else 1.0
    values[first, first] = values[first + 1, first + 1] = cosine
    values[first, first + 1], values[first + 1, first] = sign * sine, -sign * sine
    names = _names(scheme, shown)
    which = f"first {shown} of {whole(count)} pairs" if shown < count else f"all {count} pairs"
    which = "the only pair" if count == 1 else which
    title = f"R for k = {whole(gap)}" if turned.known else f"Best rotation for k = {whole(gap)}"
    return HeatPlate(title, cells(values), -1.0, 1.0, "to", "from", names, names, digits=2, note=which)


def _strips(scheme: Scheme, turned: Turned, start: int, gap: int) -> HeatPlate:
    """Row p, R times row p, and row p + k, of the pairs that the matrix shows."""
    shown = slice(0, min(SHOWN_PAIRS, len(turned.turn)))
    here, there = hands(scheme, np.array([start, start + gap], dtype=np.float64), shown)
    three = np.array([here, turned.turn[shown] * here, there])
    parts = (three.real, three.imag) if isinstance(scheme, Rotary) else (three.imag, three.real)
    values = np.stack(parts, axis=2).reshape(3, -1)
    high = float(np.abs(values).max()) or 1.0
    high = 1.0 if turned.known or isinstance(scheme, Gridded) else high
    labels = f"row {whole(start)}", "turned", f"row {whole(start + gap)}"
    return HeatPlate(
        "Row, turned row, partner",
        cells(values),
        -high,
        high,
        row_labels=labels,
        column_labels=_names(scheme, values.shape[1] // 2),
        digits=2 if high < 100 else 0,
        note="lower two: alike?",
    )


def _line(turned: Turned, gap: int) -> LinePlate:
    shown = thinned(len(turned.positions), 2 * MOST_POINTS).astype(np.intp)
    shown = np.union1d(shown, [int(turned.misses.argmax())])
    misses = np.maximum(turned.misses[shown], FLOOR)
    zeros = "; 0 is drawn as 10⁻¹⁸" if (turned.misses == 0).any() else ""
    return LinePlate(
        "How far R misses",
        (Line("", turned.positions[shown], misses, dots=True),),
        "position p",
        "miss",
        y_log=True,
        x_whole=True,
        y_range=(FLOOR, max(10.0, 2.0 * float(misses.max()))),
        note=f"{whole(len(turned.positions))} positions{zeros}",
    )


def _figures(turned: Turned, gap: int) -> tuple[Figure, ...]:
    (fast, slow), known = turned.angles, turned.known
    how = "k × frequency" if known else "of the best rotation"
    names = ("Fastest", "Slowest") if known else ("First", "Last")
    about = "Largest distance of a turned pair of columns from that of row p + k, over the positions looked at."
    return (
        Figure("gap", "Gap k", float(gap), whole(gap), "Distance of the key position from the inspected spot."),
        Figure("residual", "Residual", turned.residual, short(turned.residual), about),
        Figure("angle_fast", f"{names[0]} pair turns by", fast, _rad(fast), f"In rad, {how}."),
        Figure("angle_slow", f"{names[1]} pair turns by", slow, _rad(slow), f"In rad, {how}."),
    )


def _rad(angle: float) -> str:
    return f"{significant(angle)} rad"


def _sentence(scheme: Scheme, turned: Turned, gap: int) -> str:
    if not gap:
        return "Inspected spot and key position are the same, so R turns nothing: choose two positions."
    residual, k = short(turned.residual), whole(gap)
    if turned.residual >= NOISE:
        says = f"No fixed rotation takes row p to row p + {k}: the best one misses by up to {residual}."
        if isinstance(scheme, Gridded):
            says += f" The gap counts tokens; steps along {', '.join(scheme.axes)} differ with p."
        return says
    rows = "any row p" if scheme.dimension % 2 == 0 or isinstance(scheme, Rotary) else "the paired columns of any row p"
    fast, slow = map(_rad, turned.angles)
    by = f"it turns the only pair by {fast}" if len(turned.turn) == 1 else f"pairs turn by {fast} (fastest) to {slow}"
    scaled = (
        " It also scales queries and keys." if isinstance(scheme, Rotary) and scheme.scale_centre is not None else ""
    )
    error = f"missing by at most {residual}: rounding" if turned.residual else "exactly"
    return f"One rotation takes {rows} to row p + {k}, {error}; {by}, whatever p is.{scaled}"
