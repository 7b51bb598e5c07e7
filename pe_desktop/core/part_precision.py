"""The precision part of a snapshot: what rounding does to angles, as a picture and in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_desktop.core.blocks import Blocks, blocks, whole_blocks
from pe_desktop.core.numerals import significant
from pe_desktop.core.parts import Cursor, Float32, Pane, Snapshot, Viewport
from pe_desktop.core.precision import (
    EXACT,
    OVERFLOWS_AT,
    PRESETS,
    Formats,
    Pipeline,
    half_step,
    pipeline,
)
from pe_desktop.core.precision_picture import DEPTH, PictureCase, error_picture
from pe_desktop.core.precision_scans import (
    CountCase,
    FirstBad,
    SearchCase,
    collisions,
    distinct_places,
    distinct_rows,
    first_bad,
)
from pe_desktop.core.rounding import rounded
from pe_desktop.core.scheme import Acts, Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState

TITLE = "Precision"
PENDING = "…"
EMPTY = np.zeros((0, 0), dtype=np.float32)
QUICK_CELLS = 1 << 15  # errors, about 3 ms
QUICK_SEARCH = 1 << 17  # positions x pairs
QUICK_COUNT = 1 << 13
ROW_CELLS = 1 << 25  # positions x pairs that the count of different rows may visit
FEW_BITS = ("float16", "bfloat16")
Figure = tuple[tuple[str, ...], tuple[str, ...]]  # name and text of a number, each in ever shorter forms


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionPart:
    """The error picture and the numbers beside it.

    ``values`` (h, w) float32 are the largest error of cosine or sine among the places looked at in the blocks ``rows``
    of positions x ``columns`` of pairs; inf where a value is not a number, as all are from position ``finite_rows`` on.
    ``shape`` is (positions, pairs). ``first_bad`` is the first position above the ``tolerance``, None where there is
    none or it is still being looked for. ``kind`` "text": only ``sentence``. ``exact`` False: coarser, or numbers are
    still being worked out.
    """

    kind: str  # errors | text
    values: Float32
    rows: Blocks
    columns: Blocks
    shape: tuple[int, int]
    finite_rows: int
    position: int
    key_position: int
    first_bad: int | None
    tolerance: float
    figures: tuple[Figure, ...]
    exact: bool
    title: str
    pixel: str
    sentence: str
    scale: float = 1.0  # errors from here on have the last colour
    row_label: str = "position"
    column_label: str = "pair"


def precision_key(state: LabState, viewport: Viewport) -> tuple[object, ...]:
    """What the part depends on."""
    window = viewport.rows, viewport.precision_pairs, viewport.precision
    return state.built, state.precision, window, state.position, state.key_position


def precision_is_quick(state: LabState, viewport: Viewport) -> bool:
    """Whether the part in full fits a frame."""
    line = _pipeline(state)
    if line is None:
        return True
    search, count = _cases(state, line)
    case = _picture_case(state, viewport, line)
    pairs = len(line.exact_frequencies)
    return (
        (error_picture.knows(case) or case.cost <= QUICK_CELLS)
        and (first_bad.knows(search) or state.length * pairs <= QUICK_SEARCH)
        and (distinct_rows.knows(count) or _counts_quickly(count))
    )


def _counts_quickly(case: CountCase) -> bool:
    line = case.pipeline
    if line.axes is not None:
        return False
    # Coarse angles of fine positions are many rows that differ in few pairs.
    costly = line.formats.angles in FEW_BITS and line.formats.positions not in FEW_BITS
    return case.count * (len(line.exact_frequencies) if costly else 1) <= QUICK_COUNT


def _pipeline(state: LabState) -> Pipeline | None:
    """The pipeline under study; None where there is nothing to round, or nothing rounds."""
    formats = state.precision.formats
    return None if formats.exact else pipeline(state.built, formats)


def _cases(state: LabState, line: Pipeline) -> tuple[SearchCase, CountCase]:
    most = max(2, ROW_CELLS // len(line.exact_frequencies))
    return SearchCase(line, state.precision.tolerance), CountCase(line, min(state.precision.count, most))


def _picture_case(state: LabState, viewport: Viewport, line: Pipeline, most: int = 0) -> PictureCase:
    """The picture wanted, or, with `most`, a coarser one of about that many errors."""
    height, width = viewport.precision
    pairs = len(line.exact_frequencies)
    columns = blocks(viewport.precision_pairs or (0, pairs), width, pairs, whole=True)
    if most:
        height = min(height, max(1, most // (columns.number * min(columns.cells, 2))))
    rows = blocks(viewport.rows or (0, state.length), height, state.length, whole=True)
    return PictureCase(line, rows, columns, 1 if most else DEPTH)


def precision_part(state: LabState, viewport: Viewport, full: bool = True) -> PrecisionPart:
    """Make the precision part; `full` False makes a coarser picture and leaves out what is not known yet."""
    line = _pipeline(state)
    if line is None or not viewport.precision[0]:
        return _text(state)
    wanted = case = _picture_case(state, viewport, line)
    search, count = _cases(state, line)
    if not (full or error_picture.knows(wanted) or wanted.cost <= QUICK_CELLS):
        case = _picture_case(state, viewport, line, QUICK_CELLS)
    bad = first_bad(search) if full or first_bad.knows(search) else None
    rows = distinct_rows(count) if full or distinct_rows.knows(count) else None
    return PrecisionPart(
        kind="errors",
        values=error_picture(case),
        rows=case.rows,
        columns=case.columns,
        shape=(state.length, len(line.exact_frequencies)),
        finite_rows=_finite_rows(state, line),
        position=state.position,
        key_position=state.key_position,
        first_bad=bad.position if bad else None,
        tolerance=state.precision.tolerance,
        figures=_figures(state, line, bad, count, rows),
        exact=case == wanted and bad is not None and rows is not None,
        title=TITLE,
        pixel=_pixel(case),
        sentence=_sentence(state, line, bad, count, rows),
    )


def _text(state: LabState) -> PrecisionPart:
    return PrecisionPart(
        kind="text",
        values=EMPTY,
        rows=whole_blocks(0, 1, 1),
        columns=whole_blocks(0, 1, 1),
        shape=(state.length, 0),
        finite_rows=state.length,
        position=state.position,
        key_position=state.key_position,
        first_bad=None,
        tolerance=state.precision.tolerance,
        figures=(),
        exact=True,
        title=TITLE,
        pixel="",
        sentence=_why_nothing(state.built),
    )


def _finite_rows(state: LabState, line: Pipeline) -> int:
    """Positions of the sequence that are finite numbers in their format."""
    end = OVERFLOWS_AT.get(line.formats.positions, np.inf)
    return state.length if line.axes is not None else int(min(state.length, end))


def _why_nothing(scheme: Scheme) -> str:
    if pipeline(scheme, Formats()) is not None:
        words = {name: words for name, words, _ in PRESETS}
        return (
            "All four stages are float64, so nothing is rounded and there is no error to see. In the dock, under "
            f"{TITLE}, choose “{words['bf16_positions']}” or “{words['library']}”."
        )
    if scheme.acts is Acts.NOTHING:
        return "No position enters anywhere, so there is nothing to round."
    instead = ": it adds to each score" if isinstance(scheme, ScoreBias) else " of that form"
    return f"Rounding is followed here for cosines and sines of position × frequency; this scheme has none{instead}."


def _pixel(case: PictureCase) -> str:
    if case.rows.cells * case.columns.cells == 1:
        return "each cell is 1 position × 1 pair"
    covered = f"{_of(case.rows.cells, 'position')} × {_of(case.columns.cells, 'pair')}"
    positions, pairs = case.samples
    if (positions, pairs) == (case.rows.cells, case.columns.cells):
        return f"each cell: the largest of {covered}"
    return f"each cell: the largest of {_of(positions * pairs, 'sample')} from {covered}"


def _of(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


# The numbers beside the picture -------------------------------------------------------------------------------


def _figures(
    state: LabState, line: Pipeline, bad: FirstBad | None, counted: CountCase, rows: int | None
) -> tuple[Figure, ...]:
    first = (PENDING,)
    if bad is not None:
        first = ("none",) if bad.position is None else (f"{bad.position:,}",)
    figures = (
        (("First bad position", "First bad"), first),
        (("Distinct positions", "Distinct"), _distinct_texts(line, state.precision.count, rows)),
        (("Different rows", "Rows"), _share_texts(rows, counted.count)),
    )
    if line.axes is not None:
        return figures
    texts = _collision_texts(line.formats.positions, state.precision.count)
    return (*figures, (("First collisions", "Collisions"), texts))


def _distinct_texts(line: Pipeline, count: int, rows: int | None) -> tuple[str, ...]:
    """Of several axes the count costs as much as that of the rows, so it comes with it."""
    if line.axes is not None and rows is None:
        return (PENDING,)
    before, after = distinct_places(CountCase(line, count))
    return _share_texts(after, before)


def _share_texts(some: int | None, of: int) -> tuple[str, ...]:
    return (PENDING,) if some is None else (f"{some:,} of {of:,}", f"{some:,}/{of:,}", f"{some:,}")


def _collision_texts(name: str, count: int) -> tuple[str, ...]:
    """The first collisions, ever fewer of them."""
    runs = collisions(name, count)
    if not runs:
        return (f"none below {count:,}", "none")
    words = [" = ".join(f"{place:,}" for place in range(first, last + 1)) for first, last in runs]
    shorter = ["; ".join([*words[:many], PENDING]) for many in range(len(words), 0, -1)]
    return (*shorter, words[0], f"from {runs[0][0]:,}")


def _sentence(state: LabState, line: Pipeline, bad: FirstBad | None, counted: CountCase, rows: int | None) -> str:
    end, words = _finite_rows(state, line), [_bad_words(state, bad)]
    if end < state.length:
        words.append(f"infinite from {end:,} on")
    return "; ".join(filter(None, (*words, _collision_words(line, state.precision.count, counted, rows)))) + "."


def _bad_words(state: LabState, bad: FirstBad | None) -> str:
    limit = significant(state.precision.tolerance)
    if bad is None:
        return f"Looking for the first position off by more than {limit}"
    if bad.position is None:
        return f"None of {state.length:,} positions is off by more than {limit}"
    off = significant(bad.error) if np.isfinite(bad.error) else "no number any more"
    return f"First off by more than {limit}: position {bad.position:,}, pair {bad.pair:,} ({off})"


def _collision_words(line: Pipeline, count: int, counted: CountCase, rows: int | None) -> str:
    name = line.formats.positions
    if line.axes is None and collisions(name, count, 1):
        step = 2.0 * float(half_step(float(count - 1), name))
        if np.isfinite(step):
            return f"near {count - 1:,} one {name} stands for {step:,.0f}"
        return f"{count - 1:,} is infinite in {name}"
    if rows is not None and rows < (places := distinct_places(counted)[1]):
        return f"{places:,} position numbers stay apart, yet only {rows:,} rows differ"
    return ""


# The formula of one cell --------------------------------------------------------------------------------------


def precision_formula(snapshot: Snapshot, cursor: Cursor) -> str:
    """What became of one angle on its way, with exact numbers; empty where the scheme has none."""
    state = snapshot.state
    line = pipeline(state.built, state.precision.formats)
    if line is None or cursor.position is None or cursor.pair is None:
        return ""
    position = min(max(cursor.position, 0), state.length - 1)
    pair = min(max(cursor.pair, 0), len(line.exact_frequencies) - 1)
    at, chosen = np.array([float(position)]), np.array([pair])
    coordinates = line.coordinates(at)
    place = float(rounded(line.read(coordinates, chosen), line.formats.positions)[0, 0])
    angles = line.angles(coordinates, chosen)
    cos, sin = (float(table[0, 0]) for table in line.tables(angles))
    exact = float(line.exact_angles(coordinates, chosen)[0, 0])
    true_cos, true_sin = line.factor * np.cos(exact), line.factor * np.sin(exact)
    error = float(line.errors(at, chosen)[0, 0])
    off = f"off by {significant(error)}" if np.isfinite(error) else "no number is left"
    formats = line.formats
    return (
        f"position {position:,}, pair {pair:,}: {_angle(place)}{_in(formats.positions)} × "
        f"{line.frequencies[pair]:.6g}{_in(formats.frequencies)} = {_angle(float(angles[0, 0]))}{_in(formats.angles)}, "
        f"exactly {_angle(exact)};  cos {cos:.4f} for {true_cos:.4f}, sin {sin:.4f} for {true_sin:.4f}: {off}"
    )


def _angle(number: float) -> str:
    """A position or an angle: what counts of a large one lies after the decimal point too."""
    if not np.isfinite(number):
        return "∞" if np.isinf(number) else "not a number"
    return f"{number:,.0f}" if number == round(number) else f"{number:,.4f}" if number >= 100 else f"{number:.6g}"


def _in(name: str) -> str:
    return "" if name == EXACT else f" ({name})"


def precision_json(state: LabState) -> dict[str, Any]:
    """The precision lab of a state as the command line gives it."""
    part = precision_part(state, Viewport(), True)
    figures = {labels[0]: ", ".join(texts[:1]) for labels, texts in part.figures}
    return {
        "first_bad_position": part.first_bad,
        "tolerance": part.tolerance,
        "figures": figures,
        "sentence": part.sentence,
    }


PANE = Pane("precision", precision_key, precision_part, precision_is_quick, Stage.SEARCHES)
