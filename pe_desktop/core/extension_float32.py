"""Inverse frequencies of stretched RoPE with the float32 roundings of the libraries, in the order they happen there.

The formulas are those of :mod:`extension`; here every operation on numbers of a pair is rounded to float32, as tensors
of a float32 library are, and settings become float32 where they meet such numbers. Ends of ramps and fixed NTK bases
stay float64, as Python computes them. A power is the nearest float32; a vector routine of a library is at times one
step off, and such pairs differ from the library's by their last bit. How many do is in
``tests/core/test_float32_library.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import extension as ways
from pe_desktop.core.extension import Settings
from pe_desktop.core.waves import TURN

Single = NDArray[np.float32]
ONE = np.float32(1.0)


def power_series(base: float, width: int, count: int) -> Single:
    """base^(2i/width) for i < count, shape (count,): exponent and power rounded, the base as a float32."""
    exponents = np.arange(0, 2 * count, 2, dtype=np.float32) / np.float32(width)
    return np.asarray(np.float64(np.float32(base)) ** exponents.astype(np.float64)).astype(np.float32)


def inverse_series(base: float, width: int, count: int) -> Single:
    """base^(-2i/width) for i < count, shape (count,): the inverse of the rounded power, rounded."""
    return np.asarray(ONE / power_series(base, width, count))


def _series(settings: Settings, base: float | None = None) -> Single:
    return inverse_series(settings.base if base is None else base, settings.width, settings.width // 2)


def _linear(settings: Settings) -> Single:
    return np.asarray(_series(settings) / np.float32(settings.scale))


def _ntk(settings: Settings) -> Single:
    return _series(settings, ways.raised_base(settings.base, ways.ntk_ratio(settings), settings.width))


def _dynamic(settings: Settings) -> Single:
    """The length is a tensor in transformers, so the ratio and the base are float32; the exponent is not."""
    length, trained, scale = ways.counted_length(settings), settings.trained_length, settings.scale
    if length <= trained or settings.width <= 2:
        return _series(settings)
    ratio = np.float32(scale) * np.float32(length) / np.float32(trained) - np.float32(scale - 1.0)
    grown = np.float32(np.float64(ratio) ** (settings.width / (settings.width - 2)))
    return _series(settings, float(np.float32(settings.base) * grown))


def _yarn(settings: Settings) -> Single:
    powers = power_series(settings.base, settings.width, settings.width // 2)
    low, high = ways.yarn_range(settings)
    along = np.arange(len(powers), dtype=np.float32) - np.float32(low)
    # Twice taken from 1, as there: the second difference undoes the first only up to a rounding.
    kept = ONE - np.clip(along / np.float32(high - low), np.float32(0.0), ONE)
    divided = ONE / (np.float32(settings.scale) * powers)
    return np.asarray(divided * (ONE - kept) + ONE / powers * kept)


def _longrope(settings: Settings) -> Single:
    powers = power_series(settings.base, settings.width, settings.width // 2)
    each = np.array(ways.divisors(settings, over=settings.length > settings.original), dtype=np.float32)
    return np.asarray(ONE / (each * powers))


def _llama3(settings: Settings) -> Single:
    scale, original = np.float32(settings.scale), settings.original
    low = ways.LOW_FREQ_FACTOR if settings.low_freq_factor is None else settings.low_freq_factor
    high = ways.HIGH_FREQ_FACTOR if settings.high_freq_factor is None else settings.high_freq_factor
    plain = _series(settings)
    wavelengths = np.float32(TURN) / plain
    longest, shortest = (np.float32(np.float64(original) / turns) for turns in (low, high))
    out = np.where(wavelengths > longest, plain / scale, plain)
    if high > low:
        smooth = (np.float32(original) / wavelengths - np.float32(low)) / np.float32(high - low)
        between = (wavelengths >= shortest) & (wavelengths <= longest)
        out = np.where(between, (ONE - smooth) * out / scale + smooth * out, out)
    return np.asarray(out)


def _proportional(settings: Settings) -> Single:
    out = np.zeros(settings.dimension // 2, dtype=np.float32)
    turning = int(settings.rotary_fraction * settings.dimension // 2)
    factor = np.float32(1.0 if settings.factor is None else settings.factor)
    out[:turning] = inverse_series(settings.base, settings.dimension, turning) / factor
    return out


STEPS: dict[str, Callable[[Settings], Single]] = {
    "none": _series,
    "linear": _linear,
    "ntk": _ntk,
    "dynamic": _dynamic,
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
    "proportional": _proportional,
}


def stretched_frequencies(extension: str, settings: Settings) -> ways.Float:
    """Inverse frequencies of one of the ways to stretch, as a float32 library holds them.

    Parameters
    ----------
    extension : str
        One of :data:`extension.EXTENSIONS`; dynamic with an alpha is the fixed NTK form.
    settings : Settings

    Returns
    -------
    ndarray, shape (r/2,), float64
        float32 values in rad/position; 0 where a power is past the range of float32.
    """
    way = "ntk" if extension == "dynamic" and settings.alpha is not None else extension
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        return STEPS[way](settings).astype(np.float64)
