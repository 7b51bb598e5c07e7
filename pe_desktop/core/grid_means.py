"""Tokens whose coordinates run over grids, and exact means of waves over blocks of them.

Along a row of patches the column counts up and starts anew at the next row, while the row stays: both are digits
of the token's number. The sum of a wave over all tokens from a fixed one up to an edge is stride x (its sum over whole
cycles of the digit + that over the places before the edge's own) + what the edge cuts off the tokens at that place.
A block is the difference of two such sums, whatever its length; an edge may cut a token, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.phases import reduced, turns_of

Float = NDArray[np.float64]
Index = NDArray[np.intp]
Complex = NDArray[np.complex128]
AnyComplex = NDArray[np.complexfloating]
STRIP = 1024  # frequencies worked on together
FEW = 32  # places whose waves are worked out one by one


class Places(NamedTuple):
    """Where edges between tokens lie on a digit, each (n,): whole cycles before, the place, tokens of it before."""

    cycles: Float
    place: Float
    rest: Float


@dataclass(frozen=True)
class Digit:
    """One coordinate of the tokens of a run: origin + (token // stride) % size; size None: it never starts anew."""

    origin: int
    stride: int = 1
    size: int | None = None

    def of(self, tokens: Float) -> Float:
        """The coordinate of `tokens` (n,), counted from the start of the run."""
        steps = tokens if self.stride == 1 else np.floor(tokens / self.stride)
        if self.size is not None:
            steps = steps - self.size * np.floor(steps / self.size)
        return np.asarray(steps + self.origin)

    def places(self, edges: Float) -> Places:
        """Where `edges` (n,) lie, in tokens from the start of the run, whole or not; places without the origin."""
        steps = np.floor(edges / self.stride)
        rest = edges - steps * self.stride
        if self.size is None:
            return Places(np.zeros_like(steps), steps, rest)
        cycles = np.floor(steps / self.size)
        return Places(cycles, steps - cycles * self.size, rest)


@dataclass(frozen=True)
class Run:
    """Consecutive tokens from `start` on, one digit per axis; a silent run has no waves (a row of zeros)."""

    start: int
    digits: tuple[Digit, ...]
    silent: bool = False

    def alike(self) -> dict[Digit, list[int]]:
        """The axes that have each digit: along text all of them have one."""
        out: dict[Digit, list[int]] = {}
        for axis, digit in enumerate(self.digits):
            out.setdefault(digit, []).append(axis)
        return out


class Part(NamedTuple):
    """The part of blocks that lies in one run: which blocks, and their ends in tokens from the start of the run."""

    run: Run
    blocks: slice | Index
    low: Float
    high: Float

    @property
    def places(self) -> Index:
        """Which blocks, shape (n,)."""
        blocks = self.blocks
        return np.arange(blocks.start, blocks.stop) if isinstance(blocks, slice) else blocks

    def ends(self) -> tuple[Float, slice | Index, slice | Index]:
        """Different ends of the blocks, rising, and which of them each begins and ends at."""
        count = len(self.low)
        if bool((self.low[1:] == self.high[:-1]).all()):
            return np.append(self.low, self.high[-1]), slice(0, count), slice(1, count + 1)
        edges, where = np.unique(np.concatenate([self.low, self.high]), return_inverse=True)
        return edges, where[:count], where[count:]


@dataclass(frozen=True)
class Runs:
    """All tokens of a sequence, run after run; what is before the first run counts to it."""

    each: tuple[Run, ...]

    @cached_property
    def _starts(self) -> Float:
        return np.array([float(run.start) for run in self.each])

    @cached_property
    def silent(self) -> NDArray[np.bool_]:
        """Which runs have a row of zeros, shape (runs,)."""
        return np.array([run.silent for run in self.each])

    def numbers(self, positions: Float) -> Index:
        """Which run each of `positions` (n,) lies in."""
        return np.maximum(np.searchsorted(self._starts, positions, side="right") - 1, 0)

    def coordinates(self, positions: Float) -> Float:
        """Coordinates of tokens at `positions` (n,), shape (n, axes), float64."""
        axes = range(len(self.each[0].digits))
        return np.stack([self.coordinate(positions, axis) for axis in axes], axis=1)

    def coordinate(self, positions: Float, axis: int) -> Float:
        """Coordinates of tokens at `positions` (n,) on one axis, shape (n,), float64."""
        ends = self.numbers(np.array([positions.min(), positions.max()])) if len(positions) else (0, 0)
        if ends[0] == ends[1]:
            run = self.each[ends[0]]
            return run.digits[axis].of(positions - run.start)
        out, which = np.empty(len(positions)), self.numbers(positions)
        for number in range(ends[0], ends[1] + 1):
            inside, run = np.flatnonzero(which == number), self.each[number]
            out[inside] = run.digits[axis].of(positions[inside] - run.start)
        return out

    def parts(self, low: Float, high: Float) -> Iterator[Part]:
        """What the blocks from `low` (n,) to `high` (n,) have of each run that is not silent."""
        for number, run in enumerate(self.each):
            start = run.start if number else -math.inf
            stop = self.each[number + 1].start if number + 1 < len(self.each) else math.inf
            inside = np.flatnonzero((high > start) & (low < stop))
            if len(inside) and not run.silent:
                blocks = as_slice(inside)
                ends = (np.clip(each[blocks], start, stop) - run.start for each in (low, high))
                yield Part(run, blocks, *ends)


def as_slice(places: Index) -> slice | Index:
    """The same places as a slice if they follow each other, which numpy copies faster."""
    if len(places) and bool((np.diff(places) == 1).all()):
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def block_waves(
    frequencies: Float,
    axis: Index,
    runs: Runs,
    starts: Float,
    counts: int | Float,
    kind: type[np.complexfloating] = np.complex128,
) -> AnyComplex:
    """Mean of exp(i coordinate x frequency) over blocks of consecutive tokens.

    Parameters
    ----------
    frequencies : ndarray, shape (k,), rad per step of a coordinate
    axis : ndarray, shape (k,)
        Which coordinate each frequency reads.
    runs : Runs
        What the tokens are.
    starts : ndarray, shape (n,)
        First token of each block.
    counts : int or ndarray, shape (n,)
        Tokens in each block. If it is 1 for all, tokens and their coordinates may be any numbers; if there is one for
        each block, starts and counts need not be whole: a token that an edge cuts counts by its share.
    kind : type
        complex64 or complex128; sums are worked out in complex128 in any case.

    Returns
    -------
    ndarray, shape (n, k)
        Tokens of silent runs add 0.
    """
    starts = np.asarray(starts, dtype=np.float64)
    cut = np.ndim(counts) > 0 and bool((starts != np.rint(starts)).any())
    counts = np.broadcast_to(np.asarray(counts, dtype=np.float64), starts.shape)
    out = np.zeros((len(starts), len(frequencies)), dtype=kind)
    if cut or not (counts == 1.0).all():
        for part in runs.parts(starts, starts + counts):
            _add_means(out, frequencies, axis, part, counts)
        return out
    for number in range(len(runs.each[0].digits)):
        coordinates = runs.coordinate(starts, number)
        for columns in _strips(axis == number):
            out[:, columns] = _token_waves(frequencies[columns], coordinates)
    if runs.silent.any():
        out[runs.silent[runs.numbers(starts)]] = 0.0
    return out


def _strips(chosen: NDArray[np.bool_]) -> Iterator[slice | Index]:
    places = np.flatnonzero(chosen)
    for first in range(0, len(places), STRIP):
        yield as_slice(places[first : first + STRIP])


def _token_waves(frequencies: Float, coordinates: Float) -> Complex:
    """exp(i coordinate x frequency), shape (n, k); tokens at one coordinate share its sines."""
    different, where = np.unique(coordinates, return_inverse=True)
    waves = phases(frequencies, different) if len(different) <= FEW else waves_at(frequencies, different)
    return np.asarray(waves[where])


def _add_means(out: AnyComplex, frequencies: Float, axis: Index, part: Part, counts: Float) -> None:
    """Add to means over blocks what one run adds."""
    edges, low, high = part.ends()
    for digit, axes in part.run.alike().items():
        for columns in _strips(np.isin(axis, axes)):
            if len(edges) == 2:
                means = sum_between(frequencies[columns], digit, *edges.tolist())[None]
            else:
                sums = sums_up_to(frequencies[columns], digit, edges)
                means = np.subtract(sums[high], sums[low])
            blocks = part.blocks if isinstance(columns, slice) else part.places[:, None]
            out[blocks, columns] += means / counts[part.blocks, None]


def sums_up_to(frequencies: Float, digit: Digit, edges: Float) -> Complex:
    """Sums of exp(i digit x frequency) from a fixed token to each of `edges` (n,), rising; shape (n, k)."""
    cycles, place, rest = digit.places(edges)
    values, where = np.unique(place, return_inverse=True)
    waves = waves_at(frequencies, values + digit.origin)
    sums = sums_before(frequencies, values, waves)
    if len(values) < len(edges) or cycles[0] != cycles[-1]:
        waves, sums = waves[where], sums[where]
    waves.view(np.float64)[:] *= rest[:, None]
    if digit.stride != 1:
        sums *= digit.stride
    sums += waves
    if digit.size is not None and cycles[0] != cycles[-1]:
        cycle = range_sums(frequencies, np.array([float(digit.origin)]), np.array([float(digit.size)]))
        sums += ((cycles - cycles[0]) * digit.stride)[:, None] * cycle
    return sums


def sum_between(frequencies: Float, digit: Digit, low: float, high: float) -> Complex:
    """Sum of exp(i digit x frequency) over the tokens between two edges, shape (k,), complex128."""
    cycles, place, rest = digit.places(np.array([low, high]))
    out = np.zeros(len(frequencies), dtype=np.complex128)
    spans = [(min(place), abs(place[1] - place[0]), math.copysign(digit.stride, place[1] - place[0]))]
    spans.append((0.0, float(digit.size or 0), (cycles[1] - cycles[0]) * digit.stride))
    spans += [(place[0], 1.0, -rest[0]), (place[1], 1.0, rest[1])]
    for first, count, weight in spans:
        if count and weight:
            out += weight * range_sums(frequencies, np.array([first + digit.origin]), np.array([count]))[0]
    return out


def waves_at(frequencies: Float, places: Float) -> Complex:
    """exp(i place x frequency) at places (n,) that rise, each from the one before, shape (n, k), complex128."""
    waves = np.empty((len(places), len(frequencies)), dtype=np.complex128)
    waves[0] = phases(frequencies, places[:1])[0]
    steps, which = np.unique(np.diff(places), return_inverse=True)
    turns = phases(frequencies, steps)
    for row, step in enumerate(which.tolist()):  # few steps differ, so that few sines are needed
        np.multiply(waves[row], turns[step], out=waves[row + 1])
    return waves


def sums_before(frequencies: Float, places: Float, waves: Complex) -> Complex:
    """Sums of waves over the whole places from the first of `places` to the one before each, shape (n, k), complex128.

    `waves` are those at the places, which rise; see :func:`waves_at`.
    """
    sums = np.zeros_like(waves)
    steps, which = np.unique(np.diff(places), return_inverse=True)
    strides = range_sums(frequencies, np.zeros(len(steps)), steps)
    for row, step in enumerate(which.tolist()):
        np.multiply(waves[row], strides[step], out=sums[row + 1])
        sums[row + 1] += sums[row]
    return sums


def range_sums(frequencies: Float, firsts: Float, counts: Float) -> Complex:
    """Sums of exp(i c x frequency) over c = first .. first + count - 1, shape (n, k), complex128.

    The Dirichlet kernel; no frequency may be 0 or a whole turn.
    """
    half = frequencies / 2.0
    out = phases(frequencies, firsts + (counts - 1.0) / 2.0)
    out *= np.sin(reduced(np.multiply.outer(counts, half))) / np.sin(half)
    return out


def phases(frequencies: Float, places: Float) -> Complex:
    """exp(i place x frequency), shape (n, k), complex128."""
    return turns_of(np.multiply.outer(places, frequencies))
