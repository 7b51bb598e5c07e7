"""The keys of a presenter, as remote controls send them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

ON = ("Right", "PgDown", "Space", "N")
ENTER = ("Return", "Enter")
BACK = ("Left", "PgUp", "Backspace", "P")
BLANK = (".", "B")
THEME = ("T",)
TEXTS = (QLineEdit, QPlainTextEdit, QTextEdit)


class Clicker(QObject):
    """Takes its keys from everything in a window but text fields, and there leaves all but the page keys alone.

    Parameters
    ----------
    window : QWidget

    Signals
    -------
    on, back, blank, theme
    """

    on = Signal()
    back = Signal()
    blank = Signal()
    theme = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._listening = False
        self._shortcuts: list[QShortcut] = []
        # A field for a number commits with Enter, which it does not claim from shortcuts as it does its other keys.
        self._enter: list[QShortcut] = []
        signals = ((ON, self.on), (ENTER, self.on), (BACK, self.back), (BLANK, self.blank), (THEME, self.theme))
        for keys, signal in signals:
            for key in keys:
                shortcut = QShortcut(QKeySequence(key), window)
                shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
                shortcut.setEnabled(False)
                shortcut.activated.connect(signal)
                (self._enter if keys is ENTER else self._shortcuts).append(shortcut)

    def listen(self, on: bool) -> None:
        """Take the keys, or leave them alone."""
        if on == self._listening:
            return
        self._listening = on
        for shortcut in self._shortcuts:
            shortcut.setEnabled(on)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        if on:
            app.focusChanged.connect(self._on_app_focus_changed)
        else:
            app.focusChanged.disconnect(self._on_app_focus_changed)
        self._judge(QApplication.focusWidget())

    @Slot(QWidget, QWidget)
    def _on_app_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._judge(new)

    def _judge(self, focused: QWidget | None) -> None:
        for shortcut in self._enter:
            shortcut.setEnabled(self._listening and not isinstance(focused, TEXTS))
