"""Pointing at controls, read-outs, lights and views by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from pe_desktop.core.parts import Snapshot
from pe_desktop.shell.outline import Outline
from pe_desktop.theme import Theme

if TYPE_CHECKING:
    from pe_desktop.core.state import LabState
    from pe_desktop.shell.main_window import MainWindow


class Pointer(QObject):
    """Draws a line around what a step of a lesson is about, wherever that goes.

    A name that means a view and a control ("experiment", "precision") means the view.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._names: tuple[str, ...] = ()
        self._outlines: list[Outline] = []  # kept: PySide never gives back a few references for each widget made
        self._arrived = True  # the numbers of the step, whose notes may push what is pointed at out of sight
        self._anew = QTimer(self)
        self._anew.setSingleShot(True)
        self._anew.setInterval(0)
        self._anew.timeout.connect(self._on_anew_timeout)
        window.lab.state_changed.connect(self._on_lab_state_changed)
        window.lab.snapshot_ready.connect(self._on_lab_snapshot_ready)

    @property
    def targets(self) -> tuple[QWidget, ...]:
        """What is pointed at."""
        return tuple(outline.target for outline in self._outlines if outline.target is not None)

    def point_at(self, names: tuple[str, ...]) -> None:
        """Point at some things and nothing else; the first control is scrolled to, a view comes to the front."""
        self._names = tuple(names)
        lab = self._window.lab
        self._arrived = lab.snapshot is not None and lab.snapshot.state == lab.state
        self._window.controls.focus.keep(frozenset(names))
        for name in names[::-1]:
            if name in self._window.centre.panels:
                self._window.centre.bring_to_front(name)
        self._scroll()
        self._surround()

    def set_theme(self, theme: Theme) -> None:
        """Take colour and width."""
        for outline in self._outlines:
            outline.set_theme(theme)

    def _scroll(self) -> None:
        for name in self._names[::-1]:
            if name not in self._window.centre.panels:
                self._window.controls.widget_for(name)

    def _surround(self) -> None:
        window = self._window
        found: list[tuple[QWidget, QWidget]] = []
        for name in self._names:
            panel, control = window.centre.panels.get(name), window.controls.focus.find(name)
            if panel is not None:
                found.append((panel, window.centre))
            elif control is not None:
                found.append((control, window.controls))
        while len(self._outlines) < len(found):
            self._outlines.append(Outline(window.theme))
        for outline in self._outlines[len(found) :]:
            outline.leave()
        for outline, (target, ground) in zip(self._outlines, found, strict=False):
            if outline.target is not target:
                outline.surround(target, ground)

    @Slot()
    def _on_anew_timeout(self) -> None:
        if not self._arrived:
            self._arrived = True
            self._scroll()
        self._surround()

    @Slot(object, object)
    def _on_lab_state_changed(self, old: LabState, new: LabState) -> None:
        # Rows of another scheme or experiment are other widgets.
        if self._names and (old.scheme, old.experiment, old.params) != (new.scheme, new.experiment, new.params):
            self._anew.start()

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: Snapshot) -> None:
        # The lines of the first read-outs are made when these are there.
        awaited = not self._arrived and snapshot.state == self._window.lab.state
        if self._names and (awaited or len(self.targets) < len(self._names)):
            self._anew.start()
