"""One row, driven by mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QSlider, QStyle, QStyleOptionSlider

from pe_desktop.controls.look import look_of
from pe_desktop.controls.scale import Scale
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.theme import LIGHT

LEFT = Qt.MouseButton.LeftButton


class Log:
    """What a row has said."""

    def __init__(self, row: SliderRow) -> None:
        self.changed: list = []
        self.asked: list = []
        self.drags: list[str] = []
        self.refused: list[str] = []
        row.changed.connect(self.changed.append)
        row.asked.connect(self.asked.append)
        row.drag_started.connect(self.on_start)
        row.drag_ended.connect(self.on_end)
        row.refused.connect(self.on_refused)

    def on_start(self) -> None:
        self.drags.append("begin")

    def on_end(self) -> None:
        self.drags.append("end")

    def on_refused(self, _row, error) -> None:
        self.refused.append(error.message)


@pytest.fixture
def make_row(qtbot):
    def make(scale, default=None, value=None, **options):
        row = SliderRow("thing", "Thing", scale, default, **options)
        qtbot.addWidget(row)
        row.set_look(look_of(LIGHT))
        row.set_value(value)
        row.resize(320, 30)
        with qtbot.waitActive(row):
            row.show()
            row.activateWindow()
        return row, Log(row)

    return make


def slider(row) -> QSlider:
    return row.findChild(QSlider)


def edit(row) -> QLineEdit:
    return row.findChild(QLineEdit)


def handle(row) -> QPoint:
    option = QStyleOptionSlider()
    slider(row).initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    rect = slider(row).style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider(row))
    return rect.center()


def type_text(row, text: str, key=Qt.Key.Key_Return) -> None:
    edit(row).setFocus()
    edit(row).selectAll()
    QTest.keyClick(edit(row), Qt.Key.Key_Delete)
    QTest.keyClicks(edit(row), text)
    QTest.keyClick(edit(row), key)


def test_the_handle_is_dragged_and_the_value_follows(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    start = handle(row)
    QTest.mousePress(slider(row), LEFT, pos=start)
    assert log.drags == ["begin"]
    assert log.changed == []
    for x in range(start.x(), start.x() + 41, 10):
        QTest.mouseMove(slider(row), QPoint(x, start.y()))
    QTest.mouseRelease(slider(row), LEFT, pos=QPoint(start.x() + 40, start.y()))
    assert log.drags == ["begin", "end"]
    assert log.changed == sorted(set(log.changed))
    assert row.value == log.changed[-1] > 40
    assert edit(row).text() == str(row.value)
    assert abs(handle(row).x() - start.x() - 40) <= 1


@pytest.mark.parametrize(("side", "expected"), [(-500, 2), (500, 8192)])
def test_a_drag_past_either_end_gives_that_end(make_row, side, expected):
    row, log = make_row(Scale(2, 8192, logarithmic=True, even=True), value=64)
    QTest.mousePress(slider(row), LEFT, pos=handle(row))
    QTest.mouseMove(slider(row), handle(row) + QPoint(side, 0))
    QTest.mouseRelease(slider(row), LEFT)
    assert log.changed == [expected]


@pytest.mark.parametrize("scale", [Scale(0, 127), Scale(0, 7), Scale(2, 1_048_576, logarithmic=True)])
def test_a_click_on_the_groove_jumps_there(make_row, scale):
    row, log = make_row(scale, value=scale.low)
    x = slider(row).width() * 3 // 4
    QTest.mouseClick(slider(row), LEFT, pos=QPoint(x, handle(row).y()))
    assert log.changed == [row.value]
    assert log.drags == ["begin", "end"]
    spacing = slider(row).width() / max(1, min(scale.places, slider(row).width()))
    assert abs(handle(row).x() - x) <= spacing


def test_the_right_button_moves_nothing(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    QTest.mouseClick(slider(row), Qt.MouseButton.RightButton, pos=QPoint(60, 10))
    assert log.changed == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Qt.Key.Key_Right, 1_000_001),
        (Qt.Key.Key_Up, 1_000_001),
        (Qt.Key.Key_Left, 999_999),
        (Qt.Key.Key_Down, 999_999),
        (Qt.Key.Key_PageUp, 1_048_576),
        (Qt.Key.Key_PageDown, 500_000),
        (Qt.Key.Key_Home, 2),
        (Qt.Key.Key_End, 1_048_576),
    ],
)
def test_keys_on_a_long_logarithmic_range(make_row, key, value):
    row, log = make_row(Scale(2, 1_048_576, logarithmic=True), value=1_000_000)
    slider(row).setFocus()
    QTest.keyClick(slider(row), key)
    assert log.changed == [value]
    assert edit(row).text() == str(value)
    assert log.drags == ["begin", "end"]


def test_a_key_held_down_is_one_drag(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    slider(row).setFocus()
    for _ in range(5):
        QTest.keyPress(slider(row), Qt.Key.Key_Right)
    QTest.keyRelease(slider(row), Qt.Key.Key_Right)
    assert log.changed == [13, 14, 15, 16, 17]
    assert log.drags == ["begin", "end"]


def test_arrows_in_the_field_step_too(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    edit(row).setFocus()
    QTest.keyClick(edit(row), Qt.Key.Key_Up)
    QTest.keyClick(edit(row), Qt.Key.Key_PageDown)
    assert log.changed == [13, 0]


def test_a_double_click_resets(make_row):
    row, log = make_row(Scale(0, 127), default=12, value=90)
    QTest.mouseDClick(slider(row), LEFT, pos=handle(row))
    assert log.changed == [12]
    row.set_value(50)
    QTest.mouseDClick(row.findChild(QLabel), LEFT)
    assert log.changed == [12, 12]
    QTest.mouseDClick(row.findChild(QLabel), LEFT)
    assert log.changed == [12, 12]


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,5", 1.5), ("1.5", 1.5), ("1e6", 1e6), (" 7 ", 7.0), ("-3", -3.0), ("1 000", 1000.0), ("1e12", 1e12)],
)
def test_typed_numbers(make_row, text, value):
    row, log = make_row(Scale(1.1, 1e9, whole=False, logarithmic=True), value=10000.0)
    type_text(row, text)
    assert log.changed == [value]
    assert type(log.changed[0]) is float
    assert row.error_text() == ""


@pytest.mark.parametrize("text", ["abc", "", "nan", "inf", "10,000", "1..2"])
def test_texts_that_are_no_number_are_refused_in_a_sentence(make_row, text):
    row, log = make_row(Scale(1.1, 1e9, whole=False, logarithmic=True), value=10000.0)
    type_text(row, text)
    assert log.changed == log.asked == []
    assert len(log.refused) == 1
    assert log.refused[0].startswith(f"Thing is {text!r}")
    assert log.refused[0] in row.error_text()
    assert edit(row).text() == text
    QTest.keyClick(edit(row), Qt.Key.Key_Escape)
    assert edit(row).text() == "10000"
    assert row.error_text() == ""


def test_a_fraction_for_a_whole_number_is_refused(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    type_text(row, "1,5")
    assert log.changed == []
    assert "not a whole number" in row.error_text()


def test_leaving_commits_and_a_refused_text_stays(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    type_text(row, "40", Qt.Key.Key_Tab)
    assert log.changed == [40]
    type_text(row, "abc", Qt.Key.Key_Tab)
    assert log.changed == [40]
    assert edit(row).text() == "abc"
    assert "'abc'" in row.error_text()
    type_text(row, "abd")
    slider(row).setFocus()
    assert len(log.refused) == 2
    assert edit(row).text() == "abd"
    assert "'abd'" in row.error_text()
    QTest.keyClick(slider(row), Qt.Key.Key_Right)
    assert edit(row).text() == "41"


def test_escape_reverts_an_uncommitted_text(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    type_text(row, "99", Qt.Key.Key_Escape)
    slider(row).setFocus()
    assert log.changed == []
    assert edit(row).text() == "12"


def test_half_typed_text_gives_way_to_a_value_that_came_by_other_ways(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    edit(row).setFocus()
    edit(row).selectAll()
    QTest.keyClicks(edit(row), "4")
    row.set_value(12)
    assert edit(row).text() == "4"
    row.set_value(13)
    assert edit(row).text() == "13"
    assert log.changed == []


def test_setting_from_the_model_says_nothing(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    for value in (0, 127, 64):
        row.set_value(value)
        assert edit(row).text() == str(value)
        assert slider(row).value() == value
    row.set_range(0, 9)
    row.set_range(0, 1_048_575)
    row.set_value(1_048_575)
    assert slider(row).value() == slider(row).maximum()
    assert log.changed == log.asked == []


def test_a_typed_odd_value_is_not_rounded_back_by_the_slider(make_row):
    row, log = make_row(Scale(2, 8192, logarithmic=True, even=True), value=64)
    type_text(row, "4097")
    assert log.changed == [4097]
    assert row.value == 4097
    assert edit(row).text() == "4097"


def test_a_derived_value(make_row):
    row, log = make_row(Scale(2, 64, even=True), value=None, optional=True)
    row.set_value(None, 64)
    assert edit(row).text() == ""
    assert edit(row).placeholderText() == "auto (64)"
    assert slider(row).value() == slider(row).maximum()
    slider(row).setFocus()
    QTest.keyClick(slider(row), Qt.Key.Key_Left)
    assert log.changed == [62]
    type_text(row, "")
    assert log.changed == [62, None]
    type_text(row, "32")
    type_text(row, "auto")
    assert log.changed == [62, None, 32, None]
    QTest.mouseDClick(slider(row), LEFT, pos=QPoint(5, 8))
    assert log.changed == [62, None, 32, None]


def test_the_wheel_scrolls_past_unless_the_slider_has_the_focus(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    edit(row).setFocus()
    assert not _turn_wheel(slider(row))
    assert log.changed == []
    slider(row).setFocus()
    assert _turn_wheel(slider(row))
    assert log.changed == [13]


def _turn_wheel(widget) -> bool:
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        widget.mapToGlobal(middle),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_hiding_in_mid_drag_ends_the_drag(make_row):
    row, log = make_row(Scale(0, 127), value=12)
    QTest.mousePress(slider(row), LEFT, pos=handle(row))
    row.hide()
    assert log.drags == ["begin", "end"]
