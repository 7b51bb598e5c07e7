"""Rotary schemes whose context can be extended: the parameters of every way to stretch, and what follows from them."""

from __future__ import annotations

import dataclasses
from abc import ABC
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import extension as ways
from pe_desktop.core.extension_words import remarks, sentence
from pe_desktop.core.parameter import base_parameter
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import LENGTH_RANGE, Float, parameter

YARN_PAPER = "Peng et al. 2023, arXiv 2309.00071 (YaRN)"
LISTS_HELP = "Divisor of each pair's frequency, one number per pair; JSON, or numbers between commas."
CHOICES = (
    ("none", "None"),
    ("linear", "Linear (position interpolation)"),
    ("ntk", "NTK-aware, fixed"),
    ("dynamic", "Dynamic NTK"),
    ("yarn", "YaRN"),
    ("longrope", "LongRoPE"),
    ("llama3", "Llama 3"),
    ("proportional", "Proportional (Gemma 4)"),
)
Range = tuple[float, float]
FIRST_FACTOR = 4.0  # what a person sees on choosing a way to stretch
# Settings that are fields of the scheme under the same name.
_SHARED = tuple(each.name for each in dataclasses.fields(ways.Settings) if each.name != "width")
BRINGS = tuple(
    (name, (("factor", FIRST_FACTOR),)) for name in ("linear", "ntk", "dynamic", "yarn", "longrope", "llama3")
)


def _length(label: str, default: int | None, about: str, source: str, **more: Any) -> Any:
    limits = {"place": 1, "minimum": 2, "maximum": LENGTH_RANGE[1] * 1024, "slider": (2, LENGTH_RANGE[1])}
    return parameter(
        label, int, default, unit="positions", logarithmic=True, help=about, source=source, **limits, **more
    )


def _number(label: str, default: float | None, slider: Range, limits: Range, **more: Any) -> Any:
    """A number of the extension group: the range of its slider, and that of what may be typed."""
    return parameter(label, float, default, slider=slider, minimum=limits[0], maximum=limits[1], place=1, **more)


