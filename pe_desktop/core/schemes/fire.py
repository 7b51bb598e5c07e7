"""FIRE: functional interpolation for relative encodings (Li et al. 2023)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pe_desktop.core.draws import normals
from pe_desktop.core.numerals import short
from pe_desktop.core.scheme import LENGTH_RANGE, Float, parameter, register
from pe_desktop.core.score_bias import ALL_HEADS, Heads, ScoreBias, heads_parameter, picked, stand_in_seed
from pe_desktop.core.work import checkpoint

SAMPLES = 4  # queries and keys looked at in each block of a picture
FINE_SAMPLES = 16  # the same in blocks at the diagonal, where the ratio changes fast
STRIP = 1 << 18


def fire_ratio(queries: Float, keys: Float, c: float, threshold: float) -> Float:
    """What goes into the network: ψ(m - n) / ψ(max(threshold, m)) with ψ(x) = ln(c x + 1).

    Parameters
    ----------
    queries, keys : ndarray, broadcast together
        Positions counted from 0, as everywhere here; the formula itself counts m and n from 1.
    c, threshold : float
        Learned in the model.

    Returns
    -------
    ndarray, float64
        From 0 to 1; 0 for keys after the query, which a causal model does not see. Li et al. 2023, equation 9.
    """
    distances = np.maximum(np.asarray(queries) - np.asarray(keys), 0.0)
    below = np.log1p(c * np.maximum(np.asarray(queries) + 1.0, threshold))
    return np.asarray(np.log1p(c * distances) / below)


@dataclass(frozen=True, eq=False)
class Network:
    """A random stand-in for one head's network: r -> w2 · relu(w1 r + b1) + b2, a line with bends.

    ``bends`` (k,) are the places from 0 to 1 between which it is straight, both ends included, ``values`` (k,) its
    values there.
    """

    first: Float
    first_bias: Float
    second: Float
    second_bias: float
    bends: Float
    values: Float

    def at(self, ratios: Float) -> Float:
        """Value at ratios of any shape; between bends the network is a straight line."""
        if float(ratios.max()) > 1.0:  # only for keys before the first position
            return self.exact(ratios)
        return np.interp(ratios.ravel(), self.bends, self.values).reshape(ratios.shape)

    def exact(self, ratios: Float) -> Float:
        """The same, unit by unit."""
        hidden = np.maximum(np.multiply.outer(ratios, self.first) + self.first_bias, 0.0)
        return np.asarray(hidden @ self.second + self.second_bias)


@lru_cache(maxsize=512)
def network(seed: int, head: int, hidden: int) -> Network:
    """The stand-in network of a head: all weights normal, those of the second layer with variance 1/hidden."""
    drawn = normals(f"fire {seed}:{head}", 3 * hidden + 1)
    first, first_bias, second = (drawn[1 + part * hidden : 1 + (part + 1) * hidden] for part in range(3))
    second = second / np.sqrt(hidden)
    with np.errstate(divide="ignore", over="ignore"):
        turns = -first_bias / first
    bends = np.unique(np.r_[0.0, turns[(turns > 0) & (turns < 1)], 1.0])
    made = Network(first, first_bias, second, float(drawn[0]), bends, bends)
    return replace(made, values=made.exact(bends))


@register
@dataclass(frozen=True, kw_only=True)
class Fire(ScoreBias):
    """A small network turns a ratio of logarithms of distance and query position into the bias."""

    c: float = parameter(
        "c",
        float,
        0.1,
        minimum=1e-4,
        maximum=100.0,
        logarithmic=True,
        help="How soon the logarithm compresses distances; learned in the model.",
        source="Li et al. 2023, arXiv 2310.04418; 0.1 is their starting value",
    )
    threshold: float = parameter(
        "Threshold",
        float,
        512.0,
        minimum=1.0,
        maximum=float(LENGTH_RANGE[1]),
        unit="positions",
        logarithmic=True,
        help="Queries before it are all treated as if they stood there; learned in the model.",
        source="Li et al. 2023 (L); 512 is their starting value",
    )
    hidden: int = parameter(
        "Hidden width",
        int,
        32,
        minimum=1,
        maximum=256,
        logarithmic=True,
        help="Units of the network of each head.",
        source="Li et al. 2023, 32",
    )
    heads: int = heads_parameter("Number of heads, each with a stand-in network of its own.", "Li et al. 2023")
    seed: int = stand_in_seed()

    id: ClassVar[str] = "fire"
    title: ClassVar[str] = "FIRE"
    summary: ClassVar[str] = "A small network reads the distance as a share of the query's position."
    source: ClassVar[str] = "Li et al. 2023, arXiv 2310.04418"
    stand_in: ClassVar[str] = "random stand-in"
    sampled: ClassVar[bool] = True

    def ratio(self, query_positions: Iterable[int] | Float, key_positions: Iterable[int] | Float) -> Float:
        """See :func:`fire_ratio`, shape (m, n) for queries (m,) and keys (n,)."""
        queries, keys = (np.asarray(each, dtype=np.float64) for each in (query_positions, key_positions))
        return fire_ratio(queries[:, None], keys[None, :], self.c, self.threshold)

    def networks(self, heads: Heads = ALL_HEADS) -> list[Network]:
        """The stand-in network of each head, or of some."""
        return [network(self.seed, head, self.hidden) for head in picked(heads, self.heads)]

    def bias(
        self,
        query_positions: Iterable[int] | Float,
        key_positions: Iterable[int] | Float,
        heads: Heads = ALL_HEADS,
    ) -> Float:
        """See :meth:`ScoreBias.bias`."""
        ratios = self.ratio(query_positions, key_positions)
        return np.stack([each.at(ratios) for each in self.networks(heads)])

    def pair_bias(self, queries: Float, keys: Float, heads: Heads = ALL_HEADS) -> Float:
        """See :meth:`ScoreBias.pair_bias`."""
        ratios = fire_ratio(queries, keys, self.c, self.threshold)
        return np.stack([each.at(ratios) for each in self.networks(heads)])

    @property
    def cell_cost(self) -> int:
        """See :attr:`ScoreBias.cell_cost`."""
        return 4

    def cells_seen(self, rows: int, columns: int) -> int:
        """See :meth:`ScoreBias.cells_seen`."""
        return min(rows, SAMPLES) * min(columns, SAMPLES)

    def mean_cost(self, rows: tuple[int, int], columns: tuple[int, int], steps: tuple[int, int]) -> int:
        """See :meth:`ScoreBias.mean_cost`."""
        return super().mean_cost(rows, columns, steps) * self.cells_seen(*steps) * self.cell_cost

    def block_bias(self, head: int, rows: Float, row_count: Float, columns: Float, column_count: Float) -> Float:
        """See :meth:`ScoreBias.block_bias`: the mean over a few cells spread evenly, over more at the diagonal."""
        a, p, b, q = (np.asarray(each, dtype=np.float64) for each in (rows, row_count, columns, column_count))
        net = network(self.seed, head, self.hidden)
        out = np.empty((len(a), len(b)))
        for height in np.unique(p):
            for width in np.unique(q):
                i, j = np.flatnonzero(p == height), np.flatnonzero(q == width)
                out[np.ix_(i, j)] = self._seen(net, a[i], b[j], int(height), int(width))
        return out

    def _seen(self, net: Network, rows: Float, columns: Float, p: int, q: int) -> Float:
        """Means over some cells of blocks of one size, shape (rows, columns); both in rising order."""
        out = np.full((len(rows), len(columns)), float(net.at(np.zeros(1))[0]))  # as where all keys come later
        down, across = _inside(p, SAMPLES)[:, None, None, None], _inside(q, SAMPLES)[:, None, None]
        strip = max(1, STRIP // (len(columns) * down.size * across.size))
        for first in range(0, len(rows), strip):
            checkpoint()
            queries = rows[first : first + strip, None] + down
            earlier = int(np.searchsorted(columns, queries.max(), side="right"))
            if earlier:
                ratios = self._ratios_seen(queries, columns[:earlier] + across)
                out[first : first + strip, :earlier] = net.at(ratios).mean(axis=(0, 1))
        if max(p, q) > SAMPLES:
            self._look_closer(net, out, rows, columns, (p, q))
        return out

    def _ratios_seen(self, queries: Float, keys: Float) -> Float:
        """:func:`fire_ratio` to 15 digits of its range; the plain logarithm takes half as long."""
        distances = queries - keys
        np.maximum(distances, 0.0, out=distances)
        distances *= self.c
        distances += 1.0
        np.log(distances, out=distances)
        distances /= np.log1p(self.c * np.maximum(queries + 1.0, self.threshold))
        return distances

    def _look_closer(self, net: Network, out: Float, rows: Float, columns: Float, size: tuple[int, int]) -> None:
        """See more of the blocks that hold the diagonal or small distances."""
        past = rows[:, None] + size[0] - columns[None, :]  # one more than the largest distance of each block
        i, j = np.nonzero((past > 0) & (past <= 2 * sum(size)))
        down, across = _inside(size[0], FINE_SAMPLES)[:, None], _inside(size[1], FINE_SAMPLES)[None, :]
        strip = max(1, STRIP // (down.size * across.size))
        for first in range(0, len(i), strip):
            some, others = i[first : first + strip], j[first : first + strip]
            queries, keys = rows[some][:, None, None] + down, columns[others][:, None, None] + across
            seen = net.at(fire_ratio(queries, keys, self.c, self.threshold))
            out[some, others] = seen.mean(axis=(1, 2))

    def bound(self) -> float:
        """See :meth:`ScoreBias.bound`: between its bends a network is straight."""
        return max(float(np.abs(each.values).max()) for each in self.networks())

    def largest(self, heads: Heads = ALL_HEADS) -> float:
        """See :meth:`ScoreBias.largest`: at a bend, or at an end of the ratios that occur."""
        end = float(self.ratio([self.length - 1], [0])[0, 0])
        places = ((each, np.r_[each.bends[each.bends < end], end]) for each in self.networks(heads))
        return max(float(np.abs(each.at(at)).max()) for each, at in places)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        notes = ["The network of each head is a random stand-in for the learned one."]
        if self.threshold >= self.length:
            notes.append(
                f"All queries stand before the threshold {self.threshold:,.10g}, so the bias depends on the distance "
                "alone here."
            )
        notes.append("Keys after the query have ratio 0, as at distance 0: FIRE is made for causal attention.")
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        far = float(self.ratio([position], [0])[0, 0])
        return (
            f"Head {head}: a random stand-in network of a ratio that grows with the distance, for query {position:,} "
            f"from 0 to {short(far)}; later keys have 0."
        )

    def cell_formula(self, query: int, key: int, head: int) -> str:
        """See :meth:`ScoreBias.cell_formula`."""
        ratio = float(self.ratio([query], [key])[0, 0])
        value = float(self.bias([query], [key], [head])[0, 0, 0])
        if key > query:
            return f"head {head}: key {key:,} is after query {query:,}, so f(0) = {value:.6g}   (random stand-in)"
        start = max(query + 1.0, self.threshold)
        return (
            f"head {head}: f(ψ({query - key:,}) / ψ({start:,.10g})) = f({ratio:.5f}) = {value:.6g}"
            f"   (ψ(x) = ln(1 + {self.c:.6g}x), f a random stand-in)"
        )


def _inside(count: int, samples: int) -> Float:
    """Up to `samples` of the numbers 0 … count - 1, spread evenly."""
    chosen = min(count, samples)
    return np.floor((np.arange(chosen) + 0.5) * count / chosen)
