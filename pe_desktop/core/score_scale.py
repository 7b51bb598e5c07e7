"""The ends of the colour scale of the scores."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.memory import remember
from pe_desktop.core.part_matrix import FIRST_CELLS, FIRST_ROWS, colour_scale
from pe_desktop.core.properties import probe_positions
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scans import norm_range, rows_of
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_window import gap_frequencies


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
    count = min(FIRST_ROWS, FIRST_CELLS // scheme.dimension, defined_rows(scheme))
    first = np.arange(count, dtype=np.float64)
    rows = rows_of(scheme, probe_positions(scheme, scheme.length) if scheme.last_position is None else first)
    return 0.0 if rows is None else float(np.linalg.norm(rows, axis=1).max())
