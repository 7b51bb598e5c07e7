"""What lies over a view: for eyes, mouse, keys and screen readers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.theme import DARK, LIGHT, THEMES
from pe_desktop.views import SimilarityView
from pe_desktop.views.veil import WORDS, Veil


@pytest.fixture
def view(lab, show, make):
    view = show(SimilarityView(lab, LIGHT))
    lab.show(similarity=make.curve())
    return view


@pytest.fixture
def veil(view):
    return Veil(view, LIGHT)


def test_it_covers_all_of_the_view_and_goes_again(view, veil):
    before = view.grab().toImage()
    veil.cover()
    assert veil.isVisible()
    assert veil.geometry() == view.rect()
    assert view.grab().toImage() != before
    veil.lift()
    assert not veil.isVisible()
    assert view.grab().toImage() == before


def test_nothing_below_shines_through(view, veil, lab, make):
    veil.cover()
    before = view.grab().toImage()
    lab.show(similarity=make.curve(spot=40, sentence="Another sentence.", title="Similarity to spot 40"))
    assert view.grab().toImage() == before


def test_it_stays_as_large_as_the_view(view, veil):
    veil.cover()
    view.resize(300, 260)
    QApplication.processEvents()
    assert veil.geometry() == view.rect()


def test_the_sentence_is_not_read_aloud(view, veil, lab, make):
    assert view.accessibleDescription() == "Peak at spot 12."
    veil.cover()
    lab.show(similarity=make.curve(sentence="Peak at spot 13."))
    assert (view.accessibleDescription(), view.plot.accessibleDescription()) == (WORDS, WORDS)
    assert veil.accessibleName() == f"Similarity curve. {WORDS}"
    veil.lift()
    assert (view.accessibleDescription(), view.plot.accessibleDescription()) == ("Peak at spot 13.",) * 2


def test_the_mouse_does_not_reach_the_plot(view, veil, lab):
    veil.cover()
    place = QPoint(view.width() // 2, view.height() // 2)
    QTest.mouseClick(view.window().childAt(place), Qt.MouseButton.LeftButton)
    QTest.mouseMove(veil, place)
    assert lab.requests == []
    assert lab.cursor.position is None
    veil.lift()
    QTest.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=view.plot.area.center().toPoint())
    assert len(lab.requests) == 1


def test_tab_does_not_reach_the_plot(view, veil, lab):
    view.plot.setFocus()
    veil.cover()
    assert not view.plot.hasFocus()
    assert not view.plot.isEnabled()
    veil.lift()
    assert view.plot.isEnabled()


def test_what_was_disabled_before_stays_so(view, veil):
    view.header.setEnabled(False)
    veil.cover()
    veil.lift()
    assert not view.header.isEnabled()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_its_colours_are_those_of_the_theme(view, veil, theme):
    veil.cover()
    view.set_theme(theme)
    veil.set_theme(theme)
    image = veil.grab().toImage()
    middle = image.pixelColor(veil.width() // 2, veil.height() * 3 // 4).name()
    assert middle == theme.window.lower()
    assert image.pixelColor(2, 2).name() == theme.panel.lower()


def test_covering_twice_is_covering_once(view, veil):
    veil.cover()
    veil.cover()
    veil.lift()
    assert view.plot.isEnabled()
    veil.lift()
    veil.set_theme(DARK)
    assert not veil.isVisible()
