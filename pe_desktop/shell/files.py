"""Opening and saving: sessions, lessons and pictures, by dialog, drop and command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from pe_desktop.core.errors import FieldError
from pe_desktop.session_file import SUFFIX, open_session, save_session

if TYPE_CHECKING:
    from pe_desktop.shell.main_window import MainWindow

LESSON_SUFFIXES = (".pelesson", ".toml")
_LESSONS = " ".join(f"*{suffix}" for suffix in LESSON_SUFFIXES)
SESSION_FILTER = f"PE Desktop session (*{SUFFIX})"
LESSON_FILTER = f"PE Desktop lesson ({_LESSONS})"
OPEN_FILTER = f"Sessions and lessons (*{SUFFIX} {_LESSONS});;{SESSION_FILTER};;{LESSON_FILTER}"
PICTURE_FILTER = "Picture (*.png *.svg *.pdf)"


class Files(QObject):
    """What a window opens and saves; every refusal is one sentence in its message bar."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def open(self, path: str) -> None:
        """Open a session or a lesson, by the file's ending; one that cannot be read is refused in one sentence."""
        if Path(path).suffix.lower() in LESSON_SUFFIXES:
            self._window.guide.open_file(path)
            return
        window = self._window
        try:
            window.lab.replace(open_session(path))
        except FieldError as error:
            window.messages.say(error)
        else:
            window.messages.retract()
            window.controls.revert()

    @Slot()
    def ask_open(self) -> None:
        """Let a person choose what to open."""
        path, _ = QFileDialog.getOpenFileName(self._window, "Open a session or a lesson", "", OPEN_FILTER)
        if path:
            self.open(path)

    @Slot()
    def ask_save(self) -> None:
        """Let a person choose where to save the state."""
        path, _ = QFileDialog.getSaveFileName(self._window, "Save the session", f"session{SUFFIX}", SESSION_FILTER)
        if not path:
            return
        messages = self._window.messages
        try:
            messages.tell(f"Saved as {save_session(self._window.lab.state, path)}")
        except FieldError as error:
            messages.say(error)

    @Slot()
    def ask_picture(self) -> None:
        """Let a person choose where to save a picture of the window."""
        window = self._window
        path, _ = QFileDialog.getSaveFileName(window, "Save a picture of the window", "pe-desktop.png", PICTURE_FILTER)
        if not path:
            return
        from pe_desktop.shell.pictures import picture_title, save_picture  # not needed to start

        try:
            save_picture(window, path, picture_title(window.lab))
            window.messages.tell(f"Saved as {path}")
        except FieldError as error:
            window.messages.say(error)
