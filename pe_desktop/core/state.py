"""The state of the laboratory: one frozen value, validated in one place."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from pe_desktop.core import sentence as words
from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.core.numbers import plain_number
from pe_desktop.core.scheme import DIMENSION_RANGE, LENGTH_RANGE, Scheme, build, scheme_class

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
}
SEED_RANGE = (0, 999_999)


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
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: MappingProxyType({}))

    @cached_property
    def built(self) -> Scheme:
        """The scheme with its parameters."""
        return build(self.scheme, self.params.get(self.scheme, {}), self.dimension, self.length)

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
            the default is dropped.

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
        checked = {name: _check(name, value) for name, value in changes.items() if name != "params"}
        new = dataclasses.replace(self, **checked)
        if "params" in changes:
            new = dataclasses.replace(new, params=_merge(new, changes["params"]))
        new = _settle(new, changes)
        return self if new == self else new

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready mapping that :func:`from_json` reads back to an equal state."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        plain["params"] = {scheme: dict(values) for scheme, values in self.params.items()}
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


def _merge(state: LabState, changes: Any) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(changes, Mapping):
        raise FieldError("params", f"The parameters are {changes!r}; they must map names to values.")
    given = dict(state.params.get(state.scheme, {})) | dict(changes)
    scheme = build(state.scheme, given, state.dimension, state.length)
    kept = {
        about.name: getattr(scheme, about.name)
        for about in scheme.parameters()
        if about.name in given and given[about.name] is not None and getattr(scheme, about.name) != about.default
    }
    params = {name: values for name, values in state.params.items() if name != state.scheme}
    if kept:
        params[state.scheme] = MappingProxyType(kept)
    return MappingProxyType(params)


def _settle(state: LabState, asked: Mapping[str, Any]) -> LabState:
    """Check what depends on several fields; move what was not asked for into its range."""
    state.built  # noqa: B018  (refuses impossible combinations)
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
    params = fields.pop("params", {})
    if not isinstance(params, Mapping):
        raise FieldError("params", f"The parameters are {params!r}; they must map scheme ids to their values.")
    kept = {scheme: MappingProxyType(_check_params(scheme, values)) for scheme, values in params.items()}
    given = MappingProxyType({scheme: values for scheme, values in kept.items() if values})
    return LabState(params=given).change(fields)


def _check_params(scheme: str, values: Any) -> dict[str, Any]:
    """Check each parameter alone: those of a scheme that is not chosen need not fit the dimension."""
    if not isinstance(values, Mapping):
        raise FieldError("params", f"The parameters of {scheme!r} are {values!r}; they must map names to values.")
    known = {about.name: about for about in scheme_class(scheme).parameters()}
    for name in values:
        if name not in known:
            raise FieldError(str(name), f"The scheme {scheme!r} has no parameter {name!r}.")
    checked = {name: known[name].check(value) for name, value in values.items()}
    return {name: value for name, value in checked.items() if value != known[name].default}


def read_session(text: str) -> LabState:
    """Read a state from the text of a session file."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError("session", f"This is not a PE Desktop session: it is not JSON ({error}).") from error
    return from_json(data)
