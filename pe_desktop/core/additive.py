"""Schemes that add a vector to each embedding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.scheme import Acts, Float, Scheme


@dataclass(frozen=True, kw_only=True)
class Additive(Scheme, ABC):
    """A scheme that adds one vector per position to the embedding."""

    acts: ClassVar[Acts] = Acts.ADDED
    # Whether a row may depend on the length of the sequence.
    needs_length: ClassVar[bool] = True

    def encode(self, positions: Iterable[int] | Float) -> Float:
        """Encoding rows.

        Parameters
        ----------
        positions : array_like, shape (n,)
            Positions, counted from 0.

        Returns
        -------
        ndarray, shape (n, dimension), float64
        """
        return self.block_mean(np.asarray(positions, dtype=np.float64), 1)

    @abstractmethod
    def block_mean(self, starts: Float, count: int, columns: slice = slice(None)) -> Float:
        """Exact mean of the encoding over blocks of `count` consecutive positions.

        Parameters
        ----------
        starts : ndarray, shape (n,)
            First position of each block.
        count : int
            Positions in each block; 1 gives the encoding itself.
        columns : slice
            Which dimensions are wanted (step 1).

        Returns
        -------
        ndarray, shape (n, columns), float64
        """

    def rows(self, first: int, count: int) -> NDArray[np.float32]:
        """Rows `first` .. `first` + `count` - 1, shape (count, dimension), float32, maybe read-only."""
        return self.encode(np.arange(first, first + count, dtype=np.float64)).astype(np.float32)

    def draw_cost(self, first: int, count: int) -> int:
        """Random numbers that must be drawn before `count` rows from `first` on can be read; 0 where none is."""
        return 0

    @property
    def draw_step(self) -> int:
        """Rows of which only the first can be read without drawing those before it; 1 where each can."""
        return 1

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Columns drawn as one hand: (sine-like, cosine-like), each of shape (dimension // 2,)."""
        first = np.arange(0, self.dimension - 1, 2)
        return first, first + 1

    def frequencies(self) -> Float | None:
        """Angular frequency per pair, shape (pairs,), rad/position; None if no pair turns.

        A scheme that returns frequencies promises that every pair is (sin, cos) of
        position x frequency, so that row products depend on the gap alone.
        """
        return None

    def wave_columns(self) -> tuple[Float, Float] | None:
        """Frequency and phase per column, each (dimension,), if column j is sin(p x frequency + phase).

        Pictures of such schemes take a faster way; None means there is no such form.
        """
        return None

    @property
    def unpaired_frequency(self) -> float:
        """Frequency of a sine column without its cosine, rad/position; 0 if there is none (or it is all zeros)."""
        waves = self.wave_columns() if self.dimension % 2 else None
        if waves is None:
            return 0.0
        alone = np.ones(self.dimension, dtype=bool)
        for columns in self.pairs():
            alone[columns] = False
        return float(waves[0][alone].sum())

    @property
    def straight(self) -> bool:
        """Whether the rows lie on a straight line, so that its ends tell the range of values and norms."""
        return False

    @property
    def value_bound(self) -> float | None:
        """Largest absolute value any row can reach, where that is known without looking; else None."""
        return None if self.wave_columns() is None else 1.0

    def closest_rows(self) -> tuple[int, int] | None:
        """The two closest rows where a closed form knows them; None means they are searched."""
        return None

    @property
    def closest_cost(self) -> int:
        """Elementary steps that :meth:`closest_rows` takes, 0 where it answers at once."""
        return 0

    def norm_range(self) -> tuple[float, float] | None:
        """Smallest and largest length (L2) of a row where a closed form knows them; None means they are searched."""
        return None

    @abstractmethod
    def cell_formula(self, position: int, column: int) -> str:
        """The formula of one cell with its numbers filled in."""
