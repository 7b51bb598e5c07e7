"""Writing lesson files: a state as a step that a teacher can paste, and a small lesson around it."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from pe_desktop.core.parts import Viewport
from pe_desktop.core.precision import PrecisionChoice
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.lessons.reading import FORMAT, MOST_LETTERS, VERSION
from pe_desktop.lessons.table import UNSEEN

SMALL = Viewport(matrix=(8, 8), curve=64)
EXPECTED = ("input_gap", "output_gap", "largest_value")  # read-outs that a fresh step expects to stay as they are
ROUNDING = 1e-9  # below it the digits of a value are noise
NAMELESS = "A lesson of my own"
MAPPINGS = {"params": "scheme", "compare_params": "compare", "experiment_params": "experiment"}


def step_text(state: LabState) -> str:
    """A state as a step of a lesson file, with expectations that hold in it.

    Parameters
    ----------
    state : LabState
        Parameters of schemes and experiments that are not chosen are left out.

    Returns
    -------
    str
        A block that begins with ``[[step]]``; only what differs from a fresh state is set.
    """
    lines = ["[[step]]", 'text = "What there is to see, in at most 60 words."']
    expect = ",\n".join(f'  "{text}"' for text in _expected(state))
    lines += [f"expect = [\n{expect},\n]"] if expect else []
    changes = [f"{name} = {_toml(value)}" for name, value in _changes(state)]
    lines += ["[step.state]", *changes] if changes else []
    return "\n".join(lines) + "\n"


def lesson_text(state: LabState, title: str) -> str:
    """A lesson file of one step, the state.

    Parameters
    ----------
    state : LabState
    title : str
        Cut where it is longer than a title may be.
    """
    title = " ".join(UNSEEN.sub(" ", title).split())[:MOST_LETTERS].rstrip() or NAMELESS
    head = {
        "format": FORMAT,
        "version": VERSION,
        "title": title,
        "question": "What does this lesson answer?",
        "group": "My lessons",
    }
    lines = [f"{name} = {_toml(value)}" for name, value in head.items()]
    return "\n".join(lines) + "\n\n" + step_text(state)


def _expected(state: LabState) -> Iterator[str]:
    """What a quick look at the state finds, as expectations."""
    snapshot = compute(state, SMALL, full=False)
    for readout in snapshot.readouts.readouts:
        if readout.name in EXPECTED and isinstance(readout.value, float) and math.isfinite(readout.value):
            yield f"{readout.name} == {_written(readout.value)}"


def _written(value: float) -> str:
    size = abs(value)
    if size < ROUNDING:
        return "0.000"
    return f"{value:.3f}" if 0.01 <= size < 1e9 else f"{value:.3e}"


def _changes(state: LabState) -> Iterator[tuple[str, Any]]:
    """The fields that differ from a fresh state, as a lesson writes them."""
    fresh = LabState()
    for field in dataclasses.fields(state):
        name, value = field.name, getattr(state, field.name)
        if name in MAPPINGS:
            value = dict(value.get(getattr(state, MAPPINGS[name]), {}))
            if value:
                yield name, value
        elif value == getattr(fresh, name):
            continue
        elif isinstance(value, PrecisionChoice):
            about = PrecisionChoice.parameters()
            yield name, {each.name: getattr(value, each.name) for each in about if _differs(value, each.name)}
        else:
            yield name, value


def _differs(choice: PrecisionChoice, name: str) -> bool:
    return bool(getattr(choice, name) != getattr(PrecisionChoice(), name))


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON escapes what TOML does, but for the one control character above the space and halves of letters.
        text = value.encode("utf-8", "replace").decode("utf-8")
        return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
