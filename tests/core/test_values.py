"""Requests for exact numbers: every `what` for every scheme, and every refusal."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.core.request import FIELDS, positions_from
from pe_desktop.core.rotary import Rotary
from pe_desktop.core.score_bias import ScoreBias
from pe_desktop.core.values import WHAT, WHOLE, answer, jsonable
from tests.core.strategies import ALL, any_scheme, attempt, plain

ROWS = np.linspace(-1, 1, 64)


SPOT = 100


def ask(name="sinusoidal", what="encoding", **more):
    return answer({"scheme": name, "what": what, **more})


ROTARY = {"rope", "xpos", "mrope", "axial"}
SEVERAL_AXES = {"mrope", "axial", "sincos2d"}
TURNING = {"sinusoidal", "sincos2d"} | ROTARY
ADDED = {"none", "integer", "normalized", "sinusoidal", "learned", "sincos2d"}
BIASES = {name for name in ALL if isinstance(plain(name), ScoreBias)}
LOOKED_UP = {"t5", "shaw", "deberta"}
HAS = {
    "encoding": ADDED,
    "inv_freq": TURNING,
    "wavelength": TURNING,
    "angles": TURNING,
    "cos": TURNING,
    "sin": TURNING,
    "attention_factor": ROTARY,
    "softmax_scale": set(ALL),
    "softmax_correction": ROTARY,
    "query_scale": set(ALL),
    "slopes": {"alibi"},
    "bias": BIASES,
    "buckets": LOOKED_UP,
    "similarity": ADDED | ROTARY,
    "scores": ADDED | ROTARY,
    "rotate": ROTARY,
    "coordinates": SEVERAL_AXES,
    "axis": SEVERAL_AXES,
    "permutation": ROTARY,
    "rope_delta": {"mrope"},
}


def expected(name, what):
    """The same number from the scheme itself."""
    scheme, at, keys = plain(name), [0, 3, 100], [2, 90]
    if what in ("inv_freq", "wavelength", "angles", "cos", "sin"):
        each = scheme.inv_freq() if name in ROTARY else scheme.turns() if name == "sincos2d" else scheme.frequencies()
        angles = np.outer(at, each)
        if name in SEVERAL_AXES:
            angles = scheme.coordinates(at)[:, scheme.pair_axis()] * each
        return {
            "inv_freq": each,
            "wavelength": 2 * math.pi / each,
            "angles": angles,
            "cos": np.cos(angles),
            "sin": np.sin(angles),
        }[what]
    vector = np.repeat(ROWS[None], 3, axis=0)
    if what == "scores":
        if name in ROTARY:
            return scheme.rotate(vector, at) @ scheme.rotate(vector[:2], keys, key=True).T
        return (vector + scheme.encode(at)) @ (vector[:2] + scheme.encode(keys)).T
    if what == "similarity" and name in ROTARY:
        turned = scheme.rotate(np.ones((3, 64)), at, key=True)
        return turned @ scheme.rotate(np.ones((1, 64)), [SPOT])[0] / 64
    if what == "similarity":
        rows = scheme.encode([*at, SPOT])
        sizes = np.linalg.norm(rows, axis=1)
        with np.errstate(invalid="ignore"):
            return np.nan_to_num(rows[:3] @ rows[3] / (sizes[:3] * sizes[3]))
    return {
        "encoding": lambda: scheme.encode(at),
        "attention_factor": lambda: 1.0,
        "softmax_correction": lambda: 1.0,
        "softmax_scale": lambda: {"t5": 1.0, "deberta": 1 / math.sqrt(192)}.get(name, 0.125),
        "query_scale": lambda: np.ones(3),
        "buckets": lambda: scheme.bucket_of(np.array([-200.0, 0.0, 3.0])),
        "slopes": lambda: 2.0 ** -np.arange(1, 9),
        "bias": lambda: (
            -(2.0 ** -np.arange(1, 9))[:, None, None] * np.abs(np.subtract.outer(at, keys))
            if name == "alibi"
            else scheme.bias(at, keys)
        ),
        "rotate": lambda: scheme.rotate(vector, at),
        "coordinates": lambda: scheme.coordinates(at),
        "axis": lambda: scheme.pair_axis(),
        "permutation": lambda: (
            np.concatenate(scheme.pairs()) if name == "xpos" else np.arange(64).reshape(2, 32).T.ravel()
        ),
        "rope_delta": lambda: -56.0,
    }[what]()


def test_the_table_is_whole():
    assert set(HAS) == set(WHAT)


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("name", ALL)
def test_every_what_for_every_scheme(name, what):
    more = {"positions": [0, 3, 100], "key_positions": [2, 90], "position": SPOT}
    more |= {"q": ROWS.tolist(), "k": ROWS.tolist(), "vectors": [ROWS.tolist()], "offsets": "-200,0,3"}
    if name not in HAS[what]:
        with pytest.raises(FieldError) as refused:
            ask(name, what, **more)
        assert refused.value.field == "what"
        assert what in refused.value.message
        assert name in refused.value.message
        return
    result = ask(name, what, **more)
    assert result.pop("notes", []) == list(plain(name).notes())
    assert list(result) == ["scheme", "params", "dimension", "length", "what", "unit", "shape", "values"]
    assert (result["scheme"], result["what"], result["dimension"], result["length"]) == (name, what, 64, 128)
    assert result["params"] == plain(name).effective()
    assert result["unit"]
    assert result["shape"] == list(np.shape(result["values"]))
    assert result["values"].dtype == (np.int64 if what in WHOLE else np.float64)
    wanted = np.asarray(expected(name, what))
    assert result["values"].shape == wanted.shape
    assert np.abs(result["values"] - wanted).max() < 1e-12
    text = json.dumps(jsonable(result), allow_nan=False)
    assert np.array_equal(json.loads(text)["values"], result["values"])


def test_the_request_of_the_design():
    params = {"base": 500000.0, "extension": "llama3", "factor": 8.0, "low_freq_factor": 1.0}
    params |= {"high_freq_factor": 4.0, "original_length": 8192}
    result = ask("rope", "inv_freq", params=params, dimension=128, length=131072)
    assert result["unit"] == "rad/position"
    assert result["shape"] == [64]
    others = {"layout": "half", "rotary_dimension": 128, "trained_length": 4096, "score_dimension": 128}
    assert result["params"] == params | others | {"temperature": "none"}
    assert result["values"][0] == 1.0
    assert result["values"][-1] == pytest.approx(500000.0 ** (-126 / 128) / 8.0, rel=1e-15)


def test_defaults():
    assert ask()["shape"] == [128, 64]
    assert ask("alibi", "bias")["shape"] == [8, 128, 128]
    assert ask("alibi", "bias", positions=[5])["shape"] == [8, 1, 1]
    assert answer({"what": "softmax_scale"})["scheme"] == "sinusoidal"
    assert ask(params=None)["params"] == {"base": 10000.0, "layout": "interleaved"}


@pytest.mark.parametrize(
    ("given_positions", "wanted"),
    [
        ("0", [0]),
        ("0,1,5:20:5", [0, 1, 5, 10, 15]),
        ("3:6", [3, 4, 5]),
        ("5:0:-2", [5, 3, 1]),
        (" 1 , 2 ", [1, 2]),
        ("-3", [-3]),
        ([0, 1.5, "2,5"], [0, 1.5, 2.5]),
        ((7,), [7]),
        (9, [9]),
        (2.5, [2.5]),
    ],
)
def test_positions(given_positions, wanted):
    assert positions_from(given_positions, "positions").tolist() == wanted


@pytest.mark.parametrize(
    ("given_positions", "words"),
    [
        ("", "write whole numbers"),
        ("a", "write whole numbers"),
        ("1.5", "write whole numbers"),
        ("1:2:3:4", "write whole numbers"),
        ("1:2:0", "write whole numbers"),
        ("5:5", "empty range"),
        ("5:1", "empty range"),
        ("0:2000000", "2,000,000 positions; the most is 1,048,576"),
        ("0:1000000,0:1000000", "more than 1,048,576"),
        ("0:99999999999999999999999", "beyond 2^53"),
        ("9" * 30, "beyond 2^53"),
        ("9" * 6000, "write whole numbers"),
        ([], "must be a list"),
        ({}, "must be a list"),
        (True, "must be a list"),
        (None, "must be a list"),
        ([1e300], "beyond 2^53"),
        ([math.nan], "finite"),
        ([math.inf], "finite"),
        ([10**40], "far out of range"),
        (["x"], "not a number"),
        ([None], "not a number"),
        ([[1]], "not a number"),
    ],
)
def test_positions_refused(given_positions, words):
    with pytest.raises(FieldError) as refused:
        positions_from(given_positions, "key_positions")
    assert refused.value.field == "key_positions"
    assert words in refused.value.message


@pytest.mark.parametrize(
    ("request_", "field", "words"),
    [
        ([], "request", "must be a JSON object"),
        ("x", "request", "must be a JSON object"),
        (None, "request", "must be a JSON object"),
        ({}, "what", "is missing; it must be one of encoding"),
        ({"what": "rows"}, "what", "is 'rows'"),
        ({"what": []}, "what", "is []"),
        ({"what": {}}, "what", "is {}"),
        ({"what": "encoding", "colour": 1}, "colour", "no field 'colour'"),
        ({"what": "encoding", "scheme": "nope"}, "scheme", "no scheme 'nope'"),
        ({"what": "encoding", "scheme": ["rope"]}, "scheme", "must be an id"),
        ({"what": "encoding", "params": [1]}, "params", "must map names"),
        ({"what": "encoding", "params": {"x": 1}}, "x", "no parameter 'x'"),
        ({"what": "encoding", "dimension": 1}, "dimension", "between 2 and 8,192"),
        ({"what": "encoding", "dimension": None}, "dimension", "not a whole number"),
        ({"what": "encoding", "length": 1e9}, "length", "between 2 and 1,048,576"),
        ({"what": "inv_freq", "scheme": "rope", "dimension": 65}, "dimension", "is odd"),
        ({"what": "encoding", "length": 1_048_576}, "positions", "67,108,864 numbers; the most is 16,777,216"),
        ({"what": "bias", "scheme": "alibi", "length": 5000}, "positions", "the most is"),
        ({"what": "similarity", "position": 1.5}, "position", "not a whole number"),
        ({"what": "similarity", "position": 1e17}, "position", "beyond 2^53"),
        ({"what": "similarity", "position": 1e300}, "position", "far out of range"),
        ({"what": "encoding", "scheme": "learned", "length": 600}, "positions", "Position 599 has no vector"),
        ({"what": "encoding", "scheme": "learned", "positions": [-1]}, "positions", "no vector"),
        ({"what": "encoding", "scheme": "learned", "positions": [0.5]}, "positions", "whole positions only"),
        ({"what": "scores", "k": [1, 2], "dimension": 2}, "q", "needs 'q': 2 numbers"),
        ({"what": "scores", "q": [1, 2], "dimension": 2}, "k", "needs 'k'"),
        ({"what": "scores", "q": [1], "k": [1], "dimension": 2}, "q", "have 1 numbers; the dimension is 2"),
        ({"what": "scores", "q": "x", "k": [1, 2], "dimension": 2}, "q", "must hold numbers"),
        ({"what": "scores", "q": [[1], [1, 2]], "k": [1, 2], "dimension": 2}, "q", "must hold numbers"),
        ({"what": "scores", "q": [10**400, 1], "k": [1, 2], "dimension": 2}, "q", "must hold numbers"),
        ({"what": "scores", "q": [math.nan, 1], "k": [1, 2], "dimension": 2}, "q", "not finite"),
        ({"what": "scores", "q": None, "k": [1, 2], "dimension": 2}, "q", "numbers"),
        ({"what": "scores", "q": [1e308, 1e308], "k": [1e308, 1e308], "dimension": 2}, "what", "too large"),
        ({"what": "scores", "scheme": "alibi"}, "what", "ask for 'bias'"),
        ({"what": "buckets", "scheme": "alibi"}, "what", "no 'buckets'; it has slopes, bias"),
        ({"what": "slopes", "scheme": "t5"}, "what", "no 'slopes'; it has buckets, bias, softmax_scale, query_scale"),
        ({"what": "buckets", "scheme": "t5", "offsets": [0.5]}, "offsets", "between whole numbers"),
        ({"what": "buckets", "scheme": "t5", "offsets": "x"}, "offsets", "write whole numbers"),
        (
            {"what": "bias", "scheme": "shaw", "positions": [0.5], "key_positions": [0]},
            "positions",
            "between whole numbers",
        ),
        ({"what": "rotate", "scheme": "rope", "dimension": 2}, "vectors", "needs 'vectors'"),
        (
            {"what": "rotate", "scheme": "rope", "dimension": 2, "vectors": [[1, 2]] * 2, "positions": [1, 2, 3]},
            "vectors",
            "2 vectors for 3 positions",
        ),
    ],
)
def test_refusals(request_, field, words):
    with pytest.raises(FieldError) as refused:
        answer(request_)
    assert refused.value.field == field
    assert words in refused.value.message
    assert "\n" not in refused.value.message


@settings(max_examples=60)
@given(any_scheme(12), st.lists(st.integers(-50, 300), min_size=1, max_size=5))
def test_encoding_equals_the_scheme(scheme, asked):
    request = {"scheme": scheme.id, "params": scheme.effective(), "dimension": scheme.dimension}
    request |= {"length": scheme.length, "positions": asked}
    if isinstance(scheme, ScoreBias):
        assert np.array_equal(answer(request | {"what": "bias"})["values"], scheme.bias(asked, asked))
    elif isinstance(scheme, Rotary):
        assert np.array_equal(answer(request | {"what": "angles"})["values"], scheme.angles(asked))
    elif scheme.id != "learned" or 0 <= min(asked) <= max(asked) <= scheme.last_position:
        assert np.array_equal(answer(request | {"what": "encoding"})["values"], scheme.encode(asked))


def test_buckets_are_whole_numbers_for_all_offsets_unless_given():
    result = ask("t5", "buckets", length=5)
    assert jsonable(result)["values"] == [4, 3, 2, 1, 0, 17, 18, 19, 20]
    assert "." not in json.dumps(jsonable(result)["values"])
    assert ask("t5", "buckets", offsets="-2:3")["shape"] == [5]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
ODD_REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "scheme": st.sampled_from(ALL) | JSON,
        "what": st.sampled_from(list(WHAT)) | JSON,
        "dimension": st.integers(0, 20) | JSON,
        "length": st.integers(0, 40) | JSON,
        "params": st.dictionaries(st.sampled_from(["base", "layout", "heads", "seed"]), JSON, max_size=2) | JSON,
        **{name: JSON | st.lists(st.floats(-9, 9), max_size=4) for name in FIELDS[5:]},
    },
)


@settings(max_examples=120)
@given(ODD_REQUESTS | JSON)
def test_any_request_gives_finite_numbers_or_a_refusal(request_):
    result, refusal = attempt(answer, request_)
    if refusal:
        assert refusal.field
        assert "\n" not in refusal.message
        return
    assert np.isfinite(result["values"]).all()
    json.dumps(jsonable(result), allow_nan=False)


def test_scores_are_for_one_query_and_one_key():
    request = {"scheme": "rope", "dimension": 2, "what": "scores", "positions": [0], "q": [[1, 0], [0, 1]], "k": [1, 0]}
    with pytest.raises(FieldError) as refusal:
        answer(request)
    assert refusal.value.field == "q"
    assert "2 vectors" in refusal.value.message


def test_a_pair_that_does_not_turn_has_no_wavelength():
    params = {"extension": "proportional", "rotary_fraction": 0.5}
    result = jsonable(ask("rope", "wavelength", params=params, dimension=8))
    assert result["values"][:2] == pytest.approx([2 * math.pi, 2 * math.pi * 10.0])
    assert result["values"][2:] == [None, None]
    assert "null" in json.dumps(result, allow_nan=False)


def test_the_query_temperature_is_in_the_scores():
    params = {"temperature": "llama4", "temperature_length": 1}
    more = {"params": params, "dimension": 2, "q": [1, 0], "k": [1, 0], "positions": [100], "key_positions": [100]}
    for name in ("rope", "none"):
        assert ask(name, "scores", **more)["values"].item() == pytest.approx(1 + 0.1 * math.log(102), rel=1e-14)


def test_parameters_that_play_no_part_are_named():
    result = ask("rope", "inv_freq", params={"factor": 8.0, "mscale": None, "base": 500.0})
    assert result["idle"] == ["factor"]
    assert "factor" not in result["params"]
    assert "idle" not in ask("rope", "inv_freq", params={"extension": "linear", "factor": 8.0})


def test_notes_say_why_a_dynamic_base_is_plain():
    params = {"extension": "dynamic", "factor": 8.0}
    (note,) = ask("rope", "inv_freq", params=params)["notes"]
    assert note == "Dynamic: length 128 does not exceed the trained 4,096: plain base 10,000."


@pytest.mark.parametrize(
    ("extra", "field", "words"),
    [
        ({"params": []}, "params", "must map names to values"),
        ({"params": ""}, "params", "must map names to values"),
        ({"what": "rotate", "vectors": None}, "vectors", "needs 'vectors': 64 numbers"),
    ],
)
def test_nothing_is_not_an_empty_list(extra, field, words):
    with pytest.raises(FieldError, match=words) as refused:
        answer({"scheme": "rope", "what": "inv_freq"} | extra)
    assert refused.value.field == field
