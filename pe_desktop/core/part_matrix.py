"""The matrix part of a snapshot."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, whole_blocks
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import whole
from pe_desktop.core.parts import Float32, MatrixPart, Viewport, Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import (
    Picture,
    bias_cost,
    bias_picture,
    defined_rows,
    picture,
    shape_of,
    wave_columns,
)
from pe_desktop.core.scans import largest_of_table
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState

EMPTY = np.zeros((0, 0), dtype=np.float32)
SCALE_CELLS = 1 << 18
# Cells a frame may evaluate for the matrix before a drag gets a coarser (still exact) picture.
MATRIX_CELLS = 1 << 18
DIVISORS = (1, 2, 4, 8)  # of the resolution of a coarser picture
GRID_COST = 4  # a mean over grid rows takes so many times as long as one of plain waves
FAINT = 0.05  # share of the colour scale below which a picture looks blank
KINDS = {Acts.NOTHING: "nothing", Acts.ADDED: "encoding", Acts.ROTARY: "cos_sin", Acts.BIAS: "bias"}
TITLES = {
    "nothing": "Encoding matrix",
    "encoding": "Encoding matrix",
    "cos_sin": "Cosines and sines",
    "bias": "Bias matrix",
}


def matrix_window(scheme: Scheme, viewport: Viewport) -> Window:
    """The cells and pixels that a viewport means for a scheme's matrix."""
    rows, columns = shape_of(scheme)
    return Window(viewport.rows or (0, rows), viewport.columns or (0, columns), *viewport.matrix)


