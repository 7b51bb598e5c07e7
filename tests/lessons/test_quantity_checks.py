"""What a quantity says where it has no value, and that no scheme does anything else."""

import json
import math
from functools import cache

import pytest

from pe_desktop.core.errors import FieldError
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.lessons.expression import parse_expectation, parse_expression
from pe_desktop.lessons.quantities import CALLS, QUANTITIES, Quantities
from pe_desktop.lessons.quantity_table import known_names


@cache
def _quantities(changes):
    return Quantities(compute(LabState().change(json.loads(changes))))


def quantities(**changes):
    return _quantities(json.dumps(changes, sort_keys=True))


REFUSED = [
    ({}, "input_gap", "input_gap has no value without a sentence B; set swap = true."),
    ({}, "attention_factor", "Sinusoidal has no attention factor; choose a rotary scheme."),
    ({}, "bias(1, 2)", "Sinusoidal has no bias; choose a score bias such as alibi."),
    ({}, "bucket(1)", "Sinusoidal has no buckets"),
    ({}, "slope(1)", "Sinusoidal has no slope"),
    ({"scheme": "t5"}, "slope(1)", "T5 buckets has no slope; choose a bias that is linear in the distance"),
    ({"scheme": "alibi"}, "bucket(1)", "ALiBi has no buckets; choose a bias that looks offsets up"),
    ({"scheme": "t5"}, "bucket(0.5)", "Offset is 0.5; it must be a whole number."),
    ({"scheme": "alibi"}, "slope(8)", "Head is 8, but there are 8 heads; it must lie between 0 and 7."),
    ({"scheme": "alibi"}, "norm(3)", "ALiBi has no rows and so no norm"),
    ({"scheme": "alibi"}, "encoding(3, 1)", "ALiBi has no rows and so no encoding"),
    ({"scheme": "alibi"}, "wavelength(3)", "ALiBi has no pairs that turn and so no wavelength"),
    ({"scheme": "alibi"}, "row_norm_min", "ALiBi has no row_norm_min here"),
    ({}, "untrained_pairs", "Sinusoidal has no trained length and so no untrained pairs"),
    ({}, "norm(128)", "Position is 128, but there are 128 positions in the sequence; it must lie between 0 and 127."),
    ({}, "norm(-1)", "Position is -1"),
    ({}, "norm(1.5)", "Position is 1.5; it must be a whole number."),
    ({}, "norm(1e300)", "Position is 1e+300; it must be a whole number."),
    ({}, "encoding(1, 64)", "Column is 64, but there are 64 columns"),
    ({}, "frequency(32)", "Pair is 32, but there are 32 pairs"),
    ({}, "similarity(116)", "Position is 128"),
    ({}, "similarity(0.5)", "Gap is 0.5"),
    ({}, "moved(3, 1)", "Length is 1; it must lie between 2 and 1,048,576."),
    ({}, "moved(100, 64)", "Position is 100, but there are 64 positions"),
    ({}, "weight(0, 5)", "Word is 5, but there are 5 words that take part"),
    ({}, "weight_b(0, 1)", "There is no sentence B, since the swap is off; set swap = true."),
    ({"sentence": ""}, "input_change(1)", "The sentence has no word that takes part"),
    (
        {"scheme": "learned", "params": {"trained_length": 64}},
        "norm(64)",
        "Position 64 has no vector: the table has 64",
    ),
    ({"scheme": "learned", "params": {"trained_length": 64}}, "similarity(60)", "Position 72 has no similarity to 12"),
    ({"scheme": "learned", "params": {"trained_length": 64}}, "score(3, 70)", "Query 3 and key 70 have no score"),
    ({"scheme": "learned", "params": {"trained_length": 4}}, "peaks", "There is no similarity curve. Spot 12 has no"),
    ({"scheme": "none"}, "peak", "The similarity curve is flat"),
    ({"length": 4097}, "peaks", "Length is 4,097; peaks are looked for up to 4,096 positions"),
    ({"scheme": "rope"}, "factor", "RoPE has no factor, which plays no part with these settings; it has base"),
    ({}, "factor", "Sinusoidal has no factor, which is no parameter of it; it has base, layout."),
    ({"scheme": "none"}, "base", "None has no base, which is no parameter of it"),
    ({"scheme": "rope"}, "unique", "The light unique does not apply to RoPE: No row is added"),
]


@pytest.mark.parametrize(("changes", "text", "says"), REFUSED)
def test_what_is_not_there_is_refused(changes, text, says):
    found = quantities(**changes)
    with pytest.raises(FieldError) as caught:
        found.value(text) if "(" not in text else parse_expression(text).value(found)
    assert says in caught.value.message
    assert caught.value.field == "expect"
    if text != "unique":
        assert not parse_expectation(f"{text} > -1").judge(found).holds


def test_what_is_not_worked_out_yet_is_refused():
    state = LabState().change(
        {"scheme": "learned", "dimension": 512, "length": 8192, "params": {"trained_length": 8192}}
    )
    found = Quantities(compute(state, full=False))
    with pytest.raises(FieldError, match="closest_pair_distance is still being worked out; wait for it"):
        found.value("closest_pair_distance")


def test_a_number_of_arguments_that_no_quantity_takes():
    with pytest.raises(FieldError, match="There is no quantity dot of 3 arguments"):
        quantities().call("dot", (1, 2, 3))
    with pytest.raises(FieldError, match="There is no quantity base of 1 arguments"):
        quantities().call("base", (1,))


@pytest.mark.parametrize("scheme", REGISTRY)
def test_every_scheme_answers_or_refuses(scheme):
    found = quantities(scheme=scheme, swap=True, compare="rope")
    names = [*known_names(), "experiment.change_staying"]
    answers = [_answer(found.value, name) for name in names if name not in CALLS]
    for name in CALLS:
        for way in QUANTITIES[name].arguments:
            answers += [
                _answer(found.call, name, [each + step for step in range(len(way))])
                for each in (0.0, 30.0, 126.0, -2.0, 0.5, 1e9, 1e14, 1e300, math.nan, math.inf)
            ]
    assert sum(isinstance(answer, float | bool) for answer in answers) > 20
    assert not [answer for answer in answers if isinstance(answer, str) and answer[-1] not in ".…"]


def _answer(ask, *asked):
    try:
        return ask(*asked)
    except FieldError as error:
        return error.message
