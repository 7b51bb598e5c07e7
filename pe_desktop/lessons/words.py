"""Words and buttons of the lesson dock, restyled together."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPalette
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from pe_desktop.controls.look import Look, tint

_PAGE_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class Words(QLabel):
    """A text that wraps in any width.

    Parameters
    ----------
    name : str
        The widget's object name.
    style : str
        "body", "small" or "title"; "strong" is body type, half bold.
    muted : bool
        Whether it stands back.
    """

    def __init__(self, name: str, style: str = "body", *, muted: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._style, self._muted = style, muted
        # Not its least height either: Qt's own guess at that is of a narrower text.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def say(self, text: str) -> None:
        """Show a text; an empty one takes no room."""
        self.setText(text)
        self.setVisible(bool(text))

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.setFont(strong(look) if self._style == "strong" else getattr(look, self._style))
        tint(self, QPalette.ColorRole.WindowText, look.theme.muted if self._muted else look.theme.text)


class PageButton(QPushButton):
    """A button that leaves the arrow keys to the page it is on; a click does not take the focus.

    Parameters
    ----------
    name, text : str
    primary : bool
        Whether it is the one that goes on.
    """

    def __init__(self, name: str, text: str, *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setObjectName(name)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._primary = primary

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.setFont(strong(look) if self._primary else look.body)
        if self._primary:
            self.setPalette(_accented(look))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PAGE_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)


def _accented(look: Look) -> QPalette:
    """The accent, with words that can be read on it."""
    theme, palette = look.theme, QPalette()
    palette.setColor(QPalette.ColorRole.Button, QColor(theme.accent))
    palette.setColor(QPalette.ColorRole.ButtonText, QColor(theme.window if theme.dark else theme.panel))
    off = QPalette.ColorGroup.Disabled
    palette.setColor(off, QPalette.ColorRole.Button, QColor(theme.panel))
    palette.setColor(off, QPalette.ColorRole.ButtonText, QColor(theme.muted))
    return palette


def strong(look: Look) -> QFont:
    """Body type, half bold."""
    font = QFont(look.body)
    font.setWeight(QFont.Weight.DemiBold)
    return font
