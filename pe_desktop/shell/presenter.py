"""Presenting: the whole screen, large type, the lesson with its views and controls, and a clicker's keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDockWidget, QScrollArea, QWidget

from pe_desktop.shell.blank import Blank
from pe_desktop.shell.clicker import Clicker
from pe_desktop.shell.stage import Stage
from pe_desktop.theme import PRESENTED, Theme, spoken

if TYPE_CHECKING:
    from pe_desktop.shell.main_window import MainWindow

LAYOUT_VERSION = 1
VERY_WIDE = 1.7  # width to height of a screen that has the lesson at its right
RIGHT_SHARE = 0.32  # of the width, that the lesson has there
LEAST_BESIDE = 560  # pixels of width, without which its text would be too long there
MOST_ROUNDS = 6
SPARE = 4  # pixels of height beyond what the text needs
MOST_SHARE = 0.6  # of the height, that the lesson has at the bottom
KEYS = ("F11", "F5")
# What the hidden toolbar shows, but for what would undo the presentation; keys of hidden bars do not work.
STILL_USED = ("undo", "redo", "reset", "compare")


@dataclass(frozen=True)
class Before:
    """How the window was before."""

    state: Qt.WindowState
    geometry: QRect
    layout: QByteArray
    theme: Theme


class Presenter(QObject):
    """Goes to the whole screen and back; afterwards everything is where it was.

    Parameters
    ----------
    window : MainWindow

    Signals
    -------
    presenting_changed(bool)
    """

    presenting_changed = Signal(bool)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: Before | None = None
        self._stage = Stage(window.centre)
        self._clicker: Clicker | None = None
        self._blank: Blank | None = None
        self._bare: list[QWidget] = []  # stand in for the titles of docks
        self._theme = 0
        self._fits = QTimer(self)
        self._fits.setSingleShot(True)
        self._fits.setInterval(0)
        self._fits.timeout.connect(self._on_fits_timeout)
        self._rounds = 0
        tip = "Show the lesson on the whole screen, for a class"
        self._action = window.actions_by_name.add(
            "present", "Present", KEYS[0], tip, self._on_action_triggered, checkable=True
        )
        self._action.setShortcuts([QKeySequence(key) for key in KEYS])
        # Of the window too: the toolbar is hidden meanwhile.
        window.addAction(self._action)
        window.guide.changed.connect(self._on_guide_changed)

    @property
    def presenting(self) -> bool:
        """Whether the window presents."""
        return self._before is not None

    @property
    def is_blank(self) -> bool:
        """Whether the screen is black."""
        return self._blank is not None and not self._blank.isHidden()

    def present(self, on: bool) -> None:
        """Begin or end."""
        if on == self.presenting:
            return
        if on:
            self._enter()
        else:
            self._leave()
        self._action.setChecked(on)
        self._window.guide.show_controls()
        self.presenting_changed.emit(on)
        if on:
            self._arrange()
            self._give_keyboard()

    # -- there and back

    def _enter(self) -> None:
        window = self._window
        geometry, layout = window.geometry(), window.saveState(LAYOUT_VERSION)
        self._before = Before(window.windowState(), geometry, layout, window.theme)
        window.actions_by_name.bar.hide()
        window.addActions([window.actions_by_name[name] for name in STILL_USED])
        for dock in self._docks:
            bare = QWidget()
            self._bare.append(bare)
            dock.setTitleBarWidget(bare)
        self._theme = 0
        self._dress()
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        if window.guide.lesson is not None:
            window.dock.show()
        self._the_clicker().listen(window.guide.lesson is not None)
        window.installEventFilter(self)

    def _leave(self) -> None:
        window, before = self._window, self._before
        assert before is not None
        if self._blank is not None:
            self._blank.hide()
        self._the_clicker().listen(False)
        window.removeEventFilter(self)
        self._fits.stop()
        window.setWindowState(before.state)
        window.set_theme(before.theme)
        for dock, bare in zip(self._docks, self._bare, strict=True):
            dock.setTitleBarWidget(None)  # type: ignore[arg-type]  # Qt's own title again
            bare.deleteLater()
        self._bare = []
        window.actions_by_name.bar.show()
        for name in STILL_USED:
            window.removeAction(window.actions_by_name[name])
        if not before.state & (Qt.WindowState.WindowFullScreen | Qt.WindowState.WindowMaximized):
            window.setGeometry(before.geometry)
        self._stage.restore()
        window.restoreState(before.layout, LAYOUT_VERSION)
        self._before = None

    @property
    def _docks(self) -> tuple[QDockWidget, QDockWidget]:
        return self._window.dock, self._window.lesson_dock

    def _the_clicker(self) -> Clicker:
        if self._clicker is None:
            self._clicker = Clicker(self._window)
            self._clicker.on.connect(self._on_clicker_on)
            self._clicker.back.connect(self._on_clicker_back)
            self._clicker.blank.connect(self._on_clicker_blank)
            self._clicker.theme.connect(self._on_clicker_theme)
        return self._clicker

    def _dress(self) -> None:
        """Large type; the lesson's is the largest."""
        theme = PRESENTED[self._theme]
        self._window.set_theme(theme)
        self._window.desk.set_theme(spoken(theme))

    # -- the arrangement

    def _arrange(self) -> None:
        """Show the views of the step, and the lesson where there is room for it."""
        window = self._window
        step = window.guide.step
        narrowest = window.controls.minimumWidth()
        window.resizeDocks([window.dock], [narrowest], Qt.Orientation.Horizontal)
        if step is not None:
            width = window.width()
            right = width > VERY_WIDE * window.height() and RIGHT_SHARE * width >= LEAST_BESIDE
            area = Qt.DockWidgetArea.RightDockWidgetArea if right else Qt.DockWidgetArea.BottomDockWidgetArea
            if window.dockWidgetArea(window.lesson_dock) != area or window.lesson_dock.isFloating():
                window.lesson_dock.setFloating(False)
                window.addDockWidget(area, window.lesson_dock)
            window.lesson_dock.show()
        self._stage.show(step.views if step is not None else ())
        self._fit_soon()

    def _give_keyboard(self) -> None:
        """To the page of the lesson, where numbers choose an answer."""
        if self._window.guide.lesson is not None:
            from pe_desktop.lessons.dock import LessonDock  # not needed to start

            contents = self._window.lesson_dock.widget()
            if isinstance(contents, LessonDock):
                contents.take_focus()

    def _fit_soon(self) -> None:
        """Fit the lesson once its words are laid out; another size may lay them out anew, for a few rounds."""
        self._rounds = MOST_ROUNDS
        self._fits.start()

    @Slot()
    def _on_fits_timeout(self) -> None:
        self._rounds -= 1
        if not self.presenting:
            return
        if self._fit_lesson() and self._rounds > 0:
            self._fits.start()
        else:
            _judge_bars(self._window.lesson_dock)

    def _fit_lesson(self) -> bool:
        """Give the lesson the height its text needs, or its share of the width; True if that is a change."""
        window, dock = self._window, self._window.lesson_dock
        if dock.isHidden() or window.guide.lesson is None:
            return False
        before = dock.size()
        if window.dockWidgetArea(dock) == Qt.DockWidgetArea.RightDockWidgetArea:
            wanted, across = round(RIGHT_SHARE * window.width()), Qt.Orientation.Horizontal
            changes = wanted != before.width()
        else:
            wanted = min(before.height() + _lacking(dock), round(MOST_SHARE * window.height()))
            wanted = max(wanted, dock.minimumSizeHint().height())
            across, changes = Qt.Orientation.Vertical, wanted != before.height()
        if changes:
            window.resizeDocks([dock], [wanted], across)
            self._stage.divide()
        return changes

    # -- what happens

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange anew for another size: a screen may come to it only later."""
        if event.type() == QEvent.Type.Resize and self.presenting:
            self._arrange()
        return False

    @Slot(bool)
    def _on_action_triggered(self, wanted: bool) -> None:
        self.present(wanted)

    @Slot()
    def _on_guide_changed(self) -> None:
        if self.presenting:
            self._the_clicker().listen(self._window.guide.lesson is not None)
            self._arrange()

    @Slot()
    def _on_clicker_on(self) -> None:
        if not self.unblank():
            self._window.desk.advance()

    @Slot()
    def _on_clicker_back(self) -> None:
        if not self.unblank():
            self._window.guide.back()

    @Slot()
    def _on_clicker_blank(self) -> None:
        if self.unblank():
            return
        if self._blank is None:
            self._blank = Blank(self._window)
        self._blank.cover()

    @Slot()
    def _on_clicker_theme(self) -> None:
        self._theme = (self._theme + 1) % len(PRESENTED)
        self._dress()
        self._fit_soon()

    def unblank(self) -> bool:
        """Show the window again; False if it was to be seen."""
        if not self.is_blank or self._blank is None:
            return False
        self._blank.hide()
        return True


def _areas(dock: QDockWidget) -> list[QScrollArea]:
    return [area for area in dock.findChildren(QScrollArea) if area.isVisible()]


def _judge_bars(dock: QDockWidget) -> None:
    """Let scroll bars show whether they are needed: one that is there narrows the text and so keeps itself needed."""
    for area in _areas(dock):
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)


def _lacking(dock: QDockWidget) -> int:
    """Pixels of height without which something in a dock has to be scrolled, less what is too much."""
    lacking = []
    for area in _areas(dock):
        content = area.widget()
        if content is not None:
            room = area.maximumViewportSize()  # without a scroll bar, which narrows the text
            by_width = content.heightForWidth(room.width())  # -1 where the width does not matter
            needed = by_width if by_width >= 0 else content.sizeHint().height()
            lacking.append(max(needed, content.minimumSizeHint().height()) + SPARE - room.height())
    return max(lacking, default=0)
