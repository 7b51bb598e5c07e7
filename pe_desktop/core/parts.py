"""What a snapshot is made of: one frozen part per view, each complete in itself.

A part carries its picture, the words around it and the numbers they rest on, so that a view only
draws and never computes. Parts are replaced as wholes: a view redraws when its part is another
object than before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.stage import Stage

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Window:
    """The part of the plane a view shows, in cells, and the pixels it has for it.

    ``rows`` and ``columns`` are ranges of edges (low, high) in cells, cell c from c to c + 1; an edge may lie within a
    cell. ``height`` and ``width`` are device pixels.
    """

    rows: tuple[float, float]
    columns: tuple[float, float]
    height: int
    width: int


@dataclass(frozen=True)
class Viewport:
    """What the views show now: None means "all of it", a range is one of edges, see :class:`Window`.

    ``rows`` (positions) is shared by the matrix and the similarity curve. ``matrix`` is the pixel
    size (height, width) of the matrix picture, ``curve`` the width of the curve, 0 while hidden.
    ``score_rows`` and ``score_columns`` are the window of the scores, ``scores`` the pixel size of their picture.
    ``shown`` names the panes (views made only while they are visible, see :class:`Pane`) to be made, ``spectrum`` the
    picture of the spectrum that is wanted where the scheme has it, ``precision`` the pixel size of the error picture,
    whose window is ``rows`` and ``precision_pairs``, ``grid`` the pixel size of the picture of patches.
    ``statistic`` and ``score_statistic`` are what a pixel of the matrix and of the scores shows of the cells it covers:
    their "mean", or the "lowest" or "highest" of them.
    """

    rows: tuple[float, float] | None = None
    columns: tuple[float, float] | None = None
    matrix: tuple[int, int] = (360, 480)
    curve: int = 480
    score_rows: tuple[float, float] | None = None
    score_columns: tuple[float, float] | None = None
    scores: tuple[int, int] = (360, 480)
    shown: frozenset[str] = frozenset()
    spectrum: str = "wavelengths"
    precision: tuple[int, int] = (360, 480)
    precision_pairs: tuple[float, float] | None = None
    grid: tuple[int, int] = (240, 240)
    statistic: str = "mean"
    score_statistic: str = "mean"


@dataclass(frozen=True)
class Pane:
    """A view that is made only while it is visible: how its part comes to be.

    ``key`` says what the part depends on, ``make`` makes it (the last argument False: only what fits a frame, then
    the part's ``exact`` is False), ``is_quick`` whether making it in full fits a frame. ``stage`` is when it is made in
    full where it does not.
    """

    name: str
    key: Callable[[Any, Viewport], tuple[object, ...]]
    make: Callable[[Any, Viewport, bool], Any]
    is_quick: Callable[[Any, Viewport], bool]
    stage: Stage = Stage.PICTURES


@dataclass(frozen=True, eq=False, repr=False)
class MatrixPart:
    """The matrix picture.

    ``values`` (h, w) float32 are exact means of the blocks ``rows`` x ``columns`` of cells. With ``kind`` "nothing"
    there is no picture and ``sentence`` says why. Colours run symmetrically over [-scale, scale]. Rows from
    ``defined_rows`` on have no vector (they are 0 in ``values``). ``spot_row`` is the inspected row.
    While only the spot moves, ``values`` stays the same object. ``exact`` is False while a coarser picture stands in
    for the full one; its cells are exact means all the same, unless ``pixel`` says that they are the middles of blocks.
    ``statistic`` is what ``values`` are of their blocks: "mean", "lowest" or "highest".
    """

    kind: str  # encoding | cos_sin | bias | nothing
    values: Float32
    rows: Blocks
    columns: Blocks
    shape: tuple[int, int]
    scale: float
    defined_rows: int
    spot_row: int
    exact: bool
    title: str
    pixel: str
    sentence: str
    row_label: str
    column_label: str
    statistic: str = field(default="mean", kw_only=True)

    @property
    def single(self) -> bool:
        """Whether each cell of the picture is one cell of the matrix."""
        return self.rows.step <= 1.0 and self.columns.step <= 1.0


@dataclass(frozen=True, eq=False, repr=False)
class ScoresPart(MatrixPart):
    """The position part of the scores, kind "scores" or "nothing": queries downwards, keys across.

    ``spot_row`` is the query and ``key_column`` the key that were chosen. Rows and columns from ``defined_rows`` on
    have no vector. ``upper`` says what is the matter with keys after their query, such as "masked", "" if nothing.
    ``is_matrix`` tells that the matrix shows the same plane (a bias), so that its columns are keys too.
    """

    key_column: int
    upper: str
    is_matrix: bool


@dataclass(frozen=True, eq=False, repr=False)
class CurvePart:
    """The similarity curve: for each x the lowest and highest value its pixel covers.

    ``x`` (n,), ``low`` (n,), ``high`` (n,) float64; low is high where a point is one position.
    ``others`` holds fainter companions, one (n,) row each (the other heads of a bias).
    ``exact`` is False while a long curve is only sampled and the full one is being computed.
    ``defined`` positions have a value; x ranges over [0, length). ``hatch`` says what the others lack.
    ``second`` is the curve of the scheme that is compared with, where it is drawn too, and ``names`` then says which
    scheme each of the two belongs to. ``edges`` (n + 1,): point i is that of the positions edges[i] .. edges[i+1]-1;
    None where each point is that of its position alone.
    """

    kind: str  # cosine | score | bias | nothing
    x: Float64
    low: Float64
    high: Float64
    others: tuple[Float64, ...]
    other_labels: tuple[str, ...]
    y_range: tuple[float, float]
    spot: int
    spot_value: float | None
    length: int
    defined: int
    exact: bool
    title: str
    point: str
    sentence: str
    y_label: str
    hatch: str = "no vector"
    second: CurvePart | None = None
    names: tuple[str, str] = ("", "")
    edges: Index | None = None

    def point_of(self, position: int) -> tuple[int, int] | None:
        """The point that covers a position, and how many positions it covers; None if there is none."""
        if self.edges is None:
            at = int(np.searchsorted(self.x, position))
            return (at, 1) if at < len(self.x) and self.x[at] == position else None
        at = int(np.searchsorted(self.edges, position, side="right")) - 1
        return (at, int(self.edges[at + 1] - self.edges[at])) if 0 <= at < len(self.x) else None


@dataclass(frozen=True, eq=False, repr=False)
class RotationPart:
    """The dials: one per chosen pair.

    ``pairs`` (k,) pair numbers out of ``pair_count``; ``labels`` one short text each (wavelength).
    ``query`` and ``key`` (k,) complex: the hand at the spot and at the key position, real part = cosine-like
    (to the right), imaginary part = sine-like (upwards); length 1 is the rim. ``arc`` (k,) rad is the turn
    from key to query, (m - n) times frequency, None where nothing turns. ``kind`` "text": only ``sentence``.
    ``regime`` (k,): what a length extension did to each pair (see :mod:`extension`), None where it did nothing.
    ``shift_note`` says what moving query and key together does. ``exact`` is False while the sentence is to follow.
    """

    kind: str  # hands | rotary | text
    pairs: Index
    pair_count: int
    labels: tuple[str, ...]
    query: NDArray[np.complex128]
    key: NDArray[np.complex128]
    arc: Float64 | None
    position: int
    key_position: int
    title: str
    point: str
    sentence: str
    regime: NDArray[np.int8] | None = None
    shift_note: str = "Move query and key together: the gap stays, and so does every arc"
    exact: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class AttentionPart:
    """The toy attention over the sentence.

    ``tokens_a``/``tokens_b`` are the words in order; ``weights_a``/``weights_b`` (n, n) float32 rows sum to 1 (row =
    query); ``scores_*`` what the softmax was taken of, before the mask. B is None while the swap is off or impossible.
    ``swapped`` are the two slots exchanged. The gaps are None without a sentence B. ``exact`` False: being computed.
    """

    tokens_a: tuple[str, ...]
    tokens_b: tuple[str, ...] | None
    weights_a: Float32
    weights_b: Float32 | None
    scores_a: Float32
    scores_b: Float32
    swapped: tuple[int, int] | None
    words_total: int
    causal: bool
    head: int
    heads: int
    exact: bool
    title: str
    pixel: str
    sentence: str
    input_gap: float | None
    output_gap: float | None
    output_gap_travelling: float | None


@dataclass(frozen=True, eq=False, repr=False)
class ComparePart:
    """What is shown of B, the scheme that is compared with.

    ``verdict`` is one of those of :mod:`compare`, "" while it is worked out; ``sentence`` says it. ``notes`` are
    sentences about B's parameters. ``similarity``,
    ``matrix`` and ``scores`` are B's parts in the windows of A's; ``matrix_difference`` and ``scores_difference``
    exact means of A - B, of kind "nothing" with a sentence where there is no such thing. ``curve`` is A's curve with
    B's as its second, or with the reason why that is not drawn. The two of the scores are None while their view is
    hidden. ``exact`` False: something is still to be worked out.
    """

    verdict: str
    sentence: str
    title_a: str
    title_b: str
    notes: tuple[str, ...]
    similarity: CurvePart
    curve: CurvePart
    matrix: MatrixPart
    matrix_difference: MatrixPart
    scores: ScoresPart | None
    scores_difference: ScoresPart | None
    exact: bool


@dataclass(frozen=True)
class Light:
    """One property: whether it holds (None: not applicable), its short number and its evidence."""

    name: str
    label: str
    holds: bool | None
    number: str
    evidence: str


@dataclass(frozen=True)
class Readout:
    """One number for the read-out table: ``value`` None means the scheme does not have it."""

    name: str
    label: str
    value: Any
    text: str
    tooltip: str
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class ReadoutsPart:
    """The read-out table and the five lights; ``exact`` False: scans are still being computed."""

    readouts: tuple[Readout, ...]
    properties: tuple[Light, ...]
    exact: bool


@dataclass(frozen=True, eq=False, repr=False)
class Snapshot:
    """Everything the window shows of one state.

    ``panes`` holds the parts of the visible panes by name, ``notes`` are sentences about the parameters; ``keys``
    tell what each part was made from. ``compare`` is None while nothing is compared.
    """

    state: Any
    generation: int
    scheme: Scheme
    matrix: MatrixPart
    similarity: CurvePart
    rotation: RotationPart
    attention: AttentionPart
    readouts: ReadoutsPart
    panes: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    keys: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    compare: ComparePart | None = None

    def part(self, name: str) -> Any:
        """The part of a view; None where it is a pane that was not shown.

        ``compare.matrix`` and the like name the parts of :class:`ComparePart`.
        """
        whole, _, piece = name.partition(".")
        part = self.panes.get(whole) if whole not in _ALWAYS else getattr(self, whole)
        return getattr(part, piece, None) if piece else part


_ALWAYS = ("matrix", "similarity", "rotation", "attention", "readouts", "compare")


@dataclass(frozen=True)
class Cursor:
    """The one cursor: what the mouse is on, in terms every view understands.

    ``view`` names the view it was set from; each other field is None where it has no meaning there.
    ``row``/``column`` are a matrix cell, ``position`` a position, ``pair`` a rotated pair,
    ``query``/``key`` slots of the sentence, ``sentence`` "a", "b" or "difference"; ``place`` is where on an axis
    of the view's own (a length, a distance, a head); ``plate`` is the number of a plate of the experiment, and in it a
    cell (row, column), a line and its point, or a name and its bar.
    """

    view: str = ""
    position: int | None = None
    column: int | None = None
    pair: int | None = None
    query: int | None = None
    key: int | None = None
    sentence: str = "a"
    place: int | None = None
    plate: tuple[int, int, int] | None = None


NO_CURSOR = Cursor()
