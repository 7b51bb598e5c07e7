"""The precision lab in a whole window: dock, pane and formula strip together."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QTabBar


def open_tab(person, title):
    bar = person.find(QTabBar, "tab_bar_upper")
    index = next(i for i in range(bar.count()) if bar.tabText(i) == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
    person.settle()


def test_from_the_preset_to_the_first_bad_position(person):
    person.choose("scheme", "RoPE")
    person.type("length", "5000")
    open_tab(person, "Precision")
    assert "nothing is rounded" in person.sentence("precision")
    header = person.find(QAbstractButton, "precision_header")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(8, header.height() // 2))
    person.choose("precision_preset", "bf16 positions")
    assert person.sentence("precision").startswith("First off by more than 0.001: position 257, pair 0 (0.859)")
    view = person.window.panels["precision"]
    assert view.figures.figures["Distinct positions"] == "769 of 4,096"
    assert view.part.exact
    person.type("precision_tolerance", "1")
    assert "position 514" in person.sentence("precision")
    person.type("precision_count", "200")
    assert view.figures.figures["First collisions"] == "none below 200"
    person.lab.undo()
    person.lab.undo()
    person.settle()
    assert "position 257" in person.sentence("precision")


def test_hovering_tells_the_numbers_and_a_click_inspects(person):
    open_tab(person, "Precision")
    person.lab.request(scheme="rope", length=1000, precision={"preset": "bf16_positions"})
    person.settle()
    view = person.window.panels["precision"]
    place = QPointF(view.plot.x_pixel(0.5), view.plot.y_pixel(257.5)).toPoint()
    QTest.mouseMove(view.plot.viewport(), place)
    position = person.lab.cursor.position
    assert person.window.centre.strip.text.startswith(f"position {position}, pair 0: ")
    QTest.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    person.settle()
    assert person.lab.state.position == position
    assert view.part.position == position


def test_a_long_wide_sequence_is_finished_by_the_worker(person):
    person.lab.request(scheme="rope", dimension=1024, length=1 << 17, precision={"preset": "library"})
    open_tab(person, "Precision")
    view = person.window.panels["precision"]
    assert view.part.exact
    assert 8_000 < view.part.first_bad < 20_000
    assert view.header.note.startswith("each cell: the largest of 8 samples from ")
