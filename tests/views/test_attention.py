import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.parts import Cursor
from pe_desktop.theme import DARK, LIGHT, PROJECTOR, THEMES
from pe_desktop.views import AttentionView
from pe_desktop.views.attention import CROWDED
from pe_desktop.views.heatmap import masked
from pe_desktop.views.plotting import VOID, font, sequential_table
from pe_desktop.views.words import chosen, lay_out


@pytest.fixture
def view(lab, make, show):
    view = show(AttentionView(lab, LIGHT))
    lab.show(attention=make.attention())
    return view


def middle(view, name, query, key):
    place = view.maps[name].layout.cell(query, key).center()
    return place.x(), place.y()


def test_cells_are_the_weights_in_steps_from_zero(view, lab, make):
    weights = np.array([[1.0, 0.0], [0.5, 0.25]], dtype=np.float32)
    lab.show(attention=make.attention("a b", weights_a=weights))
    assert view.maps["a"].image.image.tolist() == [[255, 1], [128, 65]]


def test_words_stand_at_both_sides(view):
    words = ["The", "dog", "bit", "the", "man"]
    assert [text for _, text in view.maps["a"].words.rows] == words
    assert [text for _, text in view.maps["a"].words.columns] == words


def test_few_words_have_their_weights_in_the_cells(view, lab, make):
    assert [text for _, _, text, _ in view.maps["a"].numbers.texts][:2] == ["0.07", "0.13"]
    lab.show(attention=make.attention(" ".join("abcdefghi")))
    assert not view.maps["a"].numbers.isVisible()
    assert view.bar.isVisible()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_numbers_contrast_with_their_cells(lab, make, show, theme):
    view = show(AttentionView(lab, theme))
    lab.show(attention=make.attention("a b", weights_a=np.array([[1.0, 0.0], [0.5, 0.5]], dtype=np.float32)))
    dark = [is_dark for *_, is_dark in view.maps["a"].numbers.texts]
    assert dark[:2] == [True, False]


def test_masked_cells_are_neutral_and_not_zero(view, lab, make):
    lab.show(attention=make.attention(causal=True))
    steps = view.maps["a"].image.image
    assert (steps[np.triu_indices(5, 1)] == VOID).all()
    assert (steps[np.tril_indices(5)] > VOID).all()
    assert tuple(sequential_table(LIGHT)[VOID]) != tuple(sequential_table(LIGHT)[1])


def test_a_pixel_is_masked_only_where_all_its_cells_are():
    steps = masked(np.ones((2, 4), dtype=np.uint8))
    assert steps.tolist() == [[1, 1, VOID, VOID], [1, 1, 1, 1]]


def test_the_swap_shows_three_maps_and_their_buttons(view, lab, make):
    assert view.buttons["all"].isHidden()
    lab.show(attention=make.attention(swapped=(1, 4)))
    assert view.shown_maps() == ("a", "b", "difference")
    assert all(view.maps[name].shown for name in view.maps)
    assert [text for _, text in view.maps["b"].words.rows] == ["The", "man", "bit", "the", "dog"]
    part = lab.snapshot.attention
    difference = part.weights_a - part.weights_b
    steps = view.maps["difference"].image.image
    assert (np.sign(steps.astype(int) - 128) == np.sign(np.round(difference, 6))).all()
    assert steps.max() == 255
    lab.show(attention=make.attention())
    assert view.shown_maps() == ("a",)
    assert not view.maps["b"].shown


def test_maps_side_by_side_have_equal_cells(view, lab, make):
    lab.show(attention=make.attention(swapped=(1, 4)))
    cells = [item.layout.cells for item in view.maps.values()]
    assert {(rect.width(), rect.height(), rect.top()) for rect in cells} == {
        (cells[0].width(), cells[0].height(), cells[0].top())
    }
    assert cells[0].right() < cells[1].left() < cells[1].right() < cells[2].left()


def test_buttons_choose_one_map(view, lab, make):
    lab.show(attention=make.attention(swapped=(1, 4)))
    QTest.mouseClick(view.buttons["b"], Qt.MouseButton.LeftButton)
    assert [name for name, item in view.maps.items() if item.shown] == ["b"]
    QTest.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    assert [name for name, item in view.maps.items() if item.shown] == ["difference"]


