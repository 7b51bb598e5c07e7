"""Comparing in the window: the switch in the toolbar, sessions, undo."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QToolBar

from pe_desktop.core.state import LabState, from_json
from pe_desktop.theme import THEMES


def switch(person):
    return person.window.findChild(QAction, "action_compare")


def click(person):
    bar = person.window.findChild(QToolBar, "actions_bar")
    QTest.mouseClick(bar.widgetForAction(switch(person)), Qt.MouseButton.LeftButton)
    person.settle()


def key(person, which):
    QTest.keyClick(person.window, which, Qt.KeyboardModifier.ControlModifier)
    person.settle()


def verdict(person):
    return person.find(QLabel, "compare_verdict").text()


def test_the_switch_starts_with_the_scheme_itself(person):
    person.choose("scheme", "RoPE")
    assert not switch(person).isChecked()
    click(person)
    assert person.lab.state.compare == "rope"
    assert switch(person).isChecked()
    assert verdict(person) == "The same scheme with the same parameters."
    person.type("param_base", "500000")
    assert verdict(person).startswith("Different from position 1 on")
    click(person)
    assert person.lab.state.compare == ""
    assert not switch(person).isChecked()


def test_the_switch_brings_back_the_last_b(person):
    person.lab.request(compare="alibi")
    person.lab.request(compare_params={"heads": 3})
    key(person, Qt.Key.Key_B)
    assert person.lab.state.compare == ""
    key(person, Qt.Key.Key_B)
    assert person.lab.state.built_b.heads == 3


def test_the_switch_follows_the_state(person):
    person.lab.request(compare="rope")
    assert switch(person).isChecked()
    key(person, Qt.Key.Key_Z)
    assert person.lab.state == LabState()
    assert not switch(person).isChecked()
    key(person, Qt.Key.Key_Y)
    assert switch(person).isChecked()
    key(person, Qt.Key.Key_R)
    assert not switch(person).isChecked()


def test_a_switch_that_is_refused_stays_off(person):
    person.lab.request(compare="rope")
    person.lab.request(compare="")
    person.type("dimension", "65")
    click(person)
    assert person.lab.state.compare == ""
    assert not switch(person).isChecked()


def test_a_session_keeps_the_comparison(person, tmp_path, monkeypatch):
    person.lab.request(compare="rope", compare_params={"base": 500.0})
    person.settle()
    saved = person.lab.state
    target = tmp_path / "both.pelab"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    key(person, Qt.Key.Key_S)
    assert from_json(json.loads(target.read_text(encoding="utf-8"))) == saved
    key(person, Qt.Key.Key_R)
    person.window.files.open(str(target))
    person.settle()
    assert person.lab.state == saved
    assert switch(person).isChecked()
    assert person.window.panels["similarity"].legend.texts == ("A: Sinusoidal", "B: RoPE")


def test_a_long_comparison_is_announced_and_then_told(person):
    person.lab.request(scheme="rope", length=400_000, compare="rope")
    person.lab.request(compare_params={"base": 500.0})
    person.qtbot.waitUntil(lambda: person.lab.snapshot.state is person.lab.state)
    assert person.lab.snapshot.compare.exact is False
    assert verdict(person) == "Comparing A with B…"
    person.settle()
    assert person.lab.snapshot.compare.exact
    assert "of 400,000 positions looked at" in verdict(person)


def test_the_formula_is_that_of_the_picture(person):
    person.lab.request(compare="sinusoidal", compare_params={"base": 500.0})
    person.settle()
    view = person.window.panels["matrix"]
    QTest.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    plot = view.plot
    QTest.mouseMove(plot.viewport(), plot.area.center().toPoint())
    cursor, state = person.lab.cursor, person.lab.state
    value = (
        state.built.encode([cursor.position])[0, cursor.column]
        - state.built_b.encode([cursor.position])[0, cursor.column]
    )
    assert person.lab.formula.startswith(f"A − B at position {cursor.position}, dimension {cursor.column}: ")
    assert person.lab.formula.endswith(f"= {value:.4f}".replace("-", "−"))


def test_the_icon_is_drawn_in_every_theme(person):
    seen = set()
    for theme in THEMES.values():
        person.window.set_theme(theme)
        image = switch(person).icon().pixmap(20, 20).toImage()
        inked = [(x, y) for x in range(20) for y in range(20) if image.pixelColor(x, y).alpha() > 200]
        assert 20 < len(inked) < 200
        seen.add(image.pixelColor(*inked[0]).name())
    assert len(seen) == len(THEMES)
