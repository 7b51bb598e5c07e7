"""A refusal in one sentence, with buttons for the ways out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from pe_desktop.controls.look import GRID, HALF, Look, tint
from pe_desktop.core.errors import FieldError, Fix


class FixButton(QPushButton):
    """A button that stands for one remedy."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fix: Fix | None = None
        self.setAutoDefault(False)
        self.clicked.connect(self._on_self_clicked)

    def offer(self, fix: Fix) -> None:
        """Show a remedy."""
        self._fix = fix
        self.setText(fix.label)
        self.show()

    @Slot()
    def _on_self_clicked(self) -> None:
        self.chosen.emit(self._fix)


class ErrorLine(QWidget):
    """The sentence of a :class:`FieldError` below the control it is about; hidden without one."""

    fix_chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"{name}_error")
        self._sentence = QLabel(self)
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(GRID)
        self._buttons.addStretch(1)
        self._least_width = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, HALF, 0, HALF)
        layout.setSpacing(HALF)
        layout.addWidget(self._sentence)
        layout.addLayout(self._buttons)
        # Buttons are kept: PySide never gives back a few references for each widget that is made.
        self._pool: list[FixButton] = []
        self._shown: list[FixButton] = []
        self.hide()

    def show_error(self, error: FieldError) -> None:
        """Show a refusal and its remedies."""
        self._drop_buttons()
        # The sign says "refused" where the colour cannot be told.
        self._sentence.setText(f"⚠ {error.message}")
        self.setAccessibleName(error.message)
        while len(self._pool) < len(error.fixes):
            self._pool.append(self._new_button())
        self._shown = self._pool[: len(error.fixes)]
        for button, fix in zip(self._shown, error.fixes, strict=True):
            button.offer(fix)
        self._arrange()
        self.show()

    def clear(self) -> None:
        """Take the sentence away."""
        self.hide()
        self._sentence.clear()
        self._drop_buttons()

    def text(self) -> str:
        """The sentence shown, empty if none."""
        return self._sentence.text()

    def buttons(self) -> list[FixButton]:
        """The remedies shown."""
        return list(self._shown)

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._least_width = look.least_width
        self._sentence.setFont(look.small)
        tint(self._sentence, QPalette.ColorRole.WindowText, look.error)
        self._arrange()

    def _arrange(self) -> None:
        """Put the remedies side by side where even the narrowest dock has room for them, else below each other."""
        width = sum(button.sizeHint().width() + GRID for button in self._shown) - GRID
        across = width <= self._least_width
        direction = QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom
        self._buttons.setDirection(direction)

    def _new_button(self) -> FixButton:
        button = FixButton(self)
        button.chosen.connect(self.fix_chosen)
        self._buttons.insertWidget(len(self._pool), button)
        return button

    def _drop_buttons(self) -> None:
        for button in self._shown:
            button.hide()
        self._shown = []
