"""The verdict on two schemes, against what their numbers say position by position."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import verdict as walking
from pe_desktop.core.compare import compare, is_quick
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.verdict import TOLERANCE, walk
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import ALL, LAST, bases, plain

ORDERED = ("same", "reordered", "equal_after_softmax", "different")
WIDTHS = st.integers(2, 20)


@pytest.mark.parametrize("name", ALL)
def test_a_scheme_is_itself(name):
    found = compare(plain(name), plain(name), [0, 5])
    assert (found.verdict, found.first_position, found.largest_difference) == ("same", None, 0.0)
    assert found.differences in ((0.0, 0.0), (None, None))


@pytest.mark.parametrize("name", ALL)
def test_every_two_schemes_have_a_verdict(name):
    for other in ALL:
        found = compare(plain(name, 32, 24), plain(other, 32, 24), [0, 3])
        assert found.verdict in ORDERED
        assert (found.verdict == "same") == (name == other)
        acts = {REGISTRY[name].acts.value, REGISTRY[other].acts.value} - {"nothing"}
        if len(acts) == 2:
            assert (found.where, found.first_position) == ("place", None)
            assert found.sentence.endswith("they act in different places.")
        assert found.sentence.endswith(".")
        assert 10 < len(found.sentence) < 330


# Added ------------------------------------------------------------------------------------------------------------


def beyond(differences, rows_a, rows_b):
    """First row with a difference beyond the tolerance, measured against the size of that row."""
    sizes = np.maximum(np.abs(rows_a).max(axis=1), np.abs(rows_b).max(axis=1))
    found = np.flatnonzero(differences.max(axis=1) > TOLERANCE * sizes)
    return int(found[0]) if len(found) else None


@given(WIDTHS, bases, bases, st.integers(2, 90))
def test_added_against_a_table(d, base, other, length):
    a, b = plain("sinusoidal", d, length, base=base), plain("sinusoidal", d, length, base=other)
    found = compare(a, b, [0, length - 1])
    rows = a.encode(range(length)), b.encode(range(length))
    gap = np.abs(rows[0] - rows[1])
    first = beyond(gap, *rows)
    assert found.first_position == first
    assert found.verdict == ("same" if first is None else "different")
    assert found.differences == pytest.approx([gap[0].max(), gap[-1].max()], abs=0)
    if first is not None:
        assert found.largest_difference == gap.max()
        assert gap[:, int(found.where.removeprefix("column "))].max() == gap.max()
        assert f"from position {first} on" in found.sentence


@given(WIDTHS, bases, st.integers(2, LAST))
def test_the_two_layouts_are_one_up_to_the_order_of_columns(d, base, length):
    a = plain("sinusoidal", d, length, base=base)
    b = plain("sinusoidal", d, length, base=base, layout="concatenated")
    found = compare(a, b)
    assert found.verdict == ("reordered" if d > 2 else "same")
    if d > 2:
        at = np.array([0, 1, length // 2, length - 1])
        assert sorted(found.permutation) == list(range(d))
        assert np.array_equal(b.encode(at), a.encode(at)[:, list(found.permutation)])
        assert found.first_position == 0
        assert "at every position" in found.sentence


def test_tensor2tensor_is_no_reordering():
    found = compare(plain("sinusoidal"), plain("sinusoidal", layout="tensor2tensor"))
    assert (found.verdict, found.permutation) == ("different", None)


def test_the_axes_of_a_grid_swap_the_halves():
    a, b = plain("sincos2d", 64, 256), plain("sincos2d", 64, 256, axis_order="column_first")
    found = compare(a, b)
    assert found.verdict == "reordered"
    assert found.permutation == (*range(32, 64), *range(32))
    assert found.first_position == 1  # token 0 is at row 0 and column 0


def test_rounding_is_no_difference():
    found = compare(plain("sinusoidal", base=10000.0), plain("sinusoidal", base=np.nextafter(10000.0, 2e4)))
    assert found.verdict == "same"
    assert 0 < found.largest_difference < 1e-9
    assert compare(plain("sinusoidal"), plain("sinusoidal", base=10000.01)).verdict == "different"
    assert compare(plain("sinusoidal"), plain("sinusoidal", base=10000.01), tolerance=1e-3).verdict == "same"


def test_integers_against_shares():
    found = compare(plain("integer", 8, 1_048_576), plain("normalized", 8, 1_048_576), [0, 10])
    assert (found.verdict, found.first_position) == ("different", 1)
    assert found.largest_difference == pytest.approx(1_048_575 * (1 - 1 / 1_048_576), rel=1e-12)
    assert found.differences == (0.0, 10 - 10 / 1_048_576)


@pytest.mark.parametrize(("mine", "other", "first"), [(512, 1024, 512), (1024, 512, 512), (600, 2000, 600)])
def test_a_table_that_ends_first(mine, other, first):
    a, b = plain("learned", 16, 1500, trained_length=mine), plain("learned", 16, 1500, trained_length=other)
    found = compare(a, b, [0, first - 1, first])
    assert (found.verdict, found.first_position) == ("different", first)
    assert found.where == f"end of {'A' if mine < other else 'B'}'s table"
    assert found.differences == (0.0, 0.0, None)
    assert compare(plain("learned", 16, 500, trained_length=mine), plain("learned", 16, 500)).verdict == "same"


def test_a_table_of_another_seed_differs_at_once():
    found = compare(plain("learned"), plain("learned", seed=1))
    assert (found.verdict, found.first_position) == ("different", 0)


def test_nothing_is_the_vector_zero():
    found = compare(plain("none"), plain("sinusoidal"))
    assert (found.verdict, found.first_position, found.largest_difference) == ("different", 0, 1.0)
    assert compare(plain("none"), plain("integer")).first_position == 1


# The settings around ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["none", "rope"])
def test_a_query_temperature_counts(name):
    warm = plain(name, temperature="llama4", temperature_length=50)
    found = compare(plain(name), warm)
    assert (found.verdict, found.where, found.first_position) == ("different", "query temperature", 49)
    assert found.largest_difference == pytest.approx(0.1 * np.log(3.0), rel=1e-12)


def test_dimensions_are_not_compared_with_others():
    found = compare(plain("rope", 32), plain("rope", 64), [0])
    assert (found.verdict, found.where, found.differences) == ("different", "dimension", (None,))
    assert "32 dimensions and B 64" in found.sentence


def test_only_the_positions_both_have():
    assert compare(plain("sinusoidal", 8, 100), plain("sinusoidal", 8, 5000)).verdict == "same"
    assert compare(plain("normalized", 8, 100), plain("normalized", 8, 5000)).largest_difference == pytest.approx(
        99 / 100 - 99 / 5000
    )


def test_json_holds_what_the_verdict_does():
    found = compare(plain("sinusoidal", 4), plain("sinusoidal", 4, layout="concatenated")).to_json()
    assert list(found) == [
        "verdict",
        "sentence",
        "first_position",
        "largest_difference",
        "where",
        "permutation",
    ]
    assert found["permutation"] == [0, 2, 1, 3]


# The walk ---------------------------------------------------------------------------------------------------------


@given(st.integers(1, LAST), st.integers(2, LAST + 1))
def test_the_first_difference_is_found_between_the_positions_looked_at(edge, total):
    def differ(positions):
        assert len(positions) <= walking.STRIP_CELLS // 4096
        return (positions >= edge).astype(float)[:, None], np.ones(len(positions))

    found = walk(differ, total, 4096)
    assert found.first == (edge if edge < total else None)
    assert found.largest == (1.0 if edge < total else 0.0)
    assert found.looked <= max(walking.SCAN_CELLS // 4096, 64)
    assert ("looked at" in found.extent) == (found.looked < total)


def test_a_long_walk_says_where_it_was_and_can_be_called_off():
    a, b = plain("sinusoidal", 512, LAST + 1), plain("sinusoidal", 512, LAST + 1, base=20000.0)
    found = compare(a, b)
    assert "found at the 8,192 of 1,048,576 positions looked at" in found.sentence
    stop = threading.Event()
    stop.set()
    with watched(stop), pytest.raises(Cancelled):
        compare(a, plain("sinusoidal", 512, LAST + 1, base=20001.0))


def test_what_is_quick():
    assert is_quick(plain("sinusoidal"), plain("sinusoidal", layout="concatenated"))
    assert not is_quick(plain("rope", 64, 100_000), plain("rope", 64, 100_000, base=5.0))
    assert is_quick(plain("rope", 64, 100_000), plain("alibi", 64, 100_000))
    assert not is_quick(plain("shaw"), plain("shaw", seed=3))
    assert is_quick(plain("learned", 64, 100_000), plain("learned", 64, 100_000))
