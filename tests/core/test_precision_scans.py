"""First bad positions, distinct numbers and rows: closed forms and pruned scans against looking at everything."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import precision_scans
from pe_desktop.core.precision import EXACT, SIGNIFICANT_BITS, Formats, pipeline
from pe_desktop.core.precision_scans import (
    CountCase,
    SearchCase,
    collisions,
    distinct_numbers,
    distinct_places,
    distinct_rows,
    error_bound,
    first_bad,
)
from pe_desktop.core.rounding import rounded
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import plain, ropes, sinusoidals

NAMES = tuple(SIGNIFICANT_BITS)
formats = st.builds(Formats, *[st.sampled_from(NAMES)] * 4)
waves = st.one_of(ropes(16), sinusoidals(16))
BF16 = Formats("bfloat16", "float32", "float32", "float32")


@given(st.sampled_from(NAMES), st.integers(2, 200_000))
@settings(max_examples=60)
def test_distinct_numbers_are_as_many_as_there_are(name, count):
    assert distinct_numbers(name, count) == len(np.unique(rounded(np.arange(count), name)))


@pytest.mark.parametrize(
    ("name", "count", "distinct"),
    [
        ("bfloat16", 4096, 769),
        ("bfloat16", 257, 257),
        ("bfloat16", 258, 257),
        ("bfloat16", 1 << 20, 1793),
        ("float16", 2049, 2049),
        ("float16", 2050, 2049),
        ("float16", 65_520, 7168),  # 65,519 is still 65,504
        ("float16", 1 << 20, 7169),  # and all beyond are infinity
        ("float32", 1 << 20, 1 << 20),
        ("float64", 1 << 20, 1 << 20),
    ],
)
def test_known_counts(name, count, distinct):
    assert distinct_numbers(name, count) == distinct


def test_the_first_collisions():
    assert collisions("bfloat16", 4096) == ((256, 257), (259, 261), (263, 265))
    assert collisions("bfloat16", 258) == ((256, 257),)
    assert collisions("bfloat16", 257) == collisions("float32", 1 << 20) == collisions("float64", 4096) == ()
    assert collisions("float16", 1 << 20, 1) == ((2048, 2049),)


@given(st.sampled_from(["bfloat16", "float16"]), st.integers(2, 6000), st.integers(1, 5))
def test_collisions_are_the_runs_that_rounding_makes(name, count, most):
    values = rounded(np.arange(count), name)
    edges = np.flatnonzero(np.diff(values))
    firsts, lasts = [0, *(edges + 1)], [*edges, count - 1]
    runs = [(int(a), int(b)) for a, b in zip(firsts, lasts, strict=True) if b > a]
    assert collisions(name, count, most) == tuple(runs[:most])


def brute(line, tolerance):
    errors = line.errors(np.arange(line.scheme.length, dtype=float))
    bad = np.flatnonzero((errors > tolerance).any(axis=1))
    if not len(bad):
        return None, 0, 0.0
    pair = int(errors[bad[0]].argmax())
    return int(bad[0]), pair, float(errors[bad[0], pair])


@given(waves, formats, st.floats(-12.0, 0.0).map(lambda power: 10.0**power))
@settings(max_examples=80)
def test_the_first_bad_position_is_the_first(scheme, chosen, tolerance):
    line = pipeline(scheme, chosen)
    found = first_bad(SearchCase(line, tolerance))
    position, pair, error = brute(line, tolerance)
    assert found.position == position
    if position is not None:
        assert (found.pair, found.error) == (pair, error) or found.error == pytest.approx(error, abs=1e-15)


@pytest.mark.parametrize(
    ("chosen", "tolerance", "position"),
    [
        (BF16, 1e-3, 257),
        (Formats(), 1e-12, None),
        (Formats("float32", "float32", "float32", "float32"), 1e-3, 17_780),
        (Formats(positions="float16"), 1e-3, 2049),
        (Formats(tables="bfloat16"), 2.0**-9 * 1.0001, None),  # half a step below 1: no table value is farther off
    ],
)
def test_first_bad_positions_of_rope(chosen, tolerance, position):
    line = pipeline(plain("rope", 128, 1 << 15), chosen)
    assert first_bad(SearchCase(line, tolerance)).position == position


def test_positions_that_are_no_numbers_are_bad():
    found = first_bad(SearchCase(pipeline(plain("rope", 2, 1 << 17, base=1e9), Formats(angles="float16")), 1.0))
    assert found.position is not None
    slow = pipeline(plain("rope", 2, 70_000), Formats(positions="float16"))
    errors = slow.errors(np.array([65_519.0, 65_520.0]))[:, 0]
    assert np.isfinite(errors[0])
    assert np.isinf(errors[1])


@given(waves, formats, st.integers(1, 1 << 20))
def test_no_error_exceeds_its_bound(scheme, chosen, reach):
    line = pipeline(scheme, chosen)
    places = np.unique(np.linspace(0, reach, 40).round())
    assert (line.errors(places).max(axis=0) <= error_bound(line, np.array([float(reach)])) + 1e-9).all()


@given(waves, formats, st.integers(2, 600))
@settings(max_examples=80)
def test_different_rows_are_as_many_as_there_are(scheme, chosen, count):
    line = pipeline(scheme, chosen)
    cos, sin = line.tables(line.angles(line.coordinates(np.arange(count, dtype=float))))
    table = np.concatenate([cos, sin], axis=1) + 0.0  # one zero
    assert distinct_rows(CountCase(line, count)) == len(np.unique(np.nan_to_num(table, nan=9.0), axis=0))


def test_rows_collide_though_positions_do_not():
    line = pipeline(plain("rope", 64), Formats("float32", "float32", "bfloat16", "float32"))
    assert distinct_places(CountCase(line, 4096)) == (4096, 4096)
    assert distinct_rows(CountCase(line, 4096)) == 3844
    same = pipeline(plain("rope", 64), BF16)
    assert distinct_places(CountCase(same, 4096)) == (4096, 769)
    assert distinct_rows(CountCase(same, 4096)) == 769


def test_a_million_positions_of_4096_pairs_are_pruned(monkeypatch):
    looked_at = []
    differences = precision_scans.Pipeline.differences
    monkeypatch.setattr(
        precision_scans.Pipeline,
        "differences",
        lambda self, angles, exact: looked_at.append(angles.size) or differences(self, angles, exact),
    )
    line = pipeline(plain("rope", 8192, 1 << 20, base=10001.0), Formats("float32", "float32", "float32", "float32"))
    assert first_bad(SearchCase(line, 1.0)).position is None
    assert looked_at == []
    assert first_bad(SearchCase(line, 1e-2)).position > 50_000
    assert sum(looked_at) < 1 << 22  # of 4 billion


def test_a_search_can_be_called_off():
    stop = threading.Event()
    stop.set()
    case = SearchCase(pipeline(plain("rope", 64, 1 << 20, base=10003.0), BF16), 0.5)
    with watched(stop), pytest.raises(Cancelled):
        first_bad(case)
    assert not first_bad.knows(case)
    assert first_bad(case).position == 257


def test_exact_formats_are_never_bad():
    assert (
        first_bad(SearchCase(pipeline(plain("sinusoidal", 64, 1 << 20), Formats(*[EXACT] * 4)), 1e-12)).position is None
    )
