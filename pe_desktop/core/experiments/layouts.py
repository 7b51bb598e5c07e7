"""Mixed layouts: keys rotated in one layout of the pairs, queries in the other."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pe_desktop.core.draws import normals
from pe_desktop.core.experiment import Experiment, ExperimentPart, Figure, Line, LinePlate, register
from pe_desktop.core.layouts import HALF, INTERLEAVED, other_layout, permutation
from pe_desktop.core.numerals import gap as gap_text
from pe_desktop.core.numerals import short, whole
from pe_desktop.core.plain_rotary import LaidOut
from pe_desktop.core.scheme import Float, parameter
from pe_desktop.core.schemes.rope import Rope
from pe_desktop.core.schemes.xpos import XPos
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint, task

WRONG = 0.01  # of the largest score the two vectors can have


@dataclass(frozen=True, eq=False)
class Scores:
    """Scaled scores at positions 0 … n − 1, shape (n,) float64: both in one layout, mixed, and both permuted.

    ``limit`` is the difference that counts as wrong.
    """

    right: Float
    mixed: Float
    permuted: Float
    limit: float

    @property
    def difference(self) -> Float:
        """How far the mixed scores are off, shape (n,)."""
        return np.abs(self.mixed - self.right)

    @property
    def first_wrong(self) -> int | None:
        """First position whose score is off by more than the limit, None if none is."""
        wrong = np.flatnonzero(self.difference > self.limit)
        return int(wrong[0]) if len(wrong) else None


@register
@dataclass(frozen=True, kw_only=True)
class Layouts(Experiment):
    """One toy query and key; the key is rotated in the scheme's layout, the query in the other one.

    A position's part of the score alone: no query temperature.
    """

    pair: int = parameter(
        "Toy pair",
        int,
        0,
        minimum=0,
        maximum=999,
        help="Which random query and key: standard normal entries.",
        source="stand-in of this app",
    )
    like: float = parameter(
        "Likeness",
        float,
        1.0,
        minimum=0.0,
        maximum=1.0,
        help="Share of the query in the key: 1, they are the same vector, and the right score peaks at distance 0.",
        source="stand-in of this app",
    )
    moves: str = parameter(
        "What moves",
        str,
        "both",
        choices=(("both", "Both, at distance 0"), ("query", "The query, key at 0")),
        help="Both at one position after the other, where the right score stays; or the query away from the key.",
        source="an experiment of this app",
    )
    positions: int = parameter(
        "Positions",
        int,
        128,
        minimum=16,
        maximum=512,
        unit="positions",
        logarithmic=True,
        help="How many positions are tried, from 0 on.",
        source="an experiment of this app",
    )

    id: ClassVar[str] = "layouts"
    title: ClassVar[str] = "Mixed layouts"
    question: ClassVar[str] = "What if keys are written in one layout and queries read in the other?"
    source: ClassVar[str] = "Su et al. 2021 (interleaved pairs); GPT-NeoX, transformers (halves)"
    fields: ClassVar[tuple[str, ...]] = ("built",)

    def cost(self, state: LabState) -> int:
        """Cosines and sines of six rotations."""
        return 6 * 8 * min(self.positions, state.length) * state.dimension

    def run(self, state: LabState) -> ExperimentPart:
        """See :meth:`Experiment.run`."""
        if not isinstance(state.built, LaidOut) and state.dimension % 2:
            return self.refusal(
                f"{state.built.title} has no pairs to lay out, and RoPE cannot stand in for it, because dimension "
                f"{whole(state.dimension)} is odd: use an even dimension."
            )
        own, note = _rotary(state)
        with task("Rotating in both layouts"):
            scores = self._scores(own, min(self.positions, state.length))
        read = other_layout(own.pairs()[0])
        where = "both at one position" if self.moves == "both" else "key at position 0"
        point = f"mixed: key {read[0]}, query {read[1]}; {where}; a random pair"
        return self.part(point, _sentence(own, scores) + note, self._plates(scores), _figures(scores))

    def _vectors(self, dimension: int) -> tuple[Float, Float]:
        """Query and key, each of shape (1, dimension)."""
        query = normals(f"layouts query {self.pair}", dimension)
        other = normals(f"layouts key {self.pair}", dimension)
        return query[None], (self.like * query + math.sqrt(1.0 - self.like**2) * other)[None]

    def _scores(self, own: LaidOut, count: int) -> Scores:
        query, key = self._vectors(own.dimension)
        layout, other = other_layout(own.pairs()[0])
        places = np.arange(count, dtype=np.float64)
        wrong = dataclasses.replace(own, layout=other)
        order = permutation(own.rotary_width, own.dimension, layout, other)
        ways = []
        for done, (turning, q, k, held) in enumerate(
            ((own, query, key, own), (wrong, query, key, own), (wrong, query[:, order], key[:, order], wrong))
        ):
            checkpoint(done / 3)
            at = places if self.moves == "both" else places[:1]
            turned = turning.rotate(np.repeat(q, count, axis=0), places)
            keys = held.rotate(np.repeat(k, len(at), axis=0), at, key=True)
            ways.append((turned * keys).sum(axis=1) * own.softmax_scale)
        largest = float(np.linalg.norm(query) * np.linalg.norm(key)) * own.softmax_scale
        right, mixed, permuted = ways
        return Scores(right, mixed, permuted, WRONG * largest)

    def _plates(self, scores: Scores) -> tuple[LinePlate, ...]:
        places, first = np.arange(len(scores.right), dtype=np.float64), scores.first_wrong
        axis = "position of both" if self.moves == "both" else "position of the query (key at 0)"
        both = LinePlate(
            "Score of the pair",
            (Line("one layout", places, scores.right), Line("mixed layouts", places, scores.mixed, "other")),
            axis,
            "scaled score",
            x_whole=True,
        )
        limit = np.full(len(places), scores.limit)
        off = LinePlate(
            "How far the mixed score is off",
            (
                Line("|difference|", places, scores.difference, "other"),
                Line("1 % of |q||k|", places, limit, "faint"),
            ),
            axis,
            "|difference|",
            x_whole=True,
            marks=() if first is None else ((float(first), f"wrong from {whole(first)}"),),
        )
        return both, off


def _rotary(state: LabState) -> tuple[LaidOut, str]:
    """The scheme in a layout it reads and writes alike, or standard RoPE; and what to say of a change."""
    scheme = state.built
    if isinstance(scheme, XPos):  # about another centre queries and keys are scaled at position 0 already
        about = "" if scheme.middle == 0 else " xPos is taken about the centre 0 here, where it scales nothing."
        return dataclasses.replace(scheme, centre=0), about
    if isinstance(scheme, Rope) and scheme.layout not in (HALF, INTERLEAVED):
        own = dataclasses.replace(scheme, layout=INTERLEAVED)
        return own, " Pairs read interleaved and written as halves score as interleaved ones, which are taken here."
    if isinstance(scheme, LaidOut):
        return scheme, ""
    standard = Rope(dimension=state.dimension, length=state.length)
    return standard, f" {scheme.title} has no pairs to lay out: this is standard RoPE, base 10,000."


def _sentence(own: LaidOut, scores: Scores) -> str:
    start, first, count = float(scores.right[0]), scores.first_wrong, len(scores.right)
    worst = int(scores.difference.argmax())
    if first is None:
        if own.rotary_width == 2:
            return "With one pair both layouts are the same: every score is right."
        return (
            f"At none of {whole(count)} positions is the mixed score off by more than 1 % of |q||k|; the most is "
            f"{gap_text(float(scores.difference[worst]))}."
        )
    now, most = float(scores.mixed[0]), short(float(scores.difference[worst]))
    if scores.difference[0] > scores.limit:
        return (
            f"At position 0 the mixed score is {short(now)}, not {short(start)}; at {whole(worst)} it is off by {most}."
        )
    return (
        f"At position 0 the mixed score is right ({short(now)}); at position {whole(first)} it first goes wrong, and "
        f"at {whole(worst)} it is off by {most}."
    )


def _figures(scores: Scores) -> tuple[Figure, ...]:
    difference, first = scores.difference, scores.first_wrong
    start, most = float(difference[0]), float(difference.max())
    permuted = float(np.abs(scores.permuted - scores.right).max())
    return (
        Figure("score_at_0", "Score at position 0", float(scores.right[0]), short(float(scores.right[0]))),
        Figure("difference_at_0", "Off at position 0", start, gap_text(start)),
        Figure("difference_max", "Off at most", most, gap_text(most)),
        Figure(
            "first_wrong",
            "First wrong position",
            None if first is None else float(first),
            f"none of {whole(len(difference))}" if first is None else whole(first),
            "First position whose mixed score is off by more than 1 % of the largest |q||k| can give.",
        ),
        Figure(
            "difference_permuted",
            "Off, both permuted",
            permuted,
            gap_text(permuted),
            "Query and key with their dimensions permuted into the other layout, both rotated in it.",
        ),
    )
