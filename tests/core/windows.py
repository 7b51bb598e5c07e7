"""What the pixels of a picture cover, by brute force."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from pe_desktop.core.blocks import Blocks


def shares(span: Blocks, total: int, first: int = 0) -> np.ndarray:
    """Share of each of the cells `first` .. `total`-1 in the mean of each block, shape (span.number, cells)."""
    edges = span.edges
    low, high = edges[:-1, None], edges[1:, None]
    cell = np.arange(first, total)
    covered = np.clip(np.minimum(cell + 1, high) - np.maximum(cell, low), 0.0, None)
    return covered / (high - low)


@st.composite
def ranges(draw, total):
    """A range of edges within `total` cells, whole or not."""
    edge = st.floats(0.0, total, allow_subnormal=False) | st.integers(0, total).map(float)
    low, high = sorted((draw(edge), draw(edge)))
    return low, high
