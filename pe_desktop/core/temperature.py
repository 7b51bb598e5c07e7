"""A factor on the query that grows with its position, against attention that thins out over long contexts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pe_desktop.core.scheme import LENGTH_RANGE, Float, Scheme, parameter

GROWING = ("llama4", "ministral3")


@dataclass(frozen=True, kw_only=True)
class Temperature(Scheme):
    """Mixin: q is multiplied by 1 + strength · ln(1 + floor(p / length)); Llama 4 counts p from 1."""

    temperature: str = parameter(
        "Query temperature",
        str,
        "none",
        choices=(("none", "None"), ("llama4", "Llama 4"), ("ministral3", "Ministral 3")),
        help="Multiplies the query by a factor that grows with its position; it works with RoPE and without.",
        place=2,
        source="transformers llama4 (p + 1, on layers without RoPE), ministral3 (p)",
    )
    temperature_strength: float = parameter(
        "Temperature strength",
        float,
        0.1,
        minimum=0.0,
        maximum=10.0,
        help="Factor of the logarithm.",
        place=2,
        source="transformers llama4 (attn_scale), ministral3 (llama_4_scaling_beta)",
        when=("temperature", GROWING),
    )
    temperature_length: int = parameter(
        "Temperature step",
        int,
        8192,
        minimum=1,
        maximum=LENGTH_RANGE[1],
        unit="positions",
        logarithmic=True,
        help="The factor changes each time the position passes a multiple of this.",
        place=2,
        source="transformers llama4 (floor_scale), ministral3 (original_max_position_embeddings)",
        when=("temperature", GROWING),
    )

    def query_scale(self, positions: Iterable[int] | Float) -> Float:
        """See :meth:`Scheme.query_scale`."""
        places = np.asarray(positions, dtype=np.float64)
        if self.temperature == "none":
            return np.ones(len(places))
        steps = np.floor((places + (1.0 if self.temperature == "llama4" else 0.0)) / self.temperature_length)
        return np.asarray(1.0 + self.temperature_strength * np.log1p(np.maximum(steps, 0.0)))

    def temperature_notes(self) -> tuple[str, ...]:
        """What the factor comes to at the last position."""
        if self.temperature == "none":
            return ()
        last = self.length - 1
        return (f"Query temperature: × {float(self.query_scale([last])[0]):.4f} at position {last:,}.",)
