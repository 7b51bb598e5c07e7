"""Spectra by the parameters of a state, for the tests of the spectrum."""

from __future__ import annotations

from pe_desktop.core.part_spectrum import spectrum_part
from pe_desktop.core.parts import Viewport
from pe_desktop.core.state import LabState

DYNAMIC = {"extension": "dynamic", "factor": 8.0}
LONG = {"extension": "longrope", "factor": 8.0}
SHOWN = frozenset({"spectrum"})


def part_of(mode="wavelengths", *, full=True, scheme="rope", dimension=128, length=32_768, head=0, **params):
    state = LabState().change(
        {"scheme": scheme, "dimension": dimension, "length": length, "params": params, "head": head}
    )
    return spectrum_part(state, Viewport(spectrum=mode), full)


def line(part, role="main"):
    return next(each for each in part.series if each.role == role)
