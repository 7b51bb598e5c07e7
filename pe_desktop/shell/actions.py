"""What the window can be asked to do: actions with their keys, and the toolbar that shows them."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolButton, QWidget

from pe_desktop.shell import palette
from pe_desktop.shell.action_bar import ActionBar
from pe_desktop.theme import Theme

# What the toolbar shows, in groups: at its left, and at its right end.
LEFT = (("open", "save"), ("lessons",), ("undo", "redo", "reset"), ("play", "compare"), ("picture", "present"))
RIGHT = ("controls", "theme", "about")
# By how much their words are worth where the toolbar has not the room for all.
WORDS = (
    "lessons",
    "open",
    "present",
    "play",
    "reset",
    "compare",
    "theme",
    "controls",
    "save",
    "picture",
    "undo",
    "redo",
)


class Actions(QObject):
    """All actions by name; each wears the sign of its name in the theme's colours.

    Parameters
    ----------
    window : QMainWindow
        Where they belong.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._named: dict[str, QAction] = {}
        self.bar = ActionBar(palette.ICON_SIZE)

    def __getitem__(self, name: str) -> QAction:
        return self._named[name]

    def add(self, name: str, text: str, keys: str, tip: str, slot: object, *, checkable: bool = False) -> QAction:
        """A new action.

        Parameters
        ----------
        name : str
            Names its sign, too.
        text, keys, tip : str
            The tip is shown with the keys; they may be none.
        slot : bound method
        checkable : bool
            Whether it is a switch.
        """
        action = QAction(text, self._window)
        action.setObjectName(f"action_{name}")
        action.setCheckable(checkable)
        shown = ""
        if keys:
            action.setShortcut(QKeySequence(keys))
            shown = f" ({QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(f"{tip}{shown}")
        action.triggered.connect(slot)
        self._named[name] = action
        return action

    def add_undo(self, stack: QUndoStack, afterwards: object) -> None:
        """Undo and redo of a stack; a slot is called after either."""
        undo, redo = stack.createUndoAction(self._window, "Undo"), stack.createRedoAction(self._window, "Redo")
        undo.setShortcut(QKeySequence.StandardKey.Undo)
        redo.setShortcuts([QKeySequence("Ctrl+Y"), QKeySequence("Ctrl+Shift+Z")])
        for name, action in (("undo", undo), ("redo", redo)):
            action.triggered.connect(afterwards)
            self._named[name] = action

    def adopt(self, name: str, action: QAction, keys: str) -> None:
        """Take an action that something else has made, such as the switch of a dock."""
        action.setShortcut(QKeySequence(keys))
        self._named[name] = action

    def add_menu(self, name: str, text: str, tip: str, menu: QMenu) -> None:
        """A new action that opens a menu."""
        action = QAction(text, self._window)
        action.setObjectName(f"action_{name}")
        action.setToolTip(tip)
        action.setMenu(menu)
        self._named[name] = action

    def fill_bar(self) -> None:
        """Show in the toolbar what there is, in its order; to be called once."""
        for group in LEFT:
            self.bar.addActions([self._named[name] for name in group if name in self._named])
            self.bar.addSeparator()
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.bar.addWidget(spring)
        self.bar.addActions([self._named[name] for name in RIGHT])
        for action in self.bar.actions():
            button = self.bar.widgetForAction(action)
            if action.menu() is not None and isinstance(button, QToolButton):
                button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.bar.keep_words(*(self._named[name] for name in WORDS if name in self._named))

    def set_theme(self, theme: Theme) -> None:
        """Colour the signs."""
        for name, action in self._named.items():
            action.setIcon(palette.icon(name, theme))
