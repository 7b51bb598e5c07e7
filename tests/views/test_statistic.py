"""The button that chooses mean, lowest or highest: there while pixels cover several cells, by mouse and by keyboard."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.theme import LIGHT, THEMES
from pe_desktop.views import MatrixView
from pe_desktop.views.scores import ScoresView
from tests.views.conftest import OFFSCREEN_REMARKS

GRABBING = "This plugin does not support grabbing the keyboard"  # the offscreen platform, of every menu
FIELDS = {"matrix": "statistic", "scores": "score_statistic"}


@pytest.fixture
def give(lab):
    """Hand out the whole snapshot of a state, as the views have announced that they show it."""

    def given(**changes):
        lab.state = LabState().change(changes)
        lab.snapshot = compute(lab.state, lab.viewport, previous=lab.snapshot)
        lab.snapshot_ready.emit(lab.snapshot)
        return lab.snapshot

    return given


@pytest.fixture(params=[MatrixView, ScoresView])
def plane(request, lab, show):
    return show(request.param(lab, LIGHT), 900)


LARGE = {"length": 3000, "dimension": 2000}


def menu_of(plane):
    menu = plane.statistic.choices
    assert [action.text() for action in menu.actions()] == ["Mean", "Lowest", "Highest"]
    return menu


def test_it_is_there_only_while_a_pixel_covers_several_cells(plane, give):
    give()
    assert not plane.statistic.isVisible()
    give(**LARGE)
    assert plane.statistic.isVisible()
    assert plane.statistic.text() == "mean ▾"
    give()
    assert not plane.statistic.isVisible()


@pytest.mark.qt_log_ignore(GRABBING, *OFFSCREEN_REMARKS)
def test_a_click_in_the_menu_asks_for_it_and_the_picture_follows(plane, lab, give):
    before = give(**LARGE).part(plane.part_name)
    menu = menu_of(plane)
    QTest.mouseClick(plane.statistic, Qt.MouseButton.LeftButton)
    assert QApplication.activePopupWidget() is menu
    place = menu.actionGeometry(plane.statistic.action("lowest")).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=place)
    QApplication.processEvents()
    name = FIELDS[plane.part_name]
    assert getattr(lab.viewport, name) == "lowest"
    assert [getattr(lab.viewport, other) for other in FIELDS.values() if other != name] == ["mean"]
    assert plane.statistic.text() == "lowest ▾"
    part = give(**LARGE).part(plane.part_name)
    assert plane.part is part
    assert part.statistic == "lowest"
    assert (part.values <= before.values + 1e-5 * part.scale).all()
    assert plane.header.note.startswith("lowest of")
    assert not np.array_equal(part.values, before.values)


@pytest.mark.qt_log_ignore(GRABBING, *OFFSCREEN_REMARKS)
def test_keys_reach_it(plane, lab, give):
    """Space opens the menu, arrows and Return choose in it."""
    give(**LARGE)
    plane.statistic.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(plane.statistic, Qt.Key.Key_Space)
    menu = menu_of(plane)
    assert QApplication.activePopupWidget() is menu
    assert menu.activeAction() is plane.statistic.action("mean")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(menu, key)
    assert QApplication.activePopupWidget() is None
    assert getattr(lab.viewport, FIELDS[plane.part_name]) == "highest"


def test_it_says_what_is_in_force(plane, lab, give):
    give(**LARGE)
    button = plane.statistic
    for name in ("highest", "lowest", "mean"):
        lab.set_viewport(**{FIELDS[plane.part_name]: name})
        assert button.text() == f"{name} ▾"
        assert button.action(name).isChecked()
        assert button.accessibleName() == f"Each pixel shows the {name}"
        assert name in button.toolTip()


def test_it_stays_while_nothing_but_a_message_is_shown_of_means(plane, lab, give):
    """Else there would be no way back."""
    compared = {**LARGE, "compare": "sinusoidal"}
    give(**compared)
    lab.set_viewport(**{FIELDS[plane.part_name]: "lowest"})
    give(**compared)
    QTest.mouseClick(plane.buttons["difference"], Qt.MouseButton.LeftButton)
    assert plane.message.isVisible()
    assert "choose Mean" in plane.message.text
    assert plane.statistic.isVisible()
    lab.set_viewport(**{FIELDS[plane.part_name]: "mean"})
    give(**compared)
    assert not plane.message.isVisible()


def test_it_stays_while_a_picture_is_announced(plane, lab, give, make):
    part = give(**LARGE).part(plane.part_name)
    empty = np.zeros((0, 0), dtype=np.float32)
    single = dataclasses.replace(part.rows, cells=1, per=1)
    waiting = dataclasses.replace(part, values=empty, rows=single, columns=single, exact=False)
    lab.show(**{plane.part_name: waiting})
    assert plane.part is waiting
    assert plane.statistic.isVisible()


@pytest.mark.parametrize("name", sorted(THEMES))
def test_it_takes_the_type_of_the_theme(lab, show, give, name):
    plane = show(MatrixView(lab, THEMES[name]))
    give(**LARGE)
    assert plane.statistic.font().pixelSize() == plane.buttons["a"].font().pixelSize()
    assert plane.statistic.geometry().right() <= plane.width()
    assert plane.header.geometry().right() < plane.statistic.geometry().left()


def test_a_difference_is_always_of_means(qtbot):
    """Neither lowest nor highest can be chosen there, so that nothing but a sentence would be left."""
    state = LabState().change({"scheme": "rope", "length": 5000, "dimension": 512, "compare": "rope"})
    lab = Lab(state, blocking=True)
    view = MatrixView(lab, LIGHT)
    qtbot.addWidget(view)
    view.resize(560, 400)
    with qtbot.waitExposed(view):
        view.show()
    lab.flush()
    view.statistic.action("highest").trigger()
    lab.flush()
    assert lab.viewport.statistic == "highest"
    qtbot.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    lab.flush()
    assert lab.viewport.statistic == "mean"
    assert not view.statistic.isEnabled()
    assert view.part.values.size
    qtbot.mouseClick(view.buttons["a"], Qt.MouseButton.LeftButton)
    assert view.statistic.isEnabled()
    lab.close()


def test_its_name_stays_at_any_width(plane, lab, give):
    """A shorter note beside the title no longer says it."""
    lab.set_viewport(**{FIELDS[plane.part_name]: "highest"})
    give(**LARGE)
    for width in range(900, 200, -50):
        plane.resize(width, 400)
        QApplication.processEvents()
        assert plane.statistic.text() == "highest ▾"
        assert plane.statistic.width() >= plane.statistic.sizeHint().width()
