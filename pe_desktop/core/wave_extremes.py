"""Smallest and largest value of sines over runs of whole positions, without visiting the positions.

On the circle the phases of n positions that turn by f each fall into q equal cells, where p/q is the last convergent
of f (of its continued fraction) with q at most n: the positions j = r, r + q, r + 2q, … all lie in cell r p mod q,
each e = |q f - p| turns beyond the one before, and none leaves the cell, since n e < 1 (n is below the next
denominator). So the position nearest to the crest is the nearest one in the crest's own cell, the first one in the
next cell or the last one in the cell before: three closed forms, whatever n is. See Khinchin, Continued Fractions,
chapter 1, and the three-gap theorem (Sós 1958).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cell_extremes import Groups, grouped
from pe_desktop.core.work import checkpoint

Float = NDArray[np.float64]
Float32 = NDArray[np.float32]
Index = NDArray[np.intp]

TURN = 2.0 * np.pi
BITS = 62  # a turn in whole numbers: Euclid's algorithm is exact then, phases are true to 2^-63 x n turns
# Largest gap, in turns, between neighbouring phases beyond which crest and trough count as reached. The nearest phase
# is at most half of it away, so 1 is missed by 1 - cos(pi / 640) = 1.2e-5 at most: 6e-6 of the range -1 .. 1.
COVERED = 1.0 / 640.0
STRIP = 1 << 13  # phases worked on together: so few that they stay in the processor's cache


class _Levels(NamedTuple):
    """All convergents of each frequency, each (levels, k): denominators, and |q f - p| in turns."""

    denominators: Float
    drifts: Float


class _Cells(NamedTuple):
    """How n phases lie on the circle, each (k,); see the module.

    ``number`` is q, ``before`` the denominator of the convergent before it, ``drift`` e. Where the phases drift
    backwards everything is seen in a mirror: ``side`` is -1.
    """

    number: Float
    before: Float
    drift: Float
    side: Float


def wave_extremes(
    frequencies: Float, phases: Float, starts: Float, counts: Float, groups: Groups
) -> tuple[Float32, Float32]:
    """Smallest and largest sin(position x frequency + phase) over runs of positions and groups of columns.

    Parameters
    ----------
    frequencies, phases : ndarray, shape (k,), rad/position and rad
    starts, counts : ndarray, shape (m,)
        First position of each run, and its number of positions, at least 1; whole numbers.
    groups : Groups
        The columns of each of g groups, none empty.

    Returns
    -------
    low, high : ndarray, shape (m, g), float32
        Off by less than 1e-5 of the range -1 .. 1.
    """
    low = np.empty((len(starts), len(groups.firsts)), dtype=np.float32)
    high = np.empty_like(low)
    if not low.size:
        return low, high
    turns = frequencies / TURN
    turns = turns - np.floor(turns)
    levels = _convergents(turns, int(counts.max()))
    done = 0
    for count in np.unique(counts):
        chosen = np.flatnonzero(counts == count)
        cells = _cells(levels, float(count))
        open_groups, columns, inner = _not_covered(cells, float(count), groups)
        low[chosen], high[chosen] = -1.0, 1.0
        kept = _Cells(*(each[columns] for each in cells))
        height = max(1, STRIP // max(1, len(columns)))
        for first in range(0, len(chosen) if len(columns) else 0, height):
            checkpoint((done + first) / len(starts))
            strip = chosen[first : first + height]
            # Reduced before the crest is taken away, so that no digit is lost at a million positions.
            at = np.multiply.outer(starts[strip], turns[columns])
            at -= np.floor(at)
            at += phases[columns] / TURN
            below, above = _extremes(at, kept, float(count))
            where = np.ix_(strip, open_groups)
            low[where], high[where] = grouped(np.minimum, below, inner), grouped(np.maximum, above, inner)
        done += len(chosen)
    return low, high


def _convergents(turns: Float, most: int) -> _Levels:
    """Convergents of `turns` (k,) between 0 and 1, up to the first denominator beyond `most`."""
    beyond = np.int64(most + 1)
    parts = np.asarray(np.ldexp(turns, BITS), dtype=np.int64)
    old, drift = np.full_like(parts, np.int64(1) << BITS), parts
    before, number = np.zeros_like(parts), np.ones_like(parts)
    numbers, drifts = [before, number], [old, drift]
    while bool((number <= most).any()):
        ends = drift == 0  # the last convergent is the frequency itself
        times, rest = np.divmod(old, np.where(ends, 1, drift))
        old, drift = drift, np.where(ends, 0, rest)
        times = np.minimum(np.where(ends, beyond, times), beyond)  # or products would not fit
        before, number = number, np.minimum(before + times * number, beyond)
        numbers.append(number)
        drifts.append(drift)
    return _Levels(np.array(numbers, dtype=np.float64), np.ldexp(np.array(drifts, dtype=np.float64), -BITS))


def _cells(levels: _Levels, count: float) -> _Cells:
    """The cells of `count` phases: those of the last convergent with a denominator of at most so many."""
    level = (levels.denominators[1:] <= count).sum(axis=0)[None, :]
    number, drift = (np.take_along_axis(each, level, axis=0)[0] for each in levels)
    before = np.take_along_axis(levels.denominators, level - 1, axis=0)[0]
    # q f - p is above 0 for the first convergent, and then changes its sign each time.
    return _Cells(number, before, drift, np.where(level[0] % 2, 1.0, -1.0))


def _not_covered(cells: _Cells, count: float, groups: Groups) -> tuple[Index, Index, Groups]:
    """Groups without a column whose phases fill the circle, their columns, and where those then stand."""
    # The last position of a cell is at least n - q, the first one of the next cell at most q - 1.
    gap = (1.0 + cells.drift * (2.0 * cells.number - 1.0 - count)) / cells.number
    gap = np.maximum(gap, np.where(count > cells.number, cells.drift, 0.0))
    before = np.concatenate([[0], np.cumsum(gap <= COVERED)])
    chosen = np.flatnonzero(before[groups.lasts] == before[groups.firsts])
    needed = np.zeros(len(gap) + 1, dtype=np.intp)
    np.add.at(needed, groups.firsts[chosen], 1)
    np.add.at(needed, groups.lasts[chosen], -1)
    wanted = np.cumsum(needed[:-1]) > 0
    place = np.concatenate([[0], np.cumsum(wanted)])
    return chosen, np.flatnonzero(wanted), Groups(place[groups.firsts[chosen]], place[groups.lasts[chosen]])


def _extremes(phases: Float, cells: _Cells, count: float) -> tuple[Float32, Float32]:
    """Smallest and largest sine of `count` phases each, the first of them `phases` (m, k) in turns."""
    if count == 1.0:
        phases -= np.rint(phases)
        values = np.sin((TURN * phases).astype(np.float32))
        return values, values
    crest = (0.25 - phases) * cells.side
    crest -= np.floor(crest)
    trough = crest + 0.5
    trough -= np.floor(trough)
    high = np.cos(_distances(crest, cells, count))
    return -np.cos(_distances(trough, cells, count)), high


def _distances(places: Float, cells: _Cells, count: float) -> Float32:
    """Angle in rad from `places` (m, k), in turns, to the nearest of the phases 0, f, 2f, …

    Everything is measured in cells: position j stands drift x j beyond the start of its cell.
    """
    number, before, drift, _ = cells
    last = count - 1.0
    turns, rest = np.floor(last / number), last % number  # the last position of residue r is r + q x turns, or one less
    within = places * number
    cell = np.floor(within)
    within -= cell
    # p x before = -1 modulo q, seen from the side on which phases drift forwards; so r = -cell x before.
    cell *= before
    residue = np.ceil(cell / number) * number - cell
    own_last = turns - (residue > rest)
    steps = within / np.where(drift > 0.0, drift, 1.0)
    steps -= residue
    steps /= number
    np.rint(steps, out=steps)
    np.clip(steps, 0.0, own_last, out=steps)
    steps *= number
    steps += residue
    steps *= drift
    nearest = np.abs(within - steps)
    after = residue - before
    after += number * (after < 0.0)
    np.minimum(nearest, 1.0 - within + drift * after, out=nearest)
    behind = residue + before
    behind -= number * (behind >= number)
    behind += number * (turns - (behind > rest))
    np.minimum(nearest, 1.0 + within - drift * behind, out=nearest)
    nearest *= TURN / number
    return nearest.astype(np.float32)
