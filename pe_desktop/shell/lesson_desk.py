"""The lesson dock in its window: what the guide says becomes pages, what a person does there becomes steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices, QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDockWidget, QFileDialog, QWidget
from shiboken6 import Shiboken

from pe_desktop.core.errors import FieldError
from pe_desktop.shell.files import LESSON_FILTER
from pe_desktop.theme import LIGHT

if TYPE_CHECKING:  # lessons are not needed to start
    from pe_desktop.lessons.dock import LessonDock
    from pe_desktop.lessons.lesson import Lesson
    from pe_desktop.lessons.lesson_list import Row
    from pe_desktop.lessons.outcome import Outcome
    from pe_desktop.lessons.prediction_box import Answer
    from pe_desktop.shell.main_window import MainWindow
    from pe_desktop.shell.settings import Settings
    from pe_desktop.theme import Theme

SIDE_WIDTH = 1200  # of a window: a narrower one has the dock at its bottom
PAGE_WIDTH = 340  # of the dock at the side, in body type of the light theme
MOST_SHARE = 0.28  # of the window's width
QUIET_MS = 150  # after the last snapshot: what the numbers say is worked out once nothing moves
PAGE_KEYS = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}


class LessonDesk(QObject):
    """The dock, its keys, and the live numbers on its page; the page is made when it is first seen.

    Attributes
    ----------
    dock : QDockWidget
    """

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._window, self._settings = window, settings
        self._theme = window.theme
        self._contents: LessonDock | None = None
        self._came_from: QWidget | None = None
        self._moving = False  # by the desk, not by a person
        self._lesson: Lesson | None = None  # what the outcomes are of
        self._outcomes: dict[int, Outcome] = {}
        self.dock = QDockWidget("Lesson")
        self.dock.setObjectName("lesson_dock")
        self.dock.hide()
        self.dock.installEventFilter(self)
        self.dock.visibilityChanged.connect(self._on_dock_visibility_changed)
        self.dock.dockLocationChanged.connect(self._on_dock_moved)
        self.dock.topLevelChanged.connect(self._on_dock_moved)
        window.installEventFilter(self)
        window.guide.changed.connect(self._on_guide_changed)
        window.controls.focus.all_asked.connect(self._on_focus_all_asked)
        window.veils.keyboard_freed.connect(self._on_veils_keyboard_freed)
        window.lab.snapshot_ready.connect(self._on_lab_snapshot_ready)
        window.lab.state_changed.connect(self._on_lab_state_changed)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._judge)
        self.focus_action = QAction("Go to the lesson", window)
        self.focus_action.setShortcuts([QKeySequence("Ctrl+L"), QKeySequence("F6")])
        self.focus_action.triggered.connect(self._on_focus_action_triggered)
        window.addAction(self.focus_action)

    def set_theme(self, theme: Theme) -> None:
        """Restyle."""
        self._theme = theme
        title = QFont(QApplication.font())
        title.setPointSizeF(theme.small)
        self.dock.setFont(title)
        if self._contents is not None:
            self._contents.set_theme(theme)

    # -- the dock

    def open_list(self) -> None:
        """Show the dock, with the list while no lesson is open."""
        self._made()
        self._show()
        self._show_page()

    def _show(self) -> None:
        """Bring the dock into sight: where a person has put it, else where it leaves the views most room."""
        if not self._settings.lesson_placed:
            narrow = self._window.width() < SIDE_WIDTH
            area = Qt.DockWidgetArea.BottomDockWidgetArea if narrow else Qt.DockWidgetArea.RightDockWidgetArea
            if self._window.dockWidgetArea(self.dock) != area:
                self._moving = True
                self._window.addDockWidget(area, self.dock)
                self._moving = False
        self.dock.show()
        self.dock.raise_()
        if not self._settings.lesson_placed and not self._window.guide.presenting:
            self._widen()

    def _widen(self) -> None:
        """Give the page the width its type wants, as far as the views can spare it."""
        wanted = PAGE_WIDTH * self._theme.body / LIGHT.body
        width = round(min(wanted, MOST_SHARE * self._window.width()))
        self._window.resizeDocks([self.dock], [width], Qt.Orientation.Horizontal)

    @Slot()
    def _on_dock_moved(self) -> None:
        """What a person has moved stays where it is."""
        hidden = self.dock.isHidden() or not self._window.isVisible()
        if not (self._moving or hidden or self._window.guide.presenting):
            self._settings.lesson_placed = True

    def _made(self) -> LessonDock:
        """The contents, made when they are first needed."""
        if self._contents is None:
            from pe_desktop.lessons.dock import LessonDock

            contents = self._contents = LessonDock(self._theme)
            self.dock.setWidget(contents)
            self._connect(contents)
        return self._contents

    def _connect(self, contents: LessonDock) -> None:
        guide, page = self._window.guide, contents.page
        contents.opened.connect(self._on_contents_opened)
        contents.file_asked.connect(self.ask_file)
        contents.folder_asked.connect(self.show_folder)
        contents.list_asked.connect(self._on_contents_list_asked)
        contents.leave_asked.connect(self.dock.close)
        contents.advance_asked.connect(self.advance)
        contents.back_asked.connect(guide.back)
        page.restart_asked.connect(guide.restart)
        page.step_asked.connect(guide.go)
        page.play_asked.connect(guide.play)
        page.only_asked.connect(self._on_page_only_asked)
        page.answered.connect(self._on_page_answered)
        self._window.player.playing_changed.connect(page.show_playing)
        self._window.presenter.presenting_changed.connect(self._on_presenting_changed)

    @Slot()
    def advance(self) -> None:
        """Go on; from the end of a lesson to the next, from the last to the list."""
        guide = self._window.guide
        if not guide.finished or guide.lesson is None:
            guide.advance()
            return
        from pe_desktop.shell import shelf

        after = shelf.following(guide.lesson)
        if after is not None:
            guide.open(after)
        else:
            guide.close()

    @Slot()
    def ask_file(self) -> None:
        """Let a person choose a lesson file."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a lesson", "", LESSON_FILTER)
        if path:
            self._window.guide.open_file(path)

    @Slot()
    def show_folder(self) -> None:
        """Show the folder of a person's own lessons; it is made if there is none."""
        from pe_desktop.shell import shelf

        try:
            folder = shelf.made_folder()
        except FieldError as error:
            self._window.messages.say(error)
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._window.messages.tell(f"Your lessons are in {folder}")

    # -- pages

    def _show_step(self, lesson: Lesson) -> None:
        guide, contents = self._window.guide, self._made()
        page = contents.page
        contents.show_step(lesson, guide.index, guide.answer, revealed=guide.revealed)
        page.show_restartable(guide.touched)
        page.show_playing(self._window.player.playing)
        page.show_presenting(guide.presenting)
        page.show_only(guide.only, offered=bool(lesson.controls) and not guide.presenting)
        if guide.index in self._outcomes:
            page.show_outcome(self._outcomes[guide.index])
        if guide.revealed:
            page.show_answer()
        else:
            page.show_top()
        self._judge_soon()

    def _show_page(self) -> None:
        from pe_desktop.shell import shelf

        contents, guide = self._made(), self._window.guide
        lesson = guide.lesson
        if lesson is None:
            contents.show_list(self._rows())
        elif guide.finished:
            contents.show_end(lesson, shelf.following(lesson))
        else:
            self._show_step(lesson)

    def _rows(self) -> tuple[Row, ...]:
        from pe_desktop.lessons import library
        from pe_desktop.shell import shelf

        return shelf.rows(library.shipped(), library.own(), shelf.place_of(*self._settings.lesson))

    @Slot()
    def _on_guide_changed(self) -> None:
        guide = self._window.guide
        begins = guide.lesson is not None and guide.lesson is not self._lesson
        if guide.lesson is not self._lesson:
            self._lesson = guide.lesson
            self._outcomes.clear()
        if not guide.revealed:
            self._outcomes.pop(guide.index, None)
        if guide.lesson is not None:
            from pe_desktop.shell import shelf

            self._settings.lesson = shelf.reference(guide.lesson), guide.index
            if self.dock.isHidden():
                self._show()
        if self._contents is None and guide.lesson is None:
            return
        held = self._holds_focus()
        self._show_page()
        draws = guide.awaits and guide.step is not None and guide.step.asks_for_drawing and not guide.presenting
        if draws and (begins or held):
            self._window.veils.take_keyboard()
        elif begins or (held and not self._holds_focus(usable=True)):
            self._made().take_focus()

    def _holds_focus(self, *, usable: bool = False) -> bool:
        """Whether the keyboard is in the dock; `usable`: on something that can be seen and answers."""
        focused = QApplication.focusWidget()
        if focused is None or not self.dock.isAncestorOf(focused):
            return False
        return not usable or (focused.isVisible() and focused.isEnabled())

    @Slot(bool)
    def _on_dock_visibility_changed(self, visible: bool) -> None:
        if visible:
            self._show_page()

    @Slot()
    def _on_presenting_changed(self) -> None:
        self._show_page()

    @Slot(object)
    def _on_contents_opened(self, place: object) -> None:
        from pe_desktop.shell.shelf import Place

        assert isinstance(place, Place)
        self._window.guide.open(place.lesson, place.index)

    @Slot()
    def _on_contents_list_asked(self) -> None:
        self._window.guide.close()
        self._made().take_focus()

    @Slot()
    def _on_veils_keyboard_freed(self) -> None:
        if self._window.guide.lesson is not None:
            self._made().take_focus()

    @Slot(bool)
    def _on_page_only_asked(self, wanted: bool) -> None:
        self._window.guide.only = wanted

    @Slot()
    def _on_focus_all_asked(self) -> None:
        guide, presents = self._window.guide, self._window.guide.presenting
        if self._contents is not None and guide.only and not presents:
            guide.only = False
            self._contents.page.show_only(False, offered=True)

    @Slot(object)
    def _on_page_answered(self, answer: Answer) -> None:
        self._window.guide.answer = answer

    # -- what the numbers say

    @Slot(object)
    def _on_lab_snapshot_ready(self, snapshot: object) -> None:
        if self._window.guide.lesson is not None:
            self._judge_soon()

    @Slot(object, object)
    def _on_lab_state_changed(self, old: object, new: object) -> None:
        if self._contents is not None and self._window.guide.lesson is not None:
            self._contents.page.show_restartable(self._window.guide.touched)
            if self._window.player.playing:  # the numbers would be of a moment ago
                self._contents.page.show_checks(())

    def _judge_soon(self) -> None:
        """Not within a drag, and at once where a reveal waits for its number."""
        guide, lab = self._window.guide, self._window.lab
        if guide.revealed and guide.index not in self._outcomes and not lab.busy:
            self._judge()
        else:
            self._quiet.start()

    @Slot()
    def _judge(self) -> None:
        guide, lab = self._window.guide, self._window.lab
        step, snapshot = guide.step, lab.snapshot
        # Another snapshot is on its way, or the picture is not complete: then it comes here again, or nothing is known.
        if step is None or guide.finished or snapshot is None or lab.busy or lab.stopped or self._contents is None:
            return
        from pe_desktop.lessons.judging import checks_of, outcome_of

        page = self._contents.page
        if guide.revealed and guide.index not in self._outcomes and snapshot.state == step.revealed:
            miss = self._window.veils.misses()
            self._outcomes[guide.index] = outcome_of(step, guide.answer, snapshot, miss)
            page.show_outcome(self._outcomes[guide.index])
        page.show_checks(checks_of(step, snapshot, revealed=guide.revealed))

    # -- keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closing the dock ends the lesson; page keys that nothing in focus takes go through it."""
        if watched is self.dock and event.type() == QEvent.Type.Close:
            self._window.guide.close()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is self._window:
            return self._turn(event)
        return False

    def _turn(self, event: QKeyEvent) -> bool:
        guide = self._window.guide
        direction = PAGE_KEYS.get(Qt.Key(event.key()))
        if direction is None or event.modifiers() != Qt.KeyboardModifier.NoModifier or guide.lesson is None:
            return False
        if direction > 0:
            self.advance()
        else:
            guide.back()
        return True

    @Slot()
    def _on_focus_action_triggered(self) -> None:
        """Into the dock, and from there back to where the keyboard was."""
        focused = QApplication.focusWidget()
        if self._holds_focus():
            goal = self._came_from
            if goal is None or not Shiboken.isValid(goal):
                goal = self._window.centre.tabs[0]
            goal.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self._came_from = focused
        self.open_list()
        self._made().take_focus()
