"""The scores part of a snapshot: what position alone makes of each score, query against key."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.curve_words import MASKED, masked_keys
from pe_desktop.core.memory import remember
from pe_desktop.core.numerals import count_rows, short
from pe_desktop.core.part_matrix import (
    EMPTY,
    FAINT,
    cell_count,
    follows,
    pixel_words,
)
from pe_desktop.core.parts import Pane, ScoresPart, Viewport, Window
from pe_desktop.core.properties import NOISE
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import Picture, bias_cost, bias_picture, defined_rows
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_cost import score_cost
from pe_desktop.core.score_scale import scores_scale
from pe_desktop.core.score_temperature import has_scale
from pe_desktop.core.score_window import (
    gap_frequencies,
    score_at,
    score_blocks,
    score_means,
    shows_scale,
    table_scores,
)
from pe_desktop.core.spread import gap_spread
from pe_desktop.core.state import LabState
from pe_desktop.core.statistic import (
    MEAN,
    score_extreme_cost,
    score_extreme_picture,
    score_refusal,
    shown_statistic,
)
from pe_desktop.core.temperature import Temperature

QUICK = 1 << 18  # cost that fits a frame
SOON = 1 << 19  # cost that the coarsest picture may have; beyond it, it is announced
SOON_BIAS = 1 << 20  # cost that the means of a bias may have; beyond it, cells stand in for them
HARDLY_LESS = 1.2  # a picture is not made coarser still to save less
COARSER = (2, 4, 8, 16)
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
    window = scores_window(state, viewport)
    wanted = shown_statistic(window, viewport.score_statistic)
    return *_picture_key(state, window, wanted), state.position, state.key_position, state.causal


def _picture_key(state: LabState, window: Window, statistic: str) -> tuple[object, ...]:
    return state.built, state.head if isinstance(state.built, ScoreBias) else None, window, statistic


def _statistic(state: LabState, viewport: Viewport) -> tuple[str, str]:
    """What the picture in full shows of its blocks, and why that is not what is wanted; "" where it is."""
    window = scores_window(state, viewport)
    wanted = shown_statistic(window, viewport.score_statistic)
    reason = "" if wanted == MEAN else score_refusal(state.built, window)
    return (MEAN, reason) if reason else (wanted, "")


def scores_are_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the picture in full fits a frame."""
    window = scores_window(state, viewport)
    if state.built.acts is Acts.NOTHING or not window.height:
        return True
    statistic, _ = _statistic(state, viewport)
    if _LAST_PICTURES.find(_picture_key(state, window, statistic)):
        return True
    return (_cost if statistic == MEAN else score_extreme_cost)(state.built, window) <= QUICK


def _cost(scheme: Scheme, window: Window) -> int:
    return _cost_of((scheme, window))


@remember
def _cost_of(case: tuple[Scheme, Window]) -> int:
    scheme, window = case
    if isinstance(scheme, ScoreBias):
        return bias_cost(scheme, window)
    return score_cost(scheme, *score_blocks(scheme, window))


def scores_part(state: LabState, viewport: Viewport, full: bool = True) -> ScoresPart:
    """Make the scores part; `full` False makes a coarser picture of exact means, or announces one.

    The means of some biases take long at any size: until they are there each block of those is the cell in its middle.
    Of a table that takes long to draw each is one pair.
    Means stand in for lowest or highest scores that take long, and where those cannot be worked out at all.
    """
    window = scores_window(state, viewport)
    if state.built.acts is Acts.NOTHING or not window.height:
        return _frame(state, None, True)
    statistic, reason = _statistic(state, viewport)
    if full:
        return _frame(state, _made(state, window, statistic), True, _Shown(statistic, statistic, reason))
    windows = [_coarser(window, factor) for factor in COARSER]
    if statistic != MEAN:
        fitting = next((each for each in windows if score_extreme_cost(state.built, each) <= QUICK), None)
        if fitting is not None:
            return _frame(state, _made(state, fitting, statistic), False, _Shown(statistic, statistic))
    made, bare = _quick_means(state, window, windows)
    return _frame(state, made, False, _Shown(statistic, MEAN, reason, bare))


def _quick_means(state: LabState, window: Window, windows: list[Window]) -> tuple[Picture | None, bool]:
    """The means there are, or coarser ones, None where none are made in time; and whether their factors are left out.

    Of queries whose factors change too often to be followed in a frame the scores are shown without them.
    """
    scheme = state.built
    known = _LAST_PICTURES.find(_picture_key(state, window, MEAN))
    fitting = _fitting(scheme, windows) if known is None else None
    if fitting is not None:
        known = _made(state, fitting, MEAN)
    if known is not None:
        return known, False
    if isinstance(scheme, ScoreBias):
        return bias_picture(scheme, windows[0], state.head, True), False
    if isinstance(scheme, Additive) and scheme.last_position is not None:
        values, rows, columns = table_scores(scheme, windows[0])
        return Picture(values, rows, columns, 1), False
    if isinstance(scheme, Temperature) and has_scale(scheme):
        cold = dataclasses.replace(scheme, temperature="none")
        coarse = _fitting(cold, windows)
        return (None if coarse is None else _means(cold, coarse)), True
    return None, False


def _fitting(scheme: Scheme, windows: list[Window]) -> Window | None:
    """The finest of some windows whose picture is made in time, None if none is."""
    least = _cost(scheme, windows[-1])
    most = SOON_BIAS if isinstance(scheme, ScoreBias) else max(QUICK, min(SOON, round(HARDLY_LESS * least)))
    return next((each for each in windows if _cost(scheme, each) <= most), None)


