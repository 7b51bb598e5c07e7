"""The five lights: what a scheme must be judged by, decided by its numbers and by nothing else."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.lengths import alike, at_length, settled, whole_table
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import count_rows, power_of_ten, short, whole
from pe_desktop.core.parts import Index, Light
from pe_desktop.core.phases import reduced, turns_of
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scans import QUICK_SCAN, closest_rows, largest_of_table, rows_of, table_cost
from pe_desktop.core.scheme import LENGTH_RANGE, Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.spread import gap_spread
from pe_desktop.core.work import task

SHORT, LONG = 1024, LENGTH_RANGE[1]
PROBE_CELLS = 1 << 11
RESIDUAL_CELLS = 1 << 17
FEWEST_PROBES, FEWEST_TURNS = 8, 4
EVERY = slice(None)
GROWTH = 1.01  # a largest value that grows by less over a thousandfold length counts as bounded
NOISE = 1e-6  # spread below this share of the values is rounding, also at positions near a million
LABELS = {
    "bounded": "Bounded",
    "unique": "Unique",
    "steady": "Steady across lengths",
    "relative": "Relative",
    "goes_past_training": "Goes past training",
}


def waiting(name: str, evidence: str) -> Light:
    """A light that is not decided yet."""
    return _light(name, None, "…", evidence)


def _light(name: str, holds: bool | None, number: str, evidence: str) -> Light:
    return Light(name, LABELS[name], holds, number, evidence)


def probe_positions(scheme: Scheme, length: int) -> Float:
    """Positions that stand for a sequence: its beginning and an even spread up to its end, shape (n,)."""
    last = length - 1 if scheme.last_position is None else min(length - 1, scheme.last_position)
    probes = _probes(_number(scheme, FEWEST_PROBES), last)
    return np.union1d(probes, scheme.seams(last)) if isinstance(scheme, Gridded) else probes


def _number(scheme: Scheme, fewest: int) -> int:
    return max(fewest, min(64, PROBE_CELLS // scheme.dimension))


@lru_cache(maxsize=256)
def _probes(count: int, last: int) -> Float:
    spread = np.linspace(0, last, count).round().tolist()
    probes = np.array(sorted({*map(float, range(min(count // 4, last + 1))), *spread}))
    probes.flags.writeable = False
    return probes


def _values(scheme: Scheme, positions: Float) -> Float:
    if isinstance(scheme, ScoreBias):
        return scheme.bias([positions[-1]], positions)
    if isinstance(scheme, Rotary):
        angles = reduced(scheme.angles(positions))
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=1) * scheme.amplitude
    rows = rows_of(scheme, positions)
    assert rows is not None
    return rows


def bounded(scheme: Scheme) -> Light:
    """Whether the largest value is independent of the length. Cost: see :func:`scans.scan_cost`."""
    if scheme.last_position is not None:
        return _bounded_table(scheme)
    # The two lengths compared are always the same, so a drag of the length needs no new answer.
    return _bounded(at_length(scheme, SHORT))


def knows_bounded(scheme: Scheme) -> bool:
    """Whether :func:`bounded` answers at once: nothing has to be read or drawn for it, or that was done before."""
    if scheme.last_position is not None:
        return table_cost(scheme) <= QUICK_SCAN or largest_of_table.knows(whole_table(scheme))
    quick = not isinstance(scheme, ScoreBias) or scheme.bound_cost <= QUICK_SCAN
    return quick or _bounded.knows(at_length(scheme, SHORT))


def _bounded_table(scheme: Scheme) -> Light:
    """A table ends, so its largest value is that of its rows, whatever the length."""
    assert scheme.last_position is not None
    rows = scheme.last_position + 1
    with task("Looking for the largest value"):
        largest = largest_of_table(whole_table(scheme))
    evidence = f"Largest value {short(largest)} in all {count_rows(rows)} of the table, whatever the length."
    return _light("bounded", bool(np.isfinite(largest)), short(largest), evidence)


@remember
def _bounded(scheme: Scheme) -> Light:
    lengths = (scheme, at_length(scheme, LONG))
    if isinstance(scheme, ScoreBias):
        return _bounded_bias(scheme)
    if isinstance(scheme, Rotary) and scheme.key_growth() is not None:
        return _bounded_keys(lengths)
    return _by_growth("value", [_largest(each) for each in lengths])


def _largest(scheme: Scheme) -> float:
    if isinstance(scheme, ScoreBias):
        return scheme.largest()
    first = float(np.abs(_values(scheme, np.zeros(1))).max())
    if first == _reached_at_most(scheme):
        return first
    return float(np.abs(_values(scheme, probe_positions(scheme, scheme.length))).max())


def _reached_at_most(scheme: Scheme) -> float | None:
    """What no value can exceed, where that is known without looking: of sines and cosines 1, and what scales them."""
    if isinstance(scheme, Rotary):
        return scheme.amplitude
    return scheme.value_bound if isinstance(scheme, Additive) else None


def _bounded_bias(scheme: ScoreBias) -> Light:
    """A table of biases, or a sum of waves, has a bound that no length exceeds; others are judged by two lengths."""
    bound = scheme.bound()
    if bound is None:
        return _by_growth("bias", [_largest(each) for each in (scheme, at_length(scheme, LONG))])
    evidence = f"No bias of any head exceeds {short(bound)}, however long the sequence."
    return _light("bounded", True, short(bound), evidence)


def _by_growth(what: str, large: list[float]) -> Light:
    evidence = f"Largest {what} {short(large[0])} in {whole(SHORT)} positions and {short(large[1])} in {whole(LONG)}: "
    holds = large[1] <= GROWTH * large[0]
    evidence += "it does not grow with the length." if holds else "it grows with the length."
    return _light("bounded", holds, short(large[1]), evidence)


def _bounded_keys(lengths: tuple[Scheme, Scheme]) -> Light:
    """A rotary scheme that also scales: its cosines are bounded, its keys need not be."""
    tens = [each.key_growth() or 0.0 for each in lengths if isinstance(each, Rotary)]
    factors = [power_of_ten(each) for each in tens]
    holds = 10.0 ** min(tens[1] - tens[0], 1.0) <= GROWTH
    reach = f"{factors[0]} in {whole(SHORT)} positions and {factors[1]} in {whole(LONG)}"
    evidence = f"Queries and keys are scaled by up to {reach}: "
    evidence += "that does not grow with the length." if holds else "that grows with the length; scores do not."
    return _light("bounded", holds, factors[1], evidence)


def unique(scheme: Scheme) -> Light:
    """Whether no two positions get the same row."""
    if not isinstance(scheme, Additive):
        closest = closest_rows(scheme)
        what = "queries and keys" if isinstance(scheme, Rotary) else "the scores"
        tail = "." if closest is None else f" (its closest two rotations are {short(closest.distance)} apart)."
        return _light("unique", None, "–", f"No row is added to the words; the scheme acts on {what}{tail}")
    closest = closest_rows(scheme)
    if closest is None:
        return _light("unique", None, "–", "There is only one row, so nothing to compare.")
    holds = closest.distance > 0.0
    which = f"positions {whole(closest.first)} and {whole(closest.second)}"
    if holds:
        evidence = f"No two rows are alike: the closest, {which}, are {short(closest.distance)} apart."
    else:
        evidence = f"Rows coincide: {which} have the same one."
    return _light("unique", holds, short(closest.distance), evidence)


def _grown(scheme: Scheme) -> tuple[Scheme, Scheme]:
    """A shorter and a longer sequence that tell whether rows move: twice the length, or past where it may switch."""
    length = scheme.length
    switch = scheme.switch_length
    if switch is not None and not length <= switch < 2 * length:
        at = min(max(switch, LENGTH_RANGE[0]), LONG // 2)
        return at_length(scheme, at), at_length(scheme, 2 * at)
    longer = at_length(scheme, min(2 * length, LONG))
    return (scheme if longer.length > length else at_length(scheme, length // 2)), longer


@remember
def steady(scheme: Scheme) -> Light:
    """Whether row p stays where it is when the sequence grows."""
    shorter, longer = _grown(scheme)
    positions = probe_positions(scheme, min(scheme.length, LONG // 2))
    positions = positions[positions < shorter.length]
    moved = 0.0
    if not alike(shorter, longer, positions):
        moved = float(np.abs(_values(longer, positions) - _values(shorter, positions)).max())
    holds = moved == 0.0
    lengths = f"when the sequence grows from {whole(shorter.length)} to {whole(longer.length)}."
    centres = [each.scale_centre for each in (shorter, longer) if isinstance(each, Rotary)]
    if centres and centres[0] is not None and centres[0] != centres[1]:
        middle = f"position {centres[0]:,.10g}, which moves to {centres[1]:,.10g}"
        evidence = f"Queries and keys are scaled about {middle} {lengths} Scores stay."
        return _light("steady", False, f"{centres[1]:,.10g}", evidence)
    evidence = f"No value moves {lengths}" if holds else f"A value moves by up to {short(moved)} {lengths}"
    return _light("steady", holds, short(moved), evidence)


def relative(scheme: Scheme) -> Light:
    """Whether the same gap gives the same similarity or score wherever it lies."""
    spread = gap_spread(scheme)
    what = {Acts.ROTARY: "the score", Acts.BIAS: "the bias"}.get(scheme.acts, "the product row·row")
    if spread is None:
        return _light("relative", None, "–", "All rows are zero or the sequence has no gap to compare.")
    holds = spread < NOISE
    evidence = f"At one gap {what} has a standard deviation over positions of {short(spread)} of its largest value"
    evidence += ": it depends on the gap alone." if holds else ": it depends on where the gap lies."
    if isinstance(scheme, Gridded) and not holds:
        evidence = f"{evidence[:-1]}. The gap counts tokens; equal steps along every axis give equal values."
    return _light("relative", holds, short(spread), evidence)


def goes_past_training(scheme: Scheme) -> Light:
    """Whether a position past any trained length still has its numbers."""
    last = scheme.last_position
    if last is not None:
        return _light(
            "goes_past_training",
            False,
            whole(last + 1),
            f"The table has {count_rows(last + 1)}: position {whole(last + 1)} has no vector.",
        )
    if scheme.acts is Acts.NOTHING:
        return _light("goes_past_training", True, "defined", "Nothing is added, at any position.")
    return _light(
        "goes_past_training",
        True,
        "defined",
        f"A function of position: position {whole(LONG)} is computed like any other. Defined is not trained: a model "
        "may still fail where it never saw these values.",
    )


def lights(scheme: Scheme) -> tuple[Light, ...]:
    """The five properties in the order of the panel. Cost: see :func:`scans.scan_cost`."""
    return bounded(scheme), unique(scheme), steady(scheme), relative(scheme), goes_past_training(scheme)


def residual_positions(scheme: Scheme, last: int) -> Float:
    """Positions over which a rotation is fitted: all where that is cheap or needed, else a spread of them.

    Where every pair is a turning (sin, cos) the fit is exact at any position, and a few show it.
    """
    turning = isinstance(scheme, Additive) and scheme.frequencies() is not None
    if turning or (isinstance(scheme, Rotary) and scheme.pictured_by_waves):
        return _probes(_number(scheme, FEWEST_TURNS), last)
    if (last + 1) * scheme.dimension <= RESIDUAL_CELLS:
        return np.arange(last + 1, dtype=np.float64)
    return probe_positions(scheme, last + 1)


def rotation_residual(scheme: Scheme, gap: int) -> float | None:
    """How badly one fixed rotation per pair takes row p to row p + gap, for all p.

    For each pair (sine-like, cosine-like) as a complex number the best rotation is fitted over
    :func:`residual_positions`; the largest remaining distance is returned. 0 up to rounding for sinusoidal rows
    (Vaswani et al. 2017, section 3.5) and for rotary schemes, where the rotation is the scheme itself.

    Returns
    -------
    float or None
        None where there are no pairs, or no position with a partner `gap` further on.
    """
    return _residual((settled(scheme), gap))


def knows_residual(scheme: Scheme, gap: int) -> bool:
    """Whether :func:`rotation_residual` answers at once: it did before, or needs no rows of a large table."""
    return table_cost(scheme) <= QUICK_SCAN or _residual.knows((settled(scheme), gap))


@remember
def _residual(question: tuple[Scheme, int]) -> float | None:
    scheme, gap = question
    if isinstance(scheme, ScoreBias) or scheme.acts is Acts.NOTHING:
        return None
    last = scheme.length - 1 if scheme.last_position is None else min(scheme.length - 1, scheme.last_position)
    positions = residual_positions(scheme, last)
    positions = positions[positions + gap <= last]
    if not len(positions):
        return None
    before, after = hands(scheme, positions), hands(scheme, positions + gap)
    turn = np.sum(after * np.conj(before), axis=0)
    size = np.abs(turn)
    turn = np.divide(turn, size, out=np.ones_like(turn), where=size > 0)
    return float(np.abs(after - turn * before).max())


def hands(scheme: Scheme, positions: Float, pairs: Index | slice = EVERY) -> NDArray[np.complex128]:
    """Each of `pairs`, or all, at each position as a complex number, cosine-like + i sine-like, shape (n, pairs)."""
    if isinstance(scheme, Gridded):
        turned = turns_of(scheme.coordinates(positions)[:, scheme.pair_axis()[pairs]] * scheme.turns()[pairs])
        turned[scheme.is_silent(positions)] = 0.0
        return turned
    frequencies = scheme.inv_freq() if isinstance(scheme, Rotary) else None
    if isinstance(scheme, Additive):
        frequencies = scheme.frequencies()
    if frequencies is not None:
        return turns_of(np.multiply.outer(positions, frequencies[pairs]))
    assert isinstance(scheme, Additive)
    sine, cosine = scheme.pairs()
    rows = scheme.encode(positions)
    return np.asarray(rows[:, cosine[pairs]] + 1j * rows[:, sine[pairs]])
