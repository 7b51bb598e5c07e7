"""The values behind expectations, against closed forms and the golden numbers of libraries."""

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from pe_desktop.core import sentence
from pe_desktop.core.attention import project
from pe_desktop.core.blocks import whole_blocks
from pe_desktop.core.errors import FieldError
from pe_desktop.core.experiment import EXPERIMENTS, Experiment, Figure
from pe_desktop.core.parts import Viewport
from pe_desktop.core.sampling import row_means, shape_of
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.lessons.expression import parse_expectation, parse_expression
from pe_desktop.lessons.quantities import CALLS, QUANTITIES, VALUES, Quantities
from pe_desktop.lessons.quantity_scores import tops

FACTS = json.loads((Path(__file__).parents[1] / "golden" / "lesson_facts.json").read_text())
COSINES = FACTS["computed_float64"]["cosine_pos0_vs"]
DOTS = FACTS["computed_float64"]["dot_pos0_vs"]
WAVELENGTHS = FACTS["wavelengths"]["computed_float64"]
SLOWEST = 10_000.0 ** (-62 / 64)


@cache
def _quantities(changes):
    return Quantities(compute(LabState().change(json.loads(changes))))


def quantities(**changes):
    return _quantities(json.dumps(changes, sort_keys=True))


def value(text, **changes):
    return parse_expression(text).value(quantities(**changes))


def sines(position, dimension=64):
    """The sinusoidal row as the paper writes it."""
    angles = position * 10_000.0 ** (-np.arange(0, dimension, 2) / dimension)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()


SWAP = {"swap": True, "swap_words": [1, 4]}
ROPE = {"scheme": "rope", "length": 256, "params": {"trained_length": 128}}
NEAR = {"rel": 1e-9, "abs": 1e-9}
# One line for each way to write each quantity: the state, what is written, what it must be.
CHECKED = [
    (
        SWAP,
        "input_gap",
        2 / 5 * math.sqrt(2 * (32 - 32 * math.fsum(np.cos(3 * 10_000.0 ** (-np.arange(32) / 32))) / 32)),
    ),
    ({**SWAP, "scheme": "none"}, "input_gap", 0.0),
    ({**SWAP, "scheme": "none"}, "output_gap", 0.0),
    (SWAP, "output_gap_travelling", 0.0),
    ({"position": 0}, "largest_value", 1.0),
    ({}, "row_norm_min", FACTS["computed_float64"]["row_norms"]["min"]),
    ({"scheme": "integer"}, "row_norm_max", 127 * 8.0),
    ({"scheme": "integer"}, "closest_pair_distance", 8.0),
    ({}, "gap_spread", 0.0),
    ({}, "rotation_residual", 0.0),
    ({"dimension": 48}, "dimension", 48),
    ({"length": 300}, "length", 300),
    ({"position": 7}, "position", 7),
    ({"key_position": 9}, "key_position", 9),
    ({}, "heads", 8),
    ({"scheme": "alibi", "params": {"heads": 12}}, "heads", 12),
    ({"length": 4}, "words", 4),
    ({"scheme": "learned", "params": {"trained_length": 64}}, "rows", 64),
    ({}, "rows", 128),
    ({"dimension": 2}, "peaks", 1 + 18),  # cos(gap): one top before the spot at 12, and 18 turns in the 115 after it
    ({"scheme": "alibi"}, "peaks", 0),
    ({"scheme": "alibi", "position": 30}, "peak", 30),
    ({"scheme": "integer"}, "peak", 1),  # row 0 is zero, and all others point the same way
    ({}, "pairs", 32),
    (ROPE, "untrained_pairs", sum(128 * 10_000.0 ** (-i / 32) < 2 * math.pi for i in range(32))),
    ({**ROPE, "length": 128}, "untrained_pairs", 0),
    ({**ROPE, "params": {"trained_length": 128, "extension": "linear", "factor": 2}}, "untrained_pairs", 0),
    (
        {"scheme": "rope", "params": {"trained_length": 64, "extension": "yarn", "factor": 4}},
        "attention_factor",
        0.1 * math.log(4) + 1,
    ),
    ({}, "encoding(3, 0)", math.sin(3)),
    ({}, "encoding(100, 63)", math.cos(100 * SLOWEST)),
    ({"scheme": "rope"}, "encoding(3, 0)", math.cos(3)),
    ({}, "norm(77)", math.sqrt(32)),
    ({"scheme": "rope"}, "norm(77)", math.sqrt(32)),
    ({"scheme": "integer"}, "largest(9)", 9),
    ({"scheme": "alibi"}, "largest(127)", 63.5),
    ({}, "dot(0, 50)", DOTS["50"]),
    ({}, "distance(3, 13)", math.sqrt(2 * (32 - DOTS["10"]))),
    ({}, "similarity(25)", COSINES["25"]),
    ({}, "similarity(-5)", COSINES["5"]),
    ({}, "similarity(0, 100)", COSINES["100"]),
    ({"scheme": "rope"}, "similarity(60, 10)", COSINES["50"]),
    ({"scheme": "alibi", "head": 1}, "similarity(3)", -0.75),
    ({"scheme": "none"}, "similarity(3)", 0),
    ({"scheme": "normalized"}, "moved(64, 256)", 8 * (64 / 128 - 64 / 256)),
    ({}, "moved(64, 256)", 0),
    ({}, "input_change(10)", math.sqrt(2 * (32 - DOTS["10"]))),
    ({"scheme": "rope"}, "input_change(10)", 0),
    ({}, "wavelength(20)", WAVELENGTHS["20"]),
    ({}, "frequency(31)", SLOWEST),
    ({"scheme": "rope"}, "angle(100, 31)", 100 * SLOWEST),
    ({}, "angle(100, 0)", 100),
    (ROPE, "turns(0)", 128 / (2 * math.pi)),
    ({}, "score(0, 100)", DOTS["100"]),
    ({"scheme": "rope"}, "score(100, 0)", COSINES["100"]),
    ({"scheme": "alibi", "head": 2}, "score(20, 12)", -1.0),
    ({"scheme": "rope"}, "shift_error(4, 9, 100)", 0),
    ({"scheme": "integer"}, "shift_error(1, 2, 3)", 64 * (4 * 5 - 1 * 2)),
    ({"scheme": "alibi"}, "bias(20, 12)", -4),
    ({"scheme": "alibi"}, "slope(7)", 2**-8),
    ({"scheme": "t5"}, "bucket(3)", 19),
    ({"scheme": "t5"}, "bucket(-3)", 3),
    ({"scheme": "none", "sentence": "dog dog"}, "weight(0, 1)", 0.5),
    ({"scheme": "rope", "causal": True}, "weight(0, 0)", 1),
    ({"scheme": "none", "sentence": "a b b", "swap": True, "swap_words": [1, 2]}, "weight_b(0, 1) - weight_b(0, 2)", 0),
    ({"scheme": "rope"}, "lone_output_change(77)", 0),
    ({}, "lone_output_change(9)", float(np.linalg.norm(project((sines(9) - sines(0))[None], 0, 0, 2)))),
    # Parameters, as they are really used.
    ({"params": {"base": 500}}, "base", 500),
    ({"scheme": "rope"}, "rotary_dimension", 64),
    (
        {"scheme": "rope", "params": {"trained_length": 4096, "original_length": 1024, "extension": "yarn"}},
        "factor",
        4,
    ),
]


