"""Reading the prediction of a step: what is asked, which answers there are, and what revealing shows."""

from __future__ import annotations

from typing import Any

from pe_desktop.core.state import LabState
from pe_desktop.lessons import names
from pe_desktop.lessons.expression import parse_expectation, parse_expression
from pe_desktop.lessons.lesson import MOST_WORDS, Kind, Prediction
from pe_desktop.lessons.setting import STATE_KEYS, changed, check_names
from pe_desktop.lessons.table import Table

PREDICT_KEYS = ("kind", "question", "options", "answer", "within", "unit", "hide", "reveal", "expect", "state")
KINDS = tuple(kind.value for kind in Kind)
OPTIONS = (2, 4)  # fewest and most
# Keys that have a meaning for some kinds only.
OF_KIND = {"options": ("choose",), "answer": ("choose", "number"), "within": ("number",), "unit": ("number",)}


def prediction_of(step: Table, state: LabState) -> Prediction:
    """The prediction of a step that starts in a state.

    Raises
    ------
    FieldError
        With file and line.
    """
    table = step.table("predict", "a prediction", PREDICT_KEYS)
    name = table.text("kind", needed=True)
    if name not in KINDS:
        table.refuse(f'"kind" is "{name}"; it must be one of {", ".join(KINDS)}.', "kind")
    for key, kinds in OF_KIND.items():
        if table.has(key) and name not in kinds:
            table.refuse(f'"{key}" plays no part in a prediction of kind "{name}"; leave it out.', key)
    changes = table.mapping("state")
    changed(state, table.table("state", "a state", STATE_KEYS))
    hide = table.texts("hide")
    check_names(table, "hide", hide, (*names.READOUTS, *names.LIGHTS, *names.VIEWS))
    expect, lines = table.each("expect", parse_expectation)
    return Prediction(
        Kind(name),
        table.text("question", needed=True, words=MOST_WORDS),
        table.text("reveal", needed=True, words=MOST_WORDS),
        hide=hide,
        changes=changes,
        expect=expect,
        lines=lines,
        **_answer(table, name),
    )


def _answer(table: Table, kind: str) -> dict[str, Any]:
    if kind == "choose":
        options = table.texts("options")
        if not OPTIONS[0] <= len(options) <= OPTIONS[1] or not all(option.strip() for option in options):
            table.refuse(f'"options" lists {len(options)}; a choice needs 2 to 4 answers, none empty.', "options")
        twice = next((option for place, option in enumerate(options) if option in options[:place]), None)
        if twice is not None:
            table.refuse(f'"options" lists "{twice}" twice; answers must differ.', "options")
        return {"options": options, "right": table.whole("answer", 1, len(options), "the number of an option") - 1}
    if kind == "number":
        text = table.text("answer", needed=True)
        within = table.number("within")
        if within is None or within < 0:
            table.refuse('"within" must say how near a number counts as right, such as 0.05.', "within")
        return {
            "answer": table.tried(parse_expression, text, "answer"),
            "within": within,
            "unit": table.text("unit"),
        }
    return {}
