"""A list of numbers, typed, pasted and read in full."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from pe_desktop.controls.list_row import ListRow
from pe_desktop.controls.look import look_of
from pe_desktop.controls.texts import list_summary, list_text
from pe_desktop.core.parameter import Parameter
from pe_desktop.theme import LIGHT, THEMES

LEFT = Qt.MouseButton.LeftButton
NEEDED = Parameter("thing", "Thing", tuple, (1.0, 2.0), minimum=0.5, maximum=1e6)
DERIVED = Parameter("thing", "Thing", tuple, None, minimum=0.5, maximum=1e6, derived="1 for every pair")


class Place:
    """A row with another field below it, and what the row has said."""

    def __init__(self, qtbot, about: Parameter) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.row = ListRow(about.name, about.label, about.check, about.default, derived=about.derived)
        self.row.set_look(look_of(LIGHT))
        self.row.set_value(about.default)
        self.other = QLineEdit()
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.row)
        layout.addWidget(self.other)
        self.asked: list = []
        self.refused: list[str] = []
        self.grown = 0
        self.row.asked.connect(self.on_asked)
        self.row.grown.connect(self.on_grown)
        self.row.refused.connect(self.on_refused)
        self.window.resize(320, 300)
        with qtbot.waitActive(self.window):
            self.window.show()
            self.window.activateWindow()
        self.other.setFocus()

    def on_asked(self, changes) -> None:
        self.asked.append(changes["thing"])

    def on_grown(self) -> None:
        self.grown += 1

    def on_refused(self, _row, error) -> None:
        self.refused.append(error.message)

    @property
    def line(self) -> QLineEdit:
        return self.row.findChild(QLineEdit, "thing_edit")

    @property
    def sheet(self) -> QPlainTextEdit:
        return self.row.findChild(QPlainTextEdit, "thing_sheet")

    def open_sheet(self) -> None:
        QTest.mouseClick(self.row.findChild(QToolButton), LEFT)
        QApplication.processEvents()

    def paste(self, edit, text: str) -> None:
        edit.setFocus()
        edit.selectAll()
        QApplication.clipboard().setText(text)
        QTest.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def place(qtbot):
    return Place(qtbot, NEEDED)


@pytest.fixture
def derived(qtbot):
    return Place(qtbot, DERIVED)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[1, 1.5, 2e2]", (1.0, 1.5, 200.0)),
        ("1, 1.5, 2", (1.0, 1.5, 2.0)),
        ("1 1.5\n2", (1.0, 1.5, 2.0)),
        ("1,5; 2,5;", (1.5, 2.5)),
        ("1; 1.5 ;2", (1.0, 1.5, 2.0)),
        ("3", (3.0,)),
    ],
)
@pytest.mark.parametrize("end", [Qt.Key.Key_Return, Qt.Key.Key_Tab])
def test_pasted_text_is_asked_for_on_enter_and_on_leaving(place, text, numbers, end):
    place.paste(place.line, text)
    assert place.asked == []
    QTest.keyClick(place.line, end)
    assert place.asked == [numbers]
    assert place.row.value == numbers
    assert place.row.error_text() == ""


@pytest.mark.parametrize("count", [64, 4096])
def test_long_lists_are_pasted_shown_short_and_given_back_whole(place, count):
    numbers = tuple(1 + number / 7 for number in range(count))
    place.paste(place.line, json.dumps(numbers))
    QTest.keyClick(place.line, Qt.Key.Key_Return)
    assert place.asked == [numbers]
    assert tuple(json.loads(place.line.text())) == numbers
    place.other.setFocus()
    assert place.line.text().startswith("[1, ")
    assert place.line.text().endswith(f"… {count:,} numbers]")
    assert place.line.fontMetrics().horizontalAdvance(place.line.text()) < place.line.width()
    place.line.setFocus()
    assert tuple(json.loads(place.line.text())) == numbers
    assert place.asked == [numbers]


def test_the_summary_follows_the_width(place):
    place.row.set_value(tuple(map(float, range(1, 41))))
    narrow = place.line.text()
    place.window.resize(700, 300)
    QApplication.processEvents()
    assert len(place.line.text()) > len(narrow)
    place.window.resize(2000, 300)
    QApplication.processEvents()
    assert place.line.text() == list_text(tuple(range(1, 41)))


def test_half_a_list_is_refused_in_a_sentence_and_the_value_stays(place):
    for text, words in (("1, x", "number 2, is 'x'"), ("0.1 1", "number 1, is 0.1"), ("[]", "must be a list")):
        place.paste(place.line, text)
        QTest.keyClick(place.line, Qt.Key.Key_Return)
        assert words in place.row.error_text()
        assert words in place.refused[-1]
        assert place.line.text() == text
    assert place.asked == []
    assert place.row.value == (1.0, 2.0)
    QTest.keyClick(place.line, Qt.Key.Key_Escape)
    assert place.line.text() == "[1, 2]"
    assert place.row.error_text() == ""


def test_a_refused_text_stays_on_leaving(place):
    place.paste(place.line, "1, x")
    QTest.keyClick(place.line, Qt.Key.Key_Return)
    place.other.setFocus()
    place.window.resize(700, 300)
    QApplication.processEvents()
    assert place.line.text() == "1, x"
    assert "'x'" in place.row.error_text()
    assert len(place.refused) == 1
    place.line.setFocus()
    QTest.keyClick(place.line, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    place.paste(place.line, "1, y")
    QTest.keyClick(place.line, Qt.Key.Key_Tab)
    assert place.line.text() == "1, y"
    assert "'y'" in place.row.error_text()


def test_another_value_wins_over_half_typed_text(place):
    place.paste(place.line, "1, 2, 3")
    place.row.set_value((7.0, 8.0))
    assert place.line.text() == "[7, 8]"
    QTest.keyClick(place.line, Qt.Key.Key_Return)
    assert place.asked == []


def test_empty_means_the_default(place, derived):
    for at, default in ((place, (1.0, 2.0)), (derived, None)):
        at.row.set_value((3.0,))
        for text in ("", "auto"):
            at.paste(at.line, "4 5")
            QTest.keyClick(at.line, Qt.Key.Key_Return)
            at.paste(at.line, text or " ")
            QTest.keyClick(at.line, Qt.Key.Key_Return)
            assert at.asked[-1] == default
            assert at.row.value == default


def test_what_stands_in_for_a_derived_list(derived):
    assert (derived.line.text(), derived.line.placeholderText()) == ("", "1 for every pair")
    derived.row.set_value(None, (1.0,) * 48)
    assert derived.line.placeholderText() == "auto (48 × 1)"
    derived.row.set_value(None, (16, 24, 24))
    assert derived.line.placeholderText() == "auto (16, 24, …)"
    derived.row.set_value(None, None)
    assert derived.line.placeholderText() == "1 for every pair"
    assert derived.line.text() == ""


def test_a_double_click_on_the_label_resets(place):
    place.row.set_value((5.0, 6.0))
    place.paste(place.line, "9 9")
    label = next(label for label in place.row.findChildren(QLabel) if label.text() == "Thing")
    QTest.mouseDClick(label, LEFT, pos=QPoint(3, 3))
    assert place.asked == [(1.0, 2.0)]
    assert place.line.text() == "[1, 2]"


def test_the_sheet_shows_all_and_takes_over_what_is_half_typed(place):
    place.row.set_value(tuple(map(float, range(1, 101))))
    before = place.row.sizeHint().height()
    place.line.setFocus()
    place.line.setCursorPosition(1)
    QTest.keyClicks(place.line, "5")
    place.open_sheet()
    assert place.sheet.isVisible()
    assert not place.line.isVisible()
    assert place.sheet.hasFocus()
    assert place.sheet.toPlainText().startswith("[51, 2, 3, ")
    assert place.row.sizeHint().height() > before + 60
    assert place.asked == []
    QTest.keyClick(place.sheet, Qt.Key.Key_Return)
    assert place.asked == [(51.0, *map(float, range(2, 101)))]
    QTest.keyClick(place.sheet, Qt.Key.Key_Return)
    assert place.line.isVisible()
    assert place.line.hasFocus()
    assert place.row.sizeHint().height() == before
    assert place.grown == 2


def test_the_sheet_by_keyboard_and_back_without_a_change(place):
    place.line.setFocus()
    QTest.keyClick(place.line, Qt.Key.Key_Down)
    assert place.sheet.hasFocus()
    QTest.keyClicks(place.sheet, "9, ")
    QTest.keyClick(place.sheet, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert "\n" in place.sheet.toPlainText()
    QTest.keyClick(place.sheet, Qt.Key.Key_Escape)
    assert place.sheet.toPlainText() == "[1, 2]"
    assert place.sheet.isVisible()
    QTest.keyClick(place.sheet, Qt.Key.Key_Escape)
    assert not place.sheet.isVisible()
    assert place.line.text() == "[1, 2]"
    assert place.asked == []


def test_leaving_the_sheet_commits(place):
    place.open_sheet()
    place.paste(place.sheet, "3 4\n5")
    QTest.keyClick(place.sheet, Qt.Key.Key_Tab)
    assert place.asked == [(3.0, 4.0, 5.0)]
    place.paste(place.sheet, "6")
    place.open_sheet()  # the button again
    assert place.asked[1:] == [(6.0,)]
    assert not place.sheet.isVisible()
    assert place.line.text() == "[6]"


def test_a_refused_sheet_goes_on_in_the_line_and_back(place):
    place.open_sheet()
    place.paste(place.sheet, "3 x")
    QTest.keyClick(place.sheet, Qt.Key.Key_Return)
    assert "'x'" in place.row.error_text()
    assert place.sheet.toPlainText() == "3 x"
    place.other.setFocus()
    assert place.sheet.toPlainText() == "3 x"
    place.open_sheet()
    assert place.line.text() == "3 x"
    assert "'x'" in place.row.error_text()
    place.other.setFocus()
    assert place.line.text() == "3 x"
    place.open_sheet()
    assert place.sheet.toPlainText() == "3 x"
    assert len(place.refused) == 1
    assert place.asked == []
    QTest.keyClick(place.sheet, Qt.Key.Key_Escape)
    assert place.sheet.toPlainText() == "[1, 2]"
    assert place.row.error_text() == ""


def test_a_locale_with_a_comma_changes_nothing(place):
    place.row.setLocale(QLocale(QLocale.Language.German))
    place.row.set_value((1.25, 0.5))
    assert place.line.text() == "[1.25, 0.5]"
    place.paste(place.line, place.line.text())
    QTest.keyClick(place.line, Qt.Key.Key_Return)
    assert place.row.value == (1.25, 0.5)


@pytest.mark.parametrize("room", [0, 1, 40, 120, 5000])
def test_a_summary_says_how_many_there_are(room):
    text = list_text(tuple(float(number) for number in range(4096)))
    summary = list_summary(text, len, room)
    assert "4,096" in summary
    assert len(summary) <= max(room, len("[… 4,096]"))
    assert list_summary(text, len, len(text)) == text
    assert list_summary("", len, room) == ""


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_sheet_grows_with_the_type(place, theme):
    place.open_sheet()
    place.row.setFont(look_of(theme).body)
    place.row.set_look(look_of(theme))
    assert place.sheet.height() >= 6 * place.sheet.fontMetrics().lineSpacing()
