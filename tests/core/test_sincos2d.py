"""2-D sines and cosines: the libraries' tables, closest rows, norms, class token."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import scans, similarity
from pe_desktop.core.formula import formula
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.scheme import build
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import bases


@st.composite
def tables(draw):
    params = {
        "base": draw(bases),
        "grid_columns": draw(st.integers(1, 20)),
        "class_token": draw(st.booleans()),
        "layout": draw(st.sampled_from(["mae", "pe2d"])),
        "axis_order": draw(st.sampled_from(["row_first", "column_first"])),
    }
    return build("sincos2d", params, 4 * draw(st.integers(1, 6)), draw(st.integers(2, 150)))


@given(tables())
def test_the_axis_orders_differ_by_swapping_the_halves(scheme):
    params = scheme.effective()
    other = "column_first" if scheme.axis_order == "row_first" else "row_first"
    swapped = build("sincos2d", params | {"axis_order": other}, scheme.dimension, scheme.length).encode(range(40))
    assert np.array_equal(np.roll(swapped, scheme.dimension // 2, axis=1), scheme.encode(range(40)))


@given(tables())
def test_closest_rows_are_those_of_a_search(scheme):
    rows = scheme.encode(range(scheme.length))
    distances = np.linalg.norm(rows[:, None] - rows, axis=2)
    distances[np.diag_indices(len(rows))] = np.inf
    found = scans.closest_rows(scheme)
    assert found.distance == pytest.approx(distances.min(), abs=1e-7)
    assert found.distance == pytest.approx(distances[found.first, found.second], abs=1e-12)
    assert 0 <= found.first < found.second < scheme.length


@given(tables())
def test_norms_and_bound(scheme):
    rows = scheme.encode(range(scheme.length))
    norms = np.linalg.norm(rows, axis=1)
    assert scans.norm_range(scheme) == (pytest.approx(norms.min(), abs=1e-12), pytest.approx(norms.max(), abs=1e-12))
    assert scheme.value_bound == 1.0
    assert np.abs(rows).max() <= 1.0


@given(tables(), st.integers(0, 149))
def test_likeness_is_the_cosine_of_the_rows(scheme, spot):
    positions = np.arange(150.0)
    rows = scheme.encode(positions)
    norms = np.linalg.norm(rows, axis=1)
    below = norms * norms[spot]
    expected = np.divide(rows @ rows[spot], below, out=np.zeros(150), where=below > 0)
    assert np.abs(similarity.row_similarity(scheme, spot, positions) - expected).max() < 1e-12


def test_scans_of_a_long_grid_are_told_apart_by_their_cost():
    for columns, quick in ((1024, True), (2, False)):
        scheme = build("sincos2d", {"grid_columns": columns}, 256, 1 << 20)
        assert scans.is_quick(scheme) is quick
    narrow = build("sincos2d", {"grid_columns": 2}, 8, 1 << 20)
    found = scans.closest_rows(narrow)
    assert found.second - found.first > 2
    assert scans.norm_range(narrow) == (2.0, 2.0)
    assert scans.is_quick(narrow)


def test_two_rows_are_the_class_token_and_a_patch():
    found = scans.closest_rows(build("sincos2d", {"class_token": True}, 8, 2))
    assert (found.first, found.second, found.distance) == (0, 1, pytest.approx(2.0))


def shown(**changes):
    params = {"grid_columns": 8, "class_token": True}
    return compute(LabState().change({"scheme": "sincos2d", "params": params, **changes}), Viewport())


def test_what_is_said_of_a_class_token():
    part = shown(position=0)
    assert "class token" in part.matrix.sentence
    assert part.similarity.sentence.startswith("Spot 0 is the class token, a row of zeros")
    assert (part.rotation.kind, part.similarity.spot_value) == ("text", 0.0)
    assert formula(part, Cursor()) == "PE(0, 4) = 0   (class token)"
    assert (formula(part, Cursor(view="similarity", position=3))).endswith("the class token's row is all zeros")


def test_formulas_are_the_cells():
    part = shown()
    rows = part.scheme.encode(range(128))
    for position, column in ((1, 0), (10, 17), (40, 33), (127, 63)):
        text = formula(part, Cursor(view="matrix", position=position, column=column))
        assert float(text.rsplit("= ", 1)[1].replace("−", "-")) == pytest.approx(rows[position, column], abs=5e-5)


def test_a_picture_of_whole_waves_says_why_it_is_blank():
    state = {"scheme": "sincos2d", "dimension": 4, "length": 1 << 20, "params": {"grid_columns": 64}}
    assert "averages over whole waves" in compute(LabState().change(state), Viewport()).matrix.sentence