def _coarser(window: Window, factor: int) -> Window:
    return dataclasses.replace(window, height=max(1, window.height // factor), width=max(1, window.width // factor))


def _made(state: LabState, window: Window, statistic: str) -> Picture:
    key = _picture_key(state, window, statistic)
    made = _LAST_PICTURES.find(key)
    if made is None:
        made = _evaluated(state, window, statistic)
        _LAST_PICTURES.keep(key, made)
    return made


def _evaluated(state: LabState, window: Window, statistic: str) -> Picture:
    scheme = state.built
    if statistic != MEAN:
        return score_extreme_picture(scheme, window, state.head, statistic)
    if isinstance(scheme, ScoreBias):
        return bias_picture(scheme, window, state.head, False)
    return _means(scheme, window)


def _means(scheme: Scheme, window: Window) -> Picture:
    rows, columns = score_blocks(scheme, window)
    values = score_means(scheme, rows, columns).astype(np.float32)
    values[np.isnan(values)] = 0.0
    return Picture(values, rows, columns)


class _Shown(NamedTuple):
    """What is wanted of the blocks, what the picture shows of them, and why it cannot be what was asked for.

    ``bare``: a picture that stands in is of the scores without their query temperature.
    """

    wanted: str = MEAN
    shown: str = MEAN
    reason: str = ""
    bare: bool = False


_MEANS = _Shown()


def _frame(state: LabState, made: Picture | None, exact: bool, statistic: _Shown = _MEANS) -> ScoresPart:
    scheme = state.built
    scale = scores_scale(scheme, state.head)
    if made is not None and statistic.shown != MEAN and made.values.size:
        scale = max(scale, float(np.abs(made.values).max()))
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
        pixel=_pixel(scheme, made, statistic) if made else "" if exact else "computing…",
        sentence=scores_sentence(state, scale) + _notes(scheme, made, scale, statistic),
        row_label="query",
        column_label="key",
        key_column=state.key_position,
        upper=MASKED if state.causal or _is_causal(scheme) else "",
        is_matrix=isinstance(scheme, ScoreBias),
        statistic=statistic.shown,
    )


def _pixel(scheme: Scheme, made: Picture, statistic: _Shown) -> str:
    if made.seen == 1 and scheme.last_position is not None:
        steps = cell_count(made.rows.step), cell_count(made.columns.step)
        return f"each cell is 1 pair of {steps[0]} queries × {steps[1]} keys; exact means follow…"
    return pixel_words(scheme, "bias", made, statistic.shown) + follows(statistic.wanted, statistic.shown)


def _is_causal(scheme: Scheme) -> bool:
    """Whether keys after their query have no score whatever the mask."""
    return isinstance(scheme, Rotary) and scheme.causal_only


def _notes(scheme: Scheme, made: Picture | None, scale: float, statistic: _Shown) -> str:
    """What a reader of the picture must know: why it shows means, a factor left out, or why it looks blank."""
    if statistic.reason:
        return f" These are means. {statistic.reason}"
    if made is None or isinstance(scheme, ScoreBias) or statistic.shown != MEAN:
        return ""
    warm = shows_scale(scheme, made.rows, made.columns) and not statistic.bare
    text = "" if warm else " The picture is before the query temperature."
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
    factor = query_factor(scheme, m)
    warm = "" if factor == 1.0 else f" (query temperature × {factor:.4g})"
    if scheme.acts is Acts.ROTARY:
        return f"Query {m:,}, key {n:,}: {short(value)} of the score at gap 0{warm}"
    return f"PE({m:,})·PE({n:,}) = {short(value)}{warm}"


def query_factor(scheme: Scheme, query: int) -> float:
    """The query temperature at one position."""
    return float(scheme.query_scale([query])[0])


def _alike(state: LabState, value: float, scale: float) -> str:
    """Whether other pairs with this gap have this score: one that has not, or that all have."""
    scheme, m, n = state.built, state.position, state.key_position
    alike = f"; it depends on the gap ({short(m - n, 0)}) alone"
    if _is_by_gap(scheme):
        return alike if scheme.length > 2 else ""  # of two positions each gap but 0 has one pair only
    last = defined_rows(scheme) - 1
    shifts = last - max(m, n), -min(m, n)
    if scheme.last_position is not None:  # neighbours, whose rows are drawn already
        shifts = min(1, shifts[0]), max(-1, shifts[1])
    for shift in shifts:
        other = score_at(scheme, m + shift, n + shift, state.head)
        if other is None or abs(other - value) <= NOISE * scale:
            continue
        told = short(other)
        if told == short(value):
            told = f"{short(abs(other - value))} {'more' if other > value else 'less'}"
        return f", but {told} at {m + shift:,} and {n + shift:,}, the same gap"
    spread = None if has_scale(scheme) else gap_spread(scheme)
    return alike if spread is not None and spread < NOISE else ""


def _is_by_gap(scheme: Scheme) -> bool:
    """Whether all pairs of one gap have one score, as the frequencies tell."""
    paired = isinstance(scheme, Rotary) or scheme.dimension % 2 == 0
    return paired and gap_frequencies(scheme) is not None and not has_scale(scheme)


PANE = Pane("scores", scores_key, scores_part, scores_are_quick)
