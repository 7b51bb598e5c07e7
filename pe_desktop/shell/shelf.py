"""The lessons there are, as rows of the list and in the order in which one follows another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons import library
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.lesson_list import Row, Sort
from pe_desktop.lessons.library import Entry

MINE = "My lessons"
NONE_YET = "None yet. Put lesson files (.pelesson) into your folder."


@dataclass(frozen=True)
class Place:
    """A step of a lesson, from 0."""

    lesson: Lesson
    index: int = 0


def groups(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries by the headings of their lessons, in order; broken files stand under "Cannot be read"."""
    found: dict[str, list[Entry]] = {}
    broken = [entry for entry in entries if entry.lesson is None]
    for entry in entries:
        if entry.lesson is not None:
            found.setdefault(entry.lesson.group, []).append(entry)
    if broken:
        found["Cannot be read"] = broken
    return found


def rows(shipped: Sequence[Entry], own: Sequence[Entry], last: Place | None = None) -> tuple[Row, ...]:
    """What the list shows.

    Parameters
    ----------
    shipped, own : sequence of Entry
    last : Place or None
        Where one was last.
    """
    found = []
    if last is not None:
        detail = f"{last.lesson.title}, step {last.index + 1} of {len(last.lesson.steps)}"
        found += [Row(Sort.LESSON, "Go on where you were", detail, last)]
    for group, entries in groups(shipped).items():
        found += [Row(Sort.HEADING, group), *map(_row, entries)]
    found += [Row(Sort.HEADING, MINE), *map(_row, own)]
    if not own:
        found.append(Row(Sort.NOTE, NONE_YET))
    return tuple(found)


def _row(entry: Entry) -> Row:
    if entry.lesson is None:
        return Row(Sort.BROKEN, Path(entry.path).name, _without_file(entry), entry.path)
    return Row(Sort.LESSON, entry.lesson.title, entry.lesson.question, Place(entry.lesson))


def _without_file(entry: Entry) -> str:
    """What is wrong with a file that the row has named already."""
    says = entry.error.removeprefix(f"{entry.path}, ")
    return says[:1].upper() + says[1:]


def following(lesson: Lesson) -> Lesson | None:
    """The lesson after one, among those shipped or among a person's own; None after the last."""
    for entries in (library.shipped(), library.own()):
        lessons = [entry.lesson for entry in entries if entry.lesson is not None]
        for before, after in itertools.pairwise(lessons):
            if before.path == lesson.path:
                return after
    return None


def reference(lesson: Lesson) -> str:
    """What finds a lesson again: the name of a shipped one, the file of another."""
    names = [entry.name for entry in library.shipped() if entry.path == lesson.path]
    return names[0] if names else lesson.path


def place_of(name: str, index: int) -> Place | None:
    """The step that a :func:`reference` and a number name, if there still is one."""
    if not name:
        return None
    try:
        lesson = library.find(name)
    except FieldError:
        return None
    return Place(lesson, min(index, len(lesson.steps) - 1))


def made_folder() -> Path:
    """The folder of a person's own lessons, made if there is none.

    Raises
    ------
    FieldError
        If it cannot be made.
    """
    folder = library.own_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise FieldError("lesson", f"{folder} cannot be made: {why}.") from error
    return folder
