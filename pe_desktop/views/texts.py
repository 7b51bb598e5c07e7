"""Words around a plot, painted by hand.

A QLabel asks its layout to be redone whenever its text changes; these keep their size, so a sentence that
changes in every frame of a drag costs one small repaint and moves nothing.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.letters import Letters
from pe_desktop.views.plotting import font

ELLIPSIS = Qt.TextElideMode.ElideRight
GAP = 10.0
SMALLER = 0.75  # of the small type, for a sentence that does not fit
SMALLEST, LEAST_POINTS = 0.65, 6.75  # the same for one that does not fit even so, and where large type ends
NARROW = 64  # in letters of average width: a sentence narrower than this gets a third line


class HeaderText(QWidget):
    """One line: a title in bold and a note in muted text.

    Where there is no room the note is shortened first, then the title is set in smaller type, then shortened too.
    """

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._title = self._note = self._short = ""
        self._large_letters, self._small_letters, self._note_letters = Letters(), Letters(), Letters()
        self._ink, self._faint, self._accent = QColor(), QColor(), QColor()
        self._in_focus = False

    @property
    def title(self) -> str:
        """The words in bold."""
        return self._title

    @property
    def note(self) -> str:
        """The muted words after them."""
        return self._note

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type sizes."""
        self._large_letters.set_font(font(theme.title, bold=True))
        self._small_letters.set_font(font(theme.small, bold=True))
        self._note_letters.set_font(font(theme.small))
        self._ink, self._faint, self._accent = QColor(theme.text), QColor(theme.muted), QColor(theme.accent)
        self.setFixedHeight(round(self._large_letters.metrics.height()) + 4)
        self.update()

    def set_words(self, title: str, note: str, short: str = "") -> None:
        """Show other words; `short` is what the note says in fewer, for where it has no room."""
        if (title, note, short) != (self._title, self._note, self._short):
            self._title, self._note, self._short = title, note, short
            self.update()

    @Slot(bool)
    def set_in_focus(self, in_focus: bool) -> None:
        """Underline the title while the plot below has the keyboard."""
        if in_focus != self._in_focus:
            self._in_focus = in_focus
            self.update()

    @property
    def _title_letters(self) -> Letters:
        fits = self._large_letters.width(self._title) <= self.width()
        return self._large_letters if fits else self._small_letters

    @property
    def cut(self) -> str:
        """The words that are shortened or left out, "" if none."""
        room = self.width() - self._note_left()
        if self._note and self._fitting_note(room) != self._note:
            return f"{self._title} · {self._note}"
        return self._title if room < -GAP else ""

    def has_room(self, note: str) -> bool:
        """Whether a note can be shown whole after the title."""
        return self._note_letters.width(note) <= self.width() - self._note_left()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.resized.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self.cut)
        return super().event(event)

    @property
    def shown_note(self) -> str:
        """The note as it is written."""
        return self._fitting_note(self.width() - self._note_left())

    def _fitting_note(self, room: float) -> str:
        """The note, its short form or what there is room for of the shorter of the two."""
        letters = self._note_letters
        fitting = next((note for note in (self._note, self._short) if note and letters.width(note) <= room), None)
        return fitting or letters.metrics.elidedText(self._short or self._note, ELLIPSIS, room)

    def _note_left(self) -> float:
        return self._title_letters.width(self._title) + GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        letters, metrics = self._title_letters, self._title_letters.metrics
        base = (self.height() - metrics.height()) / 2 + metrics.ascent()
        painter.setFont(letters.font)
        painter.setPen(self._ink)
        left = self._note_left()
        title = self._title if left - GAP <= self.width() else metrics.elidedText(self._title, ELLIPSIS, self.width())
        painter.drawText(QPointF(0, base), title)
        if self._in_focus:
            painter.fillRect(QRectF(0, self.height() - 2, min(left - GAP, self.width()), 2), self._accent)
        room = self.width() - left
        if self._note and room > 3 * metrics.height():
            painter.setFont(self._note_letters.font)
            painter.setPen(self._faint)
            painter.drawText(QPointF(left, base), self._fitting_note(room))
        painter.end()


