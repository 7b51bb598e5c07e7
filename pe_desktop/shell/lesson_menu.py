"""The menu of the lessons: what to learn, and what a teacher does with a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from pe_desktop.core.errors import FieldError
from pe_desktop.shell.files import LESSON_FILTER

if TYPE_CHECKING:  # lessons are not needed to start
    from pe_desktop.lessons.library import Entry
    from pe_desktop.shell.main_window import MainWindow

SHEET = "Hand-out (*.pdf)"
SHEET_WITH_ANSWERS = "Hand-out with answers and notes (*.pdf)"


class LessonMenu(QMenu):
    """Filled when it is opened, and anew only when there are other lessons than before.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("lesson_menu")
        self.setToolTipsVisible(True)
        self._window = window
        self._listed: tuple[tuple[Entry, ...], ...] | None = None
        self._opening: list[QAction] = []
        self._submenus: list[QMenu] = []
        desk = window.desk
        self._first = self.addSeparator()
        self._file = self._add("Open a lesson file…", desk.ask_file)
        self._copy = self._add("Copy this state as a lesson step", self.copy_step)
        self._save = self._add("Save this state as a lesson…", self.ask_save)
        self._print = self._add("Print this lesson…", self.ask_print)
        self.addSeparator()
        self._dock = self._add("Lesson dock\tCtrl+L", self._on_dock_triggered)
        self._dock.setCheckable(True)
        self.aboutToShow.connect(self.fill)

    def _add(self, text: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(slot)
        self.addAction(action)
        return action

    @Slot()
    def fill(self) -> None:
        """List the lessons there are."""
        from pe_desktop.lessons import library

        self._print.setEnabled(self._window.guide.lesson is not None)
        self._dock.setChecked(not self._window.desk.dock.isHidden())
        entries = library.shipped(), library.own()
        if entries == self._listed:
            return
        self._listed = entries
        for menu in self._submenus:
            self.removeAction(menu.menuAction())
            menu.deleteLater()
        for action in self._opening:
            self.removeAction(action)
            action.deleteLater()
        self._submenus, self._opening = [], []
        self._list(*entries)

    def _list(self, shipped: tuple[Entry, ...], own: tuple[Entry, ...]) -> None:
        from pe_desktop.shell import shelf

        for group, entries in shelf.groups(shipped).items():
            # A group of one lesson, as the five classic tests are, needs no menu of its own.
            if len(entries) == 1 and entries[0].lesson is not None:
                self._offer(self, entries[0])
            else:
                self._submenu(group, entries)
        if own:
            self._submenu(shelf.MINE, own)

    def _submenu(self, title: str, entries: tuple[Entry, ...] | list[Entry]) -> None:
        menu = QMenu(title, self)
        menu.setToolTipsVisible(True)
        self._submenus.append(menu)
        self.insertMenu(self._first, menu)
        for entry in entries:
            self._offer(menu, entry)

    def _offer(self, menu: QMenu, entry: Entry) -> None:
        lesson = entry.lesson
        action = QAction(lesson.title if lesson is not None else f"⚠ {entry.name}", menu)
        action.setData(entry)
        action.setToolTip(lesson.question if lesson is not None else entry.error)
        action.triggered.connect(self._on_lesson_triggered)
        if menu is self:
            self.insertAction(self._first, action)
            self._opening.append(action)
        else:
            menu.addAction(action)

    @Slot()
    def _on_lesson_triggered(self) -> None:
        action = self.sender()
        assert isinstance(action, QAction)
        entry = action.data()
        if entry.lesson is not None:
            self._window.guide.open(entry.lesson)
        else:
            self._window.messages.say(FieldError("lesson", entry.error))

    @Slot()
    def _on_dock_triggered(self) -> None:
        desk = self._window.desk
        if desk.dock.isHidden():
            desk.open_list()
        else:
            desk.dock.close()

    # -- a teacher's craft

    @Slot()
    def copy_step(self) -> None:
        """Put what is on screen into the clipboard as a step of a lesson file."""
        from pe_desktop.lessons.writing import step_text

        QGuiApplication.clipboard().setText(step_text(self._window.lab.state))
        self._window.messages.tell("Copied. Paste it into a lesson file.")

    @Slot()
    def ask_save(self) -> None:
        """Let a person choose a file for a lesson of one step that begins here."""
        from pathlib import Path

        from pe_desktop.lessons import library
        from pe_desktop.lessons.reading import SUFFIX
        from pe_desktop.lessons.writing import lesson_text
        from pe_desktop.safe_file import replacing

        folder = library.own_folder()
        first = str((folder if folder.is_dir() else Path.home()) / f"my-lesson{SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self._window, "Save this state as a lesson", first, LESSON_FILTER)
        if not path:
            return
        target = Path(path) if Path(path).suffix else Path(path + SUFFIX)
        text = lesson_text(self._window.lab.state, target.stem.replace("-", " ").capitalize())
        try:
            with replacing(target, "lesson") as temporary:
                Path(temporary).write_text(text, encoding="utf-8")
        except FieldError as error:
            self._window.messages.say(error)
        else:
            self._window.messages.tell(f"Saved as {target}. Open it in a text editor to write your own words.")

    @Slot()
    def ask_print(self) -> None:
        """Let a person choose a file for the hand-out of the lesson that is open."""
        lesson, window = self._window.guide.lesson, self._window
        if lesson is None:
            return
        filters = f"{SHEET};;{SHEET_WITH_ANSWERS}"
        path, kind = QFileDialog.getSaveFileName(window, "Print the lesson", f"{lesson.name}.pdf", filters)
        if not path:
            return
        from pe_desktop.shell.handout import print_handout

        path = path if path.lower().endswith(".pdf") else f"{path}.pdf"
        try:
            print_handout(lesson, path, window.theme.name, answers=kind == SHEET_WITH_ANSWERS)
        except FieldError as error:
            window.messages.say(error)
        else:
            window.messages.tell(f"Saved as {path}")
