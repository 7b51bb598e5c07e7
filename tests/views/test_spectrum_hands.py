"""The spectrum under mouse and keys: the cursor, the buttons, the arrow keys."""

from __future__ import annotations

import itertools
import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.part_spectrum import spectrum_part
from pe_desktop.core.parts import Cursor, Viewport
from pe_desktop.core.state import LabState
from pe_desktop.model.lab import Lab
from pe_desktop.theme import LIGHT
from pe_desktop.views.spectrum import SpectrumView

YARN = {"extension": "yarn", "factor": 8.0, "trained_length": 8192}
LONG = {"extension": "longrope", "factor": 8.0}
DYNAMIC = {"extension": "dynamic", "factor": 8.0}
SIZES = ((560, 400), (350, 300))


@pytest.fixture
def put(lab):
    """Give the view the spectrum of a state."""

    def given(mode="wavelengths", scheme="rope", dimension=128, length=32_768, head=0, **params):
        lab.state = LabState().change(
            {"scheme": scheme, "dimension": dimension, "length": length, "params": params, "head": head}
        )
        part = spectrum_part(lab.state, Viewport(spectrum=mode))
        lab.show(spectrum=part)
        return part

    return given


@pytest.fixture
def view(lab, show, put):
    view = show(SpectrumView(lab, LIGHT))
    put(**YARN)
    return view


def pixel(view, level):
    return view.plot.x_pixel(level.at) if level.upright else view.plot.y_pixel(level.at)


class TestCursor:
    def test_hovering_names_the_pair(self, view, lab, mouse_on):
        mouse_on(view.plot).hover(view.plot.x_pixel(50) + 1, view.plot.area.center().y())
        assert lab.cursor == Cursor(view="spectrum", pair=50)
        assert view.marks.cursor_line.at == pytest.approx(view.plot.x_pixel(50), abs=1)
        turns = 8192 / (2 * math.pi * 10_000 ** (50 / 64))
        assert view.marks.cursor_tag.text == f"pair 50: λ 8.38k → 67k, {turns:.3g} turns"

    def test_leaving_takes_the_cursor_away(self, view, lab, mouse_on):
        mouse_on(view.plot).hover(view.plot.x_pixel(50), view.plot.area.center().y())
        mouse_on(view.plot).hover(2, 2)
        assert lab.cursor.pair is None
        assert view.marks.cursor_line.at is None
        assert view.marks.cursor_tag.text == ""

    def test_a_pair_of_another_view_is_shown(self, view, lab):
        lab.set_cursor(Cursor(view="rotation", pair=3, position=12))
        assert view.marks.cursor_tag.text.startswith(f"pair 3: λ {2 * math.pi * 10_000 ** (3 / 64):.3g}, ")
        lab.set_cursor(Cursor(view="rotation", pair=400, position=12))
        assert view.marks.cursor_line.at is None

    def test_a_pair_that_stands_still(self, view, lab, put):
        put(extension="proportional")
        lab.set_cursor(Cursor(view="rotation", pair=40))
        assert view.marks.cursor_tag.text == "pair 40 does not turn"

    @pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
    def test_hovering_a_length(self, view, lab, put, mouse_on, share):
        put("base", **DYNAMIC)
        area = view.plot.area
        mouse_on(view.plot).hover(round(area.left() + share * (area.width() - 1)), area.center().y())
        wanted = 4096 * 256 ** ((round(share * (area.width() - 1))) / area.width())
        assert lab.cursor.view == "spectrum"
        assert lab.cursor.place == pytest.approx(wanted, rel=0.02)
        assert view.marks.cursor_tag.text == f"length {lab.cursor.place:,}"

    def test_clicking_a_length_goes_there(self, view, lab, put, mouse_on):
        put("base", **DYNAMIC)
        mouse_on(view.plot).click(view.plot.x_pixel(math.log10(100_000)), view.plot.area.center().y())
        assert len(lab.requests) == 1
        assert lab.requests[0]["length"] == pytest.approx(100_000, rel=0.02)

    def test_clicking_a_head_chooses_it(self, view, lab, put, mouse_on):
        put(scheme="alibi")
        mouse_on(view.plot).click(view.plot.x_pixel(5), view.plot.area.center().y())
        assert lab.requests == [{"head": 5}]

    def test_clicking_a_pair_asks_for_nothing(self, view, lab, mouse_on):
        mouse_on(view.plot).click(view.plot.x_pixel(5), view.plot.area.center().y())
        assert lab.requests == []

    @pytest.mark.parametrize("length", [2, 3, 1000])
    def test_distances_end_with_the_sequence(self, view, lab, put, mouse_on, length):
        put(scheme="kerple", length=length, dimension=64)
        area = view.plot.area
        for x, wanted in ((area.left() + 1, 1), (area.right() - 1, length - 1)):
            mouse_on(view.plot).hover(x, area.center().y())
            assert lab.cursor.place == pytest.approx(wanted, rel=0.03)
        assert 1 <= lab.cursor.place <= length - 1

    def test_hovering_a_cell_outlines_it_in_all_maps(self, view, lab, put, mouse_on):
        put("cache", **LONG)
        cell = view.maps.maps[1].layout.cell(30, 12).center()
        mouse_on(view.plot).hover(cell.x(), cell.y())
        assert lab.cursor == Cursor(view="spectrum", query=30, key=12)
        for item in view.maps.maps:
            assert item.cursor.rect.center().x() == pytest.approx(item.layout.cell(30, 12).center().x(), abs=1)


