"""The verb lessons: which there are, whether all that they claim holds, and whether it could fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pe_desktop.core.errors import FieldError
from pe_desktop.core.numbers import plain_number
from pe_desktop.lessons.claims import CLAIMS

if TYPE_CHECKING:  # the window starts with a look at this module, and needs no lessons then
    from pe_desktop.lessons.check import Finding, Report
    from pe_desktop.lessons.lesson import Lesson
    from pe_desktop.lessons.library import Entry
    from pe_desktop.lessons.wrong import Trial, Trials

UNREADABLE = 2  # the exit code, as of every error of this command line
OF_PICTURES = ("out", "view", "size", "present")  # what a lesson leaves to whoever draws it


def run(options: Any) -> int:
    """Do what the options ask; 0, or 1 if something that a lesson expects does not hold, 2 if one cannot be read."""
    from pe_desktop.lessons.library import entry, own, shipped

    if options.handout:
        return _hand_out(options)
    if options.answers:
        raise FieldError("answers", "--answers plays no part without --handout; leave it out.")
    entries = [entry(name) for name in options.lessons] if options.lessons else [*shipped(), *own()]
    errors = [each.error for each in entries if each.error]
    for error in errors:
        print(f"pe-desktop: error: {error}", file=sys.stderr)
    if options.check or options.wrong:
        code = _check(entries, options)
    elif options.json:
        print(json.dumps([_entry_json(each) for each in entries], allow_nan=False, ensure_ascii=False))
        code = 0
    else:
        print(_table([each for each in entries if not each.error]))
        code = 0
    return UNREADABLE if errors else code


def opened(options: Any) -> tuple[Lesson | None, int]:
    """The lesson that a window is to open, None for none, and the step to begin with, from 0.

    Raises
    ------
    FieldError
    """
    from pe_desktop.arguments import refuse_unused
    from pe_desktop.lessons.library import find
    from pe_desktop.lessons.reading import SUFFIXES, read_lesson

    file = getattr(options, "file", None)
    is_file = file is not None and Path(file).suffix in SUFFIXES
    if options.lesson is None and not is_file:
        refuse_unused(options, "a start without a lesson", ("step",))
        return None, 0
    if options.lesson is not None and file is not None:
        raise FieldError("file", "Both FILE and --lesson name what to open; give one of them.")
    # A step sets the whole state.
    others = sorted(set(vars(options)) - {"file", "lesson", "step", "theme", *OF_PICTURES})
    refuse_unused(options, "a lesson", tuple(others))
    lesson = read_lesson(str(file)) if is_file else find(options.lesson)
    if options.step is None:
        return lesson, 0
    step = plain_number(options.step, "step", "--step", whole=True)
    if not 1 <= step <= len(lesson.steps):
        raise FieldError("step", f"--step is {step:,}; the lesson {lesson.name!r} has steps 1 to {len(lesson.steps)}.")
    return lesson, step - 1


def _hand_out(options: Any) -> int:
    from pe_desktop.lessons.library import find

    if len(options.lessons) != 1 or options.check or options.wrong:
        raise FieldError("handout", "--handout prints one lesson; name it, such as --handout swap.pdf swap.")
    if Path(options.handout).suffix.lower() != ".pdf":
        raise FieldError("handout", f"--handout is {options.handout!r}; the file must end in .pdf.")
    lesson = find(options.lessons[0])
    from pe_desktop.app import print_lesson

    print_lesson(lesson, options.handout, options.answers)
    print(options.handout)
    return 0


# The list ---------------------------------------------------------------------------------------------------------


def _entry_json(each: Entry) -> dict[str, Any]:
    lesson = each.lesson
    if lesson is None:
        return {"name": each.name, "path": each.path, "error": each.error}
    return {
        "name": lesson.name,
        "path": lesson.path,
        "group": lesson.group,
        "title": lesson.title,
        "question": lesson.question,
        "steps": len(lesson.steps),
        "claims": sorted({claim for step in lesson.steps for claim in step.claims}),
    }


def _table(entries: list[Entry]) -> str:
    found = [_entry_json(each) for each in entries]
    margin = max((len(each["name"]) for each in found), default=0) + 2
    lines: list[str] = []
    group = None
    for each in found:
        if each["group"] != group:
            group = each["group"]
            lines += [*([""] if lines else []), group]
        claims = f"; claims {', '.join(map(str, each['claims']))}" if each["claims"] else ""
        lines.append(f"  {each['name']:<{margin}}{each['title']}: {each['question']}")
        lines.append(f"  {'':<{margin}}{_count(each['steps'], 'step')}{claims}")
    return "\n".join(lines) if lines else "There are no lessons."


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


# Playing ----------------------------------------------------------------------------------------------------------


def _check(entries: list[Entry], options: Any) -> int:
    from pe_desktop.lessons.check import check
    from pe_desktop.lessons.wrong import wrong

    errors = [each for each in entries if each.lesson is None]
    lessons = [each.lesson for each in entries if each.lesson is not None]
    reports = [check(lesson) for lesson in lessons]
    trials = [wrong(lesson) for lesson in lessons] if options.wrong else []
    if options.json:
        print(json.dumps(_check_json(errors, reports, trials), allow_nan=False, ensure_ascii=False))
    else:
        print("\n".join(_check_lines(reports, trials, is_all=not options.lessons)))
    fine = not any(report.failures for report in reports)
    return int(not fine or any(each.survivors or not each.schemes for each in trials))


def _check_lines(reports: list[Report], trials: list[Trials], *, is_all: bool) -> list[str]:
    lines: list[str] = []
    for report in reports:
        lines += [_failure(report, finding) for finding in report.failures]
    for each in trials:
        lines += [
            f"{_place(each.lesson.path, trial)}: {trial.text!r} cannot fail: "
            "no wrong scheme, parameter, mask or size breaks it."
            for trial in each.survivors
        ]
        if not each.schemes:
            lines.append(f"{each.lesson.path}: no wrong scheme breaks this lesson.")
    return [*lines, _summary(reports, trials, is_all=is_all)]


def _place(path: str, finding: Finding | Trial) -> str:
    return f"{path}:{finding.line} step {finding.step}"


def _failure(report: Report, finding: Finding) -> str:
    revealed = ", revealed" if finding.revealed else ""
    says = finding.verdict.says.rstrip(".")
    return f"{_place(report.lesson.path, finding)}{revealed}: {finding.text!r} does not hold: {says}."


def _summary(reports: list[Report], trials: list[Trials], *, is_all: bool) -> str:
    steps = sum(len(report.lesson.steps) for report in reports)
    findings = [finding for report in reports for finding in report.findings]
    failed = sum(not finding.verdict.holds for finding in findings)
    held = f"{failed} of {_count(len(findings), 'expectation')} {'does' if failed == 1 else 'do'} not hold"
    if not failed:
        held = f"{_count(len(findings), 'expectation')} {'holds' if len(findings) == 1 else 'hold'}"
    parts = [f"{_count(len(reports), 'lesson')}, {_count(steps, 'step')}, {held}"]
    if trials:
        survivors = sum(len(each.survivors) for each in trials)
        parts.append(f"nothing breaks {survivors} of them" if survivors else "something wrong breaks each of them")
    proven = frozenset[int]().union(*(report.claims for report in reports))
    missing = [str(claim) for claim in CLAIMS if claim not in proven]
    if not missing:
        parts.append(f"all {len(CLAIMS)} claims are proven")
    elif is_all:
        parts.append(f"{len(proven)} of {len(CLAIMS)} claims are proven; missing: {', '.join(missing)}")
    elif proven:
        parts.append(f"proven: claims {', '.join(map(str, sorted(proven)))}")
    return "; ".join(parts) + "."


def _check_json(errors: list[Entry], reports: list[Report], trials: list[Trials]) -> dict[str, Any]:
    by_path = {each.lesson.path: each for each in trials}
    proven = frozenset[int]().union(*(report.claims for report in reports))
    return {
        "lessons": [_report_json(report, by_path.get(report.lesson.path)) for report in reports],
        "errors": [_entry_json(each) for each in errors],
        "claims": {"proven": sorted(proven), "missing": [claim for claim in CLAIMS if claim not in proven]},
    }


def _report_json(report: Report, trials: Trials | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": report.lesson.name,
        "path": report.lesson.path,
        "steps": len(report.lesson.steps),
        "holds": not report.failures,
        "expectations": [
            {
                "step": finding.step,
                "line": finding.line,
                "text": finding.text,
                "revealed": finding.revealed,
                "holds": finding.verdict.holds,
                "says": finding.verdict.says,
            }
            for finding in report.findings
        ],
    }
    if trials is not None:
        found["broken_by_schemes"] = list(trials.schemes)
        found["wrong"] = [
            {"step": each.step, "line": each.line, "text": each.text, "broken_by": each.by or None}
            for each in trials.trials
        ]
    return found
