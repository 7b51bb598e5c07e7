"""Questions about a whole sequence under rounding: the first bad position, distinct numbers and rows, collisions.

No table is built: positions are visited in strips, and only the pairs whose error can exceed the tolerance at all are
evaluated. Answers are small and kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.memory import remember
from pe_desktop.core.precision import OVERFLOWS_AT, SIGNIFICANT_BITS, Pipeline, half_step
from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import Float
from pe_desktop.core.work import checkpoint

FIRST_STRIP, LONGEST_STRIP = 256, 1 << 16
STRIP_CELLS = 1 << 17
SLACK = 1.001  # bfloat16 is reached through float32, and the float64 angles are rounded themselves
NAMED_RUNS = 3


@dataclass(frozen=True)
class FirstBad:
    """The first position with an error above the tolerance; ``position`` None where there is none."""

    position: int | None
    pair: int = 0
    error: float = 0.0


@dataclass(frozen=True)
class SearchCase:
    """What :func:`first_bad` is asked."""

    pipeline: Pipeline
    tolerance: float


@dataclass(frozen=True)
class CountCase:
    """What :func:`distinct_rows` and :func:`distinct_places` are asked: of the first `count` positions."""

    pipeline: Pipeline
    count: int


@remember
def first_bad(case: SearchCase) -> FirstBad:
    """Look for the first position of the sequence whose worst pair is off by more than the tolerance."""
    length, start, size = case.pipeline.scheme.length, 0, FIRST_STRIP
    while start < length:
        checkpoint(start / length)
        stop = min(start + size, length)
        found = _bad_in_strip(case, np.arange(start, stop, dtype=np.float64))
        if found is not None:
            return found
        start, size = stop, min(2 * size, LONGEST_STRIP)
    return FirstBad(None)


def _bad_in_strip(case: SearchCase, positions: Float) -> FirstBad | None:
    line = case.pipeline
    coordinates = line.coordinates(positions)
    pairs = np.flatnonzero(~(error_bound(line, np.abs(coordinates).max(axis=0)) <= case.tolerance))
    if not len(pairs):
        return None
    rows = max(1, STRIP_CELLS // len(pairs))
    for first in range(0, len(positions), rows):
        checkpoint(float(positions[first]) / line.scheme.length)
        found = _bad_among(case, coordinates[first : first + rows], pairs)
        if found is not None:
            row, pair, error = found
            return FirstBad(int(positions[first + row]), pair, error)
    return None


def _bad_among(case: SearchCase, coordinates: Float, pairs: NDArray[np.intp]) -> tuple[int, int, float] | None:
    """First bad row of a block of coordinates, its worst pair and error; sines only where the angle is off enough."""
    line = case.pipeline
    angles, exact = line.angles(coordinates, pairs), line.exact_angles(coordinates, pairs)
    with np.errstate(invalid="ignore"):
        reach = np.abs(angles - exact) * line.factor
    rows, columns = np.nonzero(~(SLACK * (reach + half_step(line.factor, line.formats.tables)) <= case.tolerance))
    if not len(rows):
        return None
    errors = line.differences(angles[rows, columns], exact[rows, columns])
    bad = np.flatnonzero(errors > case.tolerance)
    if not len(bad):
        return None
    row = int(rows[bad[0]])
    same = bad[rows[bad] == row]
    worst = int(same[errors[same].argmax()])
    return row, int(pairs[columns[worst]]), float(errors[worst])


def error_bound(line: Pipeline, reach: Float) -> Float:
    """What no error of a pair exceeds, shape (pairs,), while no coordinate exceeds `reach` (axes,) in size."""
    own = line.read(reach[None])[0]
    moved = half_step(own, line.formats.positions)
    with np.errstate(invalid="ignore"):  # infinite positions of pairs that stand still
        off = moved * line.frequencies + own * np.abs(line.frequencies - line.exact_frequencies)
        off = off + half_step((own + moved) * line.frequencies, line.formats.angles)
    bound = line.factor * np.minimum(off, 2.0) + half_step(line.factor, line.formats.tables)
    # Not a number, or an infinite angle: no bound at all.
    return np.where(np.isfinite(off), SLACK * bound, np.inf)


def distinct_numbers(name: str, count: int) -> int:
    """How many numbers the whole numbers 0 .. count - 1 become in a format, in closed form.

    All up to 2^t (t significant bits), then 2^(t-1) in each octave; those past the range are one, infinity.
    """
    limit = 1 << SIGNIFICANT_BITS[name]
    if count - 1 <= limit:
        return count
    last = float(rounded(float(count - 1), name))
    if np.isinf(last):
        return _rank(float(np.nextafter(OVERFLOWS_AT[name], 0.0)), name) + 1
    return _rank(last, name)


def _rank(value: float, name: str) -> int:
    """Whole numbers of a format from 0 to the one nearest below a value of at least 2^t."""
    bits = SIGNIFICANT_BITS[name]
    octave = int(np.frexp(value)[1]) - 1
    within = int((value - 2.0**octave) // 2.0 ** (octave + 1 - bits))
    return (1 << bits) + (octave - bits) * (1 << (bits - 1)) + within + 1


def collisions(name: str, count: int, most: int = NAMED_RUNS) -> tuple[tuple[int, int], ...]:
    """The first runs (first, last) of whole numbers below `count` that become one number in a format."""
    start = 1 << SIGNIFICANT_BITS[name]
    # Half a step of the first octave past the limit is 1: no run is longer than 3 there, nor stands farther apart.
    places = np.arange(start, min(count, start + 4 * most + 4), dtype=np.float64)
    if len(places) < 2:
        return ()
    edges = np.flatnonzero(np.diff(rounded(places, name)))
    firsts, lasts = np.append(0, edges + 1), np.append(edges, len(places) - 1)
    runs = [(start + int(a), start + int(b)) for a, b in zip(firsts, lasts, strict=True) if b > a]
    return tuple(runs[:most])


@remember
def distinct_places(case: CountCase) -> tuple[int, int]:
    """Distinct tuples of coordinates among the first tokens before and after rounding."""
    line = case.pipeline
    if line.axes is None:
        return case.count, distinct_numbers(line.formats.positions, case.count)
    coordinates = line.coordinates(np.arange(case.count, dtype=np.float64))
    after = rounded(coordinates, line.formats.positions)
    return len(np.unique(coordinates, axis=0)), len(np.unique(after, axis=0))


@remember
def distinct_rows(case: CountCase) -> int:
    """How many different rows of the rounded tables there are among the first positions.

    Rows of equal rounded coordinates or angles are equal. The others are told apart pair by pair, fastest first; a row
    that is alone needs no further pair, so that few pairs are evaluated for many rows.
    """
    line = case.pipeline
    order = np.argsort(-line.frequencies, kind="stable")
    coordinates = _unlike_neighbours(line, _distinct_coordinates(case), order)
    alone, groups = 0, np.zeros(len(coordinates), dtype=np.int64)
    for done in range(len(order)):
        checkpoint(done / len(order))
        for table in line.tables(line.angles(coordinates, order[done : done + 1])):
            _, codes = np.unique(table[:, 0], return_inverse=True)
            _, groups, sizes = np.unique(groups * (codes.max() + 1) + codes, return_inverse=True, return_counts=True)
        left = sizes[groups] > 1
        alone += int(len(left) - np.count_nonzero(left))
        coordinates, groups = coordinates[left], groups[left]
        if not len(coordinates):
            break
    return alone + len(np.unique(groups))


def _distinct_coordinates(case: CountCase) -> Float:
    """One token's coordinates for each tuple of rounded ones, shape (n, axes)."""
    line = case.pipeline
    coordinates = line.coordinates(np.arange(case.count, dtype=np.float64))
    places = rounded(coordinates, line.formats.positions)
    if line.axes is None:  # rounding keeps the order, so equal ones are neighbours
        return np.asarray(coordinates[np.append(True, places[1:, 0] != places[:-1, 0])])
    _, first = np.unique(places, axis=0, return_index=True)
    return coordinates[np.sort(first)]


def _unlike_neighbours(line: Pipeline, coordinates: Float, order: NDArray[np.intp]) -> Float:
    """One token's coordinates for each run of neighbours whose rounded angles are all equal."""
    same, done, step = np.arange(1, len(coordinates)), 0, 1
    while done < len(order) and len(same):
        checkpoint(done / len(order))
        pairs = order[done : done + step]
        alike = line.angles(coordinates[same], pairs) == line.angles(coordinates[same - 1], pairs)
        same = same[alike.all(axis=1)]
        done += step
        step = max(1, min(2 * step, STRIP_CELLS // max(len(same), 1)))
    return np.asarray(np.delete(coordinates, same, axis=0))
