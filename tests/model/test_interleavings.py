"""Whatever a person and the worker do in whatever order: the last word is the full snapshot of the state."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtWidgets import QApplication

from pe_desktop.core.parts import Cursor
from pe_desktop.core.snapshot import compute, is_complete
from pe_desktop.core.state import LabState
from pe_desktop.model import lab as lab_module
from pe_desktop.model.lab import Lab
from tests.model.conftest import FakeRunner
from tests.slow_parts import SlowParts, announcements, unlike

CHANGES = st.sampled_from(
    [
        {"position": 3},
        {"position": 9},
        {"length": 20},
        {"length": 40, "position": 2},
        {"scheme": "rope"},
        {"scheme": "alibi", "head": 1},
        {"scheme": "none"},
        {"sentence": "a b"},
        {"swap": True},
        {"compare": "rope"},
        {"compare": ""},
        {"length": 1},  # refused
    ]
)
WINDOWS = st.sampled_from(
    [{"rows": (2, 9)}, {"rows": None}, {"columns": (0, 4)}, {"shown": frozenset({"scores"})}, {"shown": frozenset()}]
)


class Interleaving(RuleBasedStateMachine):
    """A lab on a fake runner, in a core where nothing fits a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = pytest.MonkeyPatch()
        self.slow = SlowParts(self.patches)
        self.patches.setattr(lab_module, "Runner", FakeRunner)
        for name in ("SETTLE_MS", "PAUSE_MS"):  # time passes by a rule
            self.patches.setattr(lab_module, name, 1 << 30)
        self.lab = Lab(LabState().change({"length": 16, "dimension": 8, "position": 1, "key_position": 2}))
        self.runner = self.lab._runner
        self.broken: list[Exception] = []
        self.generations: list[int] = []
        self.lab.broke.connect(self.broken.append)
        self.lab.snapshot_ready.connect(self.on_snapshot)

    def on_snapshot(self, snapshot):
        self.generations.append(snapshot.generation)

    @initialize()
    def begin(self):
        self.lab.set_viewport(matrix=(9, 8), curve=10, scores=(6, 5))

    @rule(changes=CHANGES)
    def request(self, changes):
        self.lab.request(**changes)

    @rule(window=WINDOWS)
    def look(self, window):
        self.lab.set_viewport(**window)

    @rule(row=st.integers(0, 3))
    def hover(self, row):
        jobs, number = len(self.runner.submitted), self.runner.number
        self.lab.set_cursor(Cursor(view="matrix", position=row, column=1))
        assert (len(self.runner.submitted), self.runner.number) == (jobs, number)

    @rule()
    def undo(self):
        self.lab.undo()

    @rule()
    def begin_drag(self):
        self.lab.begin_drag()

    @rule()
    def end_drag(self):
        self.lab.end_drag()

    @rule()
    def turn(self):
        QApplication.processEvents()

    @precondition(lambda self: self.lab._settled.isActive())
    @rule()
    def time_passes(self):
        self.lab._settled.timeout.emit()

    @precondition(lambda self: self.runner.busy)
    @rule()
    def take_a_step(self):
        self.runner.take()

    @rule()
    def finish(self):
        self.runner.finish()

    @rule()
    def stop(self):
        self.lab.stop()

    @rule()
    def resume(self):
        self.lab.resume()

    @rule()
    def flush(self):
        self.lab.flush()

    @invariant()
    def never_an_older_picture(self):
        assert self.generations == sorted(self.generations)
        assert self.broken == []

    @invariant()
    def what_is_shown_is_of_the_state_or_about_to_be(self):
        shown = self.lab.snapshot
        if shown is not None and not self.lab._asked:
            assert shown.state == self.lab.state

    @invariant()
    def an_incomplete_picture_is_worked_on_or_says_that_it_is_not(self):
        shown = self.lab.snapshot
        if shown is not None and not self.lab._asked and not is_complete(shown):
            assert self.lab.stopped != (self.lab._settled.isActive() or self.runner.number is not None or self.waits)

    @invariant()
    def the_words_are_true(self):
        shown = self.lab.snapshot
        if shown is not None and not self.lab._asked:
            assert announcements(shown) <= {"not computed" if self.lab.stopped else "computing…"}

    @property
    def waits(self):
        """Whether a job waits for one that was called off."""
        return self.runner._waiting is not None

    def teardown(self):
        QApplication.processEvents()
        self.lab.end_drag()
        self.lab.resume()
        self.runner.finish()
        QApplication.processEvents()
        shown = self.lab.snapshot
        busy, stopped = self.lab.busy, self.lab.stopped
        wanted = compute(self.lab.state, self.lab.viewport)
        self.lab.close()
        self.lab.deleteLater()
        self.patches.undo()
        assert (busy, stopped) == (False, False)
        assert is_complete(shown)
        assert (shown.state, unlike(shown, wanted)) == (self.lab.state, set())


@pytest.mark.usefixtures("qapp")
class TestInterleaving(Interleaving.TestCase):
    settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
