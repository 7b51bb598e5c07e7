"""The formula strip: the number it ends with is the number of the cell."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.formula import formula
from pe_desktop.core.parts import NO_CURSOR, Cursor
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import shape_of
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import any_scheme

START = LabState()


def last_number(text):
    found = re.findall(r"= ([−-]?[\d.,]+(?:e[+-]?\d+)?)", text)
    assert found, text
    return float(found[-1].replace("−", "-").replace(",", "").rstrip("."))


@given(any_scheme(), st.data())
def test_cell_formulas_end_with_the_cell(scheme, data):
    rows, columns = shape_of(scheme)
    row, column = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, columns - 1))
    if isinstance(scheme, Additive):
        text = scheme.cell_formula(row, column)
        if scheme.last_position is not None and row > scheme.last_position:
            assert text.endswith(f"no vector: the table has {scheme.last_position + 1:,} rows")
            return
        value = scheme.encode([row])[0, column]
        assert last_number(text) == pytest.approx(value, rel=1e-5, abs=5.1e-5)
        assert text.startswith(f"PE({row:,}, {column:,})")
    elif isinstance(scheme, Rotary):
        text = scheme.cell_formula(row, column)
        first, second = scheme.pairs()
        pair = int(np.flatnonzero((first == column) | (second == column))[0])
        value = (np.cos if column in first else np.sin)(scheme.angles([row])[0, pair])
        assert last_number(text) == pytest.approx(value, abs=5.1e-5)
        axis = scheme.axes[scheme.pair_axis()[pair]]
        reads = (
            ""
            if len(scheme.axes) == 1
            else f" reads {axis} = {scheme.coordinates([row])[0, scheme.pair_axis()[pair]]:,.0f}"
        )
        assert text.startswith(f"pair {pair}{reads}: {'cos' if column in first else 'sin'}(")
    else:
        head = data.draw(st.integers(0, scheme.heads - 1))
        text = scheme.cell_formula(row, column, head)
        value = scheme.bias([row], [column])[head, 0, 0]
        assert last_number(text) == pytest.approx(value, rel=1e-5, abs=1e-300)


def test_the_example_of_the_design():
    text = START.built.cell_formula(12, 4)
    assert text == "PE(12, 4) = sin(12 / 10000^(4/64)) = sin(6.7481) = 0.4483"
    assert formula(compute(START), NO_CURSOR) == text


CURSORS = st.builds(
    Cursor,
    view=st.sampled_from(["matrix", "similarity", "rotation", "attention", "grid", ""]),
    position=st.none() | st.integers(-5, 500),
    column=st.none() | st.integers(-5, 500),
    pair=st.none() | st.integers(0, 40),
    query=st.none() | st.integers(0, 8),
    key=st.none() | st.integers(0, 8),
    sentence=st.sampled_from(["a", "b", "difference"]),
)
SNAPSHOTS = {
    name: compute(START.change({"scheme": name, "swap": True, "causal": True, "dimension": 16}))
    for name in ("none", "integer", "normalized", "sinusoidal", "learned", "rope", "alibi")
}


@settings(max_examples=100)
@given(st.sampled_from(sorted(SNAPSHOTS)), CURSORS)
def test_any_cursor_has_a_formula(name, cursor):
    text = formula(SNAPSHOTS[name], cursor)
    assert isinstance(text, str)
    assert "nan" not in text
    outside = cursor.query is not None and cursor.key is not None and max(cursor.query, cursor.key) > 4
    assert text or (cursor.view == "attention" and outside)


def test_attention_weights_are_those_of_the_picture():
    snapshot = SNAPSHOTS["rope"]
    part = snapshot.attention
    for which, weights, tokens in (("a", part.weights_a, part.tokens_a), ("b", part.weights_b, part.tokens_b)):
        text = formula(snapshot, Cursor(view="attention", query=4, key=1, sentence=which))
        assert text.startswith(f"{tokens[4]} → {tokens[1]}")
        assert last_number(text) == pytest.approx(float(weights[4, 1]), abs=5.1e-5)
    text = formula(snapshot, Cursor(view="attention", query=4, key=1, sentence="difference"))
    assert last_number(text) == pytest.approx(float(part.weights_a[4, 1] - part.weights_b[4, 1]), abs=5.1e-5)
    assert "masked" in formula(snapshot, Cursor(view="attention", query=1, key=4))
