"""The verb compare: two schemes by name, as JSON or from sessions, and what tells them apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pe_desktop.arguments import value_from
from pe_desktop.core.compare import compare
from pe_desktop.core.errors import FieldError
from pe_desktop.core.request import Request, positions_from
from pe_desktop.core.scheme import Scheme
from pe_desktop.core.verdict import Verdict, number
from pe_desktop.session_file import SUFFIX, open_session

FORM = "a scheme such as rope:extension=linear,factor=8, a JSON request or a session (.pelab)"
SPEC_FIELDS = ("scheme", "params", "dimension", "length")


def run(options: Any) -> int:
    """Compare what the options name and print the verdict; always 0."""
    sizes = {name: getattr(options, name) for name in ("dimension", "length") if getattr(options, name) is not None}
    schemes, idle = zip(*(scheme_from(text, sizes) for text in (options.a, options.b)), strict=True)
    asked = None if options.positions is None else positions_from(options.positions, "positions")
    verdict = compare(schemes[0], schemes[1], asked)
    places = [] if asked is None else [int(place) for place in asked]
    notes = [f"{name} of {label} plays no part." for label, names in zip("AB", idle, strict=True) for name in names]
    print(json.dumps(_json(verdict, places, notes), allow_nan=False) if options.json else _text(verdict, places, notes))
    return 0


def scheme_from(text: str, sizes: dict[str, Any]) -> tuple[Scheme, list[str]]:
    """The scheme that a text names, and the parameters it gives that play no part.

    `sizes` holds dimension and length where the text gives none.

    Raises
    ------
    FieldError
    """
    if text.lstrip().startswith("{"):
        return _from_json(text, sizes)
    if text.endswith(SUFFIX):
        return open_session(text).built, []
    name, colon, params = text.partition(":")
    if "/" in name or "\\" in name or Path(name).suffix:
        raise FieldError("compare", f"{text} is a file that compare cannot read yet; give {FORM}.")
    pairs = dict(_pair(part) for part in _parts(params)) if colon else {}
    return _with_idle(Request({"scheme": name, "params": pairs, **sizes}))


def _with_idle(request: Request) -> tuple[Scheme, list[str]]:
    return request.scheme, request.idle(request.scheme.effective())


def _from_json(text: str, sizes: dict[str, Any]) -> tuple[Scheme, list[str]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError("compare", f"{text[:40]!r} is not JSON ({error}); give {FORM}.") from error
    for name in found:
        if name not in SPEC_FIELDS:
            raise FieldError(
                name, f"There is no field {name!r} in a scheme to compare; the fields are {', '.join(SPEC_FIELDS)}."
            )
    return _with_idle(Request(sizes | found))


def _parts(text: str) -> list[str]:
    """The text cut at its commas, but for those within brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char == "[") - (char == "]")
        if char == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def _pair(part: str) -> tuple[str, Any]:
    name, equals, value = part.partition("=")
    if not equals or not name.strip():
        hint = " (a list stands in brackets: sections=[16,24,24])" if part.strip().replace(".", "").isdigit() else ""
        raise FieldError("compare", f"The parameter {part!r} is not NAME=VALUE{hint}; give {FORM}.")
    return name.strip(), value_from(value)


def _json(verdict: Verdict, places: list[int], notes: list[str]) -> dict[str, Any]:
    found = verdict.to_json() | ({"notes": notes} if notes else {})
    if places:
        found |= {"positions": places, "differences": list(verdict.differences)}
    return found


def _text(verdict: Verdict, places: list[int], notes: list[str]) -> str:
    lines = [verdict.verdict.replace("_", " "), verdict.sentence, *notes]
    for place, difference in zip(places, verdict.differences, strict=True):
        lines.append(f"position {place:,}: {'nothing to compare' if difference is None else number(difference)}")
    return "\n".join(lines)
