"""Words from any text, their vectors, and the exchange of two of them."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pe_desktop.core import sentence
from pe_desktop.core.draws import normals
from pe_desktop.core.errors import FieldError
from tests.core.strategies import attempt

word_lists = st.lists(st.sampled_from(["a", "b", "c", "dog"]), min_size=2, max_size=12)

WRITTEN_DOWN = [-0.8935854720743183, 0.037036135949651966, -0.7528966271938554]


@given(word_lists, st.data())
def test_match_finds_each_word_again(words, data):
    pair = data.draw(st.lists(st.integers(0, len(words) - 1), min_size=2, max_size=2, unique=True))
    other = sentence.exchange(words, tuple(pair))
    assert sorted(other) == sorted(words)
    home = sentence.match(words, other)
    assert sorted(home) == list(range(len(words)))
    assert [other[slot] for slot in home] == list(words)
    for word in set(words):  # repeated words in order of occurrence
        slots = [home[i] for i, w in enumerate(words) if w == word]
        assert slots == sorted(slots)


def test_match_with_a_repeated_word():
    words = ("the", "dog", "bit", "the", "man")
    assert sentence.exchange(words, (0, 4)) == ("man", "dog", "bit", "the", "the")
    assert sentence.match(words, ("man", "dog", "bit", "the", "the")).tolist() == [3, 1, 2, 4, 0]


@pytest.mark.parametrize(
    ("words", "pair"),
    [
        ("The dog bit the man", (1, 4)),
        ("", None),
        ("one", None),
        ("one two", (0, 1)),
        ("a b c", (1, 2)),
        ("a b a b", (0, 1)),
        ("x x y", (1, 2)),
        ("x x x", (1, 2)),
        ("a b c b", (0, 1)),
    ],
)
def test_default_swap(words, pair):
    found = sentence.default_swap(words.split())
    assert found == pair
    if pair and len(set(words.split())) > 1:
        assert words.split()[pair[0]] != words.split()[pair[1]]


@given(st.text(max_size=200))
def test_any_text_gives_words_without_white_space(text):
    cleaned, refusal = attempt(sentence.clean, text)
    if refusal:
        assert refusal.field == "sentence"
        assert any(0xD800 <= ord(char) <= 0xDFFF for char in text)
        return
    assert sentence.clean(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert not any(unicodedata.category(char) == "Cc" for char in cleaned)
    words = sentence.split(cleaned)
    assert all(words)
    assert not any(char.isspace() for word in words for char in word)
    seen = [word for word in cleaned.split() if any(unicodedata.category(char) != "Cf" for char in word)]
    assert list(words) == seen
    assert sentence.word_vectors(words, 8, 0).shape == (len(words), 8)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("🙂 👩‍👩‍👧 🇫🇷", ("🙂", "👩‍👩‍👧", "🇫🇷")),
        ("שלום עולם", ("שלום", "עולם")),
        ("مرحبا بالعالم", ("مرحبا", "بالعالم")),
        ("cafe\u0301 café", ("café", "café")),  # composed and decomposed are one word
        ("a\tb\nc\x00d\x1be\x7ff", ("a", "b", "c", "d", "e", "f")),
        ("  many   spaces  ", ("many", "spaces")),
        ("non\u00a0breaking\u3000ideographic", ("non", "breaking", "ideographic")),
        ("你好世界", ("你好世界",)),
        ("", ()),
        (" \n\t ", ()),
    ],
)
def test_words_of_many_scripts(text, words):
    assert sentence.split(sentence.clean(text)) == words


def test_huge_text():
    assert len(sentence.split(sentence.clean("ab " * 6666))) == 6666
    with pytest.raises(FieldError, match="20,001 characters; the most is 20,000"):
        sentence.clean("x" * 20_001)
    with pytest.raises(FieldError, match="the most is 20,000"):
        sentence.clean("\ufb2c" * 10_000)  # one character that is composed of three
    with pytest.raises(FieldError, match="surrogate"):
        sentence.clean("a \ud800 b")


@given(st.text(min_size=1, max_size=5, alphabet=st.characters(codec="utf-8")), st.integers(0, 999), st.data())
def test_word_vectors_are_stable_in_their_prefix(word, seed, data):
    small = data.draw(st.integers(2, 200))
    large = data.draw(st.integers(small, 300))
    first = sentence.word_vectors([word], large, seed)
    again = sentence.word_vectors([word, word], small, seed)
    assert np.array_equal(again[0], first[0, :small])
    assert np.array_equal(again[0], again[1])


def test_word_vectors_depend_on_word_and_seed_and_survive_a_full_store():
    before = sentence.word_vectors(["dog", "man"], 64, 0)
    assert not np.array_equal(before[0], before[1])
    assert not np.array_equal(before, sentence.word_vectors(["dog", "man"], 64, 1))
    sentence.word_vectors([f"w{i}" for i in range(400)], 8192, 0)  # more than the store keeps
    assert np.array_equal(sentence.word_vectors(["dog", "man"], 64, 0), before)
    many = sentence.word_vectors([f"w{i}" for i in range(300)], 64, 0)
    assert abs(many.mean()) < 0.03
    assert abs(many.std() - 1) < 0.03


def test_the_vector_of_a_word_is_the_same_in_every_process():
    """Drawn from a hash of the text, not from Python's salted one."""
    found = sentence.word_vectors(["dog"], 64, 0)[0]
    assert found[:3] == pytest.approx(WRITTEN_DOWN, abs=1e-6)


def test_draws_are_normal_and_the_same_everywhere():
    drawn = normals("word 0:dog", 100_001)
    assert np.array_equal(normals("word 0:dog", 7), drawn[:7])
    assert abs(drawn.mean()) < 0.015
    assert abs(drawn.std() - 1.0) < 0.01
    assert abs((drawn**4).mean() - 3.0) < 0.1
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.015
    assert not np.array_equal(normals("word 1:dog", 7), drawn[:7])
    # Written down once: these numbers may never change, or every saved picture would.
    assert normals("word 0:dog", 3) == pytest.approx(WRITTEN_DOWN, abs=1e-12)
