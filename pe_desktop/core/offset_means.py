"""Exact means over rectangles of queries x keys of a function of their offset alone.

A rectangle of p queries and q keys holds offsets x + i - j, with x that of its first cell. The mean is taken in two
stages, over the q keys and then over the p queries, each a difference of prefix sums: one pass over the offsets of a
window serves all its rectangles, whatever their size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Over = Callable[[int, int], Float]

SPARSE = 4  # offsets per cell beyond which single cells are looked up one by one


def span_of(
    rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int], reach: int | None
) -> tuple[int, int]:
    """First and last offset, query minus key, that the means of a window need.

    Parameters
    ----------
    rows, columns : (first, past the last)
    steps : (int, int)
        Queries and keys of a rectangle.
    reach : int or None
        Distance from which on the function is constant on either side: what lies beyond need not be looked at.
    """
    first, last = rows[0] - (columns[1] - 1), rows[1] - 1 - columns[0]
    if reach is None:
        return first, last
    room = reach + steps[0] + steps[1]
    return min(max(first, -room), room), max(min(last, room), -room)


def rectangle_means(over: Over, firsts: Float, rows: int, columns: int, reach: int | None) -> Float:
    """Mean of g(first + i - j) over i < rows, j < columns.

    Parameters
    ----------
    over : callable
        g at consecutive offsets: ``over(first, last)`` gives shape (last - first + 1,), float64.
    firsts : ndarray of any shape
        Offset of the first query and the first key of each rectangle; whole numbers.
    rows, columns : int
        Queries and keys in every rectangle.
    reach : int or None
        Distance from which on g is constant on either side, None if it is nowhere known to be.

    Returns
    -------
    ndarray of the shape of `firsts`, float64
        Off by some 1e-10 of the range of g over the window.
    """
    places = np.rint(firsts).astype(np.int64)
    if reach is not None:  # further out every rectangle lies in a constant part
        places = np.clip(places, 1 - reach - rows, reach + columns - 1)
    low, high = int(places.min()) - (columns - 1), int(places.max()) + rows - 1
    values = over(low, high)
    if rows == columns == 1:
        return np.asarray(values[places - low])
    middle = float(values[len(values) // 2] + values[0] + values[-1]) / 3.0  # small sums lose fewer digits
    sums = np.empty(len(values) + 1)
    sums[0] = 0.0
    np.subtract(values, middle, out=sums[1:])
    del values
    means = _moving_means(sums, columns)
    if rows > 1:
        sums = sums[: len(means) + 1]
        sums[0] = 0.0
        sums[1:] = means
        del means
        means = _moving_means(sums, rows)
    means += middle
    # The first offset of a rectangle's keys is x - (columns - 1), its queries go on from there.
    return np.asarray(means[places - (columns - 1) - low])


def _moving_means(sums: Float, count: int) -> Float:
    """Means of `count` neighbours; `sums` holds 0 and then the values, and is used up."""
    if count == 1:
        return sums[1:].copy()
    np.cumsum(sums, out=sums)
    means = sums[count:] - sums[:-count]
    means /= count
    return means
