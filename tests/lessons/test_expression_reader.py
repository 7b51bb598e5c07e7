"""What the language of expectations refuses, and that nothing but a refusal ever comes of a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.expression import Verdict, parse_expectation, parse_expression
from pe_desktop.lessons.quantity_table import QUANTITIES


class Ones:
    """Every quantity is 1."""

    def value(self, name):
        return 1.0

    def call(self, name, arguments):
        return 1.0


REFUSED = {
    "": "The text is empty",
    "   ": "The text is empty",
    "1 < 2": "'1' < '2' has no quantity at letter 1",
    "True": "'True' has no quantity and so cannot fail",
    "relative and 1 < 2": "'1' < '2' has no quantity at letter 14",
    "base == base": "'base' is compared with itself at letter 1",
    "input_gap": "'input_gap' is a number, which is neither true nor false",
    "simlarity(2) > 1": "no quantity 'simlarity' at letter 1 of 'simlarity(2) > 1'; near it are similarity",
    "1 < qqqqqqqq": "There is no quantity 'qqqqqqqq' at letter 5",
    "similarity > 1": "'similarity' needs arguments at letter 1 of 'similarity > 1'; write similarity(gap) or",
    "sqrt > base": "'sqrt' needs arguments at letter 1 of 'sqrt > base'; write sqrt(a)",
    "dot(1) < 2": "'dot' has other arguments than it takes at letter 1 of 'dot(1) < 2'; write dot(p, q)",
    "dot(p=1, q=2) < 2": "The sign '=' has no meaning at letter 6",
    "min(1) < base": "write min(a, b)",
    "base(3) > 1": "'base' takes no arguments at letter 1",
    "input_gap(3) > 1": "'input_gap' takes no arguments",
    "pi(3) > base": "'pi' takes no arguments",
    "layout == 2": "The parameter 'layout' is no number at letter 1",
    "experiment > 1": "'experiment' needs the name of a figure at letter 1",
    "base.real > 1": "A point stands only in experiment.NAME, not in 'base.real' at letter 1",
    "experiment.a.b > 1": "A point stands only in experiment.NAME",
    "experiment.a(1) > 1": "'experiment.a' cannot be called",
    "(base)(1) > 1": "'base' takes no arguments",
    "base = 1": "The sign '=' has no meaning at letter 6 of 'base = 1'; write == for equal",
    "base == 'x'": 'The sign "\'" has no meaning at letter 9',
    "base[0] > 1": "The sign '[' has no meaning at letter 5",
    "base > 1; 2": "The sign ';' has no meaning",
    "base % 2 == 0": "The sign '%' has no meaning",
    "ｂase > 1": "The sign 'ｂ' has no meaning at letter 1",
    "base > 1_000": "A number runs into '_000' at letter 9",
    "base > 0x1f": "A number runs into 'x1f' at letter 9",
    "base > 1j": "A number runs into 'j'",
    "base > 1if": "A number runs into 'if'",
    "base > 12.": "A point without a digit on both sides is no number at letter 10",
    "base > .5": "A point without a digit on both sides is no number at letter 8",
    "base > 007": "The text cannot be read at letter",
    "base >": "The text cannot be read at letter",
    "base > (1": "The text cannot be read at letter",
    "base base": "The text cannot be read at letter",
    "base // 2 > 1": "'base // 2' cannot be used at letter 1",
    "base >> 2": "'base >> 2' cannot be used",
    "base if unique else 1": "'base if unique else 1' cannot be used at letter 1",
    "base is 1": "'base is 1' cannot be used",
    "base in 1": "'base in 1' cannot be used",
    "None == base": "'None' is no number at letter 1",
    "(base, 1) > 1": "'(base, 1)' cannot be used",
    "min(*base, 1) > 1": "'*base' cannot be used at letter 5",
    "not input_gap": "'input_gap' is a number at letter 5",
    "unique + 1 > 1": "'unique' is true or false at letter 1",
    "abs(unique) > 1": "'unique' is true or false at letter 5",
    "unique > relative": "so > cannot compare them",
    "unique == 1": "'unique' is true or false and '1' is a number at letter 1",
    "base ** 65 > 1": "The power 65 is too large at letter 9",
    "base ** -65 > 1": "The power -65 is too large",
    "base > 1e999": "The number 1e999 is too large at letter 8",
    "base > 1 + " + "+" * 280 + "1": "The text is nested too deeply",
    "base > " + "9" * 294: "The text has 301 letters; at most 300 are read",
    "lambda": "The text cannot be read",
    "__import__(base)": "There is no quantity '__import__'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    with pytest.raises(FieldError) as caught:
        parse_expectation(text)
    assert REFUSED[text] in caught.value.message
    assert caught.value.field == "expect"
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("given", [None, 3, 0.5, True, ["x"], {"a": 1}, b"x"])
def test_what_is_no_text_is_refused(given):
    for parse, field in ((parse_expectation, "expect"), (parse_expression, "answer")):
        with pytest.raises(FieldError, match="it must be text in quotes") as caught:
            parse(given)
        assert caught.value.field == field


# Any text whatever ----------------------------------------------------------------------------------------------

SIGNS = ["(", ")", ",", ".", "+", "-", "*", "/", "//", "**", "==", "!=", "<", "<=", ">", ">=", "=", "_", "'", "#"]
WORDS = ["base", "experiment", "pi", "abs", "min", "sqrt", "log", "True", "None", "not", "and", "or"]
PYTHON = ["if", "else", "in", "is", "lambda", "await", "yield", "for"]
NUMBERS = ["0", "1", "0.5", "1e-3", "1e999", "9" * 40]
PIECES = st.sampled_from([*QUANTITIES, *WORDS, *PYTHON, *SIGNS, *NUMBERS, "experiment.", " ", "\n"])
TEXTS = st.text(max_size=320) | st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=14).map("".join)


def _refusal(parse, text):
    try:
        parse(text)
    except FieldError as error:
        return error
    return None


@given(TEXTS)
def test_any_text_is_read_or_refused_in_one_sentence(text):
    for parse, field in ((parse_expectation, "expect"), (parse_expression, "answer")):
        found = _refusal(parse, text)
        assert found is None or (found.field == field and found.message.endswith("."))


@given(st.lists(PIECES, max_size=10).map(" ".join))
def test_whatever_was_read_is_judged(text):
    try:
        expectation = parse_expectation(text)
    except FieldError:
        return
    assert isinstance(expectation.judge(Ones()), Verdict)


def test_every_quantity_can_be_read():
    for name, about in QUANTITIES.items():
        for names in about.arguments:
            text = f"{name}({', '.join('1' for _ in names)})" if names else name
            if about.sort.name == "TRUTH":
                assert parse_expectation(text).text == text
            else:
                assert parse_expression(text).text == text
    assert all(re.fullmatch(r"[a-z_]+", name) for name in QUANTITIES)
