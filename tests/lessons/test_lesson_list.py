"""The page that lists the lessons, by mouse and keyboard."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from pe_desktop.lessons.dock import LEAST_WIDTH, LessonDock
from pe_desktop.lessons.lesson_list import OPEN_ROOM, Row, Sort
from tests.lessons.dock_hands import ROWS, click, press


def row_place(dock: LessonDock, index: int, *, arrow: bool = False) -> QPoint:
    rows = dock.list.rows
    place = rows.visualItemRect(rows.item(index))
    return QPoint(rows.viewport().width() - OPEN_ROOM // 2 if arrow else 20, place.center().y())


def test_a_row_opens_by_its_arrow_by_double_click_by_enter_and_by_the_button(dock, heard):
    dock.show_list(ROWS)
    rows = dock.list.rows
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_place(dock, 2))
    assert heard.take() == []  # a click chooses
    assert rows.currentRow() == 2
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_place(dock, 1, arrow=True))
    assert heard.take() == [("opened", "swap")]
    QTest.mouseDClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_place(dock, 2))
    assert heard.take() == [("opened", "mask")]
    dock.take_focus()
    press(Qt.Key.Key_Up, Qt.Key.Key_Return)
    assert heard.take() == [("opened", "swap")]
    click(dock, "lesson_open")
    assert heard.take() == [("opened", "swap")]


def test_arrow_keys_pass_over_headings_and_letters_find_a_row(dock):
    dock.show_list(ROWS)
    dock.take_focus()
    rows = dock.list.rows
    assert rows.currentRow() == 1
    press(Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert rows.currentRow() == 4
    QTest.keyClicks(rows, "swap")
    assert rows.currentRow() == 1


def test_a_broken_file_says_what_is_wrong_and_does_not_open(dock, heard):
    dock.show_list(ROWS)
    rows = dock.list.rows
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_place(dock, 4, arrow=True))
    assert rows.currentRow() == 4
    assert not dock.findChild(QPushButton, "lesson_open").isEnabled()
    dock.take_focus()
    press(Qt.Key.Key_Return)
    assert heard.take() == []
    said = rows.item(4).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "broken.pelesson. broken.pelesson, line 9: the key is unknown."


@pytest.mark.parametrize("width", [LEAST_WIDTH, 480])
def test_rows_are_as_high_as_their_texts(dock, width):
    dock.resize(width, 700)
    dock.show_list(ROWS)
    QApplication.processEvents()
    rows = dock.list.rows
    places = [rows.visualItemRect(rows.item(index)) for index in range(len(ROWS))]
    for before, after in itertools.pairwise(places):
        assert after.top() == before.bottom() + 1
    assert rows.horizontalScrollBar().maximum() == 0
    for index, row in enumerate(ROWS):
        texts = rows.painter._places(row, places[index])
        assert texts[-1][0].bottom() < places[index].bottom()


def test_the_row_chosen_stays_chosen_when_the_list_is_read_anew(dock):
    dock.show_list(ROWS)
    dock.list.rows.setCurrentRow(2)
    dock.show_list((Row(Sort.LESSON, "Go on", "", "last"), *ROWS))
    assert dock.list.rows.currentRow() == 3


def test_the_buttons_of_the_list_ask(dock, heard):
    dock.show_list(ROWS)
    click(dock, "lesson_open_file")
    click(dock, "lesson_show_folder")
    assert heard.take() == ["file", "folder"]
