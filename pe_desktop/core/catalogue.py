"""The table of all schemes and their parameters, made from the metadata alone."""

from __future__ import annotations

import json
import math
import textwrap
from typing import Any

import pe_desktop.core.schemes  # noqa: F401  (registers every family)
from pe_desktop.core.parameter import Parameter
from pe_desktop.core.scheme import REGISTRY, Acts, Scheme, scheme_class

LINE = 110  # letters of a line of the table
WHERE = {
    Acts.NOTHING: "Adds nothing.",
    Acts.ADDED: "Acts where it is added to the word vectors.",
    Acts.ROTARY: "Acts by rotating queries and keys.",
    Acts.BIAS: "Acts on the attention scores.",
}


def grouped() -> dict[Acts, list[type[Scheme]]]:
    """All schemes by where they act; the groups stand in the order of their first scheme."""
    groups: dict[Acts, list[type[Scheme]]] = {}
    for scheme in REGISTRY.values():
        groups.setdefault(scheme.acts, []).append(scheme)
    return groups


def table(name: str | None = None) -> list[dict[str, Any]]:
    """Every scheme, or the one of an id, as JSON-ready mappings.

    Parameters
    ----------
    name : str or None
        Id of the one scheme that is wanted.

    Returns
    -------
    list of dict
        ``id``, ``title``, ``acts``, ``summary``, ``source`` and ``parameters``: per parameter ``name``, ``label``,
        ``kind``, ``default`` (null: derived), and, where they say something, ``minimum``, ``maximum``, ``unit``,
        ``choices``, ``derived``, ``only_with``, ``help`` and ``source``.

    Raises
    ------
    FieldError
        For an unknown id.
    """
    schemes = [scheme_class(name)] if name else [scheme for group in grouped().values() for scheme in group]
    return [
        {
            "id": scheme.id,
            "title": scheme.title,
            "acts": scheme.acts.value,
            "summary": scheme.summary,
            "source": scheme.source,
            "parameters": [_about(about) for about in scheme.parameters()],
        }
        for scheme in schemes
    ]


def text(schemes: list[dict[str, Any]], *, detailed: bool) -> str:
    """Write a table for people.

    Parameters
    ----------
    schemes : list of dict
        What :func:`table` returned.
    detailed : bool
        Whether each parameter has its lines, or all names stand in one.
    """
    if detailed:
        return "\n\n".join("\n".join(_details(scheme)) for scheme in schemes)
    margin = max(len(scheme["id"]) for scheme in schemes) + 2
    lines = []
    for scheme in schemes:
        names = ", ".join(about["name"] for about in scheme["parameters"]) or "no parameters"
        lines.append(f"{scheme['id']:<{margin}}{scheme['title']}: {scheme['summary']}")
        lines += textwrap.wrap(names, LINE, initial_indent=" " * margin, subsequent_indent=" " * margin)
    return "\n".join([*lines, "", "pe-desktop schemes ID tells the range, default and source of each parameter."])


def _about(about: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"name": about.name, "label": about.label, "kind": _kind(about), "default": about.default}
    if about.kind in (int, float, tuple):
        found |= {"minimum": about.minimum, "maximum": about.maximum if math.isfinite(about.maximum) else None}
    more = {
        "unit": about.unit,
        "choices": dict(about.choices),
        "derived": about.derived,
        "only_with": {about.when[0]: list(about.when[1])} if about.when else {},
        "help": about.help,
        "source": about.source,
    }
    return found | {name: value for name, value in more.items() if value}


def _kind(about: Parameter) -> str:
    kinds = {int: "whole number", float: "number", bool: "true or false", str: "choice"}
    return f"list of {kinds[about.items]}s" if about.kind is tuple else kinds[about.kind]


def _details(scheme: dict[str, Any]) -> list[str]:
    lines = [f"{scheme['id']}  {scheme['title']} ({scheme['acts']})", f"  {scheme['summary']}"]
    lines += [f"  Source: {scheme['source']}"] if scheme["source"] else []
    for about in scheme["parameters"]:
        lines += ["", f"  {about['name']}: {_range(about)}", f"    {about['help']}"]
        lines += [
            f"    Only with {name} {', '.join(map(str, values))}" for name, values in about.get("only_with", {}).items()
        ]
        lines += [f"    Source: {about['source']}"] if "source" in about else []
    return lines


def _range(about: dict[str, Any]) -> str:
    values = about["kind"]
    if "choices" in about:
        values = "one of " + ", ".join(about["choices"])
    elif "minimum" in about:
        high = about["maximum"]
        values += f" from {about['minimum']:,.10g}" + (f" to {high:,.10g}" if high is not None else "")
    unit = f" {about['unit']}" if "unit" in about else ""
    return f"{values}{unit}; default: {_default(about)}"


def _default(about: dict[str, Any]) -> str:
    value = about["default"]
    if value is None:
        return str(about.get("derived", "none"))
    return value if isinstance(value, str) else f"{value:.10g}" if isinstance(value, float) else json.dumps(value)
