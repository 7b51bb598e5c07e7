"""xPos (Sun et al. 2022): RoPE whose queries and keys are also scaled, so that scores fade with the gap."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core import damped
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.layouts import INTERLEAVED
from pe_desktop.core.numerals import short, wavelength, whole
from pe_desktop.core.parameter import parameter
from pe_desktop.core.plain_rotary import PlainRotary, layout_parameter
from pe_desktop.core.scheme import LENGTH_RANGE, Float, register

SMOOTH = 0.4
FARTHEST_POWER = 700.0  # e^±700 is still a float64 with all its digits
FAINT = 20.0  # a pair below e^-20 of the last one is lost among the others' roundings
SAFE_POWER = 300.0  # so is the product of two such factors
HALF_PRECISION = math.log(65504.0)
CELLS = 1 << 18
MOST_STEPS = 1 << 28

Complex = NDArray[np.complex128]


@register
@dataclass(frozen=True, kw_only=True)
class XPos(PlainRotary):
    """Pair i of the query at p times ζ_i^((p - c)/B), of the key times its inverse, ζ_i = (2i + 0.4r)/(1.4r)."""

    layout: str = layout_parameter(INTERLEAVED, "interleaved: torchscale, rotary-embedding-torch, x-transformers")
    scale_base: float = parameter(
        "Scale base",
        float,
        512.0,
        minimum=16.0,
        maximum=1e6,
        unit="positions",
        logarithmic=True,
        help="B: over a gap of so many positions pair i of a score fades to ζ_i of what it was.",
        source="Sun et al. 2022, arXiv 2212.10554; torchscale (scale_base)",
    )
    centre: int | None = parameter(
        "Centre",
        int,
        None,
        minimum=0,
        maximum=LENGTH_RANGE[1],
        unit="positions",
        derived="half the length",
        help="c: the position whose query and key are not scaled. It changes q and k, but no score.",
        source="rotary-embedding-torch, x-transformers (length // 2); torchscale: one more for an odd length",
    )

    id: ClassVar[str] = "xpos"
    title: ClassVar[str] = "xPos"
    summary: ClassVar[str] = "RoPE whose scores also fade with the gap; for causal attention only."
    source: ClassVar[str] = "Sun et al. 2022, arXiv 2212.10554"
    causal_only: ClassVar[bool] = True

    @property
    def linear(self) -> bool:
        """See :attr:`Rotary.linear`: angles are, but a score also fades."""
        return False

    @property
    def pictured_by_waves(self) -> bool:
        """See :attr:`Rotary.pictured_by_waves`."""
        return True

    @property
    def curve_cost(self) -> int:
        """See :attr:`Scheme.curve_cost`; see :meth:`profile`."""
        return 4 + self.rotary_width // 32

    @property
    def middle(self) -> int:
        """The centre in use."""
        return self.length // 2 if self.centre is None else self.centre

    def effective(self) -> dict[str, Any]:
        """See :meth:`Scheme.effective`."""
        return super().effective() | {"centre": self.middle}

    def zeta(self) -> Float:
        """What is left of each pair over a gap of the scale base, shape (r / 2,), each between 0 and 1."""
        width = self.rotary_width
        return np.asarray((2.0 * np.arange(width // 2) + SMOOTH * width) / ((1.0 + SMOOTH) * width))

    def rates(self) -> Complex:
        """See :meth:`Rotary.rates`; all are damped."""
        return np.asarray(np.log(self.zeta()) / self.scale_base + 1j * self.inv_freq())

    def damping(self, gaps: Float) -> Float:
        """See :meth:`Rotary.damping`: ζ^(gap / B)."""
        return np.exp(np.multiply.outer(np.asarray(gaps, dtype=np.float64), self.rates().real))

    def scaling(self, positions: Iterable[int] | Float, *, key: bool = False) -> Float:
        """Natural logarithm of the factor on each pair of a query (or key), shape (n, r / 2)."""
        powers = np.multiply.outer(np.asarray(positions, dtype=np.float64) - self.middle, self.rates().real)
        return -powers if key else powers

    def rotate(self, vectors: Float, positions: Iterable[int] | Float, *, key: bool = False) -> Float:
        """See :meth:`Rotary.rotate`.

        Raises
        ------
        FieldError
            Where a factor is no float64 number any more.
        """
        places = np.asarray(positions, dtype=np.float64)
        powers = self.scaling(places, key=key)
        if len(places) and float(np.abs(powers[:, 0]).max()) > FARTHEST_POWER:
            worst = int(np.abs(powers[:, 0]).argmax())
            tens = f"{powers[worst, 0] / math.log(10.0):.0f}".replace("-", "−")
            at = int(places[worst])
            raise FieldError(
                "positions",
                f"At position {whole(at)} xPos scales a {'key' if key else 'query'} by up to 10^{tens}, "
                f"beyond float64; stay nearer to the centre {whole(self.middle)}, or raise scale_base.",
                (Fix(f"Centre {whole(at)}", {"params": {"centre": at}}),) if 0 <= at <= LENGTH_RANGE[1] else (),
            )
        return self._scaled(self.turn(vectors, self.angles(places)), np.exp(powers))

    def _scaled(self, vectors: Float, factors: Float) -> Float:
        for columns in self.pairs_out():
            vectors[:, columns] *= factors
        return vectors

    def scores(self, queries: Float, keys: Float, query_positions: Float, key_positions: Float) -> Float:
        """See :meth:`Rotary.scores`; the factors of q and k are taken about a centre where neither is too large."""
        ends = np.concatenate([query_positions, key_positions])
        middle = (float(ends.min()) + float(ends.max())) / 2.0
        rates = self.rates().real
        if (float(ends.max()) - middle) * float(-rates[0]) > SAFE_POWER:
            return self._scores_by_gap(queries, keys, query_positions, key_positions)
        turned = []
        for vectors, places, sign in ((queries, query_positions, 1.0), (keys, key_positions, -1.0)):
            factors = np.exp(sign * np.multiply.outer(places - middle, rates))
            turned.append(self._scaled(self.turn(vectors, self.angles(places)), factors))
        return np.asarray(turned[0] @ turned[1].T)

    def _scores_by_gap(self, queries: Float, keys: Float, query_positions: Float, key_positions: Float) -> Float:
        """Scores from the gaps alone, query by query: slower, but no factor is larger than the score."""
        first, second = self.pairs()
        if len(queries) * len(keys) * len(first) > MOST_STEPS:
            raise FieldError(
                "positions",
                f"Scores of {whole(len(queries))} queries and {whole(len(keys))} keys so far apart must be worked out "
                "one by one, and these are too many; ask for fewer positions.",
            )
        q, k = (vectors[:, first] + 1j * vectors[:, second] for vectors in (queries, keys))
        rest = np.delete(np.arange(self.dimension), np.concatenate([first, second]))
        out = queries[:, rest] @ keys[:, rest].T
        rates, strip = self.rates(), max(1, CELLS // len(first))
        for number, position in enumerate(query_positions):
            for start in range(0, len(keys), strip):
                part = slice(start, start + strip)
                powers = np.exp(np.multiply.outer(position - key_positions[part], rates))
                out[number, part] += (np.conj(k[part]) * powers * q[number]).real.sum(axis=1)
        return out

    def profile(self, spot: int, positions: Float) -> Float:
        """See :meth:`Rotary.profile`; NaN for keys after the query, which this scheme is not for."""
        gaps = spot - np.asarray(positions, dtype=np.float64)
        out = np.full(len(gaps), np.nan)
        seen = gaps >= 0.0
        if seen.any():
            out[seen] = (2.0 * self._sums(gaps[seen]) + self.dimension - self.rotary_width) / self.dimension
        return out

    def _sums(self, gaps: Float) -> Float:
        """Real part of the sum over the pairs of z^gap at gaps (n,) of 0 and more."""
        rates = self.rates()
        steps = np.diff(gaps)
        if len(gaps) > 2 and bool((steps == steps[0]).all()) and steps[0]:
            sums = self._fading_sums(float(gaps.min()), abs(float(steps[0])), len(gaps))
            return sums if steps[0] > 0 else sums[::-1]
        return np.asarray(np.exp(np.multiply.outer(gaps, rates)).real.sum(axis=1))

    def _fading_sums(self, gap: float, step: float, count: int) -> Float:
        """The same at equally spaced gaps from `gap` on, run by run: early pairs fade first, and then are left out."""
        rates = self.rates()
        beside_last = rates.real[-1] - rates.real  # how much faster than the last pair each one fades, falling
        out, done = np.empty(count), 0
        while done < count:
            first = gap + done * step
            left = rates[np.count_nonzero(beside_last * first > FAINT) :]
            fastest = float(beside_last[-len(left) :][len(left) // 2])  # of the half that fades last
            number = count - done
            if fastest * (gap + count * step) > FAINT:
                number = min(number, max(1, math.ceil((FAINT / fastest - first) / step)))
            out[done : done + number] = damped.damped_progression(left, first, step, number)
            done += number
        return out

    @property
    def scale_centre(self) -> float | None:
        """See :meth:`Rotary.scale_centre`."""
        return float(self.middle)

    def key_growth(self) -> float | None:
        """See :meth:`Rotary.key_growth`."""
        reach = max(self.middle, self.length - 1 - self.middle)
        return float(-self.rates().real[0]) * reach / math.log(10.0)

    def notes(self) -> tuple[str, ...]:
        """See :meth:`Scheme.notes`."""
        growth = (self.key_growth() or 0.0) * math.log(10.0)
        notes = [*self.width_notes(), "For causal attention only: later keys would grow, not fade."]
        if growth > HALF_PRECISION:
            notes.append(
                f"Queries and keys are scaled by up to 10^{growth / math.log(10.0):.0f}, more than half precision "
                "holds (65,504)."
            )
        return tuple(notes)

    def describe(self, position: int, head: int) -> str:
        """See :meth:`Scheme.describe`."""
        each, left = self.inv_freq(), self.zeta()
        slow = f" to {wavelength(each[-1])} (pair {len(each) - 1:,})" if len(each) > 1 else ""
        rest = f" to {short(left[-1])}" if len(each) > 1 else ""
        return (
            f"Turns as RoPE, every {wavelength(each[0])} (pair 0){slow}; q and k are also scaled, so that a gap of "
            f"{self.scale_base:,.6g} leaves {short(left[0])}{rest} of a pair."
        )

    def cell_formula(self, position: int, column: int) -> str:
        """See :meth:`Rotary.cell_formula`."""
        pair, name = self.pair_of_column(column)
        angle = position * float(self.inv_freq()[pair])
        value = math.cos(angle) if name == "cos" else math.sin(angle)
        return (
            f"pair {pair}: {name}({position:,} / {self.base:.10g}^({2 * pair}/{self.rotary_width})) = "
            f"{name}({angle:.4f}) = {value:.4f}; q also × {self.zeta()[pair]:.4f}^(({position:,} - "
            f"{self.middle:,})/{self.scale_base:.6g}), k × its inverse"
        )
