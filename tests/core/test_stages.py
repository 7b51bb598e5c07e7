"""From a quick snapshot to the full one: in order, each stage right, none twice, and what breaks harms no other."""

from __future__ import annotations

import dataclasses
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_desktop.core import part_compare, part_matrix
from pe_desktop.core.memory import Remembered
from pe_desktop.core.parts import Viewport
from pe_desktop.core.snapshot import compute, is_complete, stages
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState
from pe_desktop.core.work import Cancelled, watched
from tests.core.strategies import ALL, fitting
from tests.slow_parts import PANES, PARTS, SlowParts, alike, unlike

START = LabState()
VIEW = Viewport(matrix=(60, 50), curve=70, scores=(40, 50), precision=(30, 20), grid=(20, 20), shown=frozenset(PANES))
COMPARED = START.change({"scheme": "rope", "compare": "rope", "compare_params": {"base": 20_000.0}})
STAGE_OF = {
    "matrix": Stage.PICTURES,
    "scores": Stage.PICTURES,
    "spectrum": Stage.PICTURES,
    "similarity": Stage.CURVE,
    "attention": Stage.ATTENTION,
    "readouts": Stage.READOUTS,
    "precision": Stage.SEARCHES,
    "compare": Stage.COMPARISON,
}


@pytest.fixture
def slow(monkeypatch):
    return SlowParts(monkeypatch)


def climb(state, view=VIEW):
    """The quick snapshot and what each step gives."""
    quick = compute(state, view, generation=5, full=False)
    return quick, [step() for step in stages(state, view, generation=5, previous=quick)]


def newest(snapshots):
    return [snapshot for snapshot in snapshots if snapshot is not None][-1]


def afresh(state, view=VIEW):
    """The full snapshot as of a program just started."""
    for name, loaded in list(sys.modules.items()):
        if name.startswith("pe_desktop.core"):
            for thing in vars(loaded).values():
                if isinstance(thing, Remembered):
                    thing._answers.clear()
    return compute(state, view)


def test_the_stages_come_in_order_and_each_is_right(slow):
    full = compute(COMPARED, VIEW)
    quick, steps = climb(COMPARED)
    seen = quick
    for stage, snapshot in zip(Stage, steps, strict=True):
        assert (snapshot.state, snapshot.generation) == (COMPARED, 5)
        changed = {name for name in (*PARTS, *PANES) if snapshot.part(name) is not seen.part(name)}
        own = {name for name, when in STAGE_OF.items() if when is stage}
        # What follows from an earlier part comes anew with it: a difference, and the gaps among the read-outs.
        assert own <= changed | {"spectrum"}
        assert changed <= own | {"grid", "compare", "readouts"}
        done = list(Stage)[: list(Stage).index(stage) + 1]
        for name, when in STAGE_OF.items():
            if when in done:
                assert getattr(snapshot.part(name), "exact", True), (stage, name)
                assert alike(snapshot.part(name), full.part(name)), (stage, name)
            elif name != "spectrum":
                assert not snapshot.part(name).exact, (stage, name)
        seen = snapshot
    assert is_complete(seen)
    assert unlike(seen, full) == set()


def test_the_pictures_of_a_second_scheme_come_with_those_of_the_first(slow):
    _, (pictures, curve, *_) = climb(COMPARED)
    full = compute(COMPARED, VIEW).compare
    for name in ("matrix", "matrix_difference", "scores", "scores_difference"):
        assert alike(getattr(pictures.compare, name), getattr(full, name))
    assert not pictures.compare.similarity.exact
    assert alike(curve.compare.curve, full.curve)
    assert (curve.compare.verdict, curve.compare.exact) == ("", False)


def test_no_stage_repeats_the_work_of_another(slow, monkeypatch):
    differences = []
    real = part_compare._minus
    monkeypatch.setattr(part_compare, "_minus", lambda *args: differences.append(args) or real(*args))
    quick = compute(COMPARED, VIEW, generation=5, full=False)
    assert slow.made == []
    differences.clear()
    for step in stages(COMPARED, VIEW, generation=5, previous=quick):
        step()
    names = sorted(name for name, _ in slow.made)
    twice = ("matrix", "scores", "similarity")  # of A and of B
    assert names == sorted([*twice, *twice, "attention", "compare", "grid", "precision", "readouts", "spectrum"])
    assert len(differences) == 2


