"""Every added scheme is a function of position: rows, block means and column descriptions agree."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.additive import Additive
from pe_desktop.core.errors import FieldError
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import REGISTRY, build
from tests.core.strategies import ALL, LAST, MULTIPLES, additives, bases, plain, positions, sinusoidals


def test_the_schemes_in_the_order_of_the_menu():
    added = "none", "integer", "normalized", "sinusoidal", "learned", "sincos2d"
    rotary = "rope", "xpos", "mrope", "axial"
    biases = "alibi", "t5", "kerple", "fire", "shaw", "transformer_xl", "deberta"
    assert (*added, *rotary, *biases) == ALL
    assert len({cls.title for cls in REGISTRY.values()}) == len(ALL)


@given(additives(), st.data())
def test_a_row_depends_on_its_position_alone(scheme, data):
    known = defined_rows(scheme) if scheme.last_position is None else scheme.last_position + 1
    asked = data.draw(st.lists(st.integers(0, known - 1), min_size=1, max_size=12))
    together = scheme.encode(asked)
    assert together.shape == (len(asked), scheme.dimension)
    assert together.dtype == np.float64
    alone = np.concatenate([scheme.encode([p]) for p in asked])
    assert np.array_equal(together, alone)
    assert np.array_equal(scheme.encode(asked[::-1]), together[::-1])
    if scheme.id != "normalized":
        longer = dataclasses.replace(scheme, length=scheme.length * 3)
        assert np.array_equal(longer.encode(asked), together)


@given(sinusoidals(), st.lists(st.integers(LAST - 200, LAST), min_size=1, max_size=8))
def test_also_near_the_end_of_the_longest_sequence(scheme, asked):
    together = scheme.encode(asked)
    assert np.array_equal(together, np.concatenate([scheme.encode([p]) for p in asked]))
    assert np.abs(together).max() <= 1.0
    frequencies, phases = scheme.wave_columns()
    for row, p in zip(together, asked, strict=True):
        assert np.abs(row - np.sin(p * frequencies + phases)).max() < 1e-9


@given(sinusoidals(), positions)
def test_columns_are_the_waves_they_say(scheme, p):
    frequencies, phases = scheme.wave_columns()
    assert np.abs(scheme.encode([p])[0] - np.sin(p * frequencies + phases)).max() < 1e-9


@given(sinusoidals(), positions)
def test_norm_is_the_root_of_half_the_dimension(scheme, p):
    row = scheme.encode([p])[0]
    pairs = scheme.dimension // 2
    if scheme.dimension % 2 == 0 or scheme.layout == "tensor2tensor":
        assert np.linalg.norm(row) == pytest.approx(math.sqrt(pairs), rel=1e-12)
    else:
        assert math.sqrt(pairs) - 1e-12 <= np.linalg.norm(row) <= math.sqrt(pairs + 1) + 1e-12


@given(st.integers(1, 30), bases, st.lists(positions, min_size=1, max_size=5))
def test_interleaved_and_concatenated_are_permutations_of_one_another(half, base, asked):
    inter = build("sinusoidal", {"base": base}, 2 * half, 64).encode(asked)
    halves = build("sinusoidal", {"base": base, "layout": "concatenated"}, 2 * half, 64).encode(asked)
    assert np.array_equal(np.concatenate([inter[:, 0::2], inter[:, 1::2]], axis=1), halves)


@given(sinusoidals(), positions)
def test_pairs_are_sine_and_cosine_of_one_angle(scheme, p):
    sine, cosine = scheme.pairs()
    row, frequencies = scheme.encode([p])[0], scheme.frequencies()
    assert len(sine) == len(cosine) == len(frequencies) == scheme.dimension // 2
    assert len({*sine.tolist(), *cosine.tolist()}) == 2 * (scheme.dimension // 2)
    assert np.abs(row[sine] - np.sin(p * frequencies)).max() < 1e-12
    assert np.abs(row[cosine] - np.cos(p * frequencies)).max() < 1e-12


def test_frequencies_of_the_two_spacings():
    paper = plain("sinusoidal", 64).frequencies()
    assert paper[0] == 1.0
    assert paper[-1] == pytest.approx(10000 ** (-62 / 64), rel=1e-14)
    other = plain("sinusoidal", 64, layout="tensor2tensor").frequencies()
    assert (other[0], other[-1]) == (1.0, pytest.approx(1 / 10000, rel=1e-14))


@given(additives(), st.data())
def test_mean_of_a_block_is_the_mean_of_its_rows(scheme, data):
    last = 900 if scheme.last_position is None else scheme.last_position
    count = data.draw(st.integers(1, last + 1))
    starts = data.draw(st.lists(st.integers(0, last + 1 - count), min_size=1, max_size=5))
    first = data.draw(st.integers(0, scheme.dimension - 1))
    columns = slice(first, data.draw(st.integers(first + 1, scheme.dimension)))
    found = scheme.block_mean(np.array(starts, dtype=float), count, columns)
    for row, start in zip(found, starts, strict=True):
        expected = scheme.encode(range(start, start + count))[:, columns].mean(axis=0)
        assert np.abs(row - expected).max() < 1e-8


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dimension", [2, 3, 5, 63, 64, 65])
@pytest.mark.parametrize("length", [2, 3, 128])
def test_odd_dimensions_and_the_smallest_sizes(name, dimension, length):
    parts = MULTIPLES.get(name, 1)
    if dimension % parts:
        with pytest.raises(FieldError) as refused:
            build(name, {}, dimension, length)
        assert refused.value.field == "dimension"
        offered = [fix.changes["dimension"] for fix in refused.value.fixes]
        assert offered == [n for n in (dimension // parts * parts, (dimension // parts + 1) * parts) if n]
        assert all(str(n) in refused.value.message for n in offered)
        return
    scheme = build(name, {}, dimension, length)
    if isinstance(scheme, Additive):
        rows = scheme.encode(range(length))
        assert rows.shape == (length, dimension)
        assert np.isfinite(rows).all()


@pytest.mark.parametrize(("layout", "column"), [("interleaved", 8), ("concatenated", 4), ("tensor2tensor", 8)])
def test_the_unpaired_column_is_drawn_and_noted(layout, column):
    scheme = plain("sinusoidal", 9, layout=layout)
    rows = scheme.encode(range(50))
    assert len(scheme.notes()) == 1
    if layout == "tensor2tensor":
        assert np.array_equal(rows[:, column], np.zeros(50))
    else:
        assert f"column {column} " in scheme.notes()[0]
        assert np.abs(rows[:, column] - np.sin(np.arange(50) * 10000.0 ** (-8 / 9))).max() < 1e-14
    assert not plain("sinusoidal", 10, layout=layout).notes()


def test_tensor2tensor_refuses_what_divides_by_zero():
    for dimension in (2, 3):
        with pytest.raises(FieldError, match="divides by") as refused:
            plain("sinusoidal", dimension, layout="tensor2tensor")
        assert refused.value.field == "layout"


def test_a_query_temperature_without_encoding():
    scheme = plain("none", 8, 131_072, temperature="llama4")
    assert scheme.query_scale([0, 8190, 8191, 131_071]) == pytest.approx(
        [1.0, 1.0, 1 + 0.1 * math.log(2), 1 + 0.1 * math.log(17)], rel=1e-15
    )
    assert scheme.notes() == ("The query temperature multiplies the query at position 131,071 by 1.2833.",)
    assert not plain("none").notes()
    assert not scheme.encode([5]).any()


def test_naive_rows():
    assert np.array_equal(plain("integer", 3).encode([0, 7]), [[0, 0, 0], [7, 7, 7]])
    assert np.array_equal(plain("normalized", 2, 100).encode([0, 25]), [[0, 0], [0.25, 0.25]])
    assert np.array_equal(plain("none", 2).encode([0, 9]), np.zeros((2, 2)))


class TestLearned:
    def test_ends_at_its_last_row(self):
        scheme = plain("learned", 8, 1000, trained_length=100)
        assert scheme.encode([99]).shape == (1, 8)
        with pytest.raises(FieldError, match="Position 100 has no vector: the learned table has 100 rows"):
            scheme.encode([99, 100])
        with pytest.raises(FieldError, match="Position -1 has no vector"):
            scheme.encode([-1])
        with pytest.raises(FieldError, match="whole positions"):
            scheme.encode([0.5])

    def test_the_seed_decides_and_nothing_else(self):
        rows = plain("learned", 16).encode(range(300))
        assert np.array_equal(plain("learned", 16, 9999, trained_length=300).encode(range(300)), rows)
        assert not np.array_equal(plain("learned", 16, seed=1).encode(range(300)), rows)

    def test_entries_are_standard_normal(self):
        rows = plain("learned", 64).encode(range(512))
        assert abs(rows.mean()) < 0.02
        assert abs(rows.std() - 1) < 0.02
        assert len(np.unique(rows, axis=0)) == 512
