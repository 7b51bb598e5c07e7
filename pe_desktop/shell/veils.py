"""Covering what would give an answer away, and what a person draws in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal, Slot

from pe_desktop.core.part_curve import value_at
from pe_desktop.theme import Theme
from pe_desktop.views.curve_sheet import CurveSheet
from pe_desktop.views.drawing import DrawnLine, Float
from pe_desktop.views.similarity import SimilarityView
from pe_desktop.views.veil import Veil

if TYPE_CHECKING:
    from pe_desktop.shell.main_window import MainWindow

SIMILARITY = "similarity"
MOST_COMPARED = 2000  # positions of a drawing that are compared with the curve


class Veils(QObject):
    """Covers views, read-outs and lights by name until they are revealed.

    Parameters
    ----------
    window : MainWindow

    Signals
    -------
    drawn_changed
        Another curve is drawn, or none any more.
    keyboard_freed
        The sheet that had the keyboard is gone.
    """

    drawn_changed = Signal()
    keyboard_freed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        # Made when first needed, and kept: PySide never gives back a few references for each widget made.
        self._veils: dict[str, Veil] = {}
        self._sheet: CurveSheet | None = None
        self._line: DrawnLine | None = None
        self._covering = False

    @property
    def covered(self) -> frozenset[str]:
        """The views that are covered."""
        found = [name for name, veil in self._veils.items() if not veil.isHidden()]
        return frozenset([*found, SIMILARITY] if self._sheet is not None and not self._sheet.isHidden() else found)

    @property
    def drawn(self) -> tuple[Float, Float] | None:
        """The curve as drawn: positions and values, both (n,) float64; None while nothing is drawn."""
        return None if self._sheet is None else self._sheet.drawing.points

    def cover(self, names: tuple[str, ...], draw: bool = False) -> None:
        """Cover these and nothing else; an earlier drawing goes.

        Parameters
        ----------
        names : tuple of str
            Views, read-outs and lights.
        draw : bool
            Whether a curve is to be drawn over the similarity view, which is covered then in any case.
        """
        self._lift()
        self._forget()
        self._covering = True
        for name in names:
            if name in self._window.panels and not (draw and name == SIMILARITY):
                self._veil(name).cover()
        if draw:
            self._the_sheet().cover()
        self._window.controls.cover_readouts(frozenset(names))
        self._window.centre.strip.cover(bool(self.covered))

    def take_keyboard(self) -> None:
        """Let keys draw, where there is a curve to draw."""
        if self._sheet is not None and not self._sheet.isHidden():
            self._sheet.setFocus(Qt.FocusReason.OtherFocusReason)

    def uncover(self) -> None:
        """Reveal everything; what was drawn stays as a line over the curve, until this or :meth:`cover` comes again."""
        if not self._covering:
            self._forget()
            return
        self._lift()
        points = self.drawn
        if points is not None and self._line is not None:
            self._line.show(points)

    def misses(self) -> float | None:
        """Mean distance of the drawing from the curve of the state there is, over the positions drawn; None without."""
        points = self.drawn
        if points is None:
            return None
        step = -(-len(points[0]) // MOST_COMPARED)
        state = self._window.lab.state
        pairs = [
            (drawn, value_at(state, int(place)))
            for place, drawn in zip(points[0][::step], points[1][::step], strict=True)
        ]
        gaps = [abs(drawn - value) for drawn, value in pairs if value is not None]
        return float(np.mean(gaps)) if gaps else None

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        for veil in (*self._veils.values(), self._sheet, self._line):
            if veil is not None:
                veil.set_theme(theme)

    def _lift(self) -> None:
        self._covering = False
        for veil in self._veils.values():
            veil.lift()
        drew = self._sheet is not None and self._sheet.hasFocus()
        if self._sheet is not None:
            self._sheet.lift()
        self._window.controls.cover_readouts(frozenset())
        self._window.centre.strip.cover(False)
        if drew:
            self.keyboard_freed.emit()

    def _forget(self) -> None:
        """Let a drawing go."""
        if self._line is not None:
            self._line.hide()
        if self._sheet is not None and not self._sheet.drawing.is_empty:
            self._sheet.clear()

    @Slot(bool)
    def _on_presenting_changed(self, presenting: bool) -> None:
        """A remote control leads on while presenting; otherwise who draws by mouse may go on with keys."""
        assert self._sheet is not None
        self._sheet.setFocusPolicy(Qt.FocusPolicy.TabFocus if presenting else Qt.FocusPolicy.StrongFocus)

    def _veil(self, name: str) -> Veil:
        if name not in self._veils:
            self._veils[name] = Veil(self._window.panels[name], self._window.theme)
        return self._veils[name]

    def _the_sheet(self) -> CurveSheet:
        if self._sheet is None:
            view = self._window.panels[SIMILARITY]
            assert isinstance(view, SimilarityView)
            self._sheet = CurveSheet(view, self._window.theme)
            self._sheet.drawn_changed.connect(self.drawn_changed)
            self._line = DrawnLine(self._sheet.plot, self._window.theme)
            self._window.presenter.presenting_changed.connect(self._on_presenting_changed)
            self._on_presenting_changed(self._window.presenter.presenting)
        return self._sheet
