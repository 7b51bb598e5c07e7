"""Numbers and sentences as the controls write them."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

from PySide6.QtCore import QLocale

from pe_desktop.core.numbers import ambiguous

LONG_NUMBER = 8
TOOLTIP_COLUMNS = 64
_PLAIN = QLocale.c()


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


@lru_cache(maxsize=16)
def list_text(numbers: tuple[int | float, ...]) -> str:
    """A list as JSON writes it, so with a dot in every locale: a comma stands between the numbers."""
    return f"[{', '.join(number_text(number, _PLAIN) for number in numbers)}]"


def list_summary(text: str, width: Callable[[str], int], room: int) -> str:
    """What :func:`list_text` gave, in a width: whole if it fits, else its first numbers, short, and their count.

    Parameters
    ----------
    text : str
        May be empty.
    width : callable
        Pixels that a text takes.
    room : int
        Pixels there are.
    """
    # No letter is narrower than a pixel: that a long list does not fit is seen without drawing it.
    if len(text) <= room and width(text) <= room:
        return text
    if not text:
        return ""
    count = text.count(",") + 1
    ends = (f"… {count:,} numbers]", f"… {count:,}]")
    end = next((each for each in ends if width(f"[{each}") <= room), ends[-1])
    shown, most = "[", max(room, 1)
    for number in text[1:-1].split(", ", most)[: min(most, count - 1)]:
        longer = f"{shown}{float(number):.4g}, "
        if width(longer + end) > room:
            break
        shown = longer
    return shown + end
