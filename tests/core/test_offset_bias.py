"""Biases that depend on the offset alone: their exact means, rows and tables agree with one another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.offset_bias import OffsetBias, whole
from pe_desktop.core.offset_means import rectangle_means, span_of
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import bias_cost, bias_picture, picture
from tests.core.strategies import LAST, offset_biases, plain, transformer_xls

OFFSETS = ("t5", "kerple", "shaw", "transformer_xl", "deberta")
ANY_LENGTH = st.just(LAST + 1)
small = st.integers(1, 12)


def every_cell(scheme, head, rows, columns):
    """The bias of each query and key by its offset, without the ways that reuse offsets."""
    offsets = np.subtract.outer(rows, columns).astype(float)
    return scheme.at_offsets(offsets.ravel(), [head])[0].reshape(offsets.shape)


def how_often(p, q):
    """How many cells of p queries x q keys have each offset, from the lowest on."""
    up = np.arange(1.0, p + q)
    return np.minimum(np.minimum(up, up[::-1]), min(p, q))


@given(
    st.integers(-50, 50),
    st.integers(1, 40),
    st.integers(1, 40),
    st.lists(st.integers(-300, 300), min_size=1, max_size=6),
    st.integers(0, 999),
)
def test_means_of_any_function(shift, p, q, firsts, seed):
    table = np.random.default_rng(seed).uniform(-5, 5, 1201)
    reach = None if shift % 2 else 80
    if reach is not None:  # constant outside
        table[: 600 - reach], table[600 + reach :] = table[600 - reach], table[600 + reach]

    def over(first, last):
        return table[first + 600 : last + 601]

    found = rectangle_means(over, np.array(firsts, dtype=float), p, q, reach)
    for value, x in zip(found, firsts, strict=True):
        cells = [table[600 + x + i - j] for i in range(p) for j in range(q)]
        assert value == pytest.approx(np.mean(cells), abs=1e-11)


@settings(max_examples=80)
@given(offset_biases(ANY_LENGTH), st.data())
def test_block_means_anywhere_in_the_longest_sequence(scheme, data):
    head = data.draw(st.integers(0, scheme.heads - 1))
    base = data.draw(st.integers(0, LAST - 4000))
    starts = st.lists(st.integers(0, 600), min_size=1, max_size=3)
    rows, columns = (base + np.array(data.draw(starts), dtype=float) for _ in range(2))
    sizes = [np.array(data.draw(st.lists(small, min_size=len(at), max_size=len(at)))) for at in (rows, columns)]
    found = scheme.block_bias(head, rows, sizes[0], columns, sizes[1])
    assert found.shape == (len(rows), len(columns))
    for i, j in np.ndindex(found.shape):
        cells = every_cell(scheme, head, rows[i] + np.arange(sizes[0][i]), columns[j] + np.arange(sizes[1][j]))
        assert abs(found[i, j] - cells.mean()) <= 1e-9 * max(scheme.largest([head]), 1e-3)


@pytest.mark.parametrize("name", OFFSETS)
@pytest.mark.parametrize(("first", "pixels"), [(LAST - 5000, 61), (0, 7), (LAST - 700_000, 50)])
def test_pictures_at_the_end_of_the_longest_sequence_and_of_large_blocks(name, first, pixels):
    scheme = plain(name, 16, LAST + 1)
    made = picture(scheme, Window((first, LAST + 1), (LAST - 3000, LAST + 1), pixels, pixels), 1)
    assert made.seen is None
    assert made.rows.step * made.columns.step > 1
    rng = np.random.default_rng(5)
    for i, j in rng.integers(made.values.shape, size=(4, 2)):
        p, q = int(made.rows.counts[i]), int(made.columns.counts[j])
        lowest = made.rows.starts[i] - (made.columns.starts[j] + q - 1)
        values = scheme.at_offsets(lowest + np.arange(p + q - 1.0), [1])[0]
        expected = float(values @ how_often(p, q)) / (p * q)
        exact = scheme.block_bias(1, made.rows.starts[[i]], [p], made.columns.starts[[j]], [q])[0, 0]
        assert exact == pytest.approx(expected, abs=1e-9 * scheme.largest([1]))
        assert made.values[i, j] == pytest.approx(expected, abs=1e-6 * scheme.largest([1]))


@given(offset_biases(), st.data())
def test_bias_rows_and_consecutive_offsets_are_one_function(scheme, data):
    heads = data.draw(st.lists(st.integers(0, scheme.heads - 1), min_size=1, max_size=3))
    first = data.draw(st.integers(-600, 600))
    last = first + data.draw(st.integers(0, 300))
    every = scheme.at_offsets(np.arange(first, last + 1.0), heads)
    close = 1e-12 * max(float(np.abs(every).max()), 1.0) * 100
    assert every.shape == (len(heads), last - first + 1)
    assert np.abs(scheme.over(first, last, heads) - every).max() <= close
    assert np.abs(scheme.at_offsets(np.arange(first, last + 1.0))[heads] - every).max() <= close
    query = data.draw(st.integers(0, LAST))
    row = scheme.row(heads[0], query, query - last, query - first + 1)
    assert np.abs(row - every[0, ::-1]).max() <= max(close, 1e-8)
    queries, keys = [query, query + 3], [query - 2, query, query + 40]
    found = scheme.bias(queries, keys, heads)
    for i, j in np.ndindex(2, 3):
        one = scheme.at_offsets(np.array([float(queries[i] - keys[j])]), heads)[:, 0]
        assert np.abs(found[:, i, j] - one).max() <= max(close, 1e-8)


@given(offset_biases(), st.integers(0, 400))
def test_beyond_its_reach_a_bias_is_constant(scheme, further):
    if scheme.reach is None:
        assert scheme.id in ("kerple", "transformer_xl")
        return
    edge = float(scheme.reach)
    values = scheme.at_offsets(np.array([edge, edge + further, -edge, -edge - further]))
    assert np.array_equal(values[:, 0], values[:, 1])
    assert np.array_equal(values[:, 2], values[:, 3])


@given(offset_biases())
def test_largest_and_bound(scheme):
    last = scheme.length - 1
    every = np.abs(scheme.at_offsets(np.arange(-last, last + 1.0)))
    assert scheme.largest() == pytest.approx(every.max(), rel=1e-9)
    assert scheme.largest([0]) == pytest.approx(every[0].max(), rel=1e-9)
    bound = scheme.bound()
    assert (bound is None) == (scheme.id == "kerple")
    assert bound is None or every.max() <= bound * (1 + 1e-12)


@pytest.mark.parametrize("name", ["t5", "shaw", "deberta"])
def test_a_table_has_entries_for_whole_offsets_only(name):
    scheme = plain(name)
    with pytest.raises(FieldError, match="whole") as refused:
        scheme.bias([0.5], [0])
    assert refused.value.field == "positions"
    assert whole(np.array([-3.0, 4.0])).tolist() == [-3, 4]


@given(
    st.integers(0, 1000), st.integers(1, 500), st.integers(0, 1000), st.integers(1, 500), st.none() | st.integers(1, 99)
)
def test_the_span_of_a_window_holds_what_its_means_need(row, rows, column, columns, reach):
    first, last = span_of((row, row + rows), (column, column + columns), (3, 2), reach)
    assert first <= last
    if reach is None:
        assert (first, last) == (row - (column + columns - 1), row + rows - 1 - column)
    else:
        assert last - first <= 2 * (reach + 5)


@pytest.mark.parametrize("name", OFFSETS)
def test_quick_pictures_show_the_middle_of_each_block(name):
    scheme = plain(name, 16, 5000)
    window = Window((100, 5000), (0, 4000), 50, 40)
    made = bias_picture(scheme, window, 2, True)
    assert made.seen == 1
    down, across = ((each.starts + (each.counts - 1) // 2).astype(int) for each in (made.rows, made.columns))
    assert np.abs(made.values - every_cell(scheme, 2, down, across)).max() <= 1e-5 * scheme.largest([2])
    single = bias_picture(scheme, Window((0, 20), (0, 20), 20, 20), 2, True)
    assert single.seen is None


def test_what_the_means_of_a_whole_sequence_cost():
    """A table is looked at within its reach, a kernel at the corners of blocks: neither along the whole sequence."""
    window = Window((0, LAST + 1), (0, LAST + 1), 360, 480)
    cells = 360 * 480
    assert bias_cost(plain("t5", 64, LAST + 1), window) == cells
    assert bias_cost(plain("alibi", 64, LAST + 1), window) == cells
    assert bias_cost(plain("kerple", 64, LAST + 1), window) == 2 * cells
    assert bias_cost(plain("t5", 64, LAST + 1, max_distance=LAST), window) > 4 * LAST
    # Far from the diagonal small blocks lose their digits in sums that grow with the offset: looked at one by one.
    far = Window((LAST - 9999, LAST + 1), (0, 10_000), 100, 100)
    assert bias_cost(plain("kerple", 64, LAST + 1), far) > 4 * 19_000


@given(transformer_xls(), st.integers(9, 60), st.integers(1, 30), st.integers(0, LAST))
def test_equally_spaced_keys_with_a_last_one_that_is_not(scheme, count, step, query):
    keys = np.r_[np.arange(count) * float(step), count * step - step // 2]
    found = scheme.bias([query], keys)
    expected = scheme.at_offsets(query - keys)
    assert found.shape == (scheme.heads, 1, count + 1)
    assert np.abs(found[:, 0] - expected).max() <= 1e-8


def test_all_of_them_are_offset_biases():
    assert all(isinstance(plain(name), OffsetBias) for name in OFFSETS)
