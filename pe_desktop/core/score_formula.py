"""The formula of the score under the cursor, with the numbers of its query and key filled in."""

from __future__ import annotations

from pe_desktop.core.part_matrix import cell_count
from pe_desktop.core.part_scores import query_factor
from pe_desktop.core.parts import Cursor, ScoresPart, Snapshot
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import gap_frequencies, score_at
from pe_desktop.core.statistic import MEAN


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
        factor = query_factor(scheme, m)
        warm = "" if factor == 1.0 else f" × {factor:.4g} (query temperature)"
        text = f"{_terms(scheme, m, n)}{warm} = {value:.6g}"
    if state.causal and n > m:
        text += "   (masked: the key comes after the query)"
    return text + _share_note(snapshot.part("scores"))


def _share_note(part: ScoresPart | None) -> str:
    """Says so where the picture is a mean and the formula is that of one cell of it."""
    if part is None or part.single:
        return ""
    covered = f"{cell_count(part.rows.step)} × {cell_count(part.columns.step)} pairs"
    return f"   (1 of {covered}{' averaged here' if part.statistic == MEAN else f', the {part.statistic} is shown'})"


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
    still, whole = (f"{value:,.6g}" for value in (scheme.still, scheme.at_gap_zero))
    return f"{what} = (2 Σ of {len(frequencies):,} cos({gap} × θ) + {still}) / {whole}"
