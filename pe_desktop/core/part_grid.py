"""The grid part of a snapshot: the patches of an image, how like the spot each is, and which axis each pair reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.gridded import Gridded, reach_of
from pe_desktop.core.numerals import short, whole
from pe_desktop.core.parts import Float32, Index, Pane, Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.scheme import Acts, Float, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.state import LabState

MOST_LABELS = 400
EMPTY: Float32 = np.zeros((0, 0), dtype=np.float32)
NOTHING_HELD: NDArray[np.bool_] = np.zeros((0, 0), dtype=np.bool_)
NO_PAIRS: Index = np.zeros(0, dtype=np.intp)
Cell = tuple[int, int]


@dataclass(frozen=True, eq=False, repr=False)
class GridPart:
    """One frame of patches and the axes of the pairs.

    ``values`` (h, w) float32: similarity to the spot, exact means over blocks of ``row_step`` x ``column_step`` of the
    ``shape`` (rows, columns) patches. Token ``first`` is the patch at row 0, column 0; ``patches`` of them, row by row,
    lie in the sequence. ``spot`` and ``key`` are (row, column), None outside this frame; ``labels`` one text per patch,
    row by row, empty where there are too many. ``held`` (h, w) says which cells have a patch in the sequence; their
    values reach from ``low`` to ``high``. ``before`` and ``after`` describe the tokens around the patches, the
    longer text first. ``pair_axis`` (k,) says which of ``axis_names`` each pair reads, ``axis_notes`` how many there
    are and how long their waves, the longer text first. ``kind`` "text": only ``sentence``.
    """

    kind: str  # grid | text
    values: Float32
    held: NDArray[np.bool_]
    low: float
    high: float
    row_step: int
    column_step: int
    shape: tuple[int, int]
    first: int
    patches: int
    spot: Cell | None
    key: Cell | None
    labels: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    pair_axis: Index
    axis_names: tuple[str, ...]
    axis_notes: tuple[tuple[str, ...], ...]
    title: str
    point: str
    sentence: str
    exact: bool = True


@dataclass(frozen=True)
class Frame:
    """The frame shown: its number, from 0, its first token, and how many of its patches are in the sequence."""

    number: int
    first: int
    rows: int
    columns: int
    patches: int


def grid_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the part depends on."""
    if not isinstance(state.built, Gridded):
        return (type(state.built),)
    return state.built, state.position, state.key_position, _steps(state, viewport)


