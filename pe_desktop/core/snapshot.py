"""The one entry: from a state and what the views show to everything on screen."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np

from pe_desktop.core import (
    part_attention,
    part_compare,
    part_curve,
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
from pe_desktop.core.state import LabState

COARSE = 2

P = TypeVar("P")

# Views made only while they are visible; a new one is one module with a Pane, listed here.
PANES: tuple[Pane, ...] = (part_spectrum.PANE, part_scores.PANE, part_precision.PANE, part_grid.PANE)


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
    full: bool = True,
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
    full : bool
        False leaves out what does not fit a frame: long curves are sampled, scans and large
        attention are announced, wide pictures are coarser. Nothing wrong is ever shown, only less.

    Returns
    -------
    Snapshot
    """
    viewport = viewport or Viewport()
    reuse = Reuse(previous, full)
    attention = reuse.get("attention", part_attention.attention_key(state))
    if attention is None:
        attention = part_attention.attention_part(state, full)
    matrix = _matrix(state, viewport, reuse, full)
    similarity = reuse.get("similarity", part_curve.curve_key(state, viewport))
    if similarity is None:
        similarity = part_curve.curve_part(state, viewport, full)
    rotation = reuse.get("rotation", part_rotation.rotation_key(state)) or part_rotation.rotation_part(state)
    readouts = reuse.get("readouts", part_readouts.readouts_key(state, attention))
    if readouts is None:
        readouts = part_readouts.readouts_part(state, attention, full)
    for part in (matrix, similarity, rotation, attention):
        _lock(part)
    panes = _panes(state, viewport, reuse, full)
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
        _compared(state, viewport, part_compare.Own(matrix, similarity, panes.get("scores")), reuse, full),
    )


def _panes(state: LabState, viewport: Viewport, reuse: Reuse, full: bool) -> dict[str, Any]:
    """The parts of the panes on screen."""
    made = {}
    for pane in PANES:
        if pane.name not in viewport.shown:
            continue
        part = reuse.get(pane.name, pane.key(state, viewport))
        if part is None:
            part = pane.make(state, viewport, full or pane.is_quick(state, viewport))
            _lock(part)
        made[pane.name] = part
    return made


def _compared(
    state: LabState, viewport: Viewport, own: part_compare.Own, reuse: Reuse, full: bool
) -> ComparePart | None:
    """What is shown of the scheme that is compared with."""
    made = part_compare.compare_part(state, viewport, own, reuse, full)
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


def _matrix(state: LabState, viewport: Viewport, reuse: Reuse, full: bool) -> MatrixPart:
    """The picture is kept while only the spot moves, since then only its words change."""
    part: MatrixPart | None = reuse.get("matrix", part_matrix.matrix_key(state, viewport))
    if part is None:
        quick = full or part_matrix.matrix_cost(state, viewport) <= part_matrix.MATRIX_CELLS
        return part_matrix.matrix_part(state, viewport, 1 if quick else COARSE)
    if part.spot_row == state.position:
        return part
    faint = part_matrix.faint_note(state.built, part.values, part.row_step, part.scale)
    return dataclasses.replace(part, spot_row=state.position, sentence=part_matrix.matrix_sentence(state) + faint)
