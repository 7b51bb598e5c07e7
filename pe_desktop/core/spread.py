"""How much a similarity, a score or a bias at one gap varies with the position; 0 means that the gap alone counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.lengths import settled
from pe_desktop.core.memory import remember_for
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.phases import reduced
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.score_bias import ScoreBias

GAPS = (1, 5, 20)
SPOTS = 16
CELLS = 1 << 12
START = 0.3  # rad; the fixed query of a rotary score leads its key by so much more in each pair


@remember_for(settled)
def gap_spread(scheme: Scheme) -> float | None:
    """How much similarity or score at one gap varies with the position: 0 means "relative".

    Added: standard deviation over positions of row(p)·row(p + k), over the largest such product. Rotary: the
    same of the score of one fixed query and key. Bias: the same of the bias. The largest over gaps 1, 5, 20.

    Returns
    -------
    float or None
        None where there is nothing to compare: rows that are all zero, or a sequence too short for any gap.
    """
    count = defined_rows(scheme)
    gaps = [gap for gap in GAPS if gap < count - 1]
    if not gaps:
        return None
    if isinstance(scheme, OffsetBias):  # one value at each offset
        offsets = np.array([*gaps, *(-gap for gap in gaps)], dtype=np.float64)
        return 0.0 if scheme.at_offsets(offsets, [0]).any() or scheme.at_offsets(offsets).any() else None
    most = max(4, min(SPOTS, CELLS // scheme.dimension))
    spots = [np.linspace(0, count - 1 - gap, min(most, count - gap)).round() for gap in gaps]
    if isinstance(scheme, Gridded):  # an even spread may miss the ends of rows
        spots = [np.union1d(each, scheme.seams(count - 1 - gap)) for each, gap in zip(spots, gaps, strict=True)]
    values = _at_gaps(scheme, spots, gaps)
    largest = max(float(np.abs(each).max()) for each in values)
    if largest == 0.0:
        return None
    return max(float(each.std(axis=-1).max()) if np.ptp(each) else 0.0 for each in values) / largest


def _at_gaps(scheme: Scheme, spots: list[Float], gaps: list[int]) -> list[Float]:
    """Similarity, score or bias of each spot and its partner, one array per gap (last axis: the spots).

    A bias may treat earlier and later keys differently, so there each gap is looked at in both directions.
    """
    if isinstance(scheme, ScoreBias):
        later = [(each, each + gap) for each, gap in zip(spots, gaps, strict=True)]
        return [scheme.pair_bias(*each) for each in (*later, *((partner, spot) for spot, partner in later))]
    every = np.concatenate(spots)
    sizes = [len(each) for each in spots]
    partners = every + np.repeat(gaps, sizes)
    if isinstance(scheme, Rotary):
        values = _scores(scheme, every, partners) * scheme.query_scale(partners)
    else:
        assert isinstance(scheme, Additive)
        values = _products(scheme, every, partners)
    return np.split(values, np.cumsum(sizes)[:-1])


def _scores(scheme: Rotary, keys: Float, queries: Float) -> Float:
    """Score of one fixed query and key at positions (n,) each, shape (n,): the steps between them decide it."""
    steps, which = _steps(scheme, keys, queries)
    angles = START * np.arange(scheme.rotary_width // 2) + scheme.angles_at(steps)
    # What fades does so with the gap, of which each step along the axes has one.
    first = np.unique(which, return_index=True)[1]
    faded = np.cos(reduced(angles)) * scheme.damping((queries - keys)[first])
    return np.asarray(faded.sum(axis=1)[which])


def _products(scheme: Additive, keys: Float, queries: Float) -> Float:
    """Products row·row of positions (n,) each, shape (n,)."""
    if isinstance(scheme, Gridded):
        steps, which = _steps(scheme, keys, queries)
        sums = np.cos(reduced(steps[:, scheme.pair_axis()] * scheme.turns())).sum(axis=1)[which]
        return np.where(scheme.is_silent(keys) | scheme.is_silent(queries), 0.0, sums)
    frequencies = scheme.frequencies()
    if frequencies is None:
        rows = scheme.encode(np.concatenate([keys, queries]))
        return np.asarray(np.einsum("ij,ij->i", rows[: len(keys)], rows[len(keys) :]))
    # The sine and the cosine of a pair make cos(gap x frequency); a sine without its cosine does not.
    gaps, which = np.unique(queries - keys, return_inverse=True)
    sums = np.cos(reduced(np.multiply.outer(gaps, frequencies))).sum(axis=1)[which]
    alone = scheme.unpaired_frequency
    return np.asarray(sums + np.sin(alone * keys) * np.sin(alone * queries))


def _steps(scheme: Scheme, keys: Float, queries: Float) -> tuple[Float, NDArray[np.intp]]:
    """The different steps from key to query along the axes, (k, axes), and which of them each pair (n,) takes."""
    assert isinstance(scheme, Gridded | Rotary)
    steps, which = np.unique(scheme.coordinates(queries) - scheme.coordinates(keys), axis=0, return_inverse=True)
    return steps, which.reshape(-1)
