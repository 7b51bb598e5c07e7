"""The lessons there are: those shipped with the app, and those in a person's own folder."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.reading import LARGEST_LESSON, SUFFIX, SUFFIXES, parse_lesson, read_lesson

FOLDER = "PE Desktop lessons"
VARIABLE = "PE_DESKTOP_LESSONS"
WITHIN = "resources/lessons"  # of the package
MOST_OWN = 500
_NUMBER = re.compile(r"^\d+-")


@dataclass(frozen=True)
class Entry:
    """A lesson file: its lesson, or the sentence that says why it cannot be read."""

    name: str
    path: str
    lesson: Lesson | None = None
    error: str = ""


def shipped_folder() -> Traversable:
    """Where the lessons of the app lie within its package."""
    return resources.files("pe_desktop").joinpath(WITHIN)


@cache
def shipped() -> tuple[Entry, ...]:
    """The lessons of the app, in their order."""
    files = sorted(
        (file for file in shipped_folder().iterdir() if file.name.endswith(SUFFIX)), key=lambda file: file.name
    )
    return tuple(
        _entry(f"{WITHIN}/{file.name}", partial(_parse, file), _NUMBER.sub("", Path(file.name).stem)) for file in files
    )


def _parse(file: Traversable, path: str) -> Lesson:
    data = file.read_bytes()
    if len(data) > LARGEST_LESSON:
        raise FieldError("file", f"{path} is larger than {LARGEST_LESSON:,} bytes, too large for what it should be.")
    return parse_lesson(data.decode("utf-8"), path)


def own_folder() -> Path:
    """The folder of a person's own lessons; it need not exist.

    The environment variable :data:`VARIABLE` names it; else it lies among the person's documents.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from PySide6.QtCore import QStandardPaths

    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(documents or Path.home()) / FOLDER


def own() -> tuple[Entry, ...]:
    """The lessons of a person's own folder, by name; a file that has not changed is not read again."""
    folder = own_folder()
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES)[:MOST_OWN]
        return tuple(_own_entry(str(file), *_stamp(file)) for file in files)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        return (Entry(folder.name, str(folder), error=f"{folder} cannot be read: {why}."),)


def _stamp(file: Path) -> tuple[int, int]:
    """What changes when a file is written; of one that just vanished nothing is known."""
    try:
        about = file.stat()
    except OSError:
        return 0, 0
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=MOST_OWN)
def _own_entry(path: str, changed: int, size: int) -> Entry:
    return _entry(path, read_lesson, Path(path).stem)


def _entry(path: str, read: Callable[[str], Lesson], name: str) -> Entry:
    try:
        return Entry(name, path, dataclasses.replace(read(path), name=name))
    except FieldError as error:
        return Entry(name, path, error=error.message)


def entry(text: str) -> Entry:
    """The entry of a name, such as "swap", or of a file; one that cannot be read carries its sentence.

    Raises
    ------
    FieldError
        If no lesson has the name.
    """
    if Path(text).suffix in SUFFIXES or os.sep in text:
        return _entry(text, read_lesson, Path(text).stem)
    entries = (*shipped(), *own())
    for each in entries:
        if text in (each.name, Path(each.path).stem):
            return each
    near = difflib.get_close_matches(text, [each.name for each in entries], 1)
    hint = f"did you mean {near[0]!r}?" if near else "pe-desktop lessons lists them."
    raise FieldError("lesson", f"There is no lesson {text!r}; {hint}")


def find(text: str) -> Lesson:
    """The lesson of a name or of a file.

    Raises
    ------
    FieldError
        If there is none, or it cannot be read.
    """
    found = entry(text)
    if found.lesson is None:
        raise FieldError("lesson", found.error)
    return found.lesson
