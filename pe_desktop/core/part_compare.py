"""The comparison part of a snapshot: the verdict on A and B, B's pictures in A's windows, and their differences."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from pe_desktop.core import compare, part_curve, part_matrix, part_scores
from pe_desktop.core.numerals import short
from pe_desktop.core.part_matrix import EMPTY
from pe_desktop.core.parts import ComparePart, CurvePart, Float32, MatrixPart, ScoresPart, Viewport
from pe_desktop.core.reuse import Reuse
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import score_means
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState
from pe_desktop.core.statistic import MEAN

QUICK_CELLS = 1 << 20  # cells of B's matrix that a frame evaluates to match a fine picture of A
ROUNDING = 2e-6  # of the colour scale: pictures are float32
COARSE = 2  # divides the resolution of a picture that stands in
PENDING = "Comparing A with B…"
ONLY_MEANS = "A − B is drawn of means only: choose Mean beside the title, or zoom in to single cells."
KINDS = {
    "encoding": "values added to the embedding",
    "cos_sin": "cosines and sines",
    "bias": "what is added to scores",
    "nothing": "nothing",
}
CURVES = {"bias": "a bias", "score": "a score", "cosine": "a similarity", "nothing": "nothing"}

P = TypeVar("P", bound=MatrixPart)


def is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether everything fits a frame."""
    if state.built_b is None:
        return True
    other = state.as_b
    cells = part_matrix.matrix_cost(state, viewport) + part_matrix.matrix_cost(other, viewport)
    scores = "scores" not in viewport.shown or part_scores.scores_are_quick(other, viewport)
    return (
        cells <= QUICK_CELLS
        and compare.is_quick(state.built, state.built_b)
        and part_curve.curve_is_quick(other, viewport)
        and scores
    )


@dataclass(frozen=True)
class Own:
    """A's parts that B's are shown beside; ``scores`` is None while their view is hidden."""

    matrix: MatrixPart
    similarity: CurvePart
    scores: ScoresPart | None


def compare_part(state: LabState, viewport: Viewport, own: Own, reuse: Reuse) -> ComparePart | None:
    """Make the comparison part, None while nothing is compared.

    Where a stage is not one of `reuse` that are full, what of it does not fit a frame is left out.
    """
    if state.built_b is None:
        return None
    old: ComparePart | None = reuse.previous.compare if reuse.previous is not None else None
    verdict, sentence = _verdict(state.built, state.built_b, old, reuse)
    other, full = state.as_b, Stage.PICTURES in reuse.full
    matrix = _matrix(other, viewport, own.matrix, reuse, full)
    curve = reuse.get("compare.similarity", part_curve.curve_key(other, viewport), Stage.CURVE)
    if curve is None:
        curve = part_curve.curve_part(other, viewport, Stage.CURVE in reuse.full)
    scores = _scores(other, viewport, reuse, full) if own.scores is not None else None
    difference = _kept(reuse, "matrix", own.matrix, matrix, full)
    if difference is None:
        difference = _of_extremes(own.matrix, viewport.statistic) or _difference(own.matrix, matrix, full)
    scores_difference = _kept(reuse, "scores", own.scores, scores, full)
    if scores_difference is None and own.scores is not None and scores is not None:
        scores_difference = _of_extremes(own.scores, viewport.score_statistic) or _scores_difference(
            state.built, state.built_b, own.scores, scores, full
        )
    pieces = own.matrix, own.similarity, own.scores, curve, matrix, scores, difference, scores_difference
    if reuse.same("compare.pieces", (_Pieces(*pieces),)) and old is not None:
        return old if verdict == old.verdict else _judged(old, verdict, sentence)
    names = f"A: {state.built.title}", f"B: {state.built_b.title}"
    made = ComparePart(
        verdict="",
        sentence=PENDING,
        title_a=state.built.title,
        title_b=state.built_b.title,
        notes=state.built_b.notes(),
        similarity=curve,
        curve=_curve(own.similarity, curve, names, reuse),
        matrix=matrix,
        matrix_difference=difference,
        scores=scores,
        scores_difference=scores_difference,
        exact=False,
    )
    return _judged(made, verdict, sentence)


