"""The scores part of a snapshot: what position alone makes of each score, query against key."""

from __future__ import annotations

import dataclasses

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.curve_words import MASKED, masked_keys
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import count_rows, short
from pe_desktop.core.part_matrix import EMPTY, FAINT, cell_count, colour_scale, pixel_words
from pe_desktop.core.parts import Cursor, Pane, ScoresPart, Snapshot, Viewport, Window
from pe_desktop.core.properties import NOISE, probe_positions
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import Picture, bias_cost, bias_picture, defined_rows
from pe_desktop.core.scans import norm_range, rows_of
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_temperature import has_scale
from pe_desktop.core.score_window import (
    gap_frequencies,
    score_at,
    score_blocks,
    score_cost,
    score_means,
    shows_scale,
)
from pe_desktop.core.state import LabState

QUICK = 1 << 18  # cost that fits a frame
SOON = 3 << 17  # cost that the coarsest picture may have; beyond it, it is announced
SOON_BIAS = 1 << 20  # cost that the means of a bias may have; beyond it, cells stand in for them
COARSER = (2, 4, 8, 16)
FIRST_ROWS = 64  # of a table, whose rows are drawn in lots
BLANK = 0.02  # share of cells that stand out of a picture that looks blank all the same


class _LastPictures:
    """The last pictures: while only query and key move, only the words change."""

    MOST = 4  # two schemes compared, each coarser and in full

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, Picture], ...] = ()

    def find(self, key: object) -> Picture | None:
        return next((made for known, made in self._kept if known == key), None)

    def keep(self, key: object, made: Picture) -> None:
        made.values.flags.writeable = False
        self._kept = ((key, made), *self._kept[: self.MOST - 1])


_LAST_PICTURES = _LastPictures()


def scores_window(state: LabState, viewport: Viewport) -> Window:
    """The cells and pixels that a viewport means for the scores."""
    whole = (0, state.length)
    return Window(viewport.score_rows or whole, viewport.score_columns or whole, *viewport.scores)


def scores_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the part depends on."""
    return *_picture_key(state, scores_window(state, viewport)), state.position, state.key_position, state.causal


def _picture_key(state: LabState, window: Window) -> tuple[object, ...]:
    return state.built, state.head if isinstance(state.built, ScoreBias) else None, window


def scores_are_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the picture in full fits a frame."""
    window = scores_window(state, viewport)
    if state.built.acts is Acts.NOTHING or _LAST_PICTURES.find(_picture_key(state, window)):
        return True
    return _cost(state.built, window) <= QUICK


def _cost(scheme: Scheme, window: Window) -> int:
    if isinstance(scheme, ScoreBias):
        return bias_cost(scheme, window)
    return score_cost(scheme, *score_blocks(scheme, window))


def scores_part(state: LabState, viewport: Viewport, full: bool = True) -> ScoresPart:
    """Make the scores part; `full` False makes a coarser picture of exact means, or announces one.

    The means of some biases take long at any size: until they are there each block of those is the cell in its middle.
    """
    window = scores_window(state, viewport)
    if state.built.acts is Acts.NOTHING or not window.height:
        return _frame(state, None, True)
    if full:
        return _frame(state, _made(state, window), True)
    windows = [_coarser(window, factor) for factor in COARSER]
    scheme = state.built
    fitting = _fitting(scheme, windows)
    if fitting is not None:
        return _frame(state, _made(state, fitting), False)
    if isinstance(scheme, ScoreBias):
        return _frame(state, bias_picture(scheme, windows[0], state.head, True), False)
    return _frame(state, None, False)


def _fitting(scheme: Scheme, windows: list[Window]) -> Window | None:
    """The finest of some windows whose picture is made in time, None if none is."""
    costs = [_cost(scheme, each) for each in windows]
    most = SOON_BIAS if isinstance(scheme, ScoreBias) else max(QUICK, min(SOON, min(costs)))
    return next((each for each, cost in zip(windows, costs, strict=True) if cost <= most), None)


