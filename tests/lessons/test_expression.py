"""The language of expectations: what it comes to and what it says."""

import math
import pickle
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.expression import (
    Expectation,
    Expression,
    Verdict,
    equals_written,
    parse_expectation,
    parse_expression,
)


class Fixed:
    """Values by name; functions give the sum of their arguments, and a name that is not there is refused."""

    def __init__(self, **values):
        self._values = values

    def value(self, name):
        if name.replace(".", "_") not in self._values:
            raise FieldError("expect", f"There is no {name} here.")
        return self._values[name.replace(".", "_")]

    def call(self, name, arguments):
        return float(self._values.get(name, sum(arguments)))


HERE = Fixed(
    input_gap=0.25,
    output_gap=2.0,
    position=12.0,
    key_position=20.0,
    relative=True,
    unique=False,
    base=math.nan,
    experiment_worst=7.5,
    similarity=0.6292,
    truncate=True,
)


def holds(text, lookup=HERE):
    return parse_expectation(text).judge(lookup)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("position", 12.0),
        ("position + 2 * 3 - 1", 17.0),
        ("(position + 2) * 3", 42.0),
        ("-position ** 2", -144.0),
        ("2 ** -1", 0.5),
        ("key_position / position / 2", 20 / 24),
        ("abs(position - key_position)", 8.0),
        ("sqrt(4 * output_gap + 1)", 3.0),
        ("log(output_gap)", math.log(2.0)),
        ("min(position, 3, key_position)", 3.0),
        ("max(position, 3, key_position)", 20.0),
        ("2 * pi", 2 * math.pi),
        ("score(3, 4)", 7.0),
        ("score(3, abs(-4)) + norm(2)", 9.0),
        ("experiment.worst", 7.5),
        ("\n  position\t+ 1 ", 13.0),
        ("+1.5e2", 150.0),
    ],
)
def test_value(text, value):
    assert parse_expression(text).value(HERE) == value


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("input_gap == 0.25", True),
        ("input_gap == 0.2", True),
        ("input_gap == 0.3", True),
        ("input_gap == 0.4", False),
        ("0.25 == input_gap", True),
        ("input_gap != 0.25", False),
        ("input_gap != 0.26", True),
        ("-input_gap == -0.25", True),
        ("position == 12", True),
        ("position == 12.4", False),
        ("input_gap == 1e-1", False),
        ("input_gap == 2.5e-1", True),
        ("position == key_position - 8", True),
        ("position != key_position", True),
        ("1 < output_gap < 3", True),
        ("1 < output_gap < 2", False),
        ("output_gap >= 2", True),
        ("output_gap <= 2", True),
        ("output_gap > 2", False),
        ("relative", True),
        ("unique", False),
        ("not unique", True),
        ("relative and not unique", True),
        ("unique or relative", True),
        ("unique or input_gap > 1", False),
        ("relative == True", True),
        ("unique != True", True),
        ("relative != unique", True),
        ("truncate", True),
        ("not truncate", False),
        ("not (input_gap > 1 or unique)", True),
        ("experiment.worst > 7", True),
    ],
)
def test_judge(text, result):
    assert holds(text).holds is result


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("similarity(25) == 0.629", "similarity(25) is 0.6292, expected to equal 0.629"),
        ("similarity(25) == 0.7", "similarity(25) is 0.6292, expected to equal 0.7"),
        ("0.5 < input_gap", "input_gap is 0.25, expected to be greater than 0.5"),
        ("position < key_position", "position is 12, expected to be less than key_position, which is 20"),
        ("not input_gap < 1", "input_gap is 0.25, expected not to be less than 1"),
        ("unique", "unique is false, expected to be true"),
        ("not relative", "relative is true, expected to be false"),
        ("relative == False", "relative is true, expected to be false"),
        ("relative and unique", "relative is true, expected to be true; unique is false, expected to be true"),
        (
            "1 < position < 3",
            "position is 12, expected to be greater than 1; position is 12, expected to be less than 3",
        ),
        ("position * 2 < 3", "position * 2 is 24, expected to be less than 3"),
    ],
)
def test_says(text, says):
    assert holds(text).says == says


def test_says_the_digits_that_decide():
    verdict = parse_expectation("input_gap == 0.12").judge(Fixed(input_gap=0.1250000001))
    assert verdict == Verdict(False, "input_gap is 0.1250000001, expected to equal 0.12")
    verdict = parse_expectation("position == 12").judge(Fixed(position=12.0000001))
    assert verdict.says == "position is 12.0000001, expected to equal 12"


