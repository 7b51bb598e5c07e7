"""The state of the laboratory: one frozen value, validated in one place."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pe_desktop.core import sentence as words
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.experiment import Experiment, build_experiment
from pe_desktop.core.numbers import plain_number
from pe_desktop.core.precision import PrecisionChoice
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE, Scheme, build
from pe_desktop.core.state_params import (
    NO_PARAMS,
    Params,
    build_b,
    merge,
    merge_b,
    merge_experiment,
    read_experiments,
    read_params,
)

FORMAT = "pe-desktop session"
VERSION = 1
TOY_HEADS = 8
LABELS = {
    "scheme": "Scheme",
    "dimension": "Model dimension",
    "length": "Sequence length",
    "position": "Inspect spot",
    "key_position": "Key position",
    "sentence": "Sentence",
    "swap": "Swap two words",
    "swap_words": "Words to swap",
    "causal": "Causal mask",
    "head": "Head",
    "seed": "Seed",
    "compare": "Compare with",
    "precision": "Precision",
    "experiment": "Experiment",
}
SEED_RANGE = (0, 999_999)
MAPPINGS = (
    "params",
    "precision",
    "compare_params",
    "experiment_params",
)  # fields whose changes are merged into what there is


@dataclass(frozen=True)
class LabState:
    """What a person has chosen; everything on screen follows from it.

    Build one with :meth:`change`, which validates; the constructor alone does not.

    Parameters
    ----------
    scheme : str
        Id of the encoding.
    dimension, length : int
        Model dimension d and sequence length L.
    position, key_position : int
        Inspected spot (the query m) and the second spot (the key n), both in [0, L).
    sentence : str
        Words separated by white space.
    swap : bool
        Whether sentence B (two words exchanged) is shown.
    swap_words : (int, int) or None
        Slots to exchange, from 0; None means the pair chosen by :func:`sentence.default_swap`.
    causal, head, seed : bool, int, int
        Attention: the mask, the head shown, the seed of the toy weights.
    params : mapping of scheme id to mapping of parameter to value
        Only what differs from the defaults; kept per scheme, so switching back loses nothing.
    precision : PrecisionChoice
        Number formats under study; a change maps names to values.
    compare : str
        Id of the encoding that is compared with (B), "" while none is.
    compare_params : mapping of scheme id to mapping of parameter to value
        As ``params``, for B.
    experiment : str
        Id of the experiment that the Experiment view shows.
    experiment_params : mapping of experiment id to mapping of parameter to value
        As ``params``, for experiments.
    """

    scheme: str = "sinusoidal"
    dimension: int = 64
    length: int = 128
    position: int = 12
    key_position: int = 20
    sentence: str = "The dog bit the man"
    swap: bool = False
    swap_words: tuple[int, int] | None = None
    causal: bool = False
    head: int = 0
    seed: int = 0
    params: Params = field(default_factory=lambda: NO_PARAMS)
    precision: PrecisionChoice = field(default_factory=PrecisionChoice)
    compare: str = ""
    compare_params: Params = field(default_factory=lambda: NO_PARAMS)
    experiment: str = "shuffle"
    experiment_params: Params = field(default_factory=lambda: NO_PARAMS)

    @cached_property
    def built(self) -> Scheme:
        """The scheme with its parameters."""
        return build(self.scheme, self.params.get(self.scheme, {}), self.dimension, self.length)

    @cached_property
    def built_b(self) -> Scheme | None:
        """The scheme that is compared with, of the same dimension and length; None while nothing is compared."""
        return build_b(self.compare_params, self.compare, self.dimension, self.length)

    @cached_property
    def built_experiment(self) -> Experiment:
        """The experiment with its parameters."""
        return build_experiment(self.experiment, self.experiment_params.get(self.experiment, {}))

    @cached_property
    def as_b(self) -> LabState:
        """The state in which B, the scheme that is compared with, takes the place of A."""
        heads = (self.built_b.heads if self.built_b else None) or TOY_HEADS
        return dataclasses.replace(
            self,
            scheme=self.compare,
            params=self.compare_params,
            compare="",
            compare_params=NO_PARAMS,
            head=min(self.head, heads - 1),
        )

    @property
    def heads(self) -> int:
        """Heads to choose from: the scheme's own number, or that of the toy attention."""
        return self.built.heads or TOY_HEADS

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence."""
        return words.split(self.sentence)

    @property
    def words_that_count(self) -> tuple[str, ...]:
        """The words that have a position and are not past the 512th: those that take part in attention."""
        last = self.built.last_position
        room = self.length if last is None else min(self.length, last + 1)
        return self.words[: min(room, words.MOST_WORDS)]

    @property
    def swap_pair(self) -> tuple[int, int] | None:
        """The slots to exchange, or None where no two words take part."""
        return self.swap_words or words.default_swap(self.words_that_count)

    def change(self, changes: Mapping[str, Any]) -> LabState:
        """A new state with some fields changed.

        Parameters
        ----------
        changes : mapping
            Field to value; ``params`` maps parameter names of the (new) scheme to values, a value equal to
            the default is dropped; ``compare_params`` does the same for the (new) scheme B, ``experiment_params`` for
            the (new) experiment.

        Returns
        -------
        LabState
            Positions and the head move to the last valid value when a *new* length, sentence or scheme
            leaves them outside.

        Raises
        ------
        FieldError
            In one sentence; nothing has changed then.
        """
        unknown = [name for name in changes if name not in _FIELDS]
        if unknown:
            raise FieldError(unknown[0], f"There is no setting {unknown[0]!r}; the settings are {', '.join(_FIELDS)}.")
        checked = {name: _check(name, value) for name, value in changes.items() if name not in MAPPINGS}
        new = dataclasses.replace(self, **checked)
        if "params" in changes:
            sizes = new.dimension, new.length
            new = dataclasses.replace(new, params=merge(new.params, new.scheme, changes["params"], *sizes))
        if "precision" in changes:
            new = dataclasses.replace(new, precision=new.precision.changed(changes["precision"]))
        if "compare_params" in changes:
            sizes = new.dimension, new.length
            params = merge_b(new.compare_params, new.compare, changes["compare_params"], *sizes)
            new = dataclasses.replace(new, compare_params=params)
        if "experiment_params" in changes:
            params = merge_experiment(new.experiment_params, new.experiment, changes["experiment_params"])
            new = dataclasses.replace(new, experiment_params=params)
        new = _settle(new, changes)
        return self if new == self else new

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready mapping that :func:`from_json` reads back to an equal state."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        for name in ("params", "compare_params", "experiment_params"):
            plain[name] = {scheme: dict(values) for scheme, values in getattr(self, name).items()}
        plain["precision"] = self.precision.to_json()
        plain["swap_words"] = list(self.swap_words) if self.swap_words else None
        return {"format": FORMAT, "version": VERSION, **plain}


_FIELDS = tuple(f.name for f in dataclasses.fields(LabState))
_RANGES = {"dimension": DIMENSION_RANGE, "length": LENGTH_RANGE, "seed": SEED_RANGE}


def _check(name: str, value: Any) -> Any:
    label = LABELS[name]
    if name in ("dimension", "length", "seed", "position", "key_position", "head"):
        number = plain_number(value, name, label, whole=True)
        if name not in _RANGES and number < 0:  # its upper end depends on other fields: see _settle
            raise FieldError(name, f"{label} is {number:,}; it must be 0 or more.")
        low, high = _RANGES.get(name, (0, number))
        if not low <= number <= high:
            raise FieldError(name, f"{label} is {number:,}; it must lie between {low:,} and {high:,}.")
        return number
    if name in ("swap", "causal"):
        if not isinstance(value, bool):
            raise FieldError(name, f"{label} is {value!r}; it must be true or false.")
        return value
    if name == "swap_words":
        return None if value is None else _check_pair(value)
    if not isinstance(value, str):
        raise FieldError(name, f"{label} is {value!r}; it must be text.")
    return words.clean(value) if name == "sentence" else value


def _check_pair(value: Any) -> tuple[int, int]:
    label = LABELS["swap_words"]
    if isinstance(value, str) or not hasattr(value, "__len__") or len(value) != 2:
        raise FieldError(
            "swap_words", f"{label} is {value!r}; it must be two word numbers counted from 0, such as 1,4."
        )
    first, second = (plain_number(slot, "swap_words", label, whole=True) for slot in value)
    if min(first, second) < 0:
        raise FieldError("swap_words", f"Word {min(first, second)} does not exist: words are counted from 0.")
    if first == second:
        raise FieldError("swap_words", f"Word {first} swapped with itself changes nothing; choose two different words.")
    return first, second


def _settle(state: LabState, asked: Mapping[str, Any]) -> LabState:
    """Check what depends on several fields; move what was not asked for into its range."""
    state.built  # noqa: B018  (refuses impossible combinations)
    state.built_b  # noqa: B018
    if "experiment" in asked:
        state.built_experiment  # noqa: B018  (only then: a start need not load them)
    moved: dict[str, Any] = {}
    limits = {"position": state.length, "key_position": state.length, "head": state.heads}
    for name, count in limits.items():
        value = getattr(state, name)
        if value < count:
            continue
        if name in asked:
            why = f"the sequence has {count:,} positions" if name != "head" else f"there are {count} heads"
            raise FieldError(
                name,
                f"{LABELS[name]} is {value:,}, but {why}; it must lie between 0 and {count - 1:,}.",
                (Fix(f"Use {count - 1:,}", {name: count - 1}),),
            )
        moved[name] = count - 1
    if state.swap_words and max(state.swap_words) >= len(state.words):
        if asked.get("swap_words") is not None:
            raise FieldError(
                "swap_words",
                f"Word {max(state.swap_words)} does not exist: the sentence has {len(state.words)} words, "
                "counted from 0.",
            )
        moved["swap_words"] = None
    return dataclasses.replace(state, **moved) if moved else state


def from_json(data: Any) -> LabState:
    """Read a state back from what :meth:`LabState.to_json` gave.

    Raises
    ------
    FieldError
        If it is not a session, is of a newer version, or holds a value that cannot be.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise FieldError("session", f'This is not a PE Desktop session: the entry "format" must read {FORMAT!r}.')
    version = data.get("version")
    if version != VERSION:
        raise FieldError(
            "session", f"This session has version {version!r}; this program reads version {VERSION}. Update PE Desktop."
        )
    fields = {name: value for name, value in data.items() if name not in ("format", "version")}
    params, params_b = (read_params(fields.pop(name, {})) for name in ("params", "compare_params"))
    experiments = read_experiments(fields.pop("experiment_params", {}))
    return LabState(params=params, compare_params=params_b, experiment_params=experiments).change(fields)


def read_session(text: str) -> LabState:
    """Read a state from the text of a session file."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError("session", f"This is not a PE Desktop session: it is not JSON ({error}).") from error
    return from_json(data)
