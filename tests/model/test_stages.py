"""When the lab hands work to its worker, what it shows of it, and what becomes of it when a person calls it off."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.called_off import NOT_COMPUTED
from pe_desktop.core.parts import Cursor
from pe_desktop.core.snapshot import compute, is_complete
from pe_desktop.model import lab as lab_module
from tests.slow_parts import announcements, unlike

NEVER = 1_000_000


@pytest.fixture
def lab(slow_lab):
    return slow_lab


@pytest.fixture
def turn():
    """One turn of the event loop, in which the lab computes what fits a frame."""
    return QApplication.processEvents


@pytest.fixture
def at_work(lab, turn):
    """The lab with a job running that has done nothing yet."""
    lab.begin_drag()
    lab.request(position=30)
    turn()
    lab.end_drag()
    assert lab.runner.number == lab.snapshot.generation
    return lab


def texts(lab):
    return [readout.text for readout in lab.snapshot.readouts.readouts]


class TestWhen:
    def test_the_end_of_a_drag_does_not_wait(self, lab, turn):
        lab.begin_drag()
        lab.request(position=30)
        turn()
        assert lab.runner.submitted == []
        lab.end_drag()
        assert lab.runner.submitted == [lab.snapshot.generation]

    def test_nor_where_the_last_step_is_still_to_be_drawn(self, lab, turn, monkeypatch):
        for name in ("SETTLE_MS", "PAUSE_MS"):
            monkeypatch.setattr(lab_module, name, NEVER)
        lab.begin_drag()
        lab.request(position=30)
        lab.end_drag()
        assert lab.runner.submitted == []
        turn()
        assert lab.snapshot.state.position == 30
        assert lab.runner.submitted == [lab.snapshot.generation]

    def test_nor_the_end_of_a_pan(self, lab, turn, monkeypatch):
        monkeypatch.setattr(lab_module, "PAUSE_MS", NEVER)
        lab.set_viewport(rows=(3, 90))
        turn()
        assert lab.runner.submitted == []
        lab.end_drag()
        assert lab.runner.submitted == [lab.snapshot.generation]

    def test_a_person_who_holds_still_in_a_drag_sees_it_all(self, lab, turn, qtbot, monkeypatch):
        monkeypatch.setattr(lab_module, "PAUSE_MS", NEVER)
        lab.begin_drag()
        lab.request(position=30)
        qtbot.waitUntil(lambda: bool(lab.runner.submitted), timeout=10_000)
        lab.runner.finish()
        assert is_complete(lab.snapshot)
        lab.end_drag()
        assert len(lab.runner.submitted) == 1
        assert not lab.busy

    @pytest.mark.parametrize("act", ["wheel", "number"])
    def test_any_other_change_waits_for_no_drag(self, lab, qtbot, monkeypatch, act):
        monkeypatch.setattr(lab_module, "SETTLE_MS", NEVER)
        if act == "wheel":
            lab.set_viewport(rows=(3, 90))
        else:
            lab.request(position=30)
        qtbot.waitUntil(lambda: bool(lab.runner.submitted), timeout=10_000)
        assert lab.runner.submitted == [lab.snapshot.generation]

    def test_a_drag_that_changes_nothing_asks_for_nothing(self, lab, turn):
        lab.begin_drag()
        turn()
        lab.end_drag()
        turn()
        assert (lab.runner.submitted, lab.busy) == ([], False)

    def test_what_is_complete_asks_for_nothing(self, lab, turn, at_work):
        lab.runner.finish()
        submitted = len(lab.runner.submitted)
        lab.set_cursor(Cursor(view="matrix", position=3, column=1))
        lab.begin_drag()
        lab.end_drag()
        turn()
        assert len(lab.runner.submitted) == submitted


class TestOutdated:
    def test_another_state_calls_it_off(self, at_work, turn):
        at_work.request(position=31)
        turn()
        assert at_work.runner.number is None

    def test_another_window_calls_it_off(self, at_work, turn):
        at_work.set_viewport(rows=(3, 90))
        turn()
        assert at_work.runner.number is None

    def test_a_cursor_does_not(self, at_work, turn):
        number = at_work.runner.number
        for column in range(5):
            at_work.set_cursor(Cursor(view="matrix", position=3, column=column))
            turn()
        at_work.end_drag()
        assert at_work.runner.number == number
        assert len(at_work.runner.submitted) == 1

    def test_its_answer_is_dropped(self, at_work, turn):
        old = compute(at_work.state, at_work.viewport, generation=at_work.runner.number)
        at_work.request(position=31)
        seen = []
        at_work.snapshot_ready.connect(seen.append)
        at_work.runner.take()  # between the request and the frame
        turn()
        at_work.runner.finished.emit(old.generation, old)
        assert [snapshot.state.position for snapshot in seen] == [31]
        assert at_work.snapshot.state.position == 31


def test_the_stages_reach_the_screen(at_work, qtbot):
    seen = []
    at_work.snapshot_ready.connect(seen.append)
    at_work.runner.finish()
    assert len(seen) > 3
    assert seen[0].matrix.exact
    assert not seen[0].similarity.exact
    assert texts(at_work) != ["computing…"] * len(texts(at_work))
    assert is_complete(at_work.snapshot)
    assert unlike(at_work.snapshot, compute(at_work.state, at_work.viewport)) == set()


class TestStop:
    @pytest.fixture
    def stopped(self, at_work, slow):
        """A lab whose work was called off after the pictures and the curve."""
        at_work.said = []
        at_work.stopped_changed.connect(at_work.said.append)
        for _ in range(2):
            at_work.runner.take()
        assert at_work.snapshot.similarity.exact
        at_work.stop()
        return at_work

    def test_what_is_on_screen_stays_and_says_so(self, stopped):
        shown = stopped.snapshot
        assert stopped.stopped
        assert stopped.said == [True]
        assert shown.state == stopped.state
        assert (shown.matrix.exact, shown.similarity.exact) == (True, True)
        assert (shown.attention.exact, shown.readouts.exact) == (False, False)
        assert not [text for text in texts(stopped) if "computing" in text]

    def test_it_is_at_rest_when_the_job_has_ended(self, stopped):
        stopped.runner.finish()
        assert not stopped.busy
        assert stopped.stopped
        assert stopped.said == [True]
        assert not stopped.snapshot.readouts.exact

    def test_a_result_that_comes_all_the_same_is_dropped(self, stopped, slow):
        made = len(slow.made)
        stopped.runner.finish()
        assert len(slow.made) == made
        assert stopped.stopped

    @pytest.mark.parametrize("ended", [True, False])
    def test_resume(self, stopped, slow, ended):
        if ended:
            stopped.runner.finish()
        made = len(slow.made)
        assert announcements(stopped.snapshot) == {NOT_COMPUTED}
        stopped.resume()
        assert announcements(stopped.snapshot) == {"computing…"}
        assert stopped.said == [True, False]
        assert not stopped.stopped
        stopped.runner.finish()
        assert is_complete(stopped.snapshot)
        # What was there when it was called off is not made again.
        assert {"matrix", "similarity"}.isdisjoint(name for name, _ in slow.made[made:])
        assert unlike(stopped.snapshot, compute(stopped.state, stopped.viewport)) == set()

    def test_asking_for_the_same_state_resumes(self, stopped):
        assert stopped.request(position=30)
        assert not stopped.stopped
        stopped.runner.finish()
        assert is_complete(stopped.snapshot)

    def test_any_change_works(self, stopped, turn):
        stopped.request(position=40)
        turn()
        stopped.end_drag()
        assert not stopped.stopped
        assert announcements(stopped.snapshot) == {"computing…"}
        stopped.runner.finish()
        assert is_complete(stopped.snapshot)
        assert stopped.said == [True, False]

    def test_a_cursor_changes_nothing(self, stopped, turn):
        shown = stopped.snapshot
        stopped.set_cursor(Cursor(view="matrix", position=3, column=1))
        turn()
        assert stopped.snapshot is shown
        assert stopped.formula.startswith("PE(3, 1)")

    def test_flush_does_it_all(self, stopped):
        stopped.flush()
        assert not stopped.stopped
        assert is_complete(stopped.snapshot)

    def test_before_the_worker_has_begun(self, lab, turn):
        lab.begin_drag()
        lab.request(position=30)
        turn()
        lab.stop()
        assert lab.stopped
        assert not lab.busy
        lab.end_drag()
        assert lab.runner.submitted == []
        lab.resume()
        lab.runner.finish()
        assert is_complete(lab.snapshot)

    def test_nothing_to_stop(self, lab, at_work):
        at_work.runner.finish()
        shown = at_work.snapshot
        at_work.stop()
        at_work.resume()
        assert not at_work.stopped
        assert at_work.snapshot is shown
        assert not at_work.busy

    def test_before_the_first_snapshot(self, lab):
        lab.stop()
        lab.resume()
        assert not lab.stopped
        assert lab.snapshot is None

    def test_a_change_that_is_still_to_be_drawn_is_not_lost(self, at_work, turn):
        seen = []
        at_work.request(position=31)
        at_work.snapshot_ready.connect(seen.append)
        at_work.stop()
        turn()
        assert [snapshot.state.position for snapshot in seen] == [31]
        assert not at_work.stopped
        assert at_work.busy

    def test_undo_after_it(self, stopped, turn):
        stopped.undo()
        turn()
        stopped.end_drag()
        stopped.runner.finish()
        assert stopped.state.position == 12
        assert is_complete(stopped.snapshot)


class TestBroken:
    def test_later_stages_come_and_the_rest_says_that_it_is_not_there(self, at_work, slow):
        slow.broken.add("similarity")
        at_work.runner.finish()
        assert [type(error) for error in at_work.broken] == [ZeroDivisionError]
        assert at_work.snapshot.readouts.exact
        assert not at_work.snapshot.similarity.exact
        assert at_work.stopped
        assert not at_work.busy
        slow.broken.clear()
        at_work.resume()
        at_work.runner.finish()
        assert is_complete(at_work.snapshot)

    def test_progress_is_handed_on(self, at_work):
        seen = []
        at_work.progress_changed.connect(seen.append)
        at_work.runner.progress.emit(("Counting", 0.5))
        assert seen == [("Counting", 0.5)]
