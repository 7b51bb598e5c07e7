"""One table of a lesson file: its keys by kind, each refusal with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.lines import Lines
from pe_desktop.lessons.names import nearest

MOST_SHOWN = 400  # letters of a refusal that quotes the file
MOST_LISTED = 200
# Control characters, and those that turn the direction of what follows: a list in a terminal must not obey them.
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """A table of a file.

    Parameters
    ----------
    where : str
        The file, as refusals name it.
    lines : Lines
    path : tuple
        Of the table within the file, such as ``("step", 0)``.
    values : mapping
    name : str
        What it is in words, such as "a step".
    known : tuple of str
        The keys there are.

    Raises
    ------
    FieldError
        For an unknown key.
    """

    where: str
    lines: Lines
    path: tuple[str | int, ...]
    values: Mapping[str, Any]
    name: str
    known: tuple[str, ...]

    def __post_init__(self) -> None:
        for key in self.values:
            if key not in self.known:
                hint = nearest(key, self.known) or f" The keys are {', '.join(self.known)}."
                self.refuse(f'there is no key "{key}" in {self.name}.{hint}', key)

    def line(self, *path: str | int) -> int:
        """The line of something in this table; without a path its own."""
        return self.lines.of(*self.path, *path)

    def refuse(self, sentence: str, *path: str | int) -> NoReturn:
        """Raise a refusal that names file and line."""
        shown = sentence if len(sentence) <= MOST_SHOWN else sentence[:MOST_SHOWN] + "…"
        raise FieldError("lesson", f"{self.where}, line {self.line(*path)}: {shown}")

    def has(self, key: str) -> bool:
        """Whether a key is given."""
        return key in self.values

    def text(self, key: str, *, needed: bool = False, words: int = 0, letters: int = 0) -> str:
        """The text of a key, "" where it is missing; `words` and `letters` are the most it may have, 0: any.

        White space, line ends included, is one space; an empty line stays. Signs that cannot be seen count as spaces.
        """
        value = self._value(key, str, "text", "", needed=needed)
        paragraphs = [" ".join(UNSEEN.sub(" ", part).split()) for part in value.replace("\r", "").split("\n\n")]
        value = "\n\n".join(part for part in paragraphs if part)
        if not value and self.has(key):
            self.refuse(f'"{key}" is empty; {f"{self.name} needs it" if needed else "leave it out"}.', key)
        if words and (count := len(value.split())) > words:
            self.refuse(f'"{key}" has {count} words; at most {words} fit.', key)
        if letters and len(value) > letters:
            self.refuse(f'"{key}" has {len(value)} letters; at most {letters} fit.', key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts of a key, empty where it is missing."""
        values = self._value(key, list, "a list of texts", [])
        if len(values) > MOST_LISTED:
            self.refuse(f'"{key}" lists {len(values)} texts; at most {MOST_LISTED} are read.', key)
        for place, value in enumerate(values):
            if not isinstance(value, str):
                self.refuse(f'"{key}" holds {value!r}; it must be a list of texts.', key, place)
        return tuple(values)

    def number(self, key: str) -> float | None:
        """The finite number of a key, None where it is missing."""
        value = self._value(key, (int, float), "a number", None)
        if value is not None and not abs(value) <= 1e300:
            self.refuse(f'"{key}" is {value}; it must be a number that is finite.', key)
        return None if value is None else float(value)

    def whole(self, key: str, low: int, high: int, what: str) -> int:
        """The whole number of a key, which must be there and lie between `low` and `high`; `what` says what it is."""
        value = self._value(key, int, f"a whole number, {what}", None, needed=True)
        if not low <= value <= high:
            self.refuse(f'"{key}" is {value}; it must lie between {low} and {high}, {what}.', key)
        return int(value)

    def wholes(self, key: str) -> tuple[int, ...]:
        """The list of whole numbers of a key, empty where it is missing."""
        values = self._value(key, list, "a list of whole numbers", [])
        for place, value in enumerate(values):
            if not isinstance(value, int) or isinstance(value, bool):
                self.refuse(f'"{key}" holds {value!r}; it must be a list of whole numbers.', key, place)
        return tuple(values)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """The table of a key, empty where it is missing."""
        value: Mapping[str, Any] = self._value(key, dict, f"a table such as [{key}]", {})
        return value

    def table(self, key: str, name: str, known: tuple[str, ...]) -> Table:
        """The table of a key, as a :class:`Table`."""
        return Table(self.where, self.lines, (*self.path, key), self.mapping(key), name, known)

    def each(self, key: str, parse: Callable[[str], T]) -> tuple[tuple[T, ...], tuple[int, ...]]:
        """What `parse` makes of the texts of a key, and their lines; what it refuses is refused with the line."""
        found = []
        for place, text in enumerate(self.texts(key)):
            found.append(self.tried(parse, text, key, place))
        return tuple(found), tuple(self.line(key, place) for place in range(len(found)))

    def tried(self, parse: Callable[[str], T], text: str, *path: str | int) -> T:
        """What `parse` makes of a text that stands at `path`."""
        try:
            return parse(text)
        except FieldError as error:
            self.refuse(error.message, *path)

    def _value(self, key: str, kind: Any, words: str, default: Any, *, needed: bool = False) -> Any:
        if key not in self.values:
            if needed:
                self.refuse(f'{self.name} has no "{key}", which it needs.')
            return default
        value = self.values[key]
        # True and False are whole numbers to Python, not to a teacher.
        if not isinstance(value, kind) or isinstance(value, bool):
            self.refuse(f'"{key}" is {value!r}; it must be {words}.', key)
        return value