def test_nothing_to_do():
    full = compute(START, VIEW, generation=5)
    assert [step() for step in stages(START, VIEW, generation=5, previous=full)] == [None] * len(Stage)


def test_a_snapshot_of_another_question_is_a_beginning_too(slow):
    full, other = compute(COMPARED, VIEW), compute(START, VIEW, generation=4)
    for previous in (None, other):
        steps = [step() for step in stages(COMPARED, VIEW, generation=5, previous=previous)]
        assert steps[0].state == COMPARED
        assert unlike(newest(steps), full) == set()


@pytest.mark.parametrize("name", STAGE_OF)
def test_what_breaks_is_left_out(slow, name):
    full = compute(COMPARED, VIEW)
    quick = last = compute(COMPARED, VIEW, full=False)
    slow.broken.add(name)
    for stage, step in zip(Stage, stages(COMPARED, VIEW, previous=quick), strict=True):
        if stage is STAGE_OF[name]:
            with pytest.raises(ZeroDivisionError):
                step()
        else:
            last = step() or last
    # With a part what is made with it, or of it, is not there.
    together = {part for part, stage in STAGE_OF.items() if stage is STAGE_OF[name]} - {"spectrum"}
    follows = {"attention": {"readouts"}, "similarity": {"compare"}, "precision": set()}
    expected = together | (follows.get(name) or ({"compare"} if STAGE_OF[name] is Stage.PICTURES else set()))
    assert {part for part in unlike(last, full) if part not in ("grid", "spectrum")} == expected
    assert not is_complete(last)


@pytest.mark.parametrize("name", ALL)
def test_at_the_end_stands_the_full_snapshot(name):
    state = START.change({"scheme": name, "dimension": fitting(name, 256), "length": 20_011, "sentence": "w v " * 150})
    full = afresh(state)
    afresh(START)
    quick, steps = climb(state)
    last = newest([quick, *steps])
    assert is_complete(last)
    assert unlike(last, full) == set()


@settings(max_examples=25)
@given(
    st.sampled_from(ALL), st.sampled_from(ALL), st.sampled_from([16, 1024]), st.integers(2, 60_000), st.integers(0, 1)
)
def test_any_two_schemes(a, b, dimension, length, position):
    state = START.change({"scheme": a, "dimension": fitting(a, dimension), "length": length, "position": position})
    if fitting(b, state.dimension) == state.dimension:
        state = state.change({"compare": b})
    view = dataclasses.replace(VIEW, shown=frozenset({"scores"}))
    compute(state, view)
    full = compute(state, view)  # the largest value of a table, once it is known, decides on the colours
    quick, steps = climb(state, view)
    last = newest([quick, *steps])
    assert is_complete(last)
    assert unlike(last, full) == set()


def test_called_off_between_two_parts(slow, monkeypatch):
    stop, seen = threading.Event(), []
    quick = compute(COMPARED, VIEW, full=False)
    real = part_matrix.matrix_part

    def matrix(*args):
        stop.set()
        return real(*args)

    monkeypatch.setattr(part_matrix, "matrix_part", matrix)
    first = stages(COMPARED, VIEW, previous=quick)[0]
    with watched(stop, None, seen.append), pytest.raises(Cancelled):
        first()
    assert seen == ["Drawing the matrix"]


def test_what_goes_on_is_named(slow):
    names = []
    quick = compute(COMPARED, VIEW, full=False)
    with watched(threading.Event(), None, names.append):
        for step in stages(COMPARED, VIEW, previous=quick):
            step()
    expected = ["Drawing the matrix", "Drawing the scores", "Drawing the curve", "Working out the attention"]
    expected += ["Looking for the closest rows", "Looking for rounding errors", "Comparing A with B"]
    assert [name for name in dict.fromkeys(names) if name in expected[:-1]] == expected[:-1]
    assert names[-1] == expected[-1]