def test_equal_words_leave_a_difference_that_says_so(view, lab, make):
    same = make.attention("the dog saw the man", swapped=(0, 3))
    lab.show(attention=dataclasses.replace(same, weights_b=same.weights_a.copy()))
    assert view.maps["difference"].title.text() == "A − B  all 0"
    assert (view.maps["difference"].image.image == 128).all()
    QTest.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    assert view.maps["difference"].title.text() == "A − B  all 0"
    lab.show(attention=make.attention(swapped=(1, 4)))
    assert view.maps["difference"].title.text().startswith("A − B  ±0.")


def test_equal_sentences_of_many_words_have_no_scale_of_differences(view, lab, make):
    same = make.attention(" ".join("abcdefghij"), swapped=(0, 3))
    QTest.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    lab.show(attention=dataclasses.replace(same, weights_b=same.weights_a.copy()))
    view.buttons["difference"].click()
    assert view.shown_maps() == ("difference",)
    assert not view.bar.isVisible()


def shown_words(view):
    """All words above the maps that can be read without a tooltip."""
    header = view.header
    note = header.note if not header.cut else CROWDED if header.has_room(CROWDED) else ""
    return note + "".join(view.maps[name].title.text() for name in view.shown_maps())


@pytest.mark.parametrize("width", [329, 390, 700])
def test_without_room_for_three_maps_the_view_says_that_it_shows_one(lab, make, show, width):
    view = show(AttentionView(lab, PROJECTOR), width, 330)
    words = "The dog bit the man" if width < 430 else "Eichhörnchen jagen Schmetterlinge"
    lab.show(attention=make.attention(words, swapped=(1, 2)))
    QApplication.processEvents()
    assert view.buttons["all"].isChecked()
    assert view.shown_maps() == ("difference",)
    assert view.header.note.startswith(CROWDED)
    assert "choose A or B" in shown_words(view) or "no room for A and B" in shown_words(view)
    assert "…" not in view.maps["difference"].title.text()
    QTest.mouseClick(view.buttons["difference"], Qt.MouseButton.LeftButton)
    assert "choose" not in shown_words(view)
    assert "no room" not in shown_words(view)
    assert CROWDED not in view.header.note


def test_the_header_or_the_caption_says_that_one_map_is_shown_but_not_both(lab, make, show, monkeypatch):
    view = show(AttentionView(lab, PROJECTOR), 390, 330)
    lab.show(attention=make.attention(swapped=(1, 4)))
    QApplication.processEvents()
    caption = view.maps["difference"].title
    assert "A and B" in caption.text() or "A or B" in caption.text()
    monkeypatch.setattr(view.header, "has_room", lambda note: True)
    view.header.resize(view.header.width() - 1, view.header.height())
    assert caption.text().startswith("A − B  ±")
    assert "room" not in caption.text()


def test_the_title_is_whole_beside_the_buttons_of_a_small_projector(lab, make, show):
    view = show(AttentionView(lab, PROJECTOR), 329, 330)
    lab.show(attention=make.attention(swapped=(1, 4)))
    QApplication.processEvents()
    header = view.header
    assert view.buttons["all"].isVisible()
    assert header.title == "Attention"
    assert QFontMetricsF(font(PROJECTOR.title, bold=True)).horizontalAdvance(header.title) <= header.width()


def test_swapped_slots_are_marked(view, lab, make):
    lab.show(attention=make.attention(swapped=(1, 4)))
    assert view.maps["a"].words._marked == (1, 4)


def test_a_click_chooses_query_and_key(view, lab, mouse_on):
    mouse_on(view.plot).click(*middle(view, "a", 3, 1))
    assert lab.requests == [{"position": 3, "key_position": 1}]


def test_hovering_names_the_cell_and_the_sentence(view, lab, make, mouse_on):
    lab.show(attention=make.attention(swapped=(1, 4)))
    mouse_on(view.plot).hover(*middle(view, "difference", 3, 1))
    assert lab.cursor == Cursor(view="attention", position=3, query=3, key=1, sentence="difference")
    view.plot.left.emit()
    assert lab.cursor.view == ""


def test_the_cursor_of_another_view_marks_the_row_of_its_position(view, lab):
    lab.set_cursor(Cursor(view="matrix", position=2, column=30))
    frame, layout = view.maps["a"].cursor.rect, view.maps["a"].layout
    assert frame.width() > layout.cell(2, 0).width() * 4
    assert layout.cell(2, 0).top() <= frame.top() < layout.cell(2, 0).bottom()
    lab.set_cursor(Cursor(view="matrix", position=100, column=30))
    assert view.maps["a"].cursor.rect is None


