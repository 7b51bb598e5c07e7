"""Expectations and answers: what a lesson claims in a form that a machine can check."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.expression_reader import MATHS, tree_of
from pe_desktop.lessons.expression_tree import Call, Comparison, Joined, Name, Node, Number, Operation
from pe_desktop.lessons.quantity_table import Sort

SAME = 1e-9  # two values without a written number between them are equal when they differ by less of the larger
EXPECT, ANSWER = "expect", "answer"
_WORDS = {
    "==": "equal",
    "!=": "differ from",
    "<": "be less than",
    "<=": "be at most",
    ">": "be greater than",
    ">=": "be at least",
}
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


class Lookup(Protocol):
    """Where the values come from: see :class:`quantities.Quantities`."""

    def value(self, name: str) -> float | bool:
        """A plain quantity, a parameter, or "experiment.NAME"."""

    def call(self, name: str, arguments: Sequence[float]) -> float:
        """A quantity with arguments."""


@dataclass(frozen=True)
class Verdict:
    """Whether an expectation holds, and in one sentence what was found and what was expected.

    ``missing``: it does not hold because something in it has no value, such as a quantity the scheme lacks.
    """

    holds: bool
    says: str
    missing: bool = False


@dataclass(frozen=True)
class Expression:
    """A number to be worked out, such as "similarity(25)"; make one with :func:`parse_expression`."""

    text: str

    def value(self, lookup: Lookup) -> float:
        """What it comes to.

        Raises
        ------
        FieldError
            If a quantity has no value here, or the arithmetic none, such as a division by 0.
        """
        return _Evaluation(lookup, ANSWER).number(tree_of(self.text, ANSWER, Sort.NUMBER))


@dataclass(frozen=True)
class Expectation:
    """Something that holds or does not, such as "input_gap == 0.000"; make one with :func:`parse_expectation`."""

    text: str

    def judge(self, lookup: Lookup) -> Verdict:
        """Whether it holds; what has no value does not, and neither does anything with a number that is none (NaN)."""
        work = _Evaluation(lookup, EXPECT)
        try:
            holds = work.truth(tree_of(self.text, EXPECT, Sort.TRUTH), True)
        except FieldError as error:
            return Verdict(False, error.message, missing=True)
        if work.undefined:
            return Verdict(False, f"{work.undefined[0]} is not a number (NaN), so nothing about it holds", missing=True)
        return Verdict(holds, "; ".join(dict.fromkeys(work.found)))


def parse_expression(text: str) -> Expression:
    """Read a number to be worked out.

    Raises
    ------
    FieldError
        Of field "answer", if the text is none.
    """
    tree_of(_read_text(text, ANSWER), ANSWER, Sort.NUMBER)
    return Expression(text)


def parse_expectation(text: str) -> Expectation:
    """Read an expectation.

    Raises
    ------
    FieldError
        Of field "expect", if the text is none, or nothing in it could ever make it fail.
    """
    tree_of(_read_text(text, EXPECT), EXPECT, Sort.TRUTH)
    return Expectation(text)


def _read_text(text: object, field: str) -> str:
    if not isinstance(text, str):
        raise FieldError(field, f'{field} is {text!r}; it must be text in quotes, such as "input_gap == 0.000".')
    return text


def equals_written(value: float, text: str) -> bool:
    """Whether a value is a number as it is written: equal when rounded to its digits.

    ``0.629`` and ``1e-3`` stand for all that is at most half a unit of the last digit away, a whole number such as
    ``12`` for itself (up to 1e-9 of it).
    """
    if not math.isfinite(value):
        return False
    mantissa, _, power = text.lower().partition("e")
    written = Decimal(text)
    if "." not in mantissa and not power:
        return bool(abs(Decimal(value) - written) <= Decimal(SAME) * max(Decimal(1), abs(written)))
    decimals = len(mantissa.partition(".")[2])
    half = Decimal(5).scaleb(int(power or 0) - decimals - 1)
    return bool(abs(Decimal(value) - written) <= half)


class _Evaluation:
    """One look at a tree; ``found`` gathers what the comparisons saw, ``undefined`` texts of what is NaN."""

    def __init__(self, lookup: Lookup, field: str) -> None:
        self._lookup, self._field = lookup, field
        self.found: list[str] = []
        self.undefined: list[str] = []

    def truth(self, node: Node, wanted: bool) -> bool:
        """Whether a node holds; `wanted` False within a "not", which turns what is said about it."""
        if isinstance(node, Joined):
            if node.word == "not":
                return not self.truth(node.parts[0], not wanted)
            every = node.word == "and"
            each = (self.truth(part, wanted) for part in node.parts)
            return all(each) if every else any(each)
        if isinstance(node, Comparison):
            parts = zip(node.parts, node.signs, node.parts[1:], strict=False)
            return all(self._compare(left, sign, right, wanted) for left, sign, right in parts)
        value = self._value(node)
        if not isinstance(value, bool):
            raise self._refuse(f"{node.text} is {_shown(value)}, where true or false is needed; compare it")
        if isinstance(node, Name):
            self.found.append(f"{node.text} is {_shown(value)}, expected to be {_shown(wanted)}")
        return value

    def number(self, node: Node) -> float:
        """The value of a node that must be a number."""
        value = self._value(node)
        if isinstance(value, bool):
            raise self._refuse(f"{node.text} is {_shown(value)}, where a number is needed; write it alone or with not")
        return value

    def _value(self, node: Node) -> float | bool:
        if isinstance(node, Number):
            return bool(node.value) if node.sort is Sort.TRUTH else node.value
        if isinstance(node, Name):
            value = self._lookup.value(node.name)
            return value if isinstance(value, bool) else float(value)
        if isinstance(node, Call):
            given = [self.number(part) for part in node.arguments]
            return self._maths(node, given) if node.name in MATHS else float(self._lookup.call(node.name, given))
        if isinstance(node, Operation):
            return self._arithmetic(node, [self.number(part) for part in node.parts])
        return self.truth(node, True)

    def _maths(self, node: Call, given: list[float]) -> float:
        if node.name in ("sqrt", "log") and (given[0] < 0.0 or (given[0] == 0.0 and node.name == "log")):
            raise self._refuse(f"{node.text} has no value, since {node.arguments[0].text} is {_shown(given[0])}")
        if node.name in ("min", "max") and any(map(math.isnan, given)):
            return math.nan
        return float(_FUNCTIONS[node.name](*given))

    def _arithmetic(self, node: Operation, given: list[float]) -> float:
        if len(given) == 1:
            return -given[0] if node.sign == "-" else given[0]
        first, second = given
        try:
            return _ARITHMETIC[node.sign](first, second)
        except (ZeroDivisionError, OverflowError, ValueError):
            values = f"{_shown(first)} {node.sign} {_shown(second)}"
            raise self._refuse(f"{node.text} has no value: it is {values}") from None

    def _compare(self, left: Node, sign: str, right: Node, wanted: bool) -> bool:
        if isinstance(left, Number) and not isinstance(right, Number):
            left, sign, right = right, _TURNED[sign], left
        values = self._value(left), self._value(right)
        self.undefined += [node.text for node, at in zip((left, right), values, strict=True) if math.isnan(at)]
        if any(isinstance(at, bool) for at in values) and not (
            sign in ("==", "!=") and all(isinstance(at, bool) for at in values)
        ):
            says = " and ".join(f"{node.text} is {_shown(at)}" for node, at in zip((left, right), values, strict=True))
            raise self._refuse(f"{says}, so {sign} cannot compare them; compare numbers with numbers")
        holds = _holds(values[0], sign, values[1], right)
        self.found.append(_says(left, sign, right, values, wanted, holds))
        return holds

    def _refuse(self, message: str) -> FieldError:
        return FieldError(self._field, message)


_FUNCTIONS: dict[str, Callable[..., float]] = {"abs": abs, "sqrt": math.sqrt, "log": math.log, "min": min, "max": max}
_ARITHMETIC = {
    "+": float.__add__,
    "-": float.__sub__,
    "*": float.__mul__,
    "/": float.__truediv__,
    "**": math.pow,
}


def _is_written(node: Node) -> bool:
    return isinstance(node, Number) and node.sort is Sort.NUMBER and node.text != "pi"


def _holds(first: float, sign: str, second: float, right: Node) -> bool:
    if sign in ("==", "!="):
        if math.isnan(first) or math.isnan(second):
            return False
        same = equals_written(first, right.text) if _is_written(right) else _near(first, second)
        return same is (sign == "==")
    return {"<": first < second, "<=": first <= second, ">": first > second, ">=": first >= second}[sign]


def _near(first: float, second: float) -> bool:
    return first == second or math.isclose(first, second, rel_tol=SAME)


def _says(left: Node, sign: str, right: Node, values: tuple[float, float], wanted: bool, holds: bool) -> str:
    """What was found, with all digits where fewer would tell another story than `holds`."""
    first, second = (_shown(value) for value in values)
    if isinstance(values[0], bool):
        if isinstance(right, Number):
            return f"{left.text} is {first}, expected to be {_shown((sign == '==') is (bool(values[1]) is wanted))}"
    elif _holds(float(first), sign, float(second), right) is not holds:
        first, second = (repr(value).removesuffix(".0") for value in values)
    than = right.text if isinstance(right, Number) else f"{right.text}, which is {second}"
    return f"{left.text} is {first}, expected {'' if wanted else 'not '}to {_WORDS[sign]} {than}"


def _shown(value: float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}"
