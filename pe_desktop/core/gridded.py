"""Schemes whose tokens lie on a grid: several coordinates per token, and which of them each pair reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.axis_sums import run_sums, sums_at, sums_in_range
from pe_desktop.core.blocks import Blocks
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.grid_means import Runs
from pe_desktop.core.grid_picture import Float32, Waves, grid_picture
from pe_desktop.core.numerals import wavelength, whole
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE, Float, Scheme, parameter
from pe_desktop.core.waves import cosine_progression, dirichlet

Index = NDArray[np.intp]
# Gaps looked up in a table of all of them, as long as that has at most so many entries for each one asked.
DENSE = 4
QUARTER = 4  # sine and cosine of two axes


@dataclass(frozen=True)
class Image:
    """The patches among the tokens: the first one's token, frames, rows (None: without end) and columns."""

    start: int
    frames: int
    rows: int | None
    columns: int

    def tokens(self, length: int) -> int:
        """How many patches a sequence of `length` tokens holds."""
        inside = max(length - self.start, 0)
        return inside if self.rows is None else min(inside, self.frames * self.rows * self.columns)


@dataclass(frozen=True, kw_only=True)
class Gridded(Scheme, ABC):
    """Mixin: every pair turns with one of several coordinates of its token.

    The similarity of two tokens is then a sum over the axes of a function of the gap along each.
    """

    axes: ClassVar[tuple[str, ...]] = ()

    @property
    @abstractmethod
    def runs(self) -> Runs:
        """The tokens in order: text, patches, text."""

    @property
    @abstractmethod
    def image(self) -> Image:
        """Where the patches are."""

    @abstractmethod
    def pair_axis(self) -> Index:
        """Which axis each pair reads, shape (pairs,)."""

    @abstractmethod
    def turns(self) -> Float:
        """Angular frequency of each pair along its axis, shape (pairs,), rad per step."""

    @property
    def curve_cost(self) -> int:
        """See :attr:`Scheme.curve_cost`: a few look-ups, and along text a share of a transform or of products."""
        straight = all(digit.stride == 1 and digit.size is None for digit in self.runs.each[-1].digits)
        return 2 + straight * min(6, 1 + len(self.turns()) // 128)

    def coordinates(self, positions: Iterable[int] | Float) -> Float:
        """Coordinates of tokens (n,) on every axis, shape (n, axes), float64."""
        return self.runs.coordinates(np.asarray(positions, dtype=np.float64))

    def is_silent(self, positions: Iterable[int] | Float) -> NDArray[np.bool_]:
        """Which of `positions` (n,) have a row of zeros (a class token)."""
        return np.asarray(self.runs.silent[self.runs.numbers(np.asarray(positions, dtype=np.float64))])

    def likeness(self, spot: int, positions: Float) -> Float:
        """Similarity of tokens at `positions` (n,) to the one at `spot`, shape (n,), float64.

        Rotary: see :meth:`Rotary.profile`. Added: the cosine similarity of the rows, 0 where a row is zero.
        """
        positions = np.asarray(positions, dtype=np.float64)
        here, frequencies, axis = self.coordinates([spot])[0], self.turns(), self.pair_axis()
        sums = np.zeros(len(positions))
        for number in range(len(self.axes)):
            sums += _cosines(frequencies[axis == number], self.runs.coordinate(positions, number) - here[number])
        out = self._normalised(sums)
        if self.runs.silent.any():
            out[self.is_silent(positions)] = 0.0
            if self.is_silent([spot])[0]:
                out[:] = 0.0
        return out

    def likeness_between(self, spot: int, start: int, stop: int) -> Float:
        """The same for every token from `start` to the one before `stop`, of which there may be a million."""
        out = np.zeros(stop - start)
        if self.is_silent([spot])[0]:
            return out
        here = self.coordinates([spot])[0]
        for part in self.runs.parts(np.array([float(start)]), np.array([float(stop)])):
            tokens = range(int(part.low[0]), int(part.high[0]))
            first = part.run.start + tokens.start - start
            sums = run_sums(part.run, tokens, here, self.turns(), self.pair_axis())
            out[first : first + len(tokens)] = self._normalised(sums)
        return out

    def _normalised(self, sums: Float) -> Float:
        """Similarity from sums of cosines over all pairs; dimensions without a pair add 1 each."""
        return np.asarray((2.0 * sums + (self.dimension - 2.0 * len(self.turns()))) / self.dimension)

    def axis_means(self, axis: int, start: float, step: int, count: int) -> Float:
        """What one axis adds to the similarity: means over `count` blocks of `step` gaps each, from `start` on.

        Returns
        -------
        ndarray, shape (count,), float64
        """
        frequencies = self.turns()[self.pair_axis() == axis]
        shrink = dirichlet(frequencies, step)
        sums = cosine_progression(frequencies, start + (step - 1) / 2.0, step, count, shrink)
        return np.asarray(2.0 * sums / self.dimension)

    @property
    @abstractmethod
    def picture_waves(self) -> Waves:
        """What the columns of the matrix picture are."""

    def picture_means(self, rows: Blocks, columns: Blocks) -> Float32:
        """Exact means of the matrix picture over blocks of tokens x columns, shape (rows, columns), float32."""
        return grid_picture(self.picture_waves, self.runs, rows, columns)

    def place(self, position: int) -> str:
        """The coordinates of a token in words: "t 8, h 9, w 12", of text "t = h = w = 3"."""
        if self.is_silent([position])[0]:
            return "class token"
        each = self.coordinates([position])[0].tolist()
        if self.patch_of(position) is None and len(set(each)) == 1:
            return f"{' = '.join(self.axes)} = {whole(round(each[0]))}"
        return ", ".join(f"{name} {whole(round(value))}" for name, value in zip(self.axes, each, strict=True))

    def shares(self) -> str:
        """A sentence on how many pairs read each axis and how far their wavelengths reach."""
        frequencies, axis = self.turns(), self.pair_axis()
        found = []
        for number, name in enumerate(self.axes):
            own = frequencies[axis == number]
            found.append(f"{name} {whole(len(own))}" + (f" ({reach_of(own)})" if len(own) else ""))
        return f"Pairs (λ) per axis: {', '.join(found)}."

    def seams(self, last: int) -> Float:
        """Positions 0 .. `last` from which a step leaves a row, a frame, the patches or the text, shape (n,)."""
        image = self.image
        ends = [image.start - 1, image.start + image.columns - 1]
        if image.rows is not None:
            frame = image.rows * image.columns
            ends += [image.start + frame - 1, image.start + image.frames * frame - 1]
        return np.array(sorted({float(end) for end in (image.start, *ends) if 0 <= end <= last}))

    def patch_of(self, position: int) -> tuple[int, int, int] | None:
        """Frame, row and column of the patch at a position; None where there is text or a class token."""
        image = self.image
        inside = position - image.start
        if inside < 0 or (image.rows is not None and inside >= image.frames * image.rows * image.columns):
            return None
        row, column = divmod(inside, image.columns)
        return (0, row, column) if image.rows is None else (*divmod(row, image.rows), column)


def shown_waves(cosines: Index, sines: Index, frequencies: Float, axis: Index) -> Waves:
    """Waves of a picture whose pairs (k,) have their cosine and their sine in these columns."""
    pair, cosine = np.empty(2 * len(cosines), dtype=np.intp), np.zeros(2 * len(cosines), dtype=np.bool_)
    pair[cosines] = pair[sines] = np.arange(len(cosines))
    cosine[cosines] = True
    return Waves(pair, cosine, frequencies, axis)


def _cosines(frequencies: Float, gaps: Float) -> Float:
    """Sums of cos(gap x frequency) at gaps (n,) of which many are the same, shape (n,)."""
    if not len(gaps) or not len(frequencies):
        return np.zeros(len(gaps))
    low, ones = float(gaps.min()), np.ones(len(frequencies), dtype=np.complex128)
    count = round(float(gaps.max()) - low) + 1
    if count > DENSE * len(gaps) + 64 or bool((gaps != np.rint(gaps)).any()):
        different, where = np.unique(gaps, return_inverse=True)
        return sums_at(ones, frequencies, different)[where]
    return sums_in_range(ones, frequencies, int(low), count)[(gaps - low).astype(np.intp)]


def reach_of(frequencies: Float) -> str:
    """The shortest and the longest wavelength of some frequencies, of which there is at least one."""
    first, last = wavelength(float(frequencies.max())), wavelength(float(frequencies.min()))
    return first if first == last else f"{first} – {last}"


def columns_parameter() -> Any:
    """The patches in one row, as schemes over an endless grid declare them."""
    return parameter(
        "Grid columns",
        int,
        16,
        minimum=1,
        maximum=LENGTH_RANGE[1],
        slider=(1, 1024),
        unit="patches",
        logarithmic=True,
        help="Patches in one row: token p is the patch in row p div columns and column p mod columns.",
        source="row by row, as vision transformers flatten their patches",
    )


def demand_quarters(scheme: Scheme) -> None:
    """Refuse a dimension that the sines and cosines of two axes cannot share."""
    dimension = scheme.dimension
    if dimension % QUARTER == 0:
        return
    down = dimension - dimension % QUARTER
    nearest = [n for n in (down, down + QUARTER) if QUARTER <= n <= DIMENSION_RANGE[1]]
    valid = "ones are " + " and ".join(map(whole, nearest)) if len(nearest) > 1 else f"one is {whole(nearest[0])}"
    raise FieldError(
        "dimension",
        f"{scheme.title} needs a model dimension that is a multiple of {QUARTER}, a sine and a cosine for rows and for "
        f"columns: {whole(dimension)} is not; the nearest valid {valid}.",
        tuple(Fix(f"Use {whole(each)}", {"dimension": each}) for each in nearest),
    )


def rest_of_grid(patches: int, columns: int) -> tuple[str, ...]:
    """A sentence where the patches do not fill their last row."""
    rows, rest = divmod(max(patches, 0), columns)
    if not rest:
        return ()
    if not rows:
        return (f"One row of {whole(columns)} patches, of which the sequence has {whole(rest)}.",)
    return (f"{whole(patches)} patches in rows of {whole(columns)}: the last row has {whole(rest)}.",)
