"""The colour bar: the numbers beside it never lie over each other."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF

from pe_desktop.theme import LIGHT
from pe_desktop.views.axes import ColourBar
from pe_desktop.views.plotting import diverging_table


@pytest.mark.parametrize(
    ("height", "shown"),
    [(100, ("2", "0", "\u22122")), (40, ("2", "\u22122")), (20, ("2",)), (0, ("2",))],
)
def test_a_low_bar_keeps_the_numbers_that_fit(qapp, height, shown):
    bar = ColourBar()
    bar.set_theme(LIGHT, diverging_table(LIGHT))
    bar.set_texts(("2", "0", "\u22122"))
    bar.set_rect(QRectF(0, 0, 60, height))
    assert bar.shown_texts(20.0) == shown
    assert bar.texts == ("2", "0", "\u22122")
