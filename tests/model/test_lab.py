"""The lab: one way in, few signals out."""

from __future__ import annotations

import dataclasses
import threading

import pytest

from pe_desktop.core import snapshot as snapshot_module
from pe_desktop.core.errors import FieldError
from pe_desktop.core.parts import NO_CURSOR, Cursor, Viewport
from pe_desktop.core.snapshot import compute
from pe_desktop.core.stage import Stage
from pe_desktop.core.state import LabState
from pe_desktop.core.work import checkpoint
from pe_desktop.model import lab as lab_module
from pe_desktop.model.lab import Lab

START = LabState()
LARGE = {"length": 1_048_576, "dimension": 1024}
# What the worker is to make in full: one stage after the other, each with all those before.
STAGES = [set(list(Stage)[:number]) for number in range(1, len(Stage) + 1)]


class Log:
    """What a lab's signals said, and how often it computed."""

    def __init__(self, lab):
        self.states, self.snapshots, self.failures, self.cursors, self.formulas = [], [], [], [], []
        self.viewports, self.busy, self.broken = [], [], []
        lab.state_changed.connect(self.on_state)
        lab.snapshot_ready.connect(self.snapshots.append)
        lab.failed.connect(self.failures.append)
        lab.cursor_moved.connect(self.cursors.append)
        lab.formula_changed.connect(self.formulas.append)
        lab.viewport_changed.connect(self.viewports.append)
        lab.busy_changed.connect(self.busy.append)
        lab.broke.connect(self.broken.append)

    def on_state(self, old, new):
        self.states.append((old, new))


def replace_compute(monkeypatch, function):
    """Let frames and the worker's stages call another function instead of the core's one entry."""
    monkeypatch.setattr(lab_module, "compute", function)
    monkeypatch.setattr(snapshot_module, "compute", function)


@pytest.fixture
def calls(monkeypatch):
    """Each call of the core's one entry: (state, full)."""
    made = []

    def counted(state, viewport=None, **options):
        made.append((state, options.get("full", True)))
        return compute(state, viewport, **options)

    replace_compute(monkeypatch, counted)
    return made


@pytest.fixture
def lab(qapp, calls):
    lab = Lab()
    yield lab
    lab.close()
    lab.deleteLater()


@pytest.fixture
def log(lab):
    return Log(lab)


@pytest.fixture
def ready(lab, log, qtbot):
    """Wait until the picture of the current state is final."""

    def wait():
        qtbot.waitUntil(lambda: not lab.busy, timeout=20_000)
        return log

    return wait


def test_many_requests_in_one_turn_make_one_snapshot(lab, ready, calls):
    for position in range(20, 60):
        assert lab.request(position=position)
    assert lab.request(dimension=32)
    assert calls == []
    log = ready()
    assert len(log.states) == 41
    assert [s.state for s in log.snapshots] == [lab.state]
    assert calls == [(lab.state, True)]
    assert (lab.snapshot.state.position, lab.snapshot.state.dimension) == (59, 32)


def test_state_changed_carries_old_and_new(lab, log):
    lab.request(position=13)
    lab.request(position=14)
    (first_old, first_new), (second_old, second_new) = log.states
    assert (first_old, first_new.position) == (START, 13)
    assert (second_old, second_new) == (first_new, lab.state)


def test_what_changes_nothing_says_nothing(lab, ready, calls):
    assert lab.request(position=12)
    assert lab.request()
    assert lab.request(params={"base": 10000})
    assert lab.request(sentence="The dog bit the man")
    log = ready()
    assert (log.states, log.snapshots, calls) == ([], [], [])
    assert not lab.undo_stack.canUndo()


@pytest.mark.parametrize("changes", [{"dimension": 1}, {"params": {"base": "abc"}}, {"nonsense": 1}, {"position": 999}])
def test_a_refusal_keeps_the_state(lab, log, changes):
    assert lab.request(**changes) is False
    assert lab.state is START or lab.state == START
    assert len(log.failures) == 1
    assert isinstance(log.failures[0], FieldError)
    assert (log.states, lab.undo_stack.count(), lab.busy) == ([], 0, False)


def test_a_refused_part_refuses_the_whole(lab, log):
    assert lab.request(dimension=32, length=1) is False
    assert lab.state.dimension == 64


def test_generations_rise(lab, ready):
    lab.request(position=1)
    ready()
    lab.request(position=2)
    log = ready()
    first, second = (snapshot.generation for snapshot in log.snapshots)
    assert second > first


