"""Words around a plot, painted by hand.

A QLabel asks its layout to be redone whenever its text changes; these keep their size, so a sentence that
changes in every frame of a drag costs one small repaint and moves nothing.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.theme import Theme
from pe_desktop.views.plotting import font

ELLIPSIS = Qt.TextElideMode.ElideRight


class HeaderText(QWidget):
    """One line: a title in bold and a note in muted text; the note is shortened first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._title = self._note = ""
        self._title_font, self._note_font = QFont(), QFont()
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
        self._title_font, self._note_font = font(theme.title, bold=True), font(theme.small)
        self._ink, self._faint, self._accent = QColor(theme.text), QColor(theme.muted), QColor(theme.accent)
        self.setFixedHeight(round(QFontMetricsF(self._title_font).height()) + 4)
        self._retip()
        self.update()

    def set_words(self, title: str, note: str) -> None:
        """Show other words."""
        if (title, note) != (self._title, self._note):
            self._title, self._note = title, note
            self._retip()
            self.update()

    @Slot(bool)
    def set_in_focus(self, in_focus: bool) -> None:
        """Underline the title while the plot below has the keyboard."""
        if in_focus != self._in_focus:
            self._in_focus = in_focus
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._retip()

    def _retip(self) -> None:
        room = self.width() - self._note_left()
        cut = QFontMetricsF(self._note_font).horizontalAdvance(self._note) > room
        tip = f"{self._title} · {self._note}" if cut and self._note else self._title if room < 0 else ""
        if tip != self.toolTip():
            self.setToolTip(tip)

    def _note_left(self) -> float:
        return QFontMetricsF(self._title_font).horizontalAdvance(self._title) + 10.0

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, note_metrics = QFontMetricsF(self._title_font), QFontMetricsF(self._note_font)
        base = (self.height() - metrics.height()) / 2 + metrics.ascent()
        painter.setFont(self._title_font)
        painter.setPen(self._ink)
        painter.drawText(QPointF(0, base), metrics.elidedText(self._title, ELLIPSIS, self.width()))
        left = self._note_left()
        if self._in_focus:
            painter.fillRect(QRectF(0, self.height() - 2, min(left - 10, self.width()), 2), self._accent)
        room = self.width() - left
        if self._note and room > 3 * metrics.height():
            painter.setFont(self._note_font)
            painter.setPen(self._faint)
            painter.drawText(QPointF(left, base), note_metrics.elidedText(self._note, ELLIPSIS, room))
        painter.end()


class Sentence(QWidget):
    """A wrapped sentence in a fixed number of lines; what does not fit ends in "…" and a tooltip tells it."""

    def __init__(self, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._lines = lines
        self._text = ""
        self._font, self._ink = QFont(), QColor()
        self._wrapped: list[str] | None = None

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self._text

    @property
    def shown(self) -> list[str]:
        """The lines as they are painted."""
        if self._wrapped is None:
            self._wrapped = wrap(self._text, self._font, self.width(), self._lines)
        return list(self._wrapped)

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type size."""
        self._font, self._ink, self._wrapped = font(theme.small), QColor(theme.muted), None
        self.setFixedHeight(round(QFontMetricsF(self._font).lineSpacing() * self._lines) + 2)
        self.update()

    def set_text(self, text: str) -> None:
        """Show another sentence."""
        if text != self._text:
            self._text, self._wrapped = text, None
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._wrapped = None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._ink)
        metrics = QFontMetricsF(self._font)
        lines = self.shown
        for index, line in enumerate(lines):
            painter.drawText(QPointF(0, metrics.ascent() + index * metrics.lineSpacing()), line)
        painter.end()
        tip = self._text if lines and lines[-1].endswith("…") and not self._text.endswith("…") else ""
        if tip != self.toolTip():
            self.setToolTip(tip)


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


def wrap(text: str, face: QFont, width: float, count: int) -> list[str]:
    """Break a text into at most `count` lines of `width` pixels, the last one elided."""
    layout = QTextLayout(text, face)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    lines: list[str] = []
    layout.beginLayout()
    while len(lines) < count:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(width, 1.0))
        # Qt counts in UTF-16 units, Python in characters.
        units = text.encode("utf-16-le")
        start, length = line.textStart(), line.textLength()
        last = len(lines) == count - 1
        piece = units[2 * start :] if last else units[2 * start : 2 * (start + length)]
        lines.append(piece.decode("utf-16-le", "ignore").strip())
    layout.endLayout()
    if len(lines) == count:
        lines[-1] = QFontMetricsF(face).elidedText(lines[-1], ELLIPSIS, width)
    return lines
