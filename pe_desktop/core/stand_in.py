"""Random stand-ins for what a model learns: tables of row vectors, and one fixed query and key per head.

Wide vectors repeat 64 numbers, so that no table grows with the dimension; the size of a product with a random vector
is the same as with a table of free numbers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pe_desktop.core.attention import TILE
from pe_desktop.core.draws import normals
from pe_desktop.core.scheme import Float


@lru_cache(maxsize=8)
def _drawn(key: str, rows: int) -> Float:
    table = normals(key, rows * TILE).reshape(rows, TILE)
    table.flags.writeable = False
    return table


def row_table(key: str, rows: int) -> Float:
    """Standard normal rows, shape (rows, 64), the first k the same for any number of rows, read-only."""
    # Rounded up, by a quarter at most, so that a drag of the number of rows seldom draws anew.
    step = max(TILE, (1 << (rows - 1).bit_length()) // 8)
    return _drawn(key, -(-rows // step) * step)[:rows]


def centred_table(key: str, left: int, right: int) -> Float:
    """Rows -left … right, shape (left + right + 1, 64): a row stays the same when either end moves."""
    numbers = np.arange(-left, right + 1)
    # 0, -1, 1, -2, 2, … in the order they are drawn
    return np.asarray(row_table(key, 2 * max(left, right) + 1)[np.where(numbers < 0, -2 * numbers - 1, 2 * numbers)])


def toy_vector(key: str, head: int, dimension: int) -> Float:
    """The fixed toy vector of a head, standard normal, shape (dimension,), read-only."""
    # Rounded up, so that a drag of the dimension draws anew only at powers of two.
    return _vector(f"{key}:{head}", max(TILE, 1 << (dimension - 1).bit_length()))[:dimension]


def toy_vectors(key: str, heads: int, dimension: int) -> Float:
    """:func:`toy_vector` of the first `heads` heads, shape (heads, dimension)."""
    return np.stack([toy_vector(key, head, dimension) for head in range(heads)])


@lru_cache(maxsize=64)
def _vector(key: str, size: int) -> Float:
    vector = normals(key, size)
    vector.flags.writeable = False
    return vector


def products(vectors: Float, table: Float) -> Float:
    """Products of `vectors` (n, dimension) with the rows of a `table` (k, 64) repeated along the dimension: (n, k)."""
    n, d = vectors.shape
    full = d // TILE * TILE
    folded = np.zeros((n, TILE))
    if full:
        folded += vectors[:, :full].reshape(n, d // TILE, TILE).sum(axis=1)
    folded[:, : d - full] += vectors[:, full:]
    return np.asarray(folded @ table.T)
