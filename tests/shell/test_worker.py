"""Work that takes long, as a person sees it: how far it is, calling it off, and asking for it again."""

from __future__ import annotations

import dataclasses
import threading

import pytest
from PySide6.QtCore import QPoint, Qt, QThread
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QProgressBar, QToolButton, QWidget

from pe_desktop.core import part_readouts
from pe_desktop.core.snapshot import compute
from pe_desktop.core.work import Cancelled, checkpoint, task
from pe_desktop.model import lab as lab_module
from pe_desktop.theme import DARK, LIGHT, PROJECTOR

LEFT = Qt.MouseButton.LeftButton
WORDS = "Looking for the closest rows"


class SlowScan:
    """Makes the read-outs wait in the worker until they are let go; until then the closest rows are announced."""

    def __init__(self, monkeypatch) -> None:
        self.open, self.started, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.share, self.begun = 0.43, 0
        self._real = part_readouts.readouts_part
        monkeypatch.setattr(part_readouts, "readouts_part", self._readouts)
        monkeypatch.setattr(lab_module, "is_cheap", lambda *_: False)

    def _readouts(self, state, attention, full=True):
        made = self._real(state, attention, True)
        if full:
            if threading.current_thread() is not threading.main_thread():  # a test may ask for what is right
                self._wait()
            return made
        rows = [dataclasses.replace(each, value=None, text="computing…") for each in made.readouts]
        lights = [
            dataclasses.replace(each, holds=None, number="…", evidence="Looking for the closest two rows…")
            for each in made.properties
        ]
        keep = {"closest_pair": rows, "unique": lights}
        readouts = tuple(new if old.name in keep else old for old, new in zip(made.readouts, rows, strict=True))
        properties = tuple(new if old.name in keep else old for old, new in zip(made.properties, lights, strict=True))
        return dataclasses.replace(made, readouts=readouts, properties=properties, exact=False)

    def _wait(self) -> None:
        self.ended.clear()
        self.begun += 1
        try:
            with task(WORDS):
                checkpoint(self.share)
                self.started.set()
                while not self.open.wait(0.001):
                    checkpoint(self.share)
        except Cancelled:
            self.started.clear()
            raise
        finally:
            self.ended.set()


@pytest.fixture
def scan(person, monkeypatch):
    """A window whose next change takes as long as a test wants it to."""
    scan = SlowScan(monkeypatch)
    yield scan
    scan.open.set()


def line(person) -> QWidget:
    return person.window.findChild(QWidget, "progress")


def said(person) -> str:
    """The words of the progress as they are seen, empty while there is none."""
    return person.window.findChild(QLabel, "progress_words").text() if line(person).isVisible() else ""


def work(person, scan, **changes) -> None:
    """Ask for something that takes long, and wait until its progress is shown."""
    person.lab.request(**(changes or {"position": 20}))
    person.qtbot.waitUntil(lambda: line(person).isVisible(), timeout=10_000)
    assert scan.started.wait(10)
    person.qtbot.waitUntil(lambda: "%" in line(person).accessibleName(), timeout=10_000)


def rest(person, scan) -> None:
    """Wait until the worker has nothing to do any more."""
    person.settle()
    assert scan.ended.wait(10)


def cancel(person) -> QToolButton:
    return person.window.findChild(QToolButton, "progress_cancel")


def compute_again(person) -> QToolButton:
    return person.window.findChild(QToolButton, "readouts_compute")


def light(person, name="unique") -> QWidget:
    return person.find(QWidget, f"light_{name}")


def closest(person) -> str:
    """What the read-out must be."""
    readouts = compute(person.lab.state).readouts.readouts
    return next(each.text for each in readouts if each.name == "closest_pair")


def test_progress_in_words_and_percent(person, scan):
    assert not line(person).isVisible()
    work(person, scan)
    bar = person.window.findChild(QProgressBar, "progress_bar")
    assert said(person) == line(person).accessibleName() == bar.accessibleName() == f"{WORDS}… 43 %"
    assert bar.value() == 43
    scan.share = 0.999
    person.qtbot.waitUntil(lambda: said(person) == f"{WORDS}… 99 %", timeout=10_000)
    assert bar.value() == 99
    scan.open.set()
    rest(person, scan)
    assert not line(person).isVisible()
    assert person.readout("closest_pair") == closest(person)


def test_work_that_is_soon_done_shows_no_progress(person, scan):
    scan.open.set()
    shown = []
    person.lab.progress_changed.connect(shown.append)
    person.lab.request(position=20)
    rest(person, scan)
    assert shown == []
    assert person.readout("closest_pair") == closest(person)


def test_while_it_works_no_old_number_stays(person, scan):
    before = person.readout("closest_pair")
    assert before == closest(person)
    work(person, scan, length=90)
    assert person.readout("closest_pair") == "computing…"
    assert light(person).number.text() == "…"
    assert light(person).accessibleName() == "Unique: being computed"
    assert not compute_again(person).isVisible()
    scan.open.set()
    rest(person, scan)
    assert person.readout("closest_pair") == closest(person)
    assert light(person).accessibleName().startswith("Unique: holds ")


@pytest.mark.parametrize("way", ["button", "Escape", "Escape in a field"])
def test_calling_it_off(person, scan, way):
    work(person, scan)
    if way == "button":
        QTest.mouseClick(cancel(person), LEFT)
    elif way == "Escape":
        QTest.keyClick(person.window, Qt.Key.Key_Escape)
    else:
        edit = person.find(QLineEdit, "dimension_edit")
        edit.setFocus()
        QTest.keyClick(edit, Qt.Key.Key_Escape)
    # At once, before the worker has noticed.
    assert not line(person).isVisible()
    assert person.readout("closest_pair") == "not computed"
    assert light(person).number.text() == "not computed"
    assert light(person).accessibleName() == "Unique: not computed"
    assert light(person).tip == "Not looked for: the closest two rows."
    rest(person, scan)
    assert person.lab.state.position == 20
    assert person.lab.snapshot.state.position == 20
    assert person.readout("closest_pair") == "not computed"
    assert "Similarity to spot 20" in person.window.panels["similarity"].part.title


