"""One row of a bias: its lines, envelopes and range, against every key looked at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import bias_rows
from pe_desktop.core.part_bias_curve import bias_sentence
from pe_desktop.core.parts import Viewport
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from tests.core.strategies import LAST, alibis, biases, plain

OTHERS = ("t5", "fire", "shaw", "transformer_xl", "deberta")


def draw_row(data, scheme):
    spot = data.draw(st.integers(0, scheme.length - 1))
    first = data.draw(st.integers(0, scheme.length - 1))
    window = first, data.draw(st.integers(first + 1, scheme.length))
    return spot, data.draw(st.integers(0, scheme.heads - 1)), window


def close(scheme, head):
    return 1e-10 * max(scheme.largest([head]), 1.0)


@settings(max_examples=80)
@given(biases(), st.integers(1, 90), st.data())
def test_the_curve_holds_every_key(scheme, pixels, data):
    spot, head, window = draw_row(data, scheme)
    made, others = bias_rows.lines(scheme, spot, window, pixels, head)
    assert made.exact
    assert head not in others
    assert len(others) <= bias_rows.OTHER_HEADS
    start = window[0] // made.step * made.step
    if made.step == 1 or scheme.monotone:
        assert np.abs(made.low - scheme.bias([spot], made.x)[head, 0]).max() <= close(scheme, head)
        assert np.array_equal(made.low, made.high)
        return
    every = scheme.bias([spot], np.arange(start, min(start + len(made.x) * made.step, scheme.length)))[head, 0]
    for column in range(len(made.x)):
        part = every[column * made.step : (column + 1) * made.step]
        assert made.low[column] == pytest.approx(part.min(), abs=close(scheme, head))
        assert made.high[column] == pytest.approx(part.max(), abs=close(scheme, head))
        assert made.x[column] == start + column * made.step + (len(part) - 1) / 2
    for other, line in others.items():
        starts = start + made.step * np.arange(len(line))
        assert np.abs(line - scheme.bias([spot], starts)[other, 0]).max() <= close(scheme, other)


@given(alibis(), st.integers(1, 90), st.data())
def test_lines_of_alibi(scheme, pixels, data):
    spot, head, _ = draw_row(data, scheme)
    made, others = bias_rows.lines(scheme, spot, (0, scheme.length), pixels, head)
    assert np.array_equal(made.low, -scheme.slopes()[head] * np.abs(made.x - spot) + 0.0)
    assert spot in made.x
    for other, line in others.items():
        assert np.array_equal(line, -scheme.slopes()[other] * np.abs(made.x - spot) + 0.0)


@settings(max_examples=80)
@given(biases(), st.data())
def test_the_range_of_a_row(scheme, data):
    spot, head, window = draw_row(data, scheme)
    low, high = bias_rows.row_range(scheme, head, spot, *window)
    every = scheme.bias([spot], np.arange(*window))[head, 0]
    assert low == pytest.approx(every.min(), abs=close(scheme, head))
    assert high == pytest.approx(every.max(), abs=close(scheme, head))
    assert bias_rows.row_cost(scheme, spot, *window) >= 1


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("spot", [0, 12, 345_678, LAST])
def test_samples_of_the_longest_sequence_lie_within_its_envelope(name, spot):
    scheme = plain(name, 16, LAST + 1)
    whole = (0, LAST + 1)
    exact, _ = bias_rows.lines(scheme, spot, whole, 480, 1)
    span = bias_rows.curve_blocks(whole, 480, LAST + 1, whole=True)
    low, high = bias_rows._sampled(scheme, spot, span, 1)
    assert (low >= exact.low - 1e-8).all()
    assert (high <= exact.high + 1e-8).all()
    at_spot = scheme.bias([spot], [spot])[1, 0, 0]
    column = spot // exact.step
    assert low[column] <= at_spot <= high[column]
    quick, others = bias_rows.lines(scheme, spot, whole, 480, 1, full=False)
    assert quick.exact == (name in ("t5", "shaw", "deberta"))
    assert bool(others) == (name != "transformer_xl")


def test_a_table_with_a_far_reach_is_sampled_at_first():
    scheme = plain("t5", 16, LAST + 1, max_distance=LAST + 1)
    assert not bias_rows.lines(scheme, 500_000, (0, LAST + 1), 480, 0, full=False)[0].exact
    part = compute(LabState().change({"scheme": "fire", "length": LAST + 1}), Viewport(), full=False).similarity
    assert not part.exact
    assert "the exact range is being computed" in part.point


def sentence(**changes):
    state = LabState().change(changes)
    return bias_sentence(state.built, state)


@pytest.mark.parametrize(
    ("convention", "said"),
    [
        ("distance", "Head 0: 0 at spot 12, −57.50 at position 127, the farthest; it only falls with the distance."),
        ("signed", "Head 0: 0 at spot 12, 57.50 at position 127, the farthest; it rises with the key's position."),
        (
            "last_row",
            "Head 0: −57.50 at spot 12, 0.00 at position 127, the farthest; it rises with the key's position.",
        ),
        (
            "key_index",
            "Head 0: 6.00 at spot 12, 63.50 at position 127, the farthest; it rises with the key's position.",
        ),
    ],
)
def test_the_sentence_of_each_convention(convention, said):
    assert sentence(scheme="alibi", params={"convention": convention}) == said


def test_sentences_at_the_ends_of_the_sequence():
    signed = {"scheme": "alibi", "params": {"convention": "signed"}}
    assert sentence(**signed, position=0).endswith("it only rises with the distance.")
    assert sentence(**signed, position=127).endswith("it only falls with the distance.")
    assert "it only falls" in sentence(scheme="kerple", length=LAST + 1, position=500_000)
    assert sentence(scheme="shaw", params={"left": 0, "right": 0}).endswith("the same for all keys.")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scheme": "fire"}, "up to the query it only falls with the distance; later keys count as distance 0."),
        ({"scheme": "fire", "position": 127}, "the farthest; it only falls with the distance."),
        ({"scheme": "fire", "position": 0}, "the same for all keys."),
        ({"scheme": "t5", "params": {"bidirectional": False}}, "later keys count as distance 0."),
        ({"scheme": "shaw", "params": {"left": 9, "right": 0}}, "later keys count as distance 0."),
        ({"scheme": "shaw", "params": {"left": 0, "right": 9}}, "earlier keys count as distance 0."),
        ({"scheme": "kerple"}, "the farthest; it only falls with the distance."),
    ],
)
def test_a_side_that_is_flat_is_no_part_of_the_course(changes, said):
    assert sentence(**changes).endswith(said)


@pytest.mark.parametrize("name", OTHERS)
def test_sentences_name_the_stand_in(name):
    text = sentence(scheme=name, causal=True)
    assert f"Head 0 ({plain(name).stand_in}, before the causal mask): " in text
    assert ("toy" in text) == plain(name).content
    assert ("toy" in compute(LabState().change({"scheme": name})).rotation.sentence) == plain(name).content


@settings(max_examples=80)
@given(biases(), st.data())
def test_what_the_sentence_says_of_the_course(scheme, data):
    spot, head, _ = draw_row(data, scheme)
    params = {name: value for name, value in scheme.effective().items() if value is not None}
    sizes = {"dimension": scheme.dimension, "length": scheme.length, "position": spot, "head": head}
    text = sentence(scheme=scheme.id, params=params, **sizes)
    row = scheme.bias([spot], np.arange(scheme.length))[head, 0]
    sides = [np.diff(row[: spot + 1][::-1]), np.diff(row[spot:])]
    flat = [side.size and not side.any() for side in sides]
    assert ("earlier keys count as distance 0" in text) == bool(flat[0] and sides[1].any())
    assert ("later keys count as distance 0" in text) == bool(flat[1] and sides[0].any())
    if "only falls" in text:
        assert all((side <= 0).all() for side in sides)
    elif "only rises" in text:
        assert all((side >= 0).all() for side in sides)
    elif "the same for all keys" in text:
        assert not any(side.any() for side in sides)
    elif "rises with the key" in text:
        assert (np.diff(row) >= 0).all()
    elif "falls with the key" in text:
        assert (np.diff(row) <= 0).all()
    else:
        assert any((side > 0).any() for side in sides)
