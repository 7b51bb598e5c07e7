"""The similarity curve: exact envelopes, samples inside them, the peak at the spot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pe_desktop.core import part_curve, similarity
from pe_desktop.core.parts import Viewport
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.sampling import blocks, defined_rows
from pe_desktop.core.scheme import build
from pe_desktop.core.state import LabState
from pe_desktop.core.values import answer
from tests.core.strategies import LAST, learneds, naives, plain, ropes, sinusoidals

curved = st.one_of(sinusoidals(12), ropes(12), learneds(12), naives(12))


def every_value(scheme, spot, start, stop):
    """Cosine of the rows, or the score of q = k = (1, …, 1) over its value at gap 0, one position at a time."""
    at = np.arange(start, stop)
    if isinstance(scheme, Rotary):
        ones = np.ones((1, scheme.dimension))
        query = scheme.rotate(ones, [spot])[0]
        return scheme.rotate(np.repeat(ones, len(at), axis=0), at) @ query / scheme.dimension
    rows, row = scheme.encode(at), scheme.encode([spot])[0]
    sizes = np.linalg.norm(rows, axis=1) * np.linalg.norm(row)
    return np.array([r @ row / n if n else 0.0 for r, n in zip(rows, sizes, strict=True)])


def draw_window(data, scheme):
    count = defined_rows(scheme)
    spot = data.draw(st.integers(0, count - 1))
    first = data.draw(st.integers(0, count - 1))
    return spot, (first, data.draw(st.integers(first + 1, scheme.length)))


@settings(max_examples=150)
@given(curved, st.integers(1, 90), st.data())
def test_exact_curve(scheme, pixels, data):
    spot, window = draw_window(data, scheme)
    made = similarity.curve(scheme, spot, window, pixels, True)
    assert made.exact
    stop = min(window[1], defined_rows(scheme))
    start = window[0] // made.step * made.step
    values = every_value(scheme, spot, start, stop)
    for column in range(len(made.x)):
        part = values[column * made.step : (column + 1) * made.step]
        assert made.low[column] == pytest.approx(part.min(), abs=1e-9)
        assert made.high[column] == pytest.approx(part.max(), abs=1e-9)
        middle = start + column * made.step + (len(part) - 1) / 2
        assert made.x[column] == middle
    assert len(made.x) == -(-len(values) // made.step)


@settings(max_examples=150)
@given(curved, st.integers(1, 12), st.data())
def test_samples_lie_within_the_exact_envelope(scheme, pixels, data):
    spot, window = draw_window(data, scheme)
    exact = similarity.curve(scheme, spot, window, pixels, True)
    assume(exact.step > 1)
    stop = min(window[1], defined_rows(scheme))
    span = similarity.blocks((window[0], stop), pixels, stop)
    made = similarity._sampled(scheme, spot, span)
    assert not made.exact
    assert np.array_equal(made.x, exact.x)
    assert (made.low >= exact.low - 1e-9).all()
    assert (made.high <= exact.high + 1e-9).all()
    assert (made.low <= made.high).all()


@pytest.mark.parametrize("spot", [0, 12, 345_678, LAST])
@pytest.mark.parametrize("name", ["sinusoidal", "rope"])
def test_the_longest_sequence(name, spot):
    scheme = plain(name, 64, LAST + 1)
    assert not similarity.is_quick(scheme, (0, LAST + 1))
    exact = similarity.curve(scheme, spot, (0, LAST + 1), 480, True)
    sampled = similarity._sampled(scheme, spot, blocks((0, LAST + 1), 480, LAST + 1))
    assert (exact.exact, sampled.exact) == (True, False)
    assert (sampled.low >= exact.low - 1e-5).all()
    assert (sampled.high <= exact.high + 1e-5).all()
    column = spot // exact.step
    assert exact.high[column] == sampled.high[column] == 1.0
    others = np.delete(exact.high, column)
    assert others.max() < 1.0
    for at in (0, column, 200, len(exact.x) - 1):
        start = at * exact.step
        values = every_value(scheme, spot, start, min(start + exact.step, LAST + 1))
        assert exact.low[at] == pytest.approx(values.min(), abs=1e-5)
        assert exact.high[at] == pytest.approx(values.max(), abs=1e-5)


@pytest.mark.parametrize("scheme", [plain("integer", 64, 20_000), plain("sinusoidal", 65, 20_000)])
@pytest.mark.parametrize("spot", [0, 12, 19_999])
def test_sampled_curves_whose_rows_are_visited(scheme, spot):
    exact = similarity.curve(scheme, spot, (0, 20_000), 300, True)
    sampled = similarity.curve(scheme, spot, (0, 20_000), 300, False)
    assert not sampled.exact
    assert (sampled.low >= exact.low - 1e-12).all()
    assert (sampled.high <= exact.high + 1e-12).all()
    block = spot // exact.step
    zero_row = scheme.id == "integer" and spot == 0
    assert sampled.high[block] == pytest.approx(0.0 if zero_row else 1.0, abs=1e-12)


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
    span = blocks((start, stop), 50, stop)
    for index, (first, count) in enumerate(zip(span.starts.astype(int), span.counts.astype(int), strict=True)):
        block = values[first : first + count]
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