@pytest.mark.parametrize(("changes", "text", "expected"), CHECKED)
def test_value(changes, text, expected):
    assert value(text, **changes) == pytest.approx(expected, **NEAR)


LIGHTS = [
    ("sinusoidal", "bounded and unique and steady and relative and goes_past_training"),
    ("integer", "not bounded and unique and steady and not relative"),
    ("normalized", "bounded and not steady"),
    ("learned", "bounded and not relative and not goes_past_training"),
    ("none", "not unique"),
    ("rope", "relative and steady"),
    ("alibi", "not bounded and relative"),
]


@pytest.mark.parametrize(("scheme", "text"), LIGHTS)
def test_lights(scheme, text):
    verdict = parse_expectation(text).judge(quantities(scheme=scheme))
    assert verdict.holds, verdict.says


def test_every_quantity_was_checked():
    written = " ".join(text for _, text, _ in CHECKED) + " ".join(text for _, text in LIGHTS) + " output_gap"
    names = {name.split("(")[0] for name in written.replace("-", " ").split()}
    assert set(QUANTITIES) <= names
    assert set(CALLS) == {name for name, about in QUANTITIES.items() if about.is_call}
    assert set(VALUES) <= set(QUANTITIES)


def test_gaps_and_weights_are_those_on_screen():
    snapshot = compute(LabState().change(SWAP))
    found = Quantities(snapshot)
    part = snapshot.attention
    assert found.value("input_gap") == part.input_gap
    assert found.value("output_gap") == part.output_gap > 0.1
    for query, key in ((0, 3), (4, 1)):
        assert found.call("weight", (query, key)) == pytest.approx(float(part.weights_a[query, key]), rel=1e-6)
        assert found.call("weight_b", (query, key)) == pytest.approx(float(part.weights_b[query, key]), rel=1e-6)
    assert part.weights_a[4, 1] != part.weights_b[4, 1]


def test_the_largest_value_of_the_spot_is_the_read_out():
    for scheme in ("sinusoidal", "learned", "rope", "alibi", "xpos"):
        found = quantities(scheme=scheme, position=41)
        assert found.call("largest", (41,)) == found.value("largest_value")


