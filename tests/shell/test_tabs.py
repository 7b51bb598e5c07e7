"""Views that share a place: chosen with mouse and keyboard, whole names in every theme, kept for next time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from pe_desktop.model.lab import Lab
from pe_desktop.shell.centre import LOWER, UPPER
from pe_desktop.shell.settings import Settings
from pe_desktop.shell.tabs import GRID, Tabs
from pe_desktop.theme import LIGHT, PROJECTOR, THEMES
from pe_desktop.views import AttentionView, MatrixView, RotationView, ScoresView, SimilarityView

FIVE = (
    ("Rotation", RotationView),
    ("Spectrum", SimilarityView),
    ("Precision", MatrixView),
    ("Grid", ScoresView),
    ("Compare", AttentionView),
)
NARROWEST = 320  # of a column at 1024x768 in the projector's type


@pytest.fixture
def lab():
    lab = Lab(blocking=True)
    yield lab
    lab.close()


@pytest.fixture
def make(qtbot, lab):
    kept = []

    def made(theme=LIGHT, kinds=FIVE, width=560):
        QApplication.setStyle("Fusion")
        tabs = Tabs("test", [(title, kind(lab, theme)) for title, kind in kinds])
        qtbot.addWidget(tabs)
        kept.append(tabs)
        tabs.set_theme(theme)
        tabs.resize(width, 400)
        with qtbot.waitExposed(tabs):
            tabs.show()
        QApplication.processEvents()
        return tabs

    yield made
    kept.clear()


def click(tabs, title):
    bar = tabs.bar
    index = next(i for i in range(bar.count()) if bar.tabText(i) == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())


def test_a_click_brings_a_view_to_the_front_and_only_that_is_computed(person):
    lower = person.window.centre.tabs[1]
    assert lower.current.part_name == "attention"
    assert "scores" not in person.lab.viewport.shown
    click(lower, "Scores")
    person.settle()
    assert lower.current is person.window.panels["scores"]
    assert person.window.panels["scores"].isVisible()
    assert not person.window.panels["attention"].isVisible()
    assert person.lab.snapshot.part("scores").values.shape == (128, 128)
    click(lower, "Attention")
    person.settle()
    assert "scores" not in person.lab.viewport.shown
    assert person.lab.snapshot.part("scores") is None


def test_control_and_page_keys_go_round_while_the_keyboard_is_inside(person):
    lower, matrix = person.window.centre.tabs[1], person.window.panels["matrix"].plot
    click(lower, "Scores")
    scores = person.window.panels["scores"].plot
    scores.setFocus()
    QTest.keyClick(scores, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert lower.current.part_name == LOWER[0][1].part_name
    inside = QApplication.focusWidget()
    assert lower.isAncestorOf(inside)
    QTest.keyClick(inside, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert lower.current.part_name == "scores"
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert lower.current.part_name == "scores"
    assert person.window.centre.tabs[0].current.part_name == UPPER[0][1].part_name


@pytest.mark.parametrize("title", [title for title, _ in UPPER])
@pytest.mark.parametrize("where", ["view", "name"])
def test_page_keys_go_on_after_a_click_in_any_view_or_on_its_name(person, title, where):
    upper = person.window.centre.tabs[0]
    person.choose("scheme", "RoPE")
    click(upper, title)
    person.settle()
    if where == "view":
        person.find(QLineEdit, "length_edit").setFocus()
        shown = upper.current  # a picture, or a sentence instead of it
        target = shown.plot.viewport() if shown.plot.isVisible() else shown.message
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    before = upper.bar.currentIndex()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert upper.bar.currentIndex() == (before + 1) % upper.bar.count()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert upper.bar.currentIndex() == before


def test_arrows_move_along_the_bar_and_a_ring_shows_that_they_do(make):
    tabs = make()
    bar = tabs.bar
    assert bar.focusPolicy() & Qt.FocusPolicy.TabFocus
    before = bar.grab().toImage()
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Tab)
    inside = QApplication.focusWidget()
    assert tabs.current.isAncestorOf(inside)
    QTest.keyClick(inside, Qt.Key.Key_Backtab)
    assert bar.hasFocus()
    ringed = bar.grab().toImage()
    ratio, place = ringed.devicePixelRatio(), bar.tabRect(0)
    edge = QPoint(round((place.left() + 1) * ratio), round(place.center().y() * ratio))
    assert ringed.pixelColor(edge) == QColor(LIGHT.accent)
    assert before.pixelColor(edge) == QColor(LIGHT.panel)  # though the window gave it the focus on being shown
    QTest.keyClick(bar, Qt.Key.Key_Right)
    assert tabs.current.part_name == "similarity"
    QTest.keyClick(bar, Qt.Key.Key_Left)
    QTest.keyClick(bar, Qt.Key.Key_Left)
    assert tabs.current.part_name == "rotation"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("width", [NARROWEST, 400, 560])
def test_five_names_are_whole(make, theme, width):
    bar = make(theme, width=width).bar
    metrics = QFontMetricsF(bar.font())
    right = 0
    for index in range(bar.count()):
        place = bar.tabRect(index)
        assert place.width() >= metrics.horizontalAdvance(bar.tabText(index)) + 6
        assert place.height() >= metrics.height() + 4
        assert place.left() >= right
        right = place.right()
    assert right < bar.width()
    assert not [button for button in bar.findChildren(QToolButton) if button.isVisible()]
    assert bar.height() % GRID == 0


def test_the_views_do_not_move_when_names_are_set_closer(make):
    tabs = make(PROJECTOR, width=900)
    large, height = tabs.bar.font().pointSizeF(), tabs.bar.height()
    tabs.resize(NARROWEST, 400)
    QApplication.processEvents()
    assert tabs.bar.font().pointSizeF() < large
    assert tabs.bar.height() == height
    tabs.resize(900, 400)
    QApplication.processEvents()
    assert tabs.bar.font().pointSizeF() == large


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_chosen_name_is_in_the_accent_colour_over_a_line(make, theme):
    bar = make(theme).bar
    image = bar.grab().toImage()
    ratio = image.devicePixelRatio()
    chosen, other = bar.tabRect(0), bar.tabRect(1)
    line = [image.pixelColor(round(p.center().x() * ratio), round((bar.height() - 1) * ratio)) for p in (chosen, other)]
    assert line == [QColor(theme.accent), QColor(theme.line)]
    seen = [
        {
            image.pixel(x, y)
            for x in range(round(place.left() * ratio), round(place.right() * ratio))
            for y in range(round((place.height() - 4) * ratio))
        }
        for place in (chosen, other)
    ]
    assert QColor(theme.accent).rgb() in seen[0] - seen[1]
    assert QColor(theme.muted).rgb() in seen[1] - seen[0]
    assert all(QColor(theme.panel).rgb() in each for each in seen)


def test_a_name_under_the_mouse_stands_out_until_it_leaves(make):
    bar = make().bar
    before = bar.grab().toImage()
    QTest.mouseMove(bar, bar.tabRect(2).center())
    assert bar.grab().toImage() != before
    QApplication.sendEvent(bar, QEvent(QEvent.Type.Leave))
    assert bar.grab().toImage() == before


def test_one_view_needs_no_bar(make):
    tabs = make(kinds=FIVE[:1])
    assert not tabs.bar.isVisible()
    assert tabs.current.isVisible()


def test_names_are_told_to_screen_readers(make):
    bar = make().bar
    told = QAccessible.queryAccessibleInterface(bar)
    assert told.role() == QAccessible.Role.PageTabList
    assert bar.accessibleName() == "Views: Rotation, Spectrum, Precision, Grid, Compare"
    names = [told.child(index).text(QAccessible.Text.Name) for index in range(5)]
    assert names == [title for title, _ in FIVE]


def test_the_front_views_are_kept_for_next_time(person, tmp_path, another_window):
    click(person.window.centre.tabs[1], "Scores")
    person.window.close()
    again = another_window(person.lab, Settings(tmp_path / "settings.ini"))
    again.restore()
    assert again.centre.front == (person.window.centre.front[0], "scores")


@pytest.mark.parametrize("kept", ["", "no_such_view matrix", "scores attention scores", "\x00"])
def test_damaged_front_views_start_with_some(person, tmp_path, kept, another_window):
    settings = Settings(tmp_path / "odd.ini")
    settings.front = (kept,)
    window = another_window(person.lab, settings)
    window.restore()
    wanted = "scores" if "scores" in kept else LOWER[0][1].part_name
    assert window.centre.front == (UPPER[0][1].part_name, wanted)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_sentence_has_the_lines_its_width_asks_for(person, theme):
    person.window.resize(1024, 768)
    person.window.set_theme(theme)
    person.settle()
    for tabs in person.window.centre.tabs:
        sentence = tabs.current.sentence
        assert sentence.height() >= sentence.heightForWidth(sentence.width())
        assert sentence.geometry().bottom() <= tabs.current.height()
