"""A plate of an experiment: a title and a picture below it, painted once and kept until either changes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from pe_desktop.core.experiment import BarPlate, HeatPlate, LinePlate, Plate
from pe_desktop.theme import LIGHT, Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font
from pe_desktop.views.still import StillItem
from pe_desktop.views.texts import wrap

BELOW_TITLE = 4.0
NOTE_GAP = 8.0
BETWEEN = 16.0  # plates
LONGEST = 80  # letters of a label; measuring 20,000 would take time
ELLIPSIS = "…"
TIGHT = 16  # lines of a slot in which words may get into each other's way
TALL = 8  # lines of a slot whose title may take two
# Width to height, least and most, within which each kind of picture is easy to read.
ASPECTS = {HeatPlate: (0.4, 3.0), LinePlate: (0.9, 2.6), BarPlate: (0.8, 3.5)}
SQUARE = (1 / 1.7, 1.7)


@dataclass(frozen=True)
class Word:
    """A text in its place, scene pixels; ``whole`` is what it was before it was shortened."""

    rect: QRectF
    text: str
    whole: str
    colour: str
    bold: bool = False
    upright: bool = False  # turned to the left, to be read from the right


class PlateItem(StillItem):
    """Paints one plate in its slot; a subclass lays out and draws what is below the title."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.words: list[Word] = []
        self._plate: Plate | None = None
        self._title_lines = 1
        self._plain, self._bold = Letters(), Letters()
        self._ink: dict[str, QColor] = {}

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        self.theme = theme
        self._plain.set_font(font(theme.small))
        self._bold.set_font(font(theme.small, bold=True))
        self._ink.clear()
        self._plate = None
        self.set_ground(theme)

    def show_plate(self, plate: Plate, slot: QRectF, title_lines: int = 1) -> None:
        """Show a plate in a slot, scene pixels; nothing happens where neither is another than before."""
        slot = QRectF(slot.toAlignedRect())
        if plate is self._plate and (slot, title_lines) == (self._rect, self._title_lines):
            return
        self._plate, self._title_lines = plate, title_lines
        self.set_rect(slot)
        self.words = []
        try:
            self._lay_out(slot.adjusted(0, title_lines * self.line + BELOW_TITLE, 0, 0))
        except Exception:
            self._plate = None  # half laid out it must not be painted
            raise
        self._lay_out_title(plate.title, self.note)
        if slot.height() < TIGHT * self.line:
            self._drop_crowded()
        self.changed()

    # What a subclass fills in -----------------------------------------------------------------------------

    @property
    def note(self) -> str:
        """The muted words beside the title."""
        return self._plate.note if self._plate is not None else ""

    def _lay_out(self, inner: QRectF) -> None:
        """Place everything within a rectangle, and the words with :meth:`write`."""
        raise NotImplementedError

    def draw_picture(self, painter: QPainter) -> None:
        """Draw all but the words."""
        raise NotImplementedError

    def found_at(self, place: QPointF) -> tuple[int, int] | None:
        """What is under the mouse: a cell, a line and its point, a name and its bar; None where nothing is."""
        raise NotImplementedError

    def mark_of(self, row: int, column: int) -> QRectF | None:
        """What to frame where the cursor is on it, scene pixels; None where it is out of sight."""
        raise NotImplementedError

    # Words ------------------------------------------------------------------------------------------------

    @property
    def line(self) -> float:
        """Height of a line of text, pixels."""
        return math.ceil(self._plain.metrics.height())

    def width_of(self, text: str, *, bold: bool = False) -> float:
        """Pixels a text takes."""
        return (self._bold if bold else self._plain).width(text)

    def longest(self, texts: Iterable[str], most: float = math.inf) -> float:
        """Width of the widest of some texts, at most `most` pixels."""
        width = 0.0
        for text in texts:
            width = max(width, self._plain.width(text[:LONGEST]))
            if width >= most:
                return most
        return math.ceil(width)

    def fitted(self, text: str, room: float, *, bold: bool = False) -> str:
        """A text shortened to a width in pixels."""
        letters = self._bold if bold else self._plain
        cut = text if len(text) <= LONGEST else text[:LONGEST] + ELLIPSIS
        if letters.width(cut) <= room:
            return cut
        cut = letters.metrics.elidedText(cut, Qt.TextElideMode.ElideRight, room)
        return cut if letters.width(cut) <= room and cut != ELLIPSIS else ""

    def write(
        self,
        text: str,
        left: float,
        top: float,
        room: float,
        *,
        align: float = 0.0,
        colour: str = "",
        bold: bool = False,
    ) -> Word | None:
        """Place a text of one line within `room` pixels from `left`, at the left (`align` 0) or the right end (1)."""
        shown = self.fitted(text, room, bold=bold)
        if not shown:
            return None
        width = self.width_of(shown, bold=bold)
        rect = QRectF(left + align * (room - width), top, width, self.line)
        word = Word(rect, shown, text, colour or self.theme.muted, bold)
        self.words.append(word)
        return word

    def write_upright(self, text: str, middle: float, bottom: float, room: float, colour: str = "") -> None:
        """Place a text that runs upwards from `bottom`, about an upright line."""
        shown = self.fitted(text, room)
        if shown:
            width = self.width_of(shown)
            rect = QRectF(middle - self.line / 2, bottom - width, self.line, width)
            self.words.append(Word(rect, shown, text, colour or self.theme.muted, upright=True))

    def _lay_out_title(self, title: str, note: str) -> None:
        rect, top, left = self._rect, self._rect.top(), self._rect.left()
        lines = wrap(title, self._bold, rect.width(), self._title_lines)
        for row, text in enumerate(lines):
            top = rect.top() + row * self.line
            # The last line is told whole where it is shortened.
            whole = title if text.endswith(ELLIPSIS) else text
            width = self.width_of(text, bold=True)
            self.words.insert(row, Word(QRectF(left, top, width, self.line), text, whole, self.theme.text, bold=True))
        left += (self.width_of(lines[-1], bold=True) if lines else 0.0) + NOTE_GAP
        if note and rect.right() - left > 3 * self.line:
            self.write(note, left, top, rect.right() - left)

    def _drop_crowded(self) -> None:
        """Leave out words that a plate too small for them all would cut or lay over others; the first ones stay."""
        kept: list[Word] = []
        slot = self._rect.adjusted(-1, -1, 1, 1)
        for word in self.words:
            rect = inked(word, self.line)
            if slot.contains(rect) and not any(rect.intersects(inked(other, self.line)) for other in kept):
                kept.append(word)
        self.words = kept

    def needs_two_lines(self, title: str, slot: QRectF) -> bool:
        """Whether a title is too long for one line of a slot that is high enough for two."""
        return self.width_of(title, bold=True) > slot.width() and slot.height() >= TALL * self.line

    def told_at(self, place: QPointF) -> str:
        """The whole of a shortened text under the mouse, "" where there is none."""
        return next((word.whole for word in self.words if word.text != word.whole and word.rect.contains(place)), "")

    # Drawing ----------------------------------------------------------------------------------------------

    def ink(self, colour: str) -> QColor:
        """A colour of the theme."""
        if colour not in self._ink:
            self._ink[colour] = QColor(colour)
        return self._ink[colour]

    def draw(self, painter: QPainter) -> None:
        if self._plate is None:
            return
        painter.save()
        self.draw_picture(painter)
        painter.restore()
        for word in self.words:
            letters = self._bold if word.bold else self._plain
            painter.setFont(letters.font)
            painter.setPen(self.ink(word.colour))
            if word.upright:
                painter.save()
                painter.translate(word.rect.left(), word.rect.bottom())
                painter.rotate(-90)
                letters.write(painter, 0.0, 0.0, word.text)
                painter.restore()
            else:
                letters.write(painter, word.rect.left(), word.rect.top(), word.text)


