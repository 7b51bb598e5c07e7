"""Extremes of the matrix where tokens lie on a grid: each column reads one coordinate, which takes whole intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cell_extremes import Groups
from pe_desktop.core.grid_means import Digit, Runs
from pe_desktop.core.gridded import Gridded
from pe_desktop.core.wave_extremes import wave_extremes

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Index = NDArray[np.intp]


class _Intervals(NamedTuple):
    """Intervals of consecutive coordinates, each (n,): the block that has them, the first one, and how many."""

    blocks: Index
    firsts: Float
    counts: Float


def grid_extremes(scheme: Gridded, rows: Groups, columns: Groups) -> tuple[Float32, Float32]:
    """Smallest and largest cell of each block of tokens x columns.

    Parameters
    ----------
    scheme : Gridded
    rows, columns : Groups
        Tokens and dimensions of each block, none empty.

    Returns
    -------
    low, high : ndarray, shape (rows, columns), float32
    """
    low = np.full((len(rows.firsts), len(columns.firsts)), np.inf, dtype=np.float32)
    high = np.full_like(low, -np.inf)
    waves = scheme.picture_waves
    frequencies, axes = waves.frequencies[waves.pair], waves.axis[waves.pair]
    phases = np.where(waves.cosine, np.pi / 2, 0.0)
    for axis in range(len(scheme.axes)):
        mine = np.flatnonzero(axes == axis)
        first, last = np.searchsorted(mine, columns.firsts), np.searchsorted(mine, columns.lasts)
        chosen = np.flatnonzero(last > first)
        if not len(chosen):
            continue
        kept = slice(int(first[chosen[0]]), int(last[chosen[-1]]))
        groups = Groups(first[chosen], last[chosen]).moved(kept.start)
        each = _intervals(scheme.runs, axis, rows)
        # Blocks often have the same coordinates, such as all of a row of patches: worked out once.
        different, where = np.unique(each.firsts + 1j * each.counts, return_inverse=True)
        part = mine[kept]
        found = wave_extremes(frequencies[part], phases[part], different.real, different.imag, groups)
        for turn in _one_each(each.blocks):
            place = np.ix_(each.blocks[turn], chosen)
            low[place] = np.minimum(low[place], found[0][where.reshape(-1)[turn]])
            high[place] = np.maximum(high[place], found[1][where.reshape(-1)[turn]])
    silent = _has_silent(scheme.runs, rows)
    low[silent], high[silent] = np.minimum(low[silent], 0.0), np.maximum(high[silent], 0.0)
    return low, high


def _intervals(runs: Runs, axis: int, rows: Groups) -> _Intervals:
    """The coordinates on one axis of the tokens of each block, run after run."""
    parts = []
    for number, run in enumerate(runs.each):
        stop = runs.each[number + 1].start if number + 1 < len(runs.each) else int(rows.lasts.max())
        low = rows.firsts if not number else np.maximum(rows.firsts, run.start)
        inside = np.flatnonzero(np.minimum(rows.lasts, stop) > low)
        if run.silent or not len(inside):
            continue
        tokens = (low[inside] - run.start).astype(np.float64)
        last = (np.minimum(rows.lasts, stop)[inside] - 1 - run.start).astype(np.float64)
        parts += _steps(run.digits[axis], inside, tokens, last)
    return _Intervals(*(np.concatenate(each) for each in zip(*parts, strict=True))) if parts else _nowhere()


def _steps(digit: Digit, blocks: Index, first: Float, last: Float) -> list[_Intervals]:
    """What a digit counts through from token `first` to token `last` of its run: at most two intervals each."""
    low, high = np.floor_divide(first, digit.stride), np.floor_divide(last, digit.stride)
    counts = high - low + 1.0
    if digit.size is None:
        return [_Intervals(blocks, digit.origin + low, counts)]
    size = float(digit.size)
    start = np.where(counts >= size, 0.0, np.mod(low, size))
    before = np.minimum(np.minimum(counts, size), size - start)
    again = np.flatnonzero((counts < size) & (counts > before))  # it starts anew on the way
    rest = counts[again] - before[again]
    return [
        _Intervals(blocks, digit.origin + start, before),
        _Intervals(blocks[again], np.full(len(again), float(digit.origin)), rest),
    ]


def _nowhere() -> _Intervals:
    return _Intervals(np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0))


def _one_each(blocks: Index) -> list[Index]:
    """Places of `blocks` (n,) in turns, no block twice in one of them."""
    order = np.argsort(blocks, kind="stable")
    ordered = blocks[order]
    nth = np.arange(len(blocks)) - np.searchsorted(ordered, ordered)
    return [order[nth == turn] for turn in range(int(nth.max()) + 1)] if len(blocks) else []


def _has_silent(runs: Runs, rows: Groups) -> Index:
    """Blocks with a token whose row is zeros."""
    found = np.zeros(len(rows.firsts), dtype=np.bool_)
    for number, run in enumerate(runs.each):
        stop = runs.each[number + 1].start if number + 1 < len(runs.each) else int(rows.lasts.max())
        if run.silent:
            found |= (rows.lasts > run.start) & (rows.firsts < stop)
    return np.flatnonzero(found)
