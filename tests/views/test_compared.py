"""The second scheme in the views: a dashed curve, and A, B or A − B as the picture."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.snapshot import compute
from pe_desktop.core.state import LabState
from pe_desktop.theme import LIGHT, THEMES
from pe_desktop.views import MatrixView, SimilarityView
from pe_desktop.views.plotting import diverging_steps
from pe_desktop.views.scores import ScoresView

MODES = ("a", "b", "difference")


@pytest.fixture
def give(lab):
    """Hand out the whole snapshot of a state, as the views have announced that they show it."""

    def given(**changes):
        first = {name: value for name, value in changes.items() if name != "compare_params"}
        state = LabState().change(first)
        if "compare_params" in changes:
            state = state.change({"compare_params": changes["compare_params"]})
        lab.state = state
        lab.snapshot = compute(state, lab.viewport, previous=lab.snapshot)
        lab.snapshot_ready.emit(lab.snapshot)
        return lab.snapshot

    return given


@pytest.fixture(params=[MatrixView, ScoresView])
def plane(request, lab, show):
    return show(request.param(lab, LIGHT))


def press(view, mode):
    QTest.mouseClick(view.buttons[mode], Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def parts(snapshot, view):
    name = view.part_name
    return {
        "a": snapshot.part(name),
        "b": snapshot.part(f"compare.{name}"),
        "difference": snapshot.part(f"compare.{name}_difference"),
    }


def test_buttons_are_there_only_while_something_is_compared(plane, give):
    give()
    assert not any(button.isVisible() for button in plane.buttons.values())
    give(compare="sinusoidal", compare_params={"base": 500.0})
    assert [plane.buttons[mode].text() for mode in MODES] == ["A", "B", "A − B"]
    assert all(plane.buttons[mode].isVisible() for mode in MODES)
    assert [plane.buttons[mode].isChecked() for mode in MODES] == [True, False, False]
    give()
    assert not any(button.isVisible() for button in plane.buttons.values())


def test_each_button_shows_its_picture(plane, give):
    snapshot = give(compare="sinusoidal", compare_params={"base": 500.0})
    for mode in ("b", "difference", "a"):
        press(plane, mode)
        part = parts(snapshot, plane)[mode]
        assert plane.part is part
        assert np.array_equal(plane.image.image, diverging_steps(part.values, part.scale))
        assert plane.header.title == part.title
        assert plane.sentence.text == plane.accessibleDescription() == part.sentence
    press(plane, "difference")
    part = parts(snapshot, plane)["difference"]
    assert plane.bar.texts[0] != "1"
    assert part.scale == pytest.approx(float(np.abs(part.values).max()))
    assert plane.header.title.startswith("A − B: ")


def test_the_choice_outlives_the_comparison(plane, give):
    give(compare="sinusoidal", compare_params={"base": 500.0})
    press(plane, "difference")
    snapshot = give()
    assert plane.part is parts(snapshot, plane)["a"]
    snapshot = give(compare="sinusoidal", compare_params={"base": 700.0})
    assert plane.part is parts(snapshot, plane)["difference"]


def test_a_picture_of_another_shape_and_kind(lab, show, give):
    view = show(MatrixView(lab, LIGHT))
    give(scheme="rope", compare="rope", compare_params={"rotary_dimension": 32})
    press(view, "b")
    assert view.part.shape == (128, 32)
    assert view.plot.x_range == (0.0, 32.0)
    press(view, "difference")
    assert view.message.isVisible()
    assert view.message.text == "A's matrix has 64 columns and B's 32: there is no difference to draw."
    assert view.buttons["a"].isVisible()
    press(view, "a")
    assert not view.message.isVisible()
    assert view.plot.x_range == (0.0, 64.0)
    give(scheme="rope", compare="alibi")
    press(view, "b")
    assert (view.part.kind, view.part.column_label) == ("bias", "key position")


def test_a_pending_difference_is_announced(lab, show, give):
    view = show(MatrixView(lab, LIGHT))
    give(compare="sinusoidal", compare_params={"base": 500.0})
    press(view, "difference")
    state = LabState().change({"compare": "learned", "dimension": 2048, "length": 2048})
    quick = compute(state.change({"compare_params": {"trained_length": 8192}}), lab.viewport, full=False)
    lab.snapshot = quick
    lab.snapshot_ready.emit(quick)
    assert view.part is quick.compare.matrix_difference
    assert view.part.exact is False
    assert not view.message.isVisible()


def test_what_the_cursor_is_on_is_told_by_the_picture_shown(plane, lab, give, mouse_on):
    give(compare="sinusoidal", compare_params={"base": 500.0})
    for row, mode in enumerate(MODES):
        press(plane, mode)
        mouse_on(plane.plot).hover(plane.plot.x_pixel(5.5), plane.plot.y_pixel(row + 30.5))
        assert (lab.cursor.view, lab.cursor.position, lab.cursor.column) == (plane.part_name, row + 30, 5)
        assert lab.cursor.sentence == mode


def test_a_click_in_the_difference_chooses_the_spot(lab, show, give, mouse_on):
    view = show(MatrixView(lab, LIGHT))
    give(compare="sinusoidal", compare_params={"base": 500.0})
    press(view, "difference")
    mouse_on(view.plot).click(view.plot.x_pixel(5.5), view.plot.y_pixel(44.5))
    assert lab.requests == [{"position": 44}]


def test_the_keyboard_reaches_the_buttons(plane, give):
    give(compare="sinusoidal", compare_params={"base": 500.0})
    button = plane.buttons["b"]
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert plane.mode == "b"
    assert button.toolTip()


# The curve --------------------------------------------------------------------------------------------------------


@pytest.fixture
def curve(lab, show):
    return show(SimilarityView(lab, LIGHT))


def test_b_is_dashed_in_the_colour_of_the_other(curve, give):
    snapshot = give(scheme="rope", compare="rope", compare_params={"base": 500.0})
    x, y = curve.second.getData()
    assert np.array_equal(x, snapshot.compare.similarity.x)
    assert np.array_equal(y, snapshot.compare.similarity.low)
    pen = curve.second.opts["pen"]
    assert pen.style() == Qt.PenStyle.DashLine
    assert pen.color().name().upper() == LIGHT.other
    assert curve.curve.opts["pen"].style() == Qt.PenStyle.SolidLine
    assert np.array_equal(curve.curve.getData()[1], snapshot.similarity.low)
    assert curve.legend.texts == ("A: RoPE", "B: RoPE")


def test_the_legend_stands_above_the_plot_and_only_while_comparing(curve, give):
    give()
    alone = curve.plot.area.top()
    assert curve.legend.texts == ()
    give(compare="rope")
    assert curve.plot.area.top() >= curve.legend.height_for(400.0) + 2
    assert curve.legend.texts == ("A: Sinusoidal", "B: RoPE")
    give()
    assert curve.plot.area.top() == alone
    assert curve.second.getData()[0] is None or not len(curve.second.getData()[0])


@pytest.mark.parametrize("name", list(THEMES))
def test_the_second_curve_reaches_the_pixels(lab, show, give, name):
    theme = THEMES[name]
    view = show(SimilarityView(lab, theme), 700, 300)
    give(scheme="rope", compare="rope", compare_params={"base": 1e8})
    image = view.plot.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).astype(int)
    greener = pixels[:, :, 1] - pixels[:, :, 2] > 40  # blue, green, red; nothing else here is green
    top = round(view.plot.area.top() * image.devicePixelRatio())
    assert greener[top + 2 :].sum() > 100
    assert greener[: top - 2].sum() > 5  # its stroke in the legend


def test_short_names_where_there_is_no_room(lab, show, give):
    view = show(SimilarityView(lab, THEMES["projector"]), 300, 260)
    give(scheme="transformer_xl", compare="transformer_xl")
    assert view.legend.texts == ("A", "B")
    view.resize(900, 260)
    QApplication.processEvents()
    assert view.legend.texts == ("A: Transformer-XL", "B: Transformer-XL")


def test_both_curves_fit_into_the_range(curve, give):
    give(scheme="alibi", compare="alibi", compare_params={"max_bias": 1.0})
    lowest = min(float(item.getData()[1].min()) for item in (curve.curve, curve.second))
    assert curve.plot.y_range[0] <= lowest
    give(scheme="sinusoidal", compare="learned")
    assert curve.plot.y_range[0] <= float(curve.second.getData()[1].min())


def test_a_curve_without_a_common_axis_is_not_drawn(curve, give):
    give(compare="alibi")
    assert curve.legend.texts == ()
    assert curve.sentence.text.endswith("they share no axis, so B is not drawn.")


def test_a_curve_follows_b_alone(curve, give):
    give(scheme="rope", compare="rope", compare_params={"base": 500.0})
    before = curve.second.getData()[1].copy()
    own = curve.curve.getData()[1].copy()
    give(scheme="rope", compare="rope", compare_params={"base": 900.0})
    assert not np.array_equal(curve.second.getData()[1], before)
    assert np.array_equal(curve.curve.getData()[1], own)


def test_a_band_in_a_long_sequence(curve, give):
    snapshot = give(scheme="rope", length=100_000, compare="rope", compare_params={"base": 500.0})
    other = snapshot.compare.similarity
    x, y = curve.second.getData()
    assert len(x) == 2 * len(other.x)
    assert y.min() == other.low.min()
    assert y.max() == other.high.max()