class Sentence(QWidget):
    """A wrapped sentence in as many lines as its width asks for, however long it is, so that other words move nothing.

    What does not fit is written smaller, in two steps; what does not fit even then ends in "…" and a tooltip tells it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Not Fixed: the size hint of an earlier width would then limit the height.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._text = ""
        self._letters, self._ink = Letters(), QColor()
        self._smaller, self._smallest = Letters(), Letters()
        self._used = self._letters
        self._wrapped: list[str] | None = None

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self._text

    @property
    def shown(self) -> list[str]:
        """The lines as they are painted."""
        if self._wrapped is None:
            room = self.heightForWidth(self.width())
            for letters in (self._letters, self._smaller, self._smallest):
                self._used = letters
                lines = int(room / letters.metrics.lineSpacing())
                self._wrapped = wrap(self._text, letters, self.width(), max(1, lines))
                if not _is_cut(self._wrapped, self._text):
                    break
        return list(self._wrapped or [])

    @property
    def cut(self) -> str:
        """The whole sentence where it is shortened, "" where it is not."""
        return self._text if _is_cut(self.shown, self._text) else ""

    def _lines_in(self, width: int) -> int:
        return 2 if width >= NARROW * self._letters.metrics.averageCharWidth() else 3

    def heightForWidth(self, width: int) -> int:
        # One line more of the smaller type has room, which may take a pixel or two.
        lines = self._lines_in(width)
        room = max(self._letters.metrics.lineSpacing() * lines, self._smaller.metrics.lineSpacing() * (lines + 1))
        return math.ceil(room) + 2

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._letters.set_font(font(theme.small))
        self._smaller.set_font(font(SMALLER * theme.small))
        self._smallest.set_font(font(max(SMALLEST * theme.small, LEAST_POINTS)))
        self._ink, self._wrapped = QColor(theme.muted), None
        self.updateGeometry()
        self.update()

    def set_text(self, text: str) -> None:
        """Show another sentence."""
        if text != self._text:
            self._text, self._wrapped = text, None
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._wrapped = None

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.shown  # settles which letters are used
        painter = QPainter(self)
        painter.setFont(self._used.font)
        painter.setPen(self._ink)
        metrics = self._used.metrics
        for index, line in enumerate(lines):
            painter.drawText(QPointF(0, metrics.ascent() + index * metrics.lineSpacing()), line)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self.cut)
        return super().event(event)


def _is_cut(lines: list[str], text: str) -> bool:
    return bool(lines) and lines[-1].endswith("…") and not text.endswith("…")


class Message(QWidget):
    """A sentence in the middle of an otherwise empty panel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._text = ""
        self._font, self._ink = QFont(), QColor()

    @property
    def text(self) -> str:
        """The sentence."""
        return self._text

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._font, self._ink = font(theme.title), QColor(theme.text)
        self.update()

    def set_text(self, text: str) -> None:
        """Show another sentence."""
        if text != self._text:
            self._text = text
            self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._ink)
        # Lines much longer than about 60 letters are hard to read from a distance.
        width = min(self.width() - 32.0, QFontMetricsF(self._font).averageCharWidth() * 60)
        place = QRectF((self.width() - width) / 2, 0, width, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
        painter.end()


def wrap(text: str, letters: Letters, width: float, count: int) -> list[str]:
    """Break a text into at most `count` lines of `width` pixels, the last one elided."""
    lines = _wrap_words(text.split(), letters, width) if text.isprintable() else None
    if lines is None:
        lines = _wrap_anything(text, letters.font, width)
    if len(lines) <= count:
        return lines
    last = letters.metrics.elidedText(" ".join(lines[count - 1 :]), ELLIPSIS, width)
    return [*lines[: count - 1], last]


def _wrap_words(words: list[str], letters: Letters, width: float) -> list[str] | None:
    """Lines of words whose widths are known from earlier frames; None where a word is wider than a line."""
    space = letters.width(" ")
    lines: list[str] = []
    start, left = 0, -space
    for place, word in enumerate(words):
        own = letters.width(word)
        if own > width:
            return None
        if left + space + own > width:
            lines.append(" ".join(words[start:place]))
            start, left = place, -space
        left += space + own
    return [*lines, " ".join(words[start:])]


def _wrap_anything(text: str, face: QFont, width: float) -> list[str]:
    """Lines as Qt breaks them: in the middle of words that are too long, and between the words of any script."""
    layout = QTextLayout(text, face)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    # Qt counts in UTF-16 units, Python in characters.
    units = text.encode("utf-16-le")
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1.0))
        start, length = line.textStart(), line.textLength()
        lines.append(units[2 * start : 2 * (start + length)].decode("utf-16-le", "ignore").strip())
    layout.endLayout()
    return lines
