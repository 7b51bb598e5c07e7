"""The rotation part of a snapshot: the dials."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numerals import count_rows, short, wavelength
from pe_desktop.core.parts import Index, RotationPart
from pe_desktop.core.properties import hands, knows_residual, rotation_residual
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState

MOST_DIALS = 32
NOISE = 1e-6
NO_PAIRS: Index = np.zeros(0, dtype=np.intp)
NO_HANDS = np.zeros(0, dtype=np.complex128)
WAITING = "Looking for the best fixed rotation between rows so far apart…"
STEPS_NOTE = "Move query and key together: the gap in tokens stays, the steps along the axes may not"


def rotation_key(state: LabState) -> tuple[object, ...]:
    """What the dials depend on."""
    return state.built, state.position, state.key_position


def chosen_pairs(count: int) -> Index:
    """Pair numbers that get a dial: all, or an even spread from the fastest to the slowest."""
    return np.linspace(0, count - 1, min(count, MOST_DIALS)).round().astype(np.intp)


def rotation_part(state: LabState, full: bool = True) -> RotationPart:
    """Make the rotation part; with `full` False rows of a table that were not drawn yet are left for later."""
    scheme, m, n = state.built, state.position, state.key_position
    if isinstance(scheme, ScoreBias) or scheme.acts is Acts.NOTHING:
        return _text(state, _why_nothing_turns(scheme, m))
    last = defined_rows(scheme) - 1
    if max(m, n) > last:
        return _text(state, f"Position {max(m, n):,} has no vector: the table has {count_rows(last + 1)}.")
    if isinstance(scheme, Gridded) and scheme.is_silent([m, n]).any():
        return _text(state, "The class token has a row of zeros: no hand to draw. Choose two patches.")
    frequencies = _frequencies(scheme)
    count = len(frequencies) if frequencies is not None else scheme.dimension // 2
    pairs = chosen_pairs(count)
    both = hands(scheme, np.array([m, n], dtype=np.float64), pairs)
    exact = full or knows_residual(scheme, abs(n - m))
    rim = 1.0
    if frequencies is None:
        rim = float(np.abs(both).max()) or 1.0
        both = both / rim
    arc = None if frequencies is None else _steps(scheme, m, n, pairs) * frequencies[pairs]
    made = RotationPart(
        kind="rotary" if isinstance(scheme, Rotary) else "hands",
        pairs=pairs,
        pair_count=count,
        labels=_labels(scheme, pairs, frequencies),
        query=both[0],
        key=both[1],
        arc=arc,
        position=m,
        key_position=n,
        title="Rotation",
        point=_point(pairs, count, rim, frequencies is not None) + _regimes_note(scheme),
        sentence=_sentence(scheme, m, n, frequencies) if exact else WAITING,
        regime=_regime(scheme, pairs),
        exact=exact,
    )
    return dataclasses.replace(made, shift_note=STEPS_NOTE) if isinstance(scheme, Gridded) else made


def _regime(scheme: Scheme, pairs: Index) -> NDArray[np.int8] | None:
    """What an extension did to each of `pairs`, None where every pair was kept."""
    regime = scheme.regime() if isinstance(scheme, Rotary) else None
    return None if regime is None or not regime.any() else regime[pairs]


def _regimes_note(scheme: Scheme) -> str:
    regime = scheme.regime() if isinstance(scheme, Rotary) else None
    if regime is None or not regime.any():
        return ""
    names = zip(np.bincount(regime, minlength=3).tolist(), ("kept", "blended", "divided"), strict=True)
    return f"; {', '.join(f'{count} {name}' for count, name in names if count)}"


def _steps(scheme: Scheme, m: int, n: int, pairs: Index) -> Float:
    """What separates key n from query m along the axis that each of `pairs` (k,) reads, shape (k,)."""
    if not isinstance(scheme, Gridded):
        return np.full(len(pairs), float(m - n))
    at = scheme.coordinates([m, n])
    return np.asarray((at[0] - at[1])[scheme.pair_axis()[pairs]])


def _why_nothing_turns(scheme: Scheme, query: int) -> str:
    if isinstance(scheme, ScoreBias):
        what = "a bias to each score, shown in the matrix and the curve."
        if scheme.content:
            what = f"a term of content and offset to each score; matrix and curve show it for a {scheme.stand_in}."
        return f"This scheme does not rotate anything: it adds {what}"
    factor = float(scheme.query_scale([query])[0])
    if factor != 1.0:
        return f"Nothing rotates: the query at {query:,} is only multiplied by {factor:.4f}."
    return "Nothing rotates: no position enters the words, the queries or the keys."


def _frequencies(scheme: Scheme) -> Float | None:
    if isinstance(scheme, Gridded):
        return scheme.turns()
    if isinstance(scheme, Rotary):
        return scheme.inv_freq()
    return scheme.frequencies() if isinstance(scheme, Additive) else None


def _labels(scheme: Scheme, pairs: Index, frequencies: Float | None) -> tuple[str, ...]:
    if frequencies is None:
        return tuple(f"pair {pair}" for pair in pairs)
    if isinstance(scheme, Gridded):
        axis, names = scheme.pair_axis(), [name[0] for name in scheme.axes]
        return tuple(f"{pair} · {names[axis[pair]]} λ {wavelength(frequencies[pair])}" for pair in pairs)
    return tuple(f"{pair} · λ {wavelength(frequencies[pair])}" for pair in pairs)


def _point(pairs: Index, count: int, rim: float, turning: bool) -> str:
    which = (
        ("the only pair" if count == 1 else f"all {count} pairs")
        if len(pairs) == count
        else f"{len(pairs)} of {count:,} pairs"
    )
    return which if turning else f"{which}; rim = {short(rim, 2)}"


def _sentence(scheme: Scheme, m: int, n: int, frequencies: Float | None) -> str:
    if isinstance(scheme, Gridded):
        at = scheme.coordinates([m, n])
        steps = [f"{name} {step:,.0f}" for name, step in zip(scheme.axes, at[0] - at[1], strict=True)]
        return (
            f"m = {m:,} ({scheme.place(m)}), n = {n:,} ({scheme.place(n)}): the step is "
            f"{', '.join(steps).replace('-', '−')}, and each pair turns by that of its axis × θ."
        )
    if isinstance(scheme, Rotary):
        assert frequencies is not None
        turn = short((m - n) * float(frequencies[0]), 2)
        factors = scheme.query_scale([0, m, scheme.length - 1])
        score = "the score changes with the query's temperature" if np.ptp(factors) > 0 else "so does the score"
        return f"m = {m:,}, n = {n:,}: pair 0 differs by (m − n)·θ = {turn} rad. Shift both: the arcs stay, {score}."
    gap = abs(n - m)
    residual = rotation_residual(scheme, gap)
    if residual is None:
        return f"No position has a partner {gap:,} further on."
    if gap and residual < NOISE:
        rows = "any row p" if scheme.dimension % 2 == 0 else "the paired columns of any row p"
        error = f"missing by at most {short(residual)}: rounding" if residual else "exactly"
        return f"One fixed rotation per pair takes {rows} to row p + {gap:,}, {error}."
    if not gap:
        return "Both hands are the same row; choose another key position to see the turn between two spots."
    return f"No fixed rotation takes row p to row p + {gap:,}: the best one per pair misses by up to {short(residual)}."


def _text(state: LabState, sentence: str) -> RotationPart:
    return RotationPart(
        "text",
        NO_PAIRS,
        0,
        (),
        NO_HANDS,
        NO_HANDS,
        None,
        state.position,
        state.key_position,
        "Rotation",
        "no dials",
        sentence,
    )