@pytest.mark.parametrize(
    "changes",
    [
        {"scheme": "sinusoidal", "params": {"layout": "concatenated"}},
        {"scheme": "learned"},
        {"scheme": "rope", "params": {"layout": "half"}},
        {"scheme": "rope", "params": {"layout": "interleaved", "rotary_dimension": 32}},
        {"scheme": "xpos"},
        {"scheme": "mrope"},
        {"scheme": "axial"},
    ],
)
def test_the_encoding_is_the_matrix(changes):
    found = quantities(**changes)
    width = shape_of(found._snapshot.scheme)[1]
    row = [found.call("encoding", (41, column)) for column in range(width)]
    assert row == pytest.approx(row_means(found._snapshot.scheme, whole_blocks(41, 1, 42))[0].tolist(), abs=1e-6)


def test_similarity_is_the_same_both_ways_of_writing_it():
    found = quantities(scheme="learned", position=41)
    assert found.call("similarity", (-11,)) == found.call("similarity", (41, 30))


def test_the_closest_rows_are_as_far_apart_as_their_distance():
    for scheme in ("sinusoidal", "learned", "rope"):
        found = quantities(scheme=scheme)
        closest = next(each.value for each in found._snapshot.readouts.readouts if each.name == "closest_pair")
        assert found.call("distance", (closest.first, closest.second)) == pytest.approx(closest.distance, **NEAR)


def test_moved_counts_an_attention_factor_that_changes():
    changes = {"scheme": "rope", "params": {"trained_length": 64, "extension": "longrope", "factor": 4}, "length": 64}
    # Past the original length longrope takes its other list too; pair 0 of position 0 does not turn in either.
    before, after = (quantities(**{**changes, "length": length}).value("attention_factor") for length in (64, 128))
    moved = value("moved(0, 128)", **changes)
    assert moved == pytest.approx(abs(after - before) * math.sqrt(32), **NEAR)


def test_word_vectors_play_no_part_in_what_a_position_changes():
    words = sentence.word_vectors(("The",), 64, 0)
    assert np.linalg.norm(words) > 0
    first = value("lone_output_change(9)", sentence="one")
    assert first == pytest.approx(value("lone_output_change(9)", sentence="another word"), **NEAR)


def test_tops():
    assert tops(np.array([1.0, 0.0, 1.0, 0.0])) == [2]
    assert tops(np.array([0.0, 1.0, 1.0, 0.0, 2.0])) == [1]
    assert tops(np.array([0.0, 1.0, 1.0 - 1e-12, 1.0, 0.5, 0.5 + 1e-12, 0.5])) == [1]
    assert tops(np.array([0.0, 1.0, 2.0])) == []
    assert tops(np.array([2.0, 1.0, 0.0])) == []
    assert tops(np.sin(np.arange(100))) == pytest.approx([math.pi / 2 + 2 * math.pi * k for k in range(16)], abs=0.5)


# Figures of experiments -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Probe(Experiment):
    """Counts how often it is done."""

    id: ClassVar[str] = "probe"
    title: ClassVar[str] = "Probe"
    fields: ClassVar[tuple[str, ...]] = ("length",)
    runs: ClassVar[list[int]] = []

    def run(self, state):
        """See :meth:`Experiment.run`."""
        self.runs.append(state.length)
        if state.length > 200:
            return self.refusal("Too long.")
        figures = (Figure("double", "", 2.0 * state.length, ""), Figure("idle", "", None, "no pairs"))
        return self.part("", "", (), figures)


@pytest.fixture
def probe(monkeypatch):
    LabState().change({"experiment": "shuffle"})  # registers those there are before one is added
    monkeypatch.setitem(EXPERIMENTS, "probe", Probe)
    monkeypatch.setattr("pe_desktop.lessons.quantities._DONE", {})
    Probe.runs.clear()
    return LabState().change({"experiment": "probe"})


def test_figures_are_worked_out_once(probe):
    found = Quantities(compute(probe))
    assert parse_expectation("experiment.double == 256 and experiment.double > 255").judge(found).holds
    assert Probe.runs == [128]


def test_figures_of_the_picture_are_taken_from_it(probe):
    found = Quantities(compute(probe, Viewport(shown=frozenset({"experiment"}))))
    assert found.value("experiment.double") == 256
    assert Probe.runs == [128]


def test_figures_that_are_not_there(probe):
    found = Quantities(compute(probe))
    with pytest.raises(FieldError, match="The experiment probe has no figure 'dooble'; it has double, idle"):
        found.value("experiment.dooble")
    with pytest.raises(FieldError, match="The figure 'idle' of the experiment probe does not apply here: no pairs"):
        found.value("experiment.idle")
    with pytest.raises(FieldError, match=r"The experiment probe has no figures here: Too long\."):
        Quantities(compute(probe.change({"length": 300}))).value("experiment.double")
