"""The picture of rounding errors: positions x pairs, each cell the largest error among the places looked at in it.

The largest error of a block of positions has no closed form: rounding is no smooth function of the position. A block
of more than :data:`DEPTH` positions is therefore sampled, always at its last position (where errors of frequencies are
largest) and where its positions lie farthest from any number of their format, and elsewhere at spread-out places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.memory import Remembered
from pe_desktop.core.parts import Float32
from pe_desktop.core.precision import Pipeline, half_step
from pe_desktop.core.scheme import Float
from pe_desktop.core.work import checkpoint

DEPTH = 4  # positions looked at in a block, at most
PAIRS_DEPTH = 2
STRIP_CELLS = 1 << 16
SPREAD = (0.618034, 0.754878)  # shares of a whole that fill it evenly: of the next sample, of the next block


@dataclass(frozen=True)
class PictureCase:
    """What a picture depends on; blocks of positions and of pairs, and how many positions of a block are sampled."""

    pipeline: Pipeline
    rows: Blocks
    columns: Blocks
    depth: int

    @property
    def samples(self) -> tuple[int, int]:
        """Positions and pairs looked at in each full block."""
        return min(self.rows.cells, self.depth), min(self.columns.cells, PAIRS_DEPTH)

    @property
    def cost(self) -> int:
        """Errors to be evaluated."""
        positions, pairs = self.samples
        return len(self.rows.starts) * positions * len(self.columns.starts) * pairs


def _make(case: PictureCase) -> Float32:
    """Largest errors, shape (rows, columns), float32, read-only; inf where a value is not a number."""
    positions = sample_positions(case.rows, case.samples[0], case.pipeline.formats.positions)
    pairs = _sample_pairs(case.columns, case.samples[1])
    out = np.empty((len(positions), len(pairs)), dtype=np.float32)
    strip = max(1, STRIP_CELLS // (positions.shape[1] * pairs.size))
    for first in range(0, len(positions), strip):
        checkpoint(first / len(positions))
        some = positions[first : first + strip]
        errors = case.pipeline.errors(some.ravel(), pairs.ravel())
        out[first : first + strip] = errors.reshape(*some.shape, *pairs.shape).max(axis=(1, 3))
    out.flags.writeable = False
    return out


error_picture = Remembered(_make, kept=4)


def sample_positions(rows: Blocks, depth: int, name: str) -> Float:
    """Positions looked at in each block, shape (blocks, depth), float64; all of them where `depth` is the step."""
    starts, lasts = rows.starts, rows.starts + rows.counts - 1.0
    if depth == rows.cells:
        return np.minimum(starts[:, None] + np.arange(depth), lasts[:, None])
    some = [lasts, farthest(starts, lasts, name)][:depth]
    for sample in range(len(some), depth):
        share = (SPREAD[0] * sample + SPREAD[1] * np.arange(len(starts))) % 1.0
        some.append(starts + np.floor(share * rows.counts))
    return np.stack(some, axis=1)


def farthest(firsts: Float, lasts: Float, name: str) -> Float:
    """Of each range of whole numbers the one that lies farthest from any number of a format, shape (n,).

    Exact within an octave; where a range reaches into the next one, only that octave's numbers are considered.
    """
    steps = 2.0 * half_step(lasts, name)
    coarse = (steps > 1.0) & np.isfinite(steps)
    steps = np.where(coarse, steps, 2.0)
    middles = np.floor((lasts - steps / 2.0) / steps) * steps + steps / 2.0
    off_first, off_last = (np.abs(ends - np.rint(ends / steps) * steps) for ends in (firsts, lasts))
    found = np.where(middles >= firsts, middles, np.where(off_first > off_last, firsts, lasts))
    return np.where(coarse, found, lasts)


def _sample_pairs(columns: Blocks, depth: int) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """Pairs looked at in each block, shape (blocks, depth): the first, the fastest, and evenly on."""
    starts, counts = columns.starts, columns.counts
    offsets = np.floor(np.arange(depth) / depth * counts[:, None])
    return np.asarray(starts[:, None] + offsets, dtype=np.intp)
