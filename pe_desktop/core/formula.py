"""The formula strip: whatever the cursor is on, with its numbers filled in."""

from __future__ import annotations

import dataclasses
import math
import re

import numpy as np

from pe_desktop.core import similarity
from pe_desktop.core.additive import Additive
from pe_desktop.core.compare_formula import difference_formula, snapshot_of_b
from pe_desktop.core.curve_words import masked_keys
from pe_desktop.core.grid_words import axis_formula, patch_formula
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numerals import count_rows, short, wavelength
from pe_desktop.core.part_experiment import experiment_formula
from pe_desktop.core.part_matrix import cell_count
from pe_desktop.core.part_precision import precision_formula
from pe_desktop.core.part_spectrum import spectrum_formula
from pe_desktop.core.parts import Cursor, Snapshot
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows, shape_of
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_formula import score_formula
from pe_desktop.core.statistic import MEAN

FIRST_COLUMN = 4  # shown before anything was hovered


# A hyphen that is a minus: not inside a word, and not the sign of an exponent such as 1e-05.
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.(s])")


def formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """The filled-in formula of the cursor, or of the inspected spot where the cursor is nowhere."""
    return _MINUS.sub("\u2212", _formula(snapshot, cursor))


def _formula(snapshot: Snapshot, cursor: Cursor) -> str:
    if cursor.view in ("matrix", "scores") and cursor.sentence != "a" and snapshot.compare is not None:
        if cursor.sentence == "difference":
            return difference_formula(snapshot, cursor)
        return f"B: {_formula(snapshot_of_b(snapshot), dataclasses.replace(cursor, sentence='a'))}"
    if cursor.view == "similarity" and cursor.position is not None:
        return similarity_formula(snapshot, _inside(cursor.position, snapshot.state.length))
    if cursor.view in ("rotation", "grid") and cursor.pair is not None:
        return pair_formula(snapshot, cursor.pair)
    if cursor.view == "grid" and cursor.position is not None and isinstance(snapshot.scheme, Gridded):
        return patch_formula(snapshot.scheme, snapshot.state.position, cursor.position)
    if cursor.view == "attention" and cursor.query is not None and cursor.key is not None:
        return attention_formula(snapshot, cursor)
    if cursor.view == "scores" and cursor.position is not None:
        return score_formula(snapshot, cursor)
    if cursor.view == "precision" and (found := precision_formula(snapshot, cursor)):
        return found
    part = snapshot.part("experiment")
    if cursor.view == "experiment" and part is not None and (found := experiment_formula(part, cursor)):
        return found
    if cursor.view == "spectrum" and (found := spectrum_formula(snapshot, cursor)):
        return found
    return cell_formula(snapshot, cursor)


def _inside(value: int, count: int) -> int:
    return min(max(value, 0), count - 1)


def cell_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """One cell of the matrix."""
    scheme, state = snapshot.scheme, snapshot.state
    rows, columns = shape_of(scheme)
    row = _inside(state.position if cursor.position is None else cursor.position, rows)
    if isinstance(scheme, ScoreBias):
        column = state.key_position if cursor.column is None else cursor.column
        return scheme.cell_formula(row, _inside(column, columns), state.head)
    column = _inside(FIRST_COLUMN if cursor.column is None else cursor.column, columns)
    assert isinstance(scheme, Additive | Rotary)
    return scheme.cell_formula(row, column) + _mean_note(snapshot, cursor)


def _mean_note(snapshot: Snapshot, cursor: Cursor) -> str:
    """Says so where the picture under the mouse is a mean and the formula is that of one cell of it."""
    part = snapshot.matrix
    if cursor.view != "matrix" or part.single:
        return ""
    covered = f"{cell_count(part.rows.step)} × {cell_count(part.columns.step)}"
    if part.statistic != MEAN:
        return f"   (1 of {covered} cells, the {part.statistic} of which the picture shows here)"
    return f"   (1 of the {covered} cells that the picture averages here)"


def similarity_formula(snapshot: Snapshot, position: int) -> str:
    """One point of the similarity curve, evaluated exactly."""
    scheme, spot = snapshot.scheme, snapshot.state.position
    if isinstance(scheme, ScoreBias):
        return scheme.cell_formula(spot, position, snapshot.state.head)
    if scheme.acts is Acts.NOTHING:
        return "nothing is added, so there are no rows to compare"
    outside = [p for p in (spot, position) if p >= defined_rows(scheme)]
    if outside:
        return f"no vector: the table has {count_rows(defined_rows(scheme))}, so position {outside[0]:,} has none"
    if isinstance(scheme, Gridded):
        return patch_formula(scheme, spot, position)
    if position >= similarity.compared_rows(scheme, spot) and isinstance(scheme, Rotary):
        return f"query {spot:,}, key {position:,}: no score; {masked_keys(scheme)}"
    gap = position - spot
    if similarity.depends_on_gap(scheme):
        value = float(similarity.gap_curve(scheme, gap, 1, 1)[0])
        what = "score / score at gap 0" if isinstance(scheme, Rotary) else f"similarity({spot:,}, {position:,})"
        pairs = scheme.rotary_width // 2 if isinstance(scheme, Rotary) else scheme.dimension // 2
        return f"{what} = mean over {pairs:,} pairs of cos({gap:,} × θ) = {value:.4f}   (gap {gap:,})"
    value = float(similarity.row_similarity(scheme, spot, np.array([float(position)]))[0])
    if isinstance(scheme, Rotary):
        return f"score / score at gap 0 of query {spot:,} and key {position:,} = {value:.4f}   (gap {gap:,})"
    return f"similarity({spot:,}, {position:,}) = row·row / (norm × norm) = {value:.4f}"


