"""The formula strip: whatever the cursor is on, with its numbers filled in."""

from __future__ import annotations

import math
import re

import numpy as np

from pe_desktop.core import similarity
from pe_desktop.core.additive import Additive
from pe_desktop.core.numerals import short, wavelength
from pe_desktop.core.parts import Cursor, Snapshot
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows, shape_of
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias

FIRST_COLUMN = 4  # shown before anything was hovered


# A hyphen that is a minus: not inside a word, and not the sign of an exponent such as 1e-05.
_MINUS = re.compile(r"(?<![\w.])-(?=[\d.(s])")


def formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """The filled-in formula of the cursor, or of the inspected spot where the cursor is nowhere."""
    return _MINUS.sub("\u2212", _formula(snapshot, cursor))


def _formula(snapshot: Snapshot, cursor: Cursor) -> str:
    if cursor.view == "similarity" and cursor.position is not None:
        return similarity_formula(snapshot, _inside(cursor.position, snapshot.state.length))
    if cursor.view == "rotation" and cursor.pair is not None:
        return pair_formula(snapshot, cursor.pair)
    if cursor.view == "attention" and cursor.query is not None and cursor.key is not None:
        return attention_formula(snapshot, cursor)
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
    rows, columns = snapshot.matrix.row_step, snapshot.matrix.column_step
    if cursor.view != "matrix" or rows * columns == 1:
        return ""
    return f"   (1 of the {rows:,} × {columns:,} cells that the picture averages here)"


def similarity_formula(snapshot: Snapshot, position: int) -> str:
    """One point of the similarity curve, evaluated exactly."""
    scheme, spot = snapshot.scheme, snapshot.state.position
    if isinstance(scheme, ScoreBias):
        return scheme.cell_formula(spot, position, snapshot.state.head)
    if scheme.acts is Acts.NOTHING:
        return "nothing is added, so there are no rows to compare"
    outside = [p for p in (spot, position) if p >= defined_rows(scheme)]
    if outside:
        return f"no vector: the table has {defined_rows(scheme):,} rows, so position {outside[0]:,} has none"
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
    )


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
    return (
        f"{tokens[i]} → {tokens[j]}: {_score_formula(snapshot)} = {score:.3f};  exp({score:.3f}) / Σ exp = {weight:.4f}"
    )


def _score_formula(snapshot: Snapshot) -> str:
    root = f"√{snapshot.scheme.dimension:,}"
    return {
        Acts.ROTARY: f"R(m)q · R(n)k / {root}",
        Acts.BIAS: f"q·k / {root} + bias",
        Acts.ADDED: f"(x + PE)Wq · (x + PE)Wk / {root}",
    }.get(snapshot.scheme.acts, f"q·k / {root}")


def pair_of(scheme: Scheme, column: int) -> int | None:
    """The dial that a column of the matrix belongs to; None for a bias or an unpaired column."""
    if isinstance(scheme, ScoreBias) or scheme.acts is Acts.NOTHING:
        return None
    assert isinstance(scheme, Additive | Rotary)
    first, second = scheme.pairs()
    where = np.flatnonzero((first == column) | (second == column))
    return int(where[0]) if len(where) else None
