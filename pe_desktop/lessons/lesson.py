"""What a lesson is: steps that set a state, ask for a prediction, reveal, and claim what a machine can check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pe_desktop.core.state import LabState
from pe_desktop.lessons.expression import Expectation, Expression

MOST_WORDS = 60  # of the text of a step, and of a reveal


class Kind(Enum):
    """How a prediction is made."""

    CHOOSE = "choose"
    NUMBER = "number"
    DRAW = "draw"


@dataclass(frozen=True)
class Prediction:
    """A question to answer before the answer is shown.

    Parameters
    ----------
    kind : Kind
    question : str
    reveal : str
        What is said once it is revealed, at most 60 words.
    options : tuple of str
        The answers to choose from; ``right`` is the place of the right one, from 0.
    answer : Expression or None
        For a number: what is right, worked out from the revealed state; ``within`` is how near counts as right.
    unit : str
        Of the number.
    hide : tuple of str
        Views and read-outs covered until it is revealed; of a drawing the similarity curve always is.
    changes : mapping
        Fields of the state that revealing changes.
    expect : tuple of Expectation
        What holds in the revealed state.
    lines : tuple of int
        Where each of them stands in its file, from 1.
    """

    kind: Kind
    question: str
    reveal: str
    options: tuple[str, ...] = ()
    right: int = 0
    answer: Expression | None = None
    within: float = 0.0
    unit: str = ""
    hide: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)
    expect: tuple[Expectation, ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Sweep:
    """What Play moves: a number of the state, or "params.base" and the like, from ``low`` to ``high`` and back.

    None: to the end of its range.
    """

    parameter: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Step:
    """One step of a lesson.

    Parameters
    ----------
    text : str
        At most 60 words.
    state : LabState
        Where it starts.
    title, note : str
        A few words above the text; what the speaker may say.
    point : tuple of str
        Controls, read-outs, lights and views it points at, by name.
    views : tuple of str
        Views brought to the front; presenting shows these alone.
    play : Sweep or None
    claims : tuple of int
        Numbers of the claims (see :data:`claims.CLAIMS`) that its expectations prove.
    expect : tuple of Expectation
        What holds in its state.
    prediction : Prediction or None
    line : int
        Where it begins in its file, from 1.
    lines : tuple of int
        Where each of its expectations stands.
    """

    text: str
    state: LabState
    title: str = ""
    note: str = ""
    point: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    play: Sweep | None = None
    claims: tuple[int, ...] = ()
    expect: tuple[Expectation, ...] = ()
    prediction: Prediction | None = None
    line: int = 0
    lines: tuple[int, ...] = ()

    @property
    def asks_for_drawing(self) -> bool:
        """Whether its prediction is a curve to be drawn."""
        return self.prediction is not None and self.prediction.kind is Kind.DRAW

    @property
    def revealed(self) -> LabState:
        """The state once its prediction is revealed; the same where there is none or it changes nothing."""
        changes = self.prediction.changes if self.prediction is not None else {}
        return self.state.change(changes) if changes else self.state


@dataclass(frozen=True)
class Lesson:
    """A lesson as read from its file.

    Parameters
    ----------
    name : str
        Its file's name without suffix; of a shipped lesson without the number in front, too.
    title, question, group : str
    steps : tuple of Step, at least one
    controls : tuple of str
        Controls a person needs; empty: all. The others are out of sight while the lesson shows its controls only.
    path : str
        Its file; of a shipped one its name within the package.
    """

    name: str
    title: str
    question: str
    group: str
    steps: tuple[Step, ...]
    controls: tuple[str, ...] = ()
    path: str = ""