class TestButtons:
    @pytest.mark.parametrize(
        ("params", "more"), [(YARN, []), (LONG, ["switch", "cache"]), (DYNAMIC, ["base", "cache"])]
    )
    def test_only_where_there_is_a_choice(self, view, put, params, more):
        put(**params)
        shown = [name for name, button in view.buttons.items() if not button.isHidden()]
        assert shown == (["wavelengths", *more] if more else [])

    def test_a_click_asks_for_the_picture(self, view, lab, put):
        put(**LONG)
        QTest.mouseClick(view.buttons["switch"], Qt.MouseButton.LeftButton)
        assert lab.viewport.spectrum == "switch"
        put("switch", **LONG)
        assert view.buttons["switch"].isChecked()
        assert view.header.title == "Switch"
        put("switch", **DYNAMIC)
        assert view.buttons["wavelengths"].isChecked()

    def test_equal_lists_still_let_one_go_back(self, view, put, lab):
        put(**LONG)
        lab.set_viewport(spectrum="switch")
        put("switch", extension="longrope", factor=1.0)
        assert view.message.isVisible()
        assert view.buttons["switch"].isChecked()
        assert view.buttons["wavelengths"].isVisible()

    def test_maps_and_lines_take_turns(self, view, put):
        part = put("cache", **LONG)
        assert not view.curves["main"].isVisible()
        assert not view.plot.left_axis.isVisible()
        assert all(item.shown for item in view.maps.maps)
        assert all(item.image.image.shape == part.maps[0].shape for item in view.maps.maps)
        assert view.marks.shade.path().isEmpty()
        assert all(tag.text == "" for tag in view.marks.tags)
        put(**LONG)
        assert view.curves["main"].isVisible()
        assert not any(item.shown for item in view.maps.maps)

    def test_maps_are_apart_and_within_the_plot(self, view, put):
        put("cache", **LONG)
        cells = [item.layout.cells for item in view.maps.maps]
        assert all(view.plot.area.contains(each) for each in cells)
        assert not any(a.intersects(b) for a, b in itertools.combinations(cells, 2))
        assert view.maps.maps[0].title.text() == "Cached keys  ±1"

    def test_the_real_lab_makes_it_only_while_shown(self, qapp, qtbot, show):
        lab = Lab(blocking=True)
        view = show(SpectrumView(lab, LIGHT))
        lab.request(scheme="rope", params=LONG)
        QApplication.processEvents()
        assert view.part.kind == "wavelengths"
        QTest.mouseClick(view.buttons["cache"], Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert view.part.kind == "cache"
        lab.set_cursor(Cursor(view="spectrum", query=3, key=5))
        assert "with the cached key" in lab.formula
        view.hide()
        QApplication.processEvents()
        assert lab.snapshot.part("spectrum") is None
        lab.close()


class TestKeys:
    def test_tab_stops_at_the_picture_and_arrows_move_the_cursor_by_a_pair(self, view, lab, put):
        put(**YARN)
        assert view.plot.focusPolicy() & Qt.FocusPolicy.TabFocus
        QTest.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=view.plot.area.center().toPoint())
        assert view.plot.hasFocus()
        lab.set_cursor(Cursor(view="matrix", pair=5))
        for key, pair in ((Qt.Key.Key_Right, 6), (Qt.Key.Key_Left, 5), (Qt.Key.Key_Left, 4)):
            QTest.keyClick(view.plot, key)
            assert (lab.cursor.view, lab.cursor.pair) == ("spectrum", pair)
        lab.set_cursor(Cursor(view="spectrum", pair=63))
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.cursor.pair == 63
        lab.set_cursor(Cursor())
        QTest.keyClick(view.plot, Qt.Key.Key_Left)
        assert lab.cursor.pair == 0

    def test_along_lengths_they_go_from_point_to_point(self, view, lab, put):
        part = put("base", **DYNAMIC)
        assert part.kind == "base"
        points = sorted({round(10.0**x) for x in part.series[-1].x})
        seen = []
        for _ in range(3):
            QTest.keyClick(view.plot, Qt.Key.Key_Right)
            seen.append(lab.cursor.place)
        assert seen == points[:3]
        QTest.keyClick(view.plot, Qt.Key.Key_Left)
        assert lab.cursor.place == points[1]
        lab.set_cursor(Cursor(view="spectrum", place=points[-1]))
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.cursor.place == points[-1]

    def test_among_slopes_they_choose_the_head(self, view, lab, put):
        assert put(scheme="alibi", head=2).kind == "slopes"
        QTest.keyClick(view.plot, Qt.Key.Key_Right)
        assert lab.requests[-1] == {"head": 3}
