"""One plain sentence over the views, with the ways out as buttons; never a modal dialog."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from pe_desktop.core.errors import FieldError, Fix
from pe_desktop.theme import Theme

SHOWN_MS = 12_000
MARGIN = 16
WIDEST = 720


class MessageBar(QFrame):
    """Floats at the top of its parent; takes no room while there is nothing to say.

    Signals
    -------
    fix_chosen(Fix)
    """

    fix_chosen = Signal(object)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._parent = parent
        self.setObjectName("message_bar")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setAutoRaise(True)
        self._close.setAccessibleName("Dismiss the message")
        self._close.clicked.connect(self.hide)
        # Buttons are kept: PySide never gives back a few references for each widget that is made.
        self._buttons: list[QPushButton] = []
        self._fixes: tuple[Fix, ...] = ()
        self._is_refusal = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 8, 8, 8)
        self._row.addWidget(self._text, 1)
        self._row.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.set_theme(theme)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        self.setStyleSheet(
            f"#message_bar {{ background: {theme.panel}; border: 1px solid {theme.accent}; border-radius: 4px; }}"
        )

    def say(self, error: FieldError) -> None:
        """Show a refusal with its fixes."""
        self.tell(error.message)
        self._is_refusal = True
        while len(self._buttons) < len(error.fixes):
            self._buttons.append(self._new_button())
        self._fixes = error.fixes
        for button, fix in zip(self._buttons, error.fixes, strict=False):
            button.setText(fix.label)
            button.show()
        self._place()

    def tell(self, text: str) -> None:
        """Show a sentence."""
        self._clear()
        self._is_refusal = False
        self._text.setText(text)
        self.setAccessibleName(text)
        self.show()
        self.raise_()
        self._place()
        self._timer.start()

    def retract(self) -> None:
        """Take a refusal away: something has succeeded since. Other sentences stay."""
        if self._is_refusal:
            self.hide()

    def _new_button(self) -> QPushButton:
        button = QPushButton()
        button.clicked.connect(self._on_button_clicked)
        self._row.insertWidget(self._row.count() - 1, button)
        return button

    def _clear(self) -> None:
        self._fixes = ()
        for button in self._buttons:
            button.hide()

    def _on_button_clicked(self) -> None:
        fix = self._fixes[[button is self.sender() for button in self._buttons].index(True)]
        self.hide()
        self.fix_chosen.emit(fix)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the top of the parent when it is resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        room = self._parent.width()
        width = min(WIDEST, room - 2 * MARGIN)
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry((room - width) // 2, MARGIN, width, height)
