"""What a linear read-out finds of the two parts that a vector was put together from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.scheme import Float

HELD = 4  # one pair of so many is held out
# Directions fainter than this share of the strongest are lost in float32, so no read-out may use them.
FAINTEST = float(np.finfo(np.float32).eps)
MARGIN = 1e-6  # by which the right answer must win: a tie is no answer


@dataclass(frozen=True)
class Pairs:
    """Every word at every position; the pair (w, p) is held out where (w + p) is a multiple of four.

    Each word and each position is thus seen in training, with others than it is asked about with, as long as there
    are at least two of both.
    """

    words: int
    positions: int

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """Which pairs are held out, shape (words, positions)."""
        return np.asarray(np.add.outer(np.arange(self.words), np.arange(self.positions)) % HELD == 0)

    @cached_property
    def root(self) -> Float:
        """R (k, words + positions) with RᵀR the training pairs' counts, so that \\|R B M − R\\| is their error.

        A pair is a row with a one for its word and a one for its position; R is as good as all of those rows.
        """
        seen = (~self.held).astype(np.float64)
        both = np.diag(np.concatenate([seen.sum(axis=1), seen.sum(axis=0)]))
        both[: self.words, self.words :] = seen
        both[self.words :, : self.words] = seen.T
        sizes, directions = np.linalg.eigh(both)
        kept = sizes > 1e-9 * sizes[-1]
        return np.asarray((directions[:, kept] * np.sqrt(sizes[kept])).T)


@dataclass(frozen=True)
class Shares:
    """Shares of the held-out pairs whose word, position, and both are found."""

    word: float
    position: float
    both: float


def read_out(parts: Float, pairs: Pairs) -> Shares:
    """Fit a linear read-out on the training pairs, ask it about the held-out ones.

    The read-out is the least-squares map (with a constant, of least norm) from a pair's vector, the sum of its word's
    and its position's part, to one number per word and per position, wanted 1 for those of the pair and 0 for the
    others; the largest is its answer.

    Parameters
    ----------
    parts : ndarray, shape (words + positions, d), float64
        The part of each word, then of each position.
    pairs : Pairs

    Returns
    -------
    Shares
        Hastie, Tibshirani and Friedman 2009, section 4.2 (linear regression of an indicator matrix).
    """
    known = np.concatenate([parts, np.full((len(parts), 1), 0.5)], axis=1)  # the halves of a pair's constant 1
    if known.shape[1] > len(known):  # the answers depend on the products of the parts alone
        known = np.asarray(np.linalg.qr(known.T)[1]).T
    fitted = np.linalg.lstsq(pairs.root @ known, pairs.root, rcond=FAINTEST)[0]
    answers = known @ fitted
    words = slice(0, pairs.words), slice(pairs.words, None)
    of_word = answers[words[0], None] + answers[None, words[1]]
    word = _wins(of_word[:, :, : pairs.words].swapaxes(0, 1)).T
    position = _wins(of_word[:, :, pairs.words :])
    held = pairs.held
    return Shares(*(float(right[held].mean()) for right in (word, position, word & position)))


def _wins(answers: Float) -> NDArray[np.bool_]:
    """Whether answer j of row (i, j), shape (m, n, n), is the largest by :data:`MARGIN`, shape (m, n)."""
    index = np.arange(answers.shape[1])
    own = answers[:, index, index]
    others = answers.copy()
    others[:, index, index] = -np.inf
    return np.asarray(own > others.max(axis=2) + MARGIN)
