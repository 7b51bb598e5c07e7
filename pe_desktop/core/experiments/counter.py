"""The binary counter: bits of the position beside the sines, both from the fastest column to the slowest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, HeatPlate, register
from pe_desktop.core.experiments.cells import cells, thinned
from pe_desktop.core.experiments.sines import Sines, sines_of
from pe_desktop.core.numerals import short, significant, wavelength, whole
from pe_desktop.core.phases import reduced
from pe_desktop.core.scheme import Float, parameter
from pe_desktop.core.state import LabState

MOST_COLUMNS = 32
HIDDEN = ("bits", "step_fastest", "step_slowest")  # the picture shows them


@register
@dataclass(frozen=True, kw_only=True)
class Counter(Experiment):
    """Count in binary, and with sines: the fast columns change at each step, the slow ones hardly ever."""

    positions: int = parameter(
        "Positions shown",
        int,
        16,
        minimum=8,
        maximum=64,
        unit="positions",
        help="Rows of both pictures: positions from 0 on.",
        source="any number; 16 is what four bits count",
    )

    id: ClassVar[str] = "counter"
    title: ClassVar[str] = "Binary counter"
    question: ClassVar[str] = "In what way is a sinusoidal encoding like a binary number?"
    source: ClassVar[str] = "Vaswani et al. 2017, section 3.5, for the sines"
    fields: ClassVar[tuple[str, ...]] = ("built",)

    def cost(self, state: LabState) -> int:
        """A sine for each cell, and one pass over the frequencies."""
        return 10 * self.positions * MOST_COLUMNS + state.dimension

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        bits, sines = _bits(self.positions), sines_of(state.built)
        chosen = thinned(len(sines.frequencies), MOST_COLUMNS).astype(np.intp)
        waves = _waves(sines.frequencies[chosen], self.positions)
        flips = np.abs(np.diff(bits, axis=0)).sum(axis=0)
        steps = np.abs(np.diff(waves, axis=0)).max(axis=0)
        plates = _bit_plate(bits), _wave_plate(sines, chosen, waves)
        point = f"positions 0 to {self.positions - 1}"
        return self.part(point, _sentence(sines, flips), plates, _figures(sines, flips, steps))


def _bits(count: int) -> Float:
    """Bits of positions 0 … count − 1, the fastest first, shape (count, bits)."""
    return np.asarray(np.arange(count)[:, None] >> np.arange((count - 1).bit_length()) & 1, dtype=np.float64)


def _waves(frequencies: Float, count: int) -> Float:
    return np.sin(reduced(np.multiply.outer(np.arange(count, dtype=np.float64), frequencies)))


def _bit_plate(bits: Float) -> HeatPlate:
    labels = tuple(whole(1 << bit) for bit in range(bits.shape[1]))
    return HeatPlate(
        "Binary number",
        cells(bits),
        0.0,
        1.0,
        "position",
        "value of the bit",
        column_labels=labels,
        digits=0,
        note="fastest bit first",
    )


def _wave_plate(sines: Sines, chosen: NDArray[np.intp], waves: Float) -> HeatPlate:
    frequencies = sines.frequencies[chosen]
    all_of = len(sines.frequencies)
    which = f"{len(chosen)} of {whole(all_of)} sines" if len(chosen) < all_of else f"all {all_of} sines"
    return HeatPlate(
        f"Sines, {sines.owner}",
        cells(waves),
        -1.0,
        1.0,
        "position",
        "repeats every … positions",
        column_labels=tuple(wavelength(float(each)) for each in frequencies),
        digits=1,
        note="the only sine" if all_of == 1 else f"fastest first; {which}",
    )


def _ratio(frequencies: Float) -> float | None:
    """Period of a sine over that of the one before it, as a mean of ratios; None for one sine."""
    if len(frequencies) < 2:
        return None
    return float((frequencies[0] / frequencies[-1]) ** (1.0 / (len(frequencies) - 1)))


def _figures(sines: Sines, flips: Float, steps: Float) -> tuple[Figure, ...]:
    each = sines.frequencies
    ratio, ends = _ratio(each), (float(2 * np.pi / each[0]), float(2 * np.pi / each[-1]))
    fast, slow = (significant(float(step)) for step in (steps[0], steps[-1]))
    about = "Period of one column over that of the column before."
    moves, change = "Changes from position to position.", "Largest change from one position to the next."
    after = "After so many positions."
    numbers = (
        ("bits", "Bits needed", len(flips), str(len(flips)), "Bits that the largest position shown takes."),
        ("flips_fastest", "Fastest bit flips", flips[0], whole(int(flips[0])), moves),
        ("flips_slowest", "Slowest bit flips", flips[-1], whole(int(flips[-1])), moves),
        ("ratio_bits", "Period ratio, bits", 2, "2", about),
        ("ratio_pairs", "Period ratio, sines", ratio, "–" if ratio is None else short(ratio), about),
        ("wavelength_fastest", "Fastest sine repeats", ends[0], wavelength(float(each[0])), after),
        ("wavelength_slowest", "Slowest sine repeats", ends[1], wavelength(float(each[-1])), after),
        ("step_fastest", "Step of the fastest sine", steps[0], fast, change),
        ("step_slowest", "Step of the slowest sine", steps[-1], slow, change),
    )
    return tuple(
        Figure(name, label, None if value is None else float(value), text, about, name not in HIDDEN)
        for name, label, value, text, about in numbers
    )


def _sentence(sines: Sines, flips: Float) -> str:
    each, worth = sines.frequencies, 1 << (len(flips) - 1)
    first = f"The bit worth 1 flips at each of {int(flips[0])} steps, the bit worth {worth} only once. "
    ratio = _ratio(each)
    if ratio is None:
        second = (
            f"The only sine moves smoothly where a bit jumps; it repeats every {wavelength(float(each[0]))} positions."
        )
    else:
        mean = "" if np.allclose(each[:-1] / each[1:], ratio, rtol=1e-6) else "on average "
        second = f"Sines count smoothly: each takes {mean}{short(ratio)} times as long as the one before (bits: 2)."
    return first + second + (f" {sines.note}" if sines.note else "")