def test_parts_are_carried_over(lab, ready):
    lab.request(position=1)
    ready()
    lab.request(position=2)
    log = ready()
    assert log.snapshots[1].matrix.values is log.snapshots[0].matrix.values


class TestCursor:
    def test_it_never_computes(self, lab, ready, calls):
        lab.request(position=20)
        log = ready()
        count = len(calls)
        cursors = [Cursor(view="matrix", position=p, column=c) for p in range(30) for c in range(3)]
        for cursor in cursors:
            lab.set_cursor(cursor)
        lab.set_cursor(NO_CURSOR)
        assert not lab.busy
        assert (len(calls), len(log.snapshots)) == (count, 1)
        # Columns 0 and 1 are the first pair, column 2 begins the second.
        paired = [dataclasses.replace(cursor, pair=cursor.column // 2) for cursor in cursors]
        assert log.cursors == [*paired, NO_CURSOR]
        assert len(set(log.formulas)) > 80

    def test_only_a_move_is_said(self, lab, log):
        cursor = Cursor(view="matrix", position=3)
        lab.set_cursor(cursor)
        lab.set_cursor(Cursor(view="matrix", position=3))
        assert log.cursors == [cursor]
        assert lab.cursor == cursor

    def test_formula_is_that_of_the_cursor(self, lab, ready):
        lab.request(position=40)
        log = ready()
        lab.set_cursor(Cursor(view="matrix", position=12, column=4))
        assert log.formulas[-1] == lab.formula == "PE(12, 4) = sin(12 / 10000^(4/64)) = sin(6.7481) = 0.4483"
        lab.set_cursor(NO_CURSOR)
        assert lab.formula.startswith("PE(40, 4)")

    def test_formula_follows_the_state(self, lab, ready):
        lab.set_cursor(Cursor(view="matrix", position=12, column=4))
        lab.request(scheme="integer")
        ready()
        assert lab.formula == "PE(12, 4) = position = 12"


class TestViewport:
    def test_a_zoom_computes_and_is_no_undo_entry(self, lab, ready):
        lab.set_viewport(rows=(10, 20), columns=(0, 4))
        lab.set_viewport(rows=(10, 20), columns=(0, 4))
        log = ready()
        assert log.viewports == [Viewport(rows=(10, 20), columns=(0, 4))]
        assert log.snapshots[-1].matrix.values.shape == (10, 4)
        assert lab.undo_stack.count() == 0
        assert log.states == []

    @pytest.mark.parametrize(
        ("changes", "rows", "columns"),
        [
            ({"position": 30}, (10, 20), (0, 4)),
            ({"seed": 3, "causal": True}, (10, 20), (0, 4)),
            ({"params": {"base": 50}}, (10, 20), (0, 4)),
            ({"length": 200}, None, None),
            ({"dimension": 32}, (10, 20), None),
            ({"scheme": "rope"}, (10, 20), None),
        ],
    )
    def test_what_keeps_a_zoom(self, lab, changes, rows, columns):
        lab.set_viewport(rows=(10, 20), columns=(0, 4), curve=100)
        lab.request(**changes)
        assert (lab.viewport.rows, lab.viewport.columns, lab.viewport.curve) == (rows, columns, 100)

    @pytest.mark.parametrize(
        ("changes", "kept"),
        [({"position": 30}, True), ({"dimension": 32}, True), ({"scheme": "rope"}, True), ({"length": 200}, False)],
    )
    def test_the_scores_keep_a_zoom_while_the_length_stays(self, lab, changes, kept):
        lab.set_viewport(score_rows=(10, 20), score_columns=(0, 4))
        lab.request(**changes)
        assert (lab.viewport.score_rows, lab.viewport.score_columns) == (((10, 20), (0, 4)) if kept else (None, None))

    def test_undo_of_a_length_also_fits(self, lab):
        lab.request(length=200)
        lab.set_viewport(rows=(150, 180))
        lab.undo()
        assert lab.viewport.rows is None


class TestCostly:
    def test_first_a_quick_one_then_the_full_one_in_stages(self, lab, ready, calls):
        lab.request(**LARGE)
        log = ready()
        assert [full for _, full in calls] == [False, *STAGES]
        parts = [(s.matrix.exact, s.similarity.exact, s.readouts.exact) for s in log.snapshots]
        assert not all(parts[0])
        assert parts == sorted(parts)  # the picture is there first, then the curve, then the read-outs
        assert all(parts[-1])
        assert all(s.state == lab.state for s in log.snapshots)
        assert len({s.generation for s in log.snapshots}) == 1
        assert log.busy == [True, False]

    def test_a_drag_is_worked_out_once_it_rests(self, lab, log, ready, calls, qtbot):
        lab.begin_drag()
        lab.request(**LARGE)
        for position in (100, 5000, 70_000):
            with qtbot.waitSignal(lab.snapshot_ready):
                lab.request(position=position)
            assert lab.snapshot.state.position == position
        ready()
        assert [full for _, full in calls if full] == STAGES
        assert log.snapshots[-1].similarity.exact
        assert log.snapshots[-1].state.position == 70_000
        lab.end_drag()
        assert not lab.busy

    def test_an_answer_to_an_older_question_is_dropped(self, lab, log, ready, qtbot):
        lab.request(**LARGE)
        qtbot.waitUntil(lambda: True in log.busy, timeout=20_000)
        lab.request(position=99)
        ready()
        assert all(b.generation >= a.generation for a, b in zip(log.snapshots, log.snapshots[1:], strict=False))
        assert log.snapshots[-1].state.position == 99
        assert log.snapshots[-1].similarity.exact

    def test_what_breaks_in_the_worker_is_said_and_the_lab_goes_on(self, lab, log, qtbot, monkeypatch):
        def broken(state, viewport=None, **options):
            if options.get("full", True) and state.dimension == 1024:
                raise ZeroDivisionError("made for this test")
            return compute(state, viewport, **options)

        replace_compute(monkeypatch, broken)
        with qtbot.waitSignal(lab.broke, timeout=20_000) as caught:
            lab.request(**LARGE)
        assert isinstance(caught.args[0], ZeroDivisionError)
        qtbot.waitUntil(lambda: not lab.busy)
        assert log.busy == [True, False]
        with qtbot.waitSignal(lab.snapshot_ready, timeout=20_000):
            lab.request(dimension=512)
        qtbot.waitUntil(lambda: not lab.busy, timeout=20_000)
        assert lab.snapshot.readouts.exact
        assert len(log.broken) == 1

    @pytest.mark.parametrize("error", [TypeError, IndexError, ZeroDivisionError])
    def test_what_breaks_in_a_frame_is_said_and_the_lab_goes_on(self, lab, log, ready, monkeypatch, error):
        """Not left to leave the override of event: from there PySide takes the process down."""

        def broken(state, viewport=None, **options):
            if state.dimension == 32:
                faults = {TypeError: lambda: len(5), IndexError: lambda: [][1], ZeroDivisionError: lambda: 1 // 0}
                return faults[error]()
            return compute(state, viewport, **options)

        replace_compute(monkeypatch, broken)
        lab.request(dimension=32)
        ready()
        assert [type(each) for each in log.broken] == [error]
        lab.request(dimension=16)
        ready()
        assert lab.snapshot.state.dimension == 16


class TestFlush:
    def test_flush_does_it_now(self, lab, log):
        lab.request(**LARGE)
        lab.flush()
        assert not lab.busy
        assert [s.state for s in log.snapshots] == [lab.state]
        assert lab.snapshot.readouts.exact
        assert lab.snapshot.similarity.exact

    def test_nothing_comes_after_it(self, lab, log, calls, qapp):
        lab.request(position=50)
        lab.flush()
        qapp.processEvents()
        assert len(calls) == len(log.snapshots) == 1

    def test_blocking(self, qapp, qtbot, calls):
        lab = Lab(LabState().change(LARGE), blocking=True)
        log = Log(lab)
        assert lab.blocking
        lab.request(position=77)
        qtbot.waitUntil(lambda: not lab.busy, timeout=20_000)
        assert log.snapshots[-1].similarity.exact
        assert log.busy == []
        lab.blocking = False
        assert not lab.blocking
        lab.close()

    def test_close_while_at_work(self, qapp, qtbot, monkeypatch):
        started = threading.Event()

        def endless(state, viewport=None, **options):
            while options.get("full", True):
                started.set()
                checkpoint(0.5)
            return compute(state, viewport, **options)

        replace_compute(monkeypatch, endless)
        lab = Lab()
        log = Log(lab)
        lab.request(**LARGE)
        qtbot.waitUntil(started.is_set, timeout=20_000)
        lab.close()
        qapp.processEvents()
        assert [s.similarity.exact for s in log.snapshots] == [False]
        assert log.broken == []
        assert log.busy == [True, False]
        lab.close()
        lab.deleteLater()
