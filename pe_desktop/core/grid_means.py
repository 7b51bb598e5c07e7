"""Tokens whose coordinates run over grids, and exact means of waves over blocks of them.

Along a row of patches the column counts up and starts anew at the next row, while the row stays: both are digits
of the token's number. The sum of a wave over any run of tokens is then a few sums over consecutive whole numbers
(the Dirichlet kernel), whatever its length: a part of the first row, whole rows, a part of the last row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.waves import dirichlet

Float = NDArray[np.float64]
Index = NDArray[np.intp]
Complex = NDArray[np.complex128]
STRIP = 1 << 14


@dataclass(frozen=True)
class Digit:
    """One coordinate of the tokens of a run: origin + (token // stride) % size; size None: it never starts anew."""

    origin: int
    stride: int = 1
    size: int | None = None

    def of(self, tokens: Float) -> Float:
        """The coordinate of `tokens` (n,), counted from the start of the run."""
        steps = tokens if self.stride == 1 else np.floor_divide(tokens, self.stride)
        return np.asarray(self.origin + (steps if self.size is None else np.mod(steps, self.size)))


@dataclass(frozen=True)
class Run:
    """Consecutive tokens from `start` on, one digit per axis; a silent run has no waves (a row of zeros)."""

    start: int
    digits: tuple[Digit, ...]
    silent: bool = False


@dataclass(frozen=True)
class Runs:
    """All tokens of a sequence, run after run; what is before the first run counts to it."""

    each: tuple[Run, ...]

    def __iter__(self) -> Iterator[Run]:
        return iter(self.each)

    @cached_property
    def _starts(self) -> Float:
        return np.array([float(run.start) for run in self.each])

    @cached_property
    def _digits(self) -> tuple[Float, Float, Float]:
        """Origins, strides and sizes (0: without end) of the digits, each (runs, axes)."""
        digits = [[(digit.origin, digit.stride, digit.size or 0) for digit in run.digits] for run in self.each]
        origins, strides, sizes = np.moveaxis(np.array(digits, dtype=np.float64), -1, 0)
        return origins, strides, sizes

    @cached_property
    def silent(self) -> NDArray[np.bool_]:
        """Which runs have a row of zeros, shape (runs,)."""
        return np.array([run.silent for run in self.each])

    def numbers(self, positions: Float) -> Index:
        """Which run each of `positions` (n,) lies in."""
        return np.maximum(np.searchsorted(self._starts, positions, side="right") - 1, 0)

    def coordinates(self, positions: Float) -> Float:
        """Coordinates of tokens at `positions` (n,), shape (n, axes), float64."""
        which = self.numbers(positions)
        steps = np.asarray(positions - self._starts[which])[:, None]
        origin, stride, size = (table[which] for table in self._digits)
        steps = np.where(stride == 1.0, steps, np.floor_divide(steps, stride))
        return np.asarray(origin + np.where(size > 0.0, np.mod(steps, np.where(size > 0.0, size, 1.0)), steps))


def block_waves(frequencies: Float, axis: Index, runs: Runs, starts: Float, count: int) -> Complex:
    """Mean of exp(i coordinate x frequency) over blocks of `count` consecutive tokens.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad per step of a coordinate
    axis : ndarray, shape (k,)
        Which coordinate each frequency reads.
    runs : Runs
        What the tokens are.
    starts : ndarray, shape (n,)
        First token of each block.
    count : int

    Returns
    -------
    ndarray, shape (n, k), complex128
        Tokens of silent runs add 0.
    """
    starts = np.asarray(starts, dtype=np.float64)
    out = np.empty((len(starts), len(frequencies)), dtype=np.complex128)
    axes = [np.flatnonzero(axis == number) for number in range(len(runs.each[0].digits))]
    strip = max(1, STRIP // len(frequencies))
    for first in range(0, len(starts), strip):  # small enough to stay in the processor's cache
        part = slice(first, first + strip)
        for number, mine in enumerate(axes):
            out[part, mine] = _axis_sums(frequencies[mine], number, runs, starts[part], count)
    out /= count
    return out


def _axis_sums(frequencies: Float, axis: int, runs: Runs, starts: Float, count: int) -> Complex:
    """Sums of exp(i coordinate x frequency) over blocks, for frequencies (k,) that read one axis, shape (n, k)."""
    out = np.zeros((len(starts), len(frequencies)), dtype=np.complex128)
    for number, run in enumerate(runs.each):
        stop = runs.each[number + 1].start if number + 1 < len(runs.each) else math.inf
        low, high = np.maximum(starts, run.start if number else -math.inf), np.minimum(starts + count, stop)
        inside = np.flatnonzero(high > low)
        if run.silent or not len(inside):
            continue
        tokens, counts = low[inside] - run.start, (high - low)[inside]
        out[inside] += _digit_sums(frequencies, tokens, counts, run.digits[axis])
    return out


def _digit_sums(frequencies: Float, tokens: Float, counts: Float, digit: Digit) -> Complex:
    """Sums of exp(i digit x frequency) over `counts` (n,) tokens from `tokens` (n,) on, shape (n, k)."""
    if bool((counts == 1.0).all()):  # single tokens, whose coordinates may be any numbers
        return _phases(frequencies, digit.of(tokens))
    if digit.stride == 1:
        return _cycle_sums(frequencies, tokens, counts, digit)
    first, last = (np.floor_divide(end, digit.stride) for end in (tokens, tokens + counts - 1.0))
    head = np.minimum(counts, (first + 1.0) * digit.stride - tokens)
    whole = np.maximum(last - first - 1.0, 0.0)
    tail = counts - head - whole * digit.stride
    if digit.size is not None:
        return _wrapped_sums(frequencies, (first, last), (head, whole, tail), digit)
    # e(first) x (head + stride x (e(1) + … + e(whole)) + tail x e(last - first)): few blocks differ in the last two.
    spans, where = np.unique(last - first + 1j * whole, return_inverse=True)
    ends = _phases(frequencies, spans.real)
    between = np.zeros_like(ends)
    some = np.flatnonzero(spans.imag)
    between[some] = digit.stride * _range_sums(frequencies, np.ones(len(some)), spans.imag[some])
    out = ends[where.reshape(-1)]
    out *= tail[:, None]
    out += between[where.reshape(-1)]
    out += head[:, None]
    out *= _phases(frequencies, digit.origin + first)
    return out


def _wrapped_sums(
    frequencies: Float, steps: tuple[Float, Float], counts: tuple[Float, Float, Float], digit: Digit
) -> Complex:
    """Sums where the digit starts anew: a part of its first step, whole steps, a part of its last step."""
    (first, last), (head, whole, tail) = steps, counts
    step = Digit(digit.origin, 1, digit.size)
    out = _phases(frequencies, step.of(first))
    out *= head[:, None]
    some = np.flatnonzero(tail)
    out[some] += tail[some, None] * _phases(frequencies, step.of(last[some]))
    some = np.flatnonzero(whole)
    if len(some):
        out[some] += digit.stride * _cycle_sums(frequencies, first[some] + 1.0, whole[some], step)
    return out


def _cycle_sums(frequencies: Float, firsts: Float, counts: Float, digit: Digit) -> Complex:
    """Sums over consecutive steps of a digit that starts anew after `size` of them."""
    if digit.size is None:
        return _range_sums(frequencies, digit.origin + firsts, counts)
    start = np.mod(firsts, digit.size)
    # Blocks of a grid start at few different columns; each sum is worked out once.
    different, where = np.unique(start + 1j * counts, return_inverse=True)
    start, counts = different.real, different.imag
    head = np.minimum(counts, digit.size - start)
    cycles = np.floor_divide(counts - head, digit.size)
    tail = counts - head - cycles * digit.size
    out = _range_sums(frequencies, digit.origin + start, head)
    origin = np.array([float(digit.origin)])
    if cycles.any():
        out += cycles[:, None] * _range_sums(frequencies, origin, np.array([float(digit.size)]))
    some = np.flatnonzero(tail)
    if len(some):
        out[some] += _range_sums(frequencies, np.repeat(origin, len(some)), tail[some])
    return np.asarray(out[where.reshape(-1)])


def _range_sums(frequencies: Float, firsts: Float, counts: Float) -> Complex:
    """Sums of exp(i c x frequency) over c = first .. first + count - 1, counts at least 1, shape (n, k)."""
    out = _phases(frequencies, firsts + (counts - 1.0) / 2.0)
    lengths, where = np.unique(counts, return_inverse=True)
    sums = lengths[:, None] * dirichlet(frequencies, lengths[:, None])
    out *= sums[where.reshape(-1)] if len(sums) > 1 else sums
    return out


def _phases(frequencies: Float, places: Float) -> Complex:
    angles = np.outer(places, frequencies)
    out = np.empty(angles.shape, dtype=np.complex128)
    np.cos(angles, out=out.real)
    np.sin(angles, out=out.imag)
    return out
