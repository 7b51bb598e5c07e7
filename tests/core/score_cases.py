"""Scores pair by pair, and their means over blocks by brute force."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from tests.core.windows import shares


def every_score(scheme, queries, keys):
    """The score of each pair (m, n), pair by pair; NaN where there is none."""
    rows, columns = (np.asarray(each, dtype=np.float64) for each in (queries, keys))
    if isinstance(scheme, Rotary) and scheme.causal_only:
        scores = np.array([scheme.profile(int(query), columns) for query in rows])
    elif isinstance(scheme, Rotary):
        # Over their value at gap 0, which an attention factor raises above the head width.
        ones = [np.ones((len(each), scheme.dimension)) for each in (rows, columns, [0.0])]
        scores = scheme.scores(*ones[:2], rows, columns) / scheme.scores(ones[2], ones[2], np.zeros(1), np.zeros(1))
    else:
        defined, scores = defined_rows(scheme), np.full((len(rows), len(columns)), np.nan)
        had = [each[each < defined] for each in (rows, columns)]
        scores[: len(had[0]), : len(had[1])] = scheme.encode(had[0]) @ scheme.encode(had[1]).T
    return scores * scheme.query_scale(rows)[:, None]


def brute_force(scheme, rows, columns):
    """Means over each rectangle of the pairs in it that have a score, shares of cells counted; NaN where none has."""
    cells = every_score(scheme, range(rows.first, rows.last), range(columns.first, columns.last))
    some = np.isfinite(cells)
    down, across = (shares(span, span.last, span.first) for span in (rows, columns))
    totals, counts = (down @ each @ across.T for each in (np.where(some, cells, 0.0), some.astype(np.float64)))
    touched = (down > 0).astype(float) @ some.astype(np.float64) @ (across > 0).astype(float).T > 0
    return np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=touched)
