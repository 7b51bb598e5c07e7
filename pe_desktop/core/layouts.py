"""Where the two dimensions of a rotated pair stand, and the way from one convention to another."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError

Index = NDArray[np.intp]
HALF, INTERLEAVED = "half", "interleaved"
LAYOUTS = ((HALF, "Half (rotate_half, NeoX style)"), (INTERLEAVED, "Interleaved (GPT-J style)"))


@lru_cache(maxsize=64)
def pair_columns(width: int, layout: str) -> tuple[Index, Index]:
    """Dimensions (a, b) of each pair: (i, i + width/2) for half, (2i, 2i + 1) for interleaved.

    Parameters
    ----------
    width : int
        Leading dimensions that rotate, even.
    layout : str
        "half" (GPT-NeoX, transformers' llama) or "interleaved" (RoFormer, GPT-J).

    Returns
    -------
    first, second : ndarray, shape (width / 2,), intp, read-only
    """
    pair = np.arange(width // 2)
    found = (pair, pair + width // 2) if layout == HALF else (2 * pair, 2 * pair + 1)
    for each in found:
        each.flags.writeable = False
    return found


def permutation(width: int, dimension: int, source: str, target: str) -> Index:
    """The order in which a head's dimensions must be taken to change its layout: ``after = before[order]``.

    Permuting the rows of W_q and of W_k by it, head by head, leaves every score as it is once the rotation
    uses the target layout (the conversion of Llama checkpoints).

    Parameters
    ----------
    width, dimension : int
        Dimensions that rotate, and all of one head; the rest stays in place.
    source, target : str
        "half" or "interleaved".

    Returns
    -------
    ndarray, shape (dimension,), intp
    """
    order = np.arange(dimension)
    for before, after in zip(pair_columns(width, source), pair_columns(width, target), strict=True):
        order[after] = before
    return order


def permute_heads(weights: NDArray[np.floating], heads: int, order: Index) -> NDArray[np.floating]:
    """The rows of a projection with the dimensions of every head in another order.

    Parameters
    ----------
    weights : ndarray, shape (heads x len(order), …)
        W_q, W_k or a bias: rows are outputs. With grouped queries (GQA) W_k has fewer heads than W_q.
    heads : int
    order : ndarray, shape (head width,)
        See :func:`permutation`.

    Raises
    ------
    FieldError
        If the rows are not that many heads.
    """
    wanted = heads * len(order)
    if len(weights) != wanted:
        raise FieldError(
            "weights",
            f"The projection has {len(weights):,} rows, but {heads:,} heads of {len(order):,} dimensions need "
            f"{wanted:,}; with grouped queries the keys have fewer heads than the queries.",
        )
    each = weights.reshape(heads, len(order), *weights.shape[1:])
    return each[:, order].reshape(weights.shape)


def other_layout(first: Index) -> tuple[str, str]:
    """The layout a scheme reads, told by its pairs' first dimensions, and the other one."""
    is_half = bool(np.array_equal(first, np.arange(len(first))))
    return (HALF, INTERLEAVED) if is_half else (INTERLEAVED, HALF)