def _coarser(window: Window, factor: int) -> Window:
    return dataclasses.replace(window, height=max(1, window.height // factor), width=max(1, window.width // factor))


def _made(state: LabState, window: Window) -> Picture:
    key = _picture_key(state, window)
    made = _LAST_PICTURES.find(key)
    if made is None:
        made = _evaluated(state, window)
        _LAST_PICTURES.keep(key, made)
    return made


def _evaluated(state: LabState, window: Window) -> Picture:
    scheme = state.built
    if isinstance(scheme, ScoreBias):
        return bias_picture(scheme, window, state.head, False)
    rows, columns = score_blocks(scheme, window)
    means = score_means(scheme, rows, columns)
    return Picture(np.nan_to_num(means, copy=False).astype(np.float32), rows, columns)


def scores_scale(scheme: Scheme, head: int) -> float:
    """Value at the ends of the colour scale: the largest score there is, as far as a few rows tell; never 0."""
    if isinstance(scheme, ScoreBias):
        return colour_scale(scheme, head)
    last = float(scheme.query_scale([scheme.length - 1])[0])
    if isinstance(scheme, Rotary):
        return last
    frequencies = gap_frequencies(scheme)
    if frequencies is not None:  # sin² + cos² of each pair is 1, the square of a column without partner at most 1
        return (scheme.dimension - len(frequencies)) * last
    norms = norm_range(scheme) if norm_range.knows(scheme) or _has_short_norms(scheme) else None
    largest = norms[1] if norms else _probed_norm(scheme)
    return max(1e-9, largest * largest * last)


def _has_short_norms(scheme: Scheme) -> bool:
    """Whether the norms of all rows are known without looking at them."""
    return isinstance(scheme, Additive) and (scheme.straight or scheme.norm_range() is not None)


@remember
def _probed_norm(scheme: Scheme) -> float:
    """The largest norm among the first rows of a table, of other schemes also among a spread of the others."""
    first = np.arange(min(FIRST_ROWS, defined_rows(scheme)), dtype=np.float64)
    rows = rows_of(scheme, probe_positions(scheme, scheme.length) if scheme.last_position is None else first)
    return 0.0 if rows is None else float(np.linalg.norm(rows, axis=1).max())


def _frame(state: LabState, made: Picture | None, exact: bool) -> ScoresPart:
    scheme = state.built
    scale = scores_scale(scheme, state.head)
    picture = made or Picture(EMPTY, whole_blocks(0, 1, 1), whole_blocks(0, 1, 1))
    return ScoresPart(
        kind="nothing" if scheme.acts is Acts.NOTHING else "scores",
        values=np.ascontiguousarray(picture.values),
        rows=picture.rows,
        columns=picture.columns,
        shape=(state.length, state.length),
        scale=scale,
        defined_rows=defined_rows(scheme),
        spot_row=state.position,
        exact=exact,
        title="Position scores",
        pixel=pixel_words(scheme, "bias", made) if made else "" if exact else "computing…",
        sentence=scores_sentence(state, scale) + _notes(scheme, made, scale),
        row_label="query",
        column_label="key",
        key_column=state.key_position,
        upper=MASKED if state.causal or _is_causal(scheme) else "",
        is_matrix=isinstance(scheme, ScoreBias),
    )


def _is_causal(scheme: Scheme) -> bool:
    """Whether keys after their query have no score whatever the mask."""
    return isinstance(scheme, Rotary) and scheme.causal_only


def _notes(scheme: Scheme, made: Picture | None, scale: float) -> str:
    """What a reader of the picture must know: a factor left out, or why it looks blank."""
    if made is None or isinstance(scheme, ScoreBias):
        return ""
    text = "" if shows_scale(scheme, made.rows, made.columns) else " The picture is before the query temperature."
    averaged = made.rows.step * made.columns.step > 1 and gap_frequencies(scheme) is not None
    seen = np.count_nonzero(np.abs(made.values) > FAINT * scale) if averaged else made.values.size
    if seen <= BLANK * made.values.size:
        where = "Away from the diagonal each cell" if seen else "Each cell"
        text += f" {where} averages over whole waves and is near 0: zoom in."
    return text


def scores_sentence(state: LabState, scale: float) -> str:
    """The score of the chosen query and key, and whether it depends on their gap alone."""
    scheme, m, n = state.built, state.position, state.key_position
    if scheme.acts is Acts.NOTHING:
        extra = " The query temperature still multiplies all scores of a query." if has_scale(scheme) else ""
        return f"Flat: nothing is added, so position adds 0 to every score.{extra}"
    value = score_at(scheme, m, n, state.head)
    if isinstance(scheme, Rotary) and scheme.causal_only:
        mask = f" {masked_keys(scheme)}"
    else:
        mask = " Later keys are masked." if state.causal else ""
    if value is not None:
        return f"{_said(state, m, n, value)}{_alike(state, value, scale)}.{mask}"
    without = [p for p in (m, n) if p >= defined_rows(scheme)]
    if without:
        return f"Position {without[0]:,} has no vector, so no score: the table has {count_rows(defined_rows(scheme))}."
    return f"Key {n:,} comes after query {m:,} and has no score.{mask}"


def _said(state: LabState, m: int, n: int, value: float) -> str:
    scheme = state.built
    if isinstance(scheme, ScoreBias):
        return f"Head {state.head} adds {short(value)} at query {m:,}, key {n:,}"
    factor = _factor(scheme, m)
    warm = "" if factor == 1.0 else f" (query temperature × {factor:.4g})"
    if scheme.acts is Acts.ROTARY:
        return f"Query {m:,}, key {n:,}: {short(value)} of the score at gap 0{warm}"
    return f"PE({m:,})·PE({n:,}) = {short(value)}{warm}"


def _factor(scheme: Scheme, query: int) -> float:
    return float(scheme.query_scale([query])[0])


def _alike(state: LabState, value: float, scale: float) -> str:
    """Whether other pairs with this gap have this score: one that has not, or that all have."""
    scheme, m, n = state.built, state.position, state.key_position
    last = defined_rows(scheme) - 1
    shifts = last - max(m, n), -min(m, n)
    if scheme.last_position is not None:  # neighbours, whose rows are in the same lots
        shifts = min(1, shifts[0]), max(-1, shifts[1])
    for shift in shifts:
        other = score_at(scheme, m + shift, n + shift, state.head)
        if other is None or abs(other - value) <= NOISE * scale:
            continue
        told = short(other)
        if told == short(value):
            told = f"{short(abs(other - value))} {'more' if other > value else 'less'}"
        return f", but {told} at {m + shift:,} and {n + shift:,}, the same gap"
    return f"; it depends on the gap ({short(m - n, 0)}) alone" if _by_gap_alone(scheme) else ""


def _by_gap_alone(scheme: Scheme) -> bool:
    """Whether all pairs of one gap have one score."""
    if has_scale(scheme):
        return False
    paired = isinstance(scheme, Rotary) or scheme.dimension % 2 == 0
    if gap_frequencies(scheme) is not None and paired:
        return scheme.length > 2  # of two positions each gap but 0 has one pair only
    spread = gap_spread(scheme)
    return spread is not None and spread < NOISE


def score_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """The score of the query and key under the cursor with its numbers."""
    scheme, state = snapshot.scheme, snapshot.state
    m, n = (min(max(at or 0, 0), state.length - 1) for at in (cursor.position, cursor.column))
    value = score_at(scheme, m, n, state.head)
    if scheme.acts is Acts.NOTHING:
        return f"query {m:,}, key {n:,}: nothing is added, so position adds 0 to the score"
    if value is None:
        without = [p for p in (m, n) if p >= defined_rows(scheme)]
        why = f"position {without[0]:,} has no vector" if without else "the key comes after the query and is masked"
        return f"query {m:,}, key {n:,}: no score, {why}"
    if isinstance(scheme, ScoreBias):
        text = scheme.cell_formula(m, n, state.head)
    else:
        factor = _factor(scheme, m)
        warm = "" if factor == 1.0 else f" × {factor:.4g} (query temperature)"
        text = f"{_terms(scheme, m, n)}{warm} = {value:.6g}"
    if state.causal and n > m:
        text += "   (masked: the key comes after the query)"
    return text + _share_note(snapshot.part("scores"))


def _share_note(part: ScoresPart | None) -> str:
    """Says so where the picture is a mean and the formula is that of one cell of it."""
    if part is None or part.single:
        return ""
    return f"   (1 of {cell_count(part.rows.step)} × {cell_count(part.columns.step)} pairs averaged here)"


def _terms(scheme: Scheme, m: int, n: int) -> str:
    frequencies = gap_frequencies(scheme)
    gap = f"{m - n:,}"
    if not isinstance(scheme, Rotary):
        product = f"PE({m:,})·PE({n:,})"
        if frequencies is None or 2 * len(frequencies) != scheme.dimension:
            return f"{product} = Σ of {scheme.dimension:,} products"
        return f"{product} = Σ of {len(frequencies):,} cos({gap} × θ)"
    what = f"score({m:,}, {n:,}) / score at gap 0"
    if frequencies is None:
        return what
    rest = scheme.dimension - scheme.rotary_width
    if not rest:
        return f"{what} = mean of {len(frequencies):,} cos({gap} × θ)"
    return f"{what} = (2 Σ of {len(frequencies):,} cos({gap} × θ) + {rest:,}) / {scheme.dimension:,}"


PANE = Pane("scores", scores_key, scores_part, scores_are_quick)
