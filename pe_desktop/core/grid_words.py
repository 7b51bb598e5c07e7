"""Formulas of patches and of the pairs that read their axes, with the numbers filled in."""

from __future__ import annotations

import math

import numpy as np

from pe_desktop.core.gridded import Gridded
from pe_desktop.core.numerals import short, wavelength, whole
from pe_desktop.core.rotary import Rotary


def token_of(scheme: Gridded, position: int) -> str:
    """How a token's number makes its coordinates: "token 20 = 8 + 1 × 8 + 4"."""
    patch, image = scheme.patch_of(position), scheme.image
    if patch is None:
        return f"token {whole(position)}"
    frame, row, column = patch
    parts = [whole(image.start)] if image.start else []
    if image.frames > 1 and image.rows is not None:
        parts.append(f"{whole(frame)} × {whole(image.rows * image.columns)}")
    parts += [f"{whole(row)} × {whole(image.columns)}", whole(column)]
    return f"token {whole(position)} = {' + '.join(parts)}"


def patch_formula(scheme: Gridded, spot: int, position: int) -> str:
    """Coordinates of a token, and its similarity to the spot as the sum over the axes."""
    where = f"{token_of(scheme, position)} → {scheme.place(position)}"
    if scheme.is_silent([spot, position]).any():
        return f"{where};  similarity to {whole(spot)} = 0: the class token's row is all zeros"
    at = scheme.coordinates([position, spot])
    steps = (at[0] - at[1]).tolist()
    read = np.unique(scheme.pair_axis()).tolist()
    terms = [f"Σcos({_signed(steps[axis])}·θ) over {scheme.axes[axis]}" for axis in read]
    rest = scheme.dimension - 2 * len(scheme.turns())
    if rest:
        terms.append(f"{whole(rest)}/2")
    value = float(scheme.likeness(spot, np.array([float(position)]))[0])
    what = "score / score at gap 0, query" if isinstance(scheme, Rotary) else "similarity to"
    return f"{where};  {what} {whole(spot)} = 2/{whole(scheme.dimension)} · ({' + '.join(terms)}) = {value:.4f}"


def axis_formula(scheme: Gridded, m: int, n: int, pair: int) -> str:
    """One dial: the axis a pair reads, and what the step along it turns it by."""
    if pair >= len(scheme.turns()):
        return ""
    axis, theta = int(scheme.pair_axis()[pair]), float(scheme.turns()[pair])
    name, at = scheme.axes[axis], scheme.coordinates([m, n])[:, axis]
    start = f"pair {pair} reads {name}: θ = {theta:.6g} rad per step, λ = {wavelength(theta)} steps;  "
    if scheme.is_silent([m, n]).any():
        return f"{start}the class token has no {name}"
    first, second = (whole(round(each)) for each in at.tolist())
    turn = float(at[0] - at[1]) * theta
    return (
        f"{start}({name} of m − {name} of n)·θ = ({first} − {second}) × {theta:.4g} = {short(turn, 4)} rad "
        f"= {short(math.degrees(turn), 1)}°"
    )


def _signed(step: float) -> str:
    return f"{step:,.0f}".replace("-", "−")
