"""Rows made from metadata alone: which there are, which can be seen, and what they ask for."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, make_dataclass
from typing import ClassVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QSlider, QWidget

from pe_desktop.controls.look import look_of
from pe_desktop.controls.parameter_panel import ParameterPanel
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.core.scheme import Scheme, parameter
from pe_desktop.theme import LIGHT

LEFT = Qt.MouseButton.LeftButton
ONE, TWO = ("mode", ("one",)), ("mode", ("two",))
MODES = (("none", "None"), ("one", "One"), ("two", "Two"), ("both", "Both"))


@dataclass(frozen=True, kw_only=True)
class Modes(Scheme):
    """Each kind of parameter, most of which play a part in one mode only."""

    id: ClassVar[str] = "modes"
    title: ClassVar[str] = "Modes"
    base: float = parameter("Base", float, 10.0, minimum=1.0, maximum=100.0)
    one_list: tuple = parameter("List", tuple, (1.0, 2.0), minimum=0.0, maximum=9.0, when=("mode", ("one", "both")))
    two_flag: bool = parameter("Flag", bool, True, when=("mode", ("two", "both")))
    mode: str = parameter("Mode", str, "none", choices=MODES, brings=(("one", (("factor", 4.0), ("base", 50.0))),))
    factor: float | None = parameter(
        "Factor", float, None, minimum=1.0, maximum=1e6, slider=(1.0, 128.0), logarithmic=True, derived="2", when=ONE
    )
    width: int | None = parameter(
        "Width", int, None, minimum=2, maximum=8192, unit="dimensions", derived="the model dimension", when=TWO
    )
    given: float | None = parameter("Given", float, None, maximum=2.0, derived="not given", when=TWO)

    def effective(self):
        resolved = {"factor": 2.0 if self.factor is None else self.factor, "width": self.width or self.dimension}
        used = super().effective()
        return used | {name: value for name, value in resolved.items() if name in used}


NAMES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
Many = make_dataclass(
    "Many",
    [(name, float, parameter(f"The {name}", float, 1.0, maximum=2.0)) for name in NAMES],
    bases=(Scheme,),
    namespace={"title": "Many"},
    frozen=True,
    kw_only=True,
)


class Place:
    """A panel with a lab that takes everything."""

    def __init__(self, qtbot, **options) -> None:
        self.requests: list = []
        self.drags: list[str] = []
        self.panel = ParameterPanel(Requests(self), **options)
        qtbot.addWidget(self.panel)
        self.panel.set_look(look_of(LIGHT))
        self.rebuilt = 0
        self.panel.rebuilt.connect(self.on_rebuilt)
        self.panel.resize(320, 500)
        with qtbot.waitActive(self.panel):
            self.panel.show()
            self.panel.activateWindow()

    def request(self, **changes) -> bool:
        self.requests.append(changes)
        return True

    def begin_drag(self) -> None:
        self.drags.append("begin")

    def end_drag(self) -> None:
        self.drags.append("end")

    def on_rebuilt(self) -> None:
        self.rebuilt += 1

    def put(self, kind: type[Scheme] = Modes, dimension: int = 64, **given) -> None:
        self.panel.show_parameters(kind(dimension=dimension, **given), given, dimension)
        QApplication.processEvents()

    def seen(self) -> list[str]:
        """Names of the rows that can be seen, from top to bottom."""
        rows = [row for row in self.panel.findChildren(QWidget) if hasattr(row, "field") and row.isVisible()]
        return [row.field for row in sorted(rows, key=lambda row: row.mapTo(self.panel, QPoint(0, 0)).y())]


@pytest.fixture
def place(qtbot):
    return Place(qtbot)


def test_only_what_plays_a_part_is_seen_and_in_order(place):
    always = ["base", "mode"]
    expected = {
        "none": always,
        "two": ["base", "two_flag", "mode", "width", "given"],
        "one": ["base", "one_list", "mode", "factor"],
        "both": ["base", "one_list", "two_flag", "mode"],
    }
    for mode in ("none", "two", "one", "both", "none", "both", "two"):
        place.put(mode=mode)
        assert place.seen() == expected[mode]
        assert list(place.panel.field_rows()) == expected[mode]
    assert place.requests == []


def test_a_row_is_made_when_it_is_needed_and_only_once(place):
    place.put()
    assert place.panel.findChild(QWidget, "param_factor") is None
    for mode in ("one", "two", "both"):
        place.put(mode=mode)
    place.put(Many)
    made = len(place.panel.findChildren(QWidget))
    row = place.panel.findChild(QWidget, "param_factor")
    for mode in ("none", "one", "two", "both") * 2:
        place.put(mode=mode)
        place.put(Many)
    assert len(place.panel.findChildren(QWidget)) == made
    assert place.panel.findChild(QWidget, "param_factor") is row


def test_it_tells_only_when_its_rows_change(place):
    place.put()
    assert place.rebuilt == 1
    place.put(base=20.0)
    assert place.rebuilt == 1
    place.put(mode="one")
    place.put(mode="one", factor=9.0)
    assert place.rebuilt == 2
    place.put(Many)
    assert place.rebuilt == 3


def test_tab_passes_hidden_rows_by(place):
    place.put(mode="two")
    place.put(mode="one")
    stops = place.panel.focus_widgets()
    for before, after in itertools.pairwise(stops):
        QWidget.setTabOrder(before, after)
    stops[0].setFocus()
    seen = []
    for _ in range(7):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget().objectName())
    assert seen == [
        "param_base_slider",
        "param_base_edit",
        "param_one_list_edit",
        "param_mode",
        "param_factor_slider",
        "param_factor_edit",
        "parameters_header",
    ]


def test_the_summary_names_a_few_and_counts_the_rest(place):
    place.put()
    assert place.panel.header.summary == "base, mode"
    place.put(mode="one")
    assert place.panel.header.summary == "base, list, mode, factor"
    place.put(Many)
    assert place.panel.header.summary == (
        "the first, the second, the third, the fourth, the fifth, the sixth and 2 more"
    )
    assert place.panel.header.text() == "Many"


def test_an_optional_number_is_dragged_from_what_is_used(place):
    place.put(mode="one")
    row = place.panel.findChild(SliderRow, "param_factor")
    edit, slider = place.panel.findChild(QLineEdit, "param_factor_edit"), row.findChild(QSlider)
    assert (edit.text(), edit.placeholderText()) == ("", "auto (2)")
    assert row.scale.value(slider.value()) == pytest.approx(2.0, rel=1e-3)
    handle = slider._handle().center()
    QTest.mousePress(slider, LEFT, pos=handle)
    assert place.requests == []
    QTest.mouseMove(slider, handle + QPoint(4, 0))
    QTest.mouseRelease(slider, LEFT, pos=handle + QPoint(4, 0))
    assert place.drags == ["begin", "end"]
    (request,) = place.requests
    assert 2.0 < request["params"]["factor"] < 4.0
    place.put(mode="one", factor=request["params"]["factor"])
    QTest.mouseDClick(row.findChild(QLabel), LEFT)
    assert place.requests[-1] == {"params": {"factor": None}}


def test_a_slider_in_powers_reaches_both_ends_and_typing_and_steps_go_beyond(place):
    place.put(mode="one")
    row = place.panel.findChild(SliderRow, "param_factor")
    slider, edit = row.findChild(QSlider), row.findChild(QLineEdit)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert place.requests[-1] == {"params": {"factor": 128.0}}
    middle = row.scale.value(slider.maximum() // 2)
    assert middle == pytest.approx(128**0.5, rel=1e-2)
    place.put(mode="one", factor=500.0)
    assert edit.text() == "500"
    assert slider.value() == slider.maximum()
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert place.requests[-1] == {"params": {"factor": 505.0}}
    place.put(mode="one", factor=1e6)
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert place.requests[-1] == {"params": {"factor": 505.0}}
    QTest.keyClick(edit, Qt.Key.Key_Down)
    assert place.requests[-1]["params"]["factor"] == pytest.approx(990_100.0)


def test_what_is_not_given_reads_none_and_a_derived_number_reads_auto(place):
    place.put(mode="two", dimension=96)
    hints = {
        name: place.panel.findChild(QLineEdit, f"param_{name}_edit").placeholderText() for name in ("width", "given")
    }
    assert hints == {"width": "auto (96)", "given": "none"}
    edit = place.panel.findChild(QLineEdit, "param_given_edit")
    edit.setFocus()
    QTest.keyClicks(edit, "1.5")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    place.put(mode="two", given=1.5)
    edit.selectAll()
    QTest.keyClicks(edit, "none")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert place.requests == [{"params": {"given": 1.5}}, {"params": {"given": None}}]


def test_a_derived_number_is_never_cut(place):
    for dimension in (2, 8192):
        place.put(mode="two", dimension=dimension)
        edit = place.panel.findChild(QLineEdit, "param_width_edit")
        assert str(dimension) in edit.placeholderText()
        assert edit.fontMetrics().horizontalAdvance(edit.placeholderText()) <= edit.width() - 10


def test_a_choice_brings_first_values_to_what_is_at_its_default(place):
    place.put(base=20.0)
    combo = place.panel.findChild(QComboBox, "param_mode")
    combo.setCurrentIndex(combo.findData("one"))
    assert place.requests == [{"params": {"mode": "one", "factor": 4.0}}]
    combo.setCurrentIndex(combo.findData("two"))
    assert place.requests[1:] == [{"params": {"mode": "two"}}]
    place.put()
    combo.setCurrentIndex(combo.findData("one"))
    assert place.requests[-1] == {"params": {"mode": "one", "factor": 4.0, "base": 50.0}}


def test_a_panel_of_another_group_asks_in_its_name(qtbot):
    other = Place(qtbot, name="seconds", group="second_params")
    other.put(mode="one")
    edit = other.panel.findChild(QLineEdit, "second_params_one_list_edit")
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "3 4")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert other.requests == [{"second_params": {"one_list": (3.0, 4.0)}}]
    assert other.panel.findChild(QWidget, "seconds_header") is other.panel.header