def _judged(made: ComparePart, verdict: str, sentence: str) -> ComparePart:
    """The same pictures with the verdict on both schemes."""
    pieces = (made.matrix, made.matrix_difference, made.similarity, made.scores, made.scores_difference)
    whole = all(each.exact for each in pieces if each is not None)
    return dataclasses.replace(made, verdict=verdict, sentence=sentence, exact=bool(verdict) and whole)


def _kept(reuse: Reuse, name: str, mine: MatrixPart | None, other: MatrixPart | None, full: bool) -> Any:
    """The difference there is of two pictures, if it is of the same two; else None."""
    if not reuse.same(f"compare.{name}_pair", (_Pieces(mine, other),)) or reuse.previous is None:
        return None
    difference = reuse.previous.part(f"compare.{name}_difference")
    return difference if difference is None or difference.exact or not full else None


class _Pieces:
    """What something is made of; equal only to the same objects."""

    def __init__(self, *things: object) -> None:
        self._things = things

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pieces) and all(x is y for x, y in zip(self._things, other._things, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._things)))


def _verdict(a: Scheme, b: Scheme, old: ComparePart | None, reuse: Reuse) -> tuple[str, str]:
    """The verdict and its sentence; "" while it is worked out."""
    if reuse.same("compare.verdict", (a, b)) and old is not None and old.verdict:
        return old.verdict, old.sentence
    if Stage.COMPARISON not in reuse.full and not compare.is_quick(a, b):
        return "", PENDING
    found = compare.compare(a, b)
    return found.verdict, found.sentence


def _matrix(other: LabState, viewport: Viewport, own: MatrixPart, reuse: Reuse, full: bool) -> MatrixPart:
    """B's picture, as fine as A's; the one there is, where only the spot has moved."""
    kept: MatrixPart | None = reuse.get("compare.matrix", part_matrix.matrix_key(other, viewport), Stage.PICTURES)
    fine = full or (own.exact and part_matrix.matrix_cost(other, viewport) <= QUICK_CELLS)
    if kept is not None and kept.exact in (own.exact, fine):
        if kept.spot_row == other.position:
            return kept
        faint = part_matrix.faint_note(other.built, kept.values, kept.rows, kept.scale, kept.statistic)
        sentence = part_matrix.matrix_sentence(other) + faint
        return dataclasses.replace(kept, spot_row=other.position, sentence=sentence)
    return _named(part_matrix.matrix_part(other, viewport, 1 if fine else COARSE))


def _scores(other: LabState, viewport: Viewport, reuse: Reuse, full: bool) -> ScoresPart:
    kept: ScoresPart | None = reuse.get("compare.scores", part_scores.scores_key(other, viewport), Stage.PICTURES)
    if kept is not None:
        return kept
    quick = full or part_scores.scores_are_quick(other, viewport)
    return _named(part_scores.scores_part(other, viewport, quick))


def _named(part: P) -> P:
    return dataclasses.replace(part, title=f"B: {part.title}")


def _curve(a: CurvePart, b: CurvePart, names: tuple[str, str], reuse: Reuse) -> CurvePart:
    """A's curve with B's as its second, the one there was if neither is new."""
    before = reuse.previous
    old = before.compare if before is not None and before.similarity is a else None
    if old is not None and old.similarity is b and old.curve.names == names:
        return old.curve
    note = _curve_note(a, b)
    if note:
        return dataclasses.replace(a, sentence=f"{a.sentence} {note}", names=names)
    y_range = min(a.y_range[0], b.y_range[0]), max(a.y_range[1], b.y_range[1])
    return dataclasses.replace(a, second=b, names=names, y_range=y_range, hatch=f"A: {a.hatch}")


def _curve_note(a: CurvePart, b: CurvePart) -> str:
    """Why B's curve is not drawn over A's; empty where it is."""
    if a.kind != b.kind and "bias" in (a.kind, b.kind):
        return f"B's curve is {CURVES[b.kind]}, A's {CURVES[a.kind]}: they share no axis, so B is not drawn."
    return "" if len(b.x) else f"B: {b.sentence}"


