"""The dock on a model: both directions, and never in a circle."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QSlider, QWidget

from pe_desktop.controls.slider_row import SliderRow
from pe_desktop.core.scheme import REGISTRY
from pe_desktop.core.state import LabState
from pe_desktop.theme import THEMES

LEFT = Qt.MouseButton.LeftButton


def type_into(dock, name: str, text: str, key=Qt.Key.Key_Return) -> QLineEdit:
    edit = dock.findChild(QLineEdit, name)
    edit.setFocus()
    edit.selectAll()
    QTest.keyClick(edit, Qt.Key.Key_Delete)
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, key)
    return edit


def error_of(dock, name: str) -> str:
    line = dock.findChild(QWidget, f"{name}_error")
    return line.text() if line is not None and line.isVisible() else ""


def data_of(combo: QComboBox) -> list[str]:
    return [combo.itemData(index) for index in range(combo.count()) if combo.itemData(index)]


def test_it_starts_with_the_model_and_asks_for_nothing(dock, lab):
    assert lab.requests == lab.drags == []
    assert dock.findChild(QComboBox, "scheme").currentText() == "Sinusoidal"
    assert data_of(dock.findChild(QComboBox, "scheme")) == list(REGISTRY)
    for name in ("dimension", "length", "position", "key_position", "head", "seed"):
        assert dock.findChild(SliderRow, name).value == getattr(lab.state, name)
        assert dock.findChild(QLineEdit, f"{name}_edit").text() == str(getattr(lab.state, name))
    assert dock.findChild(QLineEdit, "sentence").text() == lab.state.sentence
    assert dock.findChild(QLineEdit, "param_base_edit").text() == "10000"


CHANGES = [
    {"dimension": 127},
    {"length": 1_048_576, "position": 1_048_575},
    {"length": 2},
    {"position": 100, "key_position": 3},
    {"scheme": "alibi"},
    {"scheme": "alibi", "params": {"heads": 3, "max_bias": 7.25}, "head": 2},
    {"scheme": "rope", "params": {"rotary_dimension": 32, "layout": "interleaved"}},
    {"scheme": "learned", "params": {"trained_length": 20, "seed": 5}, "seed": 7},
    {"sentence": ""},
    {"sentence": "one"},
    {"sentence": "dog dog", "swap": True},
    {"sentence": "word " * 600, "swap_words": (3, 599)},
    {"sentence": "שלום עולם 😀 مرحبا"},
    {"causal": True, "head": 7, "seed": 999_999, "swap": True, "swap_words": (0, 4)},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_what_the_model_changes_is_shown_and_never_asked_back(dock, lab, changes):
    lab.put(**changes)
    state = lab.state
    assert lab.requests == lab.drags == []
    assert dock.findChild(QComboBox, "scheme").currentData() == state.scheme
    for name in ("dimension", "length", "position", "key_position", "head", "seed"):
        assert dock.findChild(SliderRow, name).value == getattr(state, name)
    assert dock.findChild(SliderRow, "position").scale.high == state.length - 1
    assert dock.findChild(SliderRow, "head").scale.high == state.heads - 1
    assert dock.findChild(QLineEdit, "sentence").text() == state.sentence
    assert dock.findChild(QCheckBox, "swap").isChecked() == state.swap
    assert dock.findChild(QCheckBox, "causal").isChecked() == state.causal
    for name, value in state.params.get(state.scheme, {}).items():
        row = dock.findChild(QWidget, f"param_{name}")
        assert value == (row.currentData() if isinstance(row, QComboBox) else row.value)
    lab.put(**{name: getattr(LabState(), name) for name in ("scheme", "dimension", "length", "sentence", "swap")})
    assert lab.requests == []


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_themes_ask_for_nothing_and_nothing_is_wider_than_the_dock(dock, lab, settle, theme):
    dock.set_theme(theme)
    for scheme in REGISTRY:
        lab.put(scheme=scheme, length=1_048_576, swap=True)
        lab.show()
        dock.resize(dock.minimumWidth(), 840)
        settle()
        right = dock.mapToGlobal(QPoint(dock.width(), 0)).x()
        visible = [w for w in dock.findChildren(QWidget) if w.isVisible() and w.window() is dock.window()]
        assert [w for w in visible if w.mapToGlobal(QPoint(w.width(), 0)).x() > right] == []
    assert lab.requests == []


def test_sliders_and_numbers_stand_in_one_column(dock, lab, settle):
    lab.put(scheme="rope")
    settle()
    for kind, side in ((QSlider, "left"), (QLineEdit, "right")):
        names = {w.objectName(): w for w in dock.findChildren(kind) if w.isVisible()}
        edges = {
            w.mapTo(dock, getattr(w.rect(), f"top{side.capitalize()}")()).x()
            for name, w in names.items()
            if name.endswith(("_slider", "_edit"))
        }
        assert len(edges) == 1


def test_one_request_for_each_thing_a_person_does(dock, lab):
    dock.findChild(QComboBox, "scheme").setFocus()
    QTest.keyClick(dock.findChild(QComboBox, "scheme"), Qt.Key.Key_Down)
    QTest.keyClick(dock.findChild(QCheckBox, "causal"), Qt.Key.Key_Space)
    QTest.mouseClick(dock.findChild(QCheckBox, "swap"), LEFT, pos=QPoint(8, 8))
    type_into(dock, "dimension_edit", "512")
    slider = dock.findChild(QSlider, "position_slider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    type_into(dock, "param_trained_length_edit", "100")
    assert lab.requests == [
        {"scheme": "learned"},
        {"causal": True},
        {"swap": True},
        {"dimension": 512},
        {"position": 13},
        {"params": {"trained_length": 100}},
    ]
    assert lab.drags == ["begin", "end"]


def test_a_drag_is_bracketed_and_asks_for_each_value_once(dock, lab):
    slider = dock.findChild(QSlider, "length_slider")
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=QPoint(10, middle.y()))
    for x in range(10, slider.width() + 30, 3):
        QTest.mouseMove(slider, QPoint(x, middle.y()))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(slider.width() + 30, middle.y()))
    lengths = [request["length"] for request in lab.requests]
    assert lab.drags == ["begin", "end"]
    assert lengths == sorted(set(lengths))
    assert lab.state.length == 1_048_576


def test_dragging_the_dimension_meets_even_numbers_only(dock, lab):
    lab.put(scheme="rope")
    slider = dock.findChild(QSlider, "dimension_slider")
    QTest.mousePress(slider, LEFT, pos=QPoint(2, 8))
    for x in range(slider.width()):
        QTest.mouseMove(slider, QPoint(x, 8))
    QTest.mouseRelease(slider, LEFT)
    assert len(lab.requests) > 20
    assert all(request["dimension"] % 2 == 0 for request in lab.requests)
    assert error_of(dock, "dimension") == ""


def test_a_refused_number_stays_with_its_refusal_until_it_is_mended_or_reverted(dock, lab):
    edit = type_into(dock, "dimension_edit", "9000")
    assert "between 2 and 8,192" in error_of(dock, "dimension")
    assert edit.text() == "9000"
    assert dock.findChild(SliderRow, "dimension").value == 64
    lab.put(position=5)
    assert "between 2 and 8,192" in error_of(dock, "dimension")
    assert edit.text() == "9000"
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert error_of(dock, "dimension") == ""
    assert edit.text() == "64"
    position = type_into(dock, "position_edit", "500")
    assert "between 0 and 127" in error_of(dock, "position")
    type_into(dock, "param_base_edit", "abc")
    assert "between 0 and 127" in error_of(dock, "position")
    assert position.text() == "500"
    assert "'abc'" in error_of(dock, "param_base")
    type_into(dock, "param_base_edit", "1")
    assert "between 1.001" in error_of(dock, "param_base")
    type_into(dock, "param_base_edit", "10000")
    assert error_of(dock, "param_base") == ""
    assert lab.state.params == {}


def test_remedies_are_buttons_that_do_what_was_refused(dock, lab, settle):
    lab.put(dimension=63)
    combo = dock.findChild(QComboBox, "scheme")
    combo.setFocus()
    combo.setCurrentIndex(combo.findData("rope"))
    assert combo.currentData() == "sinusoidal"
    assert "must be even" in error_of(dock, "dimension")
    settle()
    buttons = dock.findChild(QWidget, "dimension_error").buttons()
    assert [button.text() for button in buttons] == ["Use 62", "Use 64"]
    QTest.mouseClick(buttons[1], LEFT)
    assert (lab.state.scheme, lab.state.dimension) == ("rope", 64)
    assert error_of(dock, "dimension") == ""


def test_a_remedy_of_a_parameter(dock, lab, settle):
    lab.put(scheme="rope")
    settle()
    type_into(dock, "param_rotary_dimension_edit", "31")
    buttons = dock.findChild(QWidget, "param_rotary_dimension_error").buttons()
    QTest.mouseClick(buttons[0], LEFT)
    assert lab.state.built.effective()["rotary_dimension"] == 30


def test_fields_of_the_same_name_are_told_apart(dock, lab, settle):
    lab.put(scheme="learned")
    settle()
    type_into(dock, "param_seed_edit", "-1")
    assert error_of(dock, "param_seed")
    type_into(dock, "seed_edit", "-1")
    assert error_of(dock, "seed")
    type_into(dock, "param_seed_edit", "1")
    assert error_of(dock, "param_seed") == ""
    assert error_of(dock, "seed")


def test_which_fields_it_shows(dock, lab):
    known = ("scheme", "dimension", "length", "position", "key_position", "sentence", "swap", "swap_words")
    assert all(dock.shows_field(name) for name in (*known, "causal", "head", "seed", "base", "layout"))
    assert not dock.shows_field("heads")
    assert not dock.shows_field("session")
    lab.put(scheme="alibi")
    assert dock.shows_field("heads")
    assert not dock.shows_field("base")
    dock.hide()
    assert not dock.shows_field("dimension")


def test_a_refusal_unfolds_its_section(dock, lab):
    QTest.mouseClick(dock.findChild(QWidget, "parameters_header"), LEFT)
    assert not dock.findChild(QWidget, "param_base").isVisible()
    lab.put(params={"base": 0.5})
    assert error_of(dock, "param_base")
    assert lab.requests == []


def test_sections_fold_by_keyboard(dock):
    header = dock.findChild(QWidget, "attention_header")
    header.setFocus()
    QTest.keyClick(header, Qt.Key.Key_Space)
    assert not dock.findChild(QWidget, "causal").isVisible()
    QTest.keyClick(header, Qt.Key.Key_Space)
    assert dock.findChild(QWidget, "causal").isVisible()


def test_a_scheme_without_parameters_says_so(dock, lab):
    lab.put(scheme="integer")
    texts = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert "This scheme has no parameters." in texts
    lab.put(scheme="sinusoidal")
    texts = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]
    assert "This scheme has no parameters." not in texts


def test_rows_are_made_once_and_come_back(dock, lab):
    row = dock.findChild(SliderRow, "param_base")
    lab.put(dimension=128, params={"base": 500.0})
    assert dock.findChild(SliderRow, "param_base") is row
    made = len(dock.findChildren(QWidget))
    lab.put(scheme="alibi")
    assert not row.isVisibleTo(dock)
    lab.put(scheme="sinusoidal")
    assert row.isVisibleTo(dock)
    first = len(dock.findChildren(QWidget))
    assert first > made
    for scheme in ("alibi", "sinusoidal", "alibi", "sinusoidal"):
        lab.put(scheme=scheme)
    assert len(dock.findChildren(QWidget)) == first


def test_switching_keeps_no_references_to_none(dock, lab, settle):
    """A callable set on a widget makes PySide look its methods up anew, which costs references each time."""

    def switch() -> None:
        for scheme in ("rope", "alibi", "sinusoidal", "rope"):
            lab.put(scheme=scheme)
            settle()
        for extension in ("yarn", "longrope", "none"):
            lab.put(params={"extension": extension})
            settle()

    for _ in range(3):
        switch()
    gc.collect()
    before = sys.getrefcount(None)
    for _ in range(20):
        switch()
    gc.collect()
    assert abs(sys.getrefcount(None) - before) < 40


def test_the_dock_itself_does_not_leak(qapp, lab):
    from pe_desktop.controls.dock import ControlDock

    dock = ControlDock(lab)
    gone = weakref.ref(dock)
    dock.deleteLater()
    del dock
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert gone() is None
    lab.put(position=1)


def test_tab_goes_down_the_dock(dock, lab, settle):
    lab.put(scheme="rope")
    lab.show()
    settle()
    dock.findChild(QComboBox, "scheme").setFocus()
    order = []
    for _ in range(50):
        order.append(QApplication.focusWidget().objectName())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if QApplication.focusWidget().objectName() == "scheme":
            break
    rows = [f"{n}_{part}" for n in ("dimension", "length", "position", "key_position") for part in ("slider", "edit")]
    assert order[: len(rows) + 5] == ["scheme", *rows, "swap", "sentence", "swap_first", "swap_second"]
    middle = order[len(rows) + 5 :]
    assert middle[0] == "parameters_header"
    assert middle.index("param_rotary_dimension_edit") < middle.index("attention_header")
    assert middle[-1] == "light_goes_past_training"


def test_every_control_has_a_name_for_those_who_cannot_see_it(dock, lab):
    lab.show()
    for scheme in REGISTRY:
        lab.put(scheme=scheme)
        for kind in (QSlider, QLineEdit, QComboBox):
            for widget in dock.findChildren(kind):
                assert widget.accessibleName(), widget.objectName()