def inked(word: Word, line: float) -> QRectF:
    """Where a word's letters are: a little lower than its line, so that words may stand that close."""
    less = 0.1 * line
    return word.rect.adjusted(less, 0.5, -less, -0.5) if word.upright else word.rect.adjusted(0.5, less, -0.5, -less)


def aspects(plate: Plate) -> tuple[float, float]:
    """Least and most width to height of a plate's picture."""
    if is_square(plate):
        return SQUARE
    return ASPECTS[type(plate)]


def is_square(plate: Plate) -> bool:
    """Whether rows and columns of a plane are of one kind, so that its cells should not be stretched much."""
    return isinstance(plate, HeatPlate) and plate.values.shape[0] == plate.values.shape[1]


def arranged(plates: Sequence[Plate], area: QRectF, line: float) -> list[QRectF]:
    """Slots of plates in an area, in order, in as many rows as makes the smallest picture largest.

    `line` is the height of a line of text; each plate has about three.
    """
    best: list[QRectF] = []
    largest = -1.0
    for across in range(len(plates), 0, -1):
        slots = _slots(len(plates), across, area)
        least = min(_use(plate, slot, 3 * line) for plate, slot in zip(plates, slots, strict=True))
        if least > largest * 1.02:  # not for next to nothing
            best, largest = slots, least
    return best


def _slots(count: int, across: int, area: QRectF) -> list[QRectF]:
    rows = -(-count // across)
    height = (area.height() - BETWEEN * (rows - 1)) / rows
    # The last row may hold fewer; each row is shared evenly.
    firsts = [count * row // rows for row in range(rows + 1)]
    slots = []
    for row, (first, end) in enumerate(itertools.pairwise(firsts)):
        width = (area.width() - BETWEEN * (end - first - 1)) / (end - first)
        top = area.top() + row * (height + BETWEEN)
        slots += [QRectF(area.left() + k * (width + BETWEEN), top, width, height) for k in range(end - first)]
    return slots


def _use(plate: Plate, slot: QRectF, words: float) -> float:
    """Pixels of a slot that a plate's picture can use."""
    least, most = aspects(plate)
    height = max(slot.height() - words, 1.0)
    width = max(min(slot.width(), most * height), 1.0)
    return width * min(height, width / least)