@pytest.mark.parametrize("way", ["mouse", "keyboard", "the same again"])
def test_asking_for_it_again(person, scan, way):
    work(person, scan)
    QTest.keyClick(person.window, Qt.Key.Key_Escape)
    rest(person, scan)
    button = compute_again(person)
    assert button.isVisible()
    if way == "mouse":
        QTest.mouseClick(button, LEFT)
    elif way == "keyboard":
        person.window.findChild(QWidget, "readouts_header").setFocus()
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is button
        QTest.keyClick(button, Qt.Key.Key_Space)
    else:
        person.lab.request(position=20)
    assert not button.isVisible()
    assert person.readout("closest_pair") == "computing…"
    person.qtbot.waitUntil(lambda: said(person) == f"{WORDS}… 43 %", timeout=10_000)
    scan.open.set()
    rest(person, scan)
    assert person.readout("closest_pair") == closest(person)
    assert not line(person).isVisible()


def test_escape_belongs_to_a_half_typed_number_first(person, scan):
    work(person, scan)
    edit = person.find(QLineEdit, "dimension_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "77")
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "64"
    assert line(person).isVisible()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert not line(person).isVisible()
    rest(person, scan)


def test_escape_is_nobodys_while_nothing_is_at_work(person, scan):
    action = person.window.findChild(QAction, "action_cancel")
    assert not action.isEnabled()
    work(person, scan)
    assert action.isEnabled()
    scan.open.set()
    rest(person, scan)
    assert not action.isEnabled()


def test_another_change_takes_its_place(person, scan):
    work(person, scan)
    shown = []
    person.lab.snapshot_ready.connect(shown.append)
    person.lab.request(length=90)
    # The outdated one ends without being let go.
    person.qtbot.waitUntil(lambda: scan.begun == 2, timeout=10_000)
    scan.open.set()
    rest(person, scan)
    assert {snapshot.state.length for snapshot in shown} == {90}
    assert person.readout("closest_pair") == closest(person)


def test_a_cursor_leaves_it_alone(person, scan):
    work(person, scan)
    surface = person.window.panels["matrix"].plot.viewport()
    for x in range(100, 200, 10):
        QTest.mouseMove(surface, QPoint(x, 60))
    assert person.lab.cursor.view == "matrix"
    assert not scan.ended.is_set()
    assert said(person) == f"{WORDS}… 43 %"
    scan.open.set()
    rest(person, scan)
    assert person.readout("closest_pair") == closest(person)


def test_closing_the_window_ends_it(person, scan):
    work(person, scan)
    thread = person.lab.findChild(QThread)
    assert thread.isRunning()
    person.window.close()
    person.lab.close()
    assert thread.isFinished()
    assert scan.ended.is_set()
    assert not scan.open.is_set()


# How it looks ---------------------------------------------------------------------------------------------------------


def places(person) -> dict[QWidget, tuple[int, ...]]:
    """Where everything is that can be seen, but for what is in the strip."""
    for _ in range(3):
        QApplication.processEvents()
    strip = person.window.centre.strip
    seen = [w for w in person.window.findChildren(QWidget) if w.isVisible() and not strip.isAncestorOf(w)]
    return {w: w.geometry().getRect() for w in seen if w is not compute_again(person)}


def test_nothing_moves(person, scan):
    person.lab.request(position=20)
    person.qtbot.waitUntil(scan.started.is_set, timeout=10_000)
    before = places(person)
    person.qtbot.waitUntil(lambda: said(person) == f"{WORDS}… 43 %", timeout=10_000)
    assert places(person) == before
    QTest.mouseClick(cancel(person), LEFT)
    assert places(person) == before
    QTest.mouseClick(compute_again(person), LEFT)
    assert places(person) == before
    scan.open.set()
    rest(person, scan)
    assert places(person) == before


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768)], ids=["large", "small"])
def test_it_has_its_place_in_the_strip(person, scan, theme, size):
    window = person.window
    window.set_theme(theme)
    window.resize(*size)
    person.lab.request(scheme="rope")
    scan.open.set()
    rest(person, scan)
    scan.open.clear()
    scan.started.clear()
    strip, formula = window.centre.strip, window.findChild(QLabel, "formula")
    before, whole = strip.geometry(), formula.geometry()
    work(person, scan)
    assert strip.geometry() == before
    assert formula.geometry().right() < line(person).x()
    assert line(person).geometry().right() < strip.width()
    button = cancel(person)
    assert line(person).rect().contains(button.geometry())
    assert button.width() >= button.fontMetrics().horizontalAdvance("Cancel")
    assert button.height() >= button.fontMetrics().height()
    words = window.findChild(QLabel, "progress_words")
    assert words.fontMetrics().horizontalAdvance(words.text()) <= words.width()
    assert words.text().startswith("Looking for the")
    assert words.text().endswith("… 43 %")
    if theme.body == LIGHT.body:
        assert words.text() == f"{WORDS}… 43 %"
    QTest.mouseClick(button, LEFT)
    rest(person, scan)
    assert (strip.geometry(), formula.geometry()) == (before, whole)
    again, header = compute_again(person), window.findChild(QWidget, "readouts_header")
    assert again.fontMetrics().horizontalAdvance("Compute") < again.width()
    assert again.geometry().right() <= header.geometry().right()
    assert again.x() > header.fontMetrics().horizontalAdvance("Read-outs") + 3 * 8
