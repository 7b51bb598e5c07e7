"""Undo, redo, and drags that are one entry."""

from __future__ import annotations

import gc

import pytest

from pe_desktop.core.state import LabState
from pe_desktop.model.lab import UNDO_LIMIT, Lab
from pe_desktop.model.undo import describe

START = LabState()


@pytest.fixture
def lab(qapp):
    lab = Lab(blocking=True)
    yield lab
    lab.close()
    lab.deleteLater()


def drag(lab, name, values):
    lab.begin_drag()
    for value in values:
        lab.request(**{name: value})
    lab.end_drag()


def test_there_and_back(lab):
    lab.request(dimension=32)
    lab.request(scheme="rope", params={"base": 5e5})
    changed = lab.state
    lab.undo()
    assert (lab.state.scheme, lab.state.dimension) == ("sinusoidal", 32)
    lab.undo()
    assert lab.state == START
    lab.undo()  # nothing more to take back
    assert lab.state == START
    lab.redo()
    lab.redo()
    assert lab.state == changed
    assert lab.state.built.base == 5e5


def test_undo_is_said_like_any_change(lab):
    lab.request(dimension=32)
    said = []
    lab.state_changed.connect(lambda old, new: said.append((old.dimension, new.dimension)))
    lab.undo()
    lab.redo()
    assert said == [(32, 64), (64, 32)]


def test_undo_brings_back_what_moved_by_itself(lab):
    lab.request(position=100)
    lab.request(length=50)
    assert lab.state.position == 49
    lab.undo()
    assert lab.state.position == 100


def test_a_drag_is_one_entry(lab):
    drag(lab, "position", range(13, 60))
    assert lab.undo_stack.count() == 1
    assert lab.undo_stack.undoText() == "Inspect spot"
    lab.undo()
    assert lab.state.position == 12
    lab.redo()
    assert lab.state.position == 59


def test_each_drag_is_its_own(lab):
    drag(lab, "position", [20, 30])
    drag(lab, "position", [40, 50])
    lab.request(position=60)
    lab.request(position=61)
    assert lab.undo_stack.count() == 4
    found = []
    while lab.undo_stack.canUndo():
        lab.undo()
        found.append(lab.state.position)
    assert found == [60, 50, 30, 12]


def test_a_drag_that_returns_leaves_nothing(lab):
    drag(lab, "position", [20, 30, 12])
    assert lab.state == START
    assert lab.undo_stack.count() == 0
    assert not lab.undo_stack.canUndo()
    lab.request(dimension=32)
    lab.undo()
    assert lab.state == START


def test_a_drag_that_returns_leaves_what_was_before(lab):
    lab.request(dimension=32)
    drag(lab, "position", [20, 12])
    assert lab.undo_stack.count() == 1
    lab.undo()
    assert lab.state == START


def test_a_refusal_in_a_drag_is_no_break(lab):
    drag(lab, "position", [20, 900, 30])
    assert (lab.undo_stack.count(), lab.state.position) == (1, 30)


def test_reset_can_be_taken_back(lab):
    lab.request(scheme="alibi", params={"heads": 12})
    lab.request(sentence="something else")
    changed = lab.state
    lab.reset()
    assert lab.state == START
    lab.undo()
    assert lab.state == changed
    lab.redo()
    assert lab.state == START
    count = lab.undo_stack.count()
    lab.reset()
    assert lab.undo_stack.count() == count


def test_an_opened_session_is_one_entry(lab):
    session = START.change({"scheme": "rope", "dimension": 128, "length": 4000})
    lab.replace(session)
    assert lab.state == session
    lab.replace(session)
    assert lab.undo_stack.count() == 1
    lab.undo()
    assert lab.state == START


def test_a_change_after_undo_ends_the_redo(lab):
    lab.request(dimension=32)
    lab.undo()
    lab.request(dimension=16)
    assert not lab.undo_stack.canRedo()
    lab.undo()
    assert lab.state == START


def test_the_oldest_entries_are_dropped(lab):
    for position in range(13, 13 + UNDO_LIMIT + 10):
        lab.request(position=position % 100)
    assert lab.undo_stack.count() == UNDO_LIMIT


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"dimension": 32}, "Model dimension"),
        ({"swap": True}, "Swap two words"),
        ({"params": {"base": 5}}, "Base"),
        ({"scheme": "rope", "params": {"base": 5}}, "Scheme"),
        ({"length": 10}, "Sequence length, Inspect spot…"),
        ({"length": 15}, "Sequence length, Key position"),
        ({"compare": "rope"}, "Compare with"),
        ({"compare": "rope", "compare_params": {"base": 5}}, "Compare with"),
    ],
)
def test_what_the_menu_says(changes, text):
    assert describe(START, START.change(changes)) == text


def test_what_the_menu_says_of_the_second_scheme(lab):
    lab.request(compare="rope")
    lab.request(compare_params={"base": 5.0})
    assert lab.undo_stack.undoText() == "B: Base (rope theta)"
    lab.undo()
    assert lab.state.built_b.base == 10_000.0
    lab.undo()
    assert lab.state == START
    lab.redo()
    lab.redo()
    assert lab.state.built_b.base == 5.0


def test_a_long_drag_keeps_no_state_on_its_way(lab):
    """Only where it began and where it is: what lies between goes, however long the drag."""
    lab.request(position=1)

    def states():
        gc.collect()
        return sum(isinstance(thing, LabState) for thing in gc.get_objects())

    lab.begin_drag()
    lab.request(position=2)
    before = states()
    for step in range(200):
        lab.request(position=3 + step % 100)
    assert states() <= before + 1
    lab.end_drag()
    assert lab.undo_stack.count() == 2
    lab.undo()
    assert lab.state.position == 1
