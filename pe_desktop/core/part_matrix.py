"""The matrix part of a snapshot."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import Blocks, blocks, whole_blocks
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
from pe_desktop.core.statistic import MEAN, extreme_cost, extreme_picture, shown_statistic
from pe_desktop.core.table_means import table_cost, table_samples

EMPTY = np.zeros((0, 0), dtype=np.float32)
SCALE_CELLS = 1 << 18
FIRST_ROWS, FIRST_CELLS = 64, 1 << 17  # of a table, whose rows are drawn in order
# Cells a frame may evaluate for the matrix before a drag gets a coarser (still exact) picture.
MATRIX_CELLS = 1 << 18
DIVISORS = (1, 2, 4, 8)  # of the resolution of a coarser picture
# A picture of waves takes sines for about twice the root of its rows, and a product for each pixel.
WAVE_COST = 5
PRODUCTS = 8  # for the price of a cell
GRID_COST = 2  # a mean over grid rows takes so many times as long as one of plain waves
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
    window = matrix_window(scheme, viewport)
    return scheme, bias, window, shown_statistic(window, viewport.statistic)


def matrix_cost(state: LabState, viewport: Viewport) -> int:
    """Rough number of cells evaluated."""
    scheme = state.built
    if scheme.acts is Acts.NOTHING:
        return viewport.matrix[0] * viewport.matrix[1]
    window = matrix_window(scheme, viewport)
    if window.height and shown_statistic(window, viewport.statistic) != MEAN:
        return extreme_cost(scheme, window)
    if isinstance(scheme, ScoreBias):
        return bias_cost(scheme, window) if window.height else 0
    if isinstance(scheme, Additive) and scheme.last_position is not None:
        return _table_cost(scheme, window)
    columns = math.ceil(window.columns[1] - window.columns[0])
    rows = min(window.height, math.ceil(window.rows[1] - window.rows[0]))
    each = GRID_COST if isinstance(scheme, Gridded) else 1
    return each * columns * (math.isqrt(rows) + WAVE_COST) + rows * min(window.width, columns) // PRODUCTS


def _table_cost(scheme: Additive, window: Window) -> int:
    rows, defined = blocks(window.rows, window.height, scheme.length), defined_rows(scheme)
    if rows.start >= defined or not window.height:
        return 0
    return table_cost(scheme, rows.cut(defined), blocks(window.columns, window.width, scheme.dimension))


def matrix_part(state: LabState, viewport: Viewport, coarse: int = 1) -> MatrixPart:
    """Make the matrix part.

    Parameters
    ----------
    coarse : int
        Divides the resolution; every cell is an exact mean at any resolution, but for a bias whose means would take
        too long even so: its blocks show the cell in their middle, and ``pixel`` says it. Lowest or highest cells are
        coarser still, or means stand in for them, where they would take too long; ``pixel`` says that too.
    """
    scheme = state.built
    kind = KINDS[scheme.acts]
    if kind == "nothing" or not viewport.matrix[0]:
        return _without_picture(state, kind)
    window = matrix_window(scheme, viewport)
    wanted = shown_statistic(window, viewport.statistic)
    made = None if wanted == MEAN else _extremes(scheme, window, state.head, wanted, coarse)
    shown = MEAN if made is None else wanted
    if made is None:
        window = _divided(window, coarse)
        made = picture(scheme, window, state.head) if coarse == 1 else _quick_picture(scheme, window, state.head)
    made.values.flags.writeable = False
    return _frame(state, kind, made, coarse, (wanted, shown))


def _extremes(scheme: Scheme, window: Window, head: int, statistic: str, coarse: int) -> Picture | None:
    """Lowest or highest cells, in full or as finely as a frame allows; None where it allows none."""
    if coarse == 1:
        return extreme_picture(scheme, window, head, statistic)
    windows = [_divided(window, divisor) for divisor in DIVISORS if divisor >= coarse]
    fitting = next((each for each in windows if extreme_cost(scheme, each) <= MATRIX_CELLS), None)
    return None if fitting is None else extreme_picture(scheme, fitting, head, statistic)


def _quick_picture(scheme: Scheme, window: Window, head: int) -> Picture:
    """Exact means, coarser still for a bias that needs it; where there are none in time, the middles of the blocks."""
    if isinstance(scheme, Additive) and scheme.last_position is not None:
        return _quick_table(scheme, window)
    if not isinstance(scheme, ScoreBias):
        return picture(scheme, window)
    windows = [_divided(window, divisor) for divisor in DIVISORS]
    for each in windows:
        if not scheme.sampled and bias_cost(scheme, each) <= MATRIX_CELLS:
            return bias_picture(scheme, each, head, False)
    cells = [each.height * each.width * scheme.cell_cost for each in windows]
    fitting = next((w for w, cost in zip(windows, cells, strict=True) if cost <= MATRIX_CELLS), windows[-1])
    return bias_picture(scheme, fitting, head, True)


def _quick_table(scheme: Additive, window: Window) -> Picture:
    """Exact means of a table where its rows are drawn already, else one row for each block."""
    if _table_cost(scheme, window) <= MATRIX_CELLS:
        return picture(scheme, window)
    columns = blocks(window.columns, window.width, scheme.dimension)
    return Picture(*table_samples(scheme, window.rows, window.height, columns, defined_rows(scheme)), columns, 1)


def _divided(window: Window, divisor: int) -> Window:
    return dataclasses.replace(window, height=max(1, window.height // divisor), width=max(1, window.width // divisor))


def _frame(state: LabState, kind: str, made: Picture, coarse: int, statistic: tuple[str, str]) -> MatrixPart:
    """The part of a picture; `statistic` is what is wanted of the blocks, and what the picture shows of them."""
    scheme, (wanted, shown) = state.built, statistic
    scale = colour_scale(scheme, state.head)
    if (
        shown != MEAN and made.values.size
    ):  # a table is judged by its first rows, and some biases by a bound on their means
        scale = max(scale, float(np.abs(made.values).max()))
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
        pixel=pixel_words(scheme, kind, made, shown) + follows(wanted, shown),
        sentence=matrix_sentence(state) + faint_note(scheme, made.values, made.rows, scale, shown),
        row_label="query position" if kind == "bias" else "position",
        column_label="key position" if kind == "bias" else "dimension",
        statistic=shown,
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


def faint_note(scheme: Scheme, values: Float32, rows: Blocks, scale: float, statistic: str) -> str:
    """Why a picture of a long sequence of waves may look blank; empty where it does not."""
    waves = wave_columns(scheme) is not None or isinstance(scheme, Gridded)
    waves |= isinstance(scheme, ScoreBias) and scheme.ripples
    if statistic != MEAN or rows.step <= 1.0 or not waves or float(np.abs(values).max()) > FAINT * scale:
        return ""
    return " Each cell averages over whole waves, so all are near 0: zoom in."


def follows(wanted: str, shown: str) -> str:
    """What is said of a picture that stands in for the one that is wanted."""
    return "" if wanted == shown else f"; {wanted} follows…"


def pixel_words(scheme: Scheme, kind: str, made: Picture, statistic: str = MEAN) -> str:
    """What one cell of a picture is, and where only some of its block was looked at."""
    rows, columns = made.rows.step, made.columns.step
    names = ("queries", "keys") if kind == "bias" else ("positions", "dimensions")
    single = ("query", "key") if kind == "bias" else ("position", "dimension")
    row = f"{cell_count(rows)} {names[0] if rows > 1 else single[0]}"
    column = f"{cell_count(columns)} {names[1] if columns > 1 else single[1]}"
    if rows == columns == 1:
        return f"each cell is {row} × {column}"
    if made.seen is None:
        return f"{statistic} of {row} × {column}"
    if made.seen == 1 and scheme.last_position is not None:
        return f"each cell is 1 of {row} × the mean of {column}; exact means follow…"
    if made.seen == 1:
        more = "more samples follow…" if isinstance(scheme, ScoreBias) and scheme.sampled else "exact means follow…"
        return f"each cell is the middle one of {row} × {column}; {more}"
    return f"each cell is sampled: {made.seen} or more of {row} × {column}"


def cell_count(step: float) -> str:
    """How many cells a block has, in words: with one decimal where it has few and cuts some, whole otherwise."""
    return whole(round(step)) if step >= 100.0 or round(step, 1) == round(step) else f"{step:.1f}"


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
    rows = min(FIRST_ROWS, max(1, FIRST_CELLS // scheme.dimension), defined_rows(scheme))
    return float(np.abs(scheme.rows(0, rows)).max())
