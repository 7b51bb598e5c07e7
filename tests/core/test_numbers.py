"""Numbers as people type them: never a silent factor of ten or a thousand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import numerals
from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import ambiguous, parse_number, plain_number

READ = {
    "0": 0,
    "7": 7,
    "-3": -3,
    "+3": 3,
    "\u22123": -3,
    "1.5": 1.5,
    "1,5": 1.5,
    "\u22121,5": -1.5,
    ".5": 0.5,
    ",5": 0.5,
    "5.": 5,
    "5,": 5,
    "0,500": 0.5,
    "1e6": 1e6,
    "1E6": 1e6,
    "1e+6": 1e6,
    "1,5e-3": 1.5e-3,
    "1.5e3": 1500,
    " 12 ": 12,
    "1 000": 1000,
    "10 000": 10000,
    "1 000 000": 1e6,
    "1\u00a0000": 1000,
    "1\u202f000\u202f000": 1e6,
    "1'000": 1000,
    "1_000_000": 1e6,
    "1,000,000": 1e6,
    "1.000.000": 1e6,
    "1,000.5": 1000.5,
    "1.000,5": 1000.5,
    "12,345,678.25": 12345678.25,
    "12.345.678,25": 12345678.25,
    "1.000": 1.0,  # the dot is the decimal mark of every file, so this is one
    "10000": 10000,
    "500000.0": 500000,
    "0,0001": 0.0001,
    "1234,567": 1234.567,
}
AMBIGUOUS = ("10,000", "1,000", "999,999", "-10,000", "+10,000", "\u221210,000", " 10,000 ", "10,000e2")
JUNK = (
    *("", " ", "abc", "1.2.3", "1,2,3", "1,2.3", "12,34,567", "1,00,000", "1e", "e5", "1e5.5", "--3", "1 2", "1 00"),
    *("0x10", "1/2", "nan", "NaN", "inf", "-inf", "Infinity", "∞", "²", "½", "1__000", "1 000_000", ".", ",", "-"),
    *("1 000,5x", "5%", "1e5e5", "True", "[1]", "1;5", "١٢x"),
)


@pytest.mark.parametrize(("text", "value"), READ.items())
def test_read(text, value):
    assert parse_number(text) == value
    assert not ambiguous(text)


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_ambiguous(text):
    """Ten thousand to one reader and ten to another: refused, with the reason."""
    assert ambiguous(text)
    assert parse_number(text) is None
    with pytest.raises(FieldError, match="leave the comma out"):
        plain_number(text, "base", "Base", whole=False)


@pytest.mark.parametrize("text", JUNK)
def test_junk(text):
    assert parse_number(text) is None
    with pytest.raises(FieldError, match="which is not a number") as refused:
        plain_number(text, "base", "Base", whole=False)
    assert refused.value.field == "base"
    assert repr(text) in refused.value.message


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_reads_back_from_its_repr(number):
    assert parse_number(repr(number)) == number
    assert parse_number(repr(number).replace(".", ",")) == number or ambiguous(repr(number).replace(".", ","))


@given(st.integers(-(10**15), 10**15))
def test_grouped_integers(number):
    for mark in (" ", "'", "_", "\u202f"):
        assert parse_number(f"{number:,}".replace(",", mark)) == number
    if abs(number) >= 10**6:
        assert parse_number(f"{number:,}") == number
        assert parse_number(f"{number:,}".replace(",", ".")) == number


@given(st.text(max_size=20))
def test_no_text_is_an_accident(text):
    found = parse_number(text)
    assert found is None or isinstance(found, float)
    if found is not None:
        assert any(char.isdigit() for char in text)


@pytest.mark.parametrize("value", [True, False, None, [1], {}, (1,), object])
def test_what_is_no_number(value):
    with pytest.raises(FieldError, match="not a number"):
        plain_number(value, "base", "Base", whole=False)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1e999", "-1e999"])
@pytest.mark.parametrize("whole", [True, False])
def test_not_finite(value, whole):
    with pytest.raises(FieldError, match="finite"):
        plain_number(value, "base", "Base", whole=whole)


@pytest.mark.parametrize("value", [10**30, -(10**400), 1e300, "1e300"])
def test_far_out_of_range(value):
    with pytest.raises(FieldError, match="far out of range") as refused:
        plain_number(value, "length", "Length", whole=True)
    assert len(refused.value.message) < 120


def test_whole_numbers():
    assert plain_number("64", "d", "D", whole=True) == 64
    assert isinstance(plain_number(64.0, "d", "D", whole=True), int)
    assert isinstance(plain_number(64, "d", "D", whole=False), float)
    for value in (1.5, "1.5", "1,5"):
        with pytest.raises(FieldError, match=r"1\.5, which is not a whole number"):
            plain_number(value, "d", "D", whole=True)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0.000"),
        (0.6292087, "0.629"),
        (-0.5, "−0.500"),
        (1234, "1,234"),
        (1234.56, "1,234.6"),
        (1e-7, "1.0·10⁻⁷"),
        (-2.5e8, "−2.5·10⁸"),
        (0.0004, "4.0·10⁻⁴"),
        (0.0006, "0.001"),
    ],
)
def test_short(number, text):
    assert numerals.short(number) == text


def test_gap_and_whole():
    assert numerals.gap(1.2e-16) == "0.000"
    assert numerals.gap(2.5) == "2.500"
    assert numerals.whole(1_048_576) == "1,048,576"


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (2 * math.pi, "6.28"),
        (47117.24, "47.1k"),
        (999.4, "999"),
        (999.7, "1k"),
        (999_700.0, "1M"),
        (3.2e6, "3.2M"),
        (2.5e12, "2.5·10¹²"),
    ],
)
def test_wavelength(length, text):
    assert numerals.wavelength(2 * math.pi / length) == text


def test_no_wavelength():
    assert numerals.wavelength(0.0) == "∞"
