"""Self-attention over a few words: scores, masks, softmax, and toy weights for the laboratory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import sentence
from pe_desktop.core.additive import Additive
from pe_desktop.core.draws import normals
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.work import checkpoint

TILE = 64  # side of the toy projection; wider vectors use it once per 64 dimensions


@dataclass(frozen=True, eq=False)
class Result:
    """Scores (n, n) before mask and softmax, weights (n, n) whose rows sum to 1, outputs (n, d); all float64."""

    scores: Float
    weights: Float
    outputs: Float


def softmax(scores: Float, causal: bool = False) -> Float:
    """Softmax over the last axis, shape kept.

    Parameters
    ----------
    scores : ndarray, shape (m, n)
    causal : bool
        Whether query i sees keys 0 .. i only; masked weights are exactly 0.
    """
    if causal:
        hidden = np.triu(np.ones(scores.shape, dtype=bool), 1)
        scores = np.where(hidden, -np.inf, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def attend(
    queries: Float, keys: Float, values: Float, scale: float, bias: Float | float = 0.0, causal: bool = False
) -> Result:
    """softmax(scale q k^T + bias) v (Vaswani et al. 2017).

    Parameters
    ----------
    queries, keys, values : ndarray, shape (n, d)
    scale : float
        What multiplies q·k, usually 1/sqrt(head width).
    bias : ndarray, shape (n, n), or float
        Added to the scaled scores.
    causal : bool
        Whether a query may see later keys.
    """
    return weigh(queries @ keys.T * scale + bias, values, causal)


def weigh(scores: Float, values: Float, causal: bool = False) -> Result:
    """softmax(scores) v for scores (m, n) that are scaled already."""
    checkpoint()
    weights = softmax(scores, causal)
    return Result(scores, weights, weights @ values)


@lru_cache(maxsize=48)
def _normals(seed: int, head: int, which: int) -> Float:
    tile = normals(f"projection {seed}:{head}:{which}", TILE * TILE).reshape(TILE, TILE)
    tile.flags.writeable = False
    return tile


def _tile(seed: int, head: int, which: int, side: int) -> Float:
    return np.asarray(_normals(seed, head, which)[:side, :side] / np.sqrt(side))


def project(vectors: Float, seed: int, head: int, which: int) -> Float:
    """Toy projection for queries (which 0), keys (1) or values (2) of a head.

    One random 64 x 64 matrix (entries normal, variance 1/64) is applied to each run of 64 dimensions: for
    d = 64 an ordinary dense projection, for wider vectors a block-diagonal one that needs no d x d table.

    Parameters
    ----------
    vectors : ndarray, shape (n, d)

    Returns
    -------
    ndarray, shape (n, d), float64
    """
    checkpoint()
    n, d = vectors.shape
    full = d // TILE * TILE
    out = np.empty_like(vectors)
    if full:
        tiles = vectors[:, :full].reshape(n * (full // TILE), TILE) @ _tile(seed, head, which, TILE)
        out[:, :full] = tiles.reshape(n, full)
    if full < d:
        out[:, full:] = vectors[:, full:] @ _tile(seed, head, which, d - full)
    return out


def toy_attention(
    scheme: Scheme,
    words: Sequence[str],
    positions: NDArray[np.intp],
    *,
    seed: int,
    head: int,
    causal: bool,
    outputs: bool = True,
) -> tuple[Float, Result]:
    """One head of toy attention over words at given positions.

    Parameters
    ----------
    scheme : Scheme
        Acts where it acts: on the input, on queries and keys, or on the scores.
    words : sequence of str, length n
    positions : ndarray, shape (n,)
        Position of each word; normally 0 .. n-1.
    seed, head : int
        Choose the random embedding and projections; the head also chooses the bias.
    causal : bool
        Mask by slot, not by position.
    outputs : bool
        Whether the outputs are wanted; else they have no columns.

    Returns
    -------
    inputs : ndarray, shape (n, d)
        What enters attention: embeddings, plus the encoding if it is added.
    result : Result
    """
    inputs = sentence.word_vectors(words, scheme.dimension, seed)
    if isinstance(scheme, Additive) and scheme.acts is Acts.ADDED:
        inputs = inputs + scheme.encode(positions)
    return inputs, toy_head(scheme, inputs, positions, seed=seed, head=head, causal=causal, outputs=outputs)


def toy_head(
    scheme: Scheme,
    inputs: Float,
    positions: NDArray[np.intp],
    *,
    seed: int,
    head: int,
    causal: bool,
    outputs: bool = True,
) -> Result:
    """The same head over inputs (n, d) that are there already: a scheme acts on queries, keys and scores only."""
    queries, keys = (project(inputs, seed, head, which) for which in range(2))
    values = project(inputs, seed, head, 2) if outputs else inputs[:, :0]
    places = np.asarray(positions, dtype=np.float64)
    queries *= scheme.query_scale(places)[:, None]
    checkpoint()
    if isinstance(scheme, Rotary):
        return weigh(scheme.scores(queries, keys, places, places) * scheme.softmax_scale, values, causal)
    bias = scheme.attention_bias(queries, keys, places, head) if isinstance(scheme, ScoreBias) else 0.0
    return attend(queries, keys, values, scheme.softmax_scale, bias, causal)


def mean_gap(rows_a: Float, rows_b: Float, slots: NDArray[np.intp]) -> float:
    """Mean over words of the L2 distance between a word's row in A and in B.

    Parameters
    ----------
    rows_a, rows_b : ndarray, shape (n, d)
    slots : ndarray, shape (n,)
        Slot in B of each word of A.
    """
    return float(np.linalg.norm(rows_a - rows_b[slots], axis=1).mean())
