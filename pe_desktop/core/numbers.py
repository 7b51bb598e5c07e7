"""Numbers as people type them, and as a file may hold them."""

from __future__ import annotations

import math
import re
from typing import Any

from pe_desktop.core.errors import FieldError

_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([ '\u00a0\u202f_])\d{3})(?:\1\d{3})*")


def parse_number(text: str) -> float | None:
    """Read a typed number; None if it is not one.

    Dot and comma are both accepted as the decimal mark, so that ``1,5`` is 1.5 everywhere.
    A text in which the comma could also group thousands (``10,000``, ``1.000,5``, ``1,000,000``)
    is read by its shape: several marks, or marks of both kinds, must form groups of three, and the
    lone ``10,000`` is ambiguous and therefore not a number here (see :func:`ambiguous`).
    """
    text = text.strip().replace("\u2212", "-")
    if ambiguous(text):
        return None
    if _GROUPED.fullmatch(text):
        text = re.sub(r"[ '\u00a0\u202f_]", "", text)
    text = _unify_marks(text)
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return None
    return float(text)


def ambiguous(text: str) -> bool:
    """Whether a text is a lone group such as ``10,000``: ten, or ten thousand?"""
    return re.fullmatch(r"[+\u2212-]?[1-9]\d{0,2},\d{3}([eE][+-]?\d+)?", text.strip()) is not None


def _unify_marks(text: str) -> str:
    commas, dots = text.count(","), text.count(".")
    if commas == 1 and dots == 0:
        return text.replace(",", ".")
    if commas >= 1 and re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", text):
        return text.replace(",", "")
    if (dots >= 1 and re.fullmatch(r"[+-]?\d{1,3}(\.\d{3})+,\d*", text)) or re.fullmatch(
        r"[+-]?\d{1,3}(\.\d{3}){2,}", text
    ):
        return text.replace(".", "").replace(",", ".")
    return text


def plain_number(value: Any, field: str, label: str, *, whole: bool) -> Any:
    """Check that `value` is a finite number (whole if asked) and return it as int or float.

    Raises
    ------
    FieldError
        With one sentence that names what was found and what was expected.
    """
    kind = "a whole number" if whole else "a number"
    if isinstance(value, str):
        number = parse_number(value)
        if number is None:
            hint = ""
            if ambiguous(value):
                hint = " (a single comma before three digits can mean two things; leave the comma out)"
            raise FieldError(field, f"{label} is {value!r}, which is not {kind}{hint}.")
        value = number
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(field, f"{label} is {value!r}, which is not {kind}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise FieldError(field, f"{label} is {value}; it must be a finite number.")
    if (whole or isinstance(value, int)) and abs(value) > 1 << 62:
        raise FieldError(field, f"{label} is a whole number beyond 4·10¹⁸, far out of range.")
    if whole:
        if value != int(value):
            raise FieldError(field, f"{label} is {value:g}, which is not {kind}.")
        return int(value)
    return float(value)
