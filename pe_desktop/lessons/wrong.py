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
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.state import LabState
from pe_desktop.lessons.check import expectations
from pe_desktop.lessons.expression import Expectation
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.quantities import Quantities

# Those first that break most: no vectors at all, vectors that grow, and others that act elsewhere.
FIRST = ("none", "integer", "sinusoidal", "alibi", "rope", "normalized", "learned")

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
    lately: dict[str, None] = {}
    for number, step in enumerate(lesson.steps, start=1):
        laboratories = {False: _Wrongs(step.state, lately), True: _Wrongs(step.revealed, lately)}
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
    """The wrong states beside one state, each looked at when it is first asked for.

    ``lately`` names what broke other expectations of the lesson, the latest last: it is tried first.
    """

    def __init__(self, state: LabState, lately: dict[str, None]) -> None:
        self._candidates = list(_candidates(state))
        self._lately = lately
        self._found: dict[str, Quantities] = {}

    def breaking(self, expectation: Expectation) -> _Break:
        """What makes an expectation plainly false, else what leaves it without a value."""
        least = _Break()
        names = set(re.findall(r"[a-z_]+", expectation.text)) - {"and", "or", "not"}
        places = {by: place for place, by in enumerate(self._lately)}
        for by, scheme, state in sorted(self._candidates, key=lambda each: -places.get(each[0], -1)):
            if by in SIZES and names <= set(SIZES):
                continue
            if by not in self._found:
                self._found[by] = Quantities(state)
            verdict = expectation.judge(self._found[by])
            if not verdict.holds:
                found = _Break(by, scheme, verdict.missing)
                if not verdict.missing:
                    self._lately.pop(by, None)
                    self._lately[by] = None
                    return found
                least = least if least.by else found
        return least


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
