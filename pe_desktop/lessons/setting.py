"""What a lesson sets, points at and plays: its changes of a state and its names, checked against the lab."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons import names
from pe_desktop.lessons.lesson import Sweep
from pe_desktop.lessons.table import Table
from pe_desktop.model.track import FIELDS, GROUPS, changes

STATE_KEYS = (*names.FIELDS, "swap_words", "params", "compare_params", "experiment_params")
WHOLE = ("dimension", "length", "position", "key_position", "head", "seed")
PLAY_KEYS = ("parameter", "from", "to")


def changed(state: LabState, table: Table) -> LabState:
    """The state after the changes that a table holds.

    Raises
    ------
    FieldError
        The state's own sentence, with the line of what it refuses.
    """
    if not table.values:
        return state
    for name in WHOLE:
        if isinstance(table.values.get(name), str):  # a state takes typed text, a file has numbers
            table.refuse(f'"{name}" is the text {table.values[name]!r}; write the number without quotes.', name)
    try:
        return state.change(table.values)
    except FieldError as error:
        table.refuse(error.message, *_place(error.field, table.values))


def _place(field: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Where among the changes the field of a refusal stands; () if it is not written there."""
    whole, _, name = field.partition(".")
    if whole in given:
        return (whole, name) if name else (whole,)
    for key, inner in given.items():
        if isinstance(inner, Mapping) and field in inner:
            return key, field
    return ()


def check_names(
    table: Table, key: str, given: Iterable[str], known: tuple[str, ...], states: Iterable[LabState] = ()
) -> None:
    """Refuse names that are not `known` and no parameter of the schemes and experiments of some states."""
    shown = names.on_screen(states)
    for place, name in enumerate(given):
        if name in known or name in shown:
            continue
        owners = names.owners(name)
        if owners and shown:
            table.refuse(f'"{name}" has no control here; it is a parameter of {", ".join(owners)}.', key, place)
        all_names = (*known, *sorted(shown))
        hint = names.nearest(name, all_names) or f" The names are {', '.join(all_names)}."
        table.refuse(f'there is no "{name}" that "{key}" could name.{hint}', key, place)


def sweep_of(table: Table, states: tuple[LabState, ...]) -> Sweep | None:
    """What a step plays: a name, or a table with the ends of its way."""
    if not table.has("play"):
        return None
    path: tuple[str, ...] = ("play",)
    if isinstance(table.values["play"], dict):
        about = table.table("play", "play", PLAY_KEYS)
        name, path = about.text("parameter", needed=True), (*path, "parameter")
        low, high = about.number("from"), about.number("to")
    else:
        name, low, high = table.text("play", needed=True), None, None
    state = _state_that_plays(table, name, path, states)
    for end, value in (("from", low), ("to", high)):
        if value is not None:
            _check_end(table, state, name, end, value)
    if low is not None and high is not None and low >= high:
        table.refuse(f'"from" is {low:g} and "to" is {high:g}; the way must go up.', "play", "to")
    return Sweep(name, low, high)


def _state_that_plays(table: Table, name: str, path: tuple[str, ...], states: tuple[LabState, ...]) -> LabState:
    """The first state that has the number; refused if none does."""
    for state in states:
        if name in _numbers(state):
            return state
    known = list(dict.fromkeys(each for state in states for each in _numbers(state)))
    within = [each for each in known if each.endswith(f".{name}")]
    hint = f' Did you mean "{within[0]}"?' if within else names.nearest(name, known)
    hint = hint or f" The numbers are {', '.join(known)}."
    table.refuse(f'"{name}" is no number that can be played.{hint}', *path)


def _numbers(state: LabState) -> Iterator[str]:
    """What Play can move: numbers of the state, and parameters as in "params.base"."""
    yield from FIELDS
    for group, owner in GROUPS.items():
        parametric = getattr(state, owner)
        if parametric is not None:
            yield from (f"{group}.{about.name}" for about in parametric.parameters() if about.kind in (int, float))


def _check_end(table: Table, state: LabState, name: str, end: str, value: float) -> None:
    try:
        state.change(changes(name, value))
    except FieldError as error:
        table.refuse(error.message, "play", end)
