"""Experiments: questions about position that need more than the views of one encoding, and how they are answered.

An experiment is one class in one file of ``core/experiments/``. It looks at a state, and gives plates (pictures that
any view can draw), figures (numbers with names, which lessons can ask for) and one sentence.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parametric import Parametric

if TYPE_CHECKING:
    from pe_desktop.core.state import LabState

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
QUICK = 1 << 22  # elementary steps that fit a frame


@dataclass(frozen=True, eq=False, repr=False)
class HeatPlate:
    """A plane of cells, rows downwards.

    ``values`` (h, w) float32 are finite. Colours run from ``low`` to ``high``, diverging about 0 where ``low`` is
    −``high``. ``row_labels`` and ``column_labels`` name each row and column, empty: they are numbered from
    ``first_row`` and ``first_column``. ``digits`` is how many decimals are written into a cell that has the room,
    None: none. ``marked`` are cells (row, column) to be ringed. ``note`` stands beside the title in muted text.
    """

    title: str
    values: Float32
    low: float
    high: float
    row_name: str = ""
    column_name: str = ""
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    first_row: int = 0
    first_column: int = 0
    digits: int | None = None
    marked: tuple[tuple[int, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Line:
    """A line of a :class:`LinePlate`: ``x`` and ``y`` (n,) float64, finite; ``dots`` also draws its points.

    ``role`` says what it is, so that its colour means one thing everywhere: "main", "other" (what is compared with),
    "query", "key", "trained", "faint".
    """

    name: str
    x: Float64
    y: Float64
    role: str = "main"
    dots: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class LinePlate:
    """Lines over one axis; ``marks`` are upright lines at an x with a short text.

    ``y_range`` None: from the lines. A logarithmic axis takes positive numbers only.
    """

    title: str
    lines: tuple[Line, ...]
    x_name: str
    y_name: str
    x_log: bool = False
    y_log: bool = False
    x_whole: bool = False
    y_range: tuple[float, float] | None = None
    marks: tuple[tuple[float, str], ...] = ()
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class BarPlate:
    """Bars lying beside their names, one group of bars a row: ``values`` (rows, bars) float64, finite, ≥ 0.

    ``bars`` names the bars of a group, ``roles`` gives their colours (see :class:`Line`).
    """

    title: str
    names: tuple[str, ...]
    values: Float64
    bars: tuple[str, ...]
    roles: tuple[str, ...]
    value_name: str
    note: str = ""


Plate = HeatPlate | LinePlate | BarPlate


@dataclass(frozen=True)
class Figure:
    """A number of an experiment: ``name`` is what lessons call it, ``value`` None: it does not apply here.

    ``shown`` False: left to lessons and to the command line, since the view says it in another way.
    """

    name: str
    label: str
    value: float | None
    text: str
    about: str = ""
    shown: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class ExperimentPart:
    """What an experiment came to. ``kind`` "text": nothing to draw, ``sentence`` says why.

    ``plates`` stand beside each other in order; ``point`` is the note beside the title; ``exact`` False: being worked
    out.
    """

    kind: str  # plates | text
    id: str
    title: str
    point: str
    sentence: str
    plates: tuple[Plate, ...] = ()
    figures: tuple[Figure, ...] = ()
    exact: bool = True

    def figure(self, name: str) -> Figure | None:
        """The figure of a name, None if there is none."""
        return next((figure for figure in self.figures if figure.name == name), None)


@dataclass(frozen=True, kw_only=True)
class Experiment(Parametric):
    """Base of all experiments; its fields are parameters, as a scheme's are.

    ``title`` names it in menus, ``question`` is the one it answers, ``source`` cites paper and year or library.
    ``fields`` are the fields of the state it looks at beside its parameters: it is worked out anew when one of them
    changes, and only then.
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    question: ClassVar[str] = ""
    source: ClassVar[str] = ""
    fields: ClassVar[tuple[str, ...]] = ()

    def cost(self, state: LabState) -> int:
        """Elementary steps that :meth:`run` takes, to be compared with :data:`QUICK`."""
        return 0

    @abstractmethod
    def run(self, state: LabState) -> ExperimentPart:
        """Do the experiment. One that takes long calls :func:`work.checkpoint` between its steps."""

    def part(self, point: str, sentence: str, plates: tuple[Plate, ...], figures: tuple[Figure, ...]) -> ExperimentPart:
        """What it came to."""
        return ExperimentPart("plates", self.id, self.title, point, sentence, plates, figures)

    def refusal(self, sentence: str) -> ExperimentPart:
        """Nothing to draw, and why."""
        return ExperimentPart("text", self.id, self.title, "", sentence)


E = TypeVar("E", bound=type[Experiment])
EXPERIMENTS: dict[str, type[Experiment]] = {}


def register(cls: E) -> E:
    """Class decorator: make an experiment known under its id; the order is the menu's."""
    EXPERIMENTS[cls.id] = cls
    return cls


def every_experiment() -> tuple[type[Experiment], ...]:
    """All experiments, in the order of the menu."""
    import pe_desktop.core.experiments  # noqa: F401  (registers all on first use)

    return tuple(EXPERIMENTS.values())


def experiment_class(name: str) -> type[Experiment]:
    """The class registered under an id, or a refusal that lists the ids."""
    every_experiment()
    if name in EXPERIMENTS:
        return EXPERIMENTS[name]
    raise FieldError("experiment", f"There is no experiment {name!r}; the experiments are {', '.join(EXPERIMENTS)}.")


def build_experiment(name: str, params: Mapping[str, Any]) -> Experiment:
    """Make an experiment from an id and a mapping of parameters.

    Raises
    ------
    FieldError
        For an unknown id, an unknown parameter, or a value out of range.
    """
    cls = experiment_class(name)
    cls.refuse_unknown(f"experiment {name!r}", params)
    return cls(**{key: value for key, value in params.items() if value is not None})