def test_query_and_key_are_outlined_when_they_are_words(view, lab):
    item = view.maps["a"]
    assert not item.row.isVisible()
    lab.state = lab.state.change({"position": 3, "key_position": 1})
    lab.show(state=lab.state)
    assert item.row.isVisible()
    assert item.row.rect().center().y() == pytest.approx(item.layout.cell(3, 0).center().y())
    assert item.column.rect().center().x() == pytest.approx(item.layout.cell(0, 1).center().x())


def test_no_words_show_the_sentence(view, lab, make):
    lab.show(attention=make.attention("", weights_a=np.zeros((0, 0), dtype=np.float32)))
    assert view.message.isVisible()
    assert view.message.text == "Type a sentence."


def test_while_a_long_sentence_is_computed_the_last_picture_stays(view, lab, make):
    before = view.maps["a"].image.image
    waiting = make.attention("", weights_a=np.zeros((0, 0), dtype=np.float32), exact=False, sentence="Computing…")
    lab.show(attention=waiting)
    assert view.plot.isVisible()
    assert view.maps["a"].image.image is before
    assert view.sentence.text == "Computing…"


def test_long_words_are_cut_and_told_in_the_tooltip(view, lab, make, mouse_on):
    word = "supercalifragilisticexpialidocious" * 3
    lab.show(attention=make.attention(f"a {word} c"))
    assert view.maps["a"].words.rows[1][1].endswith("…")
    mouse_on(view.plot).hover(*middle(view, "a", 1, 0))
    assert view.plot.viewport().toolTip() == f"{word} → a"
    mouse_on(view.plot).hover(*middle(view, "a", 0, 2))
    assert view.plot.viewport().toolTip() == ""


@pytest.mark.parametrize("words", [1, 2, 9, 40, 500])
@pytest.mark.parametrize("size", [(536, 300), (326, 190)])
@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_labels_neither_overlap_nor_leave_the_view(lab, make, show, words, size, theme):
    view = show(AttentionView(lab, theme), size[0] + 24, size[1] + 90)
    lab.show(attention=make.attention(" ".join(f"word{k}" for k in range(words))))
    item = view.maps["a"]
    labels, layout = item.words, item.layout
    line = QFontMetricsF(font(theme.small)).height() * 0.85
    for shown, pitch in ((labels.rows, layout.pitch[1]), (labels.columns, layout.pitch[0] if layout.upright else 1e9)):
        slots = [slot for slot, _ in shown]
        assert slots
        assert all((b - a) * pitch >= line for a, b in itertools.pairwise(slots))
    widest = max(QFontMetricsF(font(theme.small)).horizontalAdvance(text) for _, text in labels.rows)
    assert widest <= layout.row_room
    assert QRectF(view.plot.rect()).contains(layout.cells)


def test_marked_slots_are_labelled_before_others():
    assert chosen(100, 2.0, 10.0, first=(3,)) == [3, *range(10, 100, 5)]


def test_cells_are_whole_pixels_while_there_are_enough():
    layout = lay_out(QRectF(0, 0, 401, 303), 30.0, 15.0, 7)
    width, height = layout.pitch
    assert width == int(width)
    assert height == int(height)


def test_more_cells_than_pixels_keep_the_strongest(view, lab, make):
    weights = np.zeros((500, 500), dtype=np.float32)
    weights[123, 321] = 1.0
    lab.show(attention=make.attention(" ".join(f"w{k}" for k in range(500)), weights_a=weights))
    item = view.maps["a"]
    assert item.image.image.shape == (item.layout.cells.height(), item.layout.cells.width())
    assert (item.image.image == 255).sum() == 1
    assert "strongest of up to" in view.header.note


@pytest.mark.parametrize("words", ["שלום 🎉🎉 مرحبا", "猫 が 好き です", "the the"])
def test_words_of_any_script_are_drawn(view, lab, make, words):
    lab.show(attention=make.attention(words, swapped=(0, 1)))
    view.grab()
    assert [text for _, text in view.maps["a"].words.rows] == words.split()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("size", [(560, 400), (520, 330), (900, 700)])
def test_words_of_columns_keep_clear_of_the_title_of_their_map(lab, make, show, theme, size):
    view = show(AttentionView(lab, theme), *size)
    lab.show(attention=make.attention("The elephant bit the caterpillar", swapped=(1, 4)))
    for mode in ("all", "difference"):
        QTest.mouseClick(view.buttons[mode], Qt.MouseButton.LeftButton)
        item = view.maps["difference"]
        highest = item.layout.cells.top() - item.layout.column_room
        assert highest >= item.title.sceneBoundingRect().bottom() + 4