@pytest.mark.parametrize(
    "text", ["base == 1", "base != 1", "base < 1", "not base < 1", "max(base, 1) > 0", "relative and base > 2"]
)
def test_nothing_holds_of_no_number(text):
    verdict = holds(text)
    assert not verdict.holds
    assert "is not a number (NaN)" in verdict.says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("length > 1", "There is no length here."),
        ("input_gap / (position - 12) > 1", "input_gap / (position - 12) has no value: it is 0.25 / 0"),
        ("(0 - position) ** 0.5 > 1", "(0 - position) ** 0.5 has no value: it is -12 ** 0.5"),
        ("sqrt(-position) > 1", "sqrt(-position) has no value, since -position is -12"),
        ("log(position - 12) > 1", "log(position - 12) has no value, since position - 12 is 0"),
    ],
)
def test_what_has_no_value_does_not_hold(text, says):
    assert holds(text) == Verdict(False, says, missing=True)


def test_what_decides_first_is_all_that_is_looked_at():
    assert holds("relative or length > 1").holds
    assert not holds("unique and length > 1").missing


def test_a_parameter_tells_what_it_is_only_by_its_value():
    assert holds("truncate").holds
    verdict = parse_expectation("truncate").judge(Fixed(truncate=3.0))
    assert verdict == Verdict(False, "truncate is 3, where true or false is needed; compare it", missing=True)


def test_an_answer_without_a_value_is_refused():
    with pytest.raises(FieldError, match="There is no length here"):
        parse_expression("length").value(HERE)
    with pytest.raises(FieldError, match=r"1 / \(position - 12\) has no value: it is 1 / 0"):
        parse_expression("1 / (position - 12)").value(HERE)


def test_an_answer_is_a_number():
    with pytest.raises(FieldError, match="'unique' is true or false; give a number") as caught:
        parse_expression("unique")
    assert caught.value.field == "answer"
    assert parse_expression("0.5").value(HERE) == 0.5


def test_many_brackets_are_no_nesting():
    assert parse_expectation("position > " + "(" * 140 + "1" + ")" * 140).judge(HERE).holds


def test_they_are_values():
    first, second = (parse_expectation("input_gap == 0.25") for _ in range(2))
    assert first == second
    assert len({first, second, Expectation("input_gap == 0.25")}) == 1
    copied = pickle.loads(pickle.dumps(first))
    assert copied == first
    assert copied.judge(HERE).holds
    answer = pickle.loads(pickle.dumps(parse_expression("position + 1")))
    assert answer == Expression("position + 1")
    assert answer.value(HERE) == 13.0


@given(st.floats(-1e6, 1e6), st.integers(1, 8))
def test_a_value_equals_itself_as_written_with_any_digits(value, digits):
    assert equals_written(value, f"{value:.{digits}f}")
    assert equals_written(value, f"{value:.{digits}e}")


@given(st.integers(-10_000, 10_000), st.integers(1, 6), st.floats(-3, 3))
def test_equal_means_half_a_unit_of_the_last_digit(units, digits, off):
    written = Decimal(units).scaleb(-digits)
    value = float(written) + off * 10.0**-digits
    near = abs(Decimal(value) - written) <= Decimal(5).scaleb(-digits - 1)
    text = f"{written:.{digits}f}"
    assert equals_written(value, text) is near
    verdict = parse_expectation(f"input_gap == {text}").judge(Fixed(input_gap=value))
    assert verdict.holds is near
    assert parse_expectation(f"input_gap != {text}").judge(Fixed(input_gap=value)).holds is not near


@given(st.integers(0, 10**9), st.floats(-1.0, 1.0))
def test_a_whole_number_means_itself(number, off):
    assert equals_written(float(number), str(number))
    assert equals_written(number + off, str(number)) is (
        abs(Decimal(number + off) - number) <= Decimal("1e-9") * max(1, number)
    )


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_not_finite_equals_no_number(value):
    assert not equals_written(value, "1.0")


@given(st.floats(-50, 50), st.floats(0.5, 50), st.integers(-3, 3))
def test_arithmetic_is_that_of_python(first, second, power):
    here = Fixed(position=first, length=second)
    for text, value in (
        ("position + length * 2", first + second * 2),
        ("(position - length) / length", (first - second) / second),
        (f"length ** {power}", second**power),
        ("max(position, -length)", max(first, -second)),
    ):
        assert parse_expression(text).value(here) == pytest.approx(value, rel=1e-12, abs=0)
