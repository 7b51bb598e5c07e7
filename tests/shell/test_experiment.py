"""Experiments in a whole window: dock, menu, view and formula strip together."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from pe_desktop.core.experiment import every_experiment
from pe_desktop.core.state import LabState
from pe_desktop.shell.settings import Settings
from tests.shell.conftest import Person


def unfold(person):
    header = person.find(QAbstractButton, "experiment_params_header")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(8, header.height() // 2))


def test_choosing_in_the_dock_brings_the_view_to_the_front(person):
    assert person.window.centre.front[0] == "rotation"
    unfold(person)
    person.choose("experiment", "Norms")
    view = person.window.panels["experiment"]
    assert person.window.centre.front[0] == "experiment"
    assert view.header.title == "Norms"
    assert person.sentence("experiment") == view.part.sentence
    person.lab.undo_stack.undo()
    person.settle()
    assert view.header.title != "Norms"


def test_hovering_tells_the_number_under_the_mouse(person):
    unfold(person)
    person.choose("experiment", "Norms")
    person.choose("experiment", "Shuffle")
    view = person.window.panels["experiment"]
    place = view.plates[0].mark_of(1, 1).center().toPoint()
    QTest.mouseMove(view.plot.viewport(), place)
    value = float(view.part.plates[0].values[1, 1])
    told = person.window.centre.strip.text
    assert told.startswith("Before: query “dog”, key “dog”: ")
    assert float(told.rpartition(" ")[2]) == pytest.approx(value, rel=1e-3)
    QTest.mouseMove(view.plot.viewport(), view.plates[0].mark_of(2, 1).center().toPoint())
    assert "query “bit”, key “dog”" in person.window.centre.strip.text


def test_other_changes_leave_the_view_where_it_is(person):
    person.lab.request(experiment="counter")
    person.lab.request(scheme="rope")
    person.settle()
    assert person.window.centre.front[0] == "rotation"


@pytest.mark.parametrize(
    "changes",
    [
        {"dimension": 2, "length": 2, "sentence": "Hello", "position": 0, "key_position": 1},
        {"dimension": 512, "sentence": " ".join(["the dog bites a man"] * 12), "length": 1 << 20},
        {"scheme": "alibi", "sentence": ""},
    ],
)
def test_every_experiment_is_shown_whatever_the_state(person, changes):
    person.window.centre.show_experiment()
    view = person.window.panels["experiment"]
    person.lab.request(**changes)
    for kind in every_experiment():
        person.lab.request(experiment=kind.id)
        person.settle()
        assert view.part.exact
        assert view.header.title == kind.title
        assert (view.message if view.message.isVisible() else view.sentence).text == view.part.sentence
        assert view.grab().width() == view.width()


def test_a_window_of_another_experiment_starts_with_it_in_front(qtbot, tmp_path):
    person = Person(qtbot, Path(tmp_path) / "s.ini", LabState().change({"experiment": "turn"}))
    assert person.window.centre.front[0] == "experiment"
    person.close()


def test_the_front_of_last_time_gives_way_to_the_experiment_asked_for(tmp_path, person, another_window):
    settings = Settings(Path(tmp_path) / "other.ini")
    settings.front = ("spectrum", "attention")
    person.lab.request(experiment="turn")
    window = another_window(person.lab, settings)
    window.restore()
    assert window.centre.front[0] == "experiment"
