"""The similarity curve: exact envelopes, samples inside them, the peak at the spot."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pe_desktop.core import part_curve, similarity
from pe_desktop.core.blocks import blocks
from pe_desktop.core.parts import Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import build
from pe_desktop.core.state import LabState
from pe_desktop.core.values import answer
from tests.core.strategies import LAST, learneds, mropes, naives, plain, ropes, sincos2ds, sinusoidals, xposes

curved = st.one_of(sinusoidals(12), ropes(12), learneds(12), naives(12), xposes(12), mropes(12), sincos2ds(12))


def every_value(scheme, spot, start, stop):
    """Cosine of the rows, or the score of q = k = (1, …, 1) over its value at gap 0, one position at a time."""
    at = np.arange(start, stop)
    if isinstance(scheme, Rotary):
        ones = np.ones((1, scheme.dimension))
        query = scheme.rotate(ones, [spot])[0]
        return scheme.rotate(np.repeat(ones, len(at), axis=0), at, key=True) @ query / scheme.dimension
    rows, row = scheme.encode(at), scheme.encode([spot])[0]
    sizes = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    return np.array([r @ row / n if n else 0.0 for r, n in zip(rows, sizes, strict=True)])


def draw_window(data, scheme):
    """A spot with a row, and a range of edges within a cell or not, of which something has a similarity to it."""
    spot = data.draw(st.integers(0, defined_rows(scheme) - 1))
    compared = similarity.compared_rows(scheme, spot)
    low = data.draw(st.integers(0, compared - 1).map(float) | st.floats(0.0, compared, exclude_max=True))
    high = data.draw(st.integers(int(low) + 1, scheme.length).map(float) | st.floats(low, scheme.length))
    return spot, (low, high)


@settings(max_examples=70)
@given(curved, st.integers(1, 90), st.data())
def test_exact_curve(scheme, pixels, data):
    spot, window = draw_window(data, scheme)
    made = similarity.curve(scheme, spot, window, pixels, True)
    assert (made.exact, made.stride) == (True, 1)
    compared = similarity.compared_rows(scheme, spot)
    span = blocks(window, pixels, compared)
    start, stop = math.floor(window[0]), min(math.ceil(max(span.end, window[0] + 1e-9)), compared)
    if span.step <= 1:  # single positions go one further on either side
        start, stop = max(start - 1, 0), min(stop + 1, compared)
    assert (made.edges[0], made.edges[-1]) == (start, max(stop, start + 1))  # no position twice, none left out
    assert (np.diff(made.edges) > 0).all()
    values = every_value(scheme, spot, start, int(made.edges[-1]))
    for column, (first, past) in enumerate(itertools.pairwise((made.edges - start).tolist())):
        part = values[first:past]
        assert made.low[column] == pytest.approx(part.min(), abs=1e-9)
        assert made.high[column] == pytest.approx(part.max(), abs=1e-9)
        assert made.x[column] == start + (first + past - 1) / 2
    inner = span.edges[1:-1]
    assert np.abs(inner - made.edges[np.searchsorted(made.edges, np.rint(inner))]).max(initial=0.0) <= 0.5


@settings(max_examples=70)
@given(curved, st.integers(1, 12), st.data())
def test_samples_lie_within_the_exact_envelope(scheme, pixels, data):
    spot, window = draw_window(data, scheme)
    exact = similarity.curve(scheme, spot, window, pixels, True)
    assume(exact.step > 1)
    way = similarity._sampled if scheme.last_position is None else similarity._few_rows
    made = way(scheme, spot, exact.edges, exact.step)
    assert not made.exact
    column = np.searchsorted(exact.edges, made.x, side="right") - 1
    if scheme.last_position is None:
        assert np.array_equal(made.x, exact.x)
        assert made.stride <= max(1.0, made.step / 2)
    assert (made.low >= exact.low[column] - 1e-9).all()
    assert (made.high <= exact.high[column] + 1e-9).all()
    assert (made.low <= made.high).all()
    if exact.edges[0] <= spot < exact.edges[-1]:
        peak = every_value(scheme, spot, spot, spot + 1)[0]
        assert made.high[~made.elsewhere(spot)] >= peak - 1e-9


@pytest.mark.parametrize("spot", [0, 12, 345_678, LAST])
@pytest.mark.parametrize("name", ["sinusoidal", "rope"])
@pytest.mark.parametrize("dimension", [64, 512])
def test_the_longest_sequence(name, spot, dimension):
    scheme = plain(name, dimension, LAST + 1)
    assert not similarity.is_quick(scheme, (0, LAST + 1))
    sampled = similarity.curve(scheme, spot, (0.0, LAST + 1.0), 480, False)
    exact = similarity.curve(scheme, spot, (0.0, LAST + 1.0), 480, True)
    assert (exact.exact, sampled.exact) == (True, False)
    assert (sampled.low >= exact.low - 1e-6).all()
    assert (sampled.high <= exact.high + 1e-6).all()
    column = int(np.flatnonzero(~exact.elsewhere(spot)).item())
    assert exact.high[column] == sampled.high[column] == 1.0
    others = np.delete(exact.high, column)
    assert others.max() < 1.0
    # No column is more than half a position beside its pixel, not even the last of a million.
    assert np.abs(exact.edges - np.arange(481) * ((LAST + 1) / 480)).max() <= 0.5 + 480 / 2**20
    for at in (0, column, 200, len(exact.x) - 1):
        values = every_value(scheme, spot, *exact.edges[at : at + 2])
        assert exact.low[at] == pytest.approx(values.min(), abs=1e-6)
        assert exact.high[at] == pytest.approx(values.max(), abs=1e-6)


@pytest.mark.parametrize("name", ["sinusoidal", "xpos"])
@pytest.mark.parametrize("spot", [3, 61_234])
def test_curves_of_many_positions_that_no_gap_alone_tells(name, spot):
    """An odd dimension, and scores that fade: against every row."""
    scheme = plain(name, 131 if name == "sinusoidal" else 130, 70_000)
    compared = similarity.compared_rows(scheme, spot)
    window = (0.25, 69_999.5)
    sampled, exact = (similarity.curve(scheme, spot, window, 333, full) for full in (False, True))
    if name == "sinusoidal":
        assert not sampled.exact
    values = np.concatenate(
        [every_value(scheme, spot, at, min(at + 2000, compared)) for at in range(0, compared, 2000)]
    )
    edges = exact.edges
    assert (edges[0], edges[-1]) == (0, compared)
    assert np.abs(exact.low - np.minimum.reduceat(values, edges[:-1])).max() < 1e-6
    assert np.abs(exact.high - np.maximum.reduceat(values, edges[:-1])).max() < 1e-6
    assert exact.high[~exact.elsewhere(spot)] == pytest.approx(1.0, abs=1e-6)


def test_a_straight_scheme_is_exact_at_once_at_any_length():
    scheme = plain("integer", 8192, LAST + 1)
    made = similarity.curve(scheme, 500_000, (0.0, LAST + 1.0), 430, False)
    assert made.exact
    assert made.low[0] == 0.0  # row 0 is zero
    assert made.low[1:].min() == made.high.max() == 1.0


@pytest.mark.parametrize(
    ("name", "dimension", "spot"),
    [("sinusoidal", 65, 0), ("sinusoidal", 65, 12), ("sinusoidal", 65, 19_999), ("xpos", 512, 19_999)],
)
def test_sampled_curves_of_what_no_gap_alone_tells(name, dimension, spot):
    scheme = plain(name, dimension, 20_000)
    sampled = similarity.curve(scheme, spot, (0, 20_000), 300, False)
    exact = similarity.curve(scheme, spot, (0, 20_000), 300, True)
    assert not sampled.exact
    assert (sampled.low >= exact.low - 1e-6).all()
    assert (sampled.high <= exact.high + 1e-6).all()
    assert sampled.high[~exact.elsewhere(spot)] == pytest.approx(1.0, abs=1e-12)


def test_the_stand_in_of_a_table_reads_few_rows(monkeypatch):
    scheme = plain("learned", 8192, LAST + 1, trained_length=8192)
    read, rows = [], type(scheme).rows

    def noted(self, first, count):
        read.append(count)
        return rows(self, first, count)

    monkeypatch.setattr(type(scheme), "rows", noted)
    made = similarity.curve(scheme, 100, (0, LAST + 1), 430, False)
    assert (made.exact, made.stride) == (False, 256)
    assert made.x.tolist() == sorted({100, *range(0, 8192, 256)})
    assert sum(read) <= similarity.MOST_ROWS + 2
    beside, row = scheme.encode([256, 100])
    assert made.high[2] == pytest.approx(beside @ row / np.linalg.norm(beside) / np.linalg.norm(row))
    assert made.high[1] == pytest.approx(1.0)


@given(st.one_of(sinusoidals(), ropes()), st.integers(0, 200), st.integers(0, 100), st.integers(0, 100))
def test_the_curve_keeps_its_shape_when_the_spot_moves(scheme, spot, gap, shift):
    assume(similarity.depends_on_gap(scheme))
    values = [every_value(scheme, s, s + gap, s + gap + 1)[0] for s in (spot, spot + shift)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    assert similarity.gap_curve(scheme, gap, 1, 1)[0] == pytest.approx(values[0], abs=1e-9)
    assert similarity.gap_curve(scheme, 0, 1, 3)[0] == pytest.approx(1.0, abs=1e-12)


def test_which_curves_depend_on_the_gap_alone():
    assert similarity.depends_on_gap(plain("sinusoidal", 64))
    assert not similarity.depends_on_gap(plain("sinusoidal", 65))
    assert similarity.depends_on_gap(plain("rope", 65, rotary_dimension=32))
    assert not any(similarity.depends_on_gap(plain(name)) for name in ("integer", "learned", "alibi"))


@given(st.one_of(sinusoidals(), ropes()), st.integers(0, 300))
def test_values_request_agrees_with_the_curve(scheme, spot):
    request = {"scheme": scheme.id, "params": scheme.effective(), "dimension": scheme.dimension, "what": "similarity"}
    found = answer(request | {"position": spot, "positions": "0:400:7"})["values"]
    assert np.abs(found - every_value(scheme, spot, 0, 400)[::7]).max() < 1e-9


class TestSentence:
    """What stands below the curve is true."""

    def part(self, **changes):
        return part_curve.curve_part(LabState().change(changes), Viewport())

    def test_sinusoidal(self):
        part = self.part()
        values = similarity.gap_curve(plain("sinusoidal"), 0, 1, 128)
        rise = next(gap for gap in range(1, 128) if values[gap] > values[gap - 1])
        assert part.sentence == (
            f"Peak at spot 12; falls to 0.63 at a gap of 25; rises again from a gap of {rise} (ripples)."
        )
        assert part.spot_value == 1.0
        assert part.high[12] == pytest.approx(1.0, abs=1e-12)
        assert part.kind == "cosine"

    def test_the_peak_moves_with_the_spot(self):
        at_12, at_40 = self.part(), self.part(position=40)
        assert (at_12.high.argmax(), at_40.high.argmax()) == (12, 40)
        assert np.abs(at_12.high[:88] - at_40.high[28:116]).max() < 1e-12

    def test_rows_that_all_point_one_way(self):
        part = self.part(scheme="integer")
        assert "no peak" in part.sentence
        assert np.abs(part.high[1:] - 1).max() < 1e-12
        assert self.part(scheme="integer", position=0).spot_value == 0.0

    def test_past_the_table(self):
        changes = {"scheme": "learned", "length": 1000, "params": {"trained_length": 100}}
        part = self.part(**changes, position=100)
        assert part.sentence == "Spot 100 has no vector: the table has 100 rows."
        assert part.spot_value is None
        assert len(part.x) == 0
        inside = self.part(**changes, position=99)
        assert inside.defined == 100
        assert inside.x.max() < 100

    def test_nothing(self):
        part = self.part(scheme="none")
        assert part.x.tolist() == [0, 127]
        assert part.low.tolist() == part.high.tolist() == [0, 0]
        assert part.spot_value == 0.0
        assert part.sentence.startswith("Flat: with nothing added")

    def test_bias(self):
        part = self.part(scheme="alibi", head=2)
        assert part.kind == "bias"
        assert part.high[12] == part.spot_value == 0.0
        assert part.low[20] == -8 * 2.0**-3
        assert "−14.38 at position 127" in part.sentence
        assert 115 * 2.0**-3 == 14.375


@given(st.integers(0, 20_000), st.integers(0, 19_999), st.integers(1, 20_000), st.sampled_from(["sinusoidal", "rope"]))
def test_known_sums_give_the_same_curve_for_every_spot_and_window(spot, start, length, name):
    scheme = build(name, {}, 64, 20_001)
    stop = min(20_001, start + length)
    made = similarity.curve(scheme, spot, (start, stop), 50, True)
    values = similarity.gap_curve(scheme, -spot, 1, 20_001)
    for index, (first, past) in enumerate(itertools.pairwise(made.edges.tolist())):
        block = values[first:past]
        assert made.low[index] == pytest.approx(block.min(), abs=2e-6)
        assert made.high[index] == pytest.approx(block.max(), abs=2e-6)


def test_a_curve_is_quick_once_its_sums_are_known():
    scheme = build("sinusoidal", {"base": 777.0}, 64, 50_000)
    assert not similarity.is_quick(scheme, (0, 50_000))
    first = similarity.curve(scheme, 5, (0, 50_000), 300, True)
    assert similarity.is_quick(scheme, (0, 50_000))
    again = similarity.curve(scheme, 5, (0, 50_000), 300, False)
    assert again.exact
    assert np.array_equal(first.low, again.low)
    assert not similarity.is_quick(build("sinusoidal", {"base": 778.0}, 64, 50_000), (0, 50_000))
