"""Words, their deterministic vectors, and the exchange of two of them."""

from __future__ import annotations

import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.draws import normals
from pe_desktop.core.errors import FieldError

LONGEST_TEXT = 20_000
MOST_WORDS = 512  # words that attention looks at


def clean(text: str) -> str:
    """The text in Unicode's composed form, control characters as spaces.

    Raises
    ------
    FieldError
        If the text is longer than 20,000 characters or is not valid Unicode.
    """
    _check_long(text)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise FieldError("sentence", "The sentence holds half of a surrogate pair, which is no character; retype it.")
    text = unicodedata.normalize("NFC", text)
    _check_long(text)  # a few characters are composed of more than themselves
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in text)


def _check_long(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise FieldError(
            "sentence", f"The sentence has {len(text):,} characters; the most is {LONGEST_TEXT:,}. Shorten it."
        )


def split(text: str) -> tuple[str, ...]:
    """Words are what white space separates: no rule of one script is forced on another.

    What has nothing to be seen (zero-width spaces and joiners alone) is no word.
    """
    return tuple(word for word in text.split() if any(_is_seen(char) for char in word))


def _is_seen(char: str) -> bool:
    category = unicodedata.category(char)
    return category not in ("Cc", "Cf") and not category.startswith("Z")


def default_swap(words: Sequence[str]) -> tuple[int, int] | None:
    """The slots exchanged when nobody chose: the second word and the last, else the first unlike pair."""
    if len(words) < 2:
        return None
    preferred = (min(1, len(words) - 2), len(words) - 1)
    if words[preferred[0]] != words[preferred[1]]:
        return preferred
    for first in range(len(words)):
        for second in range(first + 1, len(words)):
            if words[first] != words[second]:
                return first, second
    return preferred


def exchange(words: Sequence[str], pair: tuple[int, int]) -> tuple[str, ...]:
    """Sentence B: the words with two slots exchanged."""
    out = list(words)
    out[pair[0]], out[pair[1]] = out[pair[1]], out[pair[0]]
    return tuple(out)


def match(words_a: Sequence[str], words_b: Sequence[str]) -> NDArray[np.intp]:
    """Slot in B of each word of A, repeated words matched in order of occurrence, shape (n,)."""
    places: dict[tuple[str, int], int] = {}
    seen: Counter[str] = Counter()
    for slot, word in enumerate(words_b):
        places[word, seen[word]] = slot
        seen[word] += 1
    seen = Counter()
    out = np.empty(len(words_a), dtype=np.intp)
    for slot, word in enumerate(words_a):
        out[slot] = places[word, seen[word]]
        seen[word] += 1
    return out


class _VectorStore:
    """Word vectors already drawn, oldest dropped first beyond a number of cells."""

    LIMIT = 1 << 20

    def __init__(self) -> None:
        self._rows: OrderedDict[tuple[str, int], NDArray[np.float32]] = OrderedDict()
        self._cells = 0

    def row(self, word: str, seed: int, dimension: int) -> NDArray[np.float32]:
        key = (word, seed)
        row = self._rows.pop(key, None)
        if row is None or len(row) < dimension:
            self._cells -= 0 if row is None else len(row)
            row = _draw(word, seed, dimension)
            self._cells += len(row)
        self._rows[key] = row
        while self._cells > self.LIMIT and len(self._rows) > 1:
            self._cells -= len(self._rows.popitem(last=False)[1])
        return row[:dimension]


def _draw(word: str, seed: int, dimension: int) -> NDArray[np.float32]:
    # Rounded up, so that a drag of the dimension draws anew only at powers of two.
    size = max(64, 1 << (dimension - 1).bit_length())
    return normals(f"word {seed}:{word}", size).astype(np.float32)


_STORE = _VectorStore()


def word_vectors(words: Sequence[str], dimension: int, seed: int) -> NDArray[np.float64]:
    """Toy embeddings: standard normal entries that depend on the word and the seed alone.

    Parameters
    ----------
    words : sequence of str, length n
    dimension : int
    seed : int

    Returns
    -------
    ndarray, shape (n, dimension), float64
        The first k entries of a word's vector are the same for every dimension >= k.
    """
    rows = [_STORE.row(word, seed, dimension) for word in words]
    return np.array(rows, dtype=np.float64).reshape(len(words), dimension)
