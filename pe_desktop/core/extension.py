"""Stretching RoPE past its trained length: each way is a strategy from settings to frequencies and factors.

All arithmetic is float64. A strategy never looks at a position: what it returns holds for the whole sequence of the
given length. Formulas as in the papers named at each function; where libraries settled a detail that the paper leaves
open, they are followed and named.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.waves import TURN, geometric_frequencies

Float = NDArray[np.float64]
Regime = NDArray[np.int8]
KEPT, BLENDED, DIVIDED = 0, 1, 2
BETA_FAST, BETA_SLOW = 32.0, 1.0
LOW_FREQ_FACTOR, HIGH_FREQ_FACTOR = 1.0, 4.0


@dataclass(frozen=True)
class Settings:
    """Everything a strategy may need; None means "not given".

    ``width`` is the rotary width r, ``dimension`` the head width D, ``length`` the current sequence length,
    ``trained_length`` max_position_embeddings and ``original_length`` original_max_position_embeddings.
    """

    base: float
    width: int
    dimension: int
    length: int
    trained_length: int
    original_length: int | None = None
    factor: float | None = None
    alpha: float | None = None
    longest_length: int | None = None
    beta_fast: float | None = None
    beta_slow: float | None = None
    truncate: bool = True
    attention_factor: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None
    low_freq_factor: float | None = None
    high_freq_factor: float | None = None
    short_factor: tuple[float, ...] | None = None
    long_factor: tuple[float, ...] | None = None
    rotary_fraction: float = 1.0

    @property
    def original(self) -> int:
        """The trained length N that yarn, longrope and llama3 mean."""
        return self.trained_length if self.original_length is None else self.original_length

    @property
    def scale(self) -> float:
        """The extension factor s; where it is not given, the ratio of the two lengths, as transformers does."""
        return self.trained_length / self.original if self.factor is None else self.factor


@dataclass(frozen=True, eq=False)
class Extended:
    """What an extension makes of the frequencies.

    ``inv_freq`` (r/2,) rad/position; ``attention_factor`` multiplies cosine and sine; ``softmax_factor`` multiplies
    the softmax scale where a model applies it (DeepSeek); ``regime`` (r/2,) says of each pair whether it was kept,
    blended or divided; ``base`` is the base in use.
    """

    inv_freq: Float
    attention_factor: float
    softmax_factor: float
    regime: Regime
    base: float


Strategy = Callable[[Settings], Extended]


def theta(settings: Settings) -> Float:
    """Frequencies before any extension, base^(-2i/r) (Su et al. 2021), shape (r/2,), rad/position."""
    return geometric_frequencies(settings.base, settings.width, settings.width // 2)


def _uniform(settings: Settings, inv_freq: Float, regime: int) -> Extended:
    return Extended(inv_freq, 1.0, 1.0, np.full(len(inv_freq), regime, dtype=np.int8), settings.base)


def plain(settings: Settings) -> Extended:
    """RoPE as trained."""
    return _uniform(settings, theta(settings), KEPT)


def linear(settings: Settings) -> Extended:
    """Position Interpolation (Chen et al. 2023, arXiv 2306.15595): every frequency divided by the factor."""
    scale = settings.scale
    return _uniform(settings, theta(settings) / scale, KEPT if scale == 1.0 else DIVIDED)


def raised_base(base: float, ratio: float, width: int) -> float:
    """b · ratio^(r/(r-2)): pair 0 keeps its frequency, the last is divided by exactly `ratio`.

    With a single pair (r = 2) there is no other pair than the first, and the base does not matter.
    """
    return base if width <= 2 else base * ratio ** (width / (width - 2))


def _with_base(settings: Settings, ratio: float) -> Extended:
    base = raised_base(settings.base, ratio, settings.width)
    inv_freq = geometric_frequencies(base, settings.width, settings.width // 2)
    regime = np.full(len(inv_freq), BLENDED if ratio != 1.0 else KEPT, dtype=np.int8)
    if ratio != 1.0:
        regime[-1] = DIVIDED
    regime[0] = KEPT
    return Extended(inv_freq, 1.0, 1.0, regime, base)


def ntk(settings: Settings) -> Extended:
    """NTK-aware scaling, fixed (bloc97 2023, see arXiv 2309.00071); `alpha` is Hunyuan's name of the factor."""
    return _with_base(settings, ntk_ratio(settings))


