"""The worker: the newest job wins, what is called off is not shown, what breaks is told."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread

from pe_desktop.core.work import checkpoint, task
from pe_desktop.model import runner as module
from pe_desktop.model.runner import Runner


class Gate:
    """A job that waits to be let go, and ends early when called off."""

    def __init__(self, result):
        self.result = result
        self.started, self.open = threading.Event(), threading.Event()
        self.thread = None

    def __call__(self):
        self.thread = threading.current_thread()
        self.started.set()
        while not self.open.wait(0.001):
            checkpoint(0.5)
        return self.result


@pytest.fixture
def runner(qapp):
    runner = Runner()
    runner.seen, runner.errors, runner.busy_said, runner.shares = [], [], [], []
    runner.finished.connect(lambda *args: runner.seen.append(args))
    runner.failed.connect(lambda *args: runner.errors.append(args))
    runner.busy_changed.connect(runner.busy_said.append)
    runner.progress.connect(runner.shares.append)
    yield runner
    runner.close()
    runner.deleteLater()


@pytest.fixture
def idle(runner, qtbot):
    def wait():
        qtbot.waitUntil(lambda: not runner.busy)

    return wait


def test_a_job_runs_off_this_thread(runner, idle):
    gate = Gate("answer")
    gate.open.set()
    runner.submit(1, gate)
    assert runner.busy
    idle()
    assert runner.seen == [(1, "answer")]
    assert runner.busy_said == [True, False]
    assert gate.thread is not threading.main_thread()


def test_latest_wins(runner, idle):
    """One runs, one waits; those between are never run, and what finishes is shown."""
    first, ran = Gate("first"), []
    runner.submit(1, first)
    assert first.started.wait(10)
    for number in range(2, 30):
        runner.submit(number, lambda number=number: ran.append(number) or f"job {number}")
    first.open.set()
    idle()
    assert ran == [29]
    assert runner.seen == [(1, "first"), (29, "job 29")]
    assert runner.busy_said == [True, False]


def test_an_older_number_than_the_one_shown_is_not_shown(runner, idle):
    runner.submit(5, lambda: "new")
    idle()
    runner.submit(3, lambda: "old")
    idle()
    assert runner.seen == [(5, "new")]


def test_cancel(runner, idle):
    first, ran = Gate("first"), []
    runner.submit(1, first)
    assert first.started.wait(10)
    runner.submit(2, lambda: ran.append(2))
    runner.cancel()
    idle()
    assert (runner.seen, runner.errors, ran) == ([], [], [])
    assert runner.busy_said == [True, False]
    runner.submit(3, lambda: "later")
    idle()
    assert runner.seen == [(3, "later")]


def test_a_result_that_comes_though_cancelled_is_not_shown(runner, idle):
    """The job was past its last checkpoint when it was called off."""
    started, go = threading.Event(), threading.Event()

    def job():
        started.set()
        go.wait(10)
        return "too late"

    runner.submit(1, job)
    assert started.wait(10)
    runner.cancel()
    go.set()
    idle()
    assert runner.seen == []


def test_what_breaks_is_told_and_the_next_job_runs(runner, idle):
    def broken():
        raise RuntimeError("made for this test")

    runner.submit(1, broken)
    idle()
    ((number, error),) = runner.errors
    assert (number, type(error), str(error)) == (1, RuntimeError, "made for this test")
    runner.submit(2, lambda: "fine")
    idle()
    assert runner.seen == [(2, "fine")]


def test_each_step_is_told_as_it_ends(runner, idle, qtbot):
    second = Gate("second")
    runner.submit(1, lambda: "first", lambda: None, second)
    qtbot.waitUntil(lambda: bool(runner.seen))
    assert second.started.wait(10)
    assert runner.seen == [(1, "first")]
    assert runner.busy
    second.open.set()
    idle()
    assert runner.seen == [(1, "first"), (1, "second")]
    assert runner.busy_said == [True, False]


def test_a_step_that_breaks_keeps_none_from_being_taken(runner, idle):
    def broken():
        raise RuntimeError("made for this test")

    def other():
        raise RuntimeError("another")

    runner.submit(1, lambda: "first", broken, lambda: "third", broken, other)
    idle()
    assert runner.seen == [(1, "first"), (1, "third")]
    # One cause that breaks several steps is told once.
    assert [str(error) for _, error in runner.errors] == ["made for this test", "another"]


@pytest.mark.parametrize("notices", [True, False])
def test_no_step_is_taken_after_a_cancel(runner, idle, notices):
    """Whether the step that runs comes to a checkpoint or not."""
    started, go, ran = threading.Event(), threading.Event(), []

    def first():
        started.set()
        go.wait(10)
        if notices:
            checkpoint()
        return "first"

    runner.submit(1, first, lambda: ran.append(1))
    assert started.wait(10)
    runner.cancel()
    go.set()
    idle()
    assert (runner.seen, ran) == ([], [])


def named(words, gate, share):
    """A step that names what it does, says how far it is, and waits."""

    def step():
        with task(words):
            if share is not None:
                checkpoint(share)
            gate.started.set()
            while not gate.open.wait(0.001):
                checkpoint()
        return words

    return step


class TestProgress:
    def test_of_a_job_that_takes_long(self, runner, idle, qtbot):
        first, second = Gate(""), Gate("")
        runner.submit(1, named("Counting", first, 0.25), named("Sorting", second, None))
        with qtbot.waitSignal(runner.progress, timeout=10_000):
            assert first.started.wait(10)
        assert runner.shares == [("Counting", 0.25)]
        first.open.set()
        qtbot.waitUntil(lambda: len(runner.shares) > 1, timeout=10_000)
        assert runner.shares[1:] == [("Sorting", None)]
        second.open.set()
        idle()
        assert runner.shares[2:] == [None]

    def test_a_short_job_has_none(self, runner, idle):
        def job():
            for share in (0.0, 0.25, 0.5):
                checkpoint(share)
            return "done"

        runner.submit(1, job)
        idle()
        assert runner.seen == [(1, "done")]
        assert runner.shares == []

    def test_it_does_not_flood_the_loop(self, runner, idle, monkeypatch, qtbot):
        monkeypatch.setattr(module, "SLOW_MS", 1)
        enough = threading.Event()

        def job():
            count = 0
            while not enough.is_set():
                count += 1
                checkpoint(count % 100 / 100)
            return count

        runner.submit(1, job)
        qtbot.waitUntil(lambda: len(runner.shares) > 3, timeout=10_000)
        enough.set()
        idle()
        ((_, checkpoints),) = runner.seen
        assert checkpoints > 100 * len(runner.shares)

    @pytest.mark.parametrize(("share", "told"), [(-1.0, 0.0), (7.0, 1.0)])
    def test_a_share_is_one(self, runner, idle, qtbot, share, told):
        gate = Gate("")
        runner.submit(1, named("Counting", gate, share))
        qtbot.waitUntil(lambda: bool(runner.shares), timeout=10_000)
        assert runner.shares == [("Counting", told)]
        gate.open.set()
        idle()

    def test_none_after_a_cancel(self, runner, idle, qtbot):
        gate = Gate("")
        runner.submit(1, named("Counting", gate, 0.5))
        qtbot.waitUntil(lambda: bool(runner.shares), timeout=10_000)
        runner.cancel()
        assert runner.shares == [("Counting", 0.5), None]
        idle()
        assert runner.shares == [("Counting", 0.5), None]

    def test_nothing_of_the_job_before(self, runner, idle, qtbot):
        first, second = Gate(""), Gate("")
        runner.submit(1, named("Counting", first, 0.5))
        assert first.started.wait(10)
        first.open.set()
        idle()
        runner.submit(2, second)
        qtbot.waitUntil(lambda: bool(runner.shares), timeout=10_000)
        assert runner.shares == [("", 0.5)]  # what its own checkpoint says
        second.open.set()
        idle()


def test_blocking(runner):
    runner.blocking = True
    runner.submit(1, lambda: threading.current_thread())
    assert runner.seen == [(1, threading.main_thread())]
    assert not runner.busy
    assert runner.busy_said == []
    with pytest.raises(RuntimeError, match="now"):
        runner.submit(2, lambda: (_ for _ in ()).throw(RuntimeError("now")))


def test_close_ends_the_thread(runner, qapp):
    gate = Gate("never")
    runner.submit(1, gate)
    assert gate.started.wait(10)
    worker = runner.findChild(QThread)
    assert worker.isRunning()
    runner.close()
    assert worker.isFinished()
    qapp.processEvents()
    assert runner.seen == []
    runner.close()
