"""A learned table (BERT, GPT-2), with a stand-in for the training that this app does not do."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError
from pe_desktop.core.numerals import count_rows
from pe_desktop.core.scheme import Float, parameter, register

BLOCK = 64  # rows drawn one after the other from a generator of their own
Float32 = NDArray[np.float32]
Table = tuple[int, int]  # seed and dimension, which a row depends on beside its number


class _Block:
    """The first rows of a block, as far as they were asked for; the rest is drawn when it is."""

    def __init__(self, table: Table, index: int) -> None:
        seed, dimension = table
        self._generator: np.random.Generator | None = np.random.default_rng((seed, index, dimension))
        self._rows = np.empty((BLOCK, dimension), dtype=np.float32)
        self._lock = Lock()
        self.drawn = 0

    def rows(self, count: int) -> Float32:
        """The first `count` rows or more, read-only."""
        with self._lock:  # two threads must not draw from one generator
            if self._generator is not None and count > self.drawn:
                self._generator.standard_normal(out=self._rows[self.drawn : count], dtype=np.float32)
                self.drawn = count
                if count == BLOCK:
                    self._generator = None
        drawn = self._rows[: max(count, self.drawn)]
        drawn.flags.writeable = False
        return drawn


class _Blocks:
    """Blocks of rows already drawn, oldest dropped first beyond a number of cells (16 MB)."""

    LIMIT = 1 << 22

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Table, int], _Block] = OrderedDict()
        self._cells = 0
        self._lock = Lock()

    def rows(self, table: Table, index: int, count: int, *, keep: bool) -> Float32:
        """The first `count` rows of a block, or more; what `keep` leaves out is forgotten, not what was kept before."""
        return self._block(table, index, keep).rows(count)

    def _block(self, table: Table, index: int, keep: bool) -> _Block:
        key = (table, index)
        with self._lock:
            block = self._kept.pop(key, None)
            if block is None:
                block = _Block(table, index)
                if not keep:
                    return block
                self._cells += BLOCK * table[1]
            self._kept[key] = block
            while self._cells > self.LIMIT and len(self._kept) > 1:
                (old, _), _ = self._kept.popitem(last=False)
                self._cells -= BLOCK * old[1]
            return block

    def missing(self, table: Table, index: int, count: int) -> int:
        """How many rows have to be drawn before the first `count` of a block can be read."""
        block = self._kept.get((table, index))
        return max(0, count - (0 if block is None else block.drawn))


_BLOCKS = _Blocks()


@register
@dataclass(frozen=True, kw_only=True)
class Learned(Additive):
    """One free vector per position; here random, as before any training."""

    trained_length: int = parameter(
        "Trained length",
        int,
        512,
        minimum=1,
        maximum=8192,
        unit="positions",
        logarithmic=True,
        help="Rows in the table; a position past the last row has no vector at all.",
        source="BERT (Devlin et al. 2018) has 512 rows, GPT-2 (Radford et al. 2019) 1024",
    )
    seed: int = parameter(
        "Table seed",
        int,
        0,
        minimum=0,
        maximum=999_999,
        help="Seed of the random stand-in table (standard normal, untrained).",
        source="stand-in of this app; real tables are trained",
    )

    id: ClassVar[str] = "learned"
    title: ClassVar[str] = "Learned"
    summary: ClassVar[str] = "A table with one row per position; it simply ends at its last row."
    source: ClassVar[str] = "Devlin et al. 2018, arXiv 1810.04805; GPT-2"

    needs_length: ClassVar[bool] = False

    @property
    def last_position(self) -> int | None:
        """See :meth:`Scheme.last_position`."""
        return self.trained_length - 1

    def rows(self, first: int, count: int) -> Float32:
        """Rows `first` .. `first` + `count` - 1 of the table, shape (count, dimension), float32, maybe read-only."""
        if first < 0 or first + count > self.trained_length:
            wrong = first if first < 0 else first + count - 1
            raise FieldError(
                "positions",
                f"Position {wrong:,} has no vector: the learned table has {count_rows(self.trained_length)} "
                f"(0 to {self.trained_length - 1:,}); raise trained_length or stay inside.",
            )
        # Someone who reads a long table from end to end must not push out the rows that are looked at all the time.
        keep = count <= BLOCK or self.trained_length * self.dimension <= _BLOCKS.LIMIT
        table, shares = (self.seed, self.dimension), _shares(first, count)
        if len(shares) == 1:
            index, start, stop = shares[0]
            return _BLOCKS.rows(table, index, stop, keep=keep)[start:stop]
        out, done = np.empty((count, self.dimension), dtype=np.float32), 0
        for index, start, stop in shares:  # one after the other, so that no two blocks are held beside them
            out[done : done + stop - start] = _BLOCKS.rows(table, index, stop, keep=keep)[start:stop]
            done += stop - start
        return out

    def draw_cost(self, first: int, count: int) -> int:
        """See :meth:`Additive.draw_cost`."""
        table = self.seed, self.dimension
        return sum(_BLOCKS.missing(table, index, stop) for index, _, stop in _shares(first, count)) * self.dimension

    @property
    def draw_step(self) -> int:
        """See :attr:`Additive.draw_step`."""
        return BLOCK

    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """See :meth:`Additive.block_mean`; reads only the rows asked for.

        Raises
        ------
        FieldError
            If a position lies past the table or between two rows.
        """
        firsts = np.asarray(starts, dtype=np.float64)
        if np.any(firsts != np.rint(firsts)):
            raise FieldError("positions", "A learned table has rows for whole positions only.")
        whole = firsts.astype(np.int64)
        if len(whole) > 1 and np.all(np.diff(whole) == count):
            rows = self.rows(int(whole[0]), count * len(whole))
            means = rows.reshape(len(whole), count, self.dimension)[:, :, columns]
            return means[:, 0].astype(np.float64) if count == 1 else means.mean(axis=1, dtype=np.float64)
        each = [self.rows(int(first), count)[:, columns] for first in whole]
        each = [rows[0] if count == 1 else rows.mean(axis=0, dtype=np.float64) for rows in each]
        width = len(range(*columns.indices(self.dimension)))
        return np.array(each, dtype=np.float64).reshape(len(whole), width)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = ["Untrained: the table is a random stand-in, as before the first training step."]
        if self.length > self.trained_length:
            notes.append(
                f"No vector past position {self.trained_length - 1:,}: the table has {count_rows(self.trained_length)}."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        free = "1 free row" if self.trained_length == 1 else f"{self.trained_length:,} free rows"
        about = f"{free}, random here (untrained)"
        if self.length > self.trained_length:
            return f"{about}; past row {self.trained_length - 1:,} a position has no vector."
        return f"{about}: neighbouring rows have nothing in common."

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Additive.cell_formula`."""
        if position >= self.trained_length:
            return f"PE({position:,}, {column:,}): no vector: the table has {count_rows(self.trained_length)}"
        value = float(self.rows(position, 1)[0, column])
        return f"PE({position:,}, {column:,}) = table[{position:,}][{column:,}] = {value:.4f}   (untrained)"


def _shares(first: int, count: int) -> list[tuple[int, int, int]]:
    """The blocks that hold rows, each with the first and the past-the-last of them counted within it."""
    blocks = range(first // BLOCK, (first + count - 1) // BLOCK + 1)
    return [(b, max(first - b * BLOCK, 0), min(first + count - b * BLOCK, BLOCK)) for b in blocks]
