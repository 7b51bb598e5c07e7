"""What the arguments of a quantity must be, and what is said where a scheme does not have one."""

from __future__ import annotations

from pe_desktop.core.errors import FieldError
from pe_desktop.core.numerals import count_rows
from pe_desktop.core.sampling import defined_rows
from pe_desktop.core.scheme import Scheme

FIELD = "expect"


def refuse(message: str) -> FieldError:
    """The error of a quantity that has no value; `message` is one sentence."""
    return FieldError(FIELD, message)


def lacks(scheme: Scheme, name: str, has: str) -> FieldError:
    """The error of a quantity that a scheme does not have; `has` says which ones do, such as "a rotary scheme"."""
    return refuse(f"{scheme.title} has no {name}; choose {has}.")


def whole(value: float, what: str) -> int:
    """A number that must be whole.

    Raises
    ------
    FieldError
    """
    rounded = round(value) if abs(value) < 1e15 else None  # past it, or not a number at all (NaN compares false)
    if rounded is None or abs(value - rounded) > 1e-9:
        raise refuse(f"{what} is {value:.6g}; it must be a whole number.")
    return rounded


def index(value: float, count: int, what: str, kinds: str) -> int:
    """A whole number from 0 to `count` - 1; `kinds` names what is counted.

    Raises
    ------
    FieldError
    """
    number = whole(value, what)
    if not 0 <= number < count:
        raise refuse(f"{what} is {number:,}, but there are {count:,} {kinds}; it must lie between 0 and {count - 1:,}.")
    return number


def position(value: float, scheme: Scheme) -> int:
    """A position of the sequence.

    Raises
    ------
    FieldError
    """
    return index(value, scheme.length, "Position", "positions in the sequence")


def row(value: float, scheme: Scheme) -> int:
    """A position that has a vector.

    Raises
    ------
    FieldError
    """
    number, rows = position(value, scheme), defined_rows(scheme)
    if number >= rows:
        raise refuse(f"Position {number:,} has no vector: the table has {count_rows(rows)}; ask for one before it.")
    return number
