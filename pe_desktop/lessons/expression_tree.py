"""What an expression is made of: a tree of frozen nodes, each of which keeps the text it was read from."""

from __future__ import annotations

from dataclasses import dataclass

from pe_desktop.lessons.quantity_table import Sort


@dataclass(frozen=True)
class Number:
    """A number as it was written; True and False are numbers of sort TRUTH."""

    text: str
    value: float
    sort: Sort = Sort.NUMBER


@dataclass(frozen=True)
class Name:
    """A quantity, a parameter, or "experiment.NAME"."""

    text: str
    name: str
    sort: Sort = Sort.NUMBER


@dataclass(frozen=True)
class Call:
    """A quantity with arguments, or a function of :data:`MATHS`."""

    text: str
    name: str
    arguments: tuple[Node, ...]
    sort: Sort = Sort.NUMBER


@dataclass(frozen=True)
class Operation:
    """Arithmetic: ``sign`` is one of + - * / **, on one or two parts."""

    text: str
    sign: str
    parts: tuple[Node, ...]
    sort: Sort = Sort.NUMBER


@dataclass(frozen=True)
class Comparison:
    """A chain: parts[0] signs[0] parts[1] signs[1] parts[2] …"""

    text: str
    parts: tuple[Node, ...]
    signs: tuple[str, ...]
    sort: Sort = Sort.TRUTH


@dataclass(frozen=True)
class Joined:
    """Truths joined by "and" or "or", or one after "not" (``word``)."""

    text: str
    word: str
    parts: tuple[Node, ...]
    sort: Sort = Sort.TRUTH


Node = Number | Name | Call | Operation | Comparison | Joined
