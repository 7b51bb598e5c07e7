"""The read-outs and the five lights of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_desktop.core.additive import Additive
from pe_desktop.core.bias_rows import knows_range, row_cost, row_range
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.numerals import short, whole
from pe_desktop.core.part_attention import experiment
from pe_desktop.core.parts import AttentionPart, Light, Readout, ReadoutsPart
from pe_desktop.core.properties import (
    bounded,
    goes_past_training,
    knows_bounded,
    knows_residual,
    relative,
    rotation_residual,
    steady,
    unique,
    waiting,
)
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scans import (
    QUICK_SCAN,
    Closest,
    closest_rows,
    norm_cost,
    norm_range,
    rows_of,
    scan_cost,
    table_cost,
)
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.spread import gap_spread
from pe_desktop.core.state import LabState
from pe_desktop.core.work import task

COMPUTING = "computing…"


def readouts_key(state: LabState, attention: AttentionPart) -> tuple[object, ...]:
    """What the read-outs depend on; the gaps come with the attention part."""
    return state.built, state.position, state.key_position, state.head, id(attention)


@dataclass(frozen=True)
class Ready:
    """Which read-outs can be given now; the others are being computed.

    All in full; without, what a closed form knows, what takes no noticeable time and what was found before.
    """

    closest: bool
    norms: bool
    largest: bool
    bound: bool
    spread: bool
    residual: bool

    @property
    def all(self) -> bool:
        """Whether nothing is left for later."""
        return all(vars(self).values())


def ready(state: LabState, full: bool) -> Ready:
    """What can be given now; see :class:`Ready`."""
    scheme = state.built
    return Ready(
        closest=full or scan_cost(scheme) <= QUICK_SCAN or closest_rows.knows(scheme),
        norms=full or norm_cost(scheme) <= QUICK_SCAN or norm_range.knows(scheme),
        largest=full or not isinstance(scheme, ScoreBias) or _row_is_quick(state),
        bound=full or knows_bounded(scheme),
        spread=full or table_cost(scheme) <= QUICK_SCAN or gap_spread.knows(scheme),
        residual=full or knows_residual(scheme, abs(state.position - state.key_position)),
    )


def _row_is_quick(state: LabState) -> bool:
    scheme = state.built
    assert isinstance(scheme, ScoreBias)
    row = state.position, 0, state.length
    return row_cost(scheme, *row) <= QUICK_SCAN or knows_range(scheme, state.head, *row)


def readouts_part(state: LabState, attention: AttentionPart, full: bool = True) -> ReadoutsPart:
    """Make the read-outs part; with `full` False scans of a long sequence are left for later."""
    now = ready(state, full)
    rows = (
        _input_gap(state, attention),
        _output_gap(state, attention),
        _travelling(attention),
        _largest(state, now.largest),
        _norms(state, now.norms),
        _closest(state, now.closest),
        _spread(state, now.spread),
        _residual(state, now.residual),
    )
    return ReadoutsPart(rows, _lights(state.built, now), now.all and attention.exact)


def _lights(scheme: Scheme, now: Ready) -> tuple[Light, ...]:
    """The five lights, those that wait for a scan without an answer."""
    return (
        bounded(scheme) if now.bound else waiting("bounded", "Looking for the largest value…"),
        unique(scheme) if now.closest else waiting("unique", "Looking for the closest two rows…"),
        steady(scheme),
        relative(scheme) if now.spread else waiting("relative", "Comparing rows at one gap…"),
        goes_past_training(scheme),
    )


def _input_gap(state: LabState, attention: AttentionPart) -> Readout:
    about = (
        "Mean over words of the distance (L2) between a word's input vector in sentence A and in B, "
        "words matched by identity. Words keep their embedding; positions stay with the slots."
    )
    if attention.input_gap is None:
        return Readout("input_gap", "Input gap", None, "–", about, _why_no_gap(state, attention))
    return Readout(
        "input_gap", "Input gap", attention.input_gap, gap_text(attention.input_gap), about, _gap_note(state, attention)
    )


def _gap_note(state: LabState, attention: AttentionPart) -> str:
    acts = state.built.acts
    if acts is Acts.NOTHING:
        return "The two sentences are the same input: a set of words without order."
    if acts in (Acts.ROTARY, Acts.BIAS):
        return f"{state.built.title} adds nothing to the input: it acts on the scores; see Output gap."
    if attention.input_gap == 0.0:
        return "The two chosen words are the same word, so A and B are one sentence."
    return "The same words at other slots are another input."


def _why_no_gap(state: LabState, attention: AttentionPart) -> str:
    trouble = experiment(state).trouble
    if not attention.exact:
        return "Being computed."
    return f"No sentence B: {trouble}." if trouble else "No sentence B."


def _output_gap(state: LabState, attention: AttentionPart) -> Readout:
    about = (
        "The same distance on the outputs of the toy attention head. Without encoding and without mask it is 0 up "
        "to rounding: attention is permutation-equivariant. A causal mask alone already lets order in."
    )
    value = attention.output_gap
    text = "–" if value is None else gap_text(value)
    return Readout("output_gap", "Output gap", value, text, about)


def _travelling(attention: AttentionPart) -> Readout:
    about = (
        "The output gap of a common slip: each word takes its position vector along when it moves. Then nothing can "
        "change without a mask, whatever the encoding, because only the order of the rows differs."
    )
    value = attention.output_gap_travelling
    text = "–" if value is None else gap_text(value)
    return Readout("output_gap_travelling", "… if positions moved too", value, text, about)


def largest_value(state: LabState) -> float | None:
    """Largest absolute value in the inspected row; None where the spot has no row."""
    scheme, spot = state.built, state.position
    if spot >= defined_rows(scheme):
        return None
    if isinstance(scheme, ScoreBias):
        return max(map(abs, row_range(scheme, state.head, spot, 0, state.length)))
    rows = rows_of(scheme, np.array([float(spot)]))
    assert rows is not None
    return float(np.abs(rows).max()) * (scheme.amplitude if isinstance(scheme, Rotary) else 1.0)


def _largest(state: LabState, scan: bool) -> Readout:
    spot = whole(state.position)
    what = {
        Acts.ROTARY: f"Largest |cos| or |sin| at the inspected spot {spot}, attention factor included.",
        Acts.BIAS: f"Largest |bias| of head {state.head} between the inspected spot {spot} and any position.",
    }.get(state.built.acts, f"Largest |value| in the encoding row of the inspected spot {spot}.")
    if not scan:
        return Readout("largest_value", "Largest value", None, COMPUTING, what)
    value = largest_value(state)
    return Readout("largest_value", "Largest value", value, "no row" if value is None else short(value), what)


def _norms(state: LabState, scan: bool) -> Readout:
    about = "Smallest and largest length (L2) of an encoding row; √(d/2) for complete sine and cosine pairs."
    if not isinstance(state.built, Additive) or state.built.acts is not Acts.ADDED:
        return Readout("row_norm", "Row norm", None, "–", about)
    if not scan:
        return Readout("row_norm", "Row norm", None, COMPUTING, about)
    with task("Measuring the rows"):
        found = norm_range(state.built)
    assert found is not None
    low, high = short(found[0]), short(found[1])
    return Readout("row_norm", "Row norm", found, low if low == high else f"{low} – {high}", about)


def _closest(state: LabState, scan: bool) -> Readout:
    about = "The two positions whose rows are closest, and how far apart (L2). 0 means they cannot be told apart."
    if not scan:
        return Readout("closest_pair", "Closest rows", None, COMPUTING, about)
    with task("Looking for the closest rows"):
        found = closest_rows(state.built)
    if found is None:
        return Readout("closest_pair", "Closest rows", None, "–", about)
    pair = f"{whole(found.first)}, {whole(found.second)}"
    return Readout("closest_pair", "Closest rows", found, f"{short(found.distance)}  ({pair})", about)


def _spread(state: LabState, scan: bool) -> Readout:
    about = (
        "Standard deviation, over a spread of positions, of row·row (or the score, or the bias) at one gap, as a share "
        "of its largest value; 0 up to rounding means that only the gap counts."
    )
    return _number("gap_spread", "Spread at one gap", gap_spread(state.built) if scan else COMPUTING, about)


def _residual(state: LabState, scan: bool) -> Readout:
    gap = abs(state.position - state.key_position)
    about = (
        f"How far one fixed rotation per pair of columns misses when it takes row p to row p + {gap}; "
        "rounding only for sinusoidal pairs and RoPE. Long tables are judged by a spread of positions."
    )
    value = rotation_residual(state.built, gap) if scan else COMPUTING
    return _number("rotation_residual", "Rotation residual", value, about)


def _number(name: str, label: str, value: float | str | None, about: str) -> Readout:
    if isinstance(value, str):
        return Readout(name, label, None, value, about)
    return Readout(name, label, value, "–" if value is None else short(value), about)


def readouts_json(part: ReadoutsPart) -> dict[str, Any]:
    """The read-outs as the command line gives them; what a scheme does not have is None."""
    values = {readout.name: readout.value for readout in part.readouts}
    norms, closest = values.pop("row_norm"), values.pop("closest_pair")
    assert closest is None or isinstance(closest, Closest)
    out = {
        "input_gap": values["input_gap"],
        "output_gap": values["output_gap"],
        "output_gap_travelling": values["output_gap_travelling"],
        "largest_value": values["largest_value"],
        "row_norm_min": norms[0] if norms else None,
        "row_norm_max": norms[1] if norms else None,
        "closest_pair": [closest.first, closest.second] if closest else None,
        "closest_pair_distance": closest.distance if closest else None,
        "gap_spread": values["gap_spread"],
        "rotation_residual": values["rotation_residual"],
    }
    return out


def properties_json(part: ReadoutsPart) -> dict[str, Any]:
    """The lights as the command line gives them."""
    return {light.name: {"holds": light.holds, "evidence": light.evidence} for light in part.properties}
