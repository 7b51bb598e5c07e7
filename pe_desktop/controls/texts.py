"""Numbers and sentences as the controls write them."""

from __future__ import annotations

import textwrap
import unicodedata
from decimal import Decimal
from functools import lru_cache

from PySide6.QtCore import QLocale

from pe_desktop.core.numbers import ambiguous

LONG_NUMBER = 8
TOOLTIP_COLUMNS = 64


def number_text(value: int | float, locale: QLocale) -> str:
    """A number with the locale's decimal mark and without grouping, so that it reads back as itself."""
    if isinstance(value, int):
        return str(value)
    text = repr(value).removesuffix(".0")
    if len(text) > LONG_NUMBER:
        short = str(Decimal(text).normalize()).replace("E+", "e").replace("E", "e")
        text = min(short, text, key=len)
    # The few other marks (Arabic script) are not what number parsing accepts.
    if locale.decimalPoint() == ",":
        text = text.replace(".", ",")
    # "10,125" would be refused when read back: ten, or ten thousand?
    return text + "0" if ambiguous(text) else text


def tooltip(*parts: str) -> str:
    """Sentences wrapped to lines: Qt shows a plain tooltip in one line, however long."""
    lines = (textwrap.fill(part, TOOLTIP_COLUMNS) for part in parts if part)
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def slot_text(slot: int, word: str) -> str:
    """A word with the number of its slot, the number first in either writing direction."""
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in word):
        word = f"\u2068{word}\u2069"
    return f"{slot} · {word}"
