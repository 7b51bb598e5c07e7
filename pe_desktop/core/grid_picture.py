"""Pictures of schemes whose tokens lie on a grid: the exact mean of every pixel, whatever it covers.

Each axis adds a function of its coordinate to a pixel column, the mean of the waves of the dimensions that the pixel
shares out. So columns are averaged first. Where a window reaches few places of an axis, that function is tabulated at
each; where it reaches many, the edges of the blocks are split in anchors and offsets, which repeat along the rows of a
grid as they do along text. Either way the phases of two short lists give all by small products. See :mod:`grid_means`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.grid_means import (
    Complex,
    Digit,
    Float,
    Index,
    Runs,
    as_slice,
    range_sums,
    sum_between,
    waves_at,
)
from pe_desktop.core.wave_picture import column_weights

Float32 = NDArray[np.float32]
Real = NDArray[np.floating]
TABLE = 4  # places for each edge up to which all are tabulated
FEW = 3  # edges for which neither is worth while
NARROW = 0.5  # share of the mean block below which the last one asks for more digits
STRIP = 1 << 11  # waves of pixel columns worked on together, so that they stay in the processor's cache


class Waves(NamedTuple):
    """The columns of a picture: which pair (d,) each shows and whether its cosine (d,), else its sine.

    ``frequencies`` and ``axis`` are those of the pairs, each (k,).
    """

    pair: Index
    cosine: NDArray[np.bool_]
    frequencies: Float
    axis: Index


class Shares(NamedTuple):
    """What pixel columns have of one axis: which columns (c,), and the share of each of their waves (c, n).

    ``waves`` (c, n) are indices of frequencies; a pixel is the sum of the real part of factor x wave.
    """

    columns: slice | Index
    waves: Index
    factors: Complex


class Table(NamedTuple):
    """So many ``places``, as products of waves (m, k) and (f, k); edges are at those numbered ``edges`` (n,)."""

    anchors: Complex
    offsets: Complex
    places: int
    edges: Index


class Picked(NamedTuple):
    """Places of edges, and sums between them, as products of waves (m, k) and (f, k): which ones, and the sums' signs.

    ``values`` (n,) and ``sums`` (n - 1,) count through all products.
    """

    anchors: Complex
    offsets: Complex
    values: Index
    sums: Index
    signs: Float


def grid_picture(waves: Waves, runs: Runs, rows: Blocks, columns: Blocks) -> Float32:
    """Means of waves over blocks of tokens x columns.

    Parameters
    ----------
    waves : Waves
        Of all columns there are.
    runs : Runs
        What the tokens are.
    rows, columns : Blocks
        Of tokens and of columns; edges may cut either.

    Returns
    -------
    ndarray, shape (rows.number, columns.number), float32
        Off by less than 1e-6 at a million tokens.
    """
    index, weights = column_weights(columns)
    index += columns.first
    edges = rows.edges
    out = np.zeros((columns.number, rows.number))
    for axis in range(len(runs.each[0].digits)):
        mine = (waves.axis[waves.pair[index]] == axis) & (weights > 0.0)
        if mine.any():
            frequencies, shares = _shares(waves, index, np.where(mine, weights, 0.0))
            for part in runs.parts(edges[:-1], edges[1:]):
                sums = DigitSums(frequencies, part.run.digits[axis], np.append(part.low, part.high[-1]), rows.per)
                for strip in _strips(shares):
                    out[strip.columns, part.blocks] += sums.of(strip)
    out /= np.diff(edges)
    return np.ascontiguousarray(out.T, dtype=np.float32)


def _shares(waves: Waves, index: Index, weights: Float) -> tuple[Float, Shares]:
    """Frequencies (k,) of the columns `index` (pixels, n) that have a weight, and what pixels have of them."""
    mine = weights > 0.0
    columns = np.flatnonzero(mine.any(axis=1))
    mine, shown, share = mine[columns], index[columns], weights[columns]
    if not mine.all():
        # Those with a weight come first, so that fewer that have none are needed to fill a row.
        order = np.argsort(~mine, axis=1, kind="stable")[:, : int(mine.sum(axis=1).max())]
        shown, share = np.take_along_axis(shown, order, axis=1), np.take_along_axis(share, order, axis=1)
    pairs = waves.pair[shown]
    used = np.zeros(len(waves.frequencies), dtype=np.bool_)
    used[pairs] = True
    factors = share.astype(np.complex128)
    factors[~waves.cosine[shown]] *= -1.0j
    return waves.frequencies[used], Shares(as_slice(columns), (np.cumsum(used) - 1)[pairs], factors)


def _strips(shares: Shares) -> Iterator[Shares]:
    count, each = shares.waves.shape
    height = max(1, STRIP // each)
    for first in range(0, count, height):
        strip = slice(first, min(first + height, count))
        columns = shares.columns
        if isinstance(columns, slice):
            here: slice | Index = slice(columns.start + strip.start, columns.start + strip.stop)
        else:
            here = columns[strip]
        yield Shares(here, shares.waves[strip], shares.factors[strip])


class DigitSums:
    """Sums over the tokens between neighbouring `edges` (n + 1,) of the waves that read one digit.

    Edges rise, and but for the first and the last one their fractions repeat after `per` blocks. With `exact` sums are
    right to 1e-10 of what a pixel column may be at most, else to 1e-6 of it for blocks as wide as the others.
    """

    def __init__(self, frequencies: Float, digit: Digit, edges: Float, per: int, *, exact: bool = False) -> None:
        self._few: Complex | None = None
        if len(edges) <= FEW:
            pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
            self._few = np.stack([sum_between(frequencies, digit, *pair) for pair in pairs])
            return
        self._stride = digit.stride
        cycles, place, self._rest = digit.places(edges)
        self._cycles = np.diff(cycles) * self._stride
        self._cycle: Complex | None = None
        first, last = place[0], place[-1]
        if digit.size is not None and cycles[-1] > cycles[0]:
            first, last = 0.0, digit.size - 1.0
            self._cycle = range_sums(frequencies, np.array([float(digit.origin)]), np.array([last + 1.0]))
        self._plan: Table | Picked
        if last - first < TABLE * len(edges):
            self._plan = _table(frequencies, first + digit.origin, int(last - first) + 1, place - first)
        else:
            self._plan = _picked(frequencies, place + digit.origin, per if digit.stride == 1 else 1)
        # A block in which the digit starts anew is a cycle less what it leaves out, which may be much.
        narrow = edges[-1] - edges[-2] < NARROW * (edges[-1] - edges[0]) / (len(edges) - 1)
        picked = isinstance(self._plan, Picked) and (narrow or self._cycle is not None)
        self._kind = np.complex128 if exact or picked else np.complex64

    def of(self, shares: Shares) -> Real:
        """The sums of pixel columns, shape (c, n)."""
        if self._few is not None:
            return _real_parts(shares, self._few)
        if isinstance(self._plan, Table):
            values, sums = _tabulated(shares, self._plan, self._kind)
        else:
            values, sums = _looked_up(shares, self._plan, self._kind)
        if self._stride != 1:
            sums *= self._stride
        if self._rest.any():
            sums += np.diff(values * self._rest.astype(values.dtype), axis=1)
        if self._cycle is not None:
            sums += _real_parts(shares, self._cycle) * self._cycles
        return sums


def _table(frequencies: Float, first: float, count: int, index: Float) -> Table:
    """The places first .. first + count - 1, and the edges at first + `index` (n,)."""
    height = max(1, math.isqrt(count))
    anchors = waves_at(frequencies, first + height * np.arange(float(-(-count // height))))
    return Table(anchors, waves_at(frequencies, np.arange(float(height))), count, index.astype(np.intp))


def _tabulated(shares: Shares, plan: Table, kind: type[np.complexfloating]) -> tuple[Real, Real]:
    """Values at the places of edges, and sums from each to the next, negative where the place falls.

    Shapes (c, n) and (c, n - 1); products are worked out in `kind`.
    """
    values = _products(shares, plan.anchors, plan.offsets, kind)[:, : plan.places]
    before = np.zeros((len(values), plan.places + 1))
    np.cumsum(values, axis=1, dtype=np.float64, out=before[:, 1:])
    sums = np.diff(np.take(before, plan.edges, axis=1), axis=1)
    return np.take(values, plan.edges, axis=1).astype(np.float64), sums


def _picked(frequencies: Float, place: Float, per: int) -> Picked:
    """The same for any whole places (n,), which rise or start anew; edges repeat after `per` blocks."""
    count = len(place)
    height = per * max(1, math.isqrt(count // 6) // per)
    # The first and the last edge may lie anywhere, where a run of tokens begins or ends.
    leaders = np.unique(np.concatenate([[0], np.arange(1, count, height), [count - 1]]))
    group = np.searchsorted(leaders, np.arange(count), side="right") - 1
    anchors, rank = np.unique(place[leaders], return_inverse=True)
    offset = place - place[leaders][group]
    offsets, which = np.unique(offset, return_inverse=True)
    steps = np.diff(place)
    lower = np.arange(count - 1) + (steps < 0.0)  # the edge that a sum begins at
    runs, run_of = np.unique(offset[lower] + 1j * np.abs(steps), return_inverse=True)
    lengths, length_of = np.unique(runs.imag, return_inverse=True)

    beside = waves_at(frequencies, offsets)
    sums = range_sums(frequencies, np.zeros(len(lengths)), lengths)[length_of]
    sums *= beside[np.searchsorted(offsets, runs.real)]
    row = rank[group] * (len(beside) + len(sums))
    return Picked(
        waves_at(frequencies, anchors),
        np.concatenate([beside, sums]),
        row + which,
        row[lower] + len(beside) + run_of,
        np.sign(steps),
    )


def _looked_up(shares: Shares, plan: Picked, kind: type[np.complexfloating]) -> tuple[Real, Real]:
    """Values and sums as of :func:`_tabulated`."""
    found = _products(shares, plan.anchors, plan.offsets, kind)
    sums = np.take(found, plan.sums, axis=1)
    sums *= plan.signs.astype(sums.dtype)
    return np.take(found, plan.values, axis=1), sums


def _products(shares: Shares, above: Complex, beside: Complex, kind: type[np.complexfloating]) -> Real:
    """What each pixel column is for every product of a wave above (m, k) and beside (f, k), shape (c, m x f)."""
    first = np.take(above, shares.waves, axis=1).astype(kind)
    second = np.take(beside, shares.waves, axis=1)
    second *= shares.factors
    second = np.conjugate(second).astype(kind)
    # Seen as real and imaginary parts in turn, the product of a row with a conjugate one is the real part of theirs.
    rows, columns = (each.view(each.real.dtype) for each in (first, second))
    return np.asarray(np.matmul(rows.transpose(1, 0, 2), columns.transpose(1, 2, 0)).reshape(len(shares.waves), -1))


def _real_parts(shares: Shares, waves: Complex) -> Float:
    """What each pixel column is for waves (m, k), shape (c, m)."""
    return np.asarray(np.einsum("mcn,cn->cm", np.take(waves, shares.waves, axis=1), shares.factors).real)