def _of_extremes(a: P, statistic: str) -> P | None:
    """What stands in place of a difference where lowest or highest cells are wanted; None where means or cells are."""
    return None if statistic == MEAN or a.single else _without(a, ONLY_MEANS, exact=True)


def _difference(a: MatrixPart, b: MatrixPart, full: bool) -> MatrixPart:
    """The exact means of A - B, or the reason why there are none."""
    reason = _no_difference(a, b)
    if reason:
        return _without(a, reason, exact=True)
    if _blocks(a) != _blocks(b) or not a.values.size:
        return _without(a, PENDING, exact=full)
    return _minus(a, b, b.values)


def _no_difference(a: MatrixPart, b: MatrixPart) -> str:
    if a.kind != b.kind:
        return f"A's matrix holds {KINDS[a.kind]}, B's {KINDS[b.kind]}: there is no difference to draw."
    if a.kind == "nothing":
        return "Neither A nor B adds anything: there is no difference to draw."
    if a.shape != b.shape:
        return f"A's matrix has {a.shape[1]:,} columns and B's {b.shape[1]:,}: there is no difference to draw."
    return ""


def _scores_difference(a: Scheme, b: Scheme, mine: ScoresPart, other: ScoresPart, full: bool) -> ScoresPart:
    if a.acts is not b.acts or mine.kind == "nothing":
        return _without(
            mine, f"{_scored(a, 'A')}, {_scored(b, 'B')}: there is no difference between the two to draw.", exact=True
        )
    if not mine.values.size:
        return _without(mine, PENDING, exact=full)
    values = other.values
    if _blocks(mine) != _blocks(other):
        if not full or isinstance(b, ScoreBias):
            return _without(mine, PENDING, exact=False)
        values = np.nan_to_num(score_means(b, mine.rows, mine.columns)).astype(np.float32)
    return _minus(mine, other, values)


def _scored(scheme: Scheme, name: str) -> str:
    kinds = {"nothing": "0", "added": "a product of rows", "rotary": "a share of the score at gap 0", "bias": "a bias"}
    return f"{name}'s score is {kinds[scheme.acts.value]}"


def _blocks(part: MatrixPart) -> tuple[object, ...]:
    return part.rows, part.columns, part.values.shape


def _without(a: P, sentence: str, *, exact: bool) -> P:
    kind = "nothing" if exact else a.kind
    title = f"A − B: {a.title}"
    return dataclasses.replace(
        a, kind=kind, values=EMPTY, sentence=sentence, exact=exact, title=title, pixel="" if exact else "computing…"
    )


def _minus(a: P, b: MatrixPart, values: Float32) -> P:
    defined = min(a.defined_rows, b.defined_rows)
    difference = a.values - values
    whole = int(np.searchsorted(a.rows.edges[:-1], defined))
    difference[whole:] = 0.0  # past the end of a table
    largest = float(np.abs(difference).max())
    rounding = ROUNDING * max(a.scale, b.scale)
    return dataclasses.replace(
        a,
        values=difference,
        scale=max(largest, 1e-9) if largest > rounding else max(a.scale, b.scale),
        defined_rows=defined,
        exact=a.exact and b.exact,
        title=f"A − B: {a.title}",
        sentence=_said(a, difference, largest, rounding),
    )


def _said(a: MatrixPart, difference: Float32, largest: float, rounding: float) -> str:
    what = "cells" if a.single else "means"
    if largest <= rounding:
        return f"A − B is 0, up to rounding, in all {what} shown."
    row, column = np.unravel_index(int(np.abs(difference).argmax()), difference.shape)
    low, high = float(difference.min()), float(difference.max())
    place = f"{a.row_label} {math.floor(a.rows.edges[row]):,}, {a.column_label} {math.floor(a.columns.edges[column]):,}"
    at = "at" if what == "cells" else "in the cell that starts at"
    equal = int((np.abs(difference) <= rounding).all(axis=0).sum())
    alike = f" {equal:,} of {difference.shape[1]:,} columns are equal." if equal and a.columns.step == 1 else ""
    return f"A − B: the {what} shown lie between {short(low)} and {short(high)}, largest {at} {place}.{alike}"
