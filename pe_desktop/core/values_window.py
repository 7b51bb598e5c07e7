"""Windows of the matrix and of the scores on request: the mean, lowest or highest of what each pixel covers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.blocks import Blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.extremes import window_extremes
from pe_desktop.core.numbers import parse_number, plain_number
from pe_desktop.core.parts import Window
from pe_desktop.core.request import Request
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import Picture, defined_rows, picture, shape_of
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_extremes import score_extremes
from pe_desktop.core.score_window import score_blocks, score_means, shows_scale
from pe_desktop.core.statistic import MEAN, STATISTICS

Answer = tuple[str, Any]
# Fields that only windows read, and fields that windows do not read.
OWN = ("rows", "columns", "pixels", "statistic", "head")
OTHERS = ("positions", "key_positions", "position", "q", "k", "vectors", "offsets", "coordinates", "role")


def _window(request: Request) -> Answer:
    """What the matrix view shows; rows past the end of a table are NaN."""
    scheme, head = request.scheme, _head(request)
    window = _asked(request, shape_of(scheme))
    made = picture(scheme, window, head)
    values, statistic = made.values.astype(np.float64), _statistic(request)
    if statistic == MEAN:
        _tell_of_samples(request, made)
        values[np.floor(made.rows.edges[:-1]) >= defined_rows(scheme)] = np.nan
    else:
        values = _of(window_extremes(scheme, made.rows, made.columns, head), statistic)
    _tell(request, statistic, window, made.rows, made.columns)
    if isinstance(scheme, Rotary) and scheme.amplitude != 1.0:
        request.remarks.append(f"The values are before the attention factor {scheme.amplitude:.6g}.")
    return _unit(scheme), values


def _score_window(request: Request) -> Answer:
    """What the scores view shows: queries x keys; NaN where a pair has no score."""
    scheme, head, statistic = request.scheme, _head(request), _statistic(request)
    window = _asked(request, (scheme.length, scheme.length))
    if isinstance(scheme, ScoreBias):
        return _window(request)
    rows, columns = score_blocks(scheme, window)
    _tell(request, statistic, window, rows, columns)
    unit = "score / score at gap 0" if isinstance(scheme, Rotary) else "PE(m)·PE(n)"
    if statistic != MEAN:
        return unit, _of(score_extremes(scheme, rows, columns, head), statistic)
    if not shows_scale(scheme, rows, columns):
        request.remarks.append("The means are before the query temperature.")
    return unit, score_means(scheme, rows, columns)


WHAT = {"window": _window, "score_window": _score_window}


def check_fields(request: Request, what: str) -> None:
    """Refuse fields that the request gives and that play no part in it.

    Raises
    ------
    FieldError
    """
    windows = " and ".join(map(repr, WHAT))
    for name in OTHERS if what in WHAT else OWN:
        if request.given(name) is not None:
            reason = f"plays no part in {what!r}" if what in WHAT else f"is for {windows}"
            raise FieldError(name, f"The field {name!r} {reason}; leave it out.")


def _of(extremes: tuple[NDArray[np.float32], NDArray[np.float32]], statistic: str) -> NDArray[np.float64]:
    return extremes[STATISTICS.index(statistic) - 1].astype(np.float64)


def _unit(scheme: Scheme) -> str:
    if isinstance(scheme, ScoreBias):
        return "added to the score"
    return "cosine or sine" if isinstance(scheme, Rotary) else "added to the embedding"


def _tell(request: Request, statistic: str, window: Window, rows: Blocks, columns: Blocks) -> None:
    for name, asked, made in (("rows", window.rows, rows), ("columns", window.columns, columns)):
        if made.start < asked[0] - 1e-6 or made.end > asked[1] + 1e-6:
            request.remarks.append(
                f"The blocks of {name} are of whole cells, large ones aligned to multiples of their size: they reach "
                f"from {made.start:,.10g} to {made.end:,.10g}."
            )
    request.told |= {"statistic": statistic, "rows": rows.edges.tolist(), "columns": columns.edges.tolist()}


def _tell_of_samples(request: Request, made: Picture) -> None:
    if made.seen is not None:
        request.remarks.append(f"Each mean is that of {made.seen} or more cells spread over its block, not of all.")


def _statistic(request: Request) -> str:
    given = request.given("statistic")
    statistic = MEAN if given is None else given
    if statistic not in STATISTICS:
        raise FieldError("statistic", f"The statistic is {statistic!r}; it must be one of {', '.join(STATISTICS)}.")
    return str(statistic)


def _head(request: Request) -> int:
    given, scheme = request.given("head"), request.scheme
    if given is None:
        return 0
    if not isinstance(scheme, ScoreBias) or scheme.heads is None:
        raise FieldError("head", f"The scheme {request.id!r} has no heads of its own; leave the head out.")
    head = int(plain_number(given, "head", "Head", whole=True))
    if not 0 <= head < scheme.heads:
        raise FieldError("head", f"Head is {head:,}; it must lie between 0 and {scheme.heads - 1:,}.")
    return head


def _asked(request: Request, shape: tuple[int, int]) -> Window:
    """The window of a request: all of the plane, and a pixel for each cell, unless it says otherwise."""
    rows, columns = (_range(request, name, total) for name, total in zip(("rows", "columns"), shape, strict=True))
    # No more blocks than cells are made, however many pixels there are.
    cells = [int(np.ceil(high) - np.floor(low)) for low, high in (rows, columns)]
    height, width = (min(each, most) for each, most in zip(_pixels(request) or cells, cells, strict=True))
    request.demand(height * width)
    return Window(rows, columns, height, width)


def _range(request: Request, name: str, total: int) -> tuple[float, float]:
    """A range of edges, such as 0:1048576 or [0.5, 20.25]."""
    ends = _two(request, name, ":")
    if ends is None:
        return 0.0, float(total)
    if not 0.0 <= ends[0] < ends[1] <= total:
        raise FieldError(
            name, f"The {name} go from {ends[0]:,.10g} to {ends[1]:,.10g}; they must rise, from 0 to at most {total:,}."
        )
    return ends


def _pixels(request: Request) -> tuple[int, int] | None:
    found = _two(request, "pixels", "x")
    if found is None:
        return None
    if not all(number.is_integer() and number >= 1.0 for number in found):
        raise FieldError("pixels", "The pixels must be whole numbers of rows and of columns, each at least 1.")
    return int(found[0]), int(found[1])


def _two(request: Request, name: str, separator: str) -> tuple[float, float] | None:
    """Two numbers, as a text such as 420x430 or a list; None where they are not given."""
    given = request.given(name)
    if given is None:
        return None
    parts = [parse_number(part) for part in given.lower().split(separator)] if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or len(parts) != 2 or None in parts:
        example = {":": "0:128", "x": "420x430"}[separator]
        raise FieldError(name, f"The {name} are {given!r}; they must be two numbers, such as {example}.")
    first, second = (float(plain_number(part, name, f"An entry of {name}", whole=False)) for part in parts)
    return first, second
