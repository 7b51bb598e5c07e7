"""A lesson on paper: every step with its text, its pictures and its question; the answers at the end, if wanted."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QMarginsF, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen, QTextDocument
from PySide6.QtWidgets import QWidget

from pe_desktop.core.errors import FieldError
from pe_desktop.lessons.lesson import Lesson
from pe_desktop.lessons.paper import Axes, Group, Pictures, Sheet, Words, groups
from pe_desktop.model.lab import Lab
from pe_desktop.safe_file import replacing
from pe_desktop.shell.centre import Centre
from pe_desktop.theme import LIGHT, THEMES, Theme
from pe_desktop.views.panel import Panel

DOTS_PER_INCH = 96
MARGIN = 15.0  # millimetres
GAP = 14.0
BODY = 10.0  # points
PICTURE = (680, 300)  # pixels of one picture as wide as the page
HALF_PICTURE = (336, 270)  # of one of two beside each other
AXES_HEIGHT = 170.0


def print_handout(lesson: Lesson, path: str, theme_name: str = "light", answers: bool = False) -> None:
    """Write a lesson as a PDF file.

    Parameters
    ----------
    lesson : Lesson
    path : str
        Ends in .pdf.
    theme_name : str
        Of the pictures; the page stays white, so that of a dark theme the light one is taken.
    answers : bool
        Whether answers, speaker notes and pictures of the revealed states follow at the end.

    Raises
    ------
    FieldError
        If the file cannot be written; an old file of that name is then still whole.
    """
    target = Path(path)
    if target.suffix.lower() != ".pdf":
        raise FieldError("handout", f"The hand-out is to be written to {path!r}; the file must end in .pdf.")
    theme = THEMES.get(theme_name, LIGHT)
    with replacing(target, "handout") as temporary:
        writer = QPdfWriter(temporary)
        writer.setTitle(f"PE Desktop: {lesson.title}")
        writer.setResolution(DOTS_PER_INCH)
        margins = QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN)
        page = QPageSize(QPageSize.PageSizeId.A4)
        writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter))
        press = Press(writer, lesson.title, LIGHT if theme.dark else theme)
        try:
            for group in groups(lesson, answers):
                press.draw(group)
        finally:
            written = press.close()
        if not written:
            raise FieldError("handout", f"{path} cannot be written: the disk may be full or the folder not writable.")


class Press:
    """Puts sheets onto pages, each whole on one of them."""

    def __init__(self, writer: QPdfWriter, title: str, theme: Theme) -> None:
        self._writer, self._title, self._theme = writer, title, theme
        self._painter = QPainter()
        self._open = self._painter.begin(writer)
        self._place, self._page = 0.0, 1
        self._lab = Lab(blocking=True)
        self._centre = Centre(self._lab, theme)
        self._centre.set_theme(theme)
        # Views are drawn one by one, each at its own size, on a desk that no screen shows.
        self._desk = QWidget()
        self._desk.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._desk.resize(PICTURE[0], PICTURE[1])
        self._desk.show()

    @property
    def _size(self) -> QSizeF:
        return QSizeF(self._writer.width(), self._writer.height() - 2 * GAP)

    def draw(self, group: Group) -> None:
        """Draw what comes next, on a new page if it then stays together."""
        heights = [self._height(sheet) for sheet in group]
        if sum(heights) <= self._size.height():
            self._room(sum(heights))
        for sheet, height in zip(group, heights, strict=True):
            self._room(height)
            if isinstance(sheet, Words):
                self._words(sheet)
            elif isinstance(sheet, Pictures):
                self._pictures(sheet)
            else:
                self._axes(sheet)
            self._place += height

    def _height(self, sheet: Sheet) -> float:
        if isinstance(sheet, Words):
            return float(self._document(sheet).size().height()) + GAP / 2
        if isinstance(sheet, Pictures):
            return GAP + (PICTURE if len(sheet.views) == 1 else HALF_PICTURE)[1]
        return AXES_HEIGHT + GAP

    def close(self) -> bool:
        """End the file and let the pictures' widgets go; whether all was written."""
        if self._open:
            self._foot()
        written = self._open and self._painter.end()
        self._lab.close()
        self._desk.hide()
        # At once: widgets that only a cycle of Python objects holds may be collected with their slots still connected.
        for thing in (self._desk, self._centre, self._lab):
            thing.deleteLater()
            QCoreApplication.sendPostedEvents(thing, QEvent.Type.DeferredDelete)
        return bool(written)

    def _room(self, height: float) -> None:
        """Turn the page if less than `height` is left on this one."""
        if self._place and self._place + height > self._size.height():
            self._foot()
            self._writer.newPage()
            self._page += 1
            self._place = 0.0

    def _set_small(self) -> None:
        face = QFont()
        face.setPointSizeF(0.8 * BODY)
        self._painter.setFont(face)

    def _foot(self) -> None:
        self._set_small()
        self._painter.setPen(QPen(QColor(self._theme.muted)))
        place = QRectF(0, self._size.height(), self._size.width(), 2 * GAP)
        self._painter.drawText(place, Qt.AlignmentFlag.AlignBottom, f"PE Desktop · {self._title}")
        self._painter.drawText(place, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, str(self._page))

    def _document(self, words: Words) -> QTextDocument:
        document = QTextDocument()
        document.documentLayout().setPaintDevice(self._writer)
        document.setDocumentMargin(0)
        face = QFont()
        face.setPointSizeF(BODY)
        document.setDefaultFont(face)
        document.setHtml(words.html)
        document.setTextWidth(self._size.width())
        return document

    def _words(self, words: Words) -> None:
        self._painter.save()
        self._painter.translate(0, self._place)
        self._document(words).drawContents(self._painter)
        self._painter.restore()

    def _pictures(self, pictures: Pictures) -> None:
        views = pictures.views
        width, height = PICTURE if len(views) == 1 else HALF_PICTURE
        self._lab.replace(pictures.state)
        for place, name in enumerate(views):
            corner = QPoint(round(place * (self._size.width() - width)), round(self._place))
            self._render(self._centre.panels[name], corner, width, height, pictures.told)

    def _render(self, panel: Panel, corner: QPoint, width: int, height: int, told: bool) -> None:
        panel.setParent(self._desk)
        panel.resize(width, height)
        panel.show()
        self._lab.flush()
        # The sentence under a view may be the answer to the question that follows.
        panel.sentence.setVisible(told and not panel.plot.isHidden())
        self._painter.save()
        self._painter.translate(corner)
        panel.render(self._painter, QPoint(0, 0))
        self._painter.restore()
        panel.hide()

    def _axes(self, axes: Axes) -> None:
        """An empty plot to draw into by hand."""
        frame = QRectF(40, self._place + 6, self._size.width() - 60, AXES_HEIGHT - 36)
        self._painter.setPen(QPen(QColor(self._theme.line)))
        for share in (0.25, 0.5, 0.75):
            height = frame.top() + share * frame.height()
            self._painter.drawLine(QPointF(frame.left(), height), QPointF(frame.right(), height))
        self._painter.setPen(QPen(QColor(self._theme.muted)))
        self._painter.drawRect(frame)
        spot = frame.left() + axes.spot / max(axes.length - 1, 1) * frame.width()
        self._painter.drawLine(QPointF(spot, frame.top()), QPointF(spot, frame.bottom()))
        self._set_small()
        for value in (1, 0, -1):
            height = frame.top() + (1 - value) / 2 * frame.height()
            self._painter.drawText(QPointF(12, height + 4), f"{value}".replace("-", "−"))
        ends = ((frame.left(), "0"), (spot, f"spot {axes.spot:,}"), (frame.right() - 30, f"{axes.length - 1:,}"))
        for place, text in ends:
            self._painter.drawText(QPointF(place, frame.bottom() + 16), text)
