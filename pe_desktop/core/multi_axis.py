"""Rotary schemes with several coordinates per token (images, video)."""

from __future__ import annotations

import math
from abc import ABC
from dataclasses import dataclass

from pe_desktop.core.grid_picture import Waves
from pe_desktop.core.gridded import Gridded, shown_waves
from pe_desktop.core.numerals import whole
from pe_desktop.core.plain_rotary import LaidOut
from pe_desktop.core.scheme import Float


@dataclass(frozen=True, kw_only=True)
class MultiAxis(Gridded, LaidOut, ABC):
    """Pairs that turn by one of several coordinates x their inverse frequency."""

    def turns(self) -> Float:
        """See :meth:`Gridded.turns`."""
        return self.inv_freq()

    @property
    def picture_waves(self) -> Waves:
        """See :attr:`Gridded.picture_waves`."""
        return shown_waves(*self.pairs(), self.inv_freq(), self.pair_axis())

    def profile(self, spot: int, positions: Float) -> Float:
        """See :meth:`Rotary.profile`."""
        return self.likeness(spot, positions)

    def exponent(self, pair: int) -> str:
        """The power of the base that a pair's wavelength is, such as "4/64"."""
        return f"{2 * pair}/{self.rotary_width}"

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Rotary.cell_formula`; column counts cosines and sines in the layout's order."""
        pair, name = self.pair_of_column(column)
        axis = int(self.pair_axis()[pair])
        at = float(self.coordinates([position])[0, axis])
        angle = at * float(self.inv_freq()[pair])
        value = math.cos(angle) if name == "cos" else math.sin(angle)
        return (
            f"pair {pair} reads {self.axes[axis]} = {whole(round(at))}: {name}({whole(round(at))} / "
            f"{self.base:.10g}^({self.exponent(pair)})) = {name}({angle:.4f}) = {value:.4f}"
        )
