"""Windows on request: the numbers of the pictures, with the edges of their blocks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.blocks import blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.extremes import window_extremes
from pe_desktop.core.parts import Window
from pe_desktop.core.sampling import picture
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.score_extremes import score_extremes
from pe_desktop.core.score_window import score_blocks, score_means
from pe_desktop.core.values import ANSWERS, answer, jsonable
from pe_desktop.core.values_window import WHAT
from tests.core.strategies import ALL, attempt, plain

ASKED = {"rows": "3.5:100", "columns": [0, 40.25], "pixels": "20x9"}
WINDOW = (3.5, 100.0), (0.0, 40.25), 20, 9


def ask(name="sinusoidal", what="window", **more):
    return answer({"scheme": name, "what": what, **more})


@pytest.mark.parametrize("statistic", ["mean", "lowest", "highest"])
@pytest.mark.parametrize("name", ALL)
def test_the_matrix(name, statistic):
    result, scheme = ask(name, statistic=statistic, **ASKED), plain(name)
    made = picture(scheme, Window(*WINDOW))
    expected = made.values
    if statistic != "mean":
        expected = window_extremes(scheme, made.rows, made.columns)[("lowest", "highest").index(statistic)]
    assert np.array_equal(result["values"], expected)
    assert result["values"].dtype == np.float64
    assert result["rows"] == made.rows.edges.tolist()
    assert result["columns"] == made.columns.edges.tolist()
    assert (result["statistic"], result["shape"]) == (statistic, [made.rows.number, made.columns.number])


@pytest.mark.parametrize("statistic", ["mean", "lowest", "highest"])
@pytest.mark.parametrize("name", ALL)
def test_the_scores(name, statistic):
    result, scheme = ask(name, "score_window", statistic=statistic, **ASKED), plain(name)
    if isinstance(scheme, ScoreBias):
        assert np.array_equal(result["values"], ask(name, statistic=statistic, **ASKED)["values"])
        return
    rows, columns = score_blocks(scheme, Window(*WINDOW))
    expected = score_means(scheme, rows, columns)
    if statistic != "mean":
        expected = score_extremes(scheme, rows, columns)[("lowest", "highest").index(statistic)]
    assert np.array_equal(result["values"], expected, equal_nan=True)
    assert (result["rows"], result["columns"]) == (rows.edges.tolist(), columns.edges.tolist())


def test_a_million_positions():
    result = ask(length=1_048_576, rows="0:1048576", columns="0:64", pixels="420x430", statistic="lowest")
    assert result["shape"] == [420, 64]
    assert result["rows"][:2] == [0.0, blocks((0, 1_048_576), 420, 1_048_576).step]
    assert result["values"].min() == -1.0


def test_all_cells_unless_told_otherwise():
    result = ask(dimension=8, length=20)
    assert result["shape"] == [20, 8]
    assert result["rows"] == list(range(21))
    assert result["statistic"] == "mean"
    assert np.abs(result["values"] - ask(what="encoding", dimension=8, length=20)["values"]).max() < 1e-6
    assert ask("rope", "score_window", length=20)["shape"] == [20, 20]


def test_one_head_of_a_bias():
    each = [ask("alibi", head=head, **ASKED)["values"] for head in (0, 3)]
    assert np.allclose(each[0], 8 * each[1])
    assert np.array_equal(ask("alibi", "score_window", head=3, **ASKED)["values"], each[1])


@pytest.mark.parametrize("statistic", ["mean", "highest"])
@pytest.mark.parametrize("what", WHAT)
def test_no_value_is_null(what, statistic):
    params = {"trained_length": 15}
    result = jsonable(ask("learned", what, params=params, length=40, pixels="4x4", statistic=statistic))
    assert result["values"][2:] == [[None] * 4] * 2
    assert None not in result["values"][0][:2]
    assert json.dumps(result, allow_nan=False)


def test_what_a_reader_should_know():
    assert "or more cells spread over its block" in ask("fire", length=1000, pixels="10x10")["notes"][-1]
    asked = {"what": "score_window", "length": 1_048_576, "pixels": "9x9"}
    for step, told in ((1, True), (1000, False)):
        params = {"temperature": "llama4", "temperature_length": step}
        notes = answer({"scheme": "rope", "params": params, **asked})["notes"]
        assert any("before the query temperature" in note for note in notes) == told


@pytest.mark.parametrize(
    ("field", "given_", "said"),
    [
        ("rows", "5", "two numbers, such as 0:128"),
        ("rows", "5:4", "must rise, from 0 to at most 128"),
        ("rows", "-1:4", "must rise"),
        ("rows", [0, 129], "at most 128"),
        ("columns", "0:65", "at most 64"),
        ("columns", {"a": 1}, "two numbers"),
        ("columns", [0, "x"], "not a number"),
        ("pixels", "4", "such as 420x430"),
        ("pixels", "0x4", "at least 1"),
        ("pixels", [2.5, 4], "whole numbers"),
        ("statistic", "median", "mean, lowest, highest"),
        ("statistic", ["mean"], "mean, lowest, highest"),
        ("head", 1, "no heads of its own"),
        ("positions", [1], "plays no part in 'window'"),
        ("key_positions", [1], "plays no part in 'window'"),
        ("position", 1, "plays no part in 'window'"),
        ("q", [1], "plays no part in 'window'"),
    ],
)
def test_refusals(field, given_, said):
    with pytest.raises(FieldError, match=said) as refused:
        ask(**{field: given_})
    assert refused.value.field == field


def test_a_head_there_is_not():
    with pytest.raises(FieldError, match="between 0 and 7"):
        ask("alibi", head=8)


def test_too_many_pixels():
    with pytest.raises(FieldError, match="the most is 16,777,216"):
        ask(length=1_048_576)


def test_float64_only():
    with pytest.raises(FieldError, match="float64 only"):
        ask(arithmetic="float32")


@pytest.mark.parametrize("field", ["rows", "columns", "pixels", "statistic", "head"])
@pytest.mark.parametrize("what", sorted(set(ANSWERS) - set(WHAT)))
def test_fields_of_windows_are_for_windows(field, what):
    with pytest.raises(FieldError, match="is for 'window' and 'score_window'") as refused:
        ask("rope", what, **{field: 1})
    assert refused.value.field == field


@given(
    st.sampled_from(ALL),
    st.sampled_from(list(WHAT)),
    st.fixed_dictionaries(
        {},
        optional={
            "rows": st.lists(st.floats(0, 128), min_size=2, max_size=2) | st.text("0123456789:x.", max_size=9),
            "columns": st.lists(st.floats(0, 70), min_size=2, max_size=2),
            "pixels": st.lists(st.integers(0, 300), min_size=2, max_size=2),
            "statistic": st.sampled_from(["mean", "lowest", "highest", "", None, 3]),
        },
    ),
)
def test_any_window_gives_numbers_or_a_refusal(name, what, more):
    result, refusal = attempt(answer, {"scheme": name, "what": what, **more})
    if refusal:
        assert refusal.field in ("rows", "columns", "pixels", "statistic")
        return
    assert result["shape"] == [len(result["rows"]) - 1, len(result["columns"]) - 1]
    json.dumps(jsonable(result), allow_nan=False)
