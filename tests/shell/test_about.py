"""The window that tells of the program, and the toolbar it is opened from."""

from __future__ import annotations

import platform

import numpy as np
import pytest
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAction, QGuiApplication, QPalette, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QTextBrowser, QToolButton

from pe_desktop import __version__, golden
from pe_desktop.shell.about import about_html, difference
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES

FOUND = golden.Finding("Angles", ("a<b 1",), 3.8e-7, True, 0.76, 12345)


def box(person) -> QDialog | None:
    return person.window.findChild(QDialog, "about_box")


def text_of(person) -> QTextBrowser:
    return person.window.findChild(QTextBrowser, "about_text")


def open_about(person) -> None:
    QTest.keyClick(person.window, Qt.Key.Key_F1)
    QApplication.processEvents()


def test_f1_opens_it_beside_the_window_and_esc_closes_it(person):
    assert box(person) is None
    open_about(person)
    first = box(person)
    assert first.isVisible()
    assert not first.isModal()
    QTest.keyClick(text_of(person), Qt.Key.Key_Escape)
    assert not first.isVisible()
    open_about(person)
    assert box(person) is first
    assert len(person.window.findChildren(QDialog, "about_box")) == 1


def test_it_names_every_version_and_what_the_numbers_were_compared_with(person):
    open_about(person)
    words = " ".join(text_of(person).toPlainText().split())
    for expected in (
        f"PE Desktop {__version__}",
        f"Python {platform.python_version()}",
        f"numpy {np.__version__}",
        f"Qt {qVersion()}",
        "pyqtgraph 0.14",
        "MIT licence",
        "LGPL 3",
    ):
        assert expected in words
    found = golden.findings()
    assert len(found) >= 10
    assert f"{sum(each.numbers for each in found):,} numbers of {len(found)} quantities" in words
    assert all(each.quantity in words for each in found)
    assert all(library in words for each in found for library in each.libraries)


def test_what_a_difference_reads():
    assert difference(FOUND) == "3.8·10⁻⁷ of the value (76%)"
    assert difference(golden.Finding("x", (), 0.0, False, 0.0, 1)) == "none"
    assert difference(golden.Finding("x", (), 7e-15, False, 0.007, 1)) == "7.0·10⁻¹⁵ (under 1%)"
    assert difference(golden.Finding("x", (), 6.4e-6, False, 0.3, 1)) == "6.4·10⁻⁶ (30%)"


def test_names_are_no_markup(monkeypatch):
    monkeypatch.setattr(golden, "findings", lambda: (FOUND,))
    html = about_html(LIGHT)
    assert "a&lt;b 1" in html
    assert "12,345 numbers of 1 quantities with <nobr>a&lt;b 1</nobr>" in html
    monkeypatch.setattr(golden, "findings", tuple)
    assert "cannot be read" in about_html(LIGHT)


def test_its_text_can_be_selected_and_copied(person):
    open_about(person)
    text = text_of(person)
    text.moveCursor(QTextCursor.MoveOperation.Start)
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().startswith(f"PE Desktop {__version__}")


def test_it_fits_a_small_projector_and_scrolls(person):
    person.window.set_theme(PROJECTOR)
    person.window.resize(1024, 768)
    person.settle()
    open_about(person)
    about, text = box(person), text_of(person)
    assert about.height() <= 768
    assert about.width() <= 1024
    assert text.horizontalScrollBar().maximum() == 0
    bar = text.verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == 0
    QTest.keyClick(text, Qt.Key.Key_PageDown)
    assert bar.value() > 0


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_it_follows_the_theme(person, theme):
    open_about(person)
    person.window.set_theme(theme)
    QApplication.processEvents()
    text = text_of(person)
    assert text.font().pointSizeF() == theme.body
    assert text.palette().color(QPalette.ColorRole.Base).name().upper() == theme.panel.upper()
    assert theme.muted in text.toHtml().upper()


def words_of(person) -> dict[str, bool]:
    """The actions that can be seen on the toolbar, and whether their words are."""
    buttons = [button for button in person.window.actions_by_name.bar.findChildren(QToolButton) if button.isVisible()]
    found = {}
    for button in buttons:
        action = button.defaultAction()
        if action is not None:
            found[action.text()] = action.priority() is not QAction.Priority.LowPriority
            assert person.window.actions_by_name.bar.rect().contains(button.geometry())
    return found


def test_every_action_can_be_seen_at_any_width_and_words_go_first(person):
    wide = words_of(person)
    assert not wide.pop("About")
    assert all(wide.values())
    person.window.set_theme(PROJECTOR)
    person.window.resize(1024, 768)
    person.settle()
    narrow = words_of(person)
    assert list(narrow) == [*wide, "About"]
    assert narrow["Open…"]
    assert not narrow["Redo"]
    person.window.set_theme(LIGHT)
    person.window.resize(1440, 900)
    person.settle()
    assert words_of(person) == {**wide, "About": False}


def test_longer_words_of_undo_take_no_action_away(person):
    person.window.set_theme(PROJECTOR)
    person.window.resize(1024, 768)
    person.type("dimension", "128")
    assert "Undo Model dimension" in words_of(person)
    assert "About" in words_of(person)
