"""The pages of the lesson dock, driven by mouse and keyboard, without a window around them."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget

from pe_desktop.lessons.checks_box import Check, readable
from pe_desktop.lessons.dock import LEAST_WIDTH, LessonDock
from pe_desktop.lessons.expression import Verdict, parse_expectation
from pe_desktop.lessons.lesson_list import OPEN_ROOM, Row, Sort
from pe_desktop.lessons.option_button import Mark, OptionButton
from pe_desktop.lessons.outcome import Outcome, draw_outcome, number_outcome
from pe_desktop.lessons.reading import parse_lesson
from pe_desktop.lessons.words import Words
from pe_desktop.theme import LIGHT, THEMES

LONG = "Somebody put sixty words here to see whether they wrap and whether the page scrolls where they do not fit. " * 3
LESSON = parse_lesson(
    f"""
format = "pe-desktop lesson"
version = 1
title = "Swap two words"
question = "Does attention know which word came first?"
group = "Why order is lost"
controls = ["scheme", "swap"]
[state]
scheme = "none"
[[step]]
title = "The same words"
text = "{LONG}"
note = "Let somebody guess aloud."
expect = ["largest_value == 0.000"]
play = "position"
[[step]]
title = "Choose"
text = "Now two words change places."
[step.predict]
kind = "choose"
question = "What is the input gap?"
options = ["0.000", "about 1", "it depends on the head that is shown, on the seed and on where the two words are"]
answer = 1
reveal = "{LONG}"
expect = ["input_gap == 0.000"]
[step.predict.state]
swap = true
[[step]]
title = "Type"
text = "A number."
[step.state]
scheme = "sinusoidal"
[step.predict]
kind = "number"
question = "How alike are two rows at a gap of 25?"
answer = "similarity(25)"
within = 0.05
unit = "of 1"
reveal = "It falls with ripples."
""",
    "swap.pelesson",
)
ROWS = (
    Row(Sort.HEADING, "Why order is lost"),
    Row(Sort.LESSON, "Swap two words", "Does attention know which word came first?", "swap"),
    Row(Sort.LESSON, "A mask already lets order in", LONG, "mask"),
    Row(Sort.HEADING, "My lessons"),
    Row(Sort.BROKEN, "broken.pelesson", "broken.pelesson, line 9: the key is unknown.", "broken"),
)


class Heard:
    """What the dock asks for, in order."""

    def __init__(self, dock: LessonDock) -> None:
        self.asked: list[object] = []
        for name in ("advance", "back", "list", "leave", "file", "folder"):
            getattr(dock, f"{name}_asked").connect(self._hears(name))
        dock.opened.connect(self._hears("opened"))
        dock.page.step_asked.connect(self._hears("step"))
        dock.page.restart_asked.connect(self._hears("restart"))
        dock.page.play_asked.connect(self._hears("play"))
        dock.page.answered.connect(self._hears("answered"))

    def _hears(self, name):
        def hear(*values):
            self.asked.append((name, *values) if values else name)

        return hear

    def take(self) -> list[object]:
        asked, self.asked[:] = list(self.asked), []
        return asked


@pytest.fixture
def dock(qtbot):
    made = LessonDock(LIGHT)
    qtbot.addWidget(made)
    made.resize(336, 700)
    made.show()
    QTest.qWaitForWindowExposed(made)
    made.activateWindow()
    return made


@pytest.fixture
def heard(dock):
    return Heard(dock)


def click(dock: QWidget, name: str) -> None:
    QTest.mouseClick(dock.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


def row_place(dock: LessonDock, index: int, *, arrow: bool = False) -> QPoint:
    rows = dock.list.rows
    place = rows.visualItemRect(rows.item(index))
    return QPoint(rows.viewport().width() - OPEN_ROOM // 2 if arrow else 20, place.center().y())


# -- the list


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


# -- a step


def text(dock: LessonDock, name: str) -> str:
    found = dock.findChild(QLabel, name)
    return found.text() if found.isVisible() else ""


def test_a_step_shows_where_one_is_and_what_its_button_will_do(dock):
    dock.show_step(LESSON, 0, None, revealed=False)
    assert text(dock, "lesson_title") == "Swap two words"
    assert text(dock, "lesson_place") == "Step 1 of 3"
    assert text(dock, "lesson_text") == LESSON.steps[0].text
    button = dock.findChild(QPushButton, "lesson_on")
    back = dock.findChild(QPushButton, "lesson_back")
    play = dock.findChild(QPushButton, "lesson_play")
    assert (button.text(), back.isEnabled(), play.isVisible()) == ("Next ▶", False, True)
    dock.show_step(LESSON, 1, None, revealed=False)
    assert (button.text(), back.isEnabled(), play.isVisible()) == ("Reveal", True, False)
    dock.show_step(LESSON, 1, None, revealed=True)
    assert button.text() == "Next ▶"
    dock.show_step(LESSON, 2, None, revealed=True)
    assert button.text() == "Finish"
    assert dock.page.accessibleName() == "Swap two words, step 3 of 3. Type"
    assert "It falls with ripples." in dock.page.accessibleDescription()


def test_the_answer_is_nowhere_before_it_is_revealed(dock):
    dock.show_step(LESSON, 2, None, revealed=False)
    visible = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert "It falls with ripples." not in visible
    assert "It falls with ripples." not in dock.page.accessibleDescription()


def test_keys_of_the_page_go_through_the_lesson(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.take_focus()
    press(Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
    assert heard.take() == ["advance"] * 5
    press(Qt.Key.Key_Left, Qt.Key.Key_PageUp)
    assert heard.take() == ["back"] * 2
    press(Qt.Key.Key_Home, Qt.Key.Key_End)
    assert heard.take() == [("step", 0), ("step", 2)]
    press(Qt.Key.Key_Escape)
    assert heard.take() == []


def test_keys_on_a_button_press_that_button(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.findChild(QPushButton, "lesson_back").setFocus()
    press(Qt.Key.Key_Return, Qt.Key.Key_Space)
    assert heard.take() == ["back"] * 2
    press(Qt.Key.Key_Right)
    assert heard.take() == ["advance"]


def test_every_button_of_a_step_asks(dock, heard):
    dock.show_step(LESSON, 0, None, revealed=False)
    for name in ("lesson_on", "lesson_again", "lesson_play", "lesson_to_list", "lesson_leave"):
        click(dock, name)
    assert heard.take() == ["advance", "restart", ("play", True), "list", "leave"]
    dock.page.show_playing(True)
    assert dock.findChild(QPushButton, "lesson_play").text() == "■ Stop"
    click(dock, "lesson_play")
    assert heard.take() == [("play", False)]


def test_a_click_on_the_line_goes_to_that_step(dock, heard):
    dock.show_step(LESSON, 0, None, revealed=False)
    line = dock.page.line
    place = line.place_of(2).center().toPoint()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=place)
    assert heard.take() == [("step", 2)]
    QTest.mouseMove(line, place + QPoint(1, 0))
    assert line.toolTip() == "Step 3: Type"


def options(dock: LessonDock) -> list[OptionButton]:
    return [option for option in dock.findChildren(OptionButton) if option.isVisible()]


def test_an_option_is_chosen_by_mouse_and_by_number_key(dock, heard):
    dock.show_step(LESSON, 1, None, revealed=False)
    assert [option.text() for option in options(dock)] == list(LESSON.steps[1].prediction.options)
    QTest.mouseClick(options(dock)[1], Qt.MouseButton.LeftButton)
    assert heard.take() == [("answered", 1)]
    dock.take_focus()
    press(Qt.Key.Key_3)
    assert heard.take() == [("answered", 2)]
    assert [option.isChecked() for option in options(dock)] == [False, False, True]
    press(Qt.Key.Key_4)  # there is none
    assert heard.take() == []


def test_a_revealed_choice_is_marked_and_fixed(dock, heard):
    dock.show_step(LESSON, 1, 2, revealed=True)
    assert [option.mark for option in options(dock)] == [Mark.RIGHT, Mark.OPEN, Mark.WRONG]
    assert options(dock)[0].accessibleName() == "0.000, right"
    assert options(dock)[2].accessibleName().endswith("not right, your answer")
    QTest.mouseClick(options(dock)[1], Qt.MouseButton.LeftButton)
    dock.take_focus()
    press(Qt.Key.Key_2)
    assert heard.take() == []
    dock.show_step(LESSON, 1, None, revealed=False)
    assert not any(option.isChecked() for option in options(dock))


def test_long_options_wrap_and_are_as_high_as_their_text(dock):
    dock.resize(LEAST_WIDTH, 700)
    dock.show_step(LESSON, 1, None, revealed=False)
    QApplication.processEvents()
    short, long = options(dock)[0], options(dock)[2]
    assert long.height() >= long.heightForWidth(long.width()) > 2 * short.height()


@pytest.mark.parametrize(("typed", "answer"), [("0.7", "0.7"), ("0,7", "0,7"), ("-3e2", "-3e2")])
def test_a_number_is_typed_with_dot_or_comma(dock, heard, typed, answer):
    dock.show_step(LESSON, 2, None, revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    QTest.keyClicks(edit, typed)
    assert heard.take()[-1] == ("answered", answer)
    press(Qt.Key.Key_Left, Qt.Key.Key_Home)  # the field's own keys
    assert heard.take() == []
    press(Qt.Key.Key_Return)
    assert heard.take() == ["advance"]


@pytest.mark.parametrize(("typed", "words"), [("abc", "not a number"), ("10,000", "two numbers")])
def test_what_is_no_number_is_said_beside_the_field(dock, heard, typed, words):
    dock.show_step(LESSON, 2, None, revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    QTest.keyClicks(edit, typed)
    assert heard.take()[-1] == ("answered", "")
    assert words in text(dock, "lesson_number_error")


def test_what_was_typed_is_there_again(dock):
    dock.show_step(LESSON, 2, "0,7", revealed=False)
    edit = dock.findChild(QLineEdit, "lesson_number")
    assert edit.text() == "0,7"
    dock.show_step(LESSON, 2, "0,7", revealed=True)
    dock.page.show_outcome(Outcome("You said 0,7.", False))
    assert (edit.text(), edit.isEnabled()) == ("0,7", False)
    assert text(dock, "lesson_outcome") == "✗ You said 0,7."


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [(LEAST_WIDTH, 500), (480, 900), (1024, 220)])
@pytest.mark.parametrize("index", [0, 1, 2])
def test_no_text_is_clipped_in_any_theme_and_shape(dock, theme, size, index):
    dock.set_theme(THEMES[theme])
    dock.resize(*size)
    dock.show_step(LESSON, index, 2 if index == 1 else "0.7", revealed=index > 0)
    dock.page.show_outcome(Outcome("You said 0.7; it is 0.629: 0.071 off.", False))
    dock.page.show_checks(
        [Check("similarity(25) = 0.629", True, "now 0.6288"), Check("input gap = 0.000", False, LONG)]
    )
    QApplication.processEvents()
    for label in dock.findChildren(Words):
        if label.isVisible() and label.text():
            assert label.height() >= label.heightForWidth(label.width()), label.objectName()
            assert label.width() >= 40
    area = dock.page._scroll
    assert area.horizontalScrollBar().maximum() == 0
    assert area.widget().width() <= area.viewport().width()


def test_in_a_strip_text_is_left_of_the_question(dock):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.resize(1000, 300)
    QApplication.processEvents()
    words, question = dock.findChild(QLabel, "lesson_text"), dock.page.prediction
    assert words.mapTo(dock, QPoint(words.width(), 0)).x() <= question.mapTo(dock, QPoint(0, 0)).x()
    dock.resize(336, 700)
    QApplication.processEvents()
    assert words.mapTo(dock, QPoint(0, words.height())).y() <= question.mapTo(dock, QPoint(0, 0)).y()


def test_the_note_for_the_speaker_is_folded_away(dock):
    dock.show_step(LESSON, 0, None, revealed=False)
    assert text(dock, "lesson_note_text") == ""
    header = dock.findChild(QWidget, "lesson_note_header")
    QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    assert text(dock, "lesson_note_text") == "Let somebody guess aloud."
    dock.show_step(LESSON, 1, None, revealed=False)
    assert not header.isVisible()


def test_tab_goes_from_the_page_over_the_question_to_the_buttons(dock):
    dock.show_step(LESSON, 1, None, revealed=False)
    dock.take_focus()
    names = []
    for _ in range(3):
        press(Qt.Key.Key_Tab)
        names.append(QApplication.focusWidget().objectName())
    assert names == ["lesson_option_1", "lesson_only", "lesson_on"]


# -- the end, and what is said


def test_the_end_names_the_next_lesson(dock, heard):
    dock.show_end(LESSON, LESSON)
    assert text(dock, "lesson_done") == "That was “Swap two words”."
    assert text(dock, "lesson_following_question") == LESSON.question
    dock.take_focus()
    press(Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
    for name in ("lesson_follow", "lesson_closing_back", "lesson_closing_list", "lesson_closing_leave"):
        click(dock, name)
    assert heard.take() == ["advance", "back", "advance", "back", "list", "leave"]
    dock.show_end(LESSON, None)
    assert dock.findChild(QPushButton, "lesson_follow").text() == "All lessons"


@pytest.mark.parametrize(
    ("said", "value", "within", "right", "words"),
    [
        ("0.7", 0.6288, 0.05, False, "You said 0.7; it is 0.6288: 0.071 off."),
        ("0,65", 0.6288, 0.05, True, "You said 0,65; it is 0.6288: near enough."),
        ("12", 12.0, 0.0, True, "You said 12; it is 12."),
        ("0.7", 1023.0, 1.0, False, "You said 0.7; it is 1023: 1022 off."),
        ("0.75", 0.7, 0.05, True, "You said 0.75; it is 0.7: near enough."),
        ("", 0.6288, 0.05, None, "It is 0.6288."),
    ],
)
def test_what_is_said_of_a_number(said, value, within, right, words):
    assert number_outcome(said, value, within) == Outcome(words, right)


def test_what_is_said_of_a_drawing():
    assert draw_outcome(0.1234).says == "Your curve is 0.12 off on average."
    assert draw_outcome(None).says == ""
    assert draw_outcome(float("nan")).says == ""


def test_a_claim_is_shown_with_the_number_there_is():
    claim = parse_expectation("input_gap == 0.000")
    says = "input_gap is 1.2e-16, expected to equal 0.000"
    assert Check.of(claim, Verdict(True, says)) == Check("input gap = 0.000", True, "now 1.2·10⁻¹⁶")
    failing = Verdict(False, "input_gap is 0.00051, expected to equal 0.000")
    assert Check.of(claim, failing) == Check("input gap = 0.000", False, "now 0.00051")
    both = parse_expectation("position < 20 and largest_value <= 1")
    says = "position is 12, expected to be less than 20; largest_value is 1, expected to be at most 1"
    assert Check.of(both, Verdict(True, says)).now == "position is 12; largest value is 1"
    missing = Verdict(False, "The scheme None has no base.", missing=True)
    assert Check.of(claim, missing).now == "The scheme None has no base."
    assert readable("similarity(25) >= 2 * norm(3)") == "similarity(25) ≥ 2 · norm(3)"
