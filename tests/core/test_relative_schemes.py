"""Shaw, Transformer-XL and DeBERTa: terms of content and offset, shown for a toy query and key."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.attention import TILE
from pe_desktop.core.compare import compare
from pe_desktop.core.errors import FieldError
from pe_desktop.core.schemes.deberta import log_buckets
from pe_desktop.core.schemes.transformer_xl import relative_rows
from pe_desktop.core.stand_in import centred_table, row_table, toy_vector, toy_vectors
from tests.core.strategies import LAST, plain, positions, tables_of_offsets, transformer_xls

CONTENT = ("shaw", "transformer_xl", "deberta")
some = st.lists(positions, min_size=1, max_size=4)


class TestShawAndDeberta:
    @given(tables_of_offsets(), some, some)
    def test_the_bias_is_the_entry_of_the_row(self, scheme, queries, keys):
        found = scheme.bias(queries, keys)
        gaps = np.subtract.outer(queries, keys)
        if scheme.id == "shaw":
            rows, terms = np.clip(-gaps, -scheme.left, scheme.right) + scheme.left, scheme.terms()
        else:
            rows, terms = scheme.table_rows(gaps), scheme.toy_terms()
            assert rows.min() >= 0
            assert rows.max() < 2 * scheme.rows_each_way
        assert np.array_equal(found, terms[:, rows])

    @settings(max_examples=50)
    @given(tables_of_offsets(), st.lists(st.integers(0, 200), min_size=1, max_size=5), st.integers(0, 99))
    def test_attention_meets_the_row_of_each_offset(self, scheme, at, seed):
        """By hand, with the tables repeated along the dimension."""
        queries, keys = np.random.default_rng(seed).standard_normal((2, len(at), scheme.dimension))
        found = scheme.attention_bias(queries, keys, np.array(at, dtype=float), 0)
        tables = stand_in_tables(scheme)
        for i, j in np.ndindex(found.shape):
            if scheme.id == "shaw":
                row = min(max(at[j] - at[i], -scheme.left), scheme.right) + scheme.left
                total = queries[i] @ tables[0][row]
            else:
                row = scheme.table_rows(np.array([at[i] - at[j]]))[0]
                total = (scheme.terms != "p2c") * (queries[i] @ tables[0][row])
                total += (scheme.terms != "c2p") * (keys[j] @ tables[1][row])
            assert found[i, j] == pytest.approx(total * scheme.softmax_scale, abs=1e-9)

    @given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
    def test_a_vector_stays_when_the_clip_moves(self, left, right, other_left, other_right):
        first, second = (plain("shaw", left=a, right=b) for a, b in ((left, right), (other_left, other_right)))
        last = min(left, other_left), min(right, other_right)
        offsets = np.arange(-last[1], last[0] + 1.0)
        assert np.abs(first.at_offsets(offsets) - second.at_offsets(offsets)).max() < 1e-12

    @given(st.integers(4, 600), st.integers(1, 5000))
    def test_log_buckets(self, size, more):
        farthest = size // 2 + 1 + more
        offsets = np.arange(-2 * farthest, 2 * farthest + 1.0)
        found = log_buckets(offsets, size, farthest)
        middle = size // 2
        assert np.array_equal(found[np.abs(offsets) <= middle], offsets[np.abs(offsets) <= middle])
        assert (np.diff(found) >= 0).all()
        assert np.array_equal(found, -found[::-1])
        assert abs(found[offsets == farthest - 1][0] - (2 * middle - 1)) <= 1  # float32 may land one beyond

    def test_v1_clips(self):
        scheme = plain("deberta", variant="v1", range=5)
        assert scheme.bucket_of(np.arange(-7.0, 8)).tolist() == [-5, -5, -5, *range(-4, 5), 5, 5, 5]
        assert scheme.table_rows(np.array([-9, -5, 0, 4, 5, 9])).tolist() == [0, 0, 5, 9, 9, 9]
        assert "size" not in scheme.effective()

    @pytest.mark.parametrize(("terms", "times"), [("both", 3), ("c2p", 2), ("p2c", 2)])
    def test_the_root(self, terms, times):
        assert plain("deberta", terms=terms).softmax_scale == pytest.approx(1 / math.sqrt(times * 64), rel=1e-15)

    def test_both_terms_are_the_sum(self):
        both, c2p, p2c = (
            plain("deberta", terms=terms).at_offsets(np.arange(-300.0, 300)) for terms in ("both", "c2p", "p2c")
        )
        assert np.abs(both * math.sqrt(3) - (c2p + p2c) * math.sqrt(2)).max() < 1e-12

    def test_a_distance_that_leaves_nothing_is_refused(self):
        with pytest.raises(FieldError, match="at least 130") as refused:
            plain("deberta", range=100)
        assert refused.value.field == "range"
        assert plain("deberta", range=100, variant="v1")
        assert plain("deberta", range=130)


def stand_in_tables(scheme):
    """The stand-in tables in full width."""
    if scheme.id == "shaw":
        tables = [centred_table(f"shaw {scheme.seed}", scheme.left, scheme.right)]
    else:
        last = scheme.rows_each_way
        tables = [centred_table(f"deberta table {name} {scheme.seed}", last, last)[:-1] for name in ("key", "query")]
    return [np.tile(table, (1, scheme.dimension // TILE + 1))[:, : scheme.dimension] for table in tables]


class TestTransformerXL:
    def test_the_help_of_the_layout_says_what_a_comparison_finds(self):
        a, b = plain("transformer_xl"), plain("transformer_xl", layout="interleaved")
        described = next(each for each in type(a).parameters() if each.name == "layout")
        assert compare(a, b).verdict == "different"
        assert described.help.endswith("meets other ones and the bias differs.")

    @given(transformer_xls(), some, some)
    def test_the_bias_depends_on_the_offset_alone(self, scheme, queries, keys):
        found = scheme.bias(queries, keys)
        moved = scheme.bias([m + 17 for m in queries], [n + 17 for n in keys])
        assert np.abs(found - moved).max() < 1e-8

    @given(transformer_xls(), st.integers(-500, 500))
    def test_both_layouts_hold_the_same_waves(self, scheme, offset):
        rows = {
            layout: relative_rows(np.array([offset]), scheme.dimension, scheme.base, layout)[0]
            for layout in ("concatenated", "interleaved")
        }
        half = (scheme.dimension + 1) // 2
        assert np.array_equal(rows["concatenated"][:half], rows["interleaved"][0::2])
        assert np.array_equal(rows["concatenated"][half:], rows["interleaved"][1::2])

    @given(transformer_xls(), st.lists(st.integers(0, 300), min_size=2, max_size=6, unique=True), st.integers(0, 99))
    def test_attention_is_u_k_and_the_moved_query_with_each_row(self, scheme, at, seed):
        """Linear in query and key, and with the rows of the offsets in it."""
        rng = np.random.default_rng(seed)
        queries, keys = rng.standard_normal((2, len(at), scheme.dimension))
        places = np.array(at, dtype=float)
        found = scheme.attention_bias(queries, keys, places, 0)
        zero = np.zeros_like(queries)
        by_keys = scheme.attention_bias(zero, keys, places, 0) - scheme.attention_bias(zero, zero, places, 0)
        assert np.abs(by_keys - by_keys[:1]).max() < 1e-9  # u·k is the same for every query
        position = found - by_keys
        rows = relative_rows(np.subtract.outer(places, places).ravel(), scheme.dimension, scheme.base, scheme.layout)
        for i in range(len(at)):
            # One fixed vector (q + v) W explains all keys of a query.
            known = rows.reshape(len(at), len(at), -1)[i]
            fitted = np.linalg.lstsq(known, position[i], rcond=None)[0]
            assert np.abs(known @ fitted - position[i]).max() < 1e-6

    @pytest.mark.parametrize("dimension", [2, 3, 63, 64, 65, 200])
    def test_any_dimension(self, dimension):
        scheme = plain("transformer_xl", dimension)
        assert scheme.waves().shape == (8, (dimension + 1) // 2)
        assert relative_rows(np.arange(4), dimension).shape == (4, dimension)


@pytest.mark.parametrize("terms", ["both", "c2p", "p2c"])
@pytest.mark.parametrize("name", ["shaw", "deberta"])
def test_the_picture_is_what_attention_adds_for_the_toy_query_and_key(name, terms):
    scheme = plain(name) if name == "shaw" else plain(name, terms=terms)
    places = np.array([0.0, 3.0, 50.0, 127.0])
    queries, keys = (toy_vectors(f"{name} {what} {scheme.seed}", 8, 64) for what in ("query", "key"))
    for head in (0, 5):
        rows = [np.repeat(vectors[head : head + 1], 4, axis=0) for vectors in (queries, keys)]
        found = scheme.attention_bias(*rows, places, head)
        assert np.abs(found - scheme.bias(places, places)[head]).max() < 1e-12


def test_the_picture_of_transformer_xl_leaves_out_u_k():
    scheme = plain("transformer_xl", layout="interleaved")
    places = np.array([0.0, 3.0, 50.0, 127.0])
    queries = np.repeat(toy_vectors("transformer-xl query 0", 8, 64)[5:6], 4, axis=0)
    found = scheme.attention_bias(queries, np.zeros((4, 64)), places, 5)
    assert np.abs(found - scheme.bias(places, places)[5]).max() < 1e-12


@pytest.mark.parametrize("name", CONTENT)
def test_the_toy_term_is_what_attention_adds_to_such_a_query(name):
    """Other seeds give other stand-ins; all of them say they are toys."""
    scheme = plain(name)
    assert scheme.content
    assert "oy quer" in scheme.describe(0, 0)
    assert "toy" in scheme.notes()[0]
    assert "stand-in" in scheme.notes()[0]
    assert not np.array_equal(scheme.bias([5], [0, 9]), plain(name, seed=1).bias([5], [0, 9]))
    assert scheme.cell_formula(5, 3, 0).startswith("toy q")


class TestWideTransformerXL:
    """Where pairs are many, other ways are taken to the same numbers."""

    scheme = plain("transformer_xl", 1024, LAST + 1)

    def each(self, offsets, head=2):
        wave = self.scheme.waves([head])[0]
        angles = np.multiply.outer(np.asarray(offsets, dtype=float), self.scheme.frequencies())
        return (wave * np.exp(1j * angles)).real.sum(axis=-1)

    @settings(max_examples=10)
    @given(st.integers(-LAST, LAST - 40_000), st.integers(1, 40_000))
    def test_offsets_in_a_row(self, first, count):
        found = self.scheme.over(first, first + count - 1, [2])[0]
        at = np.unique(np.linspace(0, count - 1, 9).astype(int))
        assert np.abs(found[at] - self.each(first + at)).max() < 1e-9

    @settings(max_examples=15)
    @given(
        st.lists(st.integers(0, LAST), min_size=2, max_size=5, unique=True),
        st.lists(st.integers(0, LAST), min_size=2, max_size=5, unique=True),
    )
    def test_many_queries_and_keys(self, queries, keys):
        found = self.scheme.bias(queries, keys, [2])[0]
        assert np.abs(found - self.each(np.subtract.outer(queries, keys))).max() < 1e-8
        assert np.array_equal(found, self.scheme.bias(queries, keys, [0, 2])[1])

    @settings(max_examples=15)
    @given(st.integers(0, LAST - 60_000), st.integers(0, LAST - 60_000), st.integers(1, 40), st.integers(1, 40))
    def test_means_of_rectangles(self, row, column, p, q):
        """By the offsets where those are few, else by the waves of each, also where the last block is shorter."""
        for rows, columns in ((12, 9), (400, 350)):
            starts = row + p * np.arange(rows), column + q * np.arange(columns)
            sizes = [np.full(len(each), float(size)) for each, size in zip(starts, (p, q), strict=True)]
            sizes[0][-1], sizes[1][-1] = max(1, p // 2), max(1, q - 1)
            found = self.scheme.block_bias(2, starts[0], sizes[0], starts[1], sizes[1])
            for i, j in ((0, 0), (rows - 1, columns - 1), (rows // 2, 3)):
                queries = starts[0][i] + np.arange(sizes[0][i])
                keys = starts[1][j] + np.arange(sizes[1][j])
                expected = self.each(np.subtract.outer(queries, keys).ravel()).mean()
                assert found[i, j] == pytest.approx(expected, abs=2e-6)

    def test_the_largest_is_that_of_the_offsets_looked_at(self):
        near = np.arange(-400, 401)
        found = self.scheme.largest([2])
        assert found >= np.abs(self.each(near)).max() * (1 - 1e-9)
        assert found >= np.abs(self.each([LAST, -LAST])).max() * (1 - 1e-9)
        assert found <= np.abs(self.scheme.waves([2])).sum()
        assert self.scheme.largest() == max(self.scheme.largest([head]) for head in range(8))

    def test_what_a_picture_costs(self):
        cells = 100 * 100
        whole = self.scheme.mean_cost((0, 1 << 20), (0, 1 << 20), (10_486, 10_486))
        assert whole == cells * self.scheme.cell_cost
        assert self.scheme.mean_cost((5000, 5100), (0, 100), (1, 1)) < 2 * cells + 200 * self.scheme.cell_cost


def test_a_toy_vector_goes_on_as_it_began():
    long = toy_vectors("some query", 3, 300)
    for dimension in (2, 63, 64, 65, 129):
        assert np.array_equal(toy_vectors("some query", 3, dimension), long[:, :dimension])
    assert np.array_equal(toy_vector("some query", 1, 300), long[1])
    assert not np.array_equal(long[0], long[1])


@given(st.integers(1, 700), st.integers(1, 700))
def test_tables_of_any_number_of_rows_begin_alike(few, many):
    few, many = sorted((few, many))
    assert np.array_equal(row_table("some table", few), row_table("some table", many)[:few])


@pytest.mark.parametrize("name", CONTENT)
def test_a_head_is_the_same_alone_and_among_others(name):
    scheme = plain(name, 200)
    offsets = np.arange(-70.0, 71.0)
    every = scheme.at_offsets(offsets)
    for head in range(scheme.heads):
        assert np.array_equal(scheme.at_offsets(offsets, [head])[0], every[head])
    assert np.array_equal(scheme.at_offsets(offsets, slice(2, 5)), every[2:5])
    assert scheme.bound_cost in (8 * 200, 16 * 200)
