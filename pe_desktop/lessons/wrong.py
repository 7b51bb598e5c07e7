"""Whether the expectations of a lesson can fail: each is tried in states that are wrong on purpose.

Wrong are all other encodings, the same with other parameters, and, since some things are true of every encoding, the
mask the other way round, a table that ends and other sizes. To expect the sizes themselves proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parameter import Parameter
from pe_desktop.core.parametric import Parametric
from pe_desktop.core.parts import Viewport
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.snapshot import compute, is_complete
from pe_desktop.core.state import LabState
from pe_desktop.lessons.check import expectations
from pe_desktop.lessons.expression import Expectation, Verdict
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.quantities import Quantities

# Those first that break most: no vectors at all, vectors that grow, and others that act elsewhere.
FIRST = ("none", "integer", "sinusoidal", "alibi", "rope", "normalized", "learned")
SMALL = Viewport(matrix=(8, 8), curve=64, scores=(8, 8), precision=(8, 8), grid=(8, 8), shown=frozenset({"experiment"}))


SIZES = ("dimension", "length", "position", "key_position")


@dataclass(frozen=True)
class Trial:
    """What could break one expectation.

    ``by`` says which encoding or parameter it was, "" if none did; ``missing``: it broke because something had no
    value there, which is all that could be found.
    """

    step: int
    line: int
    text: str
    by: str
    missing: bool = False


@dataclass(frozen=True)
class Trials:
    """All trials of a lesson; ``schemes`` are those that break the lesson when they replace all its encodings."""

    lesson: Lesson
    trials: tuple[Trial, ...]
    schemes: tuple[str, ...]

    @property
    def survivors(self) -> tuple[Trial, ...]:
        """The expectations that nothing could break."""
        return tuple(trial for trial in self.trials if not trial.by)


def wrong(lesson: Lesson) -> Trials:
    """Try to break each expectation of a lesson.

    Parameters
    ----------
    lesson : Lesson

    Returns
    -------
    Trials
    """
    trials = []
    schemes: dict[str, None] = {}
    for number, step in enumerate(lesson.steps, start=1):
        laboratories = {False: _Wrongs(step.state), True: _Wrongs(step.revealed)}
        for revealed, line, expectation in expectations(step):
            found = laboratories[revealed].breaking(expectation)
            trials.append(Trial(number, line, expectation.text, found.by, found.missing))
            if found.scheme:
                schemes[found.scheme] = None
    return Trials(lesson, tuple(trials), tuple(schemes))


@dataclass(frozen=True)
class _Break:
    by: str = ""
    scheme: str = ""
    missing: bool = False


class _Wrongs:
    """The wrong states beside one state, each computed when it is first asked for."""

    def __init__(self, state: LabState) -> None:
        self._candidates = list(_candidates(state))
        self._quick: dict[int, Quantities] = {}
        self._full: dict[int, Quantities] = {}

    def breaking(self, expectation: Expectation) -> _Break:
        """What makes an expectation plainly false, else what leaves it without a value."""
        least = _Break()
        names = set(re.findall(r"[a-z_]+", expectation.text)) - {"and", "or", "not"}
        for place, (by, scheme, _) in enumerate(self._candidates):
            if by in SIZES and names <= set(SIZES):
                continue
            verdict = self._judge(place, expectation)
            if not verdict.holds:
                found = _Break(by, scheme, verdict.missing)
                if not verdict.missing:
                    return found
                least = least if least.by else found
        return least

    def _judge(self, place: int, expectation: Expectation) -> Verdict:
        """A quick snapshot shows less, but nothing wrong; the full one is made only where that is not enough."""
        state = self._candidates[place][2]
        if place in self._full:
            return expectation.judge(self._full[place])
        if place not in self._quick:
            snapshot = compute(state, SMALL, full=False)
            if is_complete(snapshot):
                self._full[place] = Quantities(snapshot)
                return expectation.judge(self._full[place])
            self._quick[place] = Quantities(snapshot)
        verdict = expectation.judge(self._quick[place])
        if not verdict.missing:
            return verdict
        self._full[place] = Quantities(compute(state, SMALL))
        return expectation.judge(self._full[place])


def _candidates(state: LabState) -> Iterator[tuple[str, str, LabState]]:
    """What is wrong in words, the scheme where it is another one, and the state."""
    for scheme in dict.fromkeys((*FIRST, *REGISTRY)):
        if scheme != state.scheme and (other := _changed(state, {"scheme": scheme})):
            yield f"scheme {scheme}", scheme, other
    mask = "without" if state.causal else "with"
    for by, changes in (
        (f"{mask} a causal mask", {"causal": not state.causal}),
        ("a table that ends halfway", {"scheme": "learned", "params": {"trained_length": state.length // 2}}),
    ):
        if other := _changed(state, changes):
            yield by, "", other
    for words, key, parametric in (
        ("", "params", state.built),
        ("experiment ", "experiment_params", state.built_experiment),
    ):
        for name, value in _other_values(parametric):
            if other := _changed(state, {key: {name: value}}):
                yield f"{words}{name} = {value}", "", other
    sizes = state.dimension // 8 * 2, state.length // 4, state.length - 1 - state.position, 0
    for name, size in zip(SIZES, sizes, strict=True):
        if other := _changed(state, {name: size}):
            yield name, "", other


def _changed(state: LabState, changes: Mapping[str, Any]) -> LabState | None:
    try:
        other = state.change(changes)
    except FieldError:
        return None
    return None if other == state else other


def _other_values(parametric: Parametric) -> Iterator[tuple[str, Any]]:
    """Other values of the parameters that play a part."""
    effective = parametric.effective()
    for about in parametric.parameters():
        if about.name in effective:
            yield from ((about.name, value) for value in _others(about, effective[about.name]))


def _others(about: Parameter, value: Any) -> Iterator[Any]:
    if about.kind is bool:
        yield not value
    elif about.kind is str:
        yield from (name for name, _ in about.choices if name != value)
    elif about.kind is tuple:
        if value:
            yield tuple(reversed(value))
            yield tuple(about.items(each * 2) for each in value)
    else:
        low, high = about.slider or (about.minimum, about.maximum)
        base = low if value is None else value
        for other in (base / 4, base * 4 + 1):
            yield about.kind(min(max(other, low), min(high, 1e12)))
