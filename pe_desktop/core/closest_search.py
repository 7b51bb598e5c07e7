"""The two closest rows of a table, by looking at every pair once, on two cores.

Squared distances come from products of rows in float32, a tile of them at a time; pairs that these cannot tell from the
closest are measured again in float64. Rows are read anew for each band of tiles, so that memory does not grow with the
table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.work import checkpoint

Float32 = NDArray[np.float32]
Index = NDArray[np.intp]
Found = tuple[float, int, int]  # squared distance of two rows, and their numbers
NOTHING: Found = (math.inf, 0, 1)
BAND_CELLS = 1 << 23  # of the rows that are held: 32 MB
TILE_CELLS = 1 << 19  # squares looked at together
TILE_PRODUCTS = 1 << 29  # multiplications of a tile: some ten milliseconds
ROUNDING = 1e-5  # of the largest square: error of one that is a difference of float32 products
AGAIN_CELLS = 1 << 18  # of the rows that are measured again together


def closest_pair(scheme: Additive, count: int) -> tuple[int, int]:
    """Numbers of the two closest among the first `count` rows, of which there are at least two, the smaller first."""
    best, done = NOTHING, 0
    for first, stop in _runs(0, count, _whole_lots(BAND_CELLS // scheme.dimension, scheme.draw_step)):
        rows = scheme.rows(first, stop - first)
        band = _Band(scheme, first, rows, _squares(rows))
        height = stop - first
        width = min(TILE_CELLS // height, TILE_PRODUCTS // (height * scheme.dimension))
        tiles = list(_runs(first, count, _whole_lots(width, scheme.draw_step)))
        for number in range(0, len(tiles), 2):
            checkpoint(2.0 * done / (count * (count + 1.0)))
            best = min(best, *band.look(tiles[number : number + 2], best))
            done += sum(_pairs_of(first, stop, *tile) for tile in tiles[number : number + 2])
    checkpoint(1.0)
    return best[1], best[2]


def _runs(first: int, stop: int, step: int) -> Iterator[tuple[int, int]]:
    for start in range(first, stop, step):
        yield start, min(start + step, stop)


def _whole_lots(rows: int, lot: int) -> int:
    """A number of rows near one that is not too many, in lots that are drawn together: else some are drawn twice."""
    return max(rows // lot, 1) * lot


def _pairs_of(first: int, stop: int, start: int, end: int) -> int:
    """How many pairs (i, j), j not before i, have i in first .. stop-1 and j in start .. end-1."""
    beyond = max(0, end - max(stop, start)) * (stop - first)
    return beyond + sum(j - first + 1 for j in range(start, min(end, stop)))


def _squares(rows: Float32) -> Float32:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


@dataclass(frozen=True, eq=False)
class _Band:
    """Rows from `first` on, with their squared lengths, that all later rows are compared with."""

    scheme: Additive
    first: int
    rows: Float32
    squares: Float32

    def look(self, tiles: list[tuple[int, int]], best: Found) -> list[Found]:
        """The closest pair of each of one or two tiles, as far as it is closer than the best so far."""
        found = [NOTHING for _ in tiles]
        trouble: list[BaseException] = []

        def look_at(number: int) -> None:
            try:
                found[number] = self._closest(*tiles[number], best)
            except BaseException as error:  # told to the one who waits
                trouble.append(error)

        other = Thread(target=look_at, args=(1,)) if len(tiles) > 1 else None
        if other is not None:
            other.start()
        look_at(0)
        if other is not None:
            other.join()
        if trouble:
            raise trouble[0]
        return found

    def _closest(self, start: int, stop: int, best: Found) -> Found:
        others = self.scheme.rows(start, stop - start)
        squares = self.rows @ others.T
        squares *= np.float32(-2.0)
        squares += self.squares[:, None]
        lengths = _squares(others)
        squares += lengths
        if start < self.first + len(self.rows):  # of rows within the band each pair counts once
            own = np.arange(self.first, self.first + len(self.rows))[:, None]
            squares[own >= np.arange(start, stop)] = np.inf
        slack = ROUNDING * float(max(self.squares.max(), lengths.max()))
        near = np.flatnonzero(squares <= min(float(squares.min()), best[0]) + slack)
        near = near[np.argsort(squares.ravel()[near], kind="stable")]
        return self._measured(near, squares.ravel()[near] - slack, others, start, best)

    def _measured(self, near: Index, least: Float32, others: Float32, start: int, best: Found) -> Found:
        """Measure pairs again, those that may be the closest first, until none can be closer."""
        strip = max(1, AGAIN_CELLS // self.rows.shape[1])
        for at in range(0, len(near), strip):
            if least[at] > best[0]:
                break
            i, j = np.divmod(near[at : at + strip], len(others))
            exact = ((self.rows[i].astype(np.float64) - others[j]) ** 2).sum(axis=1)
            for number in np.flatnonzero(exact == exact.min()):
                best = min(best, (float(exact[number]), self.first + int(i[number]), start + int(j[number])))
        return best
