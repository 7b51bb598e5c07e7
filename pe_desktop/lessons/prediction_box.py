"""The question of a step: choose, type or draw an answer before it is shown."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from pe_desktop.controls.look import GRID, HALF, Look, look_of, tint
from pe_desktop.core.numbers import ambiguous, parse_number
from pe_desktop.lessons.lesson import Kind, Prediction
from pe_desktop.lessons.option_button import Mark, OptionButton
from pe_desktop.lessons.outcome import Outcome
from pe_desktop.lessons.words import Words
from pe_desktop.theme import LIGHT

Answer = int | str | None  # the place of an option from 0, a number as typed, or none yet
MOST_OPTIONS = 4
NUMBER_LETTERS = 12
DRAWING = "Draw the curve in the similarity view: with the mouse, or with the arrow keys."
LINE = 3  # pixels of the line beside the answer


class NumberField(QWidget):
    """A field for a number, with its unit; it takes a dot and a comma.

    Signals
    -------
    typed : str
        Every change; "" while there is no number.
    """

    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QLineEdit()
        self.edit.setObjectName("lesson_number")
        self.edit.setAccessibleName("Your prediction")
        self._unit = QLabel()
        self._trouble = Words("lesson_number_error", "small")
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self.edit)
        line.addWidget(self._unit)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(HALF)
        column.addLayout(line)
        column.addWidget(self._trouble)
        self._trouble.hide()
        self.edit.textChanged.connect(self._on_edit_text_changed)

    def show_number(self, text: str, unit: str, *, fixed: bool) -> None:
        """Show what was typed; `fixed` once the answer is there."""
        with QSignalBlocker(self.edit):
            if self.edit.text() != text:
                self.edit.setText(text)
        self.edit.setEnabled(not fixed)
        self._unit.setText(unit)
        self._judge()

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self.edit.setFont(look.body)
        tint(self.edit, QPalette.ColorRole.Window, look.outline)
        self.edit.setFixedWidth(self.edit.fontMetrics().horizontalAdvance("0" * NUMBER_LETTERS) + 2 * GRID)
        self._unit.setFont(look.body)
        self._trouble.set_look(look)
        tint(self._trouble, QPalette.ColorRole.WindowText, look.error)

    def _judge(self) -> bool:
        text = self.edit.text().strip()
        good = not text or parse_number(text) is not None
        if good:
            self._trouble.say("")
        elif ambiguous(text):
            self._trouble.say(f"⚠ “{text}” can mean two numbers; leave the comma out.")
        else:
            self._trouble.say(f"⚠ “{text}” is not a number; type one such as 0.5.")
        self.edit.setAccessibleDescription(self._trouble.text())
        return good

    @Slot(str)
    def _on_edit_text_changed(self, text: str) -> None:
        self.typed.emit(text.strip() if self._judge() else "")


class RevealBox(QWidget):
    """The answer: how the prediction came out, and why; a line in the accent stands beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_reveal_box")
        self._outcome = Words("lesson_outcome", "strong")
        self._text = Words("lesson_reveal")
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID + LINE, 0, 0, 0)
        column.setSpacing(HALF)
        column.addWidget(self._outcome)
        column.addWidget(self._text)
        column.addStretch(1)
        self._look = look_of(LIGHT)

    def show_answer(self, text: str) -> None:
        """Show the reveal; :meth:`show_outcome` may come later."""
        self._text.say(text)

    def show_outcome(self, outcome: Outcome) -> None:
        """Show how the prediction came out, told by its sign as well."""
        sign = {True: "✓ ", False: "✗ ", None: ""}[outcome.right]
        self._outcome.say(f"{sign}{outcome.says}" if outcome.says else "")

    def set_look(self, look: Look) -> None:
        """Restyle."""
        self._look = look
        self._outcome.set_look(look)
        self._text.set_look(look)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, 0, LINE, self.height(), QColor(self._look.theme.accent))


class PredictionBox(QWidget):
    """Question, answer and reveal of one step.

    Signals
    -------
    answered : object
        The place of the option chosen, from 0, or the number as typed.
    """

    answered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_prediction")
        self._prediction: Prediction | None = None
        self._revealed = False
        self._question = Words("lesson_question", "strong")
        self._group = QButtonGroup(self)
        self._options = [OptionButton(place) for place in range(MOST_OPTIONS)]
        self.number = NumberField()
        self._drawing = Words("lesson_drawing", muted=True)
        self.reveal = RevealBox()
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(GRID)
        column = QVBoxLayout()
        column.setSpacing(HALF)
        column.addWidget(self._question)
        for place, option in enumerate(self._options):
            self._group.addButton(option, place)
            column.addWidget(option)
        column.addWidget(self.number)
        column.addWidget(self._drawing)
        column.addStretch(1)
        self._halves.addLayout(column)
        self._halves.addWidget(self.reveal)
        self._drawing.setText(DRAWING)
        self._group.idClicked.connect(self._on_group_id_clicked)
        self.number.typed.connect(self._on_number_typed)

    def show_prediction(self, prediction: Prediction, answer: Answer, *, revealed: bool) -> None:
        """Show a question with what was answered so far."""
        self._prediction, self._revealed = prediction, revealed
        self._question.setText(prediction.question)
        self._show_options(prediction, answer if isinstance(answer, int) else -1)
        self.number.setVisible(prediction.kind is Kind.NUMBER)
        self.number.show_number(answer if isinstance(answer, str) else "", prediction.unit, fixed=revealed)
        self._drawing.setVisible(prediction.kind is Kind.DRAW and not revealed)
        self.reveal.setVisible(revealed)
        self.reveal.show_answer(prediction.reveal)
        self.reveal.show_outcome(Outcome(""))

    def spread(self, across: bool) -> None:
        """Put the answer beside the question, or below it."""
        direction = QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom
        self._halves.setDirection(direction)
        self._halves.setSpacing(2 * GRID if across else GRID)
        for half in (0, 1):
            self._halves.setStretch(half, 1 if across else 0)

    def choose(self, place: int) -> bool:
        """Choose an option by its number, as its key does; False if there is nothing to choose so."""
        if self._prediction is None or self._revealed or not place < len(self._prediction.options):
            return False
        self._options[place].click()
        return True

    def stops(self) -> list[QWidget]:
        """What Tab stops at, in order."""
        return [*self._options, self.number.edit]

    def set_look(self, look: Look) -> None:
        """Restyle."""
        for option in self._options:
            option.set_look(look)
        for part in (self._question, self.number, self._drawing, self.reveal):
            part.set_look(look)

    def _show_options(self, prediction: Prediction, chosen: int) -> None:
        self._group.setExclusive(False)
        for place, option in enumerate(self._options):
            there = place < len(prediction.options)
            option.setVisible(there)
            option.setChecked(place == chosen)
            option.setEnabled(not self._revealed)
            mark = Mark.OPEN
            if self._revealed and place == prediction.right:
                mark = Mark.RIGHT
            elif self._revealed and place == chosen:
                mark = Mark.WRONG
            option.show_option(prediction.options[place] if there else "", mark, mine=place == chosen)
        self._group.setExclusive(True)

    @Slot(int)
    def _on_group_id_clicked(self, place: int) -> None:
        self.answered.emit(place)

    @Slot(str)
    def _on_number_typed(self, text: str) -> None:
        self.answered.emit(text)