def matrix_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the picture depends on; equal keys mean the same picture."""
    scheme = state.built
    bias = (state.head, state.causal) if isinstance(scheme, ScoreBias) else None
    return scheme, bias, matrix_window(scheme, viewport)


def matrix_cost(state: LabState, viewport: Viewport) -> int:
    """Rough number of cells evaluated."""
    scheme = state.built
    if scheme.acts is Acts.NOTHING:
        return viewport.matrix[0] * viewport.matrix[1]
    window = matrix_window(scheme, viewport)
    if isinstance(scheme, ScoreBias):
        return bias_cost(scheme, window) if window.height else 0
    columns = math.ceil(window.columns[1] - window.columns[0])
    if scheme.last_position is not None:
        return min(math.ceil(window.rows[1]), defined_rows(scheme)) * columns
    rows = math.ceil(window.rows[1] - window.rows[0])
    each = GRID_COST if isinstance(scheme, Gridded) and rows > window.height else 1
    return min(window.height, rows) * columns * each


def matrix_part(state: LabState, viewport: Viewport, coarse: int = 1) -> MatrixPart:
    """Make the matrix part.

    Parameters
    ----------
    coarse : int
        Divides the resolution; every cell is an exact mean at any resolution, but for a bias whose means would take
        too long even so: its blocks show the cell in their middle, and ``pixel`` says it.
    """
    scheme = state.built
    kind = KINDS[scheme.acts]
    if kind == "nothing" or not viewport.matrix[0]:
        return _without_picture(state, kind)
    window = matrix_window(scheme, viewport)
    window = _divided(window, coarse)
    made = picture(scheme, window, state.head) if coarse == 1 else _quick_picture(scheme, window, state.head)
    made.values.flags.writeable = False
    return _frame(state, kind, made, coarse)


def _quick_picture(scheme: Scheme, window: Window, head: int) -> Picture:
    """Exact means, coarser still for a bias that needs it; where there are none in time, the middles of the blocks."""
    if not isinstance(scheme, ScoreBias):
        return picture(scheme, window)
    windows = [_divided(window, divisor) for divisor in DIVISORS]
    for each in windows:
        if not scheme.sampled and bias_cost(scheme, each) <= MATRIX_CELLS:
            return bias_picture(scheme, each, head, False)
    cells = [each.height * each.width * scheme.cell_cost for each in windows]
    fitting = next((w for w, cost in zip(windows, cells, strict=True) if cost <= MATRIX_CELLS), windows[-1])
    return bias_picture(scheme, fitting, head, True)


def _divided(window: Window, divisor: int) -> Window:
    return dataclasses.replace(window, height=max(1, window.height // divisor), width=max(1, window.width // divisor))


def _frame(state: LabState, kind: str, made: Picture, coarse: int) -> MatrixPart:
    scheme = state.built
    scale = colour_scale(scheme, state.head)
    return MatrixPart(
        kind=kind,
        values=np.ascontiguousarray(made.values),
        rows=made.rows,
        columns=made.columns,
        shape=shape_of(scheme),
        scale=scale,
        defined_rows=defined_rows(scheme),
        spot_row=state.position,
        exact=coarse == 1,
        title=TITLES[kind],
        pixel=pixel_words(scheme, kind, made),
        sentence=matrix_sentence(state) + faint_note(scheme, made.values, made.rows, scale),
        row_label="query position" if kind == "bias" else "position",
        column_label="key position" if kind == "bias" else "dimension",
    )


def _without_picture(state: LabState, kind: str) -> MatrixPart:
    nothing = kind == "nothing"
    return MatrixPart(
        kind,
        EMPTY,
        whole_blocks(0, 1, 1),
        whole_blocks(0, 1, 1),
        shape_of(state.built),
        1.0,
        defined_rows(state.built),
        state.position,
        True,
        TITLES[kind],
        "no matrix" if nothing else "",
        matrix_sentence(state),
        "position",
        "dimension",
    )


def matrix_sentence(state: LabState) -> str:
    """What the picture shows, in one or two sentences."""
    sentence = state.built.describe(state.position, state.head)
    if isinstance(state.built, ScoreBias):
        return f"{sentence} Shown before the causal mask." if state.causal else sentence
    notes = state.built.notes()
    if not notes or state.built.last_position is not None:
        return sentence
    return f"{sentence} {notes[0].split(', so ')[0].rstrip('.')}."  # the dock has the consequences


def faint_note(scheme: Scheme, values: Float32, rows: Blocks, scale: float) -> str:
    """Why a picture of a long sequence of waves may look blank; empty where it does not."""
    waves = wave_columns(scheme) is not None or isinstance(scheme, Gridded)
    waves |= isinstance(scheme, ScoreBias) and scheme.ripples
    if rows.step <= 1.0 or not waves or float(np.abs(values).max()) > FAINT * scale:
        return ""
    return " Each cell averages over whole waves, so all are near 0: zoom in."


def pixel_words(scheme: Scheme, kind: str, made: Picture) -> str:
    """What one cell of a picture is, and where only some of its block was looked at."""
    rows, columns = made.rows.step, made.columns.step
    names = ("queries", "keys") if kind == "bias" else ("positions", "dimensions")
    single = ("query", "key") if kind == "bias" else ("position", "dimension")
    row = f"{cell_count(rows)} {names[0] if rows > 1 else single[0]}"
    column = f"{cell_count(columns)} {names[1] if columns > 1 else single[1]}"
    if rows == columns == 1:
        return f"each cell is {row} × {column}"
    if made.seen is None:
        return f"each cell is the mean of {row} × {column}"
    if made.seen == 1:
        more = "more samples follow…" if isinstance(scheme, ScoreBias) and scheme.sampled else "exact means follow…"
        return f"each cell is the middle one of {row} × {column}; {more}"
    return f"each cell is sampled: {made.seen} or more of {row} × {column}"


def cell_count(step: float) -> str:
    """How many cells a block has, in words: with one decimal where it has few and cuts some, whole otherwise."""
    return whole(round(step)) if step >= 100.0 or step == round(step) else f"{step:.1f}"


def colour_scale(scheme: Scheme, head: int) -> float:
    """Value at the ends of the symmetric colour scale: the largest the matrix reaches, never 0.

    A table too large to be searched at once is judged by its first rows.
    """
    if isinstance(scheme, ScoreBias):
        return max(1e-9, scheme.largest([head]))
    if isinstance(scheme, Rotary):
        return 1.0
    if isinstance(scheme, Additive) and scheme.value_bound is not None:
        return scheme.value_bound
    return max(1e-9, _largest(scheme))


def _largest(scheme: Scheme) -> float:
    assert isinstance(scheme, Additive)
    count = defined_rows(scheme)
    if scheme.straight:
        return float(np.abs(scheme.encode([0, scheme.length - 1])).max())
    if count * scheme.dimension <= SCALE_CELLS or largest_of_table.knows(scheme):
        return largest_of_table(scheme)
    return _first_rows_largest(scheme)


@remember
def _first_rows_largest(scheme: Scheme) -> float:
    assert isinstance(scheme, Additive)
    return float(np.abs(scheme.encode(np.arange(min(64, defined_rows(scheme))))).max())