def pair_formula(snapshot: Snapshot, pair: int) -> str:
    """One dial."""
    scheme, state = snapshot.scheme, snapshot.state
    m, n = state.position, state.key_position
    frequencies = None
    if isinstance(scheme, Gridded):
        return axis_formula(scheme, m, n, pair)
    if isinstance(scheme, Rotary):
        frequencies = scheme.inv_freq()
    elif isinstance(scheme, Additive):
        frequencies = scheme.frequencies()
    if frequencies is None or pair >= len(frequencies):
        sentence = snapshot.rotation.sentence
        return f"pair {pair}: {sentence[:1].lower()}{sentence[1:]}"
    theta = float(frequencies[pair])
    turn = (m - n) * theta
    return (
        f"pair {pair}: θ = {theta:.6g} rad per position, λ = {wavelength(theta)} positions;  "
        f"(m − n)·θ = {m - n:,} × {theta:.4g} = {short(turn, 4)} rad = {short(math.degrees(turn), 1)}°"
        f"{_damped(scheme, m - n, pair)}"
    )


def _damped(scheme: Scheme, gap: int, pair: int) -> str:
    """What a scheme that also scales leaves of a pair's share of the score."""
    if not isinstance(scheme, Rotary) or not scheme.causal_only:
        return ""
    if gap < 0:
        return f";  {masked_keys(scheme)}"
    return f";  of this pair's score {short(float(scheme.damping(np.array([float(gap)]))[0, pair]), 4)} is left"


def attention_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """One attention weight, from the score it comes from."""
    part = snapshot.attention
    assert cursor.query is not None
    assert cursor.key is not None
    i, j = cursor.query, cursor.key
    if max(i, j) >= len(part.tokens_a):
        return ""
    if cursor.sentence == "difference" and part.weights_b is not None:
        value = float(part.weights_a[i, j] - part.weights_b[i, j])
        return f"A - B at query {i}, key {j}: {part.weights_a[i, j]:.4f} - {part.weights_b[i, j]:.4f} = {value:.4f}"
    tokens, weights, scores = part.tokens_a, part.weights_a, part.scores_a
    if cursor.sentence == "b" and part.tokens_b is not None and part.weights_b is not None:
        tokens, weights, scores = part.tokens_b, part.weights_b, part.scores_b
    if part.causal and j > i:
        return f"{tokens[i]} → {tokens[j]}: masked, a query may not see a later key; weight 0"
    score, weight = float(scores[i, j]), float(weights[i, j])
    scored = f"{_score_formula(snapshot, i)} = {score:.3f}"
    return f"{tokens[i]} → {tokens[j]}: {scored};  exp({score:.3f}) / Σ exp = {weight:.4f}"


def _score_formula(snapshot: Snapshot, query: int) -> str:
    factor = float(snapshot.scheme.query_scale([query])[0])
    return _plain_score(snapshot) + ("" if factor == 1.0 else f" × {factor:.4g}")


def _plain_score(snapshot: Snapshot) -> str:
    root = f"√{snapshot.scheme.dimension:,}"
    if isinstance(snapshot.scheme, Rotary) and snapshot.scheme.causal_only:
        return f"scaled R(m)q · scaled R(n)k / {root}"
    return {
        Acts.ROTARY: f"R(m)q · R(n)k / {root}",
        Acts.BIAS: f"{_scaled(snapshot.scheme)} + bias",
        Acts.ADDED: f"(x + PE)Wq · (x + PE)Wk / {root}",
    }.get(snapshot.scheme.acts, f"q·k / {root}")


def _scaled(scheme: Scheme) -> str:
    """q·k as a scheme scales it: by the root of D or a multiple of it, or not at all (T5)."""
    divisor = round(scheme.softmax_scale**-2)
    if divisor == 1:
        return "q·k"
    times = divisor // scheme.dimension
    return f"q·k / √{scheme.dimension:,}" if times == 1 else f"q·k / √({times} × {scheme.dimension:,})"


def pair_of(scheme: Scheme, column: int) -> int | None:
    """The dial that a column of the matrix belongs to; None for a bias or an unpaired column."""
    if isinstance(scheme, ScoreBias) or scheme.acts is Acts.NOTHING:
        return None
    assert isinstance(scheme, Additive | Rotary)
    first, second = scheme.pairs()
    where = np.flatnonzero((first == column) | (second == column))
    return int(where[0]) if len(where) else None
