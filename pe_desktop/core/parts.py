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

from pe_desktop.core.scheme import Scheme

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Window:
    """The part of the plane a view shows, in cells, and the pixels it has for it.

    ``rows`` and ``columns`` are half-open ranges (first, past the last) of whole cells;
    ``height`` and ``width`` are device pixels.
    """

    rows: tuple[int, int]
    columns: tuple[int, int]
    height: int
    width: int


@dataclass(frozen=True)
class Viewport:
    """What the views show now: None means "all of it".

    ``rows`` (positions) is shared by the matrix and the similarity curve. ``matrix`` is the pixel
    size (height, width) of the matrix picture, ``curve`` the width of the curve, 0 while hidden.
    ``score_rows`` and ``score_columns`` are the window of the scores, ``scores`` the pixel size of their picture.
    ``shown`` names the panes (views made only while they are visible, see :class:`Pane`) to be made.
    """

    rows: tuple[int, int] | None = None
    columns: tuple[int, int] | None = None
    matrix: tuple[int, int] = (360, 480)
    curve: int = 480
    score_rows: tuple[int, int] | None = None
    score_columns: tuple[int, int] | None = None
    scores: tuple[int, int] = (360, 480)
    shown: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pane:
    """A view that is made only while it is visible: how its part comes to be.

    ``key`` says what the part depends on, ``make`` makes it (the last argument False: only what fits a frame, then
    the part's ``exact`` is False), ``is_quick`` whether making it in full fits a frame.
    """

    name: str
    key: Callable[[Any, Viewport], tuple[object, ...]]
    make: Callable[[Any, Viewport, bool], Any]
    is_quick: Callable[[Any, Viewport], bool]


@dataclass(frozen=True, eq=False, repr=False)
class MatrixPart:
    """The matrix picture.

    ``values`` (h, w) float32 are exact means of blocks of ``row_step`` x ``column_step`` cells;
    block (0, 0) starts at cell (``row_start``, ``column_start``). With ``kind`` "nothing" there is no
    picture and ``sentence`` says why. Colours run symmetrically over [-scale, scale]. Rows from
    ``defined_rows`` on have no vector (they are 0 in ``values``). ``spot_row`` is the inspected row.
    While only the spot moves, ``values`` stays the same object. ``exact`` is False while a coarser picture stands in
    for the full one (its cells are exact means all the same).
    """

    kind: str  # encoding | cos_sin | bias | nothing
    values: Float32
    row_start: int
    column_start: int
    row_step: int
    column_step: int
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


@dataclass(frozen=True, eq=False, repr=False)
class CurvePart:
    """The similarity curve: for each x the lowest and highest value its pixel covers.

    ``x`` (n,), ``low`` (n,), ``high`` (n,) float64; low is high where a point is one position.
    ``others`` holds fainter companions, one (n,) row each (the other heads of a bias).
    ``exact`` is False while a long curve is only sampled and the full one is being computed.
    ``defined`` positions have a value; x ranges over [0, length).
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


@dataclass(frozen=True, eq=False, repr=False)
class RotationPart:
    """The dials: one per chosen pair.

    ``pairs`` (k,) pair numbers out of ``pair_count``; ``labels`` one short text each (wavelength).
    ``query`` and ``key`` (k,) complex: the hand at the spot and at the key position, real part = cosine-like
    (to the right), imaginary part = sine-like (upwards); length 1 is the rim. ``arc`` (k,) rad is the turn
    from key to query, (m - n) times frequency, None where nothing turns. ``kind`` "text": only ``sentence``.
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
    tell what each part was made from.
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

    def part(self, name: str) -> Any:
        """The part of a view; None where it is a pane that was not shown."""
        return self.panes.get(name) if name not in _ALWAYS else getattr(self, name)


_ALWAYS = ("matrix", "similarity", "rotation", "attention", "readouts")


@dataclass(frozen=True)
class Cursor:
    """The one cursor: what the mouse is on, in terms every view understands.

    ``view`` names the view it was set from; each other field is None where it has no meaning there.
    ``row``/``column`` are a matrix cell, ``position`` a position, ``pair`` a rotated pair,
    ``query``/``key`` slots of the sentence, ``sentence`` "a", "b" or "difference".
    """

    view: str = ""
    position: int | None = None
    column: int | None = None
    pair: int | None = None
    query: int | None = None
    key: int | None = None
    sentence: str = "a"


NO_CURSOR = Cursor()
