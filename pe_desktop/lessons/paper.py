"""A lesson as it stands on paper: words, pictures and room to draw, in order."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass

from pe_desktop.core.numerals import short, whole
from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.lessons.lesson import Kind, Lesson, Prediction, Step
from pe_desktop.lessons.quantities import Quantities

DEFAULT_VIEWS = ("matrix", "similarity")
MOST_VIEWS = 2
PEN_LINE = "." * 60


@dataclass(frozen=True)
class Words:
    """Rich text in Qt's subset of HTML."""

    html: str


@dataclass(frozen=True)
class Pictures:
    """One or two views of a state beside each other; ``told``: with the sentences under them."""

    views: tuple[str, ...]
    state: LabState
    told: bool


@dataclass(frozen=True)
class Axes:
    """An empty plot over the positions of a sequence, with the inspected spot marked."""

    length: int
    spot: int


Sheet = Words | Pictures | Axes
Group = tuple[Sheet, ...]  # what is to stand on one page if it fits


def groups(lesson: Lesson, answers: bool) -> Iterator[Group]:
    """What stands on the pages.

    Parameters
    ----------
    lesson : Lesson
    answers : bool
        Whether answers, speaker notes and pictures of what was covered follow at the end.
    """
    yield (Words(f"<h1>{html.escape(lesson.title)}</h1><p><i>{html.escape(lesson.question)}</i></p>"),)
    for number, step in enumerate(lesson.steps, 1):
        yield tuple(_of_step(number, step))
    if answers:
        heading: Group = (Words("<h2>Answers and notes</h2>"),)
        for number, step in enumerate(lesson.steps, 1):
            group = tuple(_of_answer(number, step))
            if group:
                yield heading + group
                heading = ()


def _of_step(number: int, step: Step) -> Iterator[Sheet]:
    yield Words(_step_words(number, step))
    pictured = _uncovered(step)
    if pictured:
        yield Pictures(pictured, step.state, told=step.prediction is None)
    if step.prediction is not None:
        yield Words(_question_words(step.prediction))
        if step.prediction.kind is Kind.DRAW:
            yield Axes(step.state.length, step.state.position)


def _of_answer(number: int, step: Step) -> Iterator[Sheet]:
    words = _answer_words(number, step)
    if words:
        yield Words(words)
    if step.prediction is not None and _uncovered(step) != _views(step):
        yield Pictures(_views(step), step.revealed, told=True)


def _views(step: Step) -> tuple[str, ...]:
    return (step.views or DEFAULT_VIEWS)[:MOST_VIEWS]


def _uncovered(step: Step) -> tuple[str, ...]:
    """The views of a step, without those that its question covers."""
    if step.prediction is None:
        return _views(step)
    hidden = {*step.prediction.hide, *(("similarity",) if step.prediction.kind is Kind.DRAW else ())}
    return tuple(view for view in _views(step) if view not in hidden)


def _step_words(number: int, step: Step) -> str:
    title = step.title or f"Step {number}"
    title = title if title[:1].isdigit() or not step.title else f"{number}. {title}"
    setting = html.escape(setting_of(step.state))
    heading = f"<h3 style='margin-top:14px'>{html.escape(title)}</h3>"
    return f"{heading}<p>{html.escape(step.text)}</p><p><small>{setting}</small></p>"


def setting_of(state: LabState) -> str:
    """A state in words, so that a reader can set it."""
    parts = [state.built.title, f"dimension {state.dimension:,}", f"length {state.length:,}"]
    parts.append(f"spot {state.position:,}")
    parts += [f"{name} {_brief(value)}" for name, value in state.params.get(state.scheme, {}).items()]
    if state.swap:
        parts.append("two words swapped")
    if state.causal:
        parts.append("causal mask")
    if state.compare:
        parts.append(f"compared with {state.built_b.title if state.built_b else state.compare}")
    return ", ".join(parts)


def _brief(value: object) -> str:
    return f"[{len(value)} numbers]" if isinstance(value, tuple) and len(value) > 4 else str(value)


def _question_words(prediction: Prediction) -> str:
    question = f"<p><b>{html.escape(prediction.question)}</b></p>"
    if prediction.kind is Kind.CHOOSE:
        return question + "".join(f"<p>☐ {html.escape(option)}</p>" for option in prediction.options)
    if prediction.kind is Kind.NUMBER:
        return question + f"<p>{PEN_LINE} {html.escape(prediction.unit)}</p>"
    return question


def _answer_words(number: int, step: Step) -> str:
    words = []
    if step.prediction is not None:
        right = _right(step)
        said = step.prediction.reveal.lower().startswith(right.lower())
        lead = f"<b>{html.escape(right)}</b> · " if right and not said else ""
        words.append(lead + html.escape(step.prediction.reveal))
    if step.note:
        words.append(f"<i>{html.escape(step.note)}</i>")
    return f"<p><b>{number}.</b> {'<br>'.join(words)}</p>" if words else ""


def _right(step: Step) -> str:
    """The right answer in words; that of a drawing is its picture."""
    prediction = step.prediction
    assert prediction is not None
    if prediction.kind is Kind.CHOOSE:
        return prediction.options[prediction.right]
    if prediction.answer is None:
        return ""
    value = prediction.answer.value(Quantities(compute(step.revealed)))
    shown = whole(round(value)) if value == round(value) else short(value)
    return f"{shown} {prediction.unit}".strip()