def ntk_ratio(settings: Settings) -> float:
    """By what the fixed NTK form divides the last frequency."""
    return settings.scale if settings.alpha is None else settings.alpha


def counted_length(settings: Settings) -> int:
    """The length a dynamic base follows: the current one, or the longest seen while that still counts."""
    if settings.longest_length is not None and settings.length >= settings.trained_length:
        return max(settings.length, settings.longest_length)
    return settings.length


def dynamic(settings: Settings) -> Extended:
    """Dynamic NTK (emozilla 2023): the base follows the current length once it exceeds the trained one.

    With ``longest_length`` the base is that of the longest sequence seen, which a stateful library keeps until a
    sequence shorter than the trained length comes.
    """
    trained, length, scale = settings.trained_length, counted_length(settings), settings.scale
    if length <= trained:
        return _uniform(settings, theta(settings), KEPT)
    return _with_base(settings, scale * length / trained - (scale - 1.0))


def magnitude(scale: float, mscale: float = 1.0) -> float:
    """g(μ) = 0.1 μ ln s + 1, and 1 without stretching (Peng et al. 2023; DeepSeek-V2)."""
    return 1.0 if scale <= 1.0 else 0.1 * mscale * math.log(scale) + 1.0


def yarn_attention_factor(settings: Settings) -> tuple[float, str]:
    """The attention factor, and which of three rules gave it (transformers): explicit, ratio of mscales, formula."""
    scale = settings.scale
    if settings.attention_factor is not None:
        return settings.attention_factor, "given"
    if settings.mscale and settings.mscale_all_dim:
        ratio = magnitude(scale, settings.mscale) / magnitude(scale, settings.mscale_all_dim)
        return ratio, "from mscale and mscale_all_dim"
    return magnitude(scale), "0.1 ln s + 1"


def yarn_range(settings: Settings) -> tuple[float, float]:
    """First and last pair index of the ramp, with the clamps of transformers 5: 0 and r - 1 (not r/2 - 1)."""
    fast, slow = settings.beta_fast or BETA_FAST, settings.beta_slow or BETA_SLOW
    low, high = (_pair_that_turns(turns, settings) for turns in (fast, slow))
    if settings.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0.0), min(high, settings.width - 1.0)
    return low, high + 0.001 if low == high else high


def _pair_that_turns(turns: float, settings: Settings) -> float:
    turned = math.log(settings.original) - math.log(turns) - math.log(TURN)  # apart, so that nothing overflows
    return settings.width * turned / (2.0 * math.log(settings.base))


def yarn(settings: Settings) -> Extended:
    """YaRN (Peng et al. 2023, arXiv 2309.00071): fast pairs kept, slow ones divided, a ramp between.

    ``softmax_factor`` is g(mscale_all_dim)^2, by which DeepSeek's models multiply their softmax scale.
    """
    scale, plain_frequencies = settings.scale, theta(settings)
    low, high = yarn_range(settings)
    share = np.clip((np.arange(len(plain_frequencies)) - low) / (high - low), 0.0, 1.0)
    inv_freq = plain_frequencies * (1.0 - share) + plain_frequencies / scale * share
    factor, _ = yarn_attention_factor(settings)
    softmax = magnitude(scale, settings.mscale_all_dim) ** 2 if settings.mscale_all_dim else 1.0
    return Extended(inv_freq, factor, softmax, _regime(share, scale), settings.base)


def _regime(share: Float, scale: float) -> Regime:
    if scale == 1.0:
        return np.zeros(len(share), dtype=np.int8)
    return np.where(share <= 0.0, KEPT, np.where(share >= 1.0, DIVIDED, BLENDED)).astype(np.int8)


def stand_in_divisors(pairs: int, scale: float) -> Float:
    """Divisors that rise geometrically from 1 to the factor, where no list is given; models bring their own."""
    return np.asarray(scale ** (np.arange(pairs) / max(1, pairs - 1)), dtype=np.float64)


