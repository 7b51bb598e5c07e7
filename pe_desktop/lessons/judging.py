"""Judging what a step claims by the numbers that are on screen."""

from __future__ import annotations

from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import Snapshot
from pe_desktop.lessons.checks_box import Check
from pe_desktop.lessons.lesson import Kind, Step
from pe_desktop.lessons.outcome import Outcome, draw_outcome, number_outcome
from pe_desktop.lessons.quantities import Quantities


def checks_of(step: Step, snapshot: Snapshot, *, revealed: bool) -> tuple[Check, ...]:
    """The claims of a step as they are now; none before its answer is out, as they would tell it.

    Parameters
    ----------
    step : Step
    snapshot : Snapshot
        Complete.
    revealed : bool
    """
    prediction = step.prediction
    if prediction is None:
        claims = step.expect
    elif not revealed:
        claims = ()
    elif prediction.changes:
        claims = prediction.expect
    else:
        claims = tuple(dict.fromkeys((*step.expect, *prediction.expect)))
    quantities = Quantities(snapshot)
    return tuple(Check.of(claim, claim.judge(quantities)) for claim in claims)


def outcome_of(step: Step, answer: object, snapshot: Snapshot, miss: float | None) -> Outcome:
    """How a prediction came out.

    Parameters
    ----------
    step : Step
    answer : int, str or None
        See :class:`prediction_box.PredictionBox`; the options of a choice are marked there.
    snapshot : Snapshot
        Of the revealed state, complete.
    miss : float or None
        How far a drawn curve is from the true one on average.
    """
    prediction = step.prediction
    if prediction is None or prediction.kind is Kind.CHOOSE:
        return Outcome("")
    if prediction.kind is Kind.DRAW:
        return draw_outcome(miss)
    if prediction.answer is None:
        return Outcome("")
    try:
        value = prediction.answer.value(Quantities(snapshot))
    except FieldError as error:
        return Outcome(error.message)
    return number_outcome(answer if isinstance(answer, str) else "", value, prediction.within, prediction.unit)
