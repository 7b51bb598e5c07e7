"""Arrays as plates hold them."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.experiment import Float32
from pe_desktop.core.scheme import Float


def cells(values: Float) -> Float32:
    """Values (h, w) as the cells of a heat plate: float32, C order, read-only."""
    out = np.array(values, dtype=np.float32, order="C")
    out.flags.writeable = False
    return out


def thinned(count: int, most: int) -> Float:
    """At most `most` whole numbers spread evenly over 0 … `count` − 1, both ends among them, float64, rising."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round())
