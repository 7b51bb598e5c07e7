"""Plates of an experiment made by hand, of every kind."""

from __future__ import annotations

import numpy as np

from pe_desktop.core.experiment import BarPlate, ExperimentPart, Figure, HeatPlate, Line, LinePlate

WORDS = ("The", "dog", "bit", "the", "man")


def heat(count=5, **changes):
    """Word against word; weights rise along each row."""
    words = (WORDS * 20)[:count]
    values = np.arange(1, count * count + 1, dtype=np.float32).reshape(count, count) / (count * count)
    plain = {
        "title": "Positions stay",
        "values": values,
        "low": 0.0,
        "high": 1.0,
        "row_name": "query",
        "column_name": "key",
        "row_labels": words,
        "column_labels": words,
    }
    return HeatPlate(**(plain | changes))


def waves(rows=64, columns=32, **changes):
    """Numbered rows and columns, values either side of 0."""
    values = np.sin(np.arange(rows)[:, None] / 10_000 ** (np.arange(columns) / columns)).astype(np.float32)
    plain = {
        "title": "Sines",
        "values": values,
        "low": -1.0,
        "high": 1.0,
        "row_name": "position",
        "column_name": "pair",
    }
    return HeatPlate(**(plain | changes))


def line(name, role, function, x=None, **changes):
    """A line of a function."""
    x = np.arange(1.0, 101.0) if x is None else x
    return Line(name, x, function(x), role, **changes)


def lines(**changes):
    """Two lines, one faint line and a mark, over a logarithmic axis."""
    plain = {
        "title": "Recovered",
        "lines": (
            line("content", "main", lambda x: x / 100),
            line("position", "other", lambda x: 1 - x / 100),
            line("chance", "faint", lambda x: 0 * x + 0.1),
        ),
        "x_name": "dimension",
        "y_name": "share",
        "x_log": True,
        "x_whole": True,
        "y_range": (0.0, 1.0),
        "marks": ((64.0, "d = 64"), (66.0, "trained")),
    }
    return LinePlate(**(plain | changes))


def bars(**changes):
    """Two bars for each of three names, one of them 0."""
    plain = {
        "title": "Harmed",
        "names": ("sinusoidal", "learned", "RoPE"),
        "values": np.array([[0.4, 0.0], [0.8, 0.2], [0.0, 0.0]]),
        "bars": ("by slot", "by mask"),
        "roles": ("main", "other"),
        "value_name": "change",
    }
    return BarPlate(**(plain | changes))


def experiment(*plates, **changes):
    """A part with some plates and two figures."""
    plain = {
        "kind": "plates",
        "id": "shuffle",
        "title": "Shuffle",
        "point": "words in reverse order",
        "sentence": "Outputs change by 0.934.",
        "plates": plates,
        "figures": (
            Figure("change", "Largest change", 0.934, "0.934", "Of any output."),
            Figure("none", "Not shown", 1.0, "1", shown=False),
            Figure("travel", "… travelling", 0.0, "0.000", "If positions travel with the words."),
        ),
    }
    return ExperimentPart(**(plain | changes))