def longrope(settings: Settings) -> Extended:
    """LongRoPE (Ding et al. 2024, arXiv 2402.13753; Phi-3): a divisor per pair, one list up to N, another past it."""
    scale, over = settings.scale, settings.length > settings.original
    for name in ("short_factor", "long_factor"):
        check_list(settings, name)
    each = np.array(divisors(settings, over=over), dtype=np.float64)
    factor = settings.attention_factor
    if factor is None:
        factor = 1.0 if scale <= 1.0 else math.sqrt(1.0 + math.log(scale) / math.log(settings.original))
    least = max(scale, 1.0 + 1e-12)
    regime = np.where(each == 1.0, KEPT, np.where(each >= least, DIVIDED, BLENDED)).astype(np.int8)
    return Extended(theta(settings) / each, factor, 1.0, regime, settings.base)


def divisors(settings: Settings, *, over: bool) -> tuple[float, ...]:
    """The divisor of each pair (r/2,) up to the original length, or `over` it; a stand-in where no list is given."""
    given = settings.long_factor if over else settings.short_factor
    if given is not None:
        return given
    pairs = settings.width // 2
    return tuple(stand_in_divisors(pairs, settings.scale).tolist()) if over else (1.0,) * pairs


def check_scale(settings: Settings) -> None:
    """Refuse a factor below 1 that follows from the two lengths."""
    if settings.scale < 1.0:
        raise FieldError(
            "original_length",
            f"The factor would be {settings.trained_length:,} / {settings.original:,} = {settings.scale:.4g} "
            "(trained / original length); it must be 1 or more: give a factor, or a smaller original length.",
            (Fix(f"Original length {settings.trained_length:,}", {"params": {"original_length": None}}),),
        )


def check_list(settings: Settings, name: str) -> None:
    """Refuse a list of divisors that does not have one number for each pair."""
    values, need = getattr(settings, name), settings.width // 2
    if values is None or len(values) == need:
        return
    width, numbers = 2 * len(values), "1 number" if len(values) == 1 else f"{len(values):,} numbers"
    label = "Short list" if name == "short_factor" else "Long list"
    fixes = (Fix(f"Use dimension {width}", {"dimension": width}),) if settings.width == settings.dimension else ()
    raise FieldError(
        name,
        f"{label} ({name}) has {numbers}; it needs {need:,}, one a pair (rotary width {settings.width:,} / 2).",
        (*fixes, Fix("Without a list", {"params": {name: None}})),
    )


def llama3(settings: Settings) -> Extended:
    """Llama 3.1 (Meta 2024; transformers): pairs that turn often in N kept, seldom ones divided, blended between."""
    scale, plain_frequencies = settings.scale, theta(settings)
    low = LOW_FREQ_FACTOR if settings.low_freq_factor is None else settings.low_freq_factor
    high = HIGH_FREQ_FACTOR if settings.high_freq_factor is None else settings.high_freq_factor
    turns = settings.original * plain_frequencies / TURN
    divided, between = turns < low, (turns >= low) & (turns <= high)
    smooth = np.clip((turns - low) / (high - low), 0.0, 1.0) if high > low else np.ones(len(turns))
    share = np.where(divided, 1.0, np.where(between, 1.0 - smooth, 0.0))
    inv_freq = plain_frequencies * (1.0 - share) + plain_frequencies / scale * share
    return Extended(inv_freq, 1.0, 1.0, _regime(share, scale), settings.base)


def proportional(settings: Settings) -> Extended:
    """Gemma 4's full layers (transformers): exponents over the whole head, only a share of the pairs turns."""
    pairs, scale = settings.dimension // 2, 1.0 if settings.factor is None else settings.factor
    turning = int(settings.rotary_fraction * settings.dimension // 2)
    inv_freq = np.zeros(pairs)
    inv_freq[:turning] = geometric_frequencies(settings.base, settings.dimension, pairs)[:turning] / scale
    return _uniform(settings, inv_freq, KEPT if scale == 1.0 else DIVIDED)


EXTENSIONS: dict[str, Strategy] = {
    "none": plain,
    "linear": linear,
    "ntk": ntk,
    "dynamic": dynamic,
    "yarn": yarn,
    "longrope": longrope,
    "llama3": llama3,
    "proportional": proportional,
}
