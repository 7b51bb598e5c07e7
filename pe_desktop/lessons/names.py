"""What a lesson can name: controls, read-outs, lights and views."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache

from pe_desktop.core.experiment import EXPERIMENTS, experiment_class
from pe_desktop.core.parametric import Parametric
from pe_desktop.core.scheme import REGISTRY, scheme_class
from pe_desktop.core.state import LabState
from pe_desktop.view_names import VIEW_NAMES

FIELDS = (
    "scheme",
    "dimension",
    "length",
    "position",
    "key_position",
    "sentence",
    "swap",
    "causal",
    "head",
    "seed",
    "compare",
    "precision",
    "experiment",
)
READOUTS = (
    "input_gap",
    "output_gap",
    "output_gap_travelling",
    "largest_value",
    "row_norm",
    "closest_pair",
    "gap_spread",
    "rotation_residual",
)
LIGHTS = ("bounded", "unique", "steady", "relative", "goes_past_training")
VIEWS = VIEW_NAMES


@cache
def owners(name: str) -> tuple[str, ...]:
    """Ids of the schemes and experiments that have a parameter of this name."""
    return tuple(owner for owner, cls in _parametric() if name in _parameters(cls))


def _parametric() -> Iterable[tuple[str, type[Parametric]]]:
    scheme_class("none")  # which loads all of them
    experiment_class("shuffle")
    yield from REGISTRY.items()
    yield from EXPERIMENTS.items()


def _parameters(cls: type[Parametric]) -> tuple[str, ...]:
    return tuple(about.name for about in cls.parameters())


def on_screen(states: Iterable[LabState]) -> frozenset[str]:
    """The parameters that have a control in one of some states: those that play a part there."""
    owners = (each for state in states for each in (state.built, state.built_b, state.built_experiment))
    return frozenset(name for owner in owners if owner is not None for name in owner.effective())


def nearest(name: str, known: Iterable[str]) -> str:
    """A question for the nearest known name, such as ' Did you mean "point"?'; empty if none is near."""
    near = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f' Did you mean "{near[0]}"?' if near else ""
