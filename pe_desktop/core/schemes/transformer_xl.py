"""Relative attention with sinusoids of the offset (Dai et al. 2019, Transformer-XL; Yang et al. 2019, XLNet)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.attention import project
from pe_desktop.core.memory import remember
from pe_desktop.core.offset_bias import OffsetBias
from pe_desktop.core.parameter import base_parameter
from pe_desktop.core.phases import Complex, angles_of, cos_sin32, turns_in_steps, turns_of
from pe_desktop.core.scheme import LENGTH_RANGE, Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, ScoreBias, heads_parameter, picked, stand_in_seed
from pe_desktop.core.stand_in import toy_vector
from pe_desktop.core.wave_sums import FEWEST, wave_sums
from pe_desktop.core.waves import dirichlet, geometric_frequencies
from pe_desktop.core.work import checkpoint

LAYOUTS = (("concatenated", "Concatenated"), ("interleaved", "Interleaved"))
RELATIVE = 3  # which toy projection W is: 0, 1 and 2 make queries, keys and values
MOST_SINGLE = 8  # offsets that are looked at one by one
NEAR, FAR = 512, 40  # offsets that tell how large the bias gets
STRIP = 1 << 19  # cosines evaluated together
PRODUCTS = 64  # pairs whose products cost as much as a cell
MANY = 1 << 14  # offsets in a row from which on a transform is faster than products
TRANSFORM_COST = 8  # cells that an offset costs in a transform
WIDEST = 1 << 18  # offsets of a picture that are evaluated one by one
ROUND = 1 << 22  # products of a picture from which on float32 does


def wave_parts(columns: Float, layout: str) -> NDArray[np.complex128]:
    """Vectors (n, d) over the columns of R as coefficients z (n, ceil(d/2)): vector · R_k = Σ Re(z e^(iwk))."""
    half = (columns.shape[1] + 1) // 2
    first, second = (
        (columns[:, 0::2], columns[:, 1::2]) if layout == "interleaved" else (columns[:, :half], columns[:, half:])
    )
    out = np.zeros((len(columns), half), dtype=np.complex128)
    out[:, : second.shape[1]] = second
    out.imag -= first
    return out


def relative_rows(offsets: Float, dimension: int, base: float = 10000.0, layout: str = "concatenated") -> Float:
    """Sinusoidal rows R of offsets (n,), query minus key, shape (n, dimension), float64.

    Sines then cosines (XLNet), or in turns (Conformer, transformers wav2vec2_bert ``relative``).
    """
    half = (dimension + 1) // 2
    angles = np.outer(offsets, geometric_frequencies(base, dimension, half))
    out = np.empty((len(angles), dimension))
    sines, cosines = (
        (slice(0, None, 2), slice(1, None, 2)) if layout == "interleaved" else (slice(half), slice(half, None))
    )
    out[:, sines], out[:, cosines] = np.sin(angles), np.cos(angles[:, : dimension // 2])
    return out


def relative_scores(queries: Float, keys: Float, projected: Float, u: Float, v: Float, scale: float) -> Float:
    """Scores of one head: scale · [(q_m + u)·k_n + (q_m + v)·r_(m-n)].

    Parameters
    ----------
    queries, keys : ndarray, shape (m, d), (n, d)
        At positions 0, 1, …
    projected : ndarray, shape (m + n - 1 or more, d)
        Projected rows W R of the offsets (query minus key) -(n - 1) … m - 1, in rising order.
    u, v : ndarray, shape (d,)
        Learned biases.
    scale : float

    Returns
    -------
    ndarray, shape (m, n), float64
        Dai et al. 2019, section 3.3; transformers xlnet.
    """
    offsets = np.arange(len(queries))[:, None] - np.arange(len(keys))[None, :]
    each = (np.asarray(queries) + v) @ np.asarray(projected).T
    position = np.take_along_axis(each, offsets + len(keys) - 1, axis=1)
    return np.asarray(((np.asarray(queries) + u) @ np.asarray(keys).T + position) * scale)


@lru_cache(maxsize=64)
def _toy_waves(seed: int, head: int, dimension: int, layout: str) -> Complex:
    """Coefficients of (q + v) W for the toy query of a head, scaled, shape (ceil(dimension / 2),)."""
    query = toy_vector(f"transformer-xl query {seed}", head, dimension)
    return np.asarray(wave_parts(_against_rows(query[None], seed, head), layout)[0] / math.sqrt(dimension))


def _against_rows(queries: Float, seed: int, head: int) -> Float:
    """(q + v) W of one head, shape (n, dimension)."""
    v = toy_vector(f"transformer-xl v {seed}:{head}", 0, queries.shape[1])
    return project(queries + v, seed, head, RELATIVE)


@register
@dataclass(frozen=True, kw_only=True)
class TransformerXL(OffsetBias):
    """The query meets a projected sinusoid of the offset; two learned vectors stand in for queries of their own."""

    base: float = base_parameter("Base", "Dai et al. 2019; Yang et al. 2019")
    layout: str = parameter(
        "Layout",
        str,
        "concatenated",
        choices=LAYOUTS,
        help="Sines and cosines of R in two halves (XLNet) or in turns (Conformer): the same numbers in another order, "
        "so the stand-in projection, which stays as it is, meets other ones and the bias differs.",
        source="concatenated: transformers xlnet; interleaved: wav2vec2_bert (relative)",
    )
    heads: int = heads_parameter("Number of heads, each with u, v, W and a toy query of its own.", "Dai et al. 2019")
    seed: int = stand_in_seed()

    id: ClassVar[str] = "transformer_xl"
    title: ClassVar[str] = "Transformer-XL"
    summary: ClassVar[str] = "The query also meets a projected sinusoid of the offset."
    source: ClassVar[str] = "Dai et al. 2019, arXiv 1901.02860; Yang et al. 2019, arXiv 1906.08237"
    stand_in: ClassVar[str] = "toy query"
    content: ClassVar[bool] = True
    ripples: ClassVar[bool] = True

    def frequencies(self) -> Float:
        """Frequency of each sine column, shape (ceil(dimension / 2),), rad/position."""
        return geometric_frequencies(self.base, self.dimension, (self.dimension + 1) // 2)

    def waves(self, heads: Heads = ALL_HEADS) -> Complex:
        """Coefficients z (heads, pairs) of the toy queries: the bias at offset k is Σ Re(z e^(iwk))."""
        return np.stack([_toy_waves(self.seed, h, self.dimension, self.layout) for h in picked(heads, self.heads)])

    @property
    def cell_cost(self) -> int:
        """See :attr:`ScoreBias.cell_cost`."""
        return 1 + len(self.frequencies()) // PRODUCTS

    def at_offsets(self, offsets: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.at_offsets`, for the toy query of each head."""
        waves, frequencies = self.waves(heads), self.frequencies()
        strip = max(1, STRIP // len(frequencies))
        parts = [angles_of(offsets[at : at + strip], frequencies) for at in range(0, len(offsets), strip)]
        # Head by head, so that a head's bias is the same number whichever others are asked for.
        return np.stack([np.concatenate([_sum(wave, each) for each in parts]) for wave in waves])

    def over(self, first: int, last: int, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`OffsetBias.over`."""
        count, frequencies = last - first + 1, self.frequencies()
        if count <= MOST_SINGLE:
            return self.at_offsets(np.arange(first, last + 1, dtype=np.float64), heads)
        if count < MANY or len(frequencies) < FEWEST:
            return self._progression(first, 1.0, count, heads)
        return np.stack([wave_sums(each, frequencies, first, count) for each in self.waves(heads)])

    def _progression(self, start: float, step: float, count: int, heads: Heads) -> Float:
        """Bias at equally spaced offsets; e^(iw(a + b)) splits them into a coarse and a fine part."""
        fine = math.isqrt(count - 1) + 1
        coarse = -(-count // fine)
        waves, frequencies = self.waves(heads), self.frequencies()
        out = np.zeros((len(waves), coarse, fine))
        strip = max(1, STRIP // (coarse + fine))
        for low in range(0, len(frequencies), strip):
            checkpoint()
            each = frequencies[low : low + strip]
            near = turns_in_steps(each, 0.0, step, fine)
            cosines, sines = np.ascontiguousarray(near.real).T, np.ascontiguousarray(near.imag).T
            for index, wave in enumerate(waves[:, low : low + strip]):
                far = turns_in_steps(each, start, step * fine, coarse, wave)
                out[index] += np.ascontiguousarray(far.real) @ cosines
                out[index] -= np.ascontiguousarray(far.imag) @ sines
        return out.reshape(len(waves), -1)[:, :count]

    def bias(
        self,
        query_positions: Iterable[int] | Float,
        key_positions: Iterable[int] | Float,
        heads: Heads = ALL_HEADS,
    ) -> Float:
        """See :meth:`ScoreBias.bias`; many queries and keys need the waves of each alone."""
        rows, columns = (np.asarray(each, dtype=np.float64) for each in (query_positions, key_positions))
        if len(rows) == 1 and len(columns) > MOST_SINGLE and not np.ptp(np.diff(columns[:-1])):
            # Equally spaced, up to the last, which a window may have cut off.
            step = float(columns[1] - columns[0])
            most = self._progression(float(rows[0] - columns[0]), -step, len(columns) - 1, heads)
            last = self.at_offsets(rows - columns[-1:], heads)
            return np.concatenate([most, last], axis=1)[:, None, :]
        if min(len(rows), len(columns)) == 1 or np.ptp(rows) + np.ptp(columns) < len(rows) * len(columns):
            return super().bias(rows, columns, heads)
        return self._products(self.waves(heads), (rows, np.ones(len(rows))), (columns, np.ones(len(columns))))

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`: the mean of each wave over a rectangle has a closed form.

        Where all offsets are fewer than the rectangles, sums over them are faster.
        """
        down, across = (np.asarray(each, dtype=np.float64) for each in (rows, columns))
        sizes = np.asarray(row_count, dtype=np.float64), np.asarray(column_count, dtype=np.float64)
        span = np.ptp(down) + np.ptp(across) + sizes[0].max() + sizes[1].max()
        if span < min(WIDEST, len(down) * len(across)):
            return super().block_bias(head, down, sizes[0], across, sizes[1])
        return np.asarray(self._products(self.waves([head]), (down, sizes[0]), (across, sizes[1]))[0])

    def _products(self, waves: Complex, rows: tuple[Float, Float], columns: tuple[Float, Float]) -> Float:
        """Means over blocks (starts, counts) of queries and keys: Re(z e^(iwm) · conj(e^(iwn))), summed over pairs."""
        out = np.zeros((len(waves), len(rows[0]), len(columns[0])))
        frequencies = self.frequencies()
        strip = max(1, STRIP // (len(rows[0]) + len(columns[0])))
        kind: type[np.float64 | np.float32] = np.float64 if len(frequencies) * out[0].size < ROUND else np.float32
        for low in range(0, len(frequencies), strip):
            checkpoint(low / len(frequencies))
            each = frequencies[low : low + strip]
            across = _mean_phases(each, *columns)
            parts = across.real.astype(kind), across.imag.astype(kind)
            for index, wave in enumerate(waves[:, low : low + strip]):
                down = _mean_phases(each, *rows, wave)
                for part, other in zip((down.real, down.imag), parts, strict=True):
                    out[index] += np.matmul(part.astype(kind), other.T)
        return out

    def mean_cost(self, rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int]) -> int:
        """See :meth:`ScoreBias.mean_cost`: every pair is a product in every cell, or at every offset."""
        cells, span = ScoreBias.mean_cost(self, rows, columns, steps), rows[1] - rows[0] + columns[1] - columns[0]
        if span >= min(WIDEST, cells):
            return cells * self.cell_cost
        return cells + span * (1 + self.cell_cost // 2 if span < MANY else min(self.cell_cost, TRANSFORM_COST))

    def attention_bias(self, queries: Float, keys: Float, positions: Float, head: int) -> Float:
        """See :meth:`ScoreBias.attention_bias`: u·k and (q + v)·W R of each offset, scaled."""
        u = toy_vector(f"transformer-xl u {self.seed}:{head}", 0, self.dimension)
        waves = wave_parts(_against_rows(queries, self.seed, head), self.layout)
        checkpoint()
        turns = turns_of(np.multiply.outer(positions, self.frequencies()))
        checkpoint()
        turned = waves * turns
        position = turned.real @ turns.real.T + turned.imag @ turns.imag.T
        return np.asarray((u[None] @ keys.T + position) * self.softmax_scale)

    def largest(self, heads: Heads = ALL_HEADS) -> float:
        """See :meth:`ScoreBias.largest`, judged by the nearest offsets, a spread of the far ones and the farthest."""
        last = self.length - 1.0
        within = int(np.searchsorted(_looked_at(), last, side="right"))
        ends = np.abs(self.at_offsets(np.array([last, -last]), heads)).max()
        longest = replace(self, length=LENGTH_RANGE[1])  # so that a drag of the length looks at nothing anew
        return max(float(ends), *(float(_seen((longest, h))[:within].max()) for h in picked(heads, self.heads)))

    @property
    def bound_cost(self) -> int:
        """See :attr:`ScoreBias.bound_cost`: a query and v of each head."""
        return 2 * self.heads * self.dimension

    def bound(self) -> float:
        """See :meth:`ScoreBias.bound`: all waves at their crests."""
        return float(np.abs(self.waves()).sum(axis=1).max())

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        return (
            "Shown for one toy query per head: (q + v)·W R/√D. The vectors u, v and the projection W are random "
            "stand-ins.",
            "The term u·k depends on the key's content alone; it enters the attention, not this picture.",
        )

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        pairs = len(self.frequencies())
        waves = "one wave" if pairs == 1 else f"{pairs:,} waves"
        return f"Toy query of head {head} with a random stand-in projection of {waves} of the offset (query minus key)."

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        value = float(self.at_offsets(np.array([float(query - key)]), [head])[0, 0])
        return (
            f"toy q of head {head}: (q + v) · W R({query - key:,}) / √{self.dimension:,} = {value:.6g}"
            "   (random stand-ins)"
        )


@lru_cache(maxsize=1)
def _looked_at() -> Float:
    """Distances that tell how large a bias gets: the near ones, and a spread of the far ones."""
    far = np.unique(np.geomspace(NEAR, LENGTH_RANGE[1] - 1, FAR).round())
    return np.concatenate([np.arange(NEAR, dtype=np.float64), far])


@remember
def _seen(question: tuple[TransformerXL, int]) -> Float:
    """Largest absolute bias of a head at each of those distances, on either side of the query."""
    scheme, head = question
    near = scheme.over(1 - NEAR, NEAR - 1, [head])[0]
    wave, frequencies = scheme.waves([head])[0], scheme.frequencies()
    cosines, sines = cos_sin32(_looked_at()[NEAR:], frequencies)
    even, odd = cosines @ wave.real, sines @ wave.imag  # the bias is even - odd at +k, even + odd at -k
    sides = np.maximum(np.abs(near[NEAR - 1 :]), np.abs(near[NEAR - 1 :: -1]))
    return np.concatenate([sides, np.abs(even) + np.abs(odd)])


def _sum(wave: Complex, angles: Float) -> Float:
    """Σ Re(z e^(i angle)) of each row of angles (n, pairs), shape (n,)."""
    return np.asarray(np.cos(angles) @ wave.real - np.sin(angles) @ wave.imag)


def _mean_phases(frequencies: Float, starts: Float, counts: Float, factors: Complex | float = 1.0) -> Complex:
    """Factor x mean of e^(iwp) over blocks of positions, shape (blocks, frequencies)."""
    middles = starts + (counts - 1.0) / 2.0
    if len(starts) > MOST_SINGLE and not np.ptp(counts[:-1]) and not np.ptp(np.diff(middles[:-1])):
        # Equal blocks, as in a picture, up to the last, which may end early.
        shrunk = factors * dirichlet(frequencies, int(counts[0]))
        step = float(middles[1] - middles[0])
        out = turns_in_steps(frequencies, float(middles[0]), step, len(middles), shrunk)
        out[-1] = turns_of(middles[-1] * frequencies) * factors * dirichlet(frequencies, int(counts[-1]))
        return out
    out = turns_of(np.multiply.outer(middles, frequencies)) * factors
    for count in np.unique(counts[counts > 1.0]):
        out[counts == count] *= dirichlet(frequencies, int(count))
    return out
