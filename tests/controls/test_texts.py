"""Numbers read back as what they are, whatever the locale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from pe_desktop.controls.texts import number_text, slot_text, tooltip
from pe_desktop.core.numbers import parse_number

ENGLISH, GERMAN, ARABIC = QLocale("en_US"), QLocale("de_DE"), QLocale("ar_EG")


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([ENGLISH, GERMAN, ARABIC]))
def test_floats_read_back(value, locale):
    assert parse_number(number_text(value, locale)) == value


@given(st.integers(-(10**15), 10**15), st.sampled_from([ENGLISH, GERMAN]))
def test_whole_numbers_read_back(value, locale):
    assert parse_number(number_text(value, locale)) == value


@pytest.mark.parametrize(
    ("value", "locale", "text"),
    [
        (1048576, GERMAN, "1048576"),
        (10000.0, ENGLISH, "10000"),
        (1.5, GERMAN, "1,5"),
        (1e9, ENGLISH, "1e9"),
        (500000.0, ENGLISH, "500000"),
        (10.125, GERMAN, "10,1250"),  # "10,125" could be ten thousand
        (1e-7, GERMAN, "1e-07"),
    ],
)
def test_texts(value, locale, text):
    assert number_text(value, locale) == text


def test_long_tooltips_are_wrapped_and_empty_parts_left_out():
    lines = tooltip("word " * 40, "", "end").splitlines()
    assert max(map(len, lines)) <= 64
    assert lines[-1] == "end"


def test_words_of_right_to_left_scripts_stay_behind_their_number():
    assert slot_text(3, "dog") == "3 · dog"
    assert slot_text(3, "שלום") == "3 · \u2068שלום\u2069"