def grid_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Always: blocks of any size cost as much as single patches."""
    return True


def grid_part(state: LabState, viewport: Viewport, full: bool = True) -> GridPart:
    """Make the grid part; `full` makes no difference."""
    scheme, spot = state.built, state.position
    if not isinstance(scheme, Gridded):
        return _text(_why_no_grid(scheme))
    frame = _frame(scheme, spot, state.key_position)
    if frame is None:
        before = whole(scheme.image.start)
        return _text(
            f"No patch is in sight: the {before} tokens before the image fill the sequence of {whole(scheme.length)}. "
            "Make it longer."
        )
    steps = _steps(state, viewport)
    values, held = _values(scheme, spot, frame, steps), _held(frame, steps)
    low, high = float(values[held].min()), float(values[held].max())
    single = steps == (1, 1)
    return GridPart(
        kind="grid",
        values=values,
        held=held,
        low=low,
        high=high,
        row_step=steps[0],
        column_step=steps[1],
        shape=(frame.rows, frame.columns),
        first=frame.first,
        patches=frame.patches,
        spot=_cell(frame, spot),
        key=_cell(frame, state.key_position),
        labels=_labels(scheme, frame) if single and frame.rows * frame.columns <= MOST_LABELS else (),
        before=_run_texts(scheme, "before"),
        after=_run_texts(scheme, "after"),
        pair_axis=scheme.pair_axis(),
        axis_names=scheme.axes,
        axis_notes=_axis_notes(scheme),
        title=_title(scheme, spot, frame),
        point=_point(scheme, steps),
        sentence=_sentence(scheme, spot, state.key_position, (low, high)) + _unmarked(scheme, frame, state),
    )


PANE = Pane("grid", grid_key, grid_part, grid_is_quick)


def _why_no_grid(scheme: Scheme) -> str:
    if isinstance(scheme, ScoreBias):
        return "This scheme knows how far a key is from its query, one number per pair of tokens: there is no grid."
    if scheme.acts is Acts.NOTHING:
        return "Nothing tells a token where it is, so there is no grid."
    return "This scheme knows one coordinate per token, its position: there is no grid."


def _text(sentence: str) -> GridPart:
    nothing = (NOTHING_HELD, 0.0, 0.0, 1, 1, (0, 0), 0, 0, None, None, (), (), (), NO_PAIRS, (), ())
    return GridPart("text", EMPTY, *nothing, "Grid", "no grid", sentence)


def _frame(scheme: Gridded, spot: int, key: int) -> Frame | None:
    """The frame of the spot, else of the key, else the first; None if the sequence ends before it."""
    image = scheme.image
    total = image.tokens(scheme.length)
    if not total:
        return None
    columns = min(image.columns, total)
    if image.rows is None:
        return Frame(0, image.start, -(-total // image.columns), columns, total)
    patch = scheme.patch_of(spot) or scheme.patch_of(key) or (0, 0, 0)
    size = image.rows * image.columns
    inside = min(total - patch[0] * size, size)
    return Frame(patch[0], image.start + patch[0] * size, image.rows, image.columns, inside)


def _steps(state: LabState, viewport: Viewport) -> tuple[int, int]:
    """Rows and columns of patches that share a cell of the picture."""
    scheme = state.built
    assert isinstance(scheme, Gridded)
    frame = _frame(scheme, state.position, state.key_position)
    if frame is None:
        return 1, 1
    high, wide = (max(each, 1) for each in viewport.grid)
    return -(-frame.rows // high), -(-frame.columns // wide)


def _values(scheme: Gridded, spot: int, frame: Frame, steps: tuple[int, int]) -> Float32:
    """Similarity of every cell: a sum of what each axis adds."""
    if scheme.is_silent([spot])[0]:
        return np.zeros((-(-frame.rows // steps[0]), -(-frame.columns // steps[1])), dtype=np.float32)
    gaps = (scheme.coordinates([frame.first]) - scheme.coordinates([spot]))[0]
    row, column = len(gaps) - 2, len(gaps) - 1
    still = (scheme.dimension - 2.0 * len(scheme.turns())) / scheme.dimension
    still += sum(float(scheme.axis_means(axis, gaps[axis], 1, 1)[0]) for axis in range(row))
    down = _along(scheme, row, gaps[row], steps[0], frame.rows)
    across = _along(scheme, column, gaps[column], steps[1], frame.columns)
    return (still + down[:, None] + across).astype(np.float32)


def _held(frame: Frame, steps: tuple[int, int]) -> NDArray[np.bool_]:
    """Which cells have at least one patch in the sequence."""
    rows = np.arange(0, frame.rows, steps[0])[:, None]
    return np.asarray(rows * frame.columns + np.arange(0, frame.columns, steps[1]) < frame.patches)


def _along(scheme: Gridded, axis: int, start: float, step: int, cells: int) -> Float:
    """Means over blocks of `step` cells along an axis; the last block may be shorter."""
    full, rest = divmod(cells, step)
    means = scheme.axis_means(axis, start, step, full) if full else np.zeros(0)
    if not rest:
        return means
    return np.append(means, scheme.axis_means(axis, start + full * step, rest, 1))


def _cell(frame: Frame, position: int) -> Cell | None:
    inside = position - frame.first
    return divmod(inside, frame.columns) if 0 <= inside < frame.patches else None


@lru_cache(maxsize=4)
def _labels(scheme: Gridded, frame: Frame) -> tuple[str, ...]:
    at = scheme.coordinates(frame.first + np.arange(frame.patches, dtype=np.float64))
    return tuple(",".join(f"{value:.0f}" for value in row) for row in at.tolist())


def _run_texts(scheme: Gridded, side: str) -> tuple[str, ...]:
    """What the tokens before or after the patches are, the longest text first; none where there are no such tokens."""
    image = scheme.image
    first, last = 0, min(image.start, scheme.length) - 1
    if side == "after":
        if image.rows is None:
            return ()
        first, last = image.start + image.frames * image.rows * image.columns, scheme.length - 1
    if last < first:
        return ()
    tokens = whole(first) if first == last else f"{whole(first)} – {whole(last)}"
    plural = "token" if first == last else "tokens"
    if scheme.is_silent([first])[0]:
        return f"class {plural} {tokens}: a row of zeros", f"class {plural} {tokens}"
    ends = [whole(round(each)) for each in scheme.coordinates([first, last])[:, 0].tolist()]
    at = ends[0] if first == last else f"{ends[0]} – {ends[1]}"
    axes = " = ".join(scheme.axes)
    return f"text, {plural} {tokens}: {axes} = {at}", f"text {tokens}: at {at}", f"text {tokens}"


@lru_cache(maxsize=8)
def _axis_notes(scheme: Gridded) -> tuple[tuple[str, ...], ...]:
    axis, frequencies = scheme.pair_axis(), scheme.turns()
    notes = []
    for number in range(len(scheme.axes)):
        own = frequencies[axis == number]
        count = "no pair" if not len(own) else f"{whole(len(own))} {'pair' if len(own) == 1 else 'pairs'}"
        reach = f"{count}, λ {reach_of(own)}" if len(own) else ""
        notes.append((f"{reach} steps", reach, count) if reach else (count,))
    return tuple(notes)


def _title(scheme: Gridded, spot: int, frame: Frame) -> str:
    frames = scheme.image.frames
    start = f"Frame {whole(frame.number + 1)} of {whole(frames)}" if frames > 1 else "Grid"
    return f"{start}: {'score, query at' if isinstance(scheme, Rotary) else 'like spot'} {whole(spot)}"


def _point(scheme: Gridded, steps: tuple[int, int]) -> str:
    if steps == (1, 1):
        return f"each cell is 1 patch ({', '.join(scheme.axes)})"
    return f"mean of {whole(steps[0])} × {whole(steps[1])} patches"


def _unmarked(scheme: Gridded, frame: Frame, state: LabState) -> str:
    """Where the spot and the key are when this frame has no place for their marks; empty where both are marked."""
    first, second = ("query", "key") if isinstance(scheme, Rotary) else ("spot", "spot")
    places = {state.key_position: second, state.position: first}  # one where both are the same
    where = {
        place: _where(scheme, place)
        for place in sorted(places)
        if _cell(frame, place) is None and not (place == state.position and scheme.is_silent([place])[0])
    }
    if len(where) == 2 and len(set(where.values())) == 1:
        return f" Not marked: both are {where[state.position]}."
    apart = ", ".join(f"{places[place]} {whole(place)} is {text}" for place, text in where.items())
    return f" Not marked: {apart}." if apart else ""


def _where(scheme: Gridded, position: int) -> str:
    """Which frame a token is in, or what else it is."""
    if scheme.is_silent([position])[0]:
        return "the class token"
    patch = scheme.patch_of(position)
    return "text" if patch is None else f"in frame {whole(patch[0] + 1)}"


def _texts(ends: tuple[float, float], digits: int) -> tuple[str, str]:
    return short(ends[0], digits), short(ends[1], digits)


def _sentence(scheme: Gridded, spot: int, key: int, ends: tuple[float, float]) -> str:
    if scheme.is_silent([spot])[0]:
        return f"Spot {whole(spot)} is the class token, a row of zeros: its similarity to every patch is 0."
    rotary = isinstance(scheme, Rotary)
    name = f"{'Query' if rotary else 'Spot'} {whole(spot)}"
    text = f"{name} is at {scheme.place(spot)}"
    if key != spot:
        text = f"{name} ({scheme.place(spot)})"
        value = short(float(scheme.likeness(spot, np.array([float(key)]))[0]), 4)
        words = f"score {value} of that at gap 0" if rotary else f"similarity {value}"
        text += f"; {'key' if rotary else 'spot'} {whole(key)} ({scheme.place(key)}): {words}"
    digits = next((digits for digits in (3, 4, 5) if len(set(_texts(ends, digits))) == 2), 3)
    low, high = _texts(ends, digits)
    return f"{text}. The cells reach from {low} to {high}." if low != high else f"{text}. All cells are {low}."
