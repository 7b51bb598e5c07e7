"""Reading lesson files: bounded, and every refusal is one sentence that names file and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.lessons import names
from pe_desktop.lessons.claims import CLAIMS
from pe_desktop.lessons.expression import parse_expectation
from pe_desktop.lessons.lesson import MOST_WORDS, Lesson, Step
from pe_desktop.lessons.lines import Lines
from pe_desktop.lessons.predicting import prediction_of
from pe_desktop.lessons.setting import STATE_KEYS, changed, check_names, sweep_of
from pe_desktop.lessons.table import Table
from pe_desktop.session_file import read_text

FORMAT = "pe-desktop lesson"
VERSION = 1
SUFFIX = ".pelesson"
SUFFIXES = (SUFFIX, ".toml")
LARGEST_LESSON = 1 << 18
MOST_STEPS = 100
MOST_LETTERS = 60  # of a title
MOST_VIEWS = 2
MOST_DOTS = 8  # in one key
ABOUT_KEYS = ("format", "version")
LESSON_KEYS = ("format", "version", "title", "question", "group", "controls", "state", "step")
STEP_KEYS = ("title", "text", "note", "point", "views", "play", "claims", "expect", "state", "predict")

# tomllib takes time that grows with the square of how many names one key strings together.
_NAME = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_NAME}[ \t]*+\.[ \t]*+){{{MOST_DOTS}}}")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_lesson(path: str) -> Lesson:
    """Read a lesson file of at most :data:`LARGEST_LESSON` bytes.

    Raises
    ------
    FieldError
        In one sentence with file and line: what was found, what was expected.
    """
    return parse_lesson(read_text(path, LARGEST_LESSON), path)


def parse_lesson(text: str, where: str) -> Lesson:
    """Read a lesson from the text of its file.

    Parameters
    ----------
    text : str
    where : str
        The file, as refusals and the lesson's ``path`` give it; its name without suffix is the lesson's.

    Raises
    ------
    FieldError
        See :func:`read_lesson`.
    """
    text = text.replace("\r\n", "\n")
    values = _parsed(text, where)
    lines = Lines(text)
    about = {key: values[key] for key in ABOUT_KEYS if key in values}
    _check_format(Table(where, lines, (), about, "a lesson", ABOUT_KEYS))
    top = Table(where, lines, (), values, "a lesson", LESSON_KEYS)
    base = changed(LabState(), top.table("state", "a state", STATE_KEYS))
    steps = tuple(_step(table, base) for table in _tables(top))
    controls = top.texts("controls")
    states = [state for step in steps for state in (step.state, step.revealed)]
    check_names(top, "controls", controls, names.FIELDS, states)
    return Lesson(
        Path(where).stem,
        top.text("title", needed=True, letters=MOST_LETTERS),
        top.text("question", needed=True, words=MOST_WORDS),
        top.text("group", needed=True, letters=MOST_LETTERS),
        steps,
        controls,
        where,
    )


def _parsed(text: str, where: str) -> Mapping[str, Any]:
    has_many_dots = any(line.count(".") >= MOST_DOTS for line in text.split("\n"))
    if has_many_dots and (found := _LONG_KEY.search(text)):
        at = text.count("\n", 0, found.start()) + 1
        raise FieldError("lesson", f"{where}, line {at}: more than {MOST_DOTS} names are strung together by dots.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        line = place[1] if place and place[1] else str(text.count("\n") + 1)
        column = f" at column {place[2]}" if place and place[2] else ""
        what = _PLACE.sub("", message)
        raise FieldError("lesson", f"{where}, line {line}: this is not TOML{column}: {what}.") from error
    except RecursionError as error:
        raise FieldError("lesson", f"{where}: the file is nested too deeply for a lesson.") from error
    except ValueError as error:  # a number of thousands of digits, a day that does not exist
        raise FieldError("lesson", f"{where}: the file holds a value that cannot be: {error}.") from error


def _check_format(top: Table) -> None:
    """Refuse what is not a lesson, or is one of a newer version, before its keys are looked at."""
    if top.values.get("format") != FORMAT:
        top.refuse(f'this is not a PE Desktop lesson: the entry "format" must read "{FORMAT}".', "format")
    version = top.values.get("version")
    if version != VERSION or isinstance(version, bool):
        top.refuse(
            f"this lesson has version {version!r}; this program reads version {VERSION}. Update PE Desktop.", "version"
        )


def _tables(top: Table) -> Iterable[Table]:
    found = top.values.get("step", [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        top.refuse('"step" must be tables, each under a line [[step]].', "step")
    if not found:
        top.refuse("the lesson has no step; write each under a line [[step]].")
    if len(found) > MOST_STEPS:
        top.refuse(f"the lesson has {len(found)} steps; at most {MOST_STEPS} are read.", "step", MOST_STEPS)
    for place, values in enumerate(found):
        yield Table(top.where, top.lines, ("step", place), values, "a step", STEP_KEYS)


def _step(table: Table, base: LabState) -> Step:
    text = table.text("text", needed=True, words=MOST_WORDS)
    state = changed(base, table.table("state", "a state", STATE_KEYS))
    prediction = prediction_of(table, state) if table.has("predict") else None
    revealed = state.change(prediction.changes) if prediction and prediction.changes else state
    point, views = table.texts("point"), table.texts("views")
    known = (*names.FIELDS, *names.READOUTS, *names.LIGHTS, *names.VIEWS)
    check_names(table, "point", point, known, (state, revealed))
    check_names(table, "views", views, names.VIEWS)
    if len(views) > MOST_VIEWS:
        table.refuse(f'"views" names {len(views)} views; at most {MOST_VIEWS} stand beside each other.', "views")
    claims = table.wholes("claims")
    for place, claim in enumerate(claims):
        if claim not in CLAIMS:
            table.refuse(f"there is no claim {claim}; the claims are 1 to {max(CLAIMS)}.", "claims", place)
    expect, lines = table.each("expect", parse_expectation)
    if claims and not expect and not (prediction and prediction.expect):
        table.refuse('a step with "claims" needs "expect", which proves them.', "claims")
    return Step(
        text,
        state,
        title=table.text("title", letters=MOST_LETTERS),
        note=table.text("note"),
        point=point,
        views=views,
        play=sweep_of(table, (state, revealed)),
        claims=claims,
        expect=expect,
        prediction=prediction,
        line=table.line(),
        lines=lines,
    )
