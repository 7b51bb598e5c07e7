"""The one entry: from a state and what the views show to everything on screen."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from pe_desktop.core import (
    part_attention,
    part_compare,
    part_curve,
    part_experiment,
    part_grid,
    part_matrix,
    part_precision,
    part_readouts,
    part_rotation,
    part_scores,
    part_spectrum,
)
from pe_desktop.core.parts import ComparePart, MatrixPart, Pane, Snapshot, Viewport
from pe_desktop.core.reuse import Reuse
from pe_desktop.core.scans import is_quick
from pe_desktop.core.stage import EVERYTHING, NOTHING, Stage, Stages
from pe_desktop.core.state import LabState
from pe_desktop.core.work import task

COARSE = 2
# What goes on while a part is made, told where it takes long; the read-outs tell of each scan by itself.
WORK = {
    "matrix": "Drawing the matrix",
    "attention": "Working out the attention",
    "similarity": "Drawing the curve",
    "rotation": "Drawing the dials",
    "readouts": "Working out the read-outs",
    "spectrum": "Drawing the spectrum",
    "scores": "Drawing the scores",
    "precision": "Looking for rounding errors",
    "grid": "Drawing the grid",
    "compare": "Comparing A with B",
    "experiment": "Doing the experiment",
}

# Views made only while they are visible; a new one is one module with a Pane, listed here.
PANES: tuple[Pane, ...] = (
    part_spectrum.PANE,
    part_scores.PANE,
    part_precision.PANE,
    part_grid.PANE,
    part_experiment.PANE,
)


def is_cheap(state: LabState, viewport: Viewport) -> bool:
    """Whether a full snapshot fits into a frame; if not, a quick one is shown until the full one is there."""
    return (
        part_matrix.matrix_cost(state, viewport) <= part_matrix.MATRIX_CELLS
        and part_curve.curve_is_quick(state, viewport)
        and part_attention.attention_cost(state) <= part_attention.QUICK
        and is_quick(state.built)
        and all(pane.is_quick(state, viewport) for pane in PANES if pane.name in viewport.shown)
        and part_compare.is_quick(state, viewport)
    )


def compute(
    state: LabState,
    viewport: Viewport | None = None,
    *,
    generation: int = 0,
    previous: Snapshot | None = None,
    full: bool | Stages = True,
) -> Snapshot:
    """Make a snapshot.

    Parameters
    ----------
    state : LabState
    viewport : Viewport
        What the views show; default: everything.
    generation : int
        Number the snapshot carries, to tell newer from older.
    previous : Snapshot
        Parts that depend on nothing that changed are taken from it, the same objects.
    full : bool or collection of Stage
        The stages whose parts are made in full, True: all. The others leave out what does not fit a frame: long
        curves are sampled, scans and large attention are announced, wide pictures are coarser. Nothing wrong is ever
        shown, only less.

    Returns
    -------
    Snapshot
    """
    viewport = viewport or Viewport()
    if isinstance(full, bool):
        full = EVERYTHING if full else NOTHING
    reuse = Reuse(previous, full)
    key = part_attention.attention_key(state)
    attention = _part(reuse, "attention", key, Stage.ATTENTION, partial(part_attention.attention_part, state))
    matrix = _matrix(state, viewport, reuse)
    panes = _panes(state, viewport, reuse)
    curve = partial(part_curve.curve_part, state, viewport)
    similarity = _part(reuse, "similarity", part_curve.curve_key(state, viewport), Stage.CURVE, curve)
    key = part_rotation.rotation_key(state)
    rotation = _part(reuse, "rotation", key, Stage.READOUTS, partial(part_rotation.rotation_part, state))
    key = part_readouts.readouts_key(state, attention)
    made = partial(part_readouts.readouts_part, state, attention)
    readouts = _part(reuse, "readouts", key, Stage.READOUTS, made)
    return Snapshot(
        state,
        generation,
        state.built,
        matrix,
        similarity,
        rotation,
        attention,
        readouts,
        panes,
        state.built.notes(),
        reuse.keys,
        _compared(state, viewport, part_compare.Own(matrix, similarity, panes.get("scores")), reuse),
    )


def stages(
    state: LabState, viewport: Viewport | None = None, *, generation: int = 0, previous: Snapshot | None = None
) -> tuple[Callable[[], Snapshot | None], ...]:
    """The steps from a quick snapshot to the full one, to be taken in order.

    Each makes one :class:`Stage` in full and takes all else over from the step before, so that none repeats the work
    of another. A step that breaks is left out: those after it do without.

    Parameters
    ----------
    state, viewport, generation
        See :func:`compute`.
    previous : Snapshot
        What is on screen: parts not yet made in full are taken from it.

    Returns
    -------
    tuple of callable
        One for each stage: gives a complete snapshot, or None where the one before shows the same.
    """
    climb = _Climb(state, viewport or Viewport(), generation, previous)
    return tuple(partial(climb.step, stage) for stage in Stage)


class _Climb:
    """What the steps of :func:`stages` hand on."""

    def __init__(self, state: LabState, viewport: Viewport, generation: int, previous: Snapshot | None) -> None:
        self._state, self._viewport, self._generation = state, viewport, generation
        self._last = previous
        self._full: frozenset[Stage] = NOTHING

    def step(self, stage: Stage) -> Snapshot | None:
        last, full = self._last, self._full | {stage}
        made = compute(self._state, self._viewport, generation=self._generation, previous=last, full=full)
        self._full, self._last = full, made
        same = last is not None and last.generation == made.generation
        return None if same and all(a is b for a, b in zip(_parts(last), _parts(made), strict=True)) else made


def _parts(snapshot: Snapshot | None) -> tuple[Any, ...]:
    if snapshot is None:
        return ()
    own = (snapshot.matrix, snapshot.similarity, snapshot.rotation, snapshot.attention, snapshot.readouts)
    return (*own, snapshot.compare, *(snapshot.panes.get(pane.name) for pane in PANES))


def is_complete(snapshot: Snapshot) -> bool:
    """Whether no part of a snapshot is still to be worked out."""
    return all(getattr(part, "exact", True) for part in _parts(snapshot))


def _part(
    reuse: Reuse, name: str, key: tuple[object, ...], stage: Stage, make: Callable[[bool], Any], *, quick: bool = False
) -> Any:
    """The part there is, or a new one; `make` is told whether in full, which it is also where that is `quick`."""
    part = reuse.get(name, key, stage)
    if part is None:
        with task(WORK[name]):
            part = make(quick or stage in reuse.full)
        _lock(part)
    return part


def _panes(state: LabState, viewport: Viewport, reuse: Reuse) -> dict[str, Any]:
    """The parts of the panes on screen."""
    made = {}
    for pane in PANES:
        if pane.name in viewport.shown:
            key, quick = pane.key(state, viewport), pane.is_quick(state, viewport)
            made[pane.name] = _part(reuse, pane.name, key, pane.stage, partial(pane.make, state, viewport), quick=quick)
    return made


def _compared(state: LabState, viewport: Viewport, own: part_compare.Own, reuse: Reuse) -> ComparePart | None:
    """What is shown of the scheme that is compared with."""
    with task(WORK["compare"]):
        made = part_compare.compare_part(state, viewport, own, reuse)
    if made is not None:
        for part in (made.matrix, made.matrix_difference, made.similarity, made.curve):
            _lock(part)
    return made


def _lock(part: object) -> None:
    """Make every array of a part read-only: views and workers share them."""
    for value in vars(part).values():
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False


def _matrix(state: LabState, viewport: Viewport, reuse: Reuse) -> MatrixPart:
    """The picture is kept while only the spot moves, since then only its words change."""

    def make(full: bool) -> MatrixPart:
        fine = full or part_matrix.matrix_cost(state, viewport) <= part_matrix.MATRIX_CELLS
        return part_matrix.matrix_part(state, viewport, 1 if fine else COARSE)

    part: MatrixPart = _part(reuse, "matrix", part_matrix.matrix_key(state, viewport), Stage.PICTURES, make)
    if part.spot_row == state.position:
        return part
    faint = part_matrix.faint_note(state.built, part.values, part.rows, part.scale, part.statistic)
    return dataclasses.replace(part, spot_row=state.position, sentence=part_matrix.matrix_sentence(state) + faint)
