"""Windows of the scores: every block is the mean of the scores of the pairs it covers, shares of cells counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pe_desktop.core.parts import Window
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_cost import score_cost
from pe_desktop.core.score_scale import scores_scale
from pe_desktop.core.score_window import (
    MOST_PARTS,
    commensurate,
    score_blocks,
    score_means,
)
from tests.core.score_cases import brute_force
from tests.core.strategies import (
    ALL,
    LAST,
    axials,
    learneds,
    mropes,
    naives,
    plain,
    ropes,
    sincos2ds,
    sinusoidals,
    stretched,
    xposes,
)
from tests.core.windows import ranges


def assert_means(scheme, window, tolerance=1e-9):
    rows, columns = score_blocks(scheme, window)
    means, expected = score_means(scheme, rows, columns), brute_force(scheme, rows, columns)
    assert means.shape == (rows.number, columns.number)
    assert means.dtype == np.float64
    assert np.array_equal(np.isnan(means), np.isnan(expected))
    if np.isfinite(expected).any():
        assert np.nanmax(np.abs(means - expected)) <= tolerance * scores_scale(scheme, 0)


def windows(data, length, most=60):
    ranges_of = [data.draw(ranges(length)) for _ in range(2)]
    return Window(*ranges_of, data.draw(st.integers(1, most)), data.draw(st.integers(1, most)))


@st.composite
def tempered(draw):
    """RoPE with a query temperature that changes at any distance."""
    params = {
        "temperature": draw(st.sampled_from(("llama4", "ministral3"))),
        "temperature_length": draw(st.integers(1, 60)),
        "temperature_strength": draw(st.floats(0.0, 3.0)),
    }
    return plain("rope", 2 * draw(st.integers(1, 8)), draw(st.integers(2, 300)), **params)


LENGTHS = st.integers(2, 400)
SCHEMES = st.one_of(
    sinusoidals(),
    ropes(),
    stretched(lengths=LENGTHS),
    xposes(),
    learneds(),
    naives(),
    sincos2ds(),
    axials(),
    mropes(),
    tempered(),
)


@settings(max_examples=80)
@given(SCHEMES, st.data())
def test_every_block_is_the_mean_of_its_pairs(scheme, data):
    assert_means(scheme, windows(data, scheme.length))


@pytest.mark.parametrize("name", [name for name in ALL if not isinstance(plain(name), ScoreBias)])
@pytest.mark.parametrize("window", [((0, 96), (0, 96), 96, 96), ((0, 96), (0, 96), 7, 11), ((13, 60), (31, 90), 5, 50)])
def test_every_scheme(name, window):
    assert_means(plain(name, 64, 96), Window(*window))


FAR = ((LAST - 95, LAST + 1), (0, 90), (LAST - 50, LAST + 1))


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "integer", "normalized", "xpos", "sincos2d"])
@pytest.mark.parametrize("rows", FAR)
@pytest.mark.parametrize("columns", FAR)
@pytest.mark.parametrize("pixels", [(100, 100), (9, 7), (100, 7)])
def test_near_a_million(name, rows, columns, pixels):
    assert_means(plain(name, 16, LAST + 1), Window(rows, columns, *pixels))


MILLION = st.just(LAST + 1)
LONG = st.one_of(
    sinusoidals(lengths=MILLION),
    ropes(lengths=MILLION),
    stretched(lengths=MILLION),
    xposes(lengths=MILLION),
    naives(lengths=MILLION),
    sincos2ds(lengths=MILLION),
    axials(lengths=MILLION),
    mropes(lengths=MILLION),
)


@settings(max_examples=60)
@given(LONG, st.data())
def test_windows_anywhere_in_a_million(scheme, data):
    spans = []
    for _ in range(2):
        low = data.draw(st.sampled_from((0, 400_000, LAST - 119))) + data.draw(st.floats(0.0, 60.0, width=32))
        spans.append((low, low + data.draw(st.floats(1.0, 60.0, width=32))))
    assert_means(scheme, Window(*spans, data.draw(st.integers(1, 40)), data.draw(st.integers(1, 40))), 1e-8)


WIDE = [name for name in ALL if name != "none" and not isinstance(plain(name), ScoreBias)]


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("first", [0.0, 3000.0, LAST - 400.0])
def test_wide_models_are_exact_to_a_few_parts_in_a_million(name, first):
    """Where there are very many products they are in single precision."""
    scheme = plain(name, 1024, LAST + 1, **({"trained_length": 4000} if name == "learned" else {}))
    windows = (
        Window((first + 0.7, first + 300.2), (first + 21.1, first + 390.0), 150, 140),
        Window((first, first + 240.0), (first + 33.0, first + 400.0), 10, 200),
        Window((first, first + 400.0), (first, first + 380.0), 20, 19),
        Window((first, first + 40.0), (first + 50.0, first + 90.0), 100, 100),
    )
    for window in windows:
        assert_means(scheme, window, 2e-6)


def means_of_rows(scheme, span, blocks):
    """Means of the rows, or of the cosines and sines, over a few blocks, position by position."""
    out = []
    for block in blocks:
        cells = np.arange(span.edges[block], span.edges[block + 1])
        if isinstance(scheme, Rotary):
            angles = scheme.angles(cells)
            out.append(np.concatenate([np.cos(angles).mean(axis=0), np.sin(angles).mean(axis=0)]))
        else:
            out.append(scheme.encode(cells).mean(axis=0))
    return np.array(out)


@pytest.mark.parametrize("name", [name for name in WIDE if name not in ("learned", "xpos")])
@pytest.mark.parametrize("length", [LAST + 1, 999_983])
def test_no_moire_over_a_million_positions(name, length):
    """Some pixels of the whole picture against the mean of all the millions of pairs they cover."""
    scheme = plain(name, 64, length)
    rows, columns = score_blocks(scheme, Window((0, length), (0, length), 300, 330))
    means = score_means(scheme, rows, columns)
    down, across = [0, 1, 2, 150, rows.number - 1], [0, 1, 3, 177, columns.number - 1]
    sums = means_of_rows(scheme, rows, down) @ means_of_rows(scheme, columns, across).T
    if isinstance(scheme, Rotary):
        sums = (2.0 * sums + scheme.dimension - scheme.rotary_width) / scheme.dimension
    assert np.abs(means[np.ix_(down, across)] - sums).max() <= 1e-6 * scores_scale(scheme, 0)


def test_no_moire_where_scores_fade():
    """The same gap by gap, each as often as it comes in a pixel."""
    scheme = plain("xpos", 64, LAST + 1)
    rows, columns = score_blocks(scheme, Window((0, LAST + 1), (0, LAST + 1), 300, 330))
    means = score_means(scheme, rows, columns)
    for row, column in ((0, 0), (1, 0), (7, 7), (150, 171), (150, 173), (200, 199), (200, 30), (288, 329)):
        queries, keys = (np.arange(*span.edges[at : at + 2]) for span, at in ((rows, row), (columns, column)))
        ways = np.convolve(np.ones(len(queries)), np.ones(len(keys)))
        gaps = np.arange(queries[0] - keys[-1], queries[-1] - keys[0] + 1)
        some = gaps >= 0
        if not some.any():
            assert np.isnan(means[row, column])
            continue
        powers = np.exp(np.multiply.outer(gaps[some], scheme.rates())).real.sum(axis=1)
        expected = 2.0 * (powers @ ways[some]) / ways[some].sum() / scheme.dimension
        assert means[row, column] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("dimension", [3, 15, 16])
@pytest.mark.parametrize("layout", ["interleaved", "tensor2tensor"])
def test_a_column_without_partner_counts(dimension, layout):
    if layout == "tensor2tensor" and dimension < 4:
        layout = "concatenated"
    scheme = plain("sinusoidal", dimension, LAST + 1, layout=layout)
    for rows in FAR:
        assert_means(scheme, Window(rows, (LAST - 80, LAST + 1), 20, 13))


@pytest.mark.parametrize("temperature_length", [1, 8192, 500_000, LAST + 1])
def test_query_temperature_near_a_million(temperature_length):
    scheme = plain("rope", 8, LAST + 1, temperature="llama4", temperature_length=temperature_length)
    assert_means(scheme, Window((LAST - 200, LAST + 1), (0, 60), 20, 7))
    assert_means(scheme, Window((8000, 8300), (0, 60), 20, 60))


def test_whole_pictures_of_the_longest_sequence_against_sums_in_closed_form():
    """One mean over everything is |Σ exp(i w p)|² / L², which no block knows of."""
    scheme = plain("sinusoidal", 16, LAST + 1)
    rows, columns = score_blocks(scheme, Window((0, LAST + 1), (0, LAST + 1), 33, 45))
    means = score_means(scheme, rows, columns)
    frequencies = scheme.frequencies()
    waves = np.exp(1j * frequencies * (LAST + 1)) - 1.0
    expected = float((np.abs(waves / (np.exp(1j * frequencies) - 1.0)) ** 2).sum()) / (LAST + 1.0) ** 2
    found = float(rows.counts @ means @ columns.counts) / (LAST + 1.0) ** 2
    assert found == pytest.approx(expected, abs=1e-9 * 8)


@given(st.integers(1, LAST), st.integers(1, LAST))
@example(2913, 2185)
@example(1, LAST)
def test_block_sizes_get_a_common_measure_for_little(first, second):
    made = commensurate(first, second)
    assert made[0] >= first
    assert made[1] >= second
    assert min(made) // math.gcd(*made) <= MOST_PARTS
    assert made[0] * made[1] <= (1 + 1 / MOST_PARTS) ** 2 * first * second + max(made)
    assert commensurate(second, first) == made[::-1]


def test_a_million_by_8192_is_a_few_thousand_sums():
    for name in ("sinusoidal", "rope"):
        scheme = plain(name, 8192, LAST + 1)
        blocks = score_blocks(scheme, Window((0, LAST + 1), (0, LAST + 1), 330, 430))
        assert blocks[0].number * blocks[1].number > 300 * 400
        assert score_cost(scheme, *blocks) < 1 << 20  # 8,192 x 760 sines would be six times that
