"""Play: steps that wait to be shown, hands that go on, and one entry of the undo history."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication

from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.model.player import STEPS, Player
from pe_desktop.model.track import FIELDS, Track, moved, number, track

START = LabState()


@pytest.fixture
def lab(qapp):
    lab = Lab(blocking=True)
    lab.refused = []
    lab.failed.connect(lab.refused.append)
    yield lab
    lab.close()
    lab.deleteLater()


@pytest.fixture
def player(lab):
    player = Player(lab, lab)
    player.heard = []
    player.playing_changed.connect(player.heard.append)
    yield player
    player.stop()


def tick(player, lab, count=1):
    """Let steps happen as the timer would, each shown before the next."""
    seen = []
    for _ in range(count):
        if player.playing:
            player._timer.timeout.emit()
        lab.flush()
        seen.append(number(lab.state, player.field))
    return seen


# -- the way of a number


def test_ends_are_reached_exactly():
    for way in (Track(2, 8192, logarithmic=True, even=True), Track(0, 127), Track(1.1, 1e9, False, True)):
        assert (way.value(0.0), way.value(1.0)) == (way.low, way.high)
        assert (way.share(way.low), way.share(way.high)) == (0.0, 1.0)


def test_a_logarithmic_way_is_halfway_at_the_geometric_mean():
    assert Track(16, 4096, logarithmic=True).value(0.5) == 256
    assert Track(16, 4096, logarithmic=True).share(256) == pytest.approx(0.5)
    assert Track(10.0, 1e9, False, True).value(0.5) == 1e5
    assert Track(0, 99, logarithmic=True).value(0.5) == 9  # counted from 1: sqrt(1 * 100) - 1


def test_whole_stays_whole_and_even_even():
    values = [Track(2, 8192, logarithmic=True, even=True).value(k / 97) for k in range(98)]
    assert all(isinstance(value, int) and value % 2 == 0 for value in values)
    assert values == sorted(values)
    assert Track(0.0, 1.0, False).value(1 / 3) == 0.333


def test_ranges_come_from_the_state_and_the_metadata():
    assert track(START, "dimension") == Track(2, 8192, logarithmic=True, even=True)
    assert track(START, "length") == Track(2, 1 << 20, logarithmic=True)
    assert track(START, "position") == Track(0, 127)
    assert track(START, "params.base") == Track(1.1, 1e9, False, True)
    assert track(START.change({"scheme": "alibi"}), "head") == Track(0, 7)
    rope = START.change({"scheme": "rope"})
    assert track(rope, "params.rotary_dimension") == Track(2, 64, even=True)


def test_given_ends_are_kept_within_the_range():
    assert track(START, "length", 16, 4096) == Track(16, 4096, logarithmic=True)
    assert track(START, "position", 5, 900) == Track(5, 127)
    assert track(START, "position", 50.0, 20.0) == Track(20, 50)


def test_the_number_that_was_moved():
    assert moved(START, START.change({"length": 10})) == "length"  # and the spot, which had to go along
    assert moved(START, START.change({"key_position": 3})) == "key_position"
    assert moved(START, START.change({"params": {"base": 50.0}})) == "params.base"
    assert moved(START, START.change({"causal": True})) == ""
    assert moved(START, START) == ""


# -- steps


def test_up_to_the_end_and_down_again(lab, player):
    lab.request(length=9)
    lab.request(position=4)
    player.play("position")
    seen = tick(player, lab, 2 * STEPS)
    turns = [value for before, value in zip([4, *seen], seen, strict=False) if value != before]
    assert turns == [5, 6, 7, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4][: len(turns)]
    assert len(turns) >= 14


def test_a_way_takes_about_eight_seconds(lab, player):
    lab.request(position=0)
    player.play("position", 0, 100)
    assert tick(player, lab, STEPS)[-1] == 100
    assert 7_000 <= STEPS * player._timer.interval() <= 9_000


@pytest.mark.parametrize("field", [*FIELDS, "params.base", "precision.count"])
def test_every_number_can_move(lab, player, field):
    player.play(field)
    assert player.playing
    before = number(lab.state, field)
    assert tick(player, lab, 60)[-1] != before
    assert not lab.refused


def test_no_step_before_the_last_was_shown(lab, player):
    player.play("position")
    player._timer.timeout.emit()
    shown = lab.state.position
    for _ in range(50):
        player._timer.timeout.emit()
    assert lab.state.position == shown
    lab.flush()
    assert tick(player, lab, 4)[-1] > shown


def test_the_timer_moves_it(qtbot, lab, player):
    player.play("position")
    qtbot.waitUntil(lambda: lab.state.position > 14)


def test_costly_work_waits_for_the_end(slow_lab):
    player = Player(slow_lab, slow_lab)
    slow_lab.flush()
    player.play("position")
    player._timer.timeout.emit()
    assert slow_lab.strokes.moving
    QCoreApplication.sendPostedEvents(slow_lab)
    assert slow_lab.runner.submitted == []
    assert slow_lab._settled.interval() > player._timer.interval()
    player.stop()
    assert slow_lab.runner.submitted  # at once, without waiting for stillness
    slow_lab.runner.finish()
    assert slow_lab.broken == []


# -- hands


def test_other_changes_go_on_beside_it(lab, player):
    player.play("position")
    tick(player, lab, 5)
    lab.request(causal=True)
    lab.begin_drag()
    for key in range(40, 60):
        lab.request(key_position=key)
        tick(player, lab)
    lab.end_drag()
    at = lab.state.position
    assert lab.state.causal
    assert lab.state.key_position == 59
    assert tick(player, lab, 5)[-1] > at > 20


def test_it_waits_while_its_own_number_is_dragged(lab, player):
    player.play("position")
    tick(player, lab, 5)
    lab.begin_drag()
    lab.request(position=90)
    assert set(tick(player, lab, 10)) == {90}
    lab.request(position=60)
    assert set(tick(player, lab, 10)) == {60}
    lab.end_drag()
    seen = tick(player, lab, 10)
    assert seen == sorted(seen)
    assert 60 <= seen[0] <= 62 < seen[-1]


def test_it_goes_on_from_a_typed_number(lab, player):
    player.play("position")
    tick(player, lab, 5)
    lab.request(position=100)
    assert 100 <= tick(player, lab)[-1] <= 101


def test_it_waits_while_it_is_held(lab, player):
    player.play("position")
    player.wait(True)
    assert set(tick(player, lab, 10)) == {12}
    player.wait(False)
    assert tick(player, lab, 4)[-1] > 12


def test_a_shorter_sequence_gives_the_spots_back(lab, player):
    lab.request(length=16, position=12, key_position=15)
    player.play("length", 2, 16)
    spots = []
    for _ in range(2 * STEPS):
        tick(player, lab)
        spots.append((lab.state.length, lab.state.position, lab.state.key_position))
    assert (2, 1, 1) in spots
    assert all(spot[1:] == (min(12, spot[0] - 1), min(15, spot[0] - 1)) for spot in spots)


# -- undo


def test_a_sweep_is_one_entry(lab, player):
    lab.request(dimension=32)
    player.play("position")
    tick(player, lab, 100)
    player.stop()
    assert lab.undo_stack.count() == 2
    assert lab.undo_stack.undoText() == "Inspect spot"
    there = lab.state
    lab.undo()
    assert lab.state == START.change({"dimension": 32})
    lab.redo()
    assert lab.state == there


def test_what_a_person_changes_meanwhile_is_an_entry_of_its_own(lab, player):
    player.play("position")
    tick(player, lab, 10)
    first = lab.state
    lab.request(causal=True)
    lab.request(head=3)
    tick(player, lab, 10)
    player.stop()
    assert lab.undo_stack.count() == 3
    last = lab.state
    lab.undo()
    assert lab.state == first.change({"causal": True})
    lab.undo()
    assert lab.state == first
    lab.undo()
    assert lab.state == START
    for _ in range(3):
        lab.redo()
    assert lab.state == last


def test_a_drag_of_something_else_is_one_entry(lab, player):
    player.play("position")
    tick(player, lab, 3)
    lab.begin_drag()
    for key in range(40, 60):
        lab.request(key_position=key)
        tick(player, lab)
    lab.end_drag()
    tick(player, lab, 3)
    player.stop()
    assert lab.undo_stack.count() == 2
    lab.undo()
    assert lab.state.key_position == 20
    lab.undo()
    assert lab.state == START


def test_a_sweep_that_comes_back_leaves_no_entry(lab, player):
    lab.request(dimension=32)
    lab.request(length=6, position=3)
    player.play("position")
    tick(player, lab)
    while lab.state.position != 5:
        tick(player, lab)
    while lab.state.position != 3:
        tick(player, lab)
    player.stop()
    assert lab.undo_stack.count() == 2


@pytest.mark.parametrize("way", ["undo", "redo", "reset", "replace"])
def test_going_elsewhere_stops_it(lab, player, way):
    lab.request(dimension=32)
    lab.request(dimension=16)
    if way == "redo":
        lab.undo()
        player.play("position")
        lab.redo()
    else:
        player.play("position")
        tick(player, lab, 5)
        {"undo": lab.undo, "reset": lab.reset, "replace": lambda: lab.replace(START.change({"length": 50}))}[way]()
    there = lab.state
    tick(player, lab, 5)
    assert lab.state == there
    assert not player.playing
    assert player.heard == [True, False]
    assert not lab.strokes.moving


def test_play_after_undo_ends_the_redo(lab, player):
    lab.request(dimension=32)
    lab.undo()
    player.play("position")
    tick(player, lab, 5)
    assert player.playing
    assert not lab.undo_stack.canRedo()
    player.stop()
    lab.undo()
    assert lab.state == START


# -- refusals


def test_odd_widths_are_stepped_over(lab, player):
    lab.request(scheme="rope", dimension=8)
    player.play("dimension", 8, 64)
    widths = set(tick(player, lab, 2 * STEPS))
    assert widths == set(range(8, 65, 2))
    assert not lab.refused


def test_only_possible_values_of_a_parameter_are_shown(lab, player):
    lab.request(scheme="mrope", dimension=48)
    player.play("dimension", 32, 96)
    seen = tick(player, lab, STEPS)
    assert len(set(seen)) > 3 or not player.playing
    assert len(lab.refused) <= 1


def test_what_can_be_nothing_else_stops_with_one_message(lab, player, monkeypatch):
    player.play("position")
    monkeypatch.setattr(LabState, "change", _refuse)
    tick(player, lab, 20)
    assert not player.playing
    assert [type(error) for error in lab.refused] == [FieldError]


def _refuse(self, asked):
    raise FieldError("position", "Not today.")


@pytest.mark.parametrize("field", ["params.nothing", "nothing", "params.layout", "sentence", "what.base"])
def test_what_is_no_number_is_refused_in_a_sentence(lab, player, field):
    player.play(field)
    assert not player.playing
    assert len(lab.refused) == 1
    assert field in lab.refused[0].message


def test_a_range_of_one_value_is_refused(lab, player):
    player.play("position", 400, 500)
    assert not player.playing
    assert [error.message for error in lab.refused] == ["Inspect spot cannot move: 127 is all of its range here."]


def test_it_stops_when_its_number_goes(lab, player):
    player.play("params.base")
    tick(player, lab, 5)
    lab.request(scheme="none")
    tick(player, lab, 5)
    assert not player.playing
    assert not lab.refused


def test_it_stops_when_something_breaks(lab, player):
    player.play("position")
    lab.broke.emit(RuntimeError("broken"))
    assert not player.playing


# -- what was moved last


def test_the_number_a_person_moved_last(lab, player):
    assert player.latest == "position"
    lab.request(params={"base": 100.0})
    assert player.latest == "params.base"
    player.play("position")
    tick(player, lab, 5)
    assert player.latest == "params.base"
    lab.request(causal=True)
    assert player.latest == "params.base"
    lab.request(length=64)
    assert player.latest == "length"
    lab.replace(START.change({"dimension": 32}))
    assert player.latest == "length"
