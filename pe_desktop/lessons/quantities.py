"""The values that expectations speak of, looked up in a snapshot: see :mod:`quantity_table` for the names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from pe_desktop.core.experiment import ExperimentPart
from pe_desktop.core.part_attention import attention_part
from pe_desktop.core.part_experiment import experiment_key
from pe_desktop.core.part_readouts import properties_json, readouts_json, readouts_part
from pe_desktop.core.parts import AttentionPart, ReadoutsPart, Snapshot, Viewport
from pe_desktop.core.properties import LABELS
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.state import LabState
from pe_desktop.lessons import quantity_checks as checks
from pe_desktop.lessons import quantity_rows, quantity_scores, quantity_turns, quantity_words
from pe_desktop.lessons.quantity_table import QUANTITIES as QUANTITIES
from pe_desktop.lessons.quantity_table import table as table

FIGURE = "experiment."
CALLS: dict[str, Callable[..., float]] = {
    **quantity_rows.CALLS,
    **quantity_words.CALLS,
    **quantity_turns.CALLS,
    **quantity_scores.CALLS,
}


def _attention_factor(state: LabState) -> float:
    if not isinstance(state.built, Rotary):
        raise checks.lacks(state.built, "attention factor", "a rotary scheme")
    return state.built.amplitude


def _rows(state: LabState) -> float:
    return float(defined_rows(state.built))


def _words(state: LabState) -> float:
    return float(len(state.words_that_count))


VALUES: dict[str, Callable[[LabState], float]] = {
    **quantity_turns.VALUES,
    **quantity_scores.VALUES,
    "attention_factor": _attention_factor,
    "rows": _rows,
    "words": _words,
}
MOST_DONE = 64
# Experiments done lately, by what they depend on: several steps of a lesson look at the same one.
_DONE: dict[tuple[object, ...], ExperimentPart] = {}
_OF_STATE = ("dimension", "length", "position", "key_position", "heads")


class Quantities:
    """Looks quantities up in one snapshot, or for a state; what takes long is worked out once.

    Parameters
    ----------
    source : Snapshot or LabState
        A snapshot is taken as it is: a read-out that is still being worked out is refused. For a state alone only
        what is asked for is worked out.
    """

    def __init__(self, source: Snapshot | LabState) -> None:
        self._snapshot = source if isinstance(source, Snapshot) else None
        self._state: LabState = source if isinstance(source, LabState) else source.state
        self._found: dict[tuple[str, tuple[float, ...]], float | bool] = {}

    def value(self, name: str) -> float | bool:
        """A plain quantity, a parameter of the scheme, or "experiment.NAME".

        Raises
        ------
        FieldError
            If the scheme or the experiment does not have it, or it is not worked out yet.
        """
        key = (name, ())
        if key not in self._found:
            self._found[key] = self._look_up(name)
        return self._found[key]

    def call(self, name: str, arguments: Sequence[float]) -> float:
        """A quantity with arguments.

        Raises
        ------
        FieldError
            If the scheme does not have it, or an argument is out of its range.
        """
        key = (name, tuple(arguments))
        if key not in self._found:
            ways = QUANTITIES[name].arguments if name in CALLS else ()
            if not any(len(way) == len(arguments) for way in ways):
                raise checks.refuse(f"There is no quantity {name} of {len(arguments)} arguments.")
            self._found[key] = CALLS[name](self._state, *arguments)
        return self._found[key]

    def _look_up(self, name: str) -> float | bool:
        if name.startswith(FIGURE):
            return self._figure(name.removeprefix(FIGURE))
        if name in _OF_STATE:
            return float(getattr(self._state, name))
        if name in VALUES:
            return VALUES[name](self._state)
        if name in LABELS:
            return self._light(name)
        return self._readout(name) if name in QUANTITIES else self._parameter(name)

    def _part(self, full: bool) -> ReadoutsPart:
        """The read-outs and lights; for a state alone at first those that take no noticeable time."""
        if self._snapshot is not None:
            return self._snapshot.readouts
        return self._full_part if full else self._quick_part

    @cached_property
    def _attention(self) -> AttentionPart:
        return attention_part(self._state)

    @cached_property
    def _quick_part(self) -> ReadoutsPart:
        return readouts_part(self._state, self._attention, full=False)

    @cached_property
    def _full_part(self) -> ReadoutsPart:
        part = self._quick_part
        return part if part.exact else readouts_part(self._state, self._attention)

    @cached_property
    def _experiment(self) -> ExperimentPart:
        part = None if self._snapshot is None else self._snapshot.part("experiment")
        if isinstance(part, ExperimentPart) and part.exact:
            return part
        key = experiment_key(self._state, Viewport())
        if key not in _DONE:
            if len(_DONE) >= MOST_DONE:
                _DONE.pop(next(iter(_DONE)))
            _DONE[key] = self._state.built_experiment.run(self._state)
        return _DONE[key]

    def _readout(self, name: str) -> float:
        part = self._part(full=False)
        value = readouts_json(part)[name]
        if value is None and not part.exact:
            part = self._part(full=True)
            value = readouts_json(part)[name]
        if value is None and not part.exact:
            raise checks.refuse(f"{name} is still being worked out; wait for it.")
        if value is None and name.startswith(("input", "output")):
            raise checks.refuse(f"{name} has no value without a sentence B; set swap = true.")
        if value is None:
            raise checks.refuse(
                f"{self._state.built.title} has no {name} here; choose another scheme, or expect something else."
            )
        return float(value)

    def _light(self, name: str) -> bool:
        light = properties_json(self._part(full=False))[name]
        if light["holds"] is None:
            light = properties_json(self._part(full=True))[name]
        if light["holds"] is None:
            raise checks.refuse(f"The light {name} does not apply to {self._state.built.title}: {light['evidence']}")
        return bool(light["holds"])

    def _figure(self, name: str) -> float:
        part = self._experiment
        figure = part.figure(name)
        if figure is None and part.kind == "text":
            raise checks.refuse(f"The experiment {part.id} has no figures here: {part.sentence}")
        if figure is None:
            names = [each.name for each in part.figures]
            raise checks.refuse(f"The experiment {part.id} has no figure {name!r}; it has {', '.join(names)}.")
        if figure.value is None:
            raise checks.refuse(f"The figure {name!r} of the experiment {part.id} does not apply here: {figure.text}.")
        return float(figure.value)

    def _parameter(self, name: str) -> float | bool:
        scheme = self._state.built
        used = scheme.effective()
        if name not in used:
            declared = any(about.name == name for about in scheme.parameters())
            why = "plays no part with these settings" if declared else "is no parameter of it"
            have = f"it has {', '.join(used)}" if used else "it has none"
            raise checks.refuse(f"{scheme.title} has no {name}, which {why}; {have}.")
        value = used[name]
        if isinstance(value, bool):
            return value
        if not isinstance(value, int | float):
            raise checks.refuse(f"The parameter {name!r} of {scheme.title} is {value!r}, which is no number.")
        return float(value)
