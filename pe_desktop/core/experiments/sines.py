"""The sines of a scheme, fastest first, and the standard ones where a scheme has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.numerals import whole
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Float, Scheme
from pe_desktop.core.waves import geometric_frequencies

BASE = 10_000.0


@dataclass(frozen=True, eq=False)
class Sines:
    """``frequencies`` (k,) > 0 in rad/position, falling; ``owner`` whose they are; ``note`` why not the scheme's own.

    The note is a sentence, empty where the sines are the scheme's own.
    """

    frequencies: Float
    owner: str
    note: str = ""


def sines_of(scheme: Scheme) -> Sines:
    """The sines of the pairs that turn with the position; without any, those of Vaswani et al. 2017, section 3.5.

    A scheme that counts rows and columns has none that turn with the position alone.
    """
    own = _own(scheme)
    if own is not None:
        return Sines(np.sort(own)[::-1], scheme.title)
    standard = geometric_frequencies(BASE, scheme.dimension, scheme.dimension // 2)
    note = f"The scheme {scheme.title} has no pair that turns with the position alone: shown is standard sinusoidal"
    return Sines(standard, "standard sinusoidal", f"{note}, d = {whole(scheme.dimension)}.")


def _own(scheme: Scheme) -> Float | None:
    frequencies = None
    if isinstance(scheme, Rotary) and scheme.pictured_by_waves:
        frequencies = scheme.inv_freq()
    elif isinstance(scheme, Additive):
        frequencies = scheme.frequencies()
    if frequencies is None or not (frequencies > 0).any():
        return None
    return np.asarray(frequencies[frequencies > 0])
