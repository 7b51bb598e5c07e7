"""The sentence as typed, and the two words to exchange."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QStringListModel, QTimer, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from pe_desktop.controls.error_line import ErrorLine
from pe_desktop.controls.look import GRID, HALF, Look, tint
from pe_desktop.controls.requests import Requests
from pe_desktop.controls.rows import CheckRow, QuietComboBox
from pe_desktop.controls.texts import slot_text, tooltip
from pe_desktop.core.errors import FieldError
from pe_desktop.core.state import LABELS, LabState

MOST_WORDS = 512
TOO_SHORT = "Two words are needed to swap."
# A pause this long ends a burst of typing, which is one entry of the undo history.
BURST_MS = 1000


class SentencePanel(QWidget):
    """Check box, sentence, and the two slots whose words are exchanged in sentence B."""

    asked = Signal(object)

    def __init__(self, requests: Requests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._slots: list[int] = []
        self._words: tuple[str, ...] | None = None
        self._typing = False
        self._burst = QTimer(self)
        self._burst.setSingleShot(True)
        self._burst.setInterval(BURST_MS)
        self._burst.timeout.connect(self._on_burst_timeout)
        self._build()
        self.asked.connect(requests.ask)
        self._error.fix_chosen.connect(requests.ask_fix)
        self._swap.asked.connect(requests.ask)

    def _build(self) -> None:
        self._swap = CheckRow("swap", LABELS["swap"], parent=self)
        self._swap.setToolTip(
            tooltip("Sentence B is the sentence with two words exchanged. Positions stay with the slots.")
        )
        self._edit = QLineEdit(self)
        self._edit.setObjectName("sentence")
        self._edit.setAccessibleName(LABELS["sentence"])
        self._edit.setPlaceholderText("Type a sentence")
        # Too long a text is refused in a sentence that counts it, not silently cut.
        self._edit.setMaxLength(1 << 24)
        self._edit.textChanged.connect(self._on_edit_text_changed)
        self._edit.editingFinished.connect(self._on_edit_editing_finished)
        self._error = ErrorLine("sentence", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(HALF)
        layout.addWidget(self._swap)
        layout.addWidget(self._edit)
        layout.addWidget(self._build_choice())
        layout.addWidget(self._error)

    def _build_choice(self) -> QWidget:
        self._list = QStringListModel(self)
        self._first, self._second = QuietComboBox(self), QuietComboBox(self)
        box = QWidget(self)
        box.setObjectName("swap_choice")
        pair = QWidget(box)
        line = QHBoxLayout(pair)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GRID)
        for combo, name, words in ((self._first, "swap_first", "First"), (self._second, "swap_second", "Second")):
            combo.setObjectName(name)
            combo.setAccessibleName(f"{words} word to swap")
            combo.setToolTip(f"{words} word to swap, counted from 0")
            combo.setModel(self._list)
            combo.currentIndexChanged.connect(self._on_combo_index_changed)
        self._arrow = QLabel("↔", pair)
        line.addWidget(self._first, 1)
        line.addWidget(self._arrow)
        line.addWidget(self._second, 1)
        self._hint = QLabel(TOO_SHORT, box)
        self._hint.setObjectName("swap_hint")
        # One place for both, so that nothing moves while a sentence is being typed.
        self._choice = QStackedLayout(box)
        self._choice.addWidget(pair)
        self._choice.addWidget(self._hint)
        return box

    def show_state(self, state: LabState) -> None:
        """Show the sentence and the swap of a state."""
        self._swap.set_value(state.swap)
        self._show_sentence(state.sentence)
        self._show_slots(state.words, state.swap_pair)

    def show_error(self, error: FieldError) -> None:
        """Show why the sentence or the choice of words was refused."""
        self._error.show_error(error)

    def clear_error(self) -> None:
        """Take the refusal away."""
        self._error.clear()

    def error_text(self) -> str:
        """The refusal shown, empty if none."""
        return self._error.text()

    def focus_widgets(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        return [*self._swap.focus_widgets(), self._edit, self._first, self._second]

    def set_look(self, look: Look) -> None:
        """Restyle."""
        tint(self, QPalette.ColorRole.Window, look.outline)
        self._swap.set_look(look)
        self._error.set_look(look)
        self._hint.setFont(look.small)
        for label in (self._hint, self._arrow):
            tint(label, QPalette.ColorRole.WindowText, look.theme.muted)

    def _show_sentence(self, sentence: str) -> None:
        if self._edit.text() == sentence:
            return
        behind_cursor = len(self._edit.text()) - self._edit.cursorPosition()
        with QSignalBlocker(self._edit):
            self._edit.setText(sentence)
        # The model may have composed or cleaned what was typed: typing goes on where it was.
        self._edit.setCursorPosition(max(0, len(sentence) - behind_cursor) if self._edit.hasFocus() else 0)

    def _show_slots(self, words: tuple[str, ...], pair: tuple[int, int] | None) -> None:
        self._choice.setCurrentIndex(1 if pair is None else 0)
        with QSignalBlocker(self._first), QSignalBlocker(self._second):
            slots = list(range(min(len(words), MOST_WORDS)))
            slots += [slot for slot in sorted(pair or ()) if slot >= MOST_WORDS]
            if words != self._words or slots != self._slots:
                self._words, self._slots = words, slots
                self._list.setStringList([slot_text(slot, words[slot]) for slot in slots])
            for combo, slot in zip((self._first, self._second), pair or (-1, -1), strict=True):
                combo.setCurrentIndex(slots.index(slot) if slot >= 0 else -1)

    def _end_burst(self) -> None:
        self._burst.stop()
        if self._typing:
            self._typing = False
            self._requests.end_drag()

    @Slot(str)
    def _on_edit_text_changed(self, text: str) -> None:
        if not self._typing:
            self._typing = True
            self._requests.begin_drag()
        self._burst.start()
        self.asked.emit({"sentence": text})

    @Slot()
    def _on_edit_editing_finished(self) -> None:
        self._end_burst()

    @Slot()
    def _on_burst_timeout(self) -> None:
        self._end_burst()

    @Slot(int)
    def _on_combo_index_changed(self, _index: int) -> None:
        first, second = self._first.currentIndex(), self._second.currentIndex()
        if first >= 0 and second >= 0:
            self.asked.emit({"swap_words": (self._slots[first], self._slots[second])})
