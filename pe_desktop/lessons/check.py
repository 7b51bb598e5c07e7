"""Playing a lesson without a screen, through the model as the window does, and judging all it expects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Snapshot
from pe_desktop.core.snapshot import PANES
from pe_desktop.lessons.expression import Expectation, Verdict
from pe_desktop.lessons.lesson import Kind, Lesson, Prediction, Step
from pe_desktop.lessons.quantities import Quantities
from pe_desktop.model.lab import Lab

PANE_NAMES = frozenset(pane.name for pane in PANES)


@dataclass(frozen=True)
class Finding:
    """What became of one expectation, or of the answer of a prediction.

    ``step`` counts from 1; ``line`` is where it stands in the file; ``revealed``: it was judged once the prediction
    was revealed.
    """

    step: int
    line: int
    text: str
    revealed: bool
    verdict: Verdict


@dataclass(frozen=True)
class Report:
    """What playing a lesson showed; ``findings`` in the order of its steps."""

    lesson: Lesson
    findings: tuple[Finding, ...]

    @property
    def failures(self) -> tuple[Finding, ...]:
        """Those that do not hold."""
        return tuple(finding for finding in self.findings if not finding.verdict.holds)

    @property
    def claims(self) -> frozenset[int]:
        """The claims that its steps prove: those whose expectations all hold."""
        failed = {finding.step for finding in self.failures}
        steps = enumerate(self.lesson.steps, start=1)
        return frozenset(claim for number, step in steps if number not in failed for claim in step.claims)

    def step(self, number: int) -> tuple[Finding, ...]:
        """The findings of one step, from 1."""
        return tuple(finding for finding in self.findings if finding.step == number)


def expectations(step: Step) -> Iterator[tuple[bool, int, Expectation]]:
    """The expectations of a step: whether it is to be revealed first, line, expectation."""
    yield from ((False, line, each) for line, each in zip(_lines(step), step.expect, strict=False))
    if step.prediction is not None:
        lines = _lines(step.prediction, step.line)
        yield from ((True, line, each) for line, each in zip(lines, step.prediction.expect, strict=False))


def _lines(part: Step | Prediction, line: int = 0) -> tuple[int, ...]:
    """Where the expectations stand; of a lesson that comes from no file nobody knows."""
    return part.lines or (line,) * len(part.expect)


def check(lesson: Lesson) -> Report:
    """Play a lesson and judge what it expects.

    Parameters
    ----------
    lesson : Lesson

    Returns
    -------
    Report
    """
    application = QCoreApplication.instance() or QCoreApplication([])
    lab = Lab(blocking=True)
    try:
        findings = [
            finding for number, step in enumerate(lesson.steps, start=1) for finding in _play(lab, number, step)
        ]
    finally:
        lab.close()
        lab.deleteLater()
        application.sendPostedEvents(lab, QEvent.Type.DeferredDelete)
    return Report(lesson, tuple(findings))


def _play(lab: Lab, number: int, step: Step) -> Iterator[Finding]:
    lab.replace(step.state)
    start = Quantities(_shown(lab, step))
    each = list(expectations(step))
    yield from (Finding(number, line, one.text, False, one.judge(start)) for after, line, one in each if not after)
    prediction = step.prediction
    if prediction is None:
        return
    if prediction.changes and not lab.request(**prediction.changes):
        verdict = Verdict(False, "the changes of the reveal were refused")
        yield Finding(number, step.line, "reveal", True, verdict)
        return
    revealed = Quantities(_shown(lab, step))
    yield from (Finding(number, line, one.text, True, one.judge(revealed)) for after, line, one in each if after)
    yield from _answer(number, step.line, prediction, revealed)


def _shown(lab: Lab, step: Step) -> Snapshot:
    """The snapshot of the state there is, complete, with the panes that the step needs."""
    needs_experiment = any("experiment." in text for text in _texts(step))
    shown = PANE_NAMES & {*step.views, *(("experiment",) if needs_experiment else ())}
    lab.set_viewport(shown=shown)
    lab.flush()
    assert lab.snapshot is not None
    return lab.snapshot


def _texts(step: Step) -> Iterable[str]:
    yield from (one.text for _, _, one in expectations(step))
    if step.prediction is not None and step.prediction.answer is not None:
        yield step.prediction.answer.text


def _answer(number: int, line: int, prediction: Prediction, revealed: Quantities) -> Iterator[Finding]:
    """Whether the answer of a prediction is one: an option there is, or a finite number."""
    if prediction.kind is Kind.CHOOSE:
        holds = 0 <= prediction.right < len(prediction.options)
        says = f"the answer is option {prediction.right + 1} of {len(prediction.options)}"
        yield Finding(number, line, "answer", True, Verdict(holds, says))
    elif prediction.answer is not None:
        text = f"answer = {prediction.answer.text}"
        try:
            value = prediction.answer.value(revealed)
        except FieldError as error:
            yield Finding(number, line, text, True, Verdict(False, error.message, missing=True))
        else:
            yield Finding(number, line, text, True, Verdict(math.isfinite(value), f"the answer is {value:.6g}"))