@dataclass(frozen=True, kw_only=True)
class Stretched(Rotary, ABC):
    """RoPE frequencies with one of the ways to stretch them; see :mod:`extension`."""

    base: float = base_parameter("Base (rope theta)", "Su et al. 2021, section 3.2.2")
    trained_length: int = _length(
        "Trained length",
        4096,
        "Longest sequence the model is meant for (max_position_embeddings).",
        "transformers (max_position_embeddings); Dynamic NTK counts from it",
    )
    extension: str = parameter(
        "Extension",
        str,
        "none",
        choices=CHOICES,
        brings=BRINGS,
        help="How the frequencies are changed so that more positions than in training fit.",
        place=1,
        source="Chen et al. 2023 (linear), bloc97 and emozilla 2023 (NTK), Peng et al. 2023 (YaRN), Ding et al. 2024 "
        "(LongRoPE), Llama 3.1 (Meta 2024), transformers gemma4 (proportional)",
    )
    factor: float | None = _number(
        "Factor",
        None,
        (1.0, 128.0),
        (1.0, 1e6),
        logarithmic=True,
        derived="trained length / original length",
        help="How many times the context grows (s).",
        source="Chen et al. 2023, arXiv 2306.15595 (linear); bloc97 and emozilla 2023 (NTK); " + YARN_PAPER,
        when=("extension", tuple(name for name, _ in CHOICES if name != "none")),
    )
    alpha: float | None = _number(
        "Alpha",
        None,
        (1.0, 10000.0),
        (1.0, 1e9),
        logarithmic=True,
        derived="the factor",
        help="The base grows by alpha^(r/(r-2)) at every length; it takes the place of the factor.",
        source="transformers hunyuan_v1_dense (type dynamic with alpha)",
        when=("extension", ("ntk", "dynamic")),
    )
    original_length: int | None = _length(
        "Original length",
        None,
        "Length the model was first trained at, before it was stretched (N).",
        f"transformers (original_max_position_embeddings); {YARN_PAPER}; Llama 3.1; LongRoPE",
        derived="the trained length",
        when=("extension", ("linear", "ntk", "yarn", "longrope", "llama3")),
    )
    longest_length: int | None = _length(
        "Longest length seen",
        None,
        "Freezes the base at the longest sequence so far, until one is shorter than the trained length.",
        "transformers (dynamic keeps the largest length it has seen)",
        derived="the current length",
        when=("extension", ("dynamic",)),
    )
    beta_fast: float = _number(
        "Beta fast",
        ways.BETA_FAST,
        (0.0, 64.0),
        (0.0, 1e6),
        unit="turns",
        help="Pairs that turn at least so often in the original length are kept; 0 means the default.",
        source=YARN_PAPER,
        when=("extension", ("yarn",)),
    )
    beta_slow: float = _number(
        "Beta slow",
        ways.BETA_SLOW,
        (0.0, 16.0),
        (0.0, 1e6),
        unit="turns",
        help="Pairs that turn at most so often are divided by the factor; 0 means the default.",
        source=YARN_PAPER,
        when=("extension", ("yarn",)),
    )
    truncate: bool = parameter(
        "Round the ramp",
        bool,
        True,
        help="Rounds the ends of the ramp to whole pairs; gpt-oss does not.",
        place=1,
        source="transformers (truncate); gpt-oss",
        when=("extension", ("yarn",)),
    )
    attention_factor: float | None = _number(
        "Attention factor",
        None,
        (0.5, 2.0),
        (0.0, 1e3),
        derived="the formula of the extension",
        help="Multiplies cosine and sine, so scores by its square; given, it wins over mscale and the formula.",
        source=f"{YARN_PAPER}; LongRoPE, arXiv 2402.13753; transformers (attention_factor)",
        when=("extension", ("yarn", "longrope")),
    )
    mscale: float | None = _number(
        "Mscale",
        None,
        (0.0, 2.0),
        (0.0, 1e3),
        derived="not given",
        help="With mscale_all_dim (both not 0): attention factor g(mscale) / g(mscale_all_dim). Alone it is ignored.",
        source="DeepSeek-V2 2024, arXiv 2405.04434; transformers (yarn)",
        when=("extension", ("yarn",)),
    )
    mscale_all_dim: float | None = _number(
        "Mscale, all dimensions",
        None,
        (0.0, 2.0),
        (0.0, 1e3),
        derived="not given",
        help="See mscale; DeepSeek also multiplies the softmax scale by g(mscale_all_dim)².",
        source="DeepSeek-V2 2024, arXiv 2405.04434; transformers (yarn)",
        when=("extension", ("yarn",)),
    )
    softmax_correction: bool = parameter(
        "Softmax correction",
        bool,
        True,
        help="Multiplies the softmax scale by g(mscale_all_dim)² where that is given; Ministral 3 does without.",
        place=1,
        source="transformers deepseek_v2, deepseek_v3 (with), ministral3 (without)",
        when=("extension", ("yarn",)),
    )
    low_freq_factor: float = _number(
        "Low frequency factor",
        ways.LOW_FREQ_FACTOR,
        (0.0, 16.0),
        (0.0, 1e6),
        unit="turns",
        help="Pairs that turn less often in the original length are divided by the factor.",
        source="Llama 3.1 (Meta 2024); transformers (llama3)",
        when=("extension", ("llama3",)),
    )
    high_freq_factor: float = _number(
        "High frequency factor",
        ways.HIGH_FREQ_FACTOR,
        (0.0, 32.0),
        (0.0, 1e6),
        unit="turns",
        help="Pairs that turn more often in the original length are kept.",
        source="Llama 3.1 (Meta 2024); transformers (llama3)",
        when=("extension", ("llama3",)),
    )
    short_factor: tuple[float, ...] | None = parameter(
        "Short list",
        tuple,
        None,
        minimum=1e-3,
        maximum=1e6,
        derived="1 for every pair",
        help=f"{LISTS_HELP} Used up to the original length.",
        place=1,
        source="Ding et al. 2024, arXiv 2402.13753 (LongRoPE); Phi-3, arXiv 2404.14219",
        when=("extension", ("longrope",)),
    )
    long_factor: tuple[float, ...] | None = parameter(
        "Long list",
        tuple,
        None,
        minimum=1e-3,
        maximum=1e6,
        derived="a stand-in that rises from 1 to the factor",
        help=f"{LISTS_HELP} Used past the original length.",
        place=1,
        source="Ding et al. 2024, arXiv 2402.13753 (LongRoPE); Phi-3, arXiv 2404.14219",
        when=("extension", ("longrope",)),
    )
    rotary_fraction: float = parameter(
        "Rotating share",
        float,
        0.25,
        minimum=0.0,
        maximum=1.0,
        help="Share of the pairs that turn; the exponents still run over the whole head.",
        place=1,
        source="transformers gemma4 (proportional, partial_rotary_factor)",
        when=("extension", ("proportional",)),
    )

    @cached_property
    def settings(self) -> ways.Settings:
        """What the strategies of :mod:`extension` are given."""
        given = {name: getattr(self, name) for name in _SHARED}
        if self.extension == "dynamic":
            given["original_length"] = None  # it counts from the trained length, whatever another way was given
        return ways.Settings(width=self.rotary_width, **given)

    @cached_property
    def extended(self) -> ways.Extended:
        """Frequencies and factors after the extension."""
        return ways.EXTENSIONS[self._way](self.settings)

    @property
    def _way(self) -> str:
        # Hunyuan writes its fixed NTK base as a dynamic one with alpha.
        return "ntk" if self.extension == "dynamic" and self.alpha is not None else self.extension

    def inv_freq(self) -> Float:
        """See :meth:`Rotary.inv_freq`."""
        return self.extended.inv_freq

    def plain_inv_freq(self) -> Float:
        """See :meth:`Rotary.plain_inv_freq`: base^(-2i/r)."""
        return ways.theta(self.settings)

    def regime(self) -> NDArray[np.int8] | None:
        """See :meth:`Rotary.regime`."""
        return None if self.extension == "none" else self.extended.regime

    @property
    def switch_length(self) -> int | None:
        """See :meth:`Scheme.switch_length`: LongRoPE changes its list there, a dynamic base starts to move."""
        lengths = {"longrope": self.settings.original, "dynamic": self.trained_length}
        return lengths.get(self._way)

    @property
    def effective_base(self) -> float:
        """The base in use at the current length (ntk and dynamic change it)."""
        return self.extended.base

    @property
    def amplitude(self) -> float:
        """See :meth:`Rotary.amplitude`."""
        return self.extended.attention_factor

    @property
    def softmax_correction_factor(self) -> float:
        """g(mscale_all_dim)², by which DeepSeek multiplies its softmax scale; 1 where it does not apply."""
        return self.extended.softmax_factor if self.softmax_correction else 1.0

    @property
    def positions_trained(self) -> int | None:
        """See :meth:`Rotary.positions_trained`."""
        uses_original = self.extension not in ("none", "dynamic", "proportional")
        return self.original_length if uses_original and self.original_length is not None else self.trained_length

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        used = super().effective()
        settings = self.settings
        resolved: dict[str, Any] = {
            "factor": 1.0 if self.extension == "proportional" and self.factor is None else settings.scale,
            "original_length": settings.original,
            "alpha": self.alpha,
            "longest_length": max(self.length, self.longest_length or 0),
            "beta_fast": self.beta_fast or ways.BETA_FAST,
            "beta_slow": self.beta_slow or ways.BETA_SLOW,
            "attention_factor": self.amplitude,
        }
        if self.extension == "longrope":
            resolved["short_factor"] = ways.divisors(settings, over=False)
            resolved["long_factor"] = ways.divisors(settings, over=True)
        return used | {name: value for name, value in resolved.items() if name in used}

    def stretching_notes(self) -> tuple[str, ...]:
        """True sentences about what the extension does with these parameters."""
        if self.extension == "none":
            return ()
        notes = [sentence(self._way, self.settings, self.extended), *remarks(self._way, self.settings)]
        if self.softmax_correction_factor != 1.0:
            notes.insert(1, f"Softmax scale × {self.softmax_correction_factor:.4f} (g(mscale_all_dim)²).")
        return tuple(notes)
