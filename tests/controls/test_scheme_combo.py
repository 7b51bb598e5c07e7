"""The list of schemes: in groups, found by typing, seen whole."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from pe_desktop.core.scheme import REGISTRY
from pe_desktop.theme import THEMES


def test_the_schemes_stand_in_groups_with_a_word_on_each(dock):
    combo = dock.findChild(QComboBox, "scheme")
    acts = [REGISTRY[combo.itemData(i)].acts if combo.itemData(i) else None for i in range(combo.count())]
    kinds = [kind for kind, before in itertools.pairwise([*acts, None]) if kind is not None and before is not kind]
    assert len(kinds) == len(set(kinds)) == acts.count(None) + 1
    for name, scheme in REGISTRY.items():
        tip = combo.itemData(combo.findData(name), Qt.ItemDataRole.ToolTipRole)
        words = " ".join(tip.split())
        assert scheme.summary in words
        assert f"Source: {scheme.source}." in words


def test_typing_finds_a_scheme(dock, lab):
    combo = dock.findChild(QComboBox, "scheme")
    combo.setFocus()
    QTest.keyClicks(combo, "rop")
    assert lab.state.scheme == "rope"
    assert combo.currentText() == "RoPE"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_list_of_schemes_is_seen_whole(dock, theme, settle):
    dock.set_theme(theme)
    settle()
    combo = dock.findChild(QComboBox, "scheme")
    combo.showPopup()
    settle()
    view = combo.view()
    assert not view.verticalScrollBar().isVisible()
    assert view.window().height() < 700  # of the 768 pixels of a small projector
    widest = max(view.fontMetrics().horizontalAdvance(combo.itemText(row)) for row in range(combo.count()))
    assert view.viewport().width() > widest
    for row in range(combo.count()):
        assert view.viewport().rect().contains(view.visualRect(combo.model().index(row, 0)).center())
    combo.hidePopup()
